//! Staging and committing a batch.

use std::borrow::Cow;

use super::apply::{ReadText, copy_mark, rejected_mark, text_hash};
use super::aside::Aside;
use super::index::{Index, narrow};
use super::journal::{Journal, Text};
use super::open::check_room;
use super::record::{
    self, Arrival, Counts, Decision, GameId, Origin, RULES, Reason, Record, RejectedId, RunId,
    Tally, TextId,
};
use super::{Recognised, Store, StoreError};
use crate::game::RawGame;

/// What has been staged since the last commit.
#[derive(Default)]
pub(super) struct Batch {
    run: RunId,
    at: i64,
    records: Vec<Record>,
    pub(super) texts: Vec<Vec<u8>>,
    /// The texts before them, in a dry run.
    aside: Option<Aside>,
    /// Texts met before from the same place: counted, nothing else.
    seen: Counts,
    bytes: usize,
    began: Began,
    /// A commit failed: what is in memory is ahead of the disk.
    broken: bool,
}

/// How far the lists had grown when the reading of a source began.
#[derive(Debug, Clone, Copy, Default)]
struct Began {
    games: u32,
    copies: u32,
    rejected: u32,
}

/// Whether a text of a source has been recorded with its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It has not.
    Not,
    /// At an earlier reading: it is only counted.
    Before,
    /// The source holds the same text twice: the second is a copy of its own.
    InThisReading,
}

impl Batch {
    /// How many texts have been staged.
    fn text_count(&self) -> usize {
        self.aside.as_ref().map_or(0, Aside::count) + self.texts.len()
    }

    fn is_empty(&self) -> bool {
        self.records.is_empty() && self.seen == Counts::default()
    }
}

impl Store {
    /// Begins a run of the program; every change belongs to one. `at` in seconds since 1970.
    pub fn begin_run(&mut self, command: &str, at: i64) -> Result<RunId, StoreError> {
        let run = self.index.runs.len() + 1;
        self.batch.run = run;
        self.batch.at = at;
        self.stage(Record::RunBegins { run, command: command.to_owned() })?;
        Ok(run)
    }

    /// Ends the run and commits.
    pub fn end_run(&mut self, at: i64) -> Result<(), StoreError> {
        self.write_seen()?;
        if self.batch.is_empty() {
            self.batch.at = at;
        }
        self.stage(Record::RunEnds { run: self.batch.run })?;
        self.commit(at)?;
        self.index.flush()
    }

    /// Stages a record that carries no text.
    pub fn stage(&mut self, record: Record) -> Result<(), StoreError> {
        self.index.apply(&record, self.batch.run, self.batch.at)?;
        self.batch.records.push(record);
        Ok(())
    }

    /// Stages a text and the decision on it. One that is [`Recorded::Before`] is only counted.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn arrive(
        &mut self,
        raw: RawGame,
        origin: Origin,
        encoding: &str,
        game: Option<&Recognised>,
        decision: Decision,
        recorded: Recorded,
    ) -> Result<(), StoreError> {
        if recorded == Recorded::Before {
            self.batch.seen.count(&decision);
            return Ok(());
        }
        let (hash, complete) = (text_hash(&raw.bytes), raw.complete);
        let known = match decision {
            Decision::New { .. } | Decision::Supersedes { .. } => None,
            _ => self.find_text(hash, &raw.bytes)?,
        };
        let text = known.unwrap_or_else(|| {
            let number = narrow(self.batch.text_count() as u64);
            self.batch.bytes += raw.bytes.len();
            self.batch.texts.push(raw.bytes);
            self.index.next_text() + number
        });
        let arrival = Arrival {
            text,
            origin,
            complete,
            encoding: encoding.to_owned(),
            twin: recorded == Recorded::InThisReading,
            decision,
        };
        let read = ReadText { hash, game };
        self.index.apply_arrival(&arrival, &read, self.batch.run, self.batch.at)?;
        self.batch.records.push(Record::Arrival(arrival));
        Ok(())
    }

    /// Bytes of text staged since the last commit.
    pub fn staged_bytes(&self) -> usize {
        self.batch.bytes
    }

    /// For a dry run, in place of each commit: what is staged is seen from here on and never
    /// committed. Its texts leave the memory.
    ///
    /// # Errors
    /// There is no room for the texts.
    pub fn rehearse(&mut self) -> Result<(), StoreError> {
        check_room(&self.dir, self.keep_free)?;
        let Batch { texts, aside, records, broken, bytes, .. } = &mut self.batch;
        *broken = true;
        *bytes = 0;
        records.clear();
        let mut take = || match aside {
            Some(aside) => aside.take(texts),
            None => aside.insert(Aside::new(&self.dir)?).take(texts),
        };
        take().map_err(|source| StoreError::Io { path: self.dir.clone(), source })
    }

    /// Makes everything staged safe: one frame of the journal, synced, then the index. After an
    /// error nothing more can be committed; opening the archive again goes on from what is safe.
    pub fn commit(&mut self, at: i64) -> Result<(), StoreError> {
        if self.batch.broken {
            return Err(StoreError::Unreadable("an earlier batch could not be written".into()));
        }
        self.write_seen()?;
        if self.batch.is_empty() {
            return Ok(());
        }
        check_room(&self.dir, self.keep_free)?;
        self.batch.broken = true;
        let first_text = self.index.next_text();
        // The time by which the index has it, so that it has the same when it is made anew.
        let Batch { run, at: began_at, .. } = self.batch;
        let mut records = vec![Record::Batch { run, at: began_at, rules: RULES, first_text }];
        records.append(&mut self.batch.records);
        let sealed = self.index.seal(&records, &self.batch.texts);
        let appended = self.journal.commit(&sealed, &self.batch.texts)?;
        self.index.add_frame(first_text, narrow(self.batch.texts.len() as u64), appended.frame);
        self.index.write(appended.after, appended.frame)?;
        self.batch = Batch { run: self.batch.run, at, began: self.batch.began, ..Batch::default() };
        Ok(())
    }

    fn write_seen(&mut self) -> Result<(), StoreError> {
        let seen = std::mem::take(&mut self.batch.seen);
        if seen != Counts::default() {
            self.stage(Record::Seen(seen))?;
        }
        Ok(())
    }

    /// A reading of a source begins: what is recorded from now on belongs to it.
    pub fn begin_reading(&mut self) {
        self.batch.began = Began {
            games: self.index.games.len(),
            copies: self.index.copies.len(),
            rejected: self.index.rejected.len(),
        };
    }

    /// The rejected game that this text is, where an earlier reading brought it for this reason.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn known_rejected(
        &self,
        raw: &RawGame,
        reason: &Reason,
    ) -> Result<Option<RejectedId>, StoreError> {
        let mark = rejected_mark(text_hash(&raw.bytes), reason);
        for id in self.index.rejected_texts.get(mark).map(narrow) {
            if id > self.batch.began.rejected {
                continue;
            }
            let row = self.rejected(id)?;
            if row.reason.oversize == reason.oversize && self.is_text(row.text, &raw.bytes)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The number that the next rejected game gets.
    pub fn next_rejected(&self) -> RejectedId {
        self.index.rejected.len() + 1
    }

    /// Whether `source` has brought this very text of this game before.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn recorded(
        &self,
        of: GameId,
        raw: &RawGame,
        source: &str,
    ) -> Result<Recorded, StoreError> {
        let hash = text_hash(&raw.bytes);
        let Some(source) = self.index.find_source(source)? else {
            return Ok(Recorded::Not);
        };
        let row = self.index.game(of)?;
        let stands = row.place.source == source && row.text_hash == hash;
        let copy = self.index.copy(of, copy_mark(source, hash, None))?;
        if !stands && copy.is_none() || self.find_text(hash, &raw.bytes)?.is_none() {
            return Ok(Recorded::Not);
        }
        let before = stands && of <= self.batch.began.games
            || copy.is_some_and(|copy| copy <= self.batch.began.copies);
        Ok(if before { Recorded::Before } else { Recorded::InThisReading })
    }

    /// The place of a text that stands in the journal, or in the batch, byte for byte.
    fn find_text(&self, hash: u64, bytes: &[u8]) -> Result<Option<TextId>, StoreError> {
        for text in self.index.texts_with(hash) {
            if self.is_text(text, bytes)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// Whether the text with this number is these bytes. One that cannot be read any more is not, so
    /// that it is stored again.
    fn is_text(&self, text: TextId, bytes: &[u8]) -> Result<bool, StoreError> {
        match self.text(text) {
            Ok(known) => Ok(*known == *bytes),
            Err(error) if error.is_lost_text() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A text, of the batch not yet committed too.
    ///
    /// # Errors
    /// The journal cannot be read there.
    pub fn text(&self, text: TextId) -> Result<Cow<'_, [u8]>, StoreError> {
        if let Some(number) = text.checked_sub(self.index.next_text()) {
            return self
                .staged_text(number as usize)?
                .ok_or(StoreError::Unknown { what: "text", id: number });
        }
        read_text(&self.index, &self.journal, text).map(|text| Cow::Owned(text.to_vec()))
    }
}

impl Store {
    fn staged_text(&self, number: usize) -> Result<Option<Cow<'_, [u8]>>, StoreError> {
        let io = |source| StoreError::Io { path: self.dir.clone(), source };
        match &self.batch.aside {
            Some(aside) if number < aside.count() => {
                Ok(aside.text(number).map_err(io)?.map(Cow::Owned))
            }
            aside => {
                let first = aside.as_ref().map_or(0, Aside::count);
                Ok(self.batch.texts.get(number - first).map(Cow::from))
            }
        }
    }
}

impl Index {
    /// The records of a batch as bytes, with what the archive comes to behind them.
    pub(super) fn seal<T: AsRef<[u8]>>(&mut self, records: &[Record], texts: &[T]) -> Vec<u8> {
        let mut items = record::items(records);
        self.chain = record::chain(self.chain, &items, texts);
        let next_text = self.next_text() + narrow(texts.len() as u64);
        items.extend(record::items(&[Record::Totals(Tally { next_text, ..self.tally() })]));
        record::counted(records.len() + 1, &items)
    }
}

/// A text of the journal.
pub(super) fn read_text(
    index: &Index,
    journal: &Journal,
    text: TextId,
) -> Result<Text, StoreError> {
    let place = index.place_of(text).ok_or(StoreError::Unknown { what: "text", id: text })?;
    Ok(journal.reader().text(place)?)
}
