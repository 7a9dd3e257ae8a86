//! Places in the journal: archive, position, frame, text. Plain values, cheap to copy and keep.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};

/// The random name of an archive. It stands in every segment and frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArchiveId(pub [u8; 16]);

impl ArchiveId {
    /// A new id, from the operating system's randomness (through the standard library's keys).
    pub(super) fn random() -> Self {
        let keys = RandomState::new();
        let mut id = [0; 16];
        id[..8].copy_from_slice(&keys.hash_one(0_u8).to_le_bytes());
        id[8..].copy_from_slice(&keys.hash_one(1_u8).to_le_bytes());
        ArchiveId(id)
    }
}

impl fmt::Display for ArchiveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ArchiveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchiveId({self})")
    }
}

/// The place right after a frame: how far somebody has read or written.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    /// Number of the segment, from 1; 0 before the first.
    pub segment: u32,
    /// Offset in bytes within the segment.
    pub offset: u64,
    /// Sequence number of the last frame before this place; 0 before the first.
    pub seq: u64,
}

impl Position {
    /// Before everything.
    pub const START: Position = Position { segment: 0, offset: 0, seq: 0 };
}

/// Where a frame begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FrameRef {
    /// Number of the segment.
    pub segment: u32,
    /// Offset in bytes of the frame within the segment.
    pub offset: u64,
}

impl FrameRef {
    /// The reference to this frame's text `index`, counted from 0.
    pub fn text(self, index: u32) -> TextRef {
        TextRef { segment: self.segment, offset: self.offset, index }
    }
}

/// Where a text stands. Sixteen bytes as they are, about seven under a varint encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextRef {
    /// Number of the segment.
    pub segment: u32,
    /// Offset in bytes of the frame within the segment.
    pub offset: u64,
    /// Number of the text within the frame, counted from 0.
    pub index: u32,
}

impl TextRef {
    /// The frame the text stands in.
    pub fn frame(self) -> FrameRef {
        FrameRef { segment: self.segment, offset: self.offset }
    }

    /// Sixteen big-endian bytes: segment, offset, index. They sort as the references do.
    pub fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&self.segment.to_be_bytes());
        bytes[4..12].copy_from_slice(&self.offset.to_be_bytes());
        bytes[12..].copy_from_slice(&self.index.to_be_bytes());
        bytes
    }

    /// The reference that [`TextRef::to_bytes`] wrote.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        let packed = u128::from_be_bytes(bytes);
        TextRef {
            segment: (packed >> 96) as u32,
            offset: (packed >> 32) as u64,
            index: packed as u32,
        }
    }
}

impl fmt::Display for TextRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08}:{}:{}", self.segment, self.offset, self.index)
    }
}
