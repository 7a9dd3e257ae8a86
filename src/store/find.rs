//! Finding games that an incoming one may be.

use xxhash_rust::xxh3::xxh3_64;

use super::apply::{MANY, open_mark};
use super::index::narrow;
use super::open::read;
use super::{CopyRow, GameId, Place, Recognised, Store, StoreError, TextId};
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
            facts.extend(self.facts_of_text(row.text, row.place, row.complete, &row.encoding)?);
        }
        if row.other_keys {
            for copy in self.copies(id)? {
                let CopyRow { text, place, complete, encoding, .. } = copy;
                facts.extend(self.facts_of_text(text, place, complete, &encoding)?);
            }
        }
        Ok(facts)
    }

    /// What decides about the game in a text; `None` where that cannot be read any more: then no
    /// other is known to be it.
    fn facts_of_text(
        &self,
        text: TextId,
        place: Place,
        complete: bool,
        encoding: &str,
    ) -> Result<Option<Facts>, StoreError> {
        match self.raw(text, place, complete) {
            Ok(raw) => Ok(Some(Facts::of(&read(&raw, encoding)?, complete))),
            Err(error) if error.is_lost_text() => Ok(None),
            Err(error) => Err(error),
        }
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
        match self.completed(id, &row, |game| Additions::of(parts(game), parts(&copy.game))) {
            Ok(additions) => Ok(additions),
            // The copy will stand for it as a whole.
            Err(error) if error.is_lost_text() => Ok(Additions::default()),
            Err(error) => Err(error),
        }
    }

    /// What a game and all that was added to it have over a text that takes its place.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn remains(&self, id: GameId, later: &Game) -> Result<Additions, StoreError> {
        match self.standing(id, self.index.game(id)?) {
            Ok(standing) => Ok(Additions::of(parts(later), parts(&standing.game))),
            Err(error) if error.is_lost_text() => Ok(Additions::default()),
            Err(error) => Err(error),
        }
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
