//! What a record of the journal does to the index.
//!
//! The one place where the index changes, for records as they are made and for records replayed.
//! It follows the decisions that stand in the records and makes none of its own.

use serde_bytes::ByteBuf;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::StoreError;
use super::index::Index;
use super::recognised::Recognised;
use super::record::{Arrival, Counts, Decision, GameId, Reason, Record};
use super::row::{CopyRow, GameRow, Place, Player, PlayerId, RejectedRow, Role, RunRow};
use crate::dedup::{Facts, GameKey};
use crate::game::{Rules, SiteId, Tags, is_online};
use crate::name::{Identity, Sides, shown};

/// A text and what was read in it.
pub(super) struct ReadText<'a> {
    /// [`text_hash`] of its bytes.
    pub(super) hash: u64,
    /// The game in it; `None` where it was rejected.
    pub(super) game: Option<&'a Recognised>,
}

impl Index {
    /// Applies a record that carries no text, in a batch of run `run` at `at`.
    pub(super) fn apply(&mut self, record: &Record, run: u32, at: i64) -> Result<(), StoreError> {
        match record {
            Record::Batch { .. } | Record::Arrival(_) | Record::Totals(_) => {}
            Record::RunBegins { run, command } => {
                let (command, counts) = (command.clone(), Counts::default());
                let row = RunRow { command, began: at, last: at, ended: false, counts };
                self.runs.put(*run, &row);
            }
            Record::Seen(counts) => self.change_run(run, |row| row.counts.add(counts))?,
            Record::RunEnds { run } => self.change_run(*run, |row| {
                row.ended = true;
                row.last = at;
            })?,
            Record::Cursor { followed, cursor } => self.put_cursor(followed, cursor),
            Record::Edited { game, set } => {
                self.change_game(*game, |row| {
                    row.edits.extend(set.iter().cloned());
                    true
                })?;
            }
            Record::Deleted { game } => {
                let change = |row: &mut GameRow| !std::mem::replace(&mut row.deleted, true);
                self.totals.games -= u64::from(self.change_game(*game, change)?);
            }
            Record::Restored { game } => {
                let change = |row: &mut GameRow| std::mem::replace(&mut row.deleted, false);
                self.totals.games += u64::from(self.change_game(*game, change)?);
            }
            Record::Retried { rejected } => self.settle(*rejected)?,
            Record::Lost { batches, games } => {
                self.lost.batches +=
                    batches.iter().map(|(first, last)| last - first + 1).sum::<u64>();
                self.lost.games += u64::from(*games);
            }
        }
        Ok(())
    }

    /// Applies an arrival in a batch of run `run` at `at`.
    pub(super) fn apply_arrival(
        &mut self,
        arrival: &Arrival,
        text: &ReadText<'_>,
        run: u32,
        at: i64,
    ) -> Result<(), StoreError> {
        let source = self.source_id(&arrival.origin.source)?;
        let place = Place { source, offset: arrival.origin.offset, line: arrival.origin.line };
        let hash = text.hash;
        self.texts.insert(hash, u64::from(arrival.text));
        self.change_run(run, |row| {
            row.counts.count(&arrival.decision);
            row.last = at;
        })?;
        let game = || {
            text.game.ok_or_else(|| {
                StoreError::Unreadable("a game that was stored cannot be read".into())
            })
        };
        match &arrival.decision {
            Decision::New { game: id } => {
                self.add_game(*id, arrival, text, place, game()?)?;
                self.totals.games += 1;
            }
            Decision::Supersedes { game: id, ground, adds } => {
                let row = self.game(*id)?;
                let earlier = CopyRow {
                    game: *id,
                    mark: copy_mark(row.place.source, row.text_hash, None),
                    text: row.text,
                    place: row.place,
                    role: Role::Earlier,
                    ground: *ground,
                    encoding: row.encoding.clone(),
                    complete: row.complete,
                    adds: adds.clone(),
                };
                self.put_copy(&earlier)?;
                self.supersede(*id, row, arrival, text, place, game()?)?;
            }
            Decision::Duplicate { of, ground, adds } => {
                let twin = arrival.twin.then_some(place.offset);
                let copy = CopyRow {
                    game: *of,
                    mark: copy_mark(source, hash, twin),
                    text: arrival.text,
                    place,
                    role: Role::Duplicate,
                    ground: *ground,
                    encoding: arrival.encoding.clone(),
                    complete: arrival.complete,
                    adds: adds.clone(),
                };
                self.totals.duplicates += 1;
                self.put_copy(&copy)?;
                self.note_copy(*of, &copy, game()?)?;
            }
            Decision::Rejected { id, reason } => {
                let row = RejectedRow {
                    text: arrival.text,
                    place,
                    encoding: arrival.encoding.clone(),
                    complete: arrival.complete,
                    reason: reason.clone(),
                    at,
                    settled: false,
                };
                self.rejected.put(*id, &row);
                // The same text twice in one source: the first stands for both when it comes again.
                self.rejected_texts.insert_up_to(1, rejected_mark(hash, reason), u64::from(*id));
                self.totals.rejected += 1;
            }
        }
        Ok(())
    }

    fn add_game(
        &mut self,
        id: GameId,
        arrival: &Arrival,
        text: &ReadText<'_>,
        place: Place,
        recognised: &Recognised,
    ) -> Result<(), StoreError> {
        let Recognised { game, facts, tag_set, movetext_hash, .. } = recognised;
        let white = self.player_id(id, &facts.key.white, "White", &game.tags)?;
        let black = self.player_id(id, &facts.key.black, "Black", &game.tags)?;
        let row = GameRow {
            text: arrival.text,
            text_hash: text.hash,
            place,
            encoding: arrival.encoding.clone(),
            complete: arrival.complete,
            white,
            black,
            date: facts.key.date.clone(),
            result: facts.key.result,
            start: facts.key.start.clone(),
            moves: ByteBuf::from(facts.key.moves.clone()),
            plies: game.movetext.plies,
            first_null: game.movetext.first_null,
            ids: facts.ids.clone(),
            tag_set: self.tag_set_id(tag_set)?,
            movetext_hash: *movetext_hash,
            canonical: game.movetext.canonical,
            unverified: matches!(game.start.rules, Rules::Unverified { .. }),
            open: facts.open,
            shared_fide_id: Sides::share_fide_id(
                game.tags.get("WhiteFideId"),
                game.tags.get("BlackFideId"),
            ),
            completed: false,
            other_keys: false,
            deleted: false,
            edits: Vec::new(),
        };
        self.games.put(id, &row);
        self.find_by(id, place.source, recognised);
        self.totals.generation += 1;
        Ok(())
    }

    /// The later text takes the place of the earlier one; the game keeps its number, its ids and
    /// what the user did to it.
    fn supersede(
        &mut self,
        id: GameId,
        old: GameRow,
        arrival: &Arrival,
        text: &ReadText<'_>,
        place: Place,
        recognised: &Recognised,
    ) -> Result<(), StoreError> {
        self.add_game(id, arrival, text, place, recognised)?;
        self.change_game(id, |row| {
            let lost = old.ids.into_iter().filter(|id| !row.ids.contains(id));
            let lost: Vec<_> = lost.collect();
            row.ids.extend(lost);
            row.completed = true;
            row.other_keys = true;
            row.deleted = old.deleted;
            row.edits = old.edits;
            true
        })?;
        Ok(())
    }

    /// What the game learns from a copy.
    fn note_copy(
        &mut self,
        id: GameId,
        copy: &CopyRow,
        recognised: &Recognised,
    ) -> Result<(), StoreError> {
        let facts = &recognised.facts;
        let row = self.game(id)?;
        let other = self.facts_of(&row)?.key != facts.key;
        if other {
            self.fingerprints.insert(recognised.fingerprint.0, u64::from(id));
        }
        self.find_by_site_ids(id, &facts.ids);
        let new_ids: Vec<SiteId> =
            facts.ids.iter().filter(|id| !row.ids.contains(id)).cloned().collect();
        let adds = !copy.adds.is_empty();
        if other && !row.other_keys || adds || !new_ids.is_empty() {
            self.change_game(id, |row| {
                row.other_keys |= other;
                row.completed |= adds;
                row.ids.extend(new_ids);
                adds
            })?;
        }
        Ok(())
    }

    /// Makes the game findable by its fingerprint, its ids and, while it may go on, its tags.
    fn find_by(&mut self, id: GameId, source: u32, recognised: &Recognised) {
        let Recognised { facts, fingerprint, lasting_tags, .. } = recognised;
        self.fingerprints.insert(fingerprint.0, u64::from(id));
        self.find_by_site_ids(id, &facts.ids);
        if facts.open {
            self.open_games.insert_up_to(MANY, open_mark(source, *lasting_tags), u64::from(id));
        }
    }

    fn find_by_site_ids(&mut self, id: GameId, site_ids: &[SiteId]) {
        for site_id in site_ids {
            let hash = xxh3_64(site_id.to_string().as_bytes());
            self.site_ids.insert_up_to(MANY, hash, u64::from(id));
        }
    }

    /// The player of this identity; created, with the name that the tag `side` shows, where he is new
    /// (names.md §4). A player with a FIDE ID whose first game did not name him takes this name.
    fn player_id(
        &mut self,
        game: GameId,
        identity: &Identity,
        side: &str,
        tags: &Tags,
    ) -> Result<PlayerId, StoreError> {
        let shown = || shown(tags.get(side).unwrap_or(""), is_online(tags));
        let Some(id) = self.player_of(identity)? else {
            let shown = shown();
            let player = Player { identity: identity.clone(), shown, first_game: game };
            return Ok(self.add_player(&player));
        };
        if matches!(identity, Identity::Fide(_)) {
            let mut player = self.player(id)?;
            if player.shown == UNNAMED {
                player.shown = shown();
                self.players.put(id, &player);
            }
        }
        Ok(id)
    }

    /// Changes a game; `change` says whether an export may show it.
    pub(super) fn change_game(
        &mut self,
        id: GameId,
        change: impl FnOnce(&mut GameRow) -> bool,
    ) -> Result<bool, StoreError> {
        let mut row = self.game(id)?;
        let shows = change(&mut row);
        self.totals.generation += u64::from(shows);
        self.games.put(id, &row);
        Ok(shows)
    }

    fn settle(&mut self, id: u32) -> Result<(), StoreError> {
        let row = self.rejected.get(self.tree(), id)?;
        let mut row = row.ok_or(StoreError::Unknown { what: "rejected game", id })?;
        if !std::mem::replace(&mut row.settled, true) {
            self.totals.rejected -= 1;
        }
        self.rejected.put(id, &row);
        Ok(())
    }

    /// What decides whether another game is this one.
    pub(super) fn facts_of(&self, row: &GameRow) -> Result<Facts, StoreError> {
        Ok(Facts {
            key: GameKey {
                white: self.player(row.white)?.identity,
                black: self.player(row.black)?.identity,
                date: row.date.clone(),
                result: row.result,
                start: row.start.clone(),
                moves: row.moves.to_vec(),
            },
            ids: row.ids.clone(),
            open: row.open,
        })
    }
}

/// More games than this under one site id, or open with the same tags in one source, tell nothing
/// of each other: a producer's mistake, or fragments. They are told apart by the five equalities.
pub(super) const MANY: usize = 64;

/// How a player without a name is shown.
const UNNAMED: &str = "?";

/// Under what a text is found.
pub(super) fn text_hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Under what a rejected text is found; of one that is not kept whole, the whole counts.
pub(super) fn rejected_mark(text_hash: u64, reason: &Reason) -> u64 {
    let whole = reason.oversize.map_or(0, |(_, hash)| hash);
    text_hash ^ whole as u64 ^ (whole >> 64) as u64
}

/// Under what a copy of a game is recorded: one text of one source is recorded once, and a second
/// one beside it in the same source by its offset too.
pub(super) fn copy_mark(source: u32, text_hash: u64, twin: Option<u64>) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&source.to_be_bytes());
    hash.update(&text_hash.to_be_bytes());
    if let Some(offset) = twin {
        hash.update(&offset.to_be_bytes());
    }
    hash.digest()
}

/// Under what a game that may go on is found: its source, and its tags but for those that follow
/// from the moves and the clock (names.md §5, live boards).
pub(super) fn open_mark(source: u32, lasting_tags: u64) -> u64 {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&source.to_be_bytes());
    bytes[4..].copy_from_slice(&lasting_tags.to_be_bytes());
    xxh3_64(&bytes)
}
