//! Why the journal could not do something.

use std::io;
use std::path::{Path, PathBuf};

use super::{ArchiveId, Damage, TextRef};
use crate::space::is_no_space;

/// An error of the journal. Only `Damage` leaves the rest of the journal usable as it is.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refused something.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// To which file or directory.
        path: PathBuf,
        /// The file system's answer.
        source: io::Error,
    },
    /// A damaged place; see [`Damage`].
    #[error("{0}")]
    Damage(Damage),
    /// A newer program wrote this.
    #[error(
        "{} is written in journal format {found}, newer than {known}\nhint: use the gamekeeper that wrote it, or a later one",
        path.display()
    )]
    Newer {
        /// The segment.
        path: PathBuf,
        /// The version found in it.
        found: u16,
        /// The newest version known here.
        known: u16,
    },
    /// A segment of another archive.
    #[error(
        "{} belongs to archive {found}, not to {expected}\nhint: move it out of the journal's directory",
        path.display()
    )]
    Foreign {
        /// The segment.
        path: PathBuf,
        /// The archive it says it belongs to.
        found: ArchiveId,
        /// The archive of this journal.
        expected: ArchiveId,
    },
    /// A segment under another segment's name, or something that is no file.
    #[error("{} is not the journal segment its name says: {found}", path.display())]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
    /// The journal's archive id stands nowhere in it, so that none of its frames can be read.
    #[error("no segment in {} can be read", path.display())]
    Unreadable {
        /// The journal's directory.
        path: PathBuf,
    },
    /// The reference leads to no text of this journal.
    #[error("no text stands at {0} in the journal")]
    NoSuchText(TextRef),
    /// A batch over one of the limits.
    #[error("the batch is too big for the journal: {what} of {length}, at most {limit}")]
    TooBig {
        /// What is too big.
        what: &'static str,
        /// How big it is.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// The compressor failed.
    #[error("cannot compress a batch for the journal: {0}")]
    Compress(io::Error),
    /// An earlier write or sync failed; what the disk holds since is not known.
    #[error("the journal takes no more writes until it is opened again, because: {cause}")]
    Stopped {
        /// The first error.
        cause: String,
        /// Whether that was for want of space.
        no_space: bool,
    },
}

impl JournalError {
    /// Wraps an answer of the file system, for `map_err`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| JournalError::Io { action, path: path.to_owned(), source }
    }

    /// Whether the journal itself is damaged, or is not one that can be read here.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            JournalError::Damage(_)
                | JournalError::Newer { .. }
                | JournalError::Foreign { .. }
                | JournalError::Misplaced { .. }
                | JournalError::Unreadable { .. }
                | JournalError::NoSuchText(_)
        )
    }

    /// Whether a text, or its batch, cannot be read because of what became of its file; others can.
    pub fn is_lost_text(&self) -> bool {
        match self {
            // A file that is gone. What may not be read, or not now, is not lost.
            JournalError::Io { action: "open", source, .. } => {
                source.kind() == std::io::ErrorKind::NotFound
            }
            JournalError::Newer { .. } => false,
            _ => self.is_damage(),
        }
    }

    /// Whether there was no room: disk full, quota used up, or file size limit reached.
    pub fn is_no_space(&self) -> bool {
        match self {
            JournalError::Io { source, .. } => is_no_space(source),
            JournalError::Stopped { no_space, .. } => *no_space,
            _ => false,
        }
    }
}

impl From<Damage> for JournalError {
    fn from(damage: Damage) -> Self {
        JournalError::Damage(damage)
    }
}
