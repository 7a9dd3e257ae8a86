//! What stands beside the moves: comments, brackets, side lines, signs of one character.

use memchr::{memchr, memchr2};

use super::super::letters::ENGLISH;
use super::super::litter::is_move;
use super::super::mend::Mend;
use super::super::word::read_move;
use super::super::{GameResult, Rejection, RejectionKind};
use super::{DEEPEST, Frame, Lexer};

impl Lexer<'_> {
    pub(super) fn special(&mut self, byte: u8) -> Result<(), Rejection> {
        let start = self.at;
        match byte {
            b'{' => return self.comment(),
            b';' => {
                let rest = &self.bytes[start + 1..];
                let end = start + 1 + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                self.at = end;
                self.push_comment(&self.text[start + 1..end]);
            }
            b'(' => return self.open(),
            b')' => return self.close_or_reject(),
            b'!' | b'?' => {
                let (nag, length) = match (byte, self.bytes.get(start + 1)) {
                    (b'!', Some(b'!')) => ("3", 2),
                    (b'!', Some(b'?')) => ("5", 2),
                    (b'?', Some(b'?')) => ("4", 2),
                    (b'?', Some(b'!')) => ("6", 2),
                    (b'!', _) => ("1", 1),
                    _ => ("2", 1),
                };
                self.push_nag(nag);
                self.at += length;
            }
            b'$' => {
                let rest = &self.bytes[start + 1..];
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                self.at += 1 + digits;
                match self.text[start + 1..self.at].trim_start_matches('0') {
                    "" if digits == 0 => self.remark(start),
                    "" => self.push_nag("0"),
                    nag => self.push_nag(nag),
                }
            }
            b'*' => {
                self.at += 1;
                return self.push_end(GameResult::Open, start, start + 1);
            }
            b'[' | b'<' => return self.bracket(byte),
            b'&' if self.text[start..].starts_with("&nbsp;") => self.at += 6,
            // The semicolon of another entity would begin a comment that swallows moves.
            b'&' if is_entity(&self.text[start + 1..]) => {
                return Err(self.unreadable(start, start + 1, "markup among the moves"));
            }
            b'}' => {
                return Err(self.unreadable(start, start + 1, "end of a comment that never began"));
            }
            _ => {
                self.at += 1;
                self.remark(start);
            }
        }
        Ok(())
    }

    /// Keeps what was read since `start` as a comment.
    pub(super) fn remark(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        self.mend(Mend::Remark, start, text);
        self.push_comment(text);
    }

    pub(super) fn comment(&mut self) -> Result<(), Rejection> {
        let start = self.at + 1;
        let rest = &self.bytes[start..];
        let Some(mut length) = memchr(b'}', rest) else {
            self.at = self.bytes.len();
            if holds_moves(&self.text[start..], is_move) {
                return Err(self.unreadable(start - 1, start, "comment never closed"));
            }
            self.mend(Mend::Unclosed, start, "{");
            self.push_comment(&self.text[start..]);
            return Ok(());
        };
        if self.braces_nest && memchr(b'{', &rest[..length]).is_some() {
            match balanced_end(rest) {
                Some(balanced) => {
                    self.mend(Mend::Nested, start, "{");
                    length = balanced;
                }
                None => self.braces_nest = false,
            }
        }
        self.at = start + length + 1;
        self.push_comment(&self.text[start..start + length]);
        Ok(())
    }

    /// `[…]` and `<…>` among the moves: a comment of its own kind, or markup.
    pub(super) fn bracket(&mut self, open: u8) -> Result<(), Rejection> {
        let start = self.at;
        let close = if open == b'[' { b']' } else { b'>' };
        let length = memchr2(close, b'{', &self.bytes[start..])
            .filter(|&length| self.bytes[start + length] == close && length < 1000);
        let Some(length) = length else {
            return Err(self.unreadable(start, start + 1, "bracket never closed"));
        };
        let inner = &self.text[start + 1..start + length];
        self.at = start + length + 1;
        if open == b'<' && inner.is_empty() {
            return self.push_move(start, self.at, Some("--"));
        }
        if holds_moves(inner, is_english_move) {
            return Err(self.unreadable(start, self.at, "moves in brackets"));
        }
        if open == b'<' && inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            self.mend(Mend::Markup, start, &self.text[start..self.at]);
        } else {
            self.remark(start);
        }
        Ok(())
    }

    pub(super) fn open(&mut self) -> Result<(), Rejection> {
        if self.text[self.at..].starts_with("(D)") {
            self.at += 3;
            self.push_nag("220");
            return Ok(());
        }
        // `(+)-(-)`: a forfeit, or an evaluation; no one can say which.
        if let [b'(', b'+' | b'-' | b'=', b')', ..] = self.bytes[self.at..] {
            let start = self.at;
            let word = self.text[start..].split_ascii_whitespace().next().unwrap_or_default();
            self.at += word.len();
            self.remark(start);
            return Ok(());
        }
        if self.frames.len() == DEEPEST {
            let mut rejection = self.unreadable(self.at, self.at + 1, "side lines nested over 500");
            rejection.kind = RejectionKind::NestedTooDeep;
            return Err(rejection);
        }
        self.frames.push(Frame {
            clean_at: self.clean.len(),
            source_at: self.at,
            moves: self.moves,
        });
        self.separate();
        self.clean.push('(');
        self.has_lines = true;
        self.after_move = false;
        self.at += 1;
        Ok(())
    }

    pub(super) fn close_or_reject(&mut self) -> Result<(), Rejection> {
        if self.frames.is_empty() {
            // Behind another `)` there is nothing that this one could close. Anywhere else the
            // moves before it may be a side line whose `(` is lost.
            if !self.after_line {
                return Err(self.unreadable(self.at, self.at + 1, "`)` without `(`"));
            }
            self.mend(Mend::Bracket, self.at, ")");
        } else {
            self.close();
        }
        self.at += 1;
        Ok(())
    }

    /// Closes the innermost side line; one without moves leaves only its comments.
    pub(super) fn close(&mut self) {
        let frame = self.frames.pop().expect("a side line is open");
        self.after_move = false;
        self.after_line = true;
        if self.moves > frame.moves {
            self.clean.push_str(" )");
            return;
        }
        self.mend(Mend::EmptyLine, frame.source_at, "( )");
        let inner = self.clean.split_off(frame.clean_at);
        let inner = inner.trim_start_matches(' ').trim_start_matches('(').trim_start_matches(' ');
        if !inner.is_empty() {
            self.separate();
            self.clean.push_str(inner);
        }
    }

    /// Writes a comment on one line, without braces in it; an empty one is left out.
    pub(super) fn push_comment(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let before = self.clean.len();
        self.separate();
        self.clean.push('{');
        let opened = self.clean.len();
        let mut at = 0;
        while at < bytes.len() {
            let run = bytes[at..]
                .iter()
                .position(|&byte| byte <= b' ' || matches!(byte, b'{' | b'}' | 0x7f | 0xC2))
                .unwrap_or(bytes.len() - at);
            // U+0080 to U+009F begin with this byte; they are control characters, others are not.
            let (run, blank) = match bytes[at + run..] {
                [0xC2, 0x80..=0x9F, ..] => (run, 2),
                [0xC2, ..] => (run + 2, 1),
                _ => (run, 1),
            };
            if run > 0 {
                self.clean.push_str(&text[at..at + run]);
                at += run;
                continue;
            }
            match bytes[at] {
                b'{' => self.clean.push('('),
                b'}' => self.clean.push(')'),
                _ if self.clean.len() > opened && !self.clean.ends_with(' ') => {
                    self.clean.push(' ');
                }
                _ => {}
            }
            at += blank;
        }
        if self.clean.ends_with(' ') && self.clean.len() > opened {
            self.clean.pop();
        }
        if self.clean.len() == opened {
            self.clean.truncate(before);
        } else {
            self.clean.push('}');
        }
    }
}

/// True when the text goes on as an entity behind its `&`.
fn is_entity(text: &str) -> bool {
    let name =
        text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(name) == Some(&b';')
}

/// Where a comment ends whose braces are nested: at the brace that balances its first one.
fn balanced_end(rest: &[u8]) -> Option<usize> {
    let mut depth = 1;
    memchr::memchr2_iter(b'{', b'}', rest).find(|&at| {
        depth = if rest[at] == b'{' { depth + 1 } else { depth - 1 };
        depth == 0
    })
}

fn is_english_move(word: &str) -> bool {
    read_move(word, &ENGLISH).is_some()
}

/// True when a word of `text` could be a move.
fn holds_moves(text: &str, is_move: impl Fn(&str) -> bool) -> bool {
    text.split(|c: char| c.is_whitespace() || ".,;!?*()[]{}\"$".contains(c))
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() && c != '0'))
        .any(is_move)
}
