//! Opening the archive: lock, index, journal, and what the index lacks of the journal.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::batch::Batch;
use super::damage::{guarded, mark_index};
use super::index::Index;
use super::journal::{Frame, Journal, JournalError, OpenReport, Options};
use super::lock::Lock;
use super::meta::Meta;
use super::rebuild::{self, Found};
use super::record::{Record, Tally};
use super::replay::{Past, Replay};
use super::revive::Losses;
use super::witness::disagreement;
use super::{Store, StoreError};
use crate::game::{self, RawGame};

impl Store {
    /// Opens the archive in `dir`; makes it where there is none.
    ///
    /// What the index lacks of the journal is applied; an index that cannot be relied on is made
    /// anew, and [`Store::notices`] say why (reliability.md 7).
    ///
    /// # Errors
    /// [`StoreError::Locked`], [`StoreError::Newer`], [`StoreError::NewerRecord`];
    /// [`StoreError::Lossy`] where the index must be made anew and not all of the journal can be read.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let mut opening = Opening::begin(dir)?;
        let why = opening.why_anew()?;
        let (index, notice) = match (opening.found.index.take(), why) {
            (Some(mut index), None) => {
                index.archive = Some(opening.journal.reader().archive());
                let mut replay = Replay::new(&mut index, &opening.journal, Past::Nothing);
                let done = guarded(|| replay.run(&mut |_| {})).flatten();
                opening.tell(&replay.losses);
                match done {
                    Ok(()) => (index, None),
                    Err(error) if error.is_index_damage() => {
                        drop(index);
                        let why = error.in_words();
                        mark_index(dir, &why).map_err(|source| opening.io(source))?;
                        (opening.make_anew()?, Some(why))
                    }
                    Err(error) => return Err(error),
                }
            }
            (index, why) => {
                drop(index);
                (opening.make_anew()?, why)
            }
        };
        if let Some(why) = notice {
            let batches = opening.journal.end().seq;
            let made =
                format!("the index is made anew from {batches} batches of the journal: {why}");
            opening.notices.push(made);
        }
        opening.finish(index)
    }

    /// Opens the archive with an index made anew, going past what is damaged in the journal. `at`:
    /// the time, in seconds since 1970; `told` hears of each batch.
    ///
    /// # Errors
    /// Those of [`Store::open`] but [`StoreError::Lossy`].
    pub fn rebuild(
        dir: &Path,
        at: i64,
        told: &mut dyn FnMut(&Frame),
    ) -> Result<(Store, Losses), StoreError> {
        let mut opening = Opening::begin(dir)?;
        opening.found.index = None;
        let floor = opening.found.known.as_ref().map(Meta::tally);
        let dir = opening.dir.clone();
        let (index, losses) =
            rebuild::make_anew(&dir, &mut opening.journal, Past::Everything, floor, (at, told))?;
        Ok((opening.finish(index)?, losses))
    }
}

/// An archive that is being opened.
struct Opening {
    dir: PathBuf,
    lock: Lock,
    journal: Journal,
    report: OpenReport,
    found: Found,
    notices: Vec<String>,
}

impl Opening {
    fn begin(dir: &Path) -> Result<Opening, StoreError> {
        let io = |source| StoreError::Io { path: dir.to_owned(), source };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(io)?;
        let lock = Lock::take(dir)?;
        check_room(dir, ROOM)?;
        let mut notices = Vec::new();
        let there = rebuild::index_dir(dir).exists();
        let mut found = rebuild::find(dir, &mut notices)?;
        let (journal, report) = open_journal(&dir.join("journal"), &mut found)?;
        if report.created {
            sync_way_to(dir).map_err(io)?;
        }
        if !there && journal.end().seq > 0 {
            (found.index, found.why) = (None, "there was none".to_owned());
        }
        notices.extend(report.cut.iter().map(ToString::to_string));
        notices.extend(report.damages.iter().map(ToString::to_string));
        Ok(Opening { dir: dir.to_owned(), lock, journal, report, found, notices })
    }

    /// Why the index must be made anew, if it must.
    fn why_anew(&self) -> Result<Option<String>, StoreError> {
        let Some(index) = &self.found.index else { return Ok(Some(self.found.why.clone())) };
        if self.report.position_lost {
            return Ok(Some("it is ahead of the journal".to_owned()));
        }
        match guarded(|| disagreement(index, &self.journal)).flatten() {
            Err(error) if error.is_index_damage() => Ok(Some(error.in_words())),
            other => other,
        }
    }

    fn make_anew(&mut self) -> Result<Index, StoreError> {
        let (dir, journal) = (&self.dir, &mut self.journal);
        let (index, losses) =
            rebuild::make_anew(dir, journal, Past::Nothing, None, (0, &mut |_| {}))?;
        self.tell(&losses);
        Ok(index)
    }

    /// Puts damage that was met among the notices.
    fn tell(&mut self, losses: &Losses) {
        for damage in losses.damages.iter().filter(|damage| !self.report.damages.contains(damage)) {
            self.notices.push(damage.to_string());
        }
    }

    fn finish(mut self, mut index: Index) -> Result<Store, StoreError> {
        // A tail that may have been a batch: the numbers in it may have been told.
        if let Some(texts) = self.report.cut.as_ref().map(|cut| cut.texts).filter(|&n| n > 0) {
            let tally = index.tally();
            let mut replay = Replay::new(&mut index, &self.journal, Past::Nothing);
            replay.skip(&Tally {
                next_game: tally.next_game.saturating_add(texts),
                next_rejected: tally.next_rejected.saturating_add(texts),
                next_text: tally.next_text.saturating_add(texts),
                ..tally
            });
            let nothing = Record::Lost { batches: Vec::new(), games: 0 };
            let why = "(numbers of a batch that was cut off are left out)";
            let last = index.runs.get(index.tree(), index.runs.len())?;
            let at = last.map_or(0, |run| run.last);
            rebuild::record_alone(&mut index, &mut self.journal, why, nothing, at)?;
        }
        Ok(Store {
            dir: self.dir,
            journal: self.journal,
            index,
            batch: Batch::default(),
            keep_free: ROOM,
            notices: self.notices,
            completed: Mutex::default(),
            _lock: self.lock,
        })
    }

    fn io(&self, source: io::Error) -> StoreError {
        StoreError::Io { path: self.dir.clone(), source }
    }
}

/// Opens the journal that the index was made of. Where another one stands in its place the index
/// goes; the journal is the truth.
fn open_journal(dir: &Path, found: &mut Found) -> Result<(Journal, OpenReport), StoreError> {
    let archive = found.known.as_ref().and_then(|known| known.archive);
    let applied = found.known.as_ref().and_then(|known| known.applied);
    let expected = Options { archive, ..Options::default() };
    match Journal::open(dir, &expected, applied) {
        Err(error @ JournalError::Foreign { .. }) if archive.is_some() => {
            let Ok(opened) = Journal::open(dir, &Options::default(), None) else {
                return Err(error.into());
            };
            let why = "it was made of the journal of another archive".to_owned();
            *found = Found { index: None, known: None, why };
            Ok(opened)
        }
        opened => Ok(opened?),
    }
}

/// Makes the names of the archive's folder, and of those above it that may be as new, survive a
/// power cut: a synced journal is lost all the same where the way to it is.
fn sync_way_to(dir: &Path) -> io::Result<()> {
    for folder in dir.ancestors().filter(|folder| !folder.as_os_str().is_empty()) {
        // One that may not be read was not made here.
        let Ok(folder) = File::open(folder) else { continue };
        match folder.sync_all() {
            Err(error) if !cannot_be_synced(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Some file systems know no syncing of folders, and one that is read-only was not changed.
fn cannot_be_synced(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::ReadOnlyFilesystem)
}

/// Bytes that must be free: sled takes up to that much when it is opened, and where it cannot have
/// it waits for ever.
pub(super) const ROOM: u64 = 16 << 20;

/// Tells whether `wanted` bytes are free on the disk of the archive.
pub(super) fn check_room(dir: &Path, wanted: u64) -> Result<(), StoreError> {
    let io =
        |error: rustix::io::Errno| StoreError::Io { path: dir.to_owned(), source: error.into() };
    let stat = rustix::fs::statvfs(dir).map_err(io)?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    if free >= wanted {
        return Ok(());
    }
    Err(StoreError::NoRoom { dir: dir.to_owned(), free: free >> 20, wanted: wanted >> 20 })
}

/// Reads a text that was read before.
pub(super) fn read(raw: &RawGame, encoding: &str) -> Result<game::Game, StoreError> {
    game::read(raw, game::encoding_named(encoding)).map_err(|rejection| {
        let text = String::from_utf8_lossy(&raw.bytes);
        let start: String = text.chars().take(60).collect();
        StoreError::Unreadable(format!("a stored game cannot be read: {rejection} ({start}…)"))
    })
}
