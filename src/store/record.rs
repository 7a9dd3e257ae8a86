//! What stands in the journal: the records of a batch.
//!
//! One frame of the journal is one batch: a list of [`Record`]s and the texts they speak of. The
//! records are the only truth about decisions; everything in the index follows from them in their
//! order (ARCHITECTURE.md, “Store”). The order of the variants and fields is the disk format: new
//! variants go to the end, and nothing is ever taken out.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::StoreError;
use super::journal::Frame;
use crate::dedup::{Additions, Ground};
use crate::game::{Oversize, Rejection, RejectionKind};

/// The version of the rules by which decisions are made now; it goes up when names.md or pgn.md are
/// read differently.
pub(super) const RULES: u16 = 1;

/// The number of a game in the archive, from 1, in the order of arrival.
pub type GameId = u32;
/// The number of a rejected game, from 1.
pub type RejectedId = u32;
/// The number of a text in the journal, from 1, in the order of arrival.
pub type TextId = u32;
/// The number of a run of the program that changed or read something, from 1.
pub type RunId = u32;

/// One thing that happened. Fields are named like what they point to; `at` is in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Record {
    /// Opens every batch: which run it belongs to, when, by which rules it was decided, and the
    /// number of its first text (so that a lost batch shifts nothing that follows).
    Batch { run: RunId, at: i64, rules: u16, first_text: TextId },
    /// A run begins: the command and what it was given.
    RunBegins { run: RunId, command: String },
    /// A text came in and was decided on. Its counts go to the run of the batch.
    Arrival(Arrival),
    /// Texts that had been met before, from the same place: only counted.
    Seen(Counts),
    /// A run has ended; without it the run was interrupted.
    RunEnds { run: RunId },
    /// A source can go on from here (design: cursors stand in the frame of the games they cover).
    Cursor { followed: String, cursor: Vec<u8> },
    /// The user changed tags of a game; applied over its text, in order.
    Edited { game: GameId, set: Vec<(String, Option<String>)> },
    /// The user deleted a game: it does not come back by itself.
    Deleted { game: GameId },
    /// The user took a deletion back.
    Restored { game: GameId },
    /// A rejected game was read after all; what became of it is the arrival that follows.
    Retried { rejected: RejectedId },
    /// Closes every batch: what the archive comes to with it. The index is held against it at every
    /// start, and what damage has cost is known by the numbers that follow it.
    Totals(Tally),
    /// Damage to the journal has cost these batches (first to last) in whole or in part, and with
    /// them this many games; the user has had it passed over. Without batches: the end of the journal
    /// was cut off, and the numbers up to those of the totals that follow are not given again.
    Lost { batches: Vec<(u64, u64)>, games: u32 },
}

/// What the archive comes to after a batch. All of it follows from the decisions alone, so that a
/// later version, which may read names differently, comes to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games that are not deleted.
    pub games: u64,
    /// Further texts of games.
    pub copies: u64,
    /// Of these, duplicates.
    pub duplicates: u64,
    /// Games kept aside that have not been read since.
    pub rejected: u64,
    /// The number that the next game gets.
    pub next_game: GameId,
    /// The number that the next rejected game gets.
    pub next_rejected: RejectedId,
    /// The number that the next run gets.
    pub next_run: RunId,
    /// The number that the next text gets.
    pub next_text: TextId,
    /// A hash of all batches so far: two archives that were one do not come to the same.
    pub chain: u64,
}

/// A text that came in, where from, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// The text; one of an earlier batch where it is the same to the byte.
    pub text: TextId,
    /// Where it came from.
    pub origin: Origin,
    /// False when the source ended before the game had an end marker.
    pub complete: bool,
    /// The encoding that the user named for the source; empty where it was told from the text.
    pub encoding: String,
    /// The source holds this very text twice, and this is the second.
    pub twin: bool,
    /// What became of it.
    pub decision: Decision,
}

/// Where a text came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The source: a path, `path!member` of a zip file, `-` for standard input, a site's account.
    pub source: String,
    /// Offset in bytes within the (unpacked) source.
    pub offset: u64,
    /// Line within the source, from 1.
    pub line: u64,
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Decision {
    /// A new game.
    New { game: GameId },
    /// A copy of a game that is there, or an earlier moment of it; what it adds may be nothing.
    Duplicate { of: GameId, ground: Ground, adds: Additions },
    /// The same game further on: it takes the place of the text that stood there; `adds` is what
    /// only the earlier text had.
    Supersedes { game: GameId, ground: Ground, adds: Additions },
    /// Not readable whole; kept aside.
    Rejected { id: RejectedId, reason: Reason },
}

/// Why a game is kept aside; [`Rejection`] as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// [`RejectionKind::as_str`].
    pub kind: String,
    /// Line within the source, from 1.
    pub line: u64,
    /// The token at fault, or empty.
    pub token: String,
    /// The reason in words.
    pub message: String,
    /// Length and xxh3-128 of the whole of a text that is kept only in its beginning.
    pub oversize: Option<(u64, u128)>,
}

impl Reason {
    /// The reason of a rejection; `oversize` of a text that is not kept whole.
    pub fn of(rejection: &Rejection, oversize: Option<Oversize>) -> Reason {
        let Rejection { kind, line, token, message } = rejection;
        let kind: &RejectionKind = kind;
        Reason {
            kind: kind.as_str().to_owned(),
            line: *line,
            token: token.clone(),
            message: message.clone(),
            oversize: oversize.map(|whole| (whole.length, whole.hash)),
        }
    }
}

/// What a run did. `read` is the sum of the other four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Games read.
    pub read: u64,
    /// New games.
    pub new: u64,
    /// Copies of games that are there.
    pub duplicates: u64,
    /// Games that went on.
    pub updated: u64,
    /// Games kept aside.
    pub rejected: u64,
}

impl Counts {
    /// Counts one decision.
    pub fn count(&mut self, decision: &Decision) {
        self.read += 1;
        match decision {
            Decision::New { .. } => self.new += 1,
            Decision::Duplicate { .. } => self.duplicates += 1,
            Decision::Supersedes { .. } => self.updated += 1,
            Decision::Rejected { .. } => self.rejected += 1,
        }
    }

    /// Adds the counts of another part of the same work.
    pub fn add(&mut self, other: &Counts) {
        self.read += other.read;
        self.new += other.new;
        self.duplicates += other.duplicates;
        self.updated += other.updated;
        self.rejected += other.rejected;
    }
}

/// [`Tally::chain`] with a batch more, of these [`items`].
pub(super) fn chain<T: AsRef<[u8]>>(before: u64, items: &[u8], texts: &[T]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&before.to_le_bytes());
    hash.update(items);
    for text in texts {
        hash.update(text.as_ref());
    }
    hash.digest()
}

/// The records one behind the other.
pub(super) fn items(records: &[Record]) -> Vec<u8> {
    let bytes = Vec::with_capacity(64 * records.len());
    records.iter().fold(bytes, |bytes, record| {
        postcard::to_extend(record, bytes).expect("records are plain data")
    })
}

/// The records of one batch as bytes: how many, and these [`items`].
pub(super) fn counted(count: usize, items: &[u8]) -> Vec<u8> {
    let mut bytes = postcard::to_stdvec(&(count as u64)).expect("a number");
    bytes.extend_from_slice(items);
    bytes
}

/// The records of one batch.
///
/// # Errors
/// [`StoreError::NewerRecord`]: its checksum holds, so another version of the program wrote it.
pub(super) fn decode(frame: &Frame) -> Result<Vec<Record>, StoreError> {
    postcard::from_bytes(&frame.records).map_err(|_| StoreError::NewerRecord {
        batch: frame.after.seq,
        segment: frame.at.segment,
        offset: frame.at.offset,
    })
}
