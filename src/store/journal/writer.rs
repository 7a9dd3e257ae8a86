//! Appending. What was synced is never touched again.

use std::path::{Path, PathBuf};

use super::encode::{Encoded, Encoder};
use super::output::Output;
use super::segment::{self, SegmentHeader};
use super::{FrameRef, JournalError, Options, Position, Reader};

/// The one writer of a journal. After a failed write or sync it takes no more until the journal
/// is opened again: a later sync that succeeds says nothing of what an earlier one failed to keep.
pub struct Journal {
    pub(super) dir: PathBuf,
    pub(super) options: Options,
    pub(super) reader: Reader,
    pub(super) encoder: Encoder,
    pub(super) output: Output,
    /// Behind the last frame written.
    pub(super) written: Position,
    /// Behind the last frame synced.
    pub(super) synced: Position,
    /// Why nothing more is written.
    pub(super) stopped: Option<(String, bool)>,
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// Where its frame begins; its texts are `frame.text(0)`, `frame.text(1)`, …
    pub frame: FrameRef,
    /// The place right after it.
    pub after: Position,
}

impl Journal {
    /// A handle for reading; see [`Reader`].
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The folder of the segments.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The place behind the last frame synced.
    pub fn end(&self) -> Position {
        self.synced
    }

    /// Another encoder of the same options, to pack on another thread what
    /// [`Journal::append_encoded`] takes.
    ///
    /// # Errors
    /// `Compress`.
    pub fn encoder(&self) -> Result<Encoder, JournalError> {
        Encoder::new(&self.options)
    }

    /// Appends a batch and syncs it: when this returns it is kept.
    ///
    /// # Errors
    /// As [`Journal::append`] and [`Journal::sync`].
    pub fn commit<T: AsRef<[u8]>>(
        &mut self,
        records: &[u8],
        texts: &[T],
    ) -> Result<Appended, JournalError> {
        let appended = self.append(records, texts)?;
        self.sync()?;
        Ok(appended)
    }

    /// Appends a batch without syncing it. Its texts can be read at once; the frame is seen by
    /// [`Reader::frames`] after [`Journal::sync`], and survives only then.
    ///
    /// # Errors
    /// `TooBig`, `Compress` (nothing happened, and the journal goes on); `Io` (nothing of what was
    /// not synced is kept, and the journal takes no more writes); `Stopped`.
    pub fn append<T: AsRef<[u8]>>(
        &mut self,
        records: &[u8],
        texts: &[T],
    ) -> Result<Appended, JournalError> {
        self.check_stopped()?;
        let mut encoded = self.encoder.encode(records, texts)?;
        self.append_encoded(&mut encoded)
    }

    /// As [`Journal::append`], of a batch packed elsewhere.
    ///
    /// # Errors
    /// `Io`, `Stopped`.
    pub fn append_encoded(&mut self, encoded: &mut Encoded) -> Result<Appended, JournalError> {
        self.check_stopped()?;
        self.roll_for(encoded.length())?;
        let seq = self.written.seq + 1;
        let frame = FrameRef { segment: self.written.segment, offset: self.written.offset };
        let bytes = encoded.frame(self.reader.archive(), seq);
        let done = self.output.write(bytes, frame.offset);
        self.stop_on_error(done)?;
        let offset = frame.offset + encoded.length();
        self.written = Position { offset, seq, ..self.written };
        Ok(Appended { frame, after: self.written })
    }

    /// Makes everything appended durable: one `fdatasync`, none where nothing is new.
    ///
    /// # Errors
    /// `Io` (nothing of what was not synced is kept, and the journal takes no more writes);
    /// `Stopped`.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.check_stopped()?;
        if self.synced == self.written {
            return Ok(());
        }
        let done = self.output.sync();
        self.stop_on_error(done)?;
        self.synced = self.written;
        self.reader.publish(self.synced);
        Ok(())
    }

    /// Begins a new segment if this one has frames and would grow over the limit.
    fn roll_for(&mut self, length: u64) -> Result<(), JournalError> {
        let empty = self.written.offset <= segment::HEADER as u64;
        if empty || self.written.offset + length <= self.options.segment_limit {
            return Ok(());
        }
        // Frames are durable in their order: none of the new segment before all of the old.
        self.sync()?;
        let header = SegmentHeader {
            archive: self.reader.archive(),
            number: self.written.segment + 1,
            first_seq: self.written.seq + 1,
        };
        let made = Output::create(&self.dir, header);
        self.output = self.stop_on_error(made)?;
        #[cfg(test)]
        self.output.set_faults(self.options.faults.clone());
        self.written = Position {
            segment: header.number,
            offset: segment::HEADER as u64,
            seq: self.written.seq,
        };
        self.synced = self.written;
        self.reader.publish(self.synced);
        Ok(())
    }

    fn check_stopped(&self) -> Result<(), JournalError> {
        match &self.stopped {
            Some((cause, no_space)) => {
                Err(JournalError::Stopped { cause: cause.clone(), no_space: *no_space })
            }
            None => Ok(()),
        }
    }

    /// On an error, cuts the journal back to what was synced and stops writing.
    fn stop_on_error<T>(&mut self, done: Result<T, JournalError>) -> Result<T, JournalError> {
        if let Err(error) = &done {
            self.stopped = Some((error.to_string(), error.is_no_space()));
            // If this fails too, the unfinished frame is cut off at the next start.
            let _ = self.output.cut(self.synced.offset);
            self.written = self.synced;
        }
        done
    }
}
