//! A game that has been read → what becomes of it. Reads through [`Lookup`], writes nothing.

use std::collections::HashSet;

use super::Lookup;
use crate::config::OnDuplicate;
use crate::dedup::{Additions, Facts, Ground, Relation, relation};
use crate::game::RawGame;
use crate::store::{Decision, GameId, Recognised, Recorded, Store, StoreError};

/// One reading of one source from its beginning to its end.
///
/// Two texts that stand in one file side by side are two games, however much the one looks like the
/// other's beginning; only what stood there at an *earlier* reading can have gone on.
#[derive(Debug, Default)]
pub struct Reading {
    /// The source.
    pub source: String,
    /// Games that may go on and that this reading has met as they are.
    seen: HashSet<GameId>,
    /// Games to whose text this reading brought a later moment.
    superseded: HashSet<GameId>,
}

impl Reading {
    /// A reading that begins.
    pub fn of(source: impl Into<String>) -> Reading {
        Reading { source: source.into(), ..Reading::default() }
    }

    /// Remembers what became of a game of this source.
    pub fn remember(&mut self, decision: &Decision, facts: &Facts) {
        match decision {
            Decision::New { game } if facts.open => {
                self.seen.insert(*game);
            }
            Decision::Duplicate { of, .. } if facts.open => {
                self.seen.insert(*of);
            }
            Decision::Supersedes { game, .. } => {
                self.superseded.insert(*game);
                self.seen.insert(*game);
            }
            _ => {}
        }
    }
}

/// Relates a game to the archive and decides on it; also whether its source brought it before. What
/// a copy adds is worked out only where it has not.
///
/// # Errors
/// The archive cannot be read.
pub fn settle(
    store: &Store,
    raw: &RawGame,
    game: &Recognised,
    reading: &Reading,
    on_duplicate: OnDuplicate,
) -> Result<(Decision, Recorded), StoreError> {
    let related = relate(store, game, reading)?;
    let recorded = match related {
        Some((id, _)) => store.recorded(id, raw, &reading.source)?,
        None => Recorded::Not,
    };
    let on_duplicate = if recorded == Recorded::Before { OnDuplicate::Keep } else { on_duplicate };
    let decision = decide(store, game, related, on_duplicate)?;
    let copy = matches!(decision, Decision::Duplicate { .. });
    Ok((decision, if copy { recorded } else { Recorded::Not }))
}

/// Decides on a game that is `related` to one of the archive, or to none (names.md §5).
///
/// # Errors
/// The archive cannot be read.
fn decide(
    archive: &impl Lookup,
    game: &Recognised,
    related: Option<(GameId, Relation)>,
    on_duplicate: OnDuplicate,
) -> Result<Decision, StoreError> {
    let Some((id, relation)) = related else {
        return Ok(Decision::New { game: archive.next_game() });
    };
    let complete = on_duplicate == OnDuplicate::Complete;
    Ok(match relation {
        Relation::GoesOn(ground) => {
            let adds =
                if complete { archive.remains(id, &game.game)? } else { Additions::default() };
            Decision::Supersedes { game: id, ground, adds }
        }
        Relation::Same(ground) | Relation::Earlier(ground) => {
            let adds = if complete { archive.additions(id, game)? } else { Additions::default() };
            Decision::Duplicate { of: id, ground, adds }
        }
        Relation::Different => Decision::New { game: archive.next_game() },
    })
}

/// The game of the archive that this one is, and what it is to it (names.md §5). The earliest game
/// wins where several would do, and an equal one before one that only goes on.
///
/// # Errors
/// The archive cannot be read.
fn relate(
    archive: &impl Lookup,
    game: &Recognised,
    reading: &Reading,
) -> Result<Option<(GameId, Relation)>, StoreError> {
    let facts = &game.facts;
    let by_fingerprint = sorted(archive.with_fingerprint(game));
    for &id in &by_fingerprint {
        if let same @ Relation::Same(_) = relation(&archive.facts(id)?, facts, false) {
            return Ok(Some((id, same)));
        }
    }
    for &id in &by_fingerprint {
        // Known as it was imported, whatever was edited since or came after it.
        let known = archive.facts_as_imported(id)?;
        let known =
            known.iter().any(|known| matches!(relation(known, facts, false), Relation::Same(_)));
        if known && !reading.superseded.contains(&id) {
            return Ok(Some((id, Relation::Same(Ground::FiveEqualities))));
        }
    }
    for id in sorted(archive.with_site_ids(facts)) {
        let relation = relation(&archive.facts(id)?, facts, false);
        if relation != Relation::Different {
            return Ok(Some((id, relation)));
        }
    }
    let mut in_source = Vec::new();
    for id in sorted(archive.open_in(&reading.source, game)?) {
        let relation = relation(&archive.facts(id)?, facts, true);
        if relation != Relation::Different && !reading.seen.contains(&id) {
            in_source.push((id, relation));
        }
    }
    // Two games that may both have gone on to this one: no guess.
    match in_source.as_slice() {
        [only] => Ok(Some(*only)),
        _ => Ok(None),
    }
}

fn sorted(mut ids: Vec<GameId>) -> Vec<GameId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}
