//! What damage to the journal costs the index, and what can be got back all the same.
//!
//! A game whose own text is lost is revived by a later text of it, where the journal tells of one.
//! What the user did to a lost game is kept for that case. Never: to give a lost thing's number to
//! another.

use std::collections::BTreeMap;

use super::apply::{ReadText, copy_mark, text_hash};
use super::journal::{Damage, DamageKind};
use super::record::{Arrival, Counts, Decision, GameId, Record};
use super::replay::Replay;
use super::row::{CopyRow, Place, RejectedRow, Role, RunRow};
use super::{Recognised, StoreError};
use crate::dedup::Additions;

/// What is lost.
#[derive(Debug, Clone, Default)]
pub struct Losses {
    /// Something is lost that was not passed over before.
    pub new: bool,
    /// Every damaged place.
    pub damages: Vec<Damage>,
    /// Batches lost in whole or in part, by their sequence numbers.
    pub batches: Vec<u64>,
    /// Games of which no text can be read, and what the user did to them.
    ghosts: BTreeMap<GameId, Ghost>,
    /// Games that stand by the text of a copy, since their own is lost.
    pub revived: u64,
    /// Games that went on, of which only an earlier moment is left.
    pub shortened: Vec<GameId>,
    /// Texts of copies that are lost. What they add is kept where their batch can be read.
    pub copies: u64,
    /// Texts of rejected games that are lost.
    pub rejected: u64,
}

/// What the user did to a game that is lost.
#[derive(Debug, Clone, Default)]
struct Ghost {
    deleted: bool,
    edits: Vec<(String, Option<String>)>,
}

impl Losses {
    /// The games that are lost.
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameId> + '_ {
        self.ghosts.keys().copied()
    }

    /// Whether nothing is lost.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.ghosts.is_empty()
    }

    /// Takes note of a damaged place and of the batches that it costs.
    pub(super) fn note(&mut self, damage: Damage, lost: Option<(u64, u64)>) {
        let behind =
            |known: &&Damage| matches!(damage.kind, DamageKind::Texts { .. }) && **known == damage;
        if self.damages.iter().rev().find(behind).is_none() {
            self.damages.push(damage);
        }
        if let Some((first, last)) = lost {
            (first..=last).for_each(|seq| self.note_batch(seq));
        }
    }

    /// Takes note of a batch that is lost, or of which something is.
    pub(super) fn note_batch(&mut self, seq: u64) {
        if let Err(place) = self.batches.binary_search(&seq) {
            self.batches.insert(place, seq);
        }
    }
}

impl Replay<'_> {
    /// The run that a batch belongs to, made up where its beginning is lost.
    pub(super) fn has_run(&mut self, run: u32, at: i64) -> Result<(), StoreError> {
        let index = &mut *self.index;
        if run > 0 && index.runs.get(index.tree(), run)?.is_none() && !self.losses.is_empty() {
            let command = "(its beginning is lost)".to_owned();
            let counts = Counts::default();
            index.runs.leave_out_to(run - 1);
            index.runs.put(run, &RunRow { command, began: at, last: at, ended: false, counts });
        }
        Ok(())
    }

    /// Leaves out the games up to this number that no arrival has brought.
    pub(super) fn leave_out_games(&mut self, last: GameId) {
        for id in self.index.games.len() + 1..=last {
            self.losses.ghosts.entry(id).or_default();
        }
        self.index.games.leave_out_to(last);
    }

    fn has_game(&self, id: GameId) -> Result<bool, StoreError> {
        Ok(self.index.games.get(self.index.tree(), id)?.is_some())
    }

    /// Whether a record is about something lost; what it does is kept for a game that comes back.
    pub(super) fn is_of_the_lost(&mut self, record: &Record) -> Result<bool, StoreError> {
        match record {
            Record::Deleted { game } | Record::Restored { game } | Record::Edited { game, .. } => {
                if self.has_game(*game)? {
                    return Ok(false);
                }
                self.leave_out_games(*game);
                let ghost = self.losses.ghosts.entry(*game).or_default();
                match record {
                    Record::Edited { set, .. } => ghost.edits.extend(set.iter().cloned()),
                    _ => ghost.deleted = matches!(record, Record::Deleted { .. }),
                }
                Ok(true)
            }
            Record::Retried { rejected } => {
                Ok(self.index.rejected.get(self.index.tree(), *rejected)?.is_none())
            }
            Record::RunEnds { run } => Ok(self.index.runs.get(self.index.tree(), *run)?.is_none()),
            _ => Ok(false),
        }
    }

    /// Applies an arrival whose text could be read.
    pub(super) fn apply_arrival(
        &mut self,
        arrival: &Arrival,
        (hash, game): &(u64, Option<Recognised>),
        run: u32,
        at: i64,
    ) -> Result<(), StoreError> {
        let text = ReadText { hash: *hash, game: game.as_ref() };
        match &arrival.decision {
            Decision::New { game } => self.leave_out_games(game - 1),
            Decision::Rejected { id, .. } => self.index.rejected.leave_out_to(id - 1),
            Decision::Duplicate { of: id, .. } | Decision::Supersedes { game: id, .. } => {
                if !self.has_game(*id)? {
                    return self.revive(*id, arrival, &text, run, at);
                }
                if let Decision::Duplicate { ground, .. } = arrival.decision
                    && self.goes_on(*id, game.as_ref())?
                {
                    let adds = Additions::default();
                    let decision = Decision::Supersedes { game: *id, ground, adds };
                    let later = Arrival { decision, ..arrival.clone() };
                    self.losses.shortened.retain(|short| short != id);
                    return self.index.apply_arrival(&later, &text, run, at);
                }
            }
        }
        self.index.apply_arrival(arrival, &text, run, at)
    }

    /// Whether this text has what a lost one had over the earlier moment that is left of its game.
    fn goes_on(&self, id: GameId, read: Option<&Recognised>) -> Result<bool, StoreError> {
        let Some(read) = read.filter(|_| self.losses.shortened.contains(&id)) else {
            return Ok(false);
        };
        let row = self.index.game(id)?;
        let (moves, key) = (row.moves.as_slice(), &read.facts.key);
        let decided = key.result.is_decided() && !row.result.is_decided();
        let longer = key.moves.len() > moves.len();
        Ok(key.start == row.start && key.moves.starts_with(moves) && (longer || decided))
    }

    /// A text of a game whose own is lost stands for it.
    fn revive(
        &mut self,
        id: GameId,
        arrival: &Arrival,
        text: &ReadText<'_>,
        run: u32,
        at: i64,
    ) -> Result<(), StoreError> {
        self.leave_out_games(id);
        let new = Arrival { decision: Decision::New { game: id }, ..arrival.clone() };
        self.index.apply_arrival(&new, text, run, at)?;
        self.index.change_run(run, |row| {
            row.counts.new -= 1;
            match arrival.decision {
                Decision::Supersedes { .. } => row.counts.updated += 1,
                _ => row.counts.duplicates += 1,
            }
        })?;
        // What only the lost text had is known where a later one took its place.
        if let Decision::Supersedes { ground, adds, .. } = &arrival.decision
            && !adds.is_empty()
        {
            let place = self.place(arrival)?;
            let earlier = CopyRow {
                game: id,
                mark: copy_mark(place.source, text.hash, Some(place.offset)),
                text: arrival.text,
                place,
                role: Role::Earlier,
                ground: *ground,
                encoding: arrival.encoding.clone(),
                complete: arrival.complete,
                adds: adds.clone(),
            };
            self.put_copy(&earlier)?;
        }
        let ghost = self.losses.ghosts.remove(&id).unwrap_or_default();
        self.index.totals.games -= u64::from(ghost.deleted);
        self.index.change_game(id, |row| {
            row.deleted = ghost.deleted;
            row.edits = ghost.edits;
            false
        })?;
        self.losses.revived += 1;
        Ok(())
    }

    /// Applies what can be of an arrival whose text is lost.
    pub(super) fn lost_arrival(
        &mut self,
        arrival: &Arrival,
        run: u32,
        at: i64,
    ) -> Result<(), StoreError> {
        self.index.change_run(run, |row| {
            row.counts.count(&arrival.decision);
            row.last = at;
        })?;
        match &arrival.decision {
            Decision::New { game } => self.leave_out_games(*game),
            Decision::Supersedes { game, .. } if self.has_game(*game)? => {
                self.losses.shortened.push(*game);
            }
            Decision::Supersedes { game, .. } => self.leave_out_games(*game),
            Decision::Duplicate { of, .. } if !self.has_game(*of)? => {
                self.leave_out_games(*of);
                self.losses.copies += 1;
            }
            Decision::Duplicate { of, ground, adds } => {
                let place = self.place(arrival)?;
                // In place of the hash of a text that nobody can read.
                let hash = text_hash(&arrival.text.to_be_bytes());
                let copy = CopyRow {
                    game: *of,
                    mark: copy_mark(place.source, hash, Some(place.offset)),
                    text: arrival.text,
                    place,
                    role: Role::Duplicate,
                    ground: *ground,
                    encoding: arrival.encoding.clone(),
                    complete: arrival.complete,
                    adds: adds.clone(),
                };
                self.index.totals.duplicates += 1;
                self.losses.copies += 1;
                self.put_copy(&copy)?;
            }
            Decision::Rejected { id, reason } => {
                self.index.rejected.leave_out_to(id - 1);
                let row = RejectedRow {
                    text: arrival.text,
                    place: self.place(arrival)?,
                    encoding: arrival.encoding.clone(),
                    complete: arrival.complete,
                    reason: reason.clone(),
                    at,
                    settled: false,
                };
                self.index.rejected.put(*id, &row);
                self.index.totals.rejected += 1;
                self.losses.rejected += 1;
            }
        }
        Ok(())
    }

    fn place(&mut self, arrival: &Arrival) -> Result<Place, StoreError> {
        let source = self.index.source_id(&arrival.origin.source)?;
        Ok(Place { source, offset: arrival.origin.offset, line: arrival.origin.line })
    }

    fn put_copy(&mut self, copy: &CopyRow) -> Result<(), StoreError> {
        self.index.put_copy(copy)?;
        if !copy.adds.is_empty() {
            self.index.change_game(copy.game, |row| {
                row.completed = true;
                true
            })?;
        }
        Ok(())
    }
}
