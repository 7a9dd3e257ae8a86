//! Finding games that an incoming one may be.

use xxhash_rust::xxh3::xxh3_64;

use super::apply::{MANY, open_mark};
use super::index::narrow;
use super::open::read;
use super::{GameId, Recognised, Store, StoreError};
use crate::dedup::{Additions, Facts, Fingerprint, has_notes};
use crate::game::{Game, SiteId, Tags};

/// Candidates come from hashes: whoever asks compares in full.
impl Store {
    /// Games of which some text has this fingerprint.
    pub fn with_fingerprint(&self, fingerprint: Fingerprint) -> Vec<GameId> {
        self.index.fingerprints.get(fingerprint.0).map(narrow).collect()
    }

    /// Games that have been met with this site id; none where very many claim it.
    pub fn with_site_id(&self, id: &SiteId) -> Vec<GameId> {
        few(self.index.site_ids.get(xxh3_64(id.to_string().as_bytes())))
    }

    /// Games of `source` that may go on and carry the same tags (names.md §5, live boards); none
    /// where there are very many.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn open_in(&self, source: &str, game: &Recognised) -> Result<Vec<GameId>, StoreError> {
        let Some(source) = self.index.find_source(source)? else { return Ok(Vec::new()) };
        let mut open = Vec::new();
        for id in few(self.index.open_games.get(open_mark(source, game.lasting_tags))) {
            let row = self.index.game(id)?;
            if row.open && row.place.source == source {
                open.push(id);
            }
        }
        Ok(open)
    }

    /// What decides whether another game is this one, edits included.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn facts(&self, id: GameId) -> Result<Facts, StoreError> {
        self.index.facts_of(&self.index.game(id)?)
    }

    /// The same of each of the game's texts as it came, where that may be something else.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn facts_as_imported(&self, id: GameId) -> Result<Vec<Facts>, StoreError> {
        let row = self.index.game(id)?;
        let mut facts = Vec::new();
        if !row.edits.is_empty() {
            let raw = self.raw(row.text, row.place, row.complete)?;
            facts.push(Facts::of(&read(&raw, &row.encoding)?, row.complete));
        }
        if row.other_keys {
            for copy in self.index.copies(id)? {
                let raw = self.raw(copy.text, copy.place, copy.complete)?;
                facts.push(Facts::of(&read(&raw, &copy.encoding)?, copy.complete));
            }
        }
        Ok(facts)
    }

    /// What a copy adds to a game and to all that was added to it before. Cheap where it plainly
    /// adds nothing.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn additions(&self, id: GameId, copy: &Recognised) -> Result<Additions, StoreError> {
        let row = self.index.game(id)?;
        let same_notes =
            !has_notes(&copy.game.movetext.clean) || row.movetext_hash == copy.movetext_hash;
        if same_notes && self.index.tag_set(row.tag_set)?.includes(&copy.tag_set) {
            return Ok(Additions::default());
        }
        let standing = self.standing(id, row)?;
        Ok(Additions::of(parts(&standing.game), parts(&copy.game)))
    }

    /// What a game and all that was added to it have over a text that takes its place.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn remains(&self, id: GameId, later: &Game) -> Result<Additions, StoreError> {
        let standing = self.standing(id, self.index.game(id)?)?;
        Ok(Additions::of(parts(later), parts(&standing.game)))
    }

    /// The number that the next new game gets.
    pub fn next_game(&self) -> GameId {
        self.index.games.len() + 1
    }
}

fn parts(game: &Game) -> (&Tags, &str) {
    (&game.tags, &game.movetext.clean)
}

fn few(numbers: impl Iterator<Item = u64>) -> Vec<GameId> {
    let found: Vec<GameId> = numbers.take(MANY).map(narrow).collect();
    if found.len() < MANY { found } else { Vec::new() }
}
