//! Unpacked text blocks, the texts in them, and the little memory of those read last.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;

use super::codec::{checksum, take_varint, unpack};
use super::frame::BlockEntry;
use super::segment::Segment;
use super::{Damage, DamageKind, FrameRef, JournalError};

/// An unpacked block.
#[derive(Debug)]
pub(super) struct Block {
    /// The lengths, then the texts.
    bytes: Vec<u8>,
    /// Where each text ends in `bytes`; the first entry is where the first begins.
    ends: Vec<u32>,
}

impl Block {
    /// Reads and checks the block `entry` of the frame at `frame`, number `seq`.
    ///
    /// # Errors
    /// `Damage` (`Texts`) where the block does not hold what the table says; `Io`.
    pub(super) fn load(
        segment: &Segment,
        frame: FrameRef,
        seq: u64,
        entry: &BlockEntry,
    ) -> Result<Arc<Block>, JournalError> {
        let at = frame.offset + entry.at;
        let block = segment
            .read_vec(entry.stored as usize, at)?
            .filter(|stored| checksum(stored) == entry.sum)
            .and_then(|stored| unpack(&stored, entry.length as usize))
            .and_then(|bytes| Block::parse(bytes, entry.texts));
        match block {
            Some(block) => Ok(Arc::new(block)),
            None => Err(JournalError::Damage(Damage {
                segment: segment.number,
                from: at,
                to: at + u64::from(entry.stored),
                kind: DamageKind::Texts { seq, first: entry.first, count: entry.texts },
            })),
        }
    }

    fn parse(bytes: Vec<u8>, texts: u32) -> Option<Block> {
        // Every length takes a byte at least, so this holds the allocation to the block's size.
        if texts as usize > bytes.len() {
            return None;
        }
        let mut ends = Vec::with_capacity(texts as usize + 1);
        ends.push(0);
        let mut rest = bytes.as_slice();
        let mut end = 0_u32;
        for _ in 0..texts {
            end = end.checked_add(take_varint(&mut rest)?)?;
            ends.push(end);
        }
        let lengths = bytes.len() - rest.len();
        if end as usize != rest.len() {
            return None;
        }
        for end in &mut ends {
            *end += lengths as u32;
        }
        Some(Block { bytes, ends })
    }

    /// The text `index` of this block, counted from 0.
    pub(super) fn text(self: &Arc<Self>, index: u32) -> Option<Text> {
        let range = self.ends.get(index as usize..)?.get(..2)?;
        Some(Text { block: Arc::clone(self), from: range[0], to: range[1] })
    }

    fn weight(&self) -> usize {
        self.bytes.len() + self.ends.len() * 4
    }
}

/// A text out of the journal; shares the block it stands in.
#[derive(Clone)]
pub struct Text {
    block: Arc<Block>,
    from: u32,
    to: u32,
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.block.bytes[self.from as usize..self.to as usize]
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({:?})", String::from_utf8_lossy(self))
    }
}

/// The block table of a frame, kept to find its blocks.
#[derive(Debug)]
pub(super) struct Table {
    /// The frame's sequence number.
    pub(super) seq: u64,
    /// Its blocks.
    pub(super) blocks: Vec<BlockEntry>,
}

impl Table {
    /// The block that holds text `index`, and its number in the frame.
    pub(super) fn block_of(&self, index: u32) -> Option<(u32, &BlockEntry)> {
        let number = self.blocks.partition_point(|block| block.first <= index).checked_sub(1)?;
        let block = &self.blocks[number];
        (index - block.first < block.texts).then_some((number as u32, block))
    }
}

/// The tables and blocks read last.
pub(super) struct Cache {
    /// Block tables by frame.
    pub(super) tables: Recent<FrameRef, Arc<Table>>,
    /// Blocks by frame and number.
    pub(super) blocks: Recent<(FrameRef, u32), Arc<Block>>,
}

impl Cache {
    const BLOCKS: usize = 8 << 20;
    const TABLES: usize = 1 << 20;

    pub(super) fn new() -> Self {
        Cache { tables: Recent::new(Self::TABLES), blocks: Recent::new(Self::BLOCKS) }
    }
}

/// A map that forgets what was not asked for longest when it grows too heavy.
pub(super) struct Recent<K, V> {
    map: HashMap<K, Kept<V>>,
    clock: u64,
    weight: usize,
    limit: usize,
}

struct Kept<V> {
    value: V,
    weight: usize,
    used: u64,
}

impl<K: Copy + Eq + Hash, V: Clone> Recent<K, V> {
    /// Few enough that looking at all of them to find the oldest costs nothing beside a read.
    const MOST: usize = 256;

    fn new(limit: usize) -> Self {
        Recent { map: HashMap::new(), clock: 0, weight: 0, limit }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        self.clock += 1;
        let kept = self.map.get_mut(key)?;
        kept.used = self.clock;
        Some(kept.value.clone())
    }

    fn insert(&mut self, key: K, value: V, weight: usize) {
        if weight > self.limit {
            return;
        }
        self.clock += 1;
        self.weight += weight;
        if let Some(old) = self.map.insert(key, Kept { value, weight, used: self.clock }) {
            self.weight -= old.weight;
        }
        while self.weight > self.limit || self.map.len() > Self::MOST {
            let oldest = self.map.iter().min_by_key(|(_, kept)| kept.used).map(|(key, _)| *key);
            let Some(old) = oldest.and_then(|key| self.map.remove(&key)) else {
                break;
            };
            self.weight -= old.weight;
        }
    }
}

impl Recent<FrameRef, Arc<Table>> {
    pub(super) fn keep(&mut self, frame: FrameRef, table: Arc<Table>) {
        let weight = table.blocks.len() * size_of::<BlockEntry>() + 64;
        self.insert(frame, table, weight);
    }
}

impl Recent<(FrameRef, u32), Arc<Block>> {
    pub(super) fn keep(&mut self, key: (FrameRef, u32), block: Arc<Block>) {
        let weight = block.weight() + 64;
        self.insert(key, block, weight);
    }
}
