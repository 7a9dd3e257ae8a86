//! Whether movetext has come to its end: the slow look at it, taken only where the splitter cannot
//! tell from the lines alone.
//!
//! It reads no moves. It knows comments, variations and end markers, so that a result within one
//! of the former is not taken for the game's.

use memchr::{memchr, memchr2};

use super::litter::{blank, blanks, char_length};
use super::{GameResult, encoding};

/// What is known of the movetext up to `at`. Each byte is looked at once.
#[derive(Debug, Default, Clone)]
pub(super) struct Ending {
    /// How far the look has come, as an index into the buffer.
    pub(super) at: usize,
    /// The last token outside comments and variations is an end marker.
    pub(super) ended: bool,
    /// What the first token outside comments is.
    pub(super) first: First,
    depth: u32,
    in_brace: bool,
    mid_line: bool,
}

/// The first token of movetext.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// Comments at most, so far.
    #[default]
    None,
    /// `1.`: move numbers start where they start in most games.
    One,
    /// Another number, a move, an end marker.
    Movetext,
    /// A word.
    Prose,
}

impl Ending {
    pub(super) fn starting_at(at: usize) -> Ending {
        Ending { at, ..Ending::default() }
    }

    /// True within a comment or a variation.
    pub(super) fn is_nested(&self) -> bool {
        self.in_brace || self.depth > 0
    }

    /// Looks on as far as `to`, a line's end or the beginning of a token.
    pub(super) fn advance(&mut self, buffer: &[u8], to: usize) {
        while self.at < to {
            self.step(&buffer[..to]);
        }
    }

    /// Looks on until there is a first token, as far as `to` at most.
    pub(super) fn advance_to_first(&mut self, buffer: &[u8], to: usize) {
        while self.at < to && self.first == First::None {
            self.step(&buffer[..to]);
        }
    }

    fn step(&mut self, text: &[u8]) {
        let rest = &text[self.at..];
        if self.in_brace {
            let closing = memchr(b'}', rest);
            self.in_brace = closing.is_none();
            self.at += closing.map_or(rest.len(), |at| at + 1);
            return;
        }
        let starts_line = !std::mem::replace(&mut self.mid_line, !matches!(rest[0], b'\n' | b'\r'));
        self.at += match rest {
            [b'{', ..] => {
                self.in_brace = true;
                1
            }
            [b'(', ..] => {
                self.depth += 1;
                1
            }
            [b')', ..] => {
                self.depth = self.depth.saturating_sub(1);
                1
            }
            [b';', ..] => memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
            [b'%', ..] if starts_line => memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
            [0xEF, 0xBB, 0xBF, ..] => 3,
            [b'}', ..] => 1,
            _ if blank(rest) > 0 => blank(rest),
            _ => {
                let token = token(rest);
                self.see(token, rest);
                token.len()
            }
        }
    }

    /// Takes note of a token, with which `text` begins.
    fn see(&mut self, token: &[u8], text: &[u8]) {
        if self.depth == 0 && !matches!(token[0], b'$' | b'<') {
            self.ended = is_end_marker(token);
        }
        if self.first == First::None {
            self.first = if begins_with_one(text) {
                First::One
            } else if is_movetext(token) {
                First::Movetext
            } else {
                First::Prose
            };
        }
    }
}

/// True for White's first move number, `1.` or `1 .`, which `1...` and `1.5` are not.
pub(super) fn begins_with_one(text: &[u8]) -> bool {
    let after = text.strip_prefix(b"1").map(<[u8]>::trim_ascii_start);
    let Some(after) = after.and_then(|after| after.strip_prefix(b".")) else {
        return false;
    };
    let next = after.trim_ascii_start();
    !matches!(next, [b'.' | b'0'..=b'9', ..]) && !next.starts_with("…".as_bytes())
}

/// Up to a blank or what a comment or variation begins or ends with.
fn token(text: &[u8]) -> &[u8] {
    let mut at = char_length(text);
    while at < text.len()
        && blank(&text[at..]) == 0
        && !matches!(text[at], b'{' | b'}' | b'(' | b')' | b';' | b'<')
    {
        at += char_length(&text[at..]);
    }
    &text[..at]
}

/// True where `text` begins as movetext does: with a number, a move, a comment, an end marker.
/// Prose, HTML and the rest of a broken tag do not.
pub(super) fn is_movetext(text: &[u8]) -> bool {
    let text = &text[blanks(text)..];
    let token = &text[..text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len())];
    let has_rank = || token.iter().any(|b| matches!(b, b'1'..=b'8'));
    match token {
        [b'*' | b'{' | b'(' | b';' | b'$', ..] => true,
        [b'-', b'-', ..] | [b'Z', b'0'] | [b'O' | b'0' | b'o', b'-', ..] => true,
        [b'0'..=b'9', ..] => {
            let rest = &token[token.iter().take_while(|b| b.is_ascii_digit()).count()..];
            matches!(rest, [] | [b'.' | b'-' | b'/' | b':', ..] | [0x80..=0xFF, ..])
                || is_movetext(rest)
        }
        [b'a'..=b'h', b'1'..=b'8' | b'x' | b'a'..=b'h', ..] => has_rank(),
        [b'A'..=b'Z', b'a'..=b'h' | b'x' | b'1'..=b'8' | b'@' | b'-', ..] => {
            has_rank() && token.len() > 2
        }
        // Figurines, and the fraction in UTF-8 and Windows-1252.
        [0xE2, 0x99, 0x94..=0x9F, ..] | [0xC2, 0xBD, ..] | [0xBD, ..] => true,
        _ => false,
    }
}

/// True for an end marker in any certain spelling, also glued to the last move.
fn is_end_marker(token: &[u8]) -> bool {
    let token = token.strip_suffix(b"\xEF\xBB\xBF").unwrap_or(token);
    let glued: [&[u8]; 4] = [b"*", b"1-0", b"0-1", b"1/2-1/2"];
    let numeric = |byte: &u8| {
        byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b':' | b'.' | b',' | 0x80..)
    };
    glued.iter().any(|marker| token.ends_with(marker))
        || (token.len() > 2
            && token.iter().all(numeric)
            && GameResult::parse(&encoding::decode(token, None).0).is_some())
        || matches!(token, b"\xBD" | b"\xC2\xBD")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(text: &str) -> Ending {
        let mut ending = Ending::default();
        ending.advance(text.as_bytes(), text.len());
        ending
    }

    /// pgn.md: “a tagless chunk belongs to the game before it if that had no result yet”.
    #[test]
    fn end_markers_count_outside_comments_and_variations() {
        let ended = [
            "1. e4 1-0",
            "*",
            "e4*",
            "Qh5#1-0",
            "e4 1/2-1/2",
            "e4 ½-½",
            "e4 1:0",
            "e4 1/2",
            "e4 0.5-0.5",
            "e4 1-0 {White won}",
            "e4 {open} 0-1\n",
            "e4 (d4 {x}) 1-0",
            "e4 1-0 ; well played {",
            "% {\ne4 *",
            "e4 *\u{feff}",
            "e4 1-0 $1",
            "e4 1–0",
        ];
        for text in ended {
            assert!(ending(text).ended, "{text}");
        }
        let open = [
            "",
            "e4",
            "e4 {1-0}",
            "e4 {1-0",
            "e4 (d4 1-0)",
            "e4 (d4 1-0",
            "e4 ; 1-0",
            "e4 1-0 e5",
            "O-O-O",
            "0-0",
            "%\n%*",
            "e4\n% *\n",
            "{x} ; *\n",
        ];
        for text in open {
            assert!(!ending(text).ended, "{text}");
        }
    }

    /// pgn.md: prose, HTML, binary are no games.
    #[test]
    fn the_first_token_tells_movetext_from_prose() {
        for text in ["1. e4", "{a}\n1.e4", "1 . e4", "% x\n; y\n 1.♘f3"] {
            assert_eq!(ending(text).first, First::One, "{text}");
        }
        for text in
            ["1... e5", "1. ... e5", "1…e5", "31. Rh3", "e4", "*", "1-0", "$1", "1", "(1. e4)"]
        {
            let expected = if text == "(1. e4)" { First::One } else { First::Movetext };
            assert_eq!(ending(text).first, expected, "{text}");
        }
        for text in ["My games", "<p>1. e4", "{x} foo"] {
            assert_eq!(ending(text).first, First::Prose, "{text}");
        }
        assert_eq!(ending("{only a comment} ; and one more").first, First::None);
    }

    /// pgn.md: prose and HTML are no movetext.
    #[test]
    fn movetext_is_told_from_prose() {
        let movetext = [
            "1. e4", "1.e4", "1...", "12", "1e4", "e4 e5", "Nf3", "Sf3", "exd5", "bxc8=Q", "O-O",
            "0-0", "0-1", "1/2", "*", "{a}", "(a)", "; a", "$1", "--", "Z0", "N@f3", "Nxe5",
            "R1e2", "♘f3", "½-½", "1:0", "1.♘f3", "1…", "h7h8q", "Ng1-f3", "0.5-0.5",
        ];
        for text in movetext {
            assert!(is_movetext(text.as_bytes()), "{text}");
        }
        let prose = [
            "",
            "The game",
            "<html>",
            "</p>",
            "a game",
            "Bad",
            "Black won",
            "2nd",
            "foo\"]",
            "]",
            "I like e4",
        ];
        for text in prose {
            assert!(!is_movetext(text.as_bytes()), "{text}");
        }
    }
}
