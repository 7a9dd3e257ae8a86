//! What can go wrong with the store.

use std::fmt;
use std::path::PathBuf;

use super::journal::{Damage, JournalError};
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
        "the index of the archive was written by a newer gamekeeper (format {found}, this one reads up to {known})"
    )]
    Newer { found: u32, known: u32 },
    /// The journal, which is the truth, is damaged or cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A batch holds records that a newer version wrote.
    #[error(
        "batch {batch} of the journal (segment {segment:08}.gkj, byte {offset}) holds records that this gamekeeper does not know: a newer one wrote it"
    )]
    NewerRecord { batch: u64, segment: u32, offset: u64 },
    /// The index must be made of a journal of which something is lost.
    #[error("{0}")]
    Lossy(Box<Lossy>),
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

/// A journal of which something is lost, met where all of it is needed.
#[derive(Debug)]
pub struct Lossy {
    /// The folder of the journal.
    pub journal: PathBuf,
    /// Every damaged place.
    pub damages: Vec<Damage>,
    /// Batches that can be read.
    pub readable: u64,
    /// Batches there should be.
    pub batches: u64,
}

impl fmt::Display for Lossy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lossy { journal, readable, batches, .. } = self;
        write!(
            f,
            "the index must be made anew, and the journal in {} is damaged: {readable} of {batches} batches can be read whole",
            journal.display()
        )
    }
}

impl StoreError {
    /// True where a text of the journal cannot be read, and only that: the rest goes on.
    pub fn is_lost_text(&self) -> bool {
        match self {
            StoreError::Journal(error) => error.is_lost_text(),
            StoreError::Unknown { what, .. } => *what == "text",
            _ => false,
        }
    }

    /// True where the index itself cannot be relied on any more and must be made anew.
    pub fn is_index_damage(&self) -> bool {
        matches!(self, StoreError::IndexDamaged(_) | StoreError::Index(_)) && !self.is_no_space()
    }

    /// Why the index cannot be relied on, in words and without what every such error begins with.
    pub fn in_words(&self) -> String {
        match self {
            StoreError::IndexDamaged(why) => why.clone(),
            StoreError::Index(error) => format!("sled cannot read it ({error})"),
            error => error.to_string(),
        }
    }

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
