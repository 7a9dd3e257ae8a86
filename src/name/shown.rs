//! The name that is shown (names.md §4).
//!
//! It must never be another player's: where tidying the capitals would change who is meant, the
//! name stays as it came.

use std::borrow::Cow;

use super::fold::{
    compose, is_digit, is_letter, is_lower, is_mark, is_title, is_upper, title_case,
};
use super::{Identity, Kind, tidy};

/// The unknown player.
const UNKNOWN: &str = "?";

/// Words that keep their capitals.
const KEPT: [&str; 12] =
    ["II", "III", "IV", "GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM"];

/// Words within a name that are written small.
const PARTICLES: [&str; 18] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le", "ter",
    "ten", "zu", "bin", "al",
];

/// The name that is shown for a player whom a game calls `name` (names.md §4): in an online game
/// the name as it came (tidied), else its usual form; “?” for the unknown player.
pub fn shown(name: &str, online: bool) -> String {
    if !online {
        return usual_form(name);
    }
    let name = tidy(name);
    match Kind::of_tidied(&name) {
        Kind::Unknown => UNKNOWN.to_owned(),
        Kind::Nickname | Kind::Person => name.into_owned(),
    }
}

/// The usual form of a name that does not come from an online game (names.md §4). It is the same
/// player as the name, and its own usual form.
pub fn usual_form(name: &str) -> String {
    let name = tidy(name);
    match Kind::of_tidied(&name) {
        Kind::Unknown => return UNKNOWN.to_owned(),
        Kind::Nickname => return name.into_owned(),
        Kind::Person if name.chars().any(|c| c == '_' || is_digit(c)) => return name.into_owned(),
        Kind::Person => {}
    }
    let usual = respelled(&name);
    let holds = usual == name
        || respelled(&usual) == usual && Identity::of(&usual, None) == Identity::of(&name, None);
    if holds { usual } else { name.into_owned() }
}

/// A tidied person's name with its commas and capitals put right, whoever it is then.
fn respelled(name: &str) -> String {
    let composed = compose(name);
    let tokens = tokens(&composed);
    let letters = Letters::of(&composed);
    let first_comma = tokens.iter().position(|token| *token == Token::Comma).unwrap_or(0);
    let is_word = |token: Option<&Token>| matches!(token, Some(Token::Word(_)));

    let mut text = String::with_capacity(composed.len());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Comma => text.push(','),
            Token::Word(word) => {
                if at > 0 {
                    text.push(' ');
                }
                let place = Place {
                    within: at > 0 && is_word(tokens.get(at - 1)) && is_word(tokens.get(at + 1)),
                    before_first_comma: at < first_comma,
                };
                text.push_str(&letters.respell(word, place));
            }
        }
    }
    compose(&text).into_owned()
}

/// What a name is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    /// A run of anything but spaces and commas.
    Word(&'a str),
    /// One comma, or several with nothing between.
    Comma,
}

/// The words and commas of a name, without a trailing comma.
fn tokens(name: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (at, stretch) in name.split(',').enumerate() {
        if at > 0 && tokens.last() != Some(&Token::Comma) {
            tokens.push(Token::Comma);
        }
        tokens.extend(stretch.split(' ').filter(|word| !word.is_empty()).map(Token::Word));
    }
    tokens.pop_if(|last| *last == Token::Comma);
    tokens
}

/// Where a word stands in its name.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Neither first, nor right after a comma, nor last before a comma or the end.
    within: bool,
    before_first_comma: bool,
}

/// Which letters a name has anywhere.
#[derive(Debug, Clone, Copy)]
struct Letters {
    capital: bool,
    small: bool,
}

impl Letters {
    fn of(name: &str) -> Letters {
        Letters {
            capital: name.chars().any(|c| is_upper(c) || is_title(c)),
            small: name.chars().any(is_lower),
        }
    }

    /// A word of the name with its capitals put right.
    fn respell<'a>(&self, word: &'a str, place: Place) -> Cow<'a, str> {
        let particle = PARTICLES.iter().find(|p| place.within && p.eq_ignore_ascii_case(word));
        if !self.capital {
            // Particles are small already.
            return if particle.is_some() { word.into() } else { one_capital_each(word) };
        }
        let length = word.chars().filter(|&c| is_letter(c)).count();
        let in_capitals = length >= 2 && word.chars().all(|c| is_upper(c) || !is_letter(c));
        if !in_capitals || KEPT.contains(&word.trim_matches(|c| !is_letter(c))) {
            word.into()
        } else if let Some(particle) = particle {
            (*particle).into()
        } else if self.small && length <= 2 && !place.before_first_comma {
            // Initials, most likely.
            word.into()
        } else {
            one_capital_each(word)
        }
    }
}

/// A word with one capital for each of its parts (runs of letters and marks) and the rest small.
fn one_capital_each(word: &str) -> Cow<'_, str> {
    let in_part = |c: char| is_letter(c) || is_mark(c);
    let mut text = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(start) = rest.find(in_part) {
        text.push_str(&rest[..start]);
        let part = &rest[start..];
        let end = part.find(|c| !in_part(c)).unwrap_or(part.len());
        let head = part.chars().next().map_or(0, char::len_utf8);
        // The small form of İ would be i with a dot above it, beside the one it has.
        let tail = part[head..end].replace('İ', "I");
        text.push_str(&title_case(&format!("{}{tail}", &part[..head])));
        rest = &part[end..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}
