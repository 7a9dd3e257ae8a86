//! Bytes → raw games → [`Game`], and back to standard PGN (pgn.md).
//!
//! Pure: no I/O, no clock. A game is never shortened: what cannot be read whole is a
//! [`Rejection`], and whatever was mended on the way is told by a [`Note`].

mod controls;
mod date;
mod encoding;
mod ending;
mod glyph;
mod letters;
mod lex;
mod lines;
mod litter;
mod mend;
mod movetext;
mod origins;
mod problem;
mod raw;
mod read;
mod replay;
mod resolve;
mod result;
mod san;
mod seen;
mod site;
mod split;
mod start;
mod tagpair;
mod tags;
mod tokens;
mod word;
mod wrap;
mod write;

use compact_str::CompactString;

pub use encoding::encoding_named;
pub use movetext::Movetext;
pub use problem::{Note, Rejection, RejectionKind};
pub use raw::{Oversize, RawGame};
pub use read::{read, reread};
pub use result::GameResult;
pub use site::{SiteId, is_online, site_ids};
pub use split::Splitter;
pub use start::{Rules, Start};
pub use tags::{Tag, Tags};
pub use tokens::{Token, tokens};
pub use write::write_game;

/// A game that has been read whole.
#[derive(Debug, Clone)]
pub struct Game {
    /// Every tag pair, known or not, in its order, as it came.
    pub tags: Tags,
    /// The date as it is compared (names.md §5): `2013.05.01`, unknown parts `??`, or the text as
    /// it stands where it cannot be read; `????.??.??` where there is none.
    pub date: CompactString,
    /// The result as it is compared (names.md §5).
    pub result: GameResult,
    /// Rules and first position.
    pub start: Start,
    /// The moves.
    pub movetext: Movetext,
    /// What was mended or is doubtful.
    pub notes: Vec<Note>,
}

#[cfg(test)]
mod tests;
