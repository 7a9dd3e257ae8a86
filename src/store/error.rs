//! What can go wrong with the store.

use std::path::PathBuf;

use super::journal::JournalError;
use crate::space::is_no_space;

/// Why the store cannot do what it was asked.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StoreError {
    /// Another process has the store open.
    #[error("the archive {dir} is in use by another process{}", pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default())]
    Locked { dir: PathBuf, pid: Option<u32> },
    /// The store was written by a newer version.
    #[error(
        "the archive was written by a newer gamekeeper (format {found}, this one reads up to {known})"
    )]
    Newer { found: u32, known: u32 },
    /// The journal, which is the truth, is damaged or cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A batch of the journal cannot be understood.
    #[error("a batch of the journal cannot be read: {0}")]
    Unreadable(String),
    /// The index is damaged; it is made anew from the journal.
    #[error("the index is damaged: {0}")]
    IndexDamaged(String),
    /// The index cannot be read or written.
    #[error("the index cannot be read or written")]
    Index(#[from] sled::Error),
    /// The index, which writes even when it is only read, would get stuck; or `min_free_space`.
    #[error("{free} MiB are free on the disk of {dir}, and {wanted} MiB must be")]
    NoRoom { dir: PathBuf, free: u64, wanted: u64 },
    /// A file of the store cannot be read or written.
    #[error("cannot use {path}")]
    Io { path: PathBuf, source: std::io::Error },
    /// There is no such thing in the archive.
    #[error("there is no {what} {id} in the archive")]
    Unknown { what: &'static str, id: u32 },
}

impl StoreError {
    /// True when the disk is full or a file has reached its size limit.
    pub fn is_no_space(&self) -> bool {
        match self {
            StoreError::NoRoom { .. } => true,
            StoreError::Journal(error) => error.is_no_space(),
            StoreError::Index(sled::Error::Io(error)) => is_no_space(error),
            StoreError::Io { source, .. } => is_no_space(source),
            _ => false,
        }
    }
}
