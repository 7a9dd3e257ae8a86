//! Up to where the index has got, and how long its lists are.

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::journal::{ArchiveId, FrameRef, Position};
use super::record::Tally;

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
    /// The archive of the journal that it was made of.
    pub(super) archive: Option<ArchiveId>,
    /// The frame that ends at `applied`; its last record says what the index must come to.
    pub(super) last: Option<FrameRef>,
    /// See [`Tally::chain`].
    pub(super) chain: u64,
    /// What damage to the journal has cost.
    pub(super) lost: Lost,
    /// The index was made anew and still comes to something else than that record says.
    pub(super) disagrees: bool,
}

impl Meta {
    /// Reads what [`Index::write`](super::index::Index::write) wrote.
    ///
    /// # Errors
    /// [`StoreError::Newer`]; [`StoreError::IndexDamaged`] for another format or bytes that are none.
    pub(super) fn parse(bytes: &[u8]) -> Result<Meta, StoreError> {
        let damaged = |error: postcard::Error| StoreError::IndexDamaged(error.to_string());
        // The format stands first in every version.
        let (format, _) = postcard::take_from_bytes::<u32>(bytes).map_err(damaged)?;
        if format > INDEX_FORMAT {
            return Err(StoreError::Newer { found: format, known: INDEX_FORMAT });
        }
        if format < INDEX_FORMAT {
            let message =
                format!("it has format {format}, and this gamekeeper uses {INDEX_FORMAT}");
            return Err(StoreError::IndexDamaged(message));
        }
        postcard::from_bytes(bytes).map_err(damaged)
    }

    /// What the index comes to.
    pub(super) fn tally(&self) -> Tally {
        let next = |list: usize| self.lists.get(list).copied().unwrap_or(0) + 1;
        let Totals { games, copies, duplicates, rejected, .. } = self.totals;
        Tally {
            games,
            copies,
            duplicates,
            rejected,
            next_game: next(0),
            next_rejected: next(4),
            next_run: next(5),
            next_text: self.next_text.max(1),
            chain: self.chain,
        }
    }
}

/// What damage to the journal has cost, as far as the user has had it passed over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Batches lost in whole or in part.
    pub batches: u64,
    /// Games lost.
    pub games: u64,
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
