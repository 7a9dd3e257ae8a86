//! The files that a list of paths stands for, in a stable order.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::{InputError, Problem, shown};
use super::format::{Format, is_passed_over};

/// One thing to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// `-`: the standard input.
    Stdin,
    /// A file that was named itself: tried whatever it is called.
    Named(PathBuf),
    /// A file that was met in a folder and is called like one of games.
    InFolder(PathBuf),
}

/// Lists what `paths` stand for.
///
/// Paths come in their order; a folder's entries sorted by the bytes of their names, folders
/// among them gone into where they stand. Links are followed. A file or folder that is met twice
/// (the same device and inode: a link, a loop, named twice) is read once. In folders, hidden
/// names, unfinished downloads, names that are not of games, and what is no file (pipes, sockets,
/// devices) are passed over. Each error concerns one path, and the walk goes on after it.
pub fn walk<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Walk {
    let mut named: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    named.reverse();
    Walk { named, folders: Vec::new(), seen: HashSet::new(), stdin_seen: false }
}

/// The iterator that [`walk`] returns. Holds the names of the folders it is in, no descriptor.
#[derive(Debug)]
pub struct Walk {
    /// What is still to come, the next one last.
    named: Vec<PathBuf>,
    /// The folders that are being read, the innermost last.
    folders: Vec<Folder>,
    /// Devices and inodes of the files and folders met so far.
    seen: HashSet<(u64, u64)>,
    stdin_seen: bool,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Names of entries still to come, the next one last.
    names: Vec<OsString>,
}

impl Iterator for Walk {
    type Item = Result<Found, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let step = match self.next_entry() {
                Some(entry) => self.take_entry(entry),
                None => {
                    let path = self.named.pop()?;
                    self.take_named(path)
                }
            };
            if let Some(item) = step.transpose() {
                return Some(item);
            }
        }
    }
}

impl Walk {
    fn next_entry(&mut self) -> Option<PathBuf> {
        while let Some(folder) = self.folders.last_mut() {
            if let Some(name) = folder.names.pop() {
                return Some(folder.path.join(name));
            }
            self.folders.pop();
        }
        None
    }

    fn take_named(&mut self, path: PathBuf) -> Result<Option<Found>, InputError> {
        if path.as_os_str() == "-" {
            let first = !std::mem::replace(&mut self.stdin_seen, true);
            return Ok(first.then_some(Found::Stdin));
        }
        let metadata = stat(&path)?;
        if metadata.is_dir() {
            self.enter(path, &metadata)?;
            return Ok(None);
        }
        Ok(self.is_first(&metadata).then_some(Found::Named(path)))
    }

    fn take_entry(&mut self, path: PathBuf) -> Result<Option<Found>, InputError> {
        let metadata = stat(&path)?;
        if metadata.is_dir() {
            self.enter(path, &metadata)?;
            return Ok(None);
        }
        let ours = metadata.is_file() && is_called_ours(&path);
        Ok((ours && self.is_first(&metadata)).then_some(Found::InFolder(path)))
    }

    fn enter(&mut self, path: PathBuf, metadata: &Metadata) -> Result<(), InputError> {
        if !self.is_first(metadata) {
            return Ok(());
        }
        let mut names = list(&path).map_err(|e| Problem::from_io(e).at(&shown(&path)))?;
        names.sort_unstable_by(|a, b| b.cmp(a));
        self.folders.push(Folder { path, names });
        Ok(())
    }

    fn is_first(&mut self, metadata: &Metadata) -> bool {
        self.seen.insert((metadata.dev(), metadata.ino()))
    }
}

fn stat(path: &Path) -> Result<Metadata, InputError> {
    fs::metadata(path).map_err(|e| Problem::from_io(e).at(&shown(path)))
}

/// The entries worth a look: what may be a folder, and what is called like a file of games.
fn list(folder: &Path) -> std::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if is_passed_over(name.as_bytes()) {
            continue;
        }
        // Links whose target is neither are dropped later, once it is known; a link that points
        // to nothing is a problem only where it is called like a file of games.
        let ours = Format::of_listed_name(name.as_bytes()).is_some();
        let file_type = entry.file_type()?;
        let leads_to_folder = file_type.is_dir()
            || file_type.is_symlink() && fs::metadata(entry.path()).is_ok_and(|m| m.is_dir());
        if leads_to_folder || ours {
            names.push(name);
        }
    }
    Ok(names)
}

fn is_called_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|name| Format::of_listed_name(name.as_bytes()).is_some())
}
