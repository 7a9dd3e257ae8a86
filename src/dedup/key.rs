//! What the five equalities are about, and a fingerprint of it.

use compact_str::CompactString;
use xxhash_rust::xxh3::Xxh3;

use crate::game::{Game, GameResult, SiteId, site_ids};
use crate::name::{Identity, Sides};

/// The five things in which two copies of one game agree (names.md §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameKey {
    /// White as recognised (names.md §3).
    pub white: Identity,
    /// Black as recognised.
    pub black: Identity,
    /// The date as it is compared.
    pub date: CompactString,
    /// The result as it is compared.
    pub result: GameResult,
    /// The start as it is compared ([`crate::game::Start::key`]).
    pub start: String,
    /// The main line as it is compared ([`crate::game::Movetext::main_line`]).
    pub moves: Vec<u8>,
}

/// A hash of a [`GameKey`]. Equal keys have equal fingerprints; the reverse is only likely, so a
/// fingerprint finds candidates and never decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl GameKey {
    /// The key of a game as it stands in its text.
    pub fn of(game: &Game) -> GameKey {
        let tag = |name| game.tags.get(name);
        let sides = Sides::of(
            tag("White").unwrap_or(""),
            tag("WhiteFideId"),
            tag("Black").unwrap_or(""),
            tag("BlackFideId"),
        );
        GameKey {
            white: sides.white,
            black: sides.black,
            date: game.date.clone(),
            result: game.result,
            start: game.start.key.clone(),
            moves: game.movetext.main_line.clone(),
        }
    }

    /// The fingerprint of this key.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Xxh3::new();
        let (white, black) = (&self.white, &self.black);
        let sides = [white.class(), white.text(), black.class(), black.text()];
        for text in sides.into_iter().chain([&*self.date, &self.start, self.result.as_str()]) {
            hash.update(text.as_bytes());
            hash.update(&[0]);
        }
        hash.update(&self.moves);
        Fingerprint(hash.digest())
    }
}

/// All that decides whether two games are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The five equalities' sides.
    pub key: GameKey,
    /// Every site id the game has been met with.
    pub ids: Vec<SiteId>,
    /// True while the text may go on: its result is `*`, or its source ended before an end marker.
    pub open: bool,
}

impl Facts {
    /// The facts of a game as it stands in its text; `complete` as in
    /// [`crate::game::RawGame::complete`].
    pub fn of(game: &Game, complete: bool) -> Facts {
        Facts {
            key: GameKey::of(game),
            ids: site_ids(&game.tags),
            open: !complete || !game.result.is_decided(),
        }
    }
}
