//! Into which files of a split export a game goes.

use super::FileName;
use crate::config::Split;
use crate::name::{FideId, Identity, Owner};
use crate::store::{Player, Standing};

/// The files that a game goes into; none where it is not part of the export.
pub(super) fn files(standing: &Standing, split: Split, owner: &Owner) -> Vec<FileName> {
    let date = &standing.row.date;
    match split {
        Split::None => Vec::new(),
        Split::Year => vec![FileName::new(&known(date, 4), ENDING)],
        Split::Month => vec![FileName::new(&known(date, 7).replace('.', "-"), ENDING)],
        Split::Player => {
            let mut files = vec![file_of(&standing.white), file_of(&standing.black)];
            files.dedup();
            files
        }
        Split::Opponent => opponents(standing, owner),
        Split::Event => match standing.game.tags.get("Event") {
            None | Some("" | "?") => vec![FileName::new("Unknown", ENDING)],
            Some(event) => vec![FileName::new(event, ENDING)],
        },
    }
}

const ENDING: &str = "pgn";

/// The beginning of a date, as far as it is known: `2013`, `2013.05`; else `unknown`.
fn known(date: &str, length: usize) -> String {
    let part = date.get(..length).filter(|_| date.len() == 10);
    match part.filter(|part| part.bytes().all(|b| b.is_ascii_digit() || b == b'.')) {
        Some(part) => part.to_owned(),
        None if length > 4 => known(date, 4),
        None => "Unknown".to_owned(),
    }
}

/// A player's file: two players never share one, and it stays his when he is shown another way.
fn file_of(player: &Player) -> FileName {
    FileName::with_identity(&player.shown, &player.identity.key(), ENDING)
}

fn fide_id(player: &Player) -> Option<&FideId> {
    match &player.identity {
        Identity::Fide(fide_id) => Some(fide_id),
        _ => None,
    }
}

/// The other side of each side that is the owner.
fn opponents(standing: &Standing, owner: &Owner) -> Vec<FileName> {
    let owns = |player: &Player| owner.owns(&player.shown, fide_id(player));
    let sides = [(&standing.white, &standing.black), (&standing.black, &standing.white)];
    let mut files: Vec<FileName> =
        sides.iter().filter(|(own, _)| owns(own)).map(|(_, other)| file_of(other)).collect();
    files.dedup();
    files
}
