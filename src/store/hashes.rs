//! Hash → number, in memory, kept on disk as a log of entries in chunks.
//!
//! Random keys are what sled is slow at; here a batch rewrites the last chunk and adds new ones.
//! An entry only finds a candidate: whoever asks compares in full. Entries are never taken out.

use hashbrown::HashTable;

use super::StoreError;
use super::keys::{self, Kind};

/// Entries in one sled value.
const PER_CHUNK: usize = 1024;
/// Bytes of an entry: the hash and the number, big endian.
const ENTRY: usize = 16;

pub(super) struct Hashes {
    kind: Kind,
    table: HashTable<(u64, u64)>,
    len: usize,
    /// Bytes of the last chunk where it is not full, then all that is not written yet.
    tail: Vec<u8>,
    changed: bool,
}

impl Hashes {
    /// Reads the first `len` entries of this kind; what stands beyond them is left from a batch that
    /// was cut off.
    pub(super) fn load(kind: Kind, len: u64, tree: &sled::Tree) -> Result<Hashes, StoreError> {
        let len = usize::try_from(len).map_err(|_| damaged(kind))?;
        let mut table = HashTable::with_capacity(len.min(1 << 24));
        let mut tail = Vec::new();
        let mut read = 0;
        for chunk in 0..len.div_ceil(PER_CHUNK) {
            let number = u32::try_from(chunk).map_err(|_| damaged(kind))?;
            let value = tree.get(keys::numbered(kind, number))?.ok_or_else(|| damaged(kind))?;
            let wanted = (len - read).min(PER_CHUNK);
            let bytes = value.get(..wanted * ENTRY).ok_or_else(|| damaged(kind))?;
            for entry in bytes.chunks_exact(ENTRY) {
                let (hash, number) = split(entry);
                table.insert_unique(hash, (hash, number), |entry| entry.0);
            }
            read += wanted;
            if wanted < PER_CHUNK {
                tail = bytes.to_vec();
            }
        }
        Ok(Hashes { kind, table, len, tail, changed: false })
    }

    /// How many entries there are.
    pub(super) fn len(&self) -> u64 {
        self.len as u64
    }

    /// The numbers that stand under this hash.
    pub(super) fn get(&self, hash: u64) -> impl Iterator<Item = u64> + '_ {
        self.table.iter_hash(hash).filter(move |entry| entry.0 == hash).map(|entry| entry.1)
    }

    /// Adds an entry where fewer than `most` stand under its hash: what very many share tells
    /// nothing, and must not cost more with each.
    pub(super) fn insert_up_to(&mut self, most: usize, hash: u64, number: u64) {
        if self.get(hash).take(most).count() < most {
            self.insert(hash, number);
        }
    }

    /// Adds an entry, unless it stands there.
    pub(super) fn insert(&mut self, hash: u64, number: u64) {
        if self.get(hash).any(|known| known == number) {
            return;
        }
        self.table.insert_unique(hash, (hash, number), |entry| entry.0);
        self.tail.extend_from_slice(&hash.to_be_bytes());
        self.tail.extend_from_slice(&number.to_be_bytes());
        self.len += 1;
        self.changed = true;
    }

    /// Puts what is new into `batch`.
    pub(super) fn write(&mut self, batch: &mut sled::Batch) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        let first = (self.len - self.tail.len() / ENTRY) / PER_CHUNK;
        for (chunk, bytes) in self.tail.chunks(PER_CHUNK * ENTRY).enumerate() {
            let number = u32::try_from(first + chunk).expect("entries are counted in 32 bits");
            batch.insert(keys::numbered(self.kind, number), bytes);
        }
        let whole = self.tail.len() / (PER_CHUNK * ENTRY) * PER_CHUNK * ENTRY;
        self.tail.drain(..whole);
    }
}

fn split(entry: &[u8]) -> (u64, u64) {
    let (hash, number) = entry.split_at(8);
    let read = |bytes: &[u8]| u64::from_be_bytes(bytes.try_into().expect("an entry is 16 bytes"));
    (read(hash), read(number))
}

fn damaged(kind: Kind) -> StoreError {
    StoreError::IndexDamaged(format!("a chunk of {kind:?} is missing or short"))
}
