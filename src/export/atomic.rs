//! One file, replaced as a whole or not at all, and not touched where nothing changes
//! (reliability.md 8, 9, 17).
//!
//! What is written is compared with the file that stands there. As long as both are equal nothing
//! is written; at the first difference a temporary file takes over in the same folder, so that an
//! export in which nothing changed costs reading alone. The temporary file is locked for as long
//! as its writer lives, so that [`sweep`] can tell what a killed process left behind.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use tempfile::NamedTempFile;

use super::error::ExportError;

/// Permissions of a new export: its owner writes, its group reads. Set as they are, whatever the
/// process's umask, which keeps the archive itself private. A file that is replaced keeps its own.
pub const EXPORT_MODE: u32 = 0o640;

const BUFFER_BYTES: usize = 256 << 10;
const TEMP_PREFIX: &str = ".gamekeeper-";
const TEMP_SUFFIX: &str = ".tmp";

/// What is done with another content that stands at the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced: the user named the file, or we wrote it.
    Replace,
    /// It stays, and writing fails with [`ExportError::SomebodyElses`].
    Keep,
}

/// What a commit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The target is new or has new content.
    Written,
    /// The target held this content already and was not touched.
    Unchanged,
}

/// A file being written. Until [`commit`](AtomicFile::commit) the target stays as it was; dropped
/// without it, no trace is left. Errors of `write` carry an [`ExportError`]
/// ([`ExportError::of_write`]).
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    mode: u32,
    existing: Existing,
    state: State,
}

#[derive(Debug)]
enum State {
    /// All that was written equals the beginning of the file that stands there.
    Equal {
        old: BufReader<File>,
        before: Metadata,
        bytes: u64,
    },
    Differing(BufWriter<NamedTempFile>),
    /// A step failed; the target stays as it is.
    Failed,
}

impl AtomicFile {
    /// Begins a new content for `target`, whose folder must be there. `mode`: permissions if the
    /// file is new ([`EXPORT_MODE`]).
    ///
    /// A target that is a symbolic link, a folder, a pipe or a device is refused.
    pub fn create(
        target: impl Into<PathBuf>,
        mode: u32,
        existing: Existing,
    ) -> Result<AtomicFile, ExportError> {
        let target = target.into();
        let mut file = AtomicFile { target, mode, existing, state: State::Failed };
        file.state = match open_old(&file.target)? {
            Some((old, before)) => {
                file.mode = before.mode() & 0o777;
                let old = BufReader::with_capacity(BUFFER_BYTES, old);
                State::Equal { old, before, bytes: 0 }
            }
            None => State::Differing(buffered(file.new_temp()?)),
        };
        Ok(file)
    }

    /// The file that is to be replaced.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Puts the content in place: synced, renamed over the target, the rename synced.
    pub fn commit(self) -> Result<Outcome, ExportError> {
        let folder = folder_of(&self.target).to_owned();
        let Some(sealed) = self.seal()? else {
            return Ok(Outcome::Unchanged);
        };
        sealed.sync()?;
        sealed.publish()?;
        sync_folder(&folder)?;
        Ok(Outcome::Written)
    }

    /// Ends the content; `None` where it is what stands there. The steps of
    /// [`commit`](AtomicFile::commit) one by one, so that many files can be synced side by side.
    pub(super) fn seal(mut self) -> Result<Option<Sealed>, ExportError> {
        if let State::Equal { old, before, .. } = &mut self.state {
            let ended =
                old.fill_buf().map_err(ExportError::io(&self.target, "be read"))?.is_empty();
            if ended {
                unchanged_since(before, old.get_ref(), &self.target)?;
                return Ok(None);
            }
            self.diverge()?;
        }
        let State::Differing(out) = std::mem::replace(&mut self.state, State::Failed) else {
            return Err(ExportError::io(&self.target, "be written")(failed_before()));
        };
        let sealed = out.into_inner().map_err(|e| e.into_error()).and_then(|temp| {
            temp.as_file().set_permissions(Permissions::from_mode(self.mode))?;
            Ok(temp)
        });
        let temp = sealed.map_err(ExportError::io(&self.target, "be written"))?;
        Ok(Some(Sealed { target: self.target, existing: self.existing, temp }))
    }

    /// The contents part ways: a temporary file takes over, beginning with what was equal.
    fn diverge(&mut self) -> Result<(), ExportError> {
        let State::Equal { old, before, bytes } = std::mem::replace(&mut self.state, State::Failed)
        else {
            return Ok(());
        };
        if self.existing == Existing::Keep {
            return Err(ExportError::SomebodyElses { path: self.target.clone() });
        }
        let temp = self.new_temp()?;
        let mut old = old.into_inner();
        let copied = old
            .rewind()
            .and_then(|()| io::copy(&mut (&mut old).take(bytes), &mut temp.as_file()))
            .map_err(ExportError::io(&self.target, "be written"))?;
        unchanged_since(&before, &old, &self.target)?;
        if copied != bytes {
            return Err(ExportError::ChangedMeanwhile { path: self.target.clone() });
        }
        self.state = State::Differing(buffered(temp));
        Ok(())
    }

    fn new_temp(&self) -> Result<NamedTempFile, ExportError> {
        let folder = folder_of(&self.target);
        let made = || loop {
            let temp = tempfile::Builder::new()
                .prefix(TEMP_PREFIX)
                .suffix(TEMP_SUFFIX)
                .tempfile_in(folder)?;
            lock(temp.as_file())?;
            // A sweep may have taken it for a dead one before it was locked.
            if temp.as_file().metadata()?.nlink() > 0 {
                return Ok(temp);
            }
        };
        made().map_err(ExportError::io(folder, "be written to"))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let State::Equal { old, bytes: so_far, .. } = &mut self.state {
            let theirs = old.fill_buf()?;
            let n = common_prefix(theirs, bytes);
            if n > 0 || bytes.is_empty() {
                old.consume(n);
                *so_far += n as u64;
                return Ok(n);
            }
            self.diverge().map_err(io::Error::other)?;
        }
        match &mut self.state {
            State::Differing(out) => out.write(bytes),
            State::Equal { .. } | State::Failed => Err(failed_before()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Differing(out) => out.flush(),
            State::Equal { .. } | State::Failed => Ok(()),
        }
    }
}

/// A content that is complete and waits beside its target.
#[derive(Debug)]
pub(super) struct Sealed {
    target: PathBuf,
    existing: Existing,
    temp: NamedTempFile,
}

impl Sealed {
    /// Makes the content survive a power cut; comes before [`publish`](Sealed::publish).
    pub(super) fn sync(&self) -> Result<(), ExportError> {
        self.temp.as_file().sync_all().map_err(ExportError::io(&self.target, "be synced"))
    }

    /// Renames it over the target; [`sync_folder`] makes the rename survive a power cut too.
    pub(super) fn publish(self) -> Result<(), ExportError> {
        let Sealed { target, existing, temp } = self;
        // Something may have taken the target's place since it was looked at: a rename replaces
        // a link itself, and fails on a folder.
        let published = match existing {
            Existing::Replace => temp.persist(&target),
            Existing::Keep => temp.persist_noclobber(&target),
        };
        match published {
            Ok(_) => Ok(()),
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(ExportError::SomebodyElses { path: target })
            }
            Err(e) => Err(ExportError::io(&target, "be replaced")(e.error)),
        }
    }
}

fn failed_before() -> io::Error {
    io::Error::other("writing failed before")
}

/// Makes `folder` and the folders above it, where they are missing, such that whoever may read a
/// file of `mode` can get there, whatever the process's umask.
pub fn create_folder(folder: &Path, mode: u32) -> Result<(), ExportError> {
    match fs::metadata(folder) {
        Ok(there) if there.is_dir() => return Ok(()),
        Ok(_) => {
            return Err(ExportError::NotAFolder { path: folder.to_owned() });
        }
        Err(_) => {}
    }
    if let Some(parent) = folder.parent().filter(|p| !p.as_os_str().is_empty()) {
        create_folder(parent, mode)?;
    }
    let mode = mode | 0o700 | (mode & 0o444) >> 2;
    let made = fs::DirBuilder::new()
        .mode(mode)
        .create(folder)
        .and_then(|()| fs::set_permissions(folder, Permissions::from_mode(mode)));
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map_err(ExportError::io(folder, "be made")),
    }
}

/// Removes the temporary files in `folder` whose writers are dead, and returns their number.
///
/// A living writer holds a lock on its file, so none of these is ever taken, by whichever process
/// and however old. What cannot be opened, locked or removed is left alone.
pub fn sweep(folder: &Path) -> Result<usize, ExportError> {
    let mut swept = 0;
    let failed = |error| ExportError::io(folder, "be read")(error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(TEMP_PREFIX) && name.ends_with(TEMP_SUFFIX));
        if !ours || !entry.file_type().is_ok_and(|t| t.is_file()) {
            continue;
        }
        let Ok(file) = open_no_follow(&entry.path()) else {
            continue;
        };
        let dead = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        // While it is locked here, its writer finds it gone and makes another.
        if dead && fs::remove_file(entry.path()).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Syncs the names in `folder`, so that renames there survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> Result<(), ExportError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(ExportError::io(folder, "be synced"))
}

/// Waits for the lock; a file system without locks goes without, and its files are never swept.
fn lock(file: &File) -> io::Result<()> {
    use rustix::io::Errno;
    match flock(file, FlockOperation::LockExclusive) {
        Ok(()) | Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The file at `target`, if there is one that can be compared with.
fn open_old(target: &Path) -> Result<Option<(File, Metadata)>, ExportError> {
    let path = || target.to_owned();
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ExportError::io(target, "be looked at")(error)),
        Ok(there) if there.is_symlink() => return Err(ExportError::SymbolicLink { path: path() }),
        Ok(there) if there.is_dir() => return Err(ExportError::Folder { path: path() }),
        Ok(there) if !there.is_file() => return Err(ExportError::NotAFile { path: path() }),
        Ok(_) => {}
    }
    let opened = open_no_follow(target).and_then(|old| Ok((old.metadata()?, old)));
    match opened {
        Ok((metadata, _)) if !metadata.is_file() => {
            Err(ExportError::ChangedMeanwhile { path: path() })
        }
        Ok((metadata, old)) => Ok(Some((old, metadata))),
        Err(error) => Err(ExportError::io(target, "be read")(error)),
    }
}

fn open_no_follow(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Somebody who wrote into the file while it was compared would leave a mixture of both.
fn unchanged_since(before: &Metadata, old: &File, target: &Path) -> Result<(), ExportError> {
    let state = |m: &Metadata| (m.len(), m.mtime(), m.mtime_nsec());
    let now = old.metadata().map_err(ExportError::io(target, "be looked at"))?;
    if state(&now) == state(before) {
        return Ok(());
    }
    Err(ExportError::ChangedMeanwhile { path: target.to_owned() })
}

fn buffered(temp: NamedTempFile) -> BufWriter<NamedTempFile> {
    BufWriter::with_capacity(BUFFER_BYTES, temp)
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let n = a.len().min(b.len());
    if a[..n] == b[..n] {
        return n;
    }
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
