//! One game as it stands in a file, cut out but not yet understood.

/// The bytes of one game and where in its source they stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawGame {
    /// The text, byte for byte (of a UTF-16 file: its UTF-8 transcription). For a game over the
    /// size limit only the beginning; see `oversize`.
    pub bytes: Vec<u8>,
    /// Offset in bytes of the first byte within the source text.
    pub offset: u64,
    /// Line of the first byte, counted from 1.
    pub line: u64,
    /// False when the source ended before the game had an end marker (pgn.md, “no end marker”).
    pub complete: bool,
    /// Set when the game is over the size limit (pgn.md: 16 MiB) and `bytes` is its beginning.
    pub oversize: Option<Oversize>,
}

/// What is known of a game that was too big to be kept whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oversize {
    /// Length in bytes of the whole game.
    pub length: u64,
    /// xxh3-128 of all its bytes.
    pub hash: u128,
}
