//! Bytes ↔ numbers, checksums and packed parts. Pure; nothing here trusts a length it is given.

use std::cell::RefCell;

use zstd::bulk::Decompressor;

thread_local! {
    /// One context a thread: making one costs more than unpacking a block.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// The checksum of the whole format.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Unpacks one zstd frame that must give exactly `length` bytes; the caller has held `length`
/// against its limit. Never writes more than that, whatever the frame says of itself.
pub(super) fn unpack(stored: &[u8], length: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Some(Decompressor::new().ok()?);
        }
        let mut out = Vec::with_capacity(length);
        slot.as_mut()?.decompress_to_buffer(stored, &mut out).ok()?;
        (out.len() == length).then_some(out)
    })
}

/// The `N` bytes at `at`, which the caller's fixed-size header holds.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}

/// Appends `value` as an LEB128 varint.
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// How many bytes [`put_varint`] needs.
pub(super) fn varint_length(value: u32) -> usize {
    (value.checked_ilog2().unwrap_or(0) / 7 + 1) as usize
}

/// Takes an LEB128 varint off the front of `bytes`.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u64;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(value).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back_and_know_their_length() {
        for value in [0, 1, 127, 128, 16_383, 16_384, 1 << 21, 1 << 28, u32::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            assert_eq!(bytes.len(), varint_length(value));
            assert_eq!(take_varint(&mut bytes.as_slice()), Some(value));
            assert_eq!(take_varint(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(take_varint(&mut [0xff_u8; 5].as_slice()), None, "over 32 bits");
    }

    #[test]
    fn a_part_that_gives_another_length_is_refused() {
        let stored = zstd::bulk::compress(&[7; 100_000], 1).unwrap();
        assert_eq!(unpack(&stored, 100_000), Some(vec![7; 100_000]));
        assert_eq!(unpack(&stored, 99_999), None, "a bomb");
        assert_eq!(unpack(&stored, 100_001), None);
        assert_eq!(unpack(&stored[..stored.len() - 1], 100_000), None);
    }
}
