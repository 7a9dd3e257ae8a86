//! What was wrong with a game: mended with certainty ([`Note`]) or not ([`Rejection`]).

use std::fmt;

use super::controls::without_controls;

/// Something that was mended or is doubtful, while the game was kept. Lower case, names the thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Line within the source, counted from 1; 0 where it concerns the whole game.
    pub line: u64,
    /// What was found and what was made of it.
    pub message: String,
}

/// Why a game could not be read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The class of the reason.
    pub kind: RejectionKind,
    /// Line within the source, counted from 1.
    pub line: u64,
    /// The token at fault, empty where there is none; at most 80 characters of it.
    pub token: String,
    /// The reason for people: lower case, names the thing.
    pub message: String,
}

/// The classes of reasons for which a game is kept aside (pgn.md, “What becomes of a game”).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum RejectionKind {
    IllegalMove,
    UnreadableToken,
    UnreadablePosition,
    NoMovesAndNoResult,
    TooBig,
    TagTooBig,
    TooManyTags,
    NestedTooDeep,
    NotAGame,
    CutOff,
    InternalError,
}

impl RejectionKind {
    /// The name used in the journal and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            RejectionKind::IllegalMove => "illegal-move",
            RejectionKind::UnreadableToken => "unreadable-token",
            RejectionKind::UnreadablePosition => "unreadable-position",
            RejectionKind::NoMovesAndNoResult => "no-moves-and-no-result",
            RejectionKind::TooBig => "too-big",
            RejectionKind::TagTooBig => "tag-too-big",
            RejectionKind::TooManyTags => "too-many-tags",
            RejectionKind::NestedTooDeep => "nested-too-deep",
            RejectionKind::NotAGame => "not-a-game",
            RejectionKind::CutOff => "cut-off",
            RejectionKind::InternalError => "internal-error",
        }
    }
}

impl Note {
    /// Without the control characters of the text that it quotes.
    pub(super) fn printable(self) -> Note {
        Note { message: without_controls(self.message.into()).0.into_owned(), ..self }
    }
}

impl Rejection {
    /// Without the control characters of the text that it quotes.
    pub(super) fn printable(self) -> Rejection {
        let token = without_controls(self.token.into()).0.into_owned();
        let token = match token.char_indices().nth(80) {
            Some((end, _)) => token[..end].to_owned(),
            None => token,
        };
        Rejection { token, message: without_controls(self.message.into()).0.into_owned(), ..self }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
