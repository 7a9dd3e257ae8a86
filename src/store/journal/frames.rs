//! Reading frames in order, past every damaged place.

use std::collections::VecDeque;
use std::sync::Arc;

use super::frame::{self, Header};
use super::reader::read_frame;
use super::segment::{self, Found, Segment};
use super::texts::{Block, Table};
use super::{Damage, DamageKind, FrameRef, JournalError, Position, Reader, Text};

/// One batch as it was appended.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Where it begins.
    pub at: FrameRef,
    /// The place right after it, with its sequence number.
    pub after: Position,
    /// The records, checked.
    pub records: Vec<u8>,
    texts: u32,
    segment: Arc<Segment>,
    table: Arc<Table>,
}

impl Frame {
    /// Length in bytes.
    pub fn length(&self) -> u64 {
        self.after.offset - self.at.offset
    }

    /// Number of texts.
    pub fn text_count(&self) -> u32 {
        self.texts
    }

    /// The texts in order, read a block at a time. There is one item for each text: an
    /// unreadable one gives an error in its place (`Damage` or `Io`).
    pub fn texts(&self) -> FrameTexts {
        FrameTexts {
            at: self.at,
            segment: Arc::clone(&self.segment),
            table: Arc::clone(&self.table),
            next: 0,
            count: self.texts,
            block: None,
        }
    }

    /// Checks every text block without keeping it; gives the damaged ones.
    ///
    /// # Errors
    /// `Io`.
    pub fn check(&self) -> Result<Vec<Damage>, JournalError> {
        let mut damages = Vec::new();
        for entry in &self.table.blocks {
            match Block::load(&self.segment, self.at, self.after.seq, entry) {
                Ok(_) => {}
                Err(JournalError::Damage(damage)) => damages.push(damage),
                Err(error) => return Err(error),
            }
        }
        Ok(damages)
    }
}

/// The texts of one frame.
#[derive(Debug)]
pub struct FrameTexts {
    at: FrameRef,
    segment: Arc<Segment>,
    table: Arc<Table>,
    next: u32,
    count: u32,
    /// The block read last, by its number.
    block: Option<(u32, Result<Arc<Block>, Damage>)>,
}

impl Iterator for FrameTexts {
    type Item = Result<Text, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let index = self.next;
        self.next += 1;
        let (number, entry) = self.table.block_of(index)?;
        if self.block.as_ref().is_none_or(|(kept, _)| *kept != number) {
            let block = match Block::load(&self.segment, self.at, self.table.seq, entry) {
                Ok(block) => Ok(block),
                Err(JournalError::Damage(damage)) => Err(damage),
                Err(error) => return Some(Err(error)),
            };
            self.block = Some((number, block));
        }
        match self.block.as_ref()? {
            (_, Ok(block)) => Some(Ok(block.text(index - entry.first)?)),
            (_, Err(damage)) => Some(Err((*damage).into())),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.count - self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for FrameTexts {}

/// The frames behind a position, in order of their sequence numbers. Damage comes as an error
/// (`Damage`) in its place, and what follows it goes on; after any other error nothing comes.
/// Text blocks are read, and checked, when they are asked for.
#[derive(Debug)]
pub struct Frames {
    reader: Reader,
    numbers: VecDeque<u32>,
    from: Position,
    end: Option<Position>,
    /// Number of the next segment that should be there.
    next_number: u32,
    /// Sequence number of the next frame that should come.
    next_seq: u64,
    current: Option<Cursor>,
    ready: VecDeque<Result<Frame, JournalError>>,
    finished: bool,
}

/// Where reading stands in a segment.
#[derive(Debug)]
struct Cursor {
    segment: Arc<Segment>,
    /// Nothing is read from here on.
    end: u64,
    /// Where the next frame should begin.
    next: u64,
    /// Where the frame before it begins, or the first byte of all.
    previous: u64,
    /// From where on to search if there is none at `next`: bytes may have been lost from the
    /// frame before, so that the one that follows begins within what should have been its length.
    search: u64,
}

impl Frames {
    pub(super) fn new(
        reader: Reader,
        numbers: Vec<u32>,
        from: Position,
        end: Option<Position>,
    ) -> Self {
        Frames {
            reader,
            numbers: numbers.into(),
            from,
            end,
            next_number: from.segment.max(1),
            next_seq: from.seq + 1,
            current: None,
            ready: VecDeque::new(),
            finished: false,
        }
    }

    /// The highest sequence number met so far, those of damaged frames too.
    pub(super) fn met(&self) -> u64 {
        self.next_seq - 1
    }

    fn damaged(&mut self, segment: u32, from: u64, to: u64, kind: DamageKind) {
        self.ready.push_back(Err(Damage { segment, from, to, kind }.into()));
    }

    /// Takes note that frame `seq` is the next there is, at `offset` of `segment`.
    fn expect(&mut self, seq: u64, segment: u32, offset: u64) {
        if seq > self.next_seq {
            let kind = DamageKind::MissingFrames { first: self.next_seq, last: seq - 1 };
            self.damaged(segment, offset, offset, kind);
            self.next_seq = seq;
        }
    }

    /// Goes to the next segment; false behind the last.
    fn open_next(&mut self) -> Result<bool, JournalError> {
        let Some(number) = self.numbers.pop_front() else {
            return Ok(false);
        };
        if number > self.next_number {
            let kind = DamageKind::MissingSegments { last: number - 1 };
            self.damaged(self.next_number, 0, 0, kind);
        }
        self.next_number = number + 1;
        let segment = self.reader.segment(number)?;
        let length = segment.length()?;
        let end = match self.end {
            Some(end) if end.segment == number => end.offset.min(length),
            _ => length,
        };
        let header = segment::HEADER as u64;
        let mut start = if segment.header.is_some() { header } else { 0 };
        if self.from.segment == number && self.from.offset > header {
            start = self.from.offset;
            if start > end {
                self.damaged(number, end, start, DamageKind::Stretch);
            }
        } else if let Some(header) = segment.header {
            self.expect(header.first_seq, number, start);
        } else {
            self.damaged(number, 0, header.min(end), DamageKind::SegmentHeader);
        }
        let next = start.max(header);
        self.current = Some(Cursor { segment, end, next, previous: start, search: start });
        Ok(true)
    }

    /// Reads one frame or gets past one damaged place; false at the end of the segment.
    fn step(&mut self) -> Result<bool, JournalError> {
        let archive = self.reader.archive();
        let Some(cursor) = &mut self.current else {
            return Ok(false);
        };
        if cursor.next >= cursor.end {
            return Ok(false);
        }
        let (number, next, end) = (cursor.segment.number, cursor.next, cursor.end);
        let header = match cursor.segment.frame_at(next, end, archive)? {
            Found::Whole(header) => header,
            found => {
                let behind = cursor.segment.find_frame(cursor.search, end, archive)?;
                let (from, kind) = match behind {
                    Some(place) if place < next => (cursor.previous, DamageKind::Stretch),
                    None if found == Found::Short && self.numbers.is_empty() => {
                        (next, DamageKind::Unfinished)
                    }
                    _ => (next, DamageKind::Stretch),
                };
                let to = behind.unwrap_or(end);
                (cursor.next, cursor.search) = (to, to);
                self.damaged(number, from, to, kind);
                return Ok(true);
            }
        };
        cursor.next = next + header.length;
        cursor.previous = next;
        cursor.search = next + frame::HEADER as u64;
        let segment = Arc::clone(&cursor.segment);
        self.take(segment, next, &header)?;
        Ok(true)
    }

    /// Reads the frame that begins at `offset`.
    fn take(
        &mut self,
        segment: Arc<Segment>,
        offset: u64,
        header: &Header,
    ) -> Result<(), JournalError> {
        let (number, seq, to) = (segment.number, header.seq, offset + header.length);
        if seq < self.next_seq {
            self.damaged(number, offset, to, DamageKind::Repeated { seq });
            return Ok(());
        }
        self.expect(seq, number, offset);
        self.next_seq = seq + 1;
        let at = FrameRef { segment: number, offset };
        match read_frame(&segment, at, header)? {
            Err(kind) => self.damaged(number, offset, to, kind),
            Ok((table, records)) => self.ready.push_back(Ok(Frame {
                at,
                after: Position { segment: number, offset: to, seq },
                records,
                texts: header.texts,
                segment,
                table: Arc::new(table),
            })),
        }
        Ok(())
    }

    /// Goes on by one step; false when everything has been read.
    fn advance(&mut self) -> Result<bool, JournalError> {
        if self.step()? {
            return Ok(true);
        }
        self.current = None;
        if self.open_next()? {
            return Ok(true);
        }
        if let Some(end) = self.end {
            if end.segment >= self.next_number {
                let kind = DamageKind::MissingSegments { last: end.segment };
                self.damaged(self.next_number, 0, 0, kind);
            }
            self.expect(end.seq + 1, end.segment, end.offset);
        }
        Ok(false)
    }
}

impl Iterator for Frames {
    type Item = Result<Frame, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            if self.finished {
                return None;
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => self.finished = true,
                Err(error) => {
                    self.finished = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
