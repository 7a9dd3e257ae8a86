//! An export of many files in one folder: `split = "year"`, `"player"`, … (design.md §5).
//!
//! Games come in the order in which the files shall hold them, each with the file it goes to.
//! Memory and descriptors stay bounded ([`Spill`]); each file is replaced atomically, and only
//! where its content changes.
//!
//! What the folder's list ([`manifest`]) does not name is somebody else's: it is neither replaced
//! nor removed. The list is written *before* new files are put in place (old names and new ones),
//! and once more at the end, without those that were removed. So wherever the process is killed,
//! each file is whole, each file of ours is listed, and the next run completes the work; at most
//! the list names a file that is not there. A file of the same name that somebody puts there
//! between the two runs is then taken for ours: that is the one case in which it can be.
//!
//! During a run, files are replaced one by one: a game that moves from one file to another may
//! for a moment stand in none of them or in both.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::atomic::{self, AtomicFile, Existing, Sealed};
use super::error::ExportError;
use super::manifest;
use super::slug::FileName;
use super::spill::{Sorted, Spill};

/// Bytes of games held in memory while they are sorted by file.
const MEMORY_BYTES: usize = 64 << 20;

/// What becomes of our files that no game came for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// They are removed: the games are the whole export.
    Whole,
    /// They stay: only the files that were named are meant, and one that was named without a
    /// game ([`FileSet::expect`]) is removed.
    Named,
}

/// What an export came to.
#[derive(Debug, Default)]
pub struct FilesWritten {
    /// Games that were added; one that goes to two files counts twice.
    pub games: u64,
    /// Files that are new or have new content.
    pub written: u64,
    /// Files that held this content already.
    pub unchanged: u64,
    /// Files of ours that no longer have a game and are gone.
    pub removed: u64,
    /// Files that were not written because of what stands in their place. The others were.
    pub refused: Vec<ExportError>,
}

/// An export of many files being made. Dropped without [`finish`](FileSet::finish) nothing has
/// changed.
#[derive(Debug)]
pub struct FileSet {
    folder: PathBuf,
    mode: u32,
    scope: Scope,
    /// Holds the lock on the folder.
    _lock: File,
    /// Names that were listed as ours when the export began.
    ours: BTreeSet<FileName>,
    numbers: HashMap<FileName, u32>,
    /// Names by number.
    names: Vec<FileName>,
    /// Whether a game came, by number.
    has_games: Vec<bool>,
    spill: Spill,
    games: u64,
}

impl FileSet {
    /// Begins an export into `folder`, which is made where it is missing; `mode` is that of new
    /// files ([`EXPORT_MODE`](super::EXPORT_MODE)). What a killed export left behind is swept.
    ///
    /// One export at a time writes into a folder: another one fails with [`ExportError::Busy`].
    pub fn open(folder: &Path, mode: u32, scope: Scope) -> Result<FileSet, ExportError> {
        FileSet::with_memory(folder, mode, scope, MEMORY_BYTES)
    }

    pub(super) fn with_memory(
        folder: &Path,
        mode: u32,
        scope: Scope,
        memory_bytes: usize,
    ) -> Result<FileSet, ExportError> {
        atomic::create_folder(folder, mode)?;
        let lock = lock(folder)?;
        atomic::sweep(folder)?;
        Ok(FileSet {
            folder: folder.to_owned(),
            mode,
            scope,
            _lock: lock,
            ours: manifest::read(folder)?,
            numbers: HashMap::new(),
            names: Vec::new(),
            has_games: Vec::new(),
            spill: Spill::new(folder, memory_bytes),
            games: 0,
        })
    }

    /// Appends a game's text, as it shall stand there, to `file`.
    pub fn add(&mut self, file: &FileName, game: &[u8]) -> Result<(), ExportError> {
        let number = self.number(file);
        self.has_games[number as usize] = true;
        self.games += 1;
        self.spill.push(number, game)
    }

    /// Names a file that may have lost its last game ([`Scope::Named`]).
    pub fn expect(&mut self, file: &FileName) {
        self.number(file);
    }

    fn number(&mut self, file: &FileName) -> u32 {
        if let Some(&number) = self.numbers.get(file) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(file.clone(), number);
        self.names.push(file.clone());
        self.has_games.push(false);
        number
    }

    /// Puts the files in place and removes those that lost their last game.
    ///
    /// An error ends the export where it is, with every file whole; what only concerns one file
    /// is in [`FilesWritten::refused`].
    pub fn finish(self) -> Result<FilesWritten, ExportError> {
        let FileSet { folder, mode, scope, _lock, ours, names, has_games, spill, games, .. } = self;
        let result = FilesWritten { games, ..FilesWritten::default() };
        let wanted: BTreeSet<&FileName> =
            names.iter().zip(&has_games).filter(|(_, has)| **has).map(|(name, _)| name).collect();

        claim(&folder, &ours, &wanted)?;

        let mut sorted = spill.sorted();
        let mut placing = Placing::new(result);
        for (number, name) in names.iter().enumerate().filter(|&(number, _)| has_games[number]) {
            let existing = if ours.contains(name) { Existing::Replace } else { Existing::Keep };
            let path = folder.join(name.as_str());
            let sealed = seal(&mut sorted, number as u32, &path, mode, existing)?;
            placing.take(name, sealed, existing)?;
        }
        let (mut result, mut kept) = placing.finish()?;
        if result.written > 0 {
            atomic::sync_folder(&folder)?;
        }

        let named: BTreeSet<&FileName> = names.iter().collect();
        for name in ours.iter().filter(|name| !wanted.contains(name)) {
            if scope == Scope::Named && !named.contains(name) {
                kept.insert(name.clone());
            } else if remove(&folder.join(name.as_str()))? {
                result.removed += 1;
            }
        }
        if result.removed > 0 {
            atomic::sync_folder(&folder)?;
        }
        if !(kept.is_empty() && ours.is_empty()) {
            manifest::write(&folder, &kept)?;
        }
        Ok(result)
    }
}

/// Lists the names that are free and about to be used, before they are.
fn claim(
    folder: &Path,
    ours: &BTreeSet<FileName>,
    wanted: &BTreeSet<&FileName>,
) -> Result<(), ExportError> {
    let is_free = |name: &FileName| {
        let path = folder.join(name.as_str());
        fs::symlink_metadata(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
    };
    let mut claimed = ours.clone();
    let new = wanted.iter().filter(|name| !ours.contains(**name) && is_free(name));
    claimed.extend(new.map(|&name| name.clone()));
    if claimed.len() == ours.len() {
        return Ok(());
    }
    manifest::write(folder, &claimed)
}

/// Writes one file beside its target; `None` where nothing changes. The outer error is the
/// spill's.
fn seal(
    sorted: &mut Sorted,
    number: u32,
    path: &Path,
    mode: u32,
    existing: Existing,
) -> Result<Result<Option<Sealed>, ExportError>, ExportError> {
    let mut file = match AtomicFile::create(path, mode, existing) {
        Ok(file) => file,
        Err(error) => {
            return sorted.take_file(number, |_| Ok(())).map(|taken| taken.and(Err(error)));
        }
    };
    let written = sorted.take_file(number, |bytes| {
        file.write_all(bytes).map_err(|error| ExportError::of_write(path, error))
    })?;
    Ok(written.and_then(|()| file.seal()))
}

/// Files that are written go to their places a few at a time: syncing them side by side takes a
/// fraction of what it takes one after the other.
struct Placing {
    waiting: Vec<(FileName, Sealed)>,
    /// Names that are in place.
    kept: BTreeSet<FileName>,
    result: FilesWritten,
}

impl Placing {
    /// Files, and so descriptors, that wait to be synced.
    const WAITING: usize = 64;
    const THREADS: usize = 16;

    fn new(result: FilesWritten) -> Self {
        Placing { waiting: Vec::new(), kept: BTreeSet::new(), result }
    }

    fn take(
        &mut self,
        name: &FileName,
        sealed: Result<Option<Sealed>, ExportError>,
        existing: Existing,
    ) -> Result<(), ExportError> {
        match sealed {
            Ok(None) => {
                self.result.unchanged += 1;
                self.kept.insert(name.clone());
            }
            Ok(Some(sealed)) => {
                self.waiting.push((name.clone(), sealed));
                if self.waiting.len() == Self::WAITING {
                    self.place()?;
                }
            }
            Err(error) => {
                // A file of ours that another program wrote into is still ours.
                let changed = matches!(error, ExportError::ChangedMeanwhile { .. });
                if changed && existing == Existing::Replace {
                    self.kept.insert(name.clone());
                }
                self.refuse(error)?;
            }
        }
        Ok(())
    }

    fn place(&mut self) -> Result<(), ExportError> {
        let share = self.waiting.len().div_ceil(Self::THREADS).max(1);
        std::thread::scope(|scope| {
            let syncs: Vec<_> = self
                .waiting
                .chunks(share)
                .map(|some| scope.spawn(|| some.iter().try_for_each(|(_, file)| file.sync())))
                .collect();
            syncs.into_iter().try_for_each(|sync| {
                sync.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })?;
        for (name, file) in std::mem::take(&mut self.waiting) {
            match file.publish() {
                Ok(()) => {
                    self.result.written += 1;
                    self.kept.insert(name);
                }
                Err(error) => self.refuse(error)?,
            }
        }
        Ok(())
    }

    fn refuse(&mut self, error: ExportError) -> Result<(), ExportError> {
        if !error.concerns_one_file() {
            return Err(error);
        }
        self.result.refused.push(error);
        Ok(())
    }

    fn finish(mut self) -> Result<(FilesWritten, BTreeSet<FileName>), ExportError> {
        self.place()?;
        Ok((self.result, self.kept))
    }
}

/// Removes a file of ours; what is no file was put there by somebody else, and stays.
fn remove(path: &Path) -> Result<bool, ExportError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(ExportError::io(path, "be looked at")(error)),
        Ok(there) if !there.is_file() => return Ok(false),
        Ok(_) => {}
    }
    fs::remove_file(path).map_err(ExportError::io(path, "be removed"))?;
    Ok(true)
}

fn lock(folder: &Path) -> Result<File, ExportError> {
    let file = File::open(folder).map_err(ExportError::io(folder, "be read"))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Err(ExportError::Busy { path: folder.to_owned() }),
        // A file system without locks goes without.
        _ => Ok(file),
    }
}
