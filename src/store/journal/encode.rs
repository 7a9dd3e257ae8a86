//! Packing a batch into a frame. No I/O, so that it can be done on another thread than writing.

use zstd::bulk::Compressor;

use super::codec::{checksum, put_varint, varint_length};
use super::frame::{BlockEntry, ENTRY, HEADER, Header};
use super::{ArchiveId, JournalError, MAX_RECORDS, MAX_TEXT, MAX_TEXTS, MAX_TEXTS_LENGTH, Options};

/// Packs batches; holds the compressor, which is costly to make.
pub struct Encoder {
    compressor: Compressor<'static>,
    block_size: usize,
    unpacked: Vec<u8>,
    packed: Vec<u8>,
}

/// A packed batch that has no place in the journal yet.
#[derive(Debug, Clone)]
pub struct Encoded {
    header: Header,
    /// The frame, its header still empty.
    bytes: Vec<u8>,
}

impl Encoded {
    /// Length in bytes that the frame takes in the journal.
    pub fn length(&self) -> u64 {
        self.header.length
    }

    /// Number of texts.
    pub fn texts(&self) -> u32 {
        self.header.texts
    }

    /// The frame's bytes as number `seq` of `archive`.
    pub(super) fn frame(&mut self, archive: ArchiveId, seq: u64) -> &[u8] {
        let header = Header { seq, ..self.header };
        self.bytes[..HEADER].copy_from_slice(&header.to_bytes(archive));
        &self.bytes
    }
}

impl Encoder {
    /// An encoder with the block size and level of `options`.
    ///
    /// # Errors
    /// `Compress` where zstd takes no such level or has no memory.
    pub fn new(options: &Options) -> Result<Self, JournalError> {
        Ok(Encoder {
            compressor: Compressor::new(options.level).map_err(JournalError::Compress)?,
            block_size: options.block_size.clamp(1, 8 << 20),
            unpacked: Vec::new(),
            packed: Vec::new(),
        })
    }

    /// Packs one batch.
    ///
    /// # Errors
    /// `TooBig` over one of the limits ([`MAX_RECORDS`], [`MAX_TEXT`], [`MAX_TEXTS`],
    /// [`MAX_TEXTS_LENGTH`]); `Compress`.
    pub fn encode<T: AsRef<[u8]>>(
        &mut self,
        records: &[u8],
        texts: &[T],
    ) -> Result<Encoded, JournalError> {
        check_limits(records, texts)?;
        let groups = self.group(texts);
        let table_length = groups.len() * ENTRY;
        let mut bytes = vec![0; HEADER + table_length];

        self.pack(records)?;
        bytes.extend_from_slice(&self.packed);
        let (records_stored, records_sum) = (self.packed.len() as u32, checksum(&self.packed));

        let mut first = 0;
        for (number, &count) in groups.iter().enumerate() {
            let group = &texts[first..first + count];
            let mut unpacked = std::mem::take(&mut self.unpacked);
            unpacked.clear();
            for text in group {
                put_varint(&mut unpacked, text.as_ref().len() as u32);
            }
            for text in group {
                unpacked.extend_from_slice(text.as_ref());
            }
            let done = self.pack(&unpacked);
            self.unpacked = unpacked;
            done?;
            let entry = BlockEntry {
                first: first as u32,
                texts: count as u32,
                at: bytes.len() as u64,
                length: self.unpacked.len() as u32,
                stored: self.packed.len() as u32,
                sum: checksum(&self.packed),
            };
            entry.write(&mut bytes[HEADER + number * ENTRY..][..ENTRY]);
            bytes.extend_from_slice(&self.packed);
            first += count;
        }
        let header = Header {
            seq: 0,
            length: bytes.len() as u64,
            blocks: groups.len() as u32,
            texts: texts.len() as u32,
            records: records.len() as u32,
            records_stored,
            table_sum: checksum(&bytes[HEADER..HEADER + table_length]),
            records_sum,
        };
        Ok(Encoded { header, bytes })
    }

    /// How many texts go into each block.
    fn group<T: AsRef<[u8]>>(&self, texts: &[T]) -> Vec<usize> {
        let mut groups = Vec::new();
        let (mut count, mut length) = (0, 0);
        for text in texts {
            let text = text.as_ref().len();
            let more = text + varint_length(text as u32);
            if count > 0 && length + more > self.block_size {
                groups.push(count);
                (count, length) = (0, 0);
            }
            count += 1;
            length += more;
        }
        if count > 0 {
            groups.push(count);
        }
        groups
    }

    /// Packs `bytes` into `self.packed`.
    fn pack(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.compressor
            .compress_to_buffer(bytes, &mut self.packed)
            .map_err(JournalError::Compress)?;
        Ok(())
    }
}

fn check_limits<T: AsRef<[u8]>>(records: &[u8], texts: &[T]) -> Result<(), JournalError> {
    let lengths = || texts.iter().map(|text| text.as_ref().len());
    let checks = [
        ("records", records.len(), MAX_RECORDS),
        ("a text", lengths().max().unwrap_or(0), MAX_TEXT),
        ("a number of texts", texts.len(), MAX_TEXTS),
        ("texts", lengths().sum(), MAX_TEXTS_LENGTH),
    ];
    match checks.into_iter().find(|(_, length, limit)| length > limit) {
        Some((what, length, limit)) => Err(JournalError::TooBig { what, length, limit }),
        None => Ok(()),
    }
}
