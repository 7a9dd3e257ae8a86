//! `status`: how much there is.

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::exit::Exit;
use crate::failure::Failure;

#[derive(Serialize)]
struct Status {
    games: u64,
    players: u64,
    duplicates: u64,
    rejected: u64,
    generation: u64,
}

/// Prints the totals over the archive.
pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let store = open(context)?;
    let totals = store.totals();
    let status = Status {
        games: totals.games,
        players: super::players::counted(&store)?.len() as u64,
        duplicates: totals.duplicates,
        rejected: totals.rejected,
        generation: totals.generation,
    };
    Output::new(context.json).result(&status, |out| {
        writeln!(out, "archive     {}", store.dir().display())?;
        writeln!(out, "games       {:>10}", status.games)?;
        writeln!(out, "players     {:>10}", status.players)?;
        writeln!(out, "duplicates  {:>10}  (further copies of these games)", status.duplicates)?;
        writeln!(
            out,
            "rejected    {:>10}  (kept aside; see `gamekeeper rejected list`)",
            status.rejected
        )
    })?;
    Ok(Exit::Done)
}
