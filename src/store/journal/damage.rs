//! What is wrong with a journal, and where.

use std::fmt;

use super::segment::file_name;

/// A damaged place. What lies outside of it is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Number of the segment.
    pub segment: u32,
    /// Offset in bytes of the first damaged byte.
    pub from: u64,
    /// Offset in bytes behind the last damaged byte.
    pub to: u64,
    /// What is wrong there.
    pub kind: DamageKind,
}

/// The kinds of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamageKind {
    /// The segment's header cannot be read. Its frames can.
    SegmentHeader,
    /// Bytes in which no frame can be found.
    Stretch,
    /// The last frame of the journal is not finished: a write was interrupted.
    Unfinished,
    /// The records of a frame cannot be read, so the frame is lost as a batch; its texts may be
    /// whole.
    Records {
        /// The frame's sequence number.
        seq: u64,
    },
    /// The block table of a frame cannot be read, and with it the frame.
    BlockTable {
        /// The frame's sequence number.
        seq: u64,
    },
    /// Some texts of a frame cannot be read. Its records can.
    Texts {
        /// The frame's sequence number.
        seq: u64,
        /// The first lost text, counted from 0 in the frame.
        first: u32,
        /// How many are lost.
        count: u32,
    },
    /// A frame that stands in the journal a second time, or behind a later one. It is passed over.
    Repeated {
        /// The frame's sequence number.
        seq: u64,
    },
    /// Segments are missing, from the damage's segment up to this one. Offsets are 0.
    MissingSegments {
        /// Number of the last missing segment.
        last: u32,
    },
    /// Frames that should stand before this place are nowhere. Where other damage was reported
    /// before it, this says what that damage cost.
    MissingFrames {
        /// Sequence number of the first.
        first: u64,
        /// Sequence number of the last.
        last: u64,
    },
}

impl Damage {
    /// Where it is: the segment, and the bytes where they are known.
    pub fn place(&self) -> String {
        let name = file_name(self.segment);
        if self.to > self.from { format!("{name}:{}-{}", self.from, self.to) } else { name }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = file_name(self.segment);
        let (from, to) = (self.from, self.to);
        match self.kind {
            DamageKind::SegmentHeader => write!(f, "journal segment {name}: the header is damaged"),
            DamageKind::Stretch => {
                write!(f, "journal segment {name}: bytes {from} to {to} hold no readable frame")
            }
            DamageKind::Unfinished => {
                write!(f, "journal segment {name}: the last frame, from byte {from}, is unfinished")
            }
            DamageKind::Records { seq } => write!(
                f,
                "journal segment {name}: the records of frame {seq} (bytes {from} to {to}) are damaged"
            ),
            DamageKind::BlockTable { seq } => write!(
                f,
                "journal segment {name}: the block table of frame {seq} (bytes {from} to {to}) is damaged"
            ),
            DamageKind::Texts { seq, first, count } => write!(
                f,
                "journal segment {name}: {count} texts of frame {seq}, from number {first} on (bytes {from} to {to}), are damaged"
            ),
            DamageKind::Repeated { seq } => write!(
                f,
                "journal segment {name}: frame {seq} stands again or out of order at bytes {from} to {to}, passed over"
            ),
            DamageKind::MissingSegments { last } if last == self.segment => {
                write!(f, "journal segment {name} is missing")
            }
            DamageKind::MissingSegments { last } => {
                write!(f, "journal segments {name} to {} are missing", file_name(last))
            }
            DamageKind::MissingFrames { first, last } if first == last => {
                write!(f, "journal segment {name}: frame {first} is missing before byte {from}")
            }
            DamageKind::MissingFrames { first, last } => write!(
                f,
                "journal segment {name}: frames {first} to {last} are missing before byte {from}"
            ),
        }
    }
}
