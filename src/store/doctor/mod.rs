//! `doctor`: every byte of the journal and every row of the index, held against each other.
//!
//! It changes nothing. What is wrong is collected with its place, never an error that stops it; the
//! memory it takes does not grow with the archive.

mod games;
mod journal;
mod lists;

use serde::Serialize;

use super::damage::guarded;
use super::error::Lossy;
use super::journal::{Damage, DamageKind, JournalError};
use super::replay::{Accepted, accepted};
use super::{Lost, Store, StoreError};

/// Where something is wrong, which is also what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The journal: the truth itself. A sound copy of the file mends it.
    Journal,
    /// The index: it can be made anew.
    Index,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// In what.
    pub part: Part,
    /// Where: a segment and bytes, or a row.
    pub place: String,
    /// What.
    pub what: String,
}

/// What was looked at, and what is wrong.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Checkup {
    /// Batches of the journal that can be read.
    pub batches: u64,
    /// Texts in them.
    pub texts: u64,
    /// Games, deleted ones included.
    pub games: u64,
    /// Further texts of games.
    pub copies: u64,
    /// Games kept aside, settled ones included.
    pub rejected: u64,
    /// Players.
    pub players: u64,
    /// Sources.
    pub sources: u64,
    /// Sets of tags.
    pub tag_sets: u64,
    /// Runs.
    pub runs: u64,
    /// Cursors.
    pub cursors: u64,
    /// What damage that was passed over has cost.
    #[serde(skip)]
    pub lost: Lost,
    /// Damage that was passed over before: told, and counted no more.
    pub known: Vec<String>,
    /// What is wrong, up to [`MOST`] findings.
    pub findings: Vec<Finding>,
    /// How many findings there are in the journal and in the index.
    pub in_journal: u64,
    /// How many there are in the index.
    pub in_index: u64,
}

/// Findings that are told one by one.
pub(super) const MOST: usize = 1_000;

impl Checkup {
    /// What is known of a journal of which something is lost, where no index could be made of it.
    pub fn of_lossy(lossy: &Lossy) -> Checkup {
        let mut checkup = Checkup { batches: lossy.readable, ..Checkup::default() };
        for damage in &lossy.damages {
            checkup.find(Part::Journal, damage.place(), damage.to_string());
        }
        checkup
    }

    fn find(&mut self, part: Part, place: impl Into<String>, what: impl Into<String>) {
        match part {
            Part::Journal => self.in_journal += 1,
            Part::Index => self.in_index += 1,
        }
        if self.findings.len() < MOST {
            self.findings.push(Finding { part, place: place.into(), what: what.into() });
        }
    }

    fn index(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.find(Part::Index, place, what);
    }

    /// What cannot be looked at since the index is damaged is a finding like others.
    fn unless_damaged(
        &mut self,
        place: &str,
        done: Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match done {
            Err(error) if error.is_index_damage() => {
                self.index(place, error.in_words());
                Ok(())
            }
            done => done,
        }
    }

    /// Takes in what was found by somebody else.
    fn take(&mut self, findings: Vec<Finding>) {
        for Finding { part, place, what } in findings {
            self.find(part, place, what);
        }
    }
}

/// Damage that is known.
struct Known(Accepted);

impl Known {
    /// Whether this damage has been passed over.
    fn damage(&self, damage: &Damage) -> bool {
        match damage.kind {
            DamageKind::Records { seq }
            | DamageKind::BlockTable { seq }
            | DamageKind::Texts { seq, .. } => self.0.has(seq, seq),
            DamageKind::MissingFrames { first, last } => self.0.has(first, last),
            // They cost nothing but what is missing, and that is told as such.
            _ => self.0.ever,
        }
    }

    /// Whether that a text cannot be read has been passed over.
    fn text(&self, error: &StoreError) -> bool {
        match error {
            StoreError::Journal(JournalError::Damage(damage)) => self.damage(damage),
            error => error.is_lost_text() && self.0.ever,
        }
    }
}

impl Store {
    /// Looks at everything; `told` hears how many batches and games are done.
    ///
    /// # Errors
    /// What keeps it from looking: the journal is newer or not readable at all.
    pub fn examine(&self, told: &mut dyn FnMut(u64, u64)) -> Result<Checkup, StoreError> {
        let known = Known(accepted(self.journal.reader()));
        let mut checkup = Checkup { lost: self.index.lost, ..Checkup::default() };
        for path in self.journal.cut_off()? {
            let what = "bytes that were cut off the journal; a batch may have been among them";
            checkup.known.push(format!("{}: {what}", path.display()));
        }
        self.examine_journal(&known, &mut checkup, told)?;
        let games = guarded(|| self.examine_games(&known, &mut checkup, told)).flatten();
        checkup.unless_damaged("games", games)?;
        let lists = guarded(|| self.examine_lists(&known, &mut checkup)).flatten();
        checkup.unless_damaged("lists", lists)?;
        Ok(checkup)
    }
}
