//! The lines of a stream that comes in pieces: the splitter's window on it.
//!
//! LF, CRLF and CR each end a line (pgn.md). What a line is never depends on how the stream was
//! cut into pieces.

use memchr::{memchr2, memrchr};

use super::encoding::Transcriber;

/// A longer line comes in parts.
pub(super) const MAX_LINE: usize = 1 << 20;
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A window on the stream, with the line that is to be looked at next.
pub(super) struct Lines {
    transcriber: Transcriber,
    /// The stream from `base` on, in UTF-8 or another superset of ASCII.
    pub(super) buffer: Vec<u8>,
    /// Where the buffer begins in the source.
    base: u64,
    pub(super) finished: bool,
    next: Place,
    /// No line ends before this place.
    searched: usize,
    /// What comes next belongs to a line of which a part has been seen.
    mid_line: bool,
}

/// A place in the stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Index into the buffer.
    pub(super) at: usize,
    /// The line, counted from 1.
    pub(super) line: u64,
}

/// A line, or a part of one that is very long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) start: Place,
    /// The first byte that is no blank and no byte-order mark.
    pub(super) text: usize,
    /// The line's end, or the part's.
    pub(super) end: usize,
    /// False for all parts but the first.
    pub(super) starts_line: bool,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text == self.end
    }

    pub(super) fn place(&self, at: usize) -> Place {
        Place { at, line: self.start.line }
    }
}

impl Lines {
    pub(super) fn starting_at(offset: u64, line: u64) -> Lines {
        Lines {
            transcriber: Transcriber::new(),
            buffer: Vec::new(),
            base: offset,
            finished: false,
            next: Place { at: 0, line },
            searched: 0,
            mid_line: false,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.transcriber.push(bytes, false, &mut self.buffer);
    }

    pub(super) fn finish(&mut self) {
        if !self.finished {
            self.transcriber.push(&[], true, &mut self.buffer);
            self.finished = true;
        }
    }

    /// Drops the first `bytes` of the buffer; all indices into it become less by as much.
    pub(super) fn discard(&mut self, bytes: usize) {
        self.buffer.drain(..bytes);
        self.base += bytes as u64;
        self.next.at -= bytes;
        self.searched = self.searched.saturating_sub(bytes);
    }

    pub(super) fn offset(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    /// Where the next line begins.
    pub(super) fn at(&self) -> usize {
        self.next.at
    }

    /// Goes back, or on, to a place that is to be looked at as the beginning of a line.
    pub(super) fn go_to(&mut self, place: Place) {
        self.next = place;
        self.searched = place.at;
        self.mid_line = false;
    }

    /// Takes the next line; `None` where its end has not come yet.
    pub(super) fn take(&mut self) -> Option<Line> {
        let start = self.next;
        let (end, next) = self.find_end()?;
        let starts_line = !self.mid_line;
        let text =
            if starts_line { start.at + indent(&self.buffer[start.at..end]) } else { start.at };
        self.next.at = next;
        self.mid_line = next == end;
        self.next.line += u64::from(next > end);
        Some(Line { start, text, end, starts_line })
    }

    /// The end of the next line's text, and where the line after it begins.
    fn find_end(&mut self) -> Option<(usize, usize)> {
        let start = self.next.at;
        let from = self.searched.max(start);
        let limit = self.buffer.len().min(start + MAX_LINE + 1);
        match memchr2(b'\n', b'\r', &self.buffer[from..limit]) {
            Some(found) => {
                let end = from + found;
                self.searched = end;
                match &self.buffer[end..] {
                    [b'\r'] if !self.finished => None,
                    [b'\r', b'\n', ..] => Some((end, end + 2)),
                    _ => Some((end, end + 1)),
                }
            }
            None => {
                self.searched = limit;
                if limit - start > MAX_LINE {
                    let end = start + part(&self.buffer[start..start + MAX_LINE]);
                    return Some((end, end));
                }
                (self.finished && start < limit).then_some((limit, limit))
            }
        }
    }
}

/// How much of a very long line to look at: no tag and no word is to be cut in two.
fn part(line: &[u8]) -> usize {
    let tail = line.len() - 256;
    match (memrchr(b'[', &line[tail..]), memrchr(b' ', &line[tail..])) {
        (Some(bracket), _) => tail + bracket,
        (None, Some(blank)) => tail + blank + 1,
        (None, None) => line.len(),
    }
}

/// The length of the blanks and byte-order marks at the beginning of a line.
fn indent(line: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match &line[at..] {
            [byte, ..] if byte.is_ascii_whitespace() => at += 1,
            [0xEF, 0xBB, 0xBF, ..] => at += BOM.len(),
            _ => return at,
        }
    }
}
