//! The journal: an append-only file of batches, and the one truth of the store.
//!
//! It knows nothing of what it keeps: records and texts are bytes. It must never overwrite or drop
//! a frame that was once synced, never hand out bytes whose checksum does not hold, and never let
//! one damaged place cost what follows it. One `fdatasync` a batch is the acknowledgement.
//!
//! # Use
//!
//! [`Journal::open`] finds the end (cutting off an unfinished last frame) and gives the one writer;
//! its [`Reader`] may be cloned into any number of threads and reads while the writer appends.
//! [`Journal::commit`] writes a batch as one frame and syncs it. A text is found again by its
//! [`TextRef`]; a [`Position`] says how far somebody has read. Whoever opens holds the store's
//! lock: the journal takes none of its own. [`Reader::open`] changes nothing on disk.
//!
//! # Format
//!
//! A directory of segments `00000001.gkj`, `00000002.gkj`, … Numbers are little-endian; checksums
//! are xxh3-64. A segment is a header and then frames without gaps. The headers' first fields up
//! to the version, their lengths and the place of their checksum stay the same in every version.
//!
//! Segment header, 64 bytes:
//!
//! | at | bytes | what |
//! | ---: | ---: | --- |
//! | 0 | 8 | `89 47 4b 4a 0d 0a 1a 0a` (`\x89GKJ\r\n\x1a\n`) |
//! | 8 | 16 | archive id, random, the same in every segment and frame of one archive |
//! | 24 | 2 | format version, 1 |
//! | 26 | 2 | 0 |
//! | 28 | 4 | number of the segment, as in its name |
//! | 32 | 8 | sequence number that the first frame of this segment has or will have |
//! | 40 | 16 | 0 |
//! | 56 | 8 | checksum of bytes 0..56 |
//!
//! Frame header, 88 bytes:
//!
//! | at | bytes | what |
//! | ---: | ---: | --- |
//! | 0 | 8 | `8b 47 4b 46 0d 0a 1a 0a` (`\x8bGKF\r\n\x1a\n`), with the archive id the sync marker |
//! | 8 | 16 | archive id |
//! | 24 | 2 | frame version, 1 |
//! | 26 | 2 | 0 |
//! | 28 | 4 | number of text blocks |
//! | 32 | 8 | sequence number, counted from 1 through the whole archive |
//! | 40 | 4 | number of texts |
//! | 44 | 4 | length of the records |
//! | 48 | 4 | stored length of the records |
//! | 52 | 4 | 0 |
//! | 56 | 8 | length of the whole frame, this header included |
//! | 64 | 8 | checksum of the block table |
//! | 72 | 8 | checksum of the stored records |
//! | 80 | 8 | checksum of bytes 0..80 |
//!
//! Behind it stand the block table, the records (one zstd frame), and the text blocks (one zstd
//! frame each) in the order of the table. What is left up to the length of the frame is padding;
//! none is written today. An entry of the block table, 20 bytes: number of texts in the block (4),
//! length of the block (4), its stored length (4), checksum of the stored block (8).
//!
//! A text block, unpacked: the length of each of its texts as an LEB128 varint, then the texts
//! without anything between them. Texts are numbered from 0 through the frame; a text stands in
//! one block, and a block is closed before it would pass the block size, so one text costs one
//! block to read.
//!
//! The archive id in the sync marker is known to nobody outside, so no text that is imported can
//! be made to look like a frame. Frames carry no place of their own: where bytes were lost or put
//! in, the frames behind them are still found and read.
//!
//! # Taking texts out
//!
//! The padding is there for that: a segment can be copied to a new file in which a frame's blocks
//! are packed anew with some texts empty, the frame's length unchanged and the rest a hole, and
//! the new file renamed over the old one. Every position and reference stays what it was.

mod codec;
mod damage;
mod encode;
mod error;
mod frame;
mod frames;
mod open;
mod output;
mod place;
mod reader;
mod segment;
mod texts;
mod verify;
mod writer;

#[cfg(test)]
mod tests;

pub use damage::{Damage, DamageKind};
pub use encode::{Encoded, Encoder};
pub use error::JournalError;
pub use frames::{Frame, FrameTexts, Frames};
pub use open::{Cut, OpenReport};
pub use place::{ArchiveId, FrameRef, Position, TextRef};
pub use reader::Reader;
pub use texts::Text;
pub use verify::Verified;
pub use writer::{Appended, Journal};

/// Longest records of one frame, in bytes before packing.
pub const MAX_RECORDS: usize = 256 << 20;
/// Longest single text, in bytes before packing.
pub const MAX_TEXT: usize = 64 << 20;
/// Most texts of one frame.
pub const MAX_TEXTS: usize = 1 << 22;
/// Longest texts of one frame taken together, in bytes before packing.
pub const MAX_TEXTS_LENGTH: usize = 1 << 30;

/// How a journal is written. Nothing of it is needed to read one.
#[derive(Debug, Clone)]
pub struct Options {
    /// A segment is closed before it would grow over this many bytes; a bigger frame gets a
    /// segment of its own.
    pub segment_limit: u64,
    /// Text blocks are closed before they would grow over this many bytes (before packing).
    pub block_size: usize,
    /// Compression level of zstd.
    pub level: i32,
    /// The archive the journal must belong to; where it is `None`, what the first segment says.
    pub archive: Option<ArchiveId>,
    /// Faults for tests.
    #[cfg(test)]
    pub(crate) faults: output::Faults,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            segment_limit: 256 << 20,
            block_size: 64 << 10,
            level: 1,
            archive: None,
            #[cfg(test)]
            faults: output::Faults::default(),
        }
    }
}
