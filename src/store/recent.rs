//! What was looked up last, so that it is not read for every game.

use hashbrown::HashMap;

use super::row::{PlayerId, SourceId};
use super::tagset::TagSet;
use crate::name::Identity;

/// What was looked up last. It only saves work: everything in it stands in the lists.
#[derive(Default)]
pub(super) struct Recent {
    pub(super) players: HashMap<Identity, PlayerId>,
    pub(super) source: Option<(String, SourceId)>,
    pub(super) tag_sets: HashMap<TagSet, u32>,
}

impl Recent {
    /// Players that are remembered at once.
    const PLAYERS: usize = 20_000;
    /// Tag sets that are remembered at once.
    const TAG_SETS: usize = 1_000;

    pub(super) fn source(&self, name: &str) -> Option<SourceId> {
        let (known, id) = self.source.as_ref()?;
        (known == name).then_some(*id)
    }

    pub(super) fn remember_player(&mut self, identity: &Identity, id: PlayerId) {
        if self.players.len() >= Recent::PLAYERS {
            self.players.clear();
        }
        self.players.insert(identity.clone(), id);
    }

    pub(super) fn remember_tag_set(&mut self, names: &TagSet, id: u32) {
        if self.tag_sets.len() >= Recent::TAG_SETS {
            self.tag_sets.clear();
        }
        self.tag_sets.insert(names.clone(), id);
    }
}
