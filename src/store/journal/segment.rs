//! One segment: its name, its header, and reading from it. Writing is in `output.rs`.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::codec::{array, checksum};
use super::frame::{self, Header, Parsed};
use super::{ArchiveId, JournalError};

/// The first eight bytes of every segment.
const MAGIC: [u8; 8] = *b"\x89GKJ\r\n\x1a\n";
/// The newest segment version known.
const VERSION: u16 = 1;
/// Length of a segment header.
pub(super) const HEADER: usize = 64;
const EXTENSION: &str = ".gkj";

/// The file name of a segment.
pub(super) fn file_name(number: u32) -> String {
    format!("{number:08}{EXTENSION}")
}

/// The number in a segment's file name; `None` for every other file.
fn number_of(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(EXTENSION)?;
    let number = digits.parse().ok()?;
    (file_name(number) == name && number > 0).then_some(number)
}

/// The numbers of the segments in `dir`, growing.
///
/// # Errors
/// `Io`; `Misplaced` where something that is no file bears a segment's name.
pub(super) fn list(dir: &Path) -> Result<Vec<u32>, JournalError> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(dir).map_err(JournalError::io("read", dir))? {
        let entry = entry.map_err(JournalError::io("read", dir))?;
        let Some(number) = entry.file_name().to_str().and_then(number_of) else {
            continue;
        };
        let path = entry.path();
        if !entry.file_type().map_err(JournalError::io("inspect", &path))?.is_file() {
            return Err(JournalError::Misplaced { path, found: "it is no file".to_owned() });
        }
        numbers.push(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// A segment's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SegmentHeader {
    /// The archive.
    pub(super) archive: ArchiveId,
    /// The segment's number.
    pub(super) number: u32,
    /// The sequence number its first frame has or will have.
    pub(super) first_seq: u64,
}

impl SegmentHeader {
    /// The header's bytes.
    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..24].copy_from_slice(&self.archive.0);
        bytes[24..26].copy_from_slice(&VERSION.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.number.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.first_seq.to_le_bytes());
        let sum = checksum(&bytes[..56]);
        bytes[56..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// `Ok(None)` for a damaged header, `Err` for a sound one of a later version.
    fn parse(bytes: &[u8; HEADER]) -> Result<Option<Self>, u16> {
        if bytes[..8] != MAGIC || checksum(&bytes[..56]) != u64::from_le_bytes(array(bytes, 56)) {
            return Ok(None);
        }
        let version = u16::from_le_bytes(array(bytes, 24));
        if version > VERSION {
            return Err(version);
        }
        Ok(Some(SegmentHeader {
            archive: ArchiveId(array(bytes, 8)),
            number: u32::from_le_bytes(array(bytes, 28)),
            first_seq: u64::from_le_bytes(array(bytes, 32)).max(1),
        }))
    }
}

/// What stands at an offset of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The header of a frame that lies within the bounds.
    Whole(Header),
    /// The header of a frame that is longer than what is left.
    Short,
    /// No frame of this archive.
    Nothing,
}

/// A segment open for reading. Reads are by offset, so that it can be shared.
#[derive(Debug)]
pub(super) struct Segment {
    /// Its number.
    pub(super) number: u32,
    /// Its path.
    pub(super) path: PathBuf,
    /// Its header; `None` where that is damaged.
    pub(super) header: Option<SegmentHeader>,
    file: File,
}

impl Segment {
    /// Opens segment `number` in `dir`.
    ///
    /// # Errors
    /// `Io`, `Newer`; `Misplaced` where the header names another segment.
    pub(super) fn open(dir: &Path, number: u32) -> Result<Self, JournalError> {
        let path = dir.join(file_name(number));
        let file = File::open(&path).map_err(JournalError::io("open", &path))?;
        let mut segment = Segment { number, path, header: None, file };
        let mut bytes = [0; HEADER];
        if !segment.read(&mut bytes, 0)? {
            return Ok(segment);
        }
        segment.header = SegmentHeader::parse(&bytes).map_err(|found| segment.newer(found))?;
        if let Some(header) = segment.header
            && header.number != number
        {
            let found = format!("its header says {}", file_name(header.number));
            return Err(JournalError::Misplaced { path: segment.path, found });
        }
        Ok(segment)
    }

    /// The error for something of version `found` in this segment.
    pub(super) fn newer(&self, found: u16) -> JournalError {
        JournalError::Newer { path: self.path.clone(), found, known: VERSION }
    }

    /// `Foreign` where the header names another archive than `expected`.
    pub(super) fn check_archive(&self, expected: ArchiveId) -> Result<(), JournalError> {
        match self.header {
            Some(header) if header.archive != expected => Err(JournalError::Foreign {
                path: self.path.clone(),
                found: header.archive,
                expected,
            }),
            _ => Ok(()),
        }
    }

    /// Its length in bytes as it is now.
    pub(super) fn length(&self) -> Result<u64, JournalError> {
        Ok(self.file.metadata().map_err(JournalError::io("inspect", &self.path))?.len())
    }

    /// Fills `buffer` from `offset` on; false where the file ends before.
    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> Result<bool, JournalError> {
        match self.file.read_exact_at(buffer, offset) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(source) => Err(JournalError::io("read", &self.path)(source)),
        }
    }

    /// `length` bytes from `offset` on; `None` where the file ends before. The caller has held
    /// `length` against the file's, so a damaged length allocates nothing.
    pub(super) fn read_vec(
        &self,
        length: usize,
        offset: u64,
    ) -> Result<Option<Vec<u8>>, JournalError> {
        let mut bytes = vec![0; length];
        Ok(self.read(&mut bytes, offset)?.then_some(bytes))
    }

    /// What stands at `offset`, reading nothing from `end` on.
    ///
    /// # Errors
    /// `Io`, `Newer`.
    pub(super) fn frame_at(
        &self,
        offset: u64,
        end: u64,
        archive: ArchiveId,
    ) -> Result<Found, JournalError> {
        let Some(left) = end.checked_sub(offset).filter(|&left| left >= frame::HEADER as u64)
        else {
            return Ok(Found::Nothing);
        };
        let mut bytes = [0; frame::HEADER];
        if !self.read(&mut bytes, offset)? {
            return Ok(Found::Nothing);
        }
        match Header::parse(&bytes) {
            Parsed::Frame(id, _) if id != archive => Ok(Found::Nothing),
            Parsed::Frame(_, header) if header.length > left => Ok(Found::Short),
            Parsed::Frame(_, header) => Ok(Found::Whole(header)),
            // A later version's frame of another archive is no business of ours.
            Parsed::Newer(_) if bytes[8..24] != archive.0 => Ok(Found::Nothing),
            Parsed::Newer(found) => Err(self.newer(found)),
            Parsed::Nothing => Ok(Found::Nothing),
        }
    }

    /// The first offset in `from..end` at which a whole frame of `archive` begins.
    pub(super) fn find_frame(
        &self,
        from: u64,
        end: u64,
        archive: ArchiveId,
    ) -> Result<Option<u64>, JournalError> {
        let marker = [frame::MAGIC.as_slice(), &archive.0].concat();
        self.search(&marker, from, end, |offset| {
            Ok(matches!(self.frame_at(offset, end, archive)?, Found::Whole(_)).then_some(offset))
        })
    }

    /// The archive of the first frame that can be read: how a segment without a header is told.
    pub(super) fn archive_of_frames(&self) -> Result<Option<ArchiveId>, JournalError> {
        self.search(&frame::MAGIC, 0, self.length()?, |offset| {
            let mut bytes = [0; frame::HEADER];
            let whole = self.read(&mut bytes, offset)?;
            Ok(match Header::parse(&bytes) {
                Parsed::Frame(archive, _) if whole => Some(archive),
                _ => None,
            })
        })
    }

    /// Calls `at` with each offset in `from..end` where `marker` stands, until it gives something.
    fn search<T>(
        &self,
        marker: &[u8],
        mut from: u64,
        end: u64,
        mut at: impl FnMut(u64) -> Result<Option<T>, JournalError>,
    ) -> Result<Option<T>, JournalError> {
        const CHUNK: u64 = 256 << 10;
        let finder = memchr::memmem::Finder::new(marker);
        let mut chunk = Vec::new();
        while end.saturating_sub(from) >= marker.len() as u64 {
            chunk.resize((end - from).min(CHUNK) as usize, 0);
            if !self.read(&mut chunk, from)? {
                return Ok(None);
            }
            for place in finder.find_iter(&chunk) {
                if let Some(found) = at(from + place as u64)? {
                    return Ok(Some(found));
                }
            }
            // A marker may stand across the border of two chunks.
            from += (chunk.len() - marker.len() + 1) as u64;
        }
        Ok(None)
    }
}
