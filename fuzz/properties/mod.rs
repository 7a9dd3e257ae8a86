//! What must hold for any bytes whatever. Each module has one `holds`, which panics where it does
//! not; the fuzz targets call it with bytes that a fuzzer makes up, `tests/it/fuzz.rs` with those
//! of `fuzz/corpus`.

#![allow(clippy::unwrap_used, reason = "what does not hold is told by panicking")]
#![allow(unreachable_pub, missing_docs, reason = "tests/it has them as a module, fuzz as a crate")]

pub mod config;
pub mod copies;
pub mod date;
pub mod game;
pub mod journal;
pub mod name;
pub mod record;
pub mod split;

use gamekeeper::game::{RawGame, Splitter};

/// Bytes that seem random and follow from the input alone, so that a failure comes again.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(data: &[u8]) -> Dice {
        Dice(xxhash_rust::xxh3::xxh3_64(data) | 1)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// The games of a text.
pub(crate) fn games_of(text: &[u8]) -> Vec<RawGame> {
    let mut splitter = Splitter::new();
    splitter.push(text);
    splitter.finish();
    splitter.collect()
}

/// The number of line ends in a text: LF, CRLF, CR.
pub(crate) fn line_ends(text: &[u8]) -> u64 {
    let crlf = text.windows(2).filter(|pair| pair == b"\r\n").count();
    (text.iter().filter(|byte| b"\r\n".contains(byte)).count() - crlf) as u64
}
