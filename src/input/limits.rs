//! How much a file may ask for: the caps against decompression bombs (reliability.md 19).

/// Caps on what is read from one file.
///
/// Memory is bounded without them, as everything is streamed: they save time and disk from a
/// file that was made to unpack to nothing but more of itself.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Size of a piece in bytes: what [`Text::next_piece`](super::Text::next_piece) fills.
    pub piece_bytes: usize,
    /// Bytes out for one byte in beyond which a file counts as a bomb. Real archives of games
    /// stand at 4 to 10; a bomb at 1,000 and more.
    pub ratio: u64,
    /// Bytes that may come out before `ratio` is looked at: a small file that holds the same game
    /// many times over is no harm.
    pub ratio_from: u64,
    /// Bytes one file may unpack to, all members of an archive together.
    pub total_bytes: u64,
    /// Largest zstd window, as a power of two. 27 (128 MiB) is what `zstd --long` writes and fits
    /// the memory promised for an import (300 MiB); `--long=31` would need 2 GiB.
    pub zstd_window_log: u32,
    /// Bytes of a zip archive that may be read to learn its members: each costs memory for as
    /// long as the archive is open. 8 MiB are about 100,000 members.
    pub zip_directory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            piece_bytes: 1 << 20,
            ratio: 200,
            ratio_from: 256 << 20,
            total_bytes: 4 << 40,
            zstd_window_log: 27,
            zip_directory_bytes: 8 << 20,
        }
    }
}
