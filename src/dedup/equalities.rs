//! The five equalities, one by one.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Facts;
use crate::game::SiteId;

/// In what two games agree (names.md §5). Serialised as `why --json` prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Equalities {
    /// The site's own id; `None` where the two have no kind of id in common.
    pub id: Option<bool>,
    /// White is the same player.
    pub white: bool,
    /// Black is the same player.
    pub black: bool,
    /// The same date.
    pub date: bool,
    /// The same result.
    pub result: bool,
    /// The same starting position under the same rules.
    pub start: bool,
    /// The same moves.
    pub moves: bool,
}

impl Equalities {
    /// Compares two games in full.
    pub fn of(a: &Facts, b: &Facts) -> Equalities {
        Equalities {
            id: same_id(&a.ids, &b.ids),
            white: a.key.white == b.key.white,
            black: a.key.black == b.key.black,
            date: a.key.date == b.key.date,
            result: a.key.result == b.key.result,
            start: a.key.start == b.key.start,
            moves: a.key.moves == b.key.moves,
        }
    }

    /// True when all five hold.
    pub fn all_five(&self) -> bool {
        self.white && self.black && self.date && self.result && self.start && self.moves
    }
}

/// Two different ids of one kind are two games, whatever another kind says (names.md §5).
fn same_id(a: &[SiteId], b: &[SiteId]) -> Option<bool> {
    let mut kinds: BTreeMap<&str, bool> = BTreeMap::new();
    for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
        if x.kind() == y.kind() {
            *kinds.entry(x.kind()).or_default() |= x == y;
        }
    }
    (!kinds.is_empty()).then(|| kinds.values().all(|same| *same))
}
