//! Movetext → tokens in standard spelling, one pass, in front of pgn-reader.
//!
//! pgn-reader drops what it cannot read without a word; nothing is dropped here. Every word is a
//! move, a sign with a known meaning, a comment, or the reason why the game is rejected (pgn.md).

mod asides;
mod words;

use memchr::{memchr2, memchr2_iter};

use super::glyph::{CLASS, Class};
use super::letters::Reading;
use super::mend::{Mend, Mends};
use super::{GameResult, Note, Rejection, RejectionKind};

/// Variations nested deeper than this are rejected (pgn.md).
const DEEPEST: usize = 500;

/// Movetext in standard spelling.
#[derive(Debug)]
pub(super) struct Lexed {
    /// The tokens, one space apart (see `Movetext::clean`).
    pub clean: String,
    /// Moves and null moves, side lines included.
    pub moves: u32,
    /// True when there is a side line.
    pub has_lines: bool,
    /// The end marker.
    pub end: Option<GameResult>,
    /// What was mended.
    pub notes: Vec<Note>,
}

/// Reads movetext whose first line is `line` of its source.
pub(super) fn lex(text: &str, line: u64, reading: &Reading) -> Result<Lexed, Rejection> {
    let mut lexer = Lexer::new(text, line, reading);
    lexer.run()?;
    Ok(Lexed {
        clean: lexer.clean,
        moves: lexer.moves,
        has_lines: lexer.has_lines,
        end: lexer.end,
        notes: lexer.mends.notes,
    })
}

/// Line and text of the move with this index (from 0, side lines included) in the source.
pub(super) fn locate(text: &str, line: u64, reading: &Reading, index: u32) -> (u64, String) {
    let mut lexer = Lexer::new(text, line, reading);
    lexer.wanted = index;
    // Movetext that was read once is read again in the same way, so that the outcome is known.
    let _ = lexer.run();
    match lexer.found {
        Some((start, end)) => (lexer.line_at(start), text[start..end].to_owned()),
        None => (line, String::new()),
    }
}

/// A side line that is open.
struct Frame {
    /// Where its `(` stands in `clean`, the blank before it included.
    clean_at: usize,
    /// Where its `(` stands in the source.
    source_at: usize,
    /// Moves read before it.
    moves: u32,
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u64,
    reading: &'a Reading,
    /// True where words in standard spelling can be copied.
    standard: bool,
    clean: String,
    moves: u32,
    has_lines: bool,
    frames: Vec<Frame>,
    /// True right behind a move and its NAGs.
    after_move: bool,
    /// True behind a `)`, until the next move.
    after_line: bool,
    /// False once braces were found that do not balance: then a comment ends at its first `}`.
    braces_nest: bool,
    /// Running text that becomes a comment if no move follows, and where it began.
    prose: Option<(usize, String)>,
    end: Option<GameResult>,
    mends: Mends,
    wanted: u32,
    found: Option<(usize, usize)>,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str, line: u64, reading: &'a Reading) -> Lexer<'a> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            line,
            reading,
            standard: reading.is_standard() && !reading.glued,
            clean: String::with_capacity(text.len()),
            moves: 0,
            has_lines: false,
            frames: Vec::new(),
            after_move: false,
            after_line: false,
            braces_nest: true,
            prose: None,
            end: None,
            mends: Mends::default(),
            wanted: u32::MAX,
            found: None,
        }
    }

    fn run(&mut self) -> Result<(), Rejection> {
        self.escape_line();
        while let Some(&byte) = self.bytes.get(self.at) {
            match CLASS[byte as usize] {
                Class::Blank => self.at += 1,
                Class::Newline => {
                    self.at += 1;
                    self.escape_line();
                }
                Class::Digit => self.number()?,
                Class::Letter | Class::Sign => self.word()?,
                Class::Special => self.special(byte)?,
            }
        }
        self.finish()
    }

    /// Skips a line that starts with `%`: an escape of the standard, for the eyes of others.
    fn escape_line(&mut self) {
        while self.bytes.get(self.at) == Some(&b'%') {
            let rest = &self.bytes[self.at..];
            self.at += memchr2(b'\n', b'\r', rest).map_or(rest.len(), |end| end + 1);
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if let Some((_, prose)) = self.prose.take() {
            self.push_comment(&prose);
        }
        while let Some(frame) = self.frames.last() {
            if self.moves > frame.moves {
                let at = frame.source_at;
                return Err(self.unreadable(at, at + 1, "side line never closed"));
            }
            self.mend(Mend::Bracket, frame.source_at, "(");
            self.close();
        }
        Ok(())
    }

    #[inline]
    fn push_move(&mut self, start: usize, end: usize, san: Option<&str>) -> Result<(), Rejection> {
        if self.prose.is_some() || self.has_ended() {
            return Err(self.move_out_of_place(start, end));
        }
        if self.moves == self.wanted {
            self.found = Some((start, end));
        }
        self.moves += 1;
        self.after_move = true;
        self.after_line = false;
        self.separate();
        self.clean.push_str(san.unwrap_or(&self.text[start..end]));
        Ok(())
    }

    /// True behind the end marker of the game.
    #[inline]
    fn has_ended(&self) -> bool {
        self.end.is_some() && self.frames.is_empty()
    }

    #[cold]
    fn move_out_of_place(&self, start: usize, end: usize) -> Rejection {
        match &self.prose {
            Some((at, prose)) => {
                let word = prose.split(' ').next().unwrap_or_default().len();
                self.unreadable(*at, *at + word, "text among the moves")
            }
            None => self.unreadable(start, end, "move behind the end marker"),
        }
    }

    // ---- what is handed out

    #[inline]
    fn separate(&mut self) {
        if !self.clean.is_empty() {
            self.clean.push(' ');
        }
    }

    fn push_nag(&mut self, nag: &str) {
        self.separate();
        self.clean.push('$');
        self.clean.push_str(nag);
    }

    fn push_prose(&mut self, start: usize, word: &str) {
        let (_, prose) = self.prose.get_or_insert_with(|| (start, String::new()));
        if !prose.is_empty() {
            prose.push(' ');
        }
        prose.push_str(word);
        self.mend(Mend::Prose, start, word);
    }

    /// The first decided marker counts; one inside a side line says nothing of the game.
    fn push_end(&mut self, end: GameResult, start: usize, stop: usize) -> Result<(), Rejection> {
        let token = &self.text[start..stop];
        if !self.frames.is_empty() {
            self.mend(Mend::InnerEnd, start, token);
            return Ok(());
        }
        match self.end {
            None => self.end = Some(end),
            Some(before) if before == end => {}
            Some(before) => {
                self.mend(Mend::SecondEnd, start, token);
                if !before.is_decided() {
                    self.end = Some(end);
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn mend(&mut self, mend: Mend, at: usize, what: &str) {
        if !self.mends.is_told(mend) {
            let line = self.line_at(at);
            self.mends.add(mend, line, what);
        }
    }

    fn line_at(&self, at: usize) -> u64 {
        let ends = memchr2_iter(b'\n', b'\r', &self.bytes[..at]);
        // CRLF ends one line.
        let is_end =
            |&end: &usize| self.bytes[end] == b'\n' || self.bytes.get(end + 1) != Some(&b'\n');
        self.line + ends.filter(is_end).count() as u64
    }

    #[cold]
    fn unreadable(&self, start: usize, end: usize, why: &str) -> Rejection {
        let token: String = self.text[start..end].chars().take(80).collect();
        Rejection {
            kind: RejectionKind::UnreadableToken,
            line: self.line_at(start),
            message: format!("cannot read `{token}`: {why}"),
            token,
        }
    }
}
