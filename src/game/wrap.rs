//! Words → lines of at most 79 characters (the export format: less than 80 columns).
//!
//! No line begins with `%` or `[`: the one is an escape of the standard, and weak readers take
//! the other for a tag. A word that is longer than a line stands on a line of its own.

/// The longest line in characters, without its line end.
const WIDTH: usize = 79;

/// Breaks words into lines at the end of a buffer.
pub(super) struct Wrap<'a> {
    out: &'a mut Vec<u8>,
    /// Characters on the line so far.
    column: usize,
}

impl<'a> Wrap<'a> {
    /// Begins at the start of a line.
    pub(super) fn new(out: &'a mut Vec<u8>) -> Wrap<'a> {
        Wrap { out, column: 0 }
    }

    /// Writes a word in ASCII.
    #[inline]
    pub(super) fn push_ascii(&mut self, word: &[u8]) {
        self.separate(word.len());
        self.out.extend_from_slice(word);
    }

    /// Writes a word, or several that must stay on one line, given in pieces.
    pub(super) fn push(&mut self, pieces: &[&str]) {
        self.separate(pieces.iter().map(|piece| width(piece)).sum());
        for piece in pieces {
            self.out.extend_from_slice(piece.as_bytes());
        }
    }

    /// Begins a word of this many characters: behind a blank, or on a new line.
    #[inline]
    fn separate(&mut self, width: usize) {
        if self.column == 0 {
            self.column = width;
        } else if self.column + 1 + width > WIDTH {
            self.out.push(b'\n');
            self.column = width;
        } else {
            self.out.push(b' ');
            self.column += 1 + width;
        }
    }

    /// Writes a comment, which holds single blanks only, in its braces; `before` and `after` are
    /// brackets that stand close to it.
    pub(super) fn push_comment(&mut self, before: &str, comment: &str, after: &str) {
        let mut rest = comment;
        let mut open = "{";
        let mut before = before;
        loop {
            let end = unit_end(rest);
            let (unit, tail) = rest.split_at(end);
            if tail.is_empty() {
                self.push(&[before, open, unit, "}", after]);
                return;
            }
            self.push(&[before, open, unit]);
            (before, open, rest) = ("", "", &tail[1..]);
        }
    }
}

#[inline]
fn width(piece: &str) -> usize {
    if piece.is_ascii() { piece.len() } else { piece.chars().count() }
}

/// Where the first blank is that may become a line end.
fn unit_end(text: &str) -> usize {
    memchr::memchr_iter(b' ', text.as_bytes())
        .find(|&at| !matches!(text.as_bytes().get(at + 1), Some(b'%' | b'[')))
        .unwrap_or(text.len())
}
