//! What a decision needs to know of the archive.

use crate::dedup::{Additions, Facts};
use crate::game::Game;
use crate::store::{GameId, Recognised, Store, StoreError};

/// The archive as a decision sees it, batches not yet written included.
pub trait Lookup {
    /// Games of which some text has this one's fingerprint.
    fn with_fingerprint(&self, game: &Recognised) -> Vec<GameId>;
    /// Games that have been met with one of these site ids.
    fn with_site_ids(&self, facts: &Facts) -> Vec<GameId>;
    /// Games of `source` that may go on and carry the same tags.
    fn open_in(&self, source: &str, game: &Recognised) -> Result<Vec<GameId>, StoreError>;
    /// What decides whether a game is this one, edits included.
    fn facts(&self, game: GameId) -> Result<Facts, StoreError>;
    /// The same of each of its texts as it came, where that may be something else.
    fn facts_as_imported(&self, game: GameId) -> Result<Vec<Facts>, StoreError>;
    /// What a copy adds to a game and all that was added to it before.
    fn additions(&self, game: GameId, copy: &Recognised) -> Result<Additions, StoreError>;
    /// What a game and all that was added to it have over a text that takes its place.
    fn remains(&self, game: GameId, later: &Game) -> Result<Additions, StoreError>;
    /// The number that the next new game gets.
    fn next_game(&self) -> GameId;
}

impl Lookup for Store {
    fn with_fingerprint(&self, game: &Recognised) -> Vec<GameId> {
        self.with_fingerprint(game.fingerprint)
    }

    fn with_site_ids(&self, facts: &Facts) -> Vec<GameId> {
        facts.ids.iter().flat_map(|id| self.with_site_id(id)).collect()
    }

    fn open_in(&self, source: &str, game: &Recognised) -> Result<Vec<GameId>, StoreError> {
        self.open_in(source, game)
    }

    fn facts(&self, game: GameId) -> Result<Facts, StoreError> {
        self.facts(game)
    }

    fn facts_as_imported(&self, game: GameId) -> Result<Vec<Facts>, StoreError> {
        self.facts_as_imported(game)
    }

    fn additions(&self, game: GameId, copy: &Recognised) -> Result<Additions, StoreError> {
        self.additions(game, copy)
    }

    fn remains(&self, game: GameId, later: &Game) -> Result<Additions, StoreError> {
        self.remains(game, later)
    }

    fn next_game(&self) -> GameId {
        self.next_game()
    }
}
