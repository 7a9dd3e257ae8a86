//! The file that is written: creating, appending, syncing, cutting. Tests can make it fail.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::JournalError;
use super::segment::{SegmentHeader, file_name};

/// How a segment's name ends while it is being made.
const UNFINISHED: &str = ".new";

/// The segment that is written to.
#[derive(Debug)]
pub(super) struct Output {
    file: File,
    pub(super) path: PathBuf,
    #[cfg(test)]
    faults: Faults,
}

impl Output {
    /// Opens an existing segment.
    pub(super) fn open(dir: &Path, number: u32) -> Result<Self, JournalError> {
        let path = dir.join(file_name(number));
        let file = OpenOptions::new()
            .write(true)
            .open(&path)
            .map_err(JournalError::io("open for writing", &path))?;
        Ok(Output {
            file,
            path,
            #[cfg(test)]
            faults: Faults::default(),
        })
    }

    /// Makes a new segment, durably. It gets its name when its header is on disk, so that no
    /// crash leaves a segment without one.
    pub(super) fn create(dir: &Path, header: SegmentHeader) -> Result<Self, JournalError> {
        let path = dir.join(file_name(header.number));
        let unfinished = dir.join(file_name(header.number) + UNFINISHED);
        let make = || {
            if path.try_exists()? {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&unfinished)?;
            file.write_all_at(&header.to_bytes(), 0)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)?;
            File::open(dir)?.sync_all()?;
            Ok(file)
        };
        match make() {
            Ok(file) => Ok(Output {
                file,
                path,
                #[cfg(test)]
                faults: Faults::default(),
            }),
            Err(source) => {
                // What is left of it is swept at the next start if it cannot be removed now.
                let _ = fs::remove_file(&unfinished);
                Err(JournalError::io("create", &path)(source))
            }
        }
    }

    /// Writes `bytes` at `offset`, in one call where the system takes them so.
    pub(super) fn write(&self, bytes: &[u8], offset: u64) -> Result<(), JournalError> {
        #[cfg(test)]
        if let Some((errno, part)) = self.faults.strikes() {
            let part = &bytes[..part.min(bytes.len())];
            self.file.write_all_at(part, offset).expect("room for a part");
            return Err(JournalError::io("write to", &self.path)(errno));
        }
        self.file.write_all_at(bytes, offset).map_err(JournalError::io("write to", &self.path))
    }

    /// Makes what was written durable.
    pub(super) fn sync(&self) -> Result<(), JournalError> {
        #[cfg(test)]
        if let Some((errno, _)) = self.faults.strikes() {
            return Err(JournalError::io("sync", &self.path)(errno));
        }
        self.file.sync_data().map_err(JournalError::io("sync", &self.path))
    }

    /// Cuts the file to `length`, durably.
    pub(super) fn cut(&self, length: u64) -> Result<(), JournalError> {
        self.file
            .set_len(length)
            .and_then(|()| self.file.sync_all())
            .map_err(JournalError::io("cut", &self.path))
    }

    #[cfg(test)]
    pub(super) fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }
}

/// Makes the journal's directory, durably, if it is not there.
pub(super) fn create_dir(dir: &Path) -> Result<(), JournalError> {
    if dir.is_dir() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(JournalError::io("create", dir))?;
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    File::open(parent)
        .and_then(|parent| parent.sync_all())
        .map_err(JournalError::io("sync", parent))
}

/// Removes segments that were never finished: no frame was ever in one.
pub(super) fn sweep(dir: &Path) -> Result<(), JournalError> {
    for entry in fs::read_dir(dir).map_err(JournalError::io("read", dir))? {
        let path = entry.map_err(JournalError::io("read", dir))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(&(".gkj".to_owned() + UNFINISHED)) {
            fs::remove_file(&path).map_err(JournalError::io("remove", &path))?;
        }
    }
    Ok(())
}

/// Lets the n-th write or sync from now fail, once.
#[cfg(test)]
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(std::sync::Arc<std::sync::Mutex<Option<Fault>>>);

#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    /// How many operations still succeed.
    pub(crate) after: usize,
    /// The error, as the system numbers it.
    pub(crate) errno: i32,
    /// How many bytes a failing write still writes.
    pub(crate) part: usize,
}

#[cfg(test)]
impl Faults {
    pub(crate) fn arm(&self, fault: Fault) {
        *self.0.lock().unwrap() = Some(fault);
    }

    fn strikes(&self) -> Option<(io::Error, usize)> {
        let mut armed = self.0.lock().unwrap();
        match armed.as_mut()? {
            Fault { after: 0, errno, part } => {
                let strike = (io::Error::from_raw_os_error(*errno), *part);
                *armed = None;
                Some(strike)
            }
            fault => {
                fault.after -= 1;
                None
            }
        }
    }
}
