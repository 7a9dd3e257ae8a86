//! Games → standard PGN (export format): the seven tags first, 80 columns, LF.
//!
//! Writing is stable: what was written, read and written again gives the same bytes.

use super::controls::without_controls;
use super::start::{stated_fen, written_fen};
use super::tokens::{Numbering, Token, tokens};
use super::wrap::Wrap;
use super::{GameResult, Movetext, Start, Tags};

/// The seven tags that every game has, in their order, and what stands for a missing one.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Appends a game and the blank line behind it to `out`.
///
/// `tags` hold the names and the date as they are to be shown; `result` takes the place of the
/// Result tag. The other tags follow in their order; one that repeats a name is left out only
/// where it repeats the value too. `SetUp "1"` stands with every FEN.
pub fn write_game(
    out: &mut Vec<u8>,
    tags: &Tags,
    result: GameResult,
    start: &Start,
    movetext: &Movetext,
) {
    out.reserve(movetext.clean.len() * 3 / 2 + 512);
    write_tags(out, tags, result, start);
    out.push(b'\n');
    write_movetext(out, result, start, movetext);
    out.extend_from_slice(b"\n\n");
}

fn write_tags(out: &mut Vec<u8>, tags: &Tags, result: GameResult, start: &Start) {
    for (name, missing) in ROSTER {
        let value = match name {
            "Result" => result.as_str(),
            _ => tags.get(name).filter(|value| !value.trim().is_empty()).unwrap_or(missing),
        };
        write_tag(out, name, value);
        if name == "Event" {
            write_more_events(out, tags);
        }
    }
    let has_fen = tags.get("FEN").and_then(stated_fen).is_some();
    let mut has_setup = !has_fen || tags.get("SetUp").is_some();
    for (at, tag) in tags.0.iter().enumerate() {
        let before = &tags.0[..at];
        let in_roster = ROSTER.iter().any(|(name, _)| *name == tag.name);
        let first = || !before.iter().any(|earlier| earlier.name == tag.name);
        if matches!(tag.name.as_str(), "Result" | "Event")
            || (in_roster && first())
            || before.contains(tag)
        {
            continue;
        }
        match tag.name.as_str() {
            "SetUp" if has_fen => {
                if first() {
                    write_tag(out, "SetUp", "1");
                }
                continue;
            }
            "FEN" if has_fen && first() => {
                if !has_setup {
                    write_tag(out, "SetUp", "1");
                    has_setup = true;
                }
                write_tag(out, "FEN", &written_fen(&tag.value, &start.rules));
                continue;
            }
            _ => {}
        }
        write_tag(out, &tag.name, &tag.value);
    }
}

/// The other Event tags of a game that has several: next to the first, since one that comes later
/// begins the next game.
fn write_more_events(out: &mut Vec<u8>, tags: &Tags) {
    let events: Vec<_> = tags.0.iter().filter(|tag| tag.name == "Event").collect();
    for (at, event) in events.iter().enumerate().skip(1) {
        if !events[..at].contains(event) {
            write_tag(out, "Event", &event.value);
        }
    }
}

/// Writes `[Name "value"]` on one line; quotes and backslashes are escaped.
fn write_tag(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b'[');
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        out.extend_from_slice(name.as_bytes());
    } else {
        for c in name.chars() {
            let odd = c.is_whitespace() || c.is_control() || "[]\"".contains(c);
            let c = if odd { '_' } else { c };
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    out.extend_from_slice(b" \"");
    let (value, _) = without_controls(value.into());
    let mut rest = value.as_bytes();
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[b'\\', rest[at]]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.extend_from_slice(b"\"]\n");
}

/// Writes the moves with their numbers, comments and side lines, and the end marker. Brackets
/// stand close to what they enclose.
fn write_movetext(out: &mut Vec<u8>, result: GameResult, start: &Start, movetext: &Movetext) {
    let mut lines = Wrap::new(out);
    let mut numbering = Numbering::new(start);
    let (mut opening, mut closing) = (String::new(), String::new());
    // A move of Black has its number only where the line does not simply run on.
    let mut interrupted = true;
    let mut rest = tokens(&movetext.clean);
    while let Some(token) = rest.next() {
        if token == Token::Open {
            opening.push('(');
            numbering.advance(token);
            interrupted = true;
            continue;
        }
        closing.clear();
        while rest.next_close() {
            closing.push(')');
        }
        match token {
            Token::Move(san) => {
                let (count, white) = numbering.next();
                if white || interrupted {
                    let number = Number::new(count, if white { "." } else { "..." });
                    if opening.is_empty() {
                        lines.push_ascii(number.as_bytes());
                    } else {
                        lines.push(&[&opening, number.as_str()]);
                        opening.clear();
                    }
                }
                if closing.is_empty() && san.is_ascii() {
                    lines.push_ascii(san.as_bytes());
                } else {
                    lines.push(&[san, &closing]);
                }
                interrupted = false;
            }
            Token::Nag(nag) => lines.push(&[&opening, nag, &closing]),
            Token::Comment(comment) => {
                lines.push_comment(&opening, comment, &closing);
                interrupted = true;
            }
            Token::Open | Token::Close => lines.push(&[&opening, ")", &closing]),
        }
        opening.clear();
        numbering.advance(token);
        for _ in 0..closing.len() {
            numbering.advance(Token::Close);
            interrupted = true;
        }
    }
    lines.push(&[result.as_str()]);
}

/// A move number with its full stops.
struct Number {
    text: [u8; 24],
    from: usize,
}

impl Number {
    /// Plain division: the formatter of the standard library takes longer than all the rest.
    fn new(mut count: u64, stops: &str) -> Number {
        let mut text = [0; 24];
        let mut from = text.len() - stops.len();
        text[from..].copy_from_slice(stops.as_bytes());
        loop {
            from -= 1;
            text[from] = b'0' + (count % 10) as u8;
            count /= 10;
            if count == 0 {
                return Number { text, from };
            }
        }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.text[self.from..]
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("digits and full stops")
    }
}

#[cfg(test)]
#[path = "tests/write.rs"]
mod tests;
