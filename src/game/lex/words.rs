//! Words and numbers among the moves.

use super::super::glyph::{goes_on, wide_blank};
use super::super::mend::Mend;
use super::super::san::{is_san, scan};
use super::super::word::{Word, read_word};
use super::super::{GameResult, Rejection};
use super::Lexer;

impl Lexer<'_> {
    #[inline]
    pub(super) fn word(&mut self) -> Result<(), Rejection> {
        let start = self.at;
        let (length, is_move) = scan(&self.bytes[start..]);
        let mut end = start + length;
        if is_move && self.standard && self.bytes.get(end).is_none_or(u8::is_ascii) {
            self.at = end;
            return self.push_move(start, end, None);
        }
        while let Some(&byte) = self.bytes.get(end) {
            if !goes_on(byte) || (byte >= 0x80 && wide_blank(&self.bytes[end..]) > 0) {
                break;
            }
            end += 1;
        }
        if self.standard && is_san(&self.bytes[start..end]) {
            self.at = end;
            return self.push_move(start, end, None);
        }
        if end == start {
            self.at += wide_blank(&self.bytes[start..]);
            return Ok(());
        }
        self.odd_word(start, end)
    }

    #[cold]
    pub(super) fn odd_word(&mut self, start: usize, mut end: usize) -> Result<(), Rejection> {
        let text = self.text;
        if text[end..].starts_with("(") && self.is_bracketed_promotion(start, end) {
            end += 3;
        }
        let (mut word, before_dot) = (&text[start..end], self.bytes.get(end) == Some(&b'.'));
        // `exd6e.p.` and `exd6 e.p.`: the full stop cuts the word.
        if before_dot && word.ends_with('e') && text[end + 1..].starts_with('p') {
            let tail = &text[end + 2..];
            word = &word[..word.len() - 1];
            end += 2 + usize::from(tail.starts_with('.'));
            if word.is_empty() {
                self.at = end;
                return Ok(());
            }
        }
        if self.reading.verbatim {
            return self.verbatim_word(start, end, word);
        }
        let (meaning, length) = read_word(word, before_dot, self.reading);
        let stop = if length == word.len() { end } else { start + length };
        self.at = stop;
        let read = &text[start..stop];
        match meaning {
            Word::Move(san) => {
                if san != read {
                    let mend = if self.standard { Mend::Spelling } else { Mend::Translation };
                    self.mend(mend, start, &format!("`{read}` read as {san}"));
                }
                self.push_move(start, stop, Some(&san))
            }
            Word::Null => {
                if read != "--" {
                    self.mend(Mend::Null, start, read);
                }
                self.push_move(start, stop, Some("--"))
            }
            Word::Nag(nag) if self.is_apart(read, stop) => {
                self.mend(Mend::Sign, start, read);
                self.push_nag(&nag.to_string());
                Ok(())
            }
            Word::Nothing => {
                self.mend(Mend::Nothing, start, read);
                Ok(())
            }
            Word::End(end) => self.push_end(end, start, stop),
            Word::Remark => {
                self.mend(Mend::Remark, start, read);
                self.push_comment(read);
                Ok(())
            }
            Word::Prose => {
                self.push_prose(start, read);
                Ok(())
            }
            // Behind the end marker, or behind running text, words are text (`1-0 ff`).
            Word::Nag(_) | Word::Unreadable if self.prose.is_some() || self.has_ended() => {
                self.push_prose(start, read);
                Ok(())
            }
            Word::Nag(_) | Word::Unreadable => {
                Err(self.unreadable(start, stop, "no move, and no sign that is known"))
            }
        }
    }

    /// A letter that could be a piece cut off from its square (`N f3`) is no sign.
    pub(super) fn is_apart(&self, sign: &str, stop: usize) -> bool {
        if !sign.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return true;
        }
        let next = self.text[stop..].trim_start_matches([' ', '\t', '\r', '\n']).bytes().next();
        self.after_move && !matches!(next, Some(b'a'..=b'h' | b'x'))
    }

    /// `e8(Q)`: no side line holds a lone letter.
    pub(super) fn is_bracketed_promotion(&self, start: usize, end: usize) -> bool {
        matches!(self.bytes[end - 1], b'1' | b'8')
            && end - start <= 8
            && self.bytes.get(end + 2) == Some(&b')')
            && self.bytes[end + 1].is_ascii_alphabetic()
    }

    pub(super) fn verbatim_word(
        &mut self,
        start: usize,
        end: usize,
        word: &str,
    ) -> Result<(), Rejection> {
        self.at = end;
        if let Some(result) = GameResult::parse(word) {
            return self.push_end(result, start, end);
        }
        match read_word(word, false, self.reading) {
            (Word::Nag(nag), _) if !word.bytes().all(|b| b.is_ascii_alphabetic()) => {
                self.push_nag(&nag.to_string());
                Ok(())
            }
            (Word::Remark, _) => {
                self.push_comment(word);
                Ok(())
            }
            (Word::Move(san), _) if san.starts_with("O-O") => {
                self.push_move(start, end, Some(&san))
            }
            _ => self.push_move(start, end, None),
        }
    }

    #[inline]
    pub(super) fn number(&mut self) -> Result<(), Rejection> {
        let start = self.at;
        let mut end = start;
        while self.bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        if self.bytes.get(end) == Some(&b'.') && self.bytes[start] != b'0' {
            self.after_move = false;
            self.at = end + 1;
            return Ok(());
        }
        self.odd_number(start, end)
    }

    /// A number without its full stop, or a word that begins with a digit: a result, castling
    /// with zeros, a number glued to its move.
    #[cold]
    pub(super) fn odd_number(&mut self, start: usize, digits: usize) -> Result<(), Rejection> {
        let text = self.text;
        for draw in ["0.5-0.5", "0.5:0.5", "0,5-0,5", "0.5–0.5"] {
            if text[start..].starts_with(draw) {
                self.at = start + draw.len();
                return self.push_end(GameResult::Draw, start, self.at);
            }
        }
        let mut end = digits;
        while let Some(&byte) = self.bytes.get(end) {
            if !goes_on(byte) || wide_blank(&self.bytes[end..]) > 0 {
                break;
            }
            end += 1;
        }
        if let Some((spaced, stop)) = self.spaced(start) {
            self.at = stop;
            return match GameResult::parse(&spaced) {
                Some(result) => self.push_end(result, start, stop),
                None => {
                    self.mend(Mend::Spelling, start, "`0 - 0` read as O-O");
                    self.push_move(start, stop, Some("O-O"))
                }
            };
        }
        let word = &text[start..end];
        if let Some(result) = GameResult::parse(word) {
            self.at = end;
            return self.push_end(result, start, end);
        }
        let zeros = word.bytes().filter(|&byte| byte == b'0').count() > 1;
        if zeros && self.bytes.get(end) != Some(&b'.') {
            return self.odd_word(start, end);
        }
        if self.prose.is_some() {
            self.push_prose(start, word);
            self.at = end;
            return Ok(());
        }
        // Move numbers are not needed: a wrong one must not make a move vanish.
        self.after_move = false;
        self.at = digits;
        Ok(())
    }

    /// A result or castling written with blanks, `1 - 0` or `0 - 0`, without them.
    pub(super) fn spaced(&self, start: usize) -> Option<(String, usize)> {
        let near = &self.text[start..self.text.floor_char_boundary(start + 24)];
        let line = near.split(['\n', '{', '(', ';']).next().unwrap_or_default();
        let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        let (left, dash, right) = (words.next()?, words.next()?, words.next()?);
        let is_score = |word: &str| matches!(word, "1" | "0" | "1/2" | "½");
        let is_dash = matches!(dash, "-" | ":" | "–" | "—" | "−");
        if !(is_score(left) && is_dash && is_score(right)) {
            return None;
        }
        let end = right.as_ptr() as usize - self.text.as_ptr() as usize + right.len();
        let spaced = format!("{left}-{right}");
        (spaced == "0-0" || GameResult::parse(&spaced).is_some()).then_some((spaced, end))
    }
}
