//! A game that was read, with what the store derives from it.

use xxhash_rust::xxh3::xxh3_64;

use crate::dedup::Facts;
use crate::game::{Game, Tags};

/// A game and what follows from it alone; made wherever there is a core free, and then only looked
/// at.
#[derive(Debug, Clone)]
pub struct Recognised {
    /// The game as it was read.
    pub game: Game,
    /// What decides whether another game is this one.
    pub facts: Facts,
    /// The names of the tags that have a value, in alphabetical order.
    pub(super) tags_with_value: Vec<String>,
    /// Hash of the clean movetext.
    pub(super) movetext_hash: u64,
}

impl Recognised {
    /// Recognises a game; `complete` as in [`crate::game::RawGame::complete`].
    pub fn of(game: Game, complete: bool) -> Recognised {
        Recognised {
            facts: Facts::of(&game, complete),
            tags_with_value: tags_with_value(&game.tags),
            movetext_hash: xxh3_64(game.movetext.clean.as_bytes()),
            game,
        }
    }
}

fn tags_with_value(tags: &Tags) -> Vec<String> {
    let named = tags.0.iter().filter(|tag| !tag.is_blank());
    let mut names: Vec<String> = named.map(|tag| tag.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
