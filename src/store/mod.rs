//! The archive on disk: the journal, which is the truth, and the index, which follows from it.
//!
//! One process has it open at a time. A batch is staged (seen by every reader of this [`Store`]),
//! then committed: appended to the journal, synced, and only then applied to sled. What is not
//! committed is forgotten at the next start. Never: a second place where a decision is made or a
//! name is chosen, or a change of the index that no record of the journal explains.

mod apply;
mod aside;
mod batch;
mod blocks;
mod closing;
mod damage;
mod database;
mod doctor;
mod error;
mod find;
mod hashes;
mod index;
pub mod journal;
mod keys;
mod lock;
mod meta;
mod open;
mod rebuild;
mod recent;
mod recognised;
mod record;
mod replay;
mod revive;
mod row;
mod standing;
mod tagset;
mod witness;

use std::path::PathBuf;
use std::sync::Mutex;

pub use batch::Recorded;
pub use damage::{guarded, mark_index, sled_panicked};
pub use doctor::{Checkup, Finding, Part};
pub use error::{Lossy, StoreError};
pub use meta::{Lost, Totals};
pub use recognised::Recognised;
pub use record::{Counts, Decision, GameId, Origin, Reason, Record, RejectedId, RunId, TextId};
pub use revive::Losses;
pub use row::{CopyRow, GameRow, GameSides, Place, Player, PlayerId, RejectedRow, Role, RunRow};
pub use standing::Standing;

use batch::Batch;
use index::Index;
use journal::Journal;
use lock::Lock;
use standing::Completed;

/// The archive, open.
pub struct Store {
    dir: PathBuf,
    journal: Journal,
    index: Index,
    batch: Batch,
    /// Bytes that must stay free on the disk.
    keep_free: u64,
    /// What was found and mended at the start, in words.
    notices: Vec<String>,
    /// See [`Completed`].
    completed: Mutex<Option<Completed>>,
    // Last, so that it is given up after everything else is closed.
    _lock: Lock,
}

impl Store {
    /// What was found and mended when the archive was opened, in words.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// From now on nothing is committed where fewer than `bytes` are free on the disk of the archive:
    /// it stops before it hits the wall (reliability.md 18).
    ///
    /// # Errors
    /// [`StoreError::NoRoom`] where that is so already.
    pub fn keep_free(&mut self, bytes: u64) -> Result<(), StoreError> {
        self.keep_free = bytes.max(open::ROOM);
        open::check_room(&self.dir, self.keep_free)
    }

    /// The folder of the archive.
    pub fn dir(&self) -> &std::path::Path {
        &self.dir
    }

    /// The totals over the archive.
    pub fn totals(&self) -> Totals {
        self.index.totals
    }

    /// Bytes of the journal, as far as they can be counted.
    pub fn journal_bytes(dir: &std::path::Path) -> u64 {
        let entries = std::fs::read_dir(dir.join("journal")).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
    }

    /// Batches of the journal.
    pub fn batches(&self) -> u64 {
        self.journal.end().seq
    }

    /// What damage to the journal has cost, as far as it was passed over ([`Store::rebuild`]).
    pub fn lost(&self) -> Lost {
        self.index.lost
    }

    /// The row of a game.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] where there is no such game.
    pub fn game(&self, id: GameId) -> Result<GameRow, StoreError> {
        self.index.game(id)
    }

    /// The games with these numbers, deleted ones included.
    pub fn games_between(
        &self,
        first: GameId,
        last: GameId,
    ) -> impl Iterator<Item = Result<(GameId, GameRow), StoreError>> + '_ {
        self.index.games.between(self.index.tree(), first, last)
    }

    /// Who played all games, in the order of their numbers: the quick way through them.
    pub fn sides(&self) -> impl Iterator<Item = Result<(GameId, GameSides), StoreError>> + '_ {
        self.index.games.between(self.index.tree(), 1, self.last_game())
    }

    /// The number of the last game.
    pub fn last_game(&self) -> GameId {
        self.index.games.len()
    }

    /// All games in the order of their numbers, deleted ones included.
    pub fn games(&self) -> impl Iterator<Item = Result<(GameId, GameRow), StoreError>> + '_ {
        self.index.games.iter(self.index.tree())
    }

    /// A game in words: its number, the players, the date.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn name_of(&self, id: GameId) -> Result<String, StoreError> {
        let row = self.game(id)?;
        let (white, black) = (self.player(row.white)?.shown, self.player(row.black)?.shown);
        Ok(format!("game {id} ({white} – {black}, {})", row.date))
    }

    /// The copies of a game, in the order in which they came.
    pub fn copies(&self, id: GameId) -> Result<Vec<CopyRow>, StoreError> {
        Ok(self.index.copies(id, 0)?.into_iter().map(|(_, copy)| copy).collect())
    }

    /// A player.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] where there is no such player.
    pub fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.index.player(id)
    }

    /// All players in the order of their numbers.
    pub fn players(&self) -> impl Iterator<Item = Result<(PlayerId, Player), StoreError>> + '_ {
        self.index.players.iter(self.index.tree())
    }

    /// The name of a source.
    pub fn source(&self, place: Place) -> Result<String, StoreError> {
        self.index.source(place.source)
    }

    /// A game kept aside.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] where there is no such game.
    pub fn rejected(&self, id: RejectedId) -> Result<RejectedRow, StoreError> {
        let row = self.index.rejected.get(self.index.tree(), id)?;
        row.ok_or(StoreError::Unknown { what: "rejected game", id })
    }

    /// All games kept aside, settled ones included.
    pub fn all_rejected(
        &self,
    ) -> impl Iterator<Item = Result<(RejectedId, RejectedRow), StoreError>> + '_ {
        self.index.rejected.iter(self.index.tree())
    }

    /// All runs in their order.
    pub fn runs(&self) -> impl Iterator<Item = Result<(RunId, RunRow), StoreError>> + '_ {
        self.index.runs.iter(self.index.tree())
    }

    /// A source's cursor.
    pub fn cursor(&self, followed: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.index.cursor(followed)
    }
}
