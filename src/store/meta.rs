//! Up to where the index has got, and how long its lists are.

use serde::{Deserialize, Serialize};

use super::journal::Position;

/// The format of the index; another one is made anew from the journal.
pub(super) const INDEX_FORMAT: u32 = 2;

/// Written with every batch, in the same atomic step as what the batch changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meta {
    /// [`INDEX_FORMAT`] when it was written.
    pub(super) format: u32,
    /// The journal is applied up to here; `None` when nothing is.
    pub(super) applied: Option<Position>,
    /// Lengths of the lists, in the order of [`super::index::Index::lists`].
    pub(super) lists: Vec<u32>,
    /// Lengths of the hash logs, in the order of [`super::index::Index::logs`].
    pub(super) logs: Vec<u64>,
    /// The number that the next text gets.
    pub(super) next_text: u32,
    /// The totals that `status` prints.
    pub(super) totals: Totals,
}

/// Totals over the archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Games that are not deleted.
    pub games: u64,
    /// Further texts of games.
    pub copies: u64,
    /// Of these, copies that are duplicates (the others are earlier moments of their game).
    pub duplicates: u64,
    /// Games kept aside that have not been read since.
    pub rejected: u64,
    /// Goes up with every batch that changes what an export may show.
    pub generation: u64,
}
