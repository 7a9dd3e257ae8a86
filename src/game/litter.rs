//! What stands among the tags and is none: whether it is a game's moves (pgn.md, “never stored
//! shortened”).
//!
//! Works on bytes, so that the splitter and the reader of tags decide alike. Litter that holds a
//! move, a move number or an end marker is movetext, and must never be left out.

use super::letters::{ENGLISH, OTHERS};
use super::word::read_move;
use super::{GameResult, encoding, ending, tagpair};

/// The length of the blanks at the start of `text`: those of ASCII and Unicode in UTF-8 and
/// Windows-1252, control characters, byte-order marks.
pub(super) fn blanks(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match blank(&text[at..]) {
            0 => return at,
            length => at += length,
        }
    }
}

/// The length of the one blank at the start of `text`; 0 where there is none.
pub(super) fn blank(text: &[u8]) -> usize {
    match text {
        [0..=b' ' | 0x7F, ..] => 1,
        [0xC2, 0x80..=0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..] | [0xE3, 0x80, 0x80, ..] | [0xEF, 0xBB, 0xBF, ..] => 3,
        [0xE2, 0x80, 0x80..=0x8F | 0xA8 | 0xA9 | 0xAF, ..] => 3,
        [0xE2, 0x81, 0x9F | 0xA0, ..] => 3,
        // A next-line sign and a no-break space of Latin-1.
        [0x85 | 0xA0, ..] => 1,
        _ => 0,
    }
}

/// The length of the character at the start of `text`, which is not empty; 1 where it is not UTF-8.
pub(super) fn char_length(text: &[u8]) -> usize {
    let length = match text[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return 1,
    };
    let whole = text.len() >= length && text[1..length].iter().all(|b| matches!(b, 0x80..=0xBF));
    if whole { length } else { 1 }
}

/// True for a line that is movetext where tags may still come.
pub(super) fn is_movetext(line: &[u8]) -> bool {
    ending::is_movetext(line) || holds_moves(line)
}

/// Where movetext begins on `line`, which begins with a tag.
pub(super) fn movetext_behind_tags(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += blanks(&line[at..]);
        let rest = &line[at..];
        if rest.is_empty() {
            return None;
        }
        at += match tagpair::scan(rest) {
            Some(pair) => pair.end,
            None => {
                let end = before_tag(rest);
                if is_movetext(&rest[..end]) {
                    return Some(at);
                }
                end
            }
        };
    }
}

/// How far it is to the next tag on `line`, which begins with none.
pub(super) fn before_tag(line: &[u8]) -> usize {
    let strict = |at: &usize| *at > 0 && tagpair::is_strict(&line[*at..]);
    memchr::memchr_iter(b'[', line).find(strict).unwrap_or(line.len())
}

/// True where a word of `line` is a move in any language, a move number or an end marker.
fn holds_moves(line: &[u8]) -> bool {
    if !line.iter().any(|byte| matches!(byte, b'0'..=b'8' | b'*' | b'-' | 0x80..)) {
        return false;
    }
    let (text, _) = encoding::decode(line, None);
    let parts =
        |c: char| c.is_whitespace() || c.is_control() || "\u{feff}…,;:=\"'()[]{}<>|".contains(c);
    text.split(parts).any(|word| {
        let move_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = move_number.len() < word.len()
            && move_number
                .strip_prefix('.')
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
        numbered || GameResult::parse(word).is_some() || is_move(word)
    })
}

/// True for a move as any of the known languages writes it.
pub(super) fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?', '.', ',']);
    let marked = word.contains(|c: char| matches!(c, '1'..='8' | '-' | '–' | '—'));
    marked
        && std::iter::once(&ENGLISH).chain(OTHERS).any(|reading| read_move(word, reading).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// pgn.md: litter with moves is told from litter without.
    #[test]
    fn moves_are_found_in_litter() {
        for text in [
            "\u{a0}1. e4",
            "Moves: 1. e4",
            "Moves:1.e4",
            "Sicilian e4 c5",
            "\0",
            "x Sf3",
            "so e2e4",
            "the end 1-0",
            "won *",
            "was ½-½",
            "x ♘f3",
            "x O-O",
            "<p>1. e4",
            "\u{b}e4",
            "\u{2028}d4",
        ] {
            assert_eq!(is_movetext(text.as_bytes()), text != "\0", "{text:?}");
        }
        assert!(is_movetext(b"\x85 e4") && is_movetext(b"x\xA0e4") && is_movetext(b"Tr\xE4ger e4"));
        for text in ["White: A", "born 2013-05-01", "on 01.05.2013", "<br>", "<td>12</td>", "x-y"] {
            assert!(!is_movetext(text.as_bytes()), "{text}");
        }
        assert_eq!(movetext_behind_tags(b"[A \"x\"] so [Result \"1-0\"]"), None);
        assert_eq!(movetext_behind_tags(b"[A \"x\"]\xC2\xA0[B \"y\"]\x0B1. e4"), Some(17));
    }
}
