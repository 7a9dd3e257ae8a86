//! A game that was read, with what the store derives from it.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::tagset::TagSet;
use crate::dedup::{Facts, Fingerprint};
use crate::game::{Game, Tags};

/// A game and what follows from it alone; made wherever there is a core free, and then only looked
/// at.
#[derive(Debug, Clone)]
pub struct Recognised {
    /// The game as it was read.
    pub game: Game,
    /// What decides whether another game is this one.
    pub facts: Facts,
    /// The fingerprint of the facts.
    pub fingerprint: Fingerprint,
    /// The tags that have a value.
    pub(super) tag_set: TagSet,
    /// Hash of the clean movetext.
    pub(super) movetext_hash: u64,
    /// A hash of the tags that stay the same while a game goes on.
    pub(super) lasting_tags: u64,
}

impl Recognised {
    /// Recognises a game; `complete` as in [`crate::game::RawGame::complete`].
    pub fn of(game: Game, complete: bool) -> Recognised {
        let facts = Facts::of(&game, complete);
        Recognised {
            fingerprint: facts.key.fingerprint(),
            tag_set: TagSet::of(&game.tags),
            movetext_hash: xxh3_64(game.movetext.clean.as_bytes()),
            lasting_tags: lasting_tags(&game.tags),
            facts,
            game,
        }
    }
}

/// A hash of the tags but for those that follow from the moves and the clock: what stays the same
/// while a game goes on (names.md §5, live boards).
fn lasting_tags(tags: &Tags) -> u64 {
    const FOLLOW: [&str; 10] = [
        "Result",
        "PlyCount",
        "ECO",
        "Opening",
        "Variation",
        "Termination",
        "EndDate",
        "EndTime",
        "WhiteClock",
        "BlackClock",
    ];
    let mut hash = Xxh3::new();
    for tag in tags.0.iter().filter(|tag| !FOLLOW.contains(&tag.name.as_str())) {
        hash.update(tag.name.as_bytes());
        hash.update(&[0]);
        hash.update(tag.value.as_bytes());
        hash.update(&[0]);
    }
    hash.digest()
}
