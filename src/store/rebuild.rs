//! Finding the index, and making it anew from the journal beside the old one.
//!
//! The old index stays until the new one is complete. Never: to take an index that cannot be relied
//! on for a smaller archive, or to pass over what is lost without a word.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::damage::{self, guarded};
use super::database::Database;
use super::index::Index;
use super::journal::{Frame, Journal};
use super::meta::{INDEX_FORMAT, Lost, Meta};
use super::record::{RULES, Record, Tally};
use super::replay::{Past, Replay, accepted};
use super::revive::Losses;

/// The index as it was found.
pub(super) struct Found {
    /// The index, where it can be opened.
    pub(super) index: Option<Index>,
    /// What it says of itself, also where it cannot be used.
    pub(super) known: Option<Meta>,
    /// Why it cannot be used.
    pub(super) why: String,
}

/// The folder of the index.
pub(super) fn index_dir(dir: &Path) -> PathBuf {
    dir.join("index")
}

/// Opens the index of the archive in `dir`, or finds out why it cannot be used.
///
/// # Errors
/// [`StoreError::Newer`]; a file that cannot be moved.
pub(super) fn find(dir: &Path, notices: &mut Vec<String>) -> Result<Found, StoreError> {
    remove(&dir.join(NEW))?;
    let index = index_dir(dir);
    sweep_snapshots(&index, notices)?;
    let mut found = look(&index)?;
    if found.index.is_none() && found.known.is_none() {
        let aside = set_snapshots_aside(&index)?;
        if !aside.is_empty() {
            let again = look(&index)?;
            if again.index.is_some() {
                let names = aside.join(", ");
                notices.push(format!(
                    "{names} of the index was damaged and is set aside: the database was read anew without it"
                ));
                found = again;
            }
        }
    }
    if let Some(why) = damage::mark_of(dir) {
        (found.index, found.why) = (None, why);
    }
    Ok(found)
}

/// sled panics on some damage, and returns errors on other.
fn look(dir: &Path) -> Result<Found, StoreError> {
    let failed = |error: StoreError, known| match error {
        error @ StoreError::Newer { .. } => Err(error),
        error if error.is_no_space() => Err(error),
        error => Ok(Found { index: None, known, why: error.in_words() }),
    };
    let database = match guarded(|| Database::open(dir)).flatten() {
        Ok(database) => database,
        Err(error) => return failed(error, None),
    };
    let known = match guarded(|| database.meta()).flatten() {
        Ok(known) => known,
        Err(error) => return failed(error, None),
    };
    let meta = known.clone().unwrap_or(Meta { format: INDEX_FORMAT, ..Meta::default() });
    match guarded(|| Index::load(database, meta)).flatten() {
        Ok(index) => Ok(Found { index: Some(index), known, why: String::new() }),
        Err(error) => failed(error, known),
    }
}

/// A snapshot that was cut off keeps sled from opening.
fn sweep_snapshots(index: &Path, notices: &mut Vec<String>) -> Result<(), StoreError> {
    for (path, name) in snapshots(index).into_iter().filter(|(_, name)| name.ends_with(CUT_OFF)) {
        fs::remove_file(&path).map_err(|source| StoreError::Io { path, source })?;
        notices.push(format!("removed {name}, a snapshot of the index that was cut off"));
    }
    Ok(())
}

/// Without its snapshots sled reads the whole of its log.
fn set_snapshots_aside(index: &Path) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    for (path, name) in snapshots(index) {
        let aside = index.join(format!("damaged-{name}"));
        fs::rename(&path, aside).map_err(|source| StoreError::Io { path, source })?;
        names.push(name);
    }
    Ok(names)
}

fn snapshots(index: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(index).into_iter().flatten().flatten();
    let named = entries.map(|entry| (entry.path(), entry.file_name().to_string_lossy().into()));
    named.filter(|(_, name): &(_, String)| name.starts_with("snap.")).collect()
}

const CUT_OFF: &str = ".generating";
/// Where an index is made until it is complete.
const NEW: &str = "index.new";

/// Makes the index anew from the journal and puts it in the place of the old one, which must be
/// closed. `floor`: numbers that the old one had given away already.
///
/// # Errors
/// [`StoreError::Lossy`] where something is lost and `past` does not pass over it; the journal
/// cannot be read, or the index not be written.
pub(super) fn make_anew(
    dir: &Path,
    journal: &mut Journal,
    past: Past,
    floor: Option<Tally>,
    (at, told): (i64, &mut dyn FnMut(&Frame)),
) -> Result<(Index, Losses), StoreError> {
    let new = dir.join(NEW);
    remove(&new)?;
    let archive = Some(journal.reader().archive());
    let meta = Meta { format: INDEX_FORMAT, archive, ..Meta::default() };
    let mut index = guarded(|| Index::load(Database::open(&new)?, meta)).flatten()?;
    let mut replay = Replay::new(&mut index, journal, past);
    guarded(|| replay.run(told)).flatten()?;
    let mut losses = std::mem::take(&mut replay.losses);
    if !losses.is_empty() {
        if let Some(floor) = floor {
            let mut replay = Replay::new(&mut index, journal, past);
            replay.losses = losses;
            replay.leave_out(&floor);
            losses = replay.losses;
        }
        losses.new = accept(&mut index, journal, &losses, at)?;
    }
    let mut disagrees = false;
    if losses.is_empty() {
        if past == Past::Everything && !losses.damages.is_empty() {
            accept(&mut index, journal, &losses, at)?;
        }
        // What was passed over before can be read again.
        disagrees = std::mem::take(&mut index.lost) != Lost::default();
    }
    disagrees |= index.last.is_some() && super::witness::disagreement(&index, journal)?.is_some();
    if disagrees {
        index.note_disagreement()?;
    }
    index.flush()?;
    drop(index);
    put_in_place(dir, &new)?;
    damage::unmark(dir)?;
    let found = look(&index_dir(dir))?;
    let index = found.index.ok_or(StoreError::IndexDamaged(found.why))?;
    Ok((index, losses))
}

/// Records in the journal what is lost and has been passed over, so that it is told from then on and
/// passed over again; whether there was something new.
fn accept(
    index: &mut Index,
    journal: &mut Journal,
    losses: &Losses,
    at: i64,
) -> Result<bool, StoreError> {
    let known = accepted(journal.reader());
    let mut batches: Vec<(u64, u64)> = Vec::new();
    for &seq in &losses.batches {
        if known.has(seq, seq) {
            continue;
        }
        match batches.last_mut() {
            Some((_, last)) if *last + 1 == seq => *last = seq,
            _ => batches.push((seq, seq)),
        }
    }
    if batches.is_empty() && known.ever {
        return Ok(false);
    }
    let new = !batches.is_empty();
    let games = losses.games().len() as u64;
    let games = u32::try_from(games.saturating_sub(index.lost.games)).unwrap_or(u32::MAX);
    record_alone(index, journal, "doctor --rebuild", Record::Lost { batches, games }, at)?;
    Ok(new)
}

/// Writes a batch that belongs to no command's reading: a run of its own.
pub(super) fn record_alone(
    index: &mut Index,
    journal: &mut Journal,
    command: &str,
    record: Record,
    at: i64,
) -> Result<(), StoreError> {
    let run = index.runs.len() + 1;
    let first_text = index.next_text();
    let command = command.to_owned();
    let records = [
        Record::Batch { run, at, rules: RULES, first_text },
        Record::RunBegins { run, command },
        record,
        Record::RunEnds { run },
    ];
    for record in &records {
        index.apply(record, run, at)?;
    }
    let sealed = index.seal::<&[u8]>(&records, &[]);
    let appended = journal.commit::<&[u8]>(&sealed, &[])?;
    index.write(appended.after, appended.frame)
}

fn put_in_place(dir: &Path, new: &Path) -> Result<(), StoreError> {
    let index = index_dir(dir);
    remove(&index)?;
    let io = |source| StoreError::Io { path: index.clone(), source };
    fs::rename(new, &index).map_err(io)?;
    fs::File::open(dir).and_then(|dir| dir.sync_all()).map_err(io)
}

/// Removes a folder, or what stands in its place.
fn remove(dir: &Path) -> Result<(), StoreError> {
    let is_folder = fs::symlink_metadata(dir).is_ok_and(|there| there.is_dir());
    match if is_folder { fs::remove_dir_all(dir) } else { fs::remove_file(dir) } {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(StoreError::Io { path: dir.to_owned(), source })
        }
        _ => Ok(()),
    }
}
