//! `status`: how much there is.

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store::Lost;

#[derive(Serialize)]
struct Status {
    games: u64,
    players: u64,
    duplicates: u64,
    rejected: u64,
    generation: u64,
    /// Batches of the journal lost to damage, and the games that were in them; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_batches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_games: Option<u64>,
}

/// Prints the totals over the archive.
pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let store = open(context)?;
    let (totals, lost) = (store.totals(), store.lost());
    let status = Status {
        games: totals.games,
        players: super::players::counted(&store)?.len() as u64,
        duplicates: totals.duplicates,
        rejected: totals.rejected,
        generation: totals.generation,
        lost_batches: (lost.batches > 0).then_some(lost.batches),
        lost_games: (lost.batches > 0).then_some(lost.games),
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
        )?;
        let Lost { batches, games } = lost;
        if batches > 0 {
            writeln!(
                out,
                "lost        {games:>10}  (games of {batches} damaged batches of the journal)"
            )?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}
