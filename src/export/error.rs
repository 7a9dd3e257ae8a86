//! What can go wrong while an export is written, in words, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::space::is_no_space;

/// A problem with one file or folder of an export. What stood there before still stands.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ExportError {
    #[error("{}: is a symbolic link, which an export never replaces\nhint: name the file it points to", path.display())]
    SymbolicLink { path: PathBuf },
    #[error("{}: is a folder, not a file", path.display())]
    Folder { path: PathBuf },
    #[error("{}: is neither a file nor a folder, and an export replaces files only", path.display())]
    NotAFile { path: PathBuf },
    #[error("{}: is no folder, so no files can be written into it", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{}: was not written by this export, and is not replaced\nhint: move it away, or export into an empty folder", path.display())]
    SomebodyElses { path: PathBuf },
    #[error("{}: was changed by another program while it was being compared\nhint: export again", path.display())]
    ChangedMeanwhile { path: PathBuf },
    #[error("{}: another export is writing into this folder\nhint: wait for it to end", path.display())]
    Busy { path: PathBuf },
    #[error("{}: the list of this export's files cannot be understood: {why}\nhint: move the folder away and export anew", path.display())]
    BadManifest { path: PathBuf, why: String },
    #[error("{}: cannot {what}: {error}", path.display())]
    Io { path: PathBuf, what: &'static str, error: io::Error },
}

impl ExportError {
    pub(super) fn io(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> ExportError {
        move |error| ExportError::Io { path: path.to_owned(), what, error }
    }

    /// The problem behind an error that writing to an [`AtomicFile`](super::AtomicFile) for
    /// `path` returned.
    pub fn of_write(path: &Path, error: io::Error) -> ExportError {
        error.downcast::<ExportError>().unwrap_or_else(ExportError::io(path, "be written"))
    }

    /// Is there no room left: on the disk, in a quota, or below the limit on a file's size?
    /// (reliability.md 17; exit code 13)
    pub fn is_no_space(&self) -> bool {
        matches!(self, ExportError::Io { error, .. } if is_no_space(error))
    }

    /// Does it concern what stands in the place of one file, so that the other files of a set go
    /// on?
    pub(super) fn concerns_one_file(&self) -> bool {
        matches!(
            self,
            ExportError::SymbolicLink { .. }
                | ExportError::Folder { .. }
                | ExportError::NotAFile { .. }
                | ExportError::SomebodyElses { .. }
                | ExportError::ChangedMeanwhile { .. }
        )
    }
}
