//! How far a file has been read, for a progress bar and for the byte an error names.

use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Position within a file as it lies on disk (packed bytes). A handle: clones share the position.
#[derive(Debug, Clone)]
pub struct Progress {
    at: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Progress {
    pub(super) fn new(total: Option<u64>) -> Self {
        Progress { at: Arc::default(), total }
    }

    /// Bytes of the file that have been taken so far; in a zip archive the place that is being
    /// read.
    pub fn read(&self) -> u64 {
        self.at.load(Relaxed)
    }

    /// Size of the file in bytes when it was opened; `None` for a pipe.
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}

/// A reader that keeps a [`Progress`] true, and may be held to a budget of bytes.
#[derive(Debug)]
pub(super) struct Tally<R> {
    inner: R,
    progress: Progress,
    budget: Budget,
}

/// Bytes that may still be read; shared, so that it can be lifted once a reader is in use.
#[derive(Debug, Clone)]
pub(super) struct Budget(Arc<AtomicU64>);

impl Budget {
    pub(super) fn of(bytes: u64) -> Self {
        Budget(Arc::new(AtomicU64::new(bytes)))
    }

    pub(super) fn lift(&self) {
        self.0.store(u64::MAX, Relaxed);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.load(Relaxed) == 0
    }
}

impl<R> Tally<R> {
    pub(super) fn new(inner: R, progress: Progress) -> Self {
        Self::with_budget(inner, progress, Budget::of(u64::MAX))
    }

    pub(super) fn with_budget(inner: R, progress: Progress, budget: Budget) -> Self {
        Tally { inner, progress, budget }
    }

    fn count(&self, bytes: u64) {
        self.progress.at.fetch_add(bytes, Relaxed);
    }
}

impl<R: Read> Read for Tally<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        let left = self.budget.0.load(Relaxed);
        if left != u64::MAX {
            self.budget.0.store(left.saturating_sub(n as u64), Relaxed);
            if self.budget.is_spent() {
                return Err(io::Error::other("more than may be read"));
            }
        }
        self.count(n as u64);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Tally<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count(amount as u64);
        self.inner.consume(amount);
    }
}

impl<R: Seek> Seek for Tally<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.inner.seek(to)?;
        self.progress.at.store(at, Relaxed);
        Ok(at)
    }
}
