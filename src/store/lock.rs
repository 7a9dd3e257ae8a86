//! One process at a time.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::StoreError;

/// Holds the archive's lock until dropped. The kernel gives it up when the process dies.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the archive in `dir`.
    ///
    /// # Errors
    /// [`StoreError::Locked`], with the pid of the process that has it.
    pub(super) fn take(dir: &Path) -> Result<Lock, StoreError> {
        let path = dir.join("lock");
        let io = |source| StoreError::Io { path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(io)?;
        if let Err(error) = flock(&file, FlockOperation::NonBlockingLockExclusive) {
            if error != rustix::io::Errno::WOULDBLOCK {
                return Err(io(error.into()));
            }
            let mut pid = String::new();
            // The pid is told to help; without it the message is still right.
            let _ = file.read_to_string(&mut pid);
            return Err(StoreError::Locked { dir: dir.to_owned(), pid: pid.trim().parse().ok() });
        }
        // The pid only helps whoever finds the archive locked.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Lock { _file: file })
    }
}
