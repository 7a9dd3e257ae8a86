//! Reading: any number of threads, while the writer appends. Never writes.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::codec::{checksum, unpack};
use super::frame::{self, BlockEntry, Header, parse_table};
use super::segment::{Found, Segment, list};
use super::texts::{Block, Cache, Table};
use super::{ArchiveId, DamageKind, FrameRef, Frames, JournalError, Position, Text, TextRef};

/// A handle for reading; clones share the open segments and the blocks read last.
#[derive(Clone)]
pub struct Reader {
    shared: Arc<Shared>,
}

struct Shared {
    dir: PathBuf,
    archive: ArchiveId,
    /// How far the writer has synced; `None` without a writer: to the end of the files.
    end: Mutex<Option<Position>>,
    segments: Mutex<HashMap<u32, Arc<Segment>>>,
    cache: Mutex<Cache>,
}

impl Reader {
    /// Opens the journal in `dir` without a writer and without changing anything. An unfinished
    /// last frame is then reported as damage (`Unfinished`).
    ///
    /// # Errors
    /// `Io`, `Newer`, `Foreign`, `Misplaced`; `Unreadable` where no segment can be read.
    pub fn open(dir: &Path) -> Result<Self, JournalError> {
        match Survey::of(dir, None)?.archive {
            Some(archive) => Ok(Reader::new(dir, archive)),
            None => Err(JournalError::Unreadable { path: dir.to_owned() }),
        }
    }

    pub(super) fn new(dir: &Path, archive: ArchiveId) -> Self {
        Reader {
            shared: Arc::new(Shared {
                dir: dir.to_owned(),
                archive,
                end: Mutex::new(None),
                segments: Mutex::new(HashMap::new()),
                cache: Mutex::new(Cache::new()),
            }),
        }
    }

    /// The archive the journal belongs to.
    pub fn archive(&self) -> ArchiveId {
        self.shared.archive
    }

    /// How far the writer has synced; `None` without a writer.
    pub fn end(&self) -> Option<Position> {
        *lock(&self.shared.end)
    }

    pub(super) fn publish(&self, end: Position) {
        *lock(&self.shared.end) = Some(end);
    }

    /// The frames behind `from`, in order, up to what the writer has synced by now.
    ///
    /// # Errors
    /// `Io`, `Misplaced`.
    pub fn frames(&self, from: Position) -> Result<Frames, JournalError> {
        let end = self.end();
        let mut numbers = list(&self.shared.dir)?;
        numbers.retain(|&number| {
            number >= from.segment && end.is_none_or(|end| number <= end.segment)
        });
        Ok(Frames::new(self.clone(), numbers, from, end))
    }

    /// The text at `at`. Texts of one block cost one read between them if asked for in a row.
    ///
    /// # Errors
    /// `NoSuchText` where no readable frame begins there or it has no such text; `Damage` where
    /// the text is damaged; `Io`, `Newer`, `Foreign`, `Misplaced`.
    pub fn text(&self, at: TextRef) -> Result<Text, JournalError> {
        let frame = at.frame();
        let table = lock(&self.shared.cache).tables.get(&frame);
        let table = match table {
            Some(table) => table,
            None => {
                let table = self.load_table(at)?;
                lock(&self.shared.cache).tables.keep(frame, Arc::clone(&table));
                table
            }
        };
        let (number, entry) = table.block_of(at.index).ok_or(JournalError::NoSuchText(at))?;
        let key = (frame, number);
        let block = lock(&self.shared.cache).blocks.get(&key);
        let block = match block {
            Some(block) => block,
            None => {
                let segment = self.segment(at.segment)?;
                let block = Block::load(&segment, frame, table.seq, entry)?;
                lock(&self.shared.cache).blocks.keep(key, Arc::clone(&block));
                block
            }
        };
        block.text(at.index - entry.first).ok_or(JournalError::NoSuchText(at))
    }

    fn load_table(&self, at: TextRef) -> Result<Arc<Table>, JournalError> {
        let segment = self.segment(at.segment)?;
        let end = segment.length()?;
        let Found::Whole(header) = segment.frame_at(at.offset, end, self.archive())? else {
            return Err(JournalError::NoSuchText(at));
        };
        match read_table(&segment, at.offset, &header)? {
            Some(blocks) => Ok(Arc::new(Table { seq: header.seq, blocks })),
            None => Err(JournalError::NoSuchText(at)),
        }
    }

    /// Segment `number`, opened once and kept.
    pub(super) fn segment(&self, number: u32) -> Result<Arc<Segment>, JournalError> {
        /// Segments kept open at most: far below the limit a process has on open files.
        const OPEN: usize = 64;
        let mut segments = lock(&self.shared.segments);
        if let Some(segment) = segments.get(&number) {
            return Ok(Arc::clone(segment));
        }
        let segment = Arc::new(Segment::open(&self.shared.dir, number)?);
        segment.check_archive(self.archive())?;
        if segments.len() >= OPEN {
            segments.clear();
        }
        segments.insert(number, Arc::clone(&segment));
        Ok(segment)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("dir", &self.shared.dir).finish_non_exhaustive()
    }
}

/// What is guarded is a cache or a copy: whoever panicked has left it whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The block table of the frame at `offset`; `None` where it is damaged.
pub(super) fn read_table(
    segment: &Segment,
    offset: u64,
    header: &Header,
) -> Result<Option<Vec<BlockEntry>>, JournalError> {
    let bytes = segment.read_vec(header.table_length(), offset + frame::HEADER as u64)?;
    Ok(bytes.and_then(|bytes| parse_table(&bytes, header)))
}

/// What segments there are, and of which archive.
pub(super) struct Survey {
    /// The numbers of all segments, growing.
    pub(super) numbers: Vec<u32>,
    /// Their archive; `None` where there is none to be read.
    pub(super) archive: Option<ArchiveId>,
}

impl Survey {
    /// Looks at every segment's header.
    ///
    /// # Errors
    /// `Io`, `Newer`, `Misplaced`; `Foreign` where a segment is of another archive than `expected`
    /// or, where that is `None`, than the first.
    pub(super) fn of(dir: &Path, expected: Option<ArchiveId>) -> Result<Self, JournalError> {
        let numbers = list(dir)?;
        let mut archive = expected;
        for &number in &numbers {
            let segment = Segment::open(dir, number)?;
            match archive {
                Some(archive) => segment.check_archive(archive)?,
                None => archive = segment.header.map(|header| header.archive),
            }
        }
        for &number in &numbers {
            if archive.is_none() {
                archive = Segment::open(dir, number)?.archive_of_frames()?;
            }
        }
        Ok(Survey { numbers, archive })
    }
}

/// A frame as [`Frames`] needs it: its table and its records, both checked.
pub(super) fn read_frame(
    segment: &Segment,
    at: FrameRef,
    header: &Header,
) -> Result<Result<(Table, Vec<u8>), DamageKind>, JournalError> {
    let seq = header.seq;
    let Some(blocks) = read_table(segment, at.offset, header)? else {
        return Ok(Err(DamageKind::BlockTable { seq }));
    };
    let start = at.offset + (frame::HEADER + header.table_length()) as u64;
    let records = segment
        .read_vec(header.records_stored as usize, start)?
        .filter(|stored| checksum(stored) == header.records_sum)
        .and_then(|stored| unpack(&stored, header.records as usize));
    Ok(match records {
        Some(records) => Ok((Table { seq, blocks }, records)),
        None => Err(DamageKind::Records { seq }),
    })
}
