//! What a game that comes in is to one that is there (names.md §5).

use serde::{Deserialize, Serialize};

use super::{Equalities, Facts};

/// On what ground two texts are one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// All five equalities hold.
    FiveEqualities,
    /// The site's own id and the moves are the same.
    SiteId,
    /// The same file, rewritten while the game was played: same tags, and the moves go on.
    SameFile,
}

/// What an incoming game is to a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Another game.
    Different,
    /// Another copy of it.
    Same(Ground),
    /// The same game further on: it supersedes the stored text.
    GoesOn(Ground),
    /// The same game at an earlier moment: it brings nothing.
    Earlier(Ground),
}

/// Compares an incoming game with a stored one.
///
/// `same_file` says that both come from one file, at two readings of it, with the same tags; it is
/// the caller's word, since it is no property of the texts.
pub fn relation(stored: &Facts, incoming: &Facts, same_file: bool) -> Relation {
    let equal = Equalities::of(stored, incoming);
    if equal.id == Some(false) {
        return Relation::Different;
    }
    if equal.all_five() {
        return Relation::Same(Ground::FiveEqualities);
    }
    let ground = match equal.id {
        Some(true) => Ground::SiteId,
        _ if same_file && equal.white && equal.black && equal.date => Ground::SameFile,
        _ => return Relation::Different,
    };
    if !equal.start {
        return Relation::Different;
    }
    if equal.moves {
        return same_moves(stored, incoming, ground);
    }
    if stored.open && goes_on(&incoming.key.moves, &stored.key.moves) {
        return Relation::GoesOn(ground);
    }
    if incoming.open && goes_on(&stored.key.moves, &incoming.key.moves) {
        return Relation::Earlier(ground);
    }
    Relation::Different
}

/// The moves are the same and something else is not: mostly the result of a game that has ended
/// since without another move.
fn same_moves(stored: &Facts, incoming: &Facts, ground: Ground) -> Relation {
    let decided = |facts: &Facts| facts.key.result.is_decided();
    match (decided(stored), decided(incoming)) {
        (false, true) => Relation::GoesOn(ground),
        (true, false) => Relation::Earlier(ground),
        _ if ground == Ground::SiteId => Relation::Same(ground),
        _ => Relation::Different,
    }
}

/// True when `longer` begins with `shorter` and has more. A move is two bytes, or a word with a space
/// after it (pgn.md, unverified variants), so that no move is the beginning of another.
fn goes_on(longer: &[u8], shorter: &[u8]) -> bool {
    longer.len() > shorter.len() && longer.starts_with(shorter)
}

impl Ground {
    /// The ground in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Ground::FiveEqualities => "all five equalities hold",
            Ground::SiteId => "the site's own id and the moves",
            Ground::SameFile => "the same file, rewritten while it was played",
        }
    }
}
