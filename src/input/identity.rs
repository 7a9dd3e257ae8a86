//! Which file was read, and whether it is still the one that was opened (reliability.md 13).

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What tells one state of one file from another: stat before, read, stat after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    /// The device the file is on.
    pub dev: u64,
    /// Its inode there.
    pub ino: u64,
    /// Its length in bytes.
    pub size: u64,
    /// Time of its last change: seconds since 1970 and nanoseconds. Only compared, never trusted
    /// as a date: a copied file may carry an old one.
    pub mtime: (i64, i64),
}

impl FileIdentity {
    /// The identity of what `metadata` describes.
    pub fn of(metadata: &Metadata) -> Self {
        FileIdentity {
            dev: metadata.dev(),
            ino: metadata.ino(),
            size: metadata.size(),
            mtime: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }

    /// Is this still what stands at `path`? A file that is gone, replaced, longer, shorter or
    /// written to is not.
    pub fn still_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|now| FileIdentity::of(&now) == *self)
    }
}
