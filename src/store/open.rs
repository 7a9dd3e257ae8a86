//! Opening the archive: lock, index, journal, and what the index lacks of the journal.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::apply::{ReadText, text_hash};
use super::batch::{Batch, read_text};
use super::index::Index;
use super::journal::{Frame, Journal, Options, Position};
use super::lock::Lock;
use super::record::{self, Arrival, Decision, Record};
use super::{Recognised, Store, StoreError};
use crate::game::{self, RawGame};

impl Store {
    /// Opens the archive in `dir`; makes it where there is none.
    ///
    /// What the index lacks of the journal is applied; an index that cannot be used is made anew.
    ///
    /// # Errors
    /// [`StoreError::Locked`], [`StoreError::Newer`], or a journal that cannot be read.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let io = |source| StoreError::Io { path: dir.to_owned(), source };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(io)?;
        let lock = Lock::take(dir)?;
        check_room(dir, ROOM)?;
        let mut notices = Vec::new();
        let index_dir = dir.join("index");
        let mut index = match open_index(&index_dir, &mut notices) {
            Ok(index) => index,
            Err(reason) => {
                notices.push(format!("the index is made anew from the journal: {reason}"));
                empty_index(&index_dir)?
            }
        };
        let (journal, report) =
            Journal::open(&dir.join("journal"), &Options::default(), index.applied())?;
        if report.created {
            sync_way_to(dir).map_err(io)?;
        }
        notices.extend(report.cut.iter().map(ToString::to_string));
        notices.extend(report.damages.iter().map(ToString::to_string));
        if report.position_lost {
            notices.push("the index is ahead of the journal and is made anew from it".to_owned());
            drop(index);
            index = empty_index(&index_dir)?;
        }
        replay(&mut index, &journal)?;
        Ok(Store {
            dir: dir.to_owned(),
            journal,
            index,
            batch: Batch::default(),
            keep_free: ROOM,
            notices,
            _lock: lock,
        })
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

/// Opens the index. sled panics on some damage; its half-written snapshots keep it from opening.
fn open_index(dir: &Path, notices: &mut Vec<String>) -> Result<Index, String> {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            notices.push(format!("removed {name}, a snapshot of the index that was cut off"));
            fs::remove_file(entry.path()).map_err(|error| error.to_string())?;
        }
    }
    match catch_unwind(AssertUnwindSafe(|| Index::open(dir))) {
        Ok(Ok(index)) => Ok(index),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it cannot be opened".to_owned()),
    }
}

fn empty_index(dir: &Path) -> Result<Index, StoreError> {
    match fs::remove_dir_all(dir) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::Io { path: dir.to_owned(), source })
        }
        _ => Index::open(dir),
    }
}

/// Applies what the index lacks of the journal.
fn replay(index: &mut Index, journal: &Journal) -> Result<(), StoreError> {
    for frame in journal.reader().frames(index.applied().unwrap_or(Position::START))? {
        apply_frame(index, journal, &frame?)?;
    }
    Ok(())
}

fn apply_frame(index: &mut Index, journal: &Journal, frame: &Frame) -> Result<(), StoreError> {
    let records = record::decode(&frame.records)?;
    let (mut run, mut at) = (0, 0);
    for record in &records {
        match record {
            Record::Batch { run: r, at: a, first_text, .. } => {
                (run, at) = (*r, *a);
                index.add_frame(*first_text, frame.text_count(), frame.at);
            }
            Record::Arrival(arrival) => replay_arrival(index, journal, arrival, run, at)?,
            _ => index.apply(record, run, at)?,
        }
    }
    index.write(frame.after)
}

fn replay_arrival(
    index: &mut Index,
    journal: &Journal,
    arrival: &Arrival,
    run: u32,
    at: i64,
) -> Result<(), StoreError> {
    let raw = RawGame {
        bytes: read_text(index, journal, arrival.text)?.to_vec(),
        offset: arrival.origin.offset,
        line: arrival.origin.line,
        complete: arrival.complete,
        oversize: None,
    };
    let game = match arrival.decision {
        Decision::Rejected { .. } => None,
        _ => Some(Recognised::of(read(&raw, &arrival.encoding)?, raw.complete)),
    };
    let hash = text_hash(&raw.bytes);
    let text = ReadText { hash, game: game.as_ref() };
    index.apply_arrival(arrival, &text, run, at)
}

/// Reads a text that was read before.
pub(super) fn read(raw: &RawGame, encoding: &str) -> Result<game::Game, StoreError> {
    game::read(raw, game::encoding_named(encoding)).map_err(|rejection| {
        let text = String::from_utf8_lossy(&raw.bytes);
        let start: String = text.chars().take(60).collect();
        StoreError::Unreadable(format!("a stored game cannot be read: {rejection} ({start}…)"))
    })
}
