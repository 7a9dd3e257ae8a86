//! What the index holds of a game, a player, a copy, a rejected game and a run.
//!
//! All of it follows from the journal; the order of the fields is the disk format of the index, and
//! a change of it raises [`super::meta::INDEX_FORMAT`], upon which the index is made anew.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::journal::FrameRef;
use super::record::{Counts, GameId, Reason, TextId};
use crate::dedup::{Additions, Ground};
use crate::game::{GameResult, SiteId};
use crate::name::Identity;

/// The number of a player, from 1, in the order of appearance.
pub type PlayerId = u32;
/// The number of a source.
pub(super) type SourceId = u32;

/// Where a text stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Which source.
    pub(super) source: SourceId,
    /// Offset in bytes within the source.
    pub offset: u64,
    /// Line within the source, from 1.
    pub line: u64,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// White as recognised.
    pub white: PlayerId,
    /// Black as recognised.
    pub black: PlayerId,
    /// The user deleted it.
    pub deleted: bool,
    /// The text that stands for the game.
    pub text: TextId,
    /// Hash of the text's bytes.
    pub text_hash: u64,
    /// Where the text came from.
    pub place: Place,
    /// The encoding that the user named; empty where it was told from the text.
    pub encoding: String,
    /// Whether its source went on after it.
    pub complete: bool,
    /// The date as it is compared.
    pub date: CompactString,
    /// The result as it is compared.
    pub result: GameResult,
    /// The start as it is compared.
    pub start: String,
    /// The main line as it is compared.
    pub moves: ByteBuf,
    /// Plies in the main line.
    pub plies: u32,
    /// The ply of the first null move.
    pub first_null: Option<u32>,
    /// Every site id the game has been met with.
    pub ids: Vec<SiteId>,
    /// Which tags have a value (a number of [`super::keys::Kind::TagSets`]).
    pub tag_set: u32,
    /// Hash of the clean movetext.
    pub movetext_hash: u64,
    /// The writer may copy the moves ([`crate::game::Movetext::canonical`]).
    pub canonical: bool,
    /// The rules are not played here; moves were compared as text.
    pub unverified: bool,
    /// The game may still go on.
    pub open: bool,
    /// The same FIDE ID stands on both sides.
    pub shared_fide_id: bool,
    /// Some copy adds something.
    pub completed: bool,
    /// A copy has another key than the game: an earlier moment, or the site's other export.
    pub other_keys: bool,
    /// Tags that the user set, or took out, over the text.
    pub edits: Vec<(String, Option<String>)>,
}

/// The beginning of a [`GameRow`], for whoever goes through all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSides {
    /// White as recognised.
    pub white: PlayerId,
    /// Black as recognised.
    pub black: PlayerId,
    /// The user deleted it.
    pub deleted: bool,
}

/// A further text of a game. Its number among all copies is the order in which additions are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CopyRow {
    /// The game.
    pub game: GameId,
    /// Under what it is found beside the game ([`super::apply::copy_mark`]).
    pub(super) mark: u64,
    /// The text.
    pub text: TextId,
    /// Where it came from.
    pub place: Place,
    /// What it is to the game.
    pub role: Role,
    /// Why it is taken for the same game.
    pub ground: Ground,
    /// The encoding that the user named; empty where it was told from the text.
    pub encoding: String,
    /// Whether its source went on after it.
    pub complete: bool,
    /// What it adds.
    pub adds: Additions,
}

/// What a further text is to its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Another copy.
    Duplicate,
    /// The game at an earlier moment.
    Earlier,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Who he is.
    pub identity: Identity,
    /// The name that is shown (names.md §4).
    pub shown: String,
    /// The game that created him.
    pub first_game: GameId,
}

/// A game kept aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRow {
    /// The text.
    pub text: TextId,
    /// Where it came from.
    pub place: Place,
    /// The encoding that the user named; empty where it was told from the text.
    pub encoding: String,
    /// Whether its source went on after it.
    pub complete: bool,
    /// Why.
    pub reason: Reason,
    /// When, in seconds since 1970.
    pub at: i64,
    /// It has been read since.
    pub settled: bool,
}

/// A run of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRow {
    /// The command and what it was given.
    pub command: String,
    /// When it began, in seconds since 1970.
    pub began: i64,
    /// When its last batch was written.
    pub last: i64,
    /// False when it was interrupted.
    pub ended: bool,
    /// What it did.
    pub counts: Counts,
}

/// A frame of the journal that has texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrameRow {
    /// The number of its first text.
    pub(super) first: TextId,
    /// How many it has.
    pub(super) count: u32,
    /// Where it begins.
    pub(super) frame: FrameRef,
}
