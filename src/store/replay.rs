//! Applying batches of the journal to the index: what it lacks at a start, or all of them.
//!
//! The texts of a batch are read and recognised on all cores, then applied in their order. Where
//! the journal is damaged, and something is lost by it, an ordinary start stops; a loss that the
//! user has had passed over is passed over again. Numbers of what is lost are left out, never given
//! to something else.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::apply::text_hash;
use super::index::Index;
use super::journal::{
    Damage, DamageKind, Frame, Frames, Journal, JournalError, Position, Reader, Text, TextRef,
};
use super::open::read;
use super::record::{self, Arrival, Decision, Record, Tally, TextId};
use super::revive::Losses;
use super::{Recognised, StoreError};
use crate::game::RawGame;

/// What is done where something of the journal is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Past {
    /// Stop, unless the user has had it passed over before.
    Nothing,
    /// Go on with what can be read.
    Everything,
}

/// A text and what was read in it, or why it cannot be read.
pub(super) type ReadBack = Result<(u64, Option<Recognised>), StoreError>;

/// Batches being applied.
pub(super) struct Replay<'a> {
    pub(super) index: &'a mut Index,
    journal: &'a Journal,
    past: Past,
    /// Batches, first to last, whose loss the user has had passed over; read when it is asked for.
    accepted: Option<Accepted>,
    pub(super) losses: Losses,
}

impl<'a> Replay<'a> {
    pub(super) fn new(index: &'a mut Index, journal: &'a Journal, past: Past) -> Replay<'a> {
        Replay { index, journal, past, accepted: None, losses: Losses::default() }
    }

    /// Applies what the index lacks of the journal; `told` hears of each batch.
    ///
    /// # Errors
    /// [`StoreError::Lossy`]; [`StoreError::NewerRecord`]; the journal or the index cannot be read.
    pub(super) fn run(&mut self, told: &mut dyn FnMut(&Frame)) -> Result<(), StoreError> {
        for frame in self.frames()? {
            match frame {
                Ok(frame) => {
                    self.frame(&frame)?;
                    told(&frame);
                }
                Err(JournalError::Damage(damage)) => self.damage(damage)?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn frames(&self) -> Result<Frames, StoreError> {
        let from = self.index.applied().unwrap_or(Position::START);
        Ok(self.journal.reader().frames(from)?)
    }

    /// Gets past a damaged place, or stops there.
    fn damage(&mut self, damage: Damage) -> Result<(), StoreError> {
        let lost = match damage.kind {
            DamageKind::Records { seq }
            | DamageKind::BlockTable { seq }
            | DamageKind::Texts { seq, .. } => Some((seq, seq)),
            DamageKind::MissingFrames { first, last } => Some((first, last)),
            // These cost nothing by themselves: what is lost with them is missing as a batch.
            _ => None,
        };
        if let Some((first, last)) = lost
            && self.past == Past::Nothing
            && !(first..=last).all(|seq| self.is_accepted(seq))
        {
            return Err(lossy(self.journal)?);
        }
        self.losses.note(damage, lost);
        Ok(())
    }

    fn is_accepted(&mut self, seq: u64) -> bool {
        let accepted = self.accepted.get_or_insert_with(|| accepted(self.journal.reader()));
        accepted.has(seq, seq)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), StoreError> {
        let records = record::decode(frame)?;
        let (mut run, mut at) = (0, 0);
        if let Some(Record::Batch { first_text, .. }) = records.first() {
            self.index.add_frame(*first_text, frame.text_count(), frame.at);
        }
        let mut read = self.read_back(frame, &records)?.into_iter();
        for record in &records {
            match record {
                Record::Batch { run: r, at: a, .. } => {
                    (run, at) = (*r, *a);
                    self.has_run(run, at)?;
                }
                Record::Arrival(arrival) => {
                    let read = read.next().expect("there is one for each arrival");
                    self.arrival(arrival, read, frame, run, at)?;
                }
                Record::Totals(tally) => {
                    self.index.chain = tally.chain;
                    let skips = |record: &Record| matches!(record, Record::Lost { batches, .. } if batches.is_empty());
                    if records.iter().any(skips) {
                        self.skip(tally);
                    }
                    self.leave_out(tally);
                }
                _ if self.is_of_the_lost(record)? => {}
                _ => self.index.apply(record, run, at)?,
            }
        }
        self.index.write(frame.after, frame.at)
    }

    fn arrival(
        &mut self,
        arrival: &Arrival,
        read: ReadBack,
        frame: &Frame,
        run: u32,
        at: i64,
    ) -> Result<(), StoreError> {
        match read {
            Ok(read) => self.apply_arrival(arrival, &read, run, at),
            Err(error) if !error.is_lost_text() && !matches!(error, StoreError::Unreadable(_)) => {
                Err(error)
            }
            Err(error) => {
                let seq = frame.after.seq;
                let expected =
                    self.past == Past::Everything || error.is_lost_text() && self.is_accepted(seq);
                if !expected {
                    return Err(match error {
                        StoreError::Unreadable(_) => error,
                        _ => lossy(self.journal)?,
                    });
                }
                if let StoreError::Journal(JournalError::Damage(damage)) = &error {
                    self.losses.note(*damage, Some((seq, seq)));
                } else {
                    self.losses.note_batch(seq);
                }
                self.lost_arrival(arrival, run, at)
            }
        }
    }

    /// The numbers that a batch says are taken stay so, whatever became of what had them.
    pub(super) fn leave_out(&mut self, tally: &Tally) {
        self.leave_out_games(tally.next_game - 1);
        self.index.rejected.leave_out_to(tally.next_rejected - 1);
        self.index.runs.leave_out_to(tally.next_run - 1);
        self.index.skip_texts_to(tally.next_text);
    }

    /// Numbers that may never have been given to anything are not taken again either.
    pub(super) fn skip(&mut self, tally: &Tally) {
        self.index.games.leave_out_to(tally.next_game - 1);
        self.leave_out(tally);
    }

    /// Every text that an arrival of the batch speaks of, read and recognised.
    fn read_back(&self, frame: &Frame, records: &[Record]) -> Result<Vec<ReadBack>, StoreError> {
        let first = match records.first() {
            Some(Record::Batch { first_text, .. }) => *first_text,
            _ => self.index.next_text(),
        };
        let mut own = Vec::with_capacity(frame.text_count() as usize);
        for text in frame.texts() {
            match text {
                Err(error) if !error.is_lost_text() => return Err(error.into()),
                text => own.push(text),
            }
        }
        let arrivals = records.iter().filter_map(|record| match record {
            Record::Arrival(arrival) => Some(arrival),
            _ => None,
        });
        let jobs: Vec<Job<'_>> = arrivals.map(|arrival| self.job(arrival, first, &own)).collect();
        Ok(on_all_cores(&jobs, |job| job.read(self.journal.reader())))
    }

    fn job<'j>(
        &self,
        arrival: &'j Arrival,
        first: TextId,
        own: &[Result<Text, JournalError>],
    ) -> Job<'j> {
        let text = arrival.text.checked_sub(first).and_then(|number| own.get(number as usize));
        let bytes = match text {
            Some(Ok(text)) => Bytes::Here(text.clone()),
            _ => match self.index.place_of(arrival.text) {
                Some(place) => Bytes::There(place),
                None => Bytes::Nowhere,
            },
        };
        Job { arrival, bytes }
    }
}

/// A text that is to be read and recognised.
struct Job<'a> {
    arrival: &'a Arrival,
    bytes: Bytes,
}

enum Bytes {
    /// It has been read.
    Here(Text),
    /// It stands in another batch, or cannot be read.
    There(TextRef),
    /// It stood in a batch that is lost.
    Nowhere,
}

impl Job<'_> {
    fn read(&self, reader: &Reader) -> ReadBack {
        let arrival = self.arrival;
        let bytes = match &self.bytes {
            Bytes::Here(text) => text.to_vec(),
            Bytes::There(place) => reader.text(*place)?.to_vec(),
            Bytes::Nowhere => {
                return Err(StoreError::Unknown { what: "text", id: arrival.text });
            }
        };
        let hash = text_hash(&bytes);
        if matches!(arrival.decision, Decision::Rejected { .. }) {
            return Ok((hash, None));
        }
        let (offset, line) = (arrival.origin.offset, arrival.origin.line);
        let complete = arrival.complete;
        let raw = RawGame { bytes, offset, line, complete, oversize: None };
        Ok((hash, Some(Recognised::of(read(&raw, &arrival.encoding)?, complete))))
    }
}

/// Does `work` on every job, on all cores; the results in the order of the jobs.
pub(super) fn on_all_cores<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    const PIECE: usize = 64;
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    if workers == 1 || jobs.len() <= PIECE {
        return jobs.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    let Some(jobs) = jobs.chunks(PIECE).nth(piece) else { return };
                    let results: Vec<R> = jobs.iter().map(&work).collect();
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((piece, results));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

/// What of the journal's damage the user has had passed over.
#[derive(Debug, Default)]
pub(super) struct Accepted {
    /// Batches, first and last of each row.
    batches: Vec<(u64, u64)>,
    /// Damage was passed over, though perhaps it cost no batch.
    pub(super) ever: bool,
}

impl Accepted {
    /// Whether the loss of all of these batches has been passed over.
    pub(super) fn has(&self, first: u64, last: u64) -> bool {
        let one = |seq| self.batches.iter().any(|(first, last)| (*first..=*last).contains(&seq));
        (first..=last).all(one)
    }
}

/// Damage that the user has had passed over, as far as the journal can be read.
pub(super) fn accepted(reader: &Reader) -> Accepted {
    let mut accepted = Accepted::default();
    let frames = reader.frames(Position::START).into_iter().flatten().flatten();
    for records in frames.filter_map(|frame| record::decode(&frame).ok()) {
        for record in records {
            if let Record::Lost { batches, .. } = record {
                accepted.batches.extend(batches);
                accepted.ever = true;
            }
        }
    }
    accepted
}

/// The error of a journal of which something is lost: all that is wrong with it.
fn lossy(journal: &Journal) -> Result<StoreError, StoreError> {
    let verified = journal.reader().verify()?;
    let in_part = |damage: &Damage| match damage.kind {
        DamageKind::Texts { seq, .. } => Some(seq),
        _ => None,
    };
    let mut in_part: Vec<u64> = verified.damages.iter().filter_map(in_part).collect();
    in_part.dedup();
    Ok(StoreError::Lossy(Box::new(super::error::Lossy {
        journal: journal.dir().to_owned(),
        readable: verified.frames - in_part.len() as u64,
        batches: journal.end().seq,
        damages: verified.damages,
    })))
}
