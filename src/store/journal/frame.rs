//! The layout of a frame: header and block table (byte tables in [`super`]). Pure.

use super::codec::{array, checksum};
use super::{ArchiveId, MAX_RECORDS, MAX_TEXT, MAX_TEXTS};

/// The first eight bytes of every frame.
pub(super) const MAGIC: [u8; 8] = *b"\x8bGKF\r\n\x1a\n";
/// The newest frame version known.
pub(super) const VERSION: u16 = 1;
/// Length of a frame header.
pub(super) const HEADER: usize = 88;
/// Length of an entry of the block table.
pub(super) const ENTRY: usize = 20;
/// Longest text block before packing: one text of the greatest length, or a full block, with the
/// lengths of its texts.
const MAX_BLOCK: usize = MAX_TEXT + (8 << 20);

/// A frame's header, without what is the same in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// Sequence number.
    pub(super) seq: u64,
    /// Length of the whole frame with its header.
    pub(super) length: u64,
    /// Number of text blocks.
    pub(super) blocks: u32,
    /// Number of texts.
    pub(super) texts: u32,
    /// Length of the records before packing.
    pub(super) records: u32,
    /// Length of the records as stored.
    pub(super) records_stored: u32,
    /// Checksum of the block table.
    pub(super) table_sum: u64,
    /// Checksum of the stored records.
    pub(super) records_sum: u64,
}

/// What 88 bytes turn out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parsed {
    /// A frame header of this archive.
    Frame(ArchiveId, Header),
    /// A sound frame header of a later version.
    Newer(u16),
    /// No frame header, or a damaged one.
    Nothing,
}

impl Header {
    /// Length of the block table.
    pub(super) fn table_length(&self) -> usize {
        self.blocks as usize * ENTRY
    }

    /// The header's bytes.
    pub(super) fn to_bytes(self, archive: ArchiveId) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..24].copy_from_slice(&archive.0);
        bytes[24..26].copy_from_slice(&VERSION.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.blocks.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.seq.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.texts.to_le_bytes());
        bytes[44..48].copy_from_slice(&self.records.to_le_bytes());
        bytes[48..52].copy_from_slice(&self.records_stored.to_le_bytes());
        bytes[56..64].copy_from_slice(&self.length.to_le_bytes());
        bytes[64..72].copy_from_slice(&self.table_sum.to_le_bytes());
        bytes[72..80].copy_from_slice(&self.records_sum.to_le_bytes());
        let sum = checksum(&bytes[..80]);
        bytes[80..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header. Its lengths agree with each other and with the limits.
    pub(super) fn parse(bytes: &[u8; HEADER]) -> Parsed {
        if bytes[..8] != MAGIC || checksum(&bytes[..80]) != u64::from_le_bytes(array(bytes, 80)) {
            return Parsed::Nothing;
        }
        let version = u16::from_le_bytes(array(bytes, 24));
        if version > VERSION {
            return Parsed::Newer(version);
        }
        let header = Header {
            blocks: u32::from_le_bytes(array(bytes, 28)),
            seq: u64::from_le_bytes(array(bytes, 32)),
            texts: u32::from_le_bytes(array(bytes, 40)),
            records: u32::from_le_bytes(array(bytes, 44)),
            records_stored: u32::from_le_bytes(array(bytes, 48)),
            length: u64::from_le_bytes(array(bytes, 56)),
            table_sum: u64::from_le_bytes(array(bytes, 64)),
            records_sum: u64::from_le_bytes(array(bytes, 72)),
        };
        let parts = HEADER as u64
            + u64::from(header.blocks) * ENTRY as u64
            + u64::from(header.records_stored);
        let sound = header.length >= parts
            && header.blocks <= header.texts
            && header.texts as usize <= MAX_TEXTS
            && header.records as usize <= MAX_RECORDS;
        if sound { Parsed::Frame(ArchiveId(array(bytes, 8)), header) } else { Parsed::Nothing }
    }
}

/// One block of texts, as the table describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockEntry {
    /// Number within the frame of its first text.
    pub(super) first: u32,
    /// How many texts it holds.
    pub(super) texts: u32,
    /// Offset of the stored block from the beginning of the frame.
    pub(super) at: u64,
    /// Length before packing.
    pub(super) length: u32,
    /// Length as stored.
    pub(super) stored: u32,
    /// Checksum of the stored block.
    pub(super) sum: u64,
}

impl BlockEntry {
    /// Appends the entry's bytes; `first` and `at` follow from those before it.
    pub(super) fn write(&self, out: &mut [u8]) {
        out[..4].copy_from_slice(&self.texts.to_le_bytes());
        out[4..8].copy_from_slice(&self.length.to_le_bytes());
        out[8..12].copy_from_slice(&self.stored.to_le_bytes());
        out[12..20].copy_from_slice(&self.sum.to_le_bytes());
    }
}

/// Reads the block table of a frame. `None` where the checksum does not hold or the entries do not
/// agree with the header and the limits.
pub(super) fn parse_table(bytes: &[u8], header: &Header) -> Option<Vec<BlockEntry>> {
    if bytes.len() != header.table_length() || checksum(bytes) != header.table_sum {
        return None;
    }
    let mut first = 0_u32;
    let mut at = (HEADER + bytes.len()) as u64 + u64::from(header.records_stored);
    let mut entries = Vec::with_capacity(header.blocks as usize);
    for entry in bytes.chunks_exact(ENTRY) {
        let entry = BlockEntry {
            first,
            texts: u32::from_le_bytes(array(entry, 0)),
            at,
            length: u32::from_le_bytes(array(entry, 4)),
            stored: u32::from_le_bytes(array(entry, 8)),
            sum: u64::from_le_bytes(array(entry, 12)),
        };
        first = first.checked_add(entry.texts)?;
        at += u64::from(entry.stored);
        if at > header.length || entry.length as usize > MAX_BLOCK {
            return None;
        }
        entries.push(entry);
    }
    (first == header.texts).then_some(entries)
}
