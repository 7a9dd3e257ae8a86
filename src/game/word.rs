//! One word of movetext and what it means: a move in whatever spelling, a sign, an end marker.
//!
//! Nothing here knows the position. What could mean two things is [`Word::Unreadable`].

use super::GameResult;
use super::glyph::{is_dash, nag_of_sign, nag_of_word, says_nothing};
use super::letters::Reading;
use super::san::is_san;

/// The meaning of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// A move in the standard's spelling, perhaps with both its squares.
    Move(String),
    /// A null move.
    Null,
    /// A sign or letter that is a known NAG.
    Nag(u8),
    /// Repeats what the move says.
    Nothing,
    /// An end marker.
    End(GameResult),
    /// Signs that mean nothing here: kept as a comment.
    Remark,
    /// Certainly no move: running text.
    Prose,
    /// Anything else.
    Unreadable,
}

/// Longer words are no moves.
const LONGEST: usize = 24;

/// Reads the beginning of `word`: its meaning, and how many of its bytes that is (all, unless
/// something is glued to it, which is then a word of its own). `before_dot` tells that a full
/// stop follows the word.
pub(super) fn read_word(word: &str, before_dot: bool, reading: &Reading) -> (Word, usize) {
    let glued = (word.len() <= LONGEST).then(|| unglue(word, before_dot, reading)).flatten();
    if let Some((san, length)) = glued.as_ref().filter(|_| reading.glued) {
        return (Word::Move(san.clone()), *length);
    }
    if let Some(san) = read_move(word, reading) {
        return (Word::Move(san), word.len());
    }
    if is_null(word) {
        return (Word::Null, word.len());
    }
    if let Some(end) = GameResult::parse(word) {
        return (Word::End(end), word.len());
    }
    if let Some(nag) = nag_of_sign(word).or_else(|| nag_of_word(word)) {
        return (Word::Nag(nag), word.len());
    }
    if says_nothing(word) {
        return (Word::Nothing, word.len());
    }
    if let Some((san, length)) = glued {
        return (Word::Move(san), length);
    }
    if word.chars().all(|c| !c.is_alphanumeric() && c != '\u{fffd}') {
        return (Word::Remark, word.len());
    }
    if is_prose(word) {
        return (Word::Prose, word.len());
    }
    (Word::Unreadable, word.len())
}

/// A move at the beginning of `word` to which another move, a sign, an end marker, or a move
/// number is glued, and its length.
fn unglue(word: &str, before_dot: bool, reading: &Reading) -> Option<(String, usize)> {
    word.char_indices().map(|(at, _)| at).skip(2).find_map(|at| {
        let (head, tail) = word.split_at(at);
        let number = before_dot && tail.bytes().all(|b| b.is_ascii_digit());
        let fits = number
            || nag_of_sign(tail).is_some()
            || GameResult::parse(tail).is_some()
            || read_move(tail, reading).is_some()
            || (before_dot && is_move_and_number(tail, reading));
        fits.then(|| read_move(head, reading)).flatten().map(|san| (san, at))
    })
}

fn is_move_and_number(word: &str, reading: &Reading) -> bool {
    let digits = word.bytes().rev().take_while(u8::is_ascii_digit).count();
    (1..digits).any(|number| read_move(&word[..word.len() - number], reading).is_some())
}

/// The move that `word` spells, in the standard's spelling; where both squares are given they
/// stay, and `g1f3` stays a move without its piece.
pub(super) fn read_move(word: &str, reading: &Reading) -> Option<String> {
    if word.len() > LONGEST {
        return None;
    }
    if reading.is_standard() && is_san(word.as_bytes()) {
        return Some(word.to_owned());
    }
    let plain: String = word.chars().filter_map(plain_char).collect();
    let (body, suffix) = split_suffix(&plain);
    if let Some(castling) = castling(body) {
        return Some(format!("{castling}{suffix}"));
    }
    let body = body.strip_suffix("ep").unwrap_or(body);
    let lower = lowered(body);
    let body = lower.as_deref().unwrap_or(body);
    let (piece, length) = reading.piece(body).unwrap_or(('P', 0));
    let (body, promotion) = split_promotion(&body[length..], reading);
    let bytes = body.as_bytes();
    if bytes.iter().any(|byte| !byte.is_ascii()) {
        return None;
    }
    let [from @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = bytes else {
        return None;
    };
    let to = [*file as char, *rank as char].iter().collect::<String>();
    if from == b"@" && promotion.is_none() {
        return Some(format!("{piece}@{to}{suffix}"));
    }
    let (from, capture) = split_origin(from, reading)?;
    let mut san = String::with_capacity(8);
    if piece != 'P' {
        san.push(piece);
    }
    san.push_str(from);
    if capture {
        san.push('x');
    }
    san.push_str(&to);
    if let Some(promotion) = promotion.filter(|_| piece == 'P') {
        san.push('=');
        san.push(promotion);
    } else if promotion.is_some() {
        return None;
    }
    san.push_str(suffix);
    Some(san)
}

/// Dashes, multiplication signs and daggers in ASCII; variation selectors behind figurines vanish.
fn plain_char(c: char) -> Option<char> {
    Some(match c {
        '\u{fe0e}' | '\u{fe0f}' => return None,
        '×' | '✕' | '✖' | ':' => 'x',
        '†' => '+',
        '‡' => '#',
        c if is_dash(c) => '-',
        c => c,
    })
}

/// Splits check and mate signs off; of several, the strongest is kept.
fn split_suffix(word: &str) -> (&str, &'static str) {
    let body = word.trim_end_matches(['+', '#']);
    match &word[body.len()..] {
        "" => (body, ""),
        signs if signs.contains('#') => (body, "#"),
        _ => (body, "+"),
    }
}

fn castling(word: &str) -> Option<&'static str> {
    let rounds = word.chars().filter(|c| matches!(c, 'O' | 'o' | '0' | 'О' | 'о')).count();
    let dashes = word.chars().filter(|&c| c == '-').count();
    let only_those = rounds + dashes == word.chars().count();
    let between = !word.starts_with('-') && !word.ends_with('-') && !word.contains("--");
    match (only_those && between, rounds, dashes) {
        (true, 2, 0 | 1) => Some("O-O"),
        (true, 3, 0 | 2) => Some("O-O-O"),
        _ => None,
    }
}

/// Squares and pieces in the wrong case, where nothing else can be meant: `E2E4`, `nf3`. A small
/// `b` is a file, and so is no bishop.
fn lowered(word: &str) -> Option<String> {
    match word.as_bytes() {
        [b'A'..=b'H', b'1'..=b'8', b'A'..=b'H', b'1'..=b'8']
        | [b'A'..=b'H', b'1'..=b'8', b'-', b'A'..=b'H', b'1'..=b'8'] => {
            Some(word.to_ascii_lowercase())
        }
        [b'n' | b'r' | b'q' | b'k', ..] => {
            let mut text = word.to_owned();
            text[..1].make_ascii_uppercase();
            Some(text)
        }
        _ => None,
    }
}

/// Splits a promotion off: `e8=Q`, `e8Q`, `e8/Q`, `e8(Q)`, `e8=q`.
fn split_promotion<'a>(word: &'a str, reading: &Reading) -> (&'a str, Option<char>) {
    let Some(rank) = word.rfind(['1', '8']) else {
        return (word, None);
    };
    let (head, tail) = word.split_at(rank + 1);
    let letter = tail.trim_start_matches(['=', '/', '(', '-']).trim_end_matches(')');
    if letter.is_empty() {
        return (word, None);
    }
    let capital = letter.to_uppercase();
    let piece = reading.piece(letter).or_else(|| reading.piece(&capital));
    match piece {
        Some((piece, length)) if length == letter.len() || length == capital.len() => {
            (head, Some(piece))
        }
        _ => (word, None),
    }
}

/// What stands before the square of arrival: file, rank or square of origin, and whether a
/// capture is written, perhaps with the piece that is taken.
fn split_origin<'a>(from: &'a [u8], reading: &Reading) -> Option<(&'a str, bool)> {
    let text = std::str::from_utf8(from).ok()?;
    let before = match text.char_indices().next_back() {
        Some((at, _)) if at > 0 && reading.piece(&text[at..]).is_some() => &text[..at],
        _ => text,
    };
    let taken = before.len() < text.len();
    let (origin, capture) = match before.as_bytes() {
        [.., b'x'] => (&before[..before.len() - 1], true),
        [.., b'-'] if !taken => (&before[..before.len() - 1], false),
        _ if taken => return None,
        _ => (before, false),
    };
    match origin.as_bytes() {
        [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'] => Some((origin, capture)),
        _ => None,
    }
}

fn is_null(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    let dashes = word.chars().filter(|&c| is_dash(c)).count();
    (dashes == 2 && word.chars().count() == 2)
        || matches!(word, "Z0" | "z0" | "0000" | "@@@@")
        || word.eq_ignore_ascii_case("null")
        || word.eq_ignore_ascii_case("pass")
}

/// Running text: letters only, and among them a small one that no move is written with.
fn is_prose(word: &str) -> bool {
    let text = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    text.chars().count() >= 3
        && text.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '/'))
        && text.chars().any(|c| {
            c.is_lowercase() && !matches!(c, 'a'..='h' | 'x' | 'n' | 'r' | 'q' | 'k' | 'p')
        })
}
