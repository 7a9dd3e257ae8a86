//! Numbered records in blocks: one sled value holds up to [`PER_BLOCK`] of them, since sled's cost
//! is by the value and hardly by its length.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::keys::{self, Kind};

/// Records in one sled value.
pub(super) const PER_BLOCK: u32 = 32;

/// A growing list of records, numbered from 1. Changes wait in memory until they are written with
/// the rest of their batch.
pub(super) struct Blocks<T> {
    kind: Kind,
    len: u32,
    pending: BTreeMap<u32, Vec<u8>>,
    /// Where a record is encoded, used again and again.
    scratch: Vec<u8>,
    /// Blocks read last, each in the place that its number gives it: games come in the order of
    /// their earlier copies, and the same players again and again.
    read: Mutex<Vec<Option<(u32, sled::IVec)>>>,
    records: PhantomData<T>,
}

/// Blocks of a list that are kept at hand.
const AT_HAND: usize = 512;

impl<T: Serialize + DeserializeOwned> Blocks<T> {
    /// The list of this kind, of which `len` records count; what stands beyond them is left from a
    /// batch that was cut off.
    pub(super) fn new(kind: Kind, len: u32) -> Blocks<T> {
        Blocks {
            kind,
            len,
            pending: BTreeMap::new(),
            scratch: Vec::new(),
            read: Mutex::default(),
            records: PhantomData,
        }
    }

    /// How many records there are; also the number of the last.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The record with this number; `None` where the list leaves it out or is not that long.
    pub(super) fn get(&self, tree: &sled::Tree, number: u32) -> Result<Option<T>, StoreError> {
        if number == 0 || number > self.len {
            return Ok(None);
        }
        if let Some(bytes) = self.pending.get(&number) {
            return parse(self.kind, bytes);
        }
        let (block, at) = place(number);
        let Some(value) = self.block(tree, block)? else {
            return Err(self.missing(number));
        };
        match slice(&value, at) {
            Some(bytes) => parse(self.kind, bytes),
            None => Err(self.missing(number)),
        }
    }

    /// The block with this number.
    fn block(&self, tree: &sled::Tree, block: u32) -> Result<Option<sled::IVec>, StoreError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.is_empty() {
            read.resize(AT_HAND, None);
        }
        let place = &mut read[block as usize % AT_HAND];
        if let Some((_, value)) = place.as_ref().filter(|(number, _)| *number == block) {
            return Ok(Some(value.clone()));
        }
        let value = tree.get(keys::numbered(self.kind, block))?;
        *place = value.clone().map(|value| (block, value));
        Ok(value)
    }

    /// Writes the record with this number; the next free number makes the list longer.
    pub(super) fn put(&mut self, number: u32, record: &T) {
        self.len = self.len.max(number);
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        self.scratch = postcard::to_extend(record, bytes).expect("records are plain data");
        // No byte more than it needs: a dry run keeps all of them.
        self.pending.insert(number, self.scratch.as_slice().to_vec());
    }

    /// Makes the list `len` long, leaving out the numbers in between: what had them is lost, and
    /// nothing else gets them.
    pub(super) fn leave_out_to(&mut self, len: u32) {
        for number in self.len + 1..=len {
            self.pending.insert(number, Vec::new());
        }
        self.len = self.len.max(len);
    }

    /// Adds a record and returns its number.
    pub(super) fn push(&mut self, record: &T) -> u32 {
        let number = self.len + 1;
        self.put(number, record);
        number
    }

    /// Puts all changes into `batch`; they are done when it is applied.
    pub(super) fn write(
        &mut self,
        tree: &sled::Tree,
        batch: &mut sled::Batch,
    ) -> Result<(), StoreError> {
        let mut pending = std::mem::take(&mut self.pending).into_iter().peekable();
        let read = self.read.get_mut().unwrap_or_else(PoisonError::into_inner);
        while let Some((number, bytes)) = pending.next() {
            let (block, at) = place(number);
            let key = keys::numbered(self.kind, block);
            let mut records = match tree.get(&key)? {
                Some(value) => all(&value).map(<[u8]>::to_vec).collect(),
                None => Vec::new(),
            };
            set(&mut records, at, bytes);
            while let Some((number, bytes)) =
                pending.next_if(|(number, _)| place(*number).0 == block)
            {
                set(&mut records, place(number).1, bytes);
            }
            batch.insert(key, join(&records));
            if let Some(place) = read.get_mut(block as usize % AT_HAND) {
                *place = None;
            }
        }
        Ok(())
    }

    /// All records in their order, with their numbers.
    pub(super) fn iter<'a>(
        &'a self,
        tree: &'a sled::Tree,
    ) -> impl Iterator<Item = Result<(u32, T), StoreError>> + 'a {
        self.between(tree, 1, self.len)
    }

    /// The records from `first` to `last`, with their numbers; `U` is a record or its beginning.
    pub(super) fn between<'a, U: DeserializeOwned + 'a>(
        &'a self,
        tree: &'a sled::Tree,
        first: u32,
        last: u32,
    ) -> impl Iterator<Item = Result<(u32, U), StoreError>> + 'a {
        let last = last.min(self.len);
        (place(first).0..last.div_ceil(PER_BLOCK)).flat_map(move |block| {
            let value = tree.get(keys::numbered(self.kind, block));
            let of_block = block * PER_BLOCK + 1;
            (of_block.max(first)..=last.min(of_block + (PER_BLOCK - 1)))
                .filter_map(move |number| {
                    let bytes = match self.pending.get(&number) {
                        Some(bytes) => Some(bytes.as_slice()),
                        None => match &value {
                            Ok(value) => {
                                value.as_ref().and_then(|value| slice(value, place(number).1))
                            }
                            Err(error) => return Some(Err(StoreError::from(error.clone()))),
                        },
                    };
                    let record = match bytes {
                        Some(bytes) => parse(self.kind, bytes),
                        None => Err(self.missing(number)),
                    };
                    record.map(|record| Some((number, record?))).transpose()
                })
                .collect::<Vec<_>>()
        })
    }

    fn missing(&self, number: u32) -> StoreError {
        StoreError::IndexDamaged(format!("{:?} {number} is missing", self.kind))
    }
}

/// A record; `None` for a number that is left out, which stands there as no bytes.
fn parse<T: DeserializeOwned>(kind: Kind, bytes: &[u8]) -> Result<Option<T>, StoreError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    postcard::from_bytes(bytes)
        .map(Some)
        .map_err(|error| StoreError::IndexDamaged(format!("{kind:?}: {error}")))
}

/// Block and place within it.
fn place(number: u32) -> (u32, usize) {
    ((number - 1) / PER_BLOCK, ((number - 1) % PER_BLOCK) as usize)
}

fn set(records: &mut Vec<Vec<u8>>, at: usize, bytes: Vec<u8>) {
    if records.len() <= at {
        records.resize(at + 1, Vec::new());
    }
    records[at] = bytes;
}

/// Count (one byte), the end of each record (four bytes), the records.
fn join(records: &[Vec<u8>]) -> Vec<u8> {
    let total: usize = records.iter().map(Vec::len).sum();
    let mut value = Vec::with_capacity(1 + 4 * records.len() + total);
    value.push(u8::try_from(records.len()).expect("a block is short"));
    let mut end = 0u32;
    for record in records {
        end += u32::try_from(record.len()).expect("a record is below 4 GiB");
        value.extend_from_slice(&end.to_be_bytes());
    }
    for record in records {
        value.extend_from_slice(record);
    }
    value
}

fn slice(value: &[u8], at: usize) -> Option<&[u8]> {
    let count = usize::from(*value.first()?);
    if at >= count {
        return None;
    }
    let end = |at: usize| -> Option<usize> {
        let bytes = value.get(1 + 4 * at..5 + 4 * at)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize)
    };
    let from = if at == 0 { 0 } else { end(at - 1)? };
    value.get(1 + 4 * count..)?.get(from..end(at)?)
}

fn all(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let count = value.first().copied().unwrap_or(0);
    (0..usize::from(count)).map_while(|at| slice(value, at))
}
