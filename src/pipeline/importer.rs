//! Takes sources into the store.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use encoding_rs::Encoding;

use super::budget::Budget;
use super::feed::{Ended, Feed, Step, What};
use super::{Reading, settle};
use crate::config::OnDuplicate;
use crate::game::{self, RawGame, Rejection, RejectionKind};
use crate::store::{Counts, Decision, Origin, Reason, Recognised, Recorded, Store, StoreError};

/// Bytes of text in flight between the threads.
const IN_FLIGHT: usize = 8 << 20;
/// Steps that wait for a thread: enough for the workers to go on while a batch is being committed.
const AHEAD: usize = 24;
/// Bytes of text after which a batch is committed.
const BATCH: usize = 4 << 20;
/// The longest that a game waits for its batch to be committed.
const BATCH_AGE: Duration = Duration::from_millis(1_000);

/// How an import goes about its work.
pub struct Options {
    /// What becomes of what a later copy adds.
    pub on_duplicate: OnDuplicate,
    /// The encoding that the user named; empty: told from each game.
    pub encoding: String,
    /// Decide on everything and store nothing.
    pub dry_run: bool,
    /// The time, in seconds since 1970.
    pub now: fn() -> i64,
}

/// How far an import is. All of it is safe: it has been committed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// Bytes of the files read.
    pub position: u64,
    /// What became of the games.
    pub counts: Counts,
}

/// Something that went wrong with a source while the rest went on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// A game was kept aside.
    Rejected {
        /// The source.
        source: String,
        /// Why, with the line within the source.
        rejection: Rejection,
    },
    /// Text that is no game.
    Stray {
        /// The source.
        source: String,
        /// Where and what.
        rejection: Rejection,
    },
    /// A source that cannot be read, or not to its end.
    Broken {
        /// What is wrong, with the source's name.
        message: String,
    },
}

/// What an import did.
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// What became of the games.
    pub counts: Counts,
    /// Sources that could not be read, or not to their end.
    pub broken: u64,
    /// Stretches of text that are no game and no comment.
    pub stray: u64,
}

/// Takes all that `sources` feeds into the store, in one run that was begun before.
///
/// `progress` is told after each commit, `trouble` whatever went wrong with a source.
///
/// # Errors
/// The store cannot be written; what was told as progress is safe.
pub fn import(
    store: &mut Store,
    sources: impl FnOnce(&mut Feed<'_>) -> Result<(), Ended> + Send,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
    trouble: &mut dyn FnMut(&Trouble),
) -> Result<Import, StoreError> {
    let budget = &Budget::new(IN_FLIGHT);
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let (to_workers, steps) = sync_channel(AHEAD);
        let (to_importer, read) = sync_channel(AHEAD);
        // Shared by the workers alone: when the last has gone, the reading thread notices.
        let steps = Arc::new(Mutex::new(steps));
        let encoding = options.encoding.as_str();
        // Its early end is no error of its own: the importer knows why it stopped.
        scope.spawn(move || sources(&mut Feed::new(budget, to_workers)));
        for _ in 0..workers {
            let (steps, to_importer) = (Arc::clone(&steps), to_importer.clone());
            scope.spawn(move || read_games(&steps, &to_importer, encoding));
        }
        drop((steps, to_importer));
        let mut importer = Importer {
            store,
            options,
            progress,
            trouble,
            reading: Reading::default(),
            import: Import::default(),
            committed: Instant::now(),
            position: 0,
            met_games: false,
            only_stray: false,
        };
        let result = importer.run(&read, budget);
        budget.close();
        result.map(|()| importer.import)
    })
}

/// A step whose games have been read.
struct ReadStep {
    step: Step,
    read: Vec<Result<Recognised, Rejection>>,
}

/// A worker: reads and replays games until there are no more, or nobody wants them.
fn read_games(steps: &Mutex<Receiver<Step>>, to_importer: &SyncSender<ReadStep>, encoding: &str) {
    let encoding = game::encoding_named(encoding);
    loop {
        let step = steps.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(step) = step else { return };
        let read = match &step.what {
            What::Games(games) => games.iter().map(|raw| recognise(raw, encoding)).collect(),
            _ => Vec::new(),
        };
        if to_importer.send(ReadStep { step, read }).is_err() {
            return;
        }
    }
}

fn recognise(raw: &RawGame, encoding: Option<&'static Encoding>) -> Result<Recognised, Rejection> {
    let read = || game::read(raw, encoding).map(|game| Recognised::of(game, raw.complete));
    // A fault of ours in one game must cost that game alone.
    catch_unwind(read).unwrap_or_else(|_| {
        Err(Rejection {
            kind: RejectionKind::InternalError,
            line: raw.line,
            token: String::new(),
            message: "reading this game failed: a fault of gamekeeper, please report it".to_owned(),
        })
    })
}

struct Importer<'a> {
    store: &'a mut Store,
    options: &'a Options,
    progress: &'a mut dyn FnMut(&Progress),
    trouble: &'a mut dyn FnMut(&Trouble),
    reading: Reading,
    import: Import,
    committed: Instant,
    position: u64,
    /// The source has brought a game.
    met_games: bool,
    /// The source has brought text, none of it a game.
    only_stray: bool,
}

impl Importer<'_> {
    /// Takes the steps in their order, whatever order the workers are done in.
    fn run(&mut self, read: &Receiver<ReadStep>, budget: &Budget) -> Result<(), StoreError> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        loop {
            match read.recv_timeout(BATCH_AGE) {
                Ok(step) => {
                    waiting.insert(step.step.number, step);
                }
                Err(RecvTimeoutError::Timeout) => self.commit()?,
                Err(RecvTimeoutError::Disconnected) => return self.commit(),
            }
            while let Some(ReadStep { step, read }) = waiting.remove(&next) {
                next += 1;
                self.position = step.position;
                self.take(step.what, read)?;
                budget.give(step.bytes);
            }
        }
    }

    fn take(
        &mut self,
        what: What,
        read: Vec<Result<Recognised, Rejection>>,
    ) -> Result<(), StoreError> {
        match what {
            What::Begin(source) => {
                self.store.begin_reading();
                self.reading = Reading::of(source);
                self.only_stray = false;
                self.met_games = false;
            }
            What::Games(games) => {
                for (raw, read) in games.into_iter().zip(read) {
                    self.take_game(raw, read)?;
                }
            }
            What::End if self.only_stray => {
                let message = format!("{} holds no games", self.reading.source);
                self.import.broken += 1;
                (self.trouble)(&Trouble::Broken { message });
            }
            What::End => {}
            What::CutOff(raw) => {
                let rejection = Rejection {
                    kind: RejectionKind::CutOff,
                    line: raw.line,
                    token: String::new(),
                    message: "the source broke off in this game".to_owned(),
                };
                self.take_game(raw, Err(rejection))?;
            }
            What::Broken(message) => {
                self.import.broken += 1;
                (self.trouble)(&Trouble::Broken { message });
            }
        }
        if self.store.staged_bytes() >= BATCH || self.committed.elapsed() >= BATCH_AGE {
            self.commit()?;
        }
        Ok(())
    }

    fn take_game(
        &mut self,
        raw: RawGame,
        read: Result<Recognised, Rejection>,
    ) -> Result<(), StoreError> {
        let (game, decision, recorded) = match read {
            Ok(game) => {
                let on_duplicate = self.options.on_duplicate;
                let (decision, recorded) =
                    settle(self.store, &raw, &game, &self.reading, on_duplicate)?;
                self.reading.remember(&decision, &game.facts);
                (Some(game), decision, recorded)
            }
            Err(rejection) if rejection.kind == RejectionKind::NotAGame => {
                self.only_stray = !self.met_games;
                // A comment between games is told of; anything else may have been a game.
                let first = raw.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
                self.import.stray += u64::from(!matches!(first, Some(b'{' | b';')));
                let source = self.reading.source.clone();
                (self.trouble)(&Trouble::Stray { source, rejection });
                return Ok(());
            }
            Err(rejection) => {
                let source = self.reading.source.clone();
                let reason = Reason::of(&rejection, raw.oversize);
                (self.trouble)(&Trouble::Rejected { source, rejection });
                let known = self.store.known_rejected(&raw, &reason)?;
                let recorded = if known.is_some() { Recorded::Before } else { Recorded::Not };
                let id = known.unwrap_or_else(|| self.store.next_rejected());
                (None, Decision::Rejected { id, reason }, recorded)
            }
        };
        self.met_games = true;
        self.only_stray = false;
        self.import.counts.count(&decision);
        let origin =
            Origin { source: self.reading.source.clone(), offset: raw.offset, line: raw.line };
        self.store.arrive(raw, origin, &self.options.encoding, game.as_ref(), decision, recorded)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.committed = Instant::now();
        match self.options.dry_run {
            true => self.store.rehearse()?,
            false => self.store.commit((self.options.now)())?,
        }
        (self.progress)(&Progress { position: self.position, counts: self.import.counts });
        Ok(())
    }
}
