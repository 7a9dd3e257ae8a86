//! `doctor`: is the archive sound? And `doctor --rebuild`: the index made anew.

use std::time::Instant;

use serde::Serialize;

use super::archive::{mark, open};
use super::{Context, Output, Progress};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store::{Checkup, Finding, Losses, Part, Store, StoreError};

#[derive(Serialize)]
struct Report<'a> {
    sound: bool,
    #[serde(flatten)]
    checkup: &'a Checkup,
    lost_batches: u64,
    lost_games: u64,
    seconds: f64,
}

/// Looks at everything, and tells what is wrong and what can be done about it.
pub(super) fn examine(context: &Context) -> Result<Exit, Failure> {
    let began = Instant::now();
    let store = open(context).inspect_err(|failure| tell_lossy(failure, context))?;
    let bar = Progress::of_games(context.verbosity, store.totals().games);
    let checkup = store.examine(&mut |_, games| bar.set(games, games))?;
    drop(bar);
    let report = Report {
        sound: checkup.in_journal + checkup.in_index == 0,
        checkup: &checkup,
        lost_batches: checkup.lost.batches,
        lost_games: checkup.lost.games,
        seconds: began.elapsed().as_secs_f64(),
    };
    Output::new(context.json).result(&report, |out| tell(out, &report))?;
    if checkup.in_index > 0 && checkup.in_journal == 0 {
        mark("doctor found it wrong", context);
    }
    Ok(match (checkup.in_journal, checkup.in_index) {
        (0, 0) => Exit::Done,
        // No loss, and mended by the next command.
        (0, _) => Exit::Failed,
        _ => Exit::Damaged,
    })
}

/// A program that asked gets the findings as such also where there is no index to look at.
fn tell_lossy(failure: &Failure, context: &Context) {
    let error = failure.error().and_then(|error| error.downcast_ref::<StoreError>());
    if let Some(StoreError::Lossy(lossy)) = error
        && context.json
    {
        let checkup = Checkup::of_lossy(lossy);
        let report = Report {
            sound: false,
            checkup: &checkup,
            lost_batches: 0,
            lost_games: 0,
            seconds: 0.0,
        };
        // Where stdout is gone, stderr still has the same in words.
        let _ = Output::new(true).result(&report, |_| Ok(()));
    }
}

fn tell(out: &mut dyn std::io::Write, report: &Report<'_>) -> std::io::Result<()> {
    let checkup = report.checkup;
    let counts = [
        ("batches", checkup.batches),
        ("texts", checkup.texts),
        ("games", checkup.games),
        ("copies", checkup.copies),
        ("rejected", checkup.rejected),
        ("players", checkup.players),
        ("sources", checkup.sources),
        ("tag sets", checkup.tag_sets),
        ("runs", checkup.runs),
        ("cursors", checkup.cursors),
    ];
    for (what, count) in counts {
        writeln!(out, "{what:<10}  {count:>10}")?;
    }
    if report.lost_batches > 0 {
        let (batches, games) = (report.lost_batches, report.lost_games);
        writeln!(
            out,
            "lost        {games:>10}  (games of {batches} damaged batches, passed over)"
        )?;
    }
    for known in &checkup.known {
        writeln!(out, "known: {known}")?;
    }
    for Finding { part, place, what } in &checkup.findings {
        let part = if *part == Part::Journal { "journal" } else { "index" };
        writeln!(out, "{part}: {place}: {what}")?;
    }
    let (in_journal, in_index) = (checkup.in_journal, checkup.in_index);
    let untold = in_journal + in_index - checkup.findings.len() as u64;
    if untold > 0 {
        writeln!(out, "… and {untold} more")?;
    }
    if in_journal > 0 {
        writeln!(
            out,
            "the journal is damaged in {in_journal} places: put back a sound copy of the file; or import \
             the games again; or go on without what is lost: gamekeeper doctor --rebuild"
        )?;
    }
    if in_index > 0 {
        writeln!(
            out,
            "the index is wrong in {in_index} places: gamekeeper doctor --rebuild makes it anew, and where \
             the journal is sound so does the next command; nothing is lost by it"
        )?;
    }
    if report.sound {
        writeln!(out, "sound: everything is there and agrees, in {:.1} s", report.seconds)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Rebuilt {
    batches: u64,
    games: u64,
    duplicates: u64,
    rejected: u64,
    lost_batches: u64,
    lost_games: u64,
    /// First and last of each row of lost games.
    lost_game_ids: Vec<(u32, u32)>,
    lost_copies: u64,
    lost_rejected: u64,
    revived: u64,
    shortened: Vec<u32>,
    damages: Vec<String>,
    seconds: f64,
}

/// Makes the index anew; what is damaged in the journal is passed over and told.
pub(super) fn rebuild(context: &Context) -> Result<Exit, Failure> {
    let began = Instant::now();
    let bar = Progress::new(context.verbosity, Some(Store::journal_bytes(&context.state_dir)));
    let (mut bytes, mut texts) = (0, 0);
    let (store, losses) = Store::rebuild(&context.state_dir, super::now(), &mut |frame| {
        bytes += frame.length();
        texts += u64::from(frame.text_count());
        bar.set(bytes, texts);
    })?;
    drop(bar);
    for notice in store.notices() {
        tracing::warn!("{notice}");
    }
    let totals = store.totals();
    let rebuilt = Rebuilt {
        batches: store.batches(),
        games: totals.games,
        duplicates: totals.duplicates,
        rejected: totals.rejected,
        lost_batches: losses.batches.len() as u64,
        lost_games: losses.games().len() as u64,
        lost_game_ids: rows(losses.games()),
        lost_copies: losses.copies,
        lost_rejected: losses.rejected,
        revived: losses.revived,
        shortened: losses.shortened.clone(),
        damages: losses.damages.iter().map(ToString::to_string).collect(),
        seconds: began.elapsed().as_secs_f64(),
    };
    Output::new(context.json).result(&rebuilt, |out| tell_rebuilt(out, &rebuilt, &losses))?;
    Ok(if losses.new { Exit::Partial } else { Exit::Done })
}

fn tell_rebuilt(
    out: &mut dyn std::io::Write,
    rebuilt: &Rebuilt,
    losses: &Losses,
) -> std::io::Result<()> {
    for damage in &rebuilt.damages {
        writeln!(out, "{damage}")?;
    }
    if !losses.is_empty() {
        let batches: Vec<String> = losses.batches.iter().map(ToString::to_string).collect();
        writeln!(
            out,
            "lost or incomplete: {} batches ({}); edits, deletions and cursors in them are gone too",
            batches.len(),
            batches.join(", ")
        )?;
    }
    if rebuilt.lost_games > 0 {
        let row = |&(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        };
        let ids: Vec<String> = rebuilt.lost_game_ids.iter().map(row).collect();
        writeln!(
            out,
            "lost: {} games ({}); import their files again, if you have them. Their numbers stay unused; \
             players may have other numbers",
            rebuilt.lost_games,
            ids.join(", ")
        )?;
    }
    for id in &rebuilt.shortened {
        writeln!(out, "game {id}: what it went on to is lost; it stands as it was before")?;
    }
    let kept = [
        (rebuilt.revived, "games stand by the text of a copy, since their own is lost"),
        (rebuilt.lost_copies, "texts of copies are lost; what they add is kept where it is known"),
        (rebuilt.lost_rejected, "texts of rejected games are lost"),
    ];
    for (count, what) in kept.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "{count} {what}")?;
    }
    let Rebuilt { batches, games, duplicates, rejected, seconds, .. } = rebuilt;
    writeln!(
        out,
        "the index is made anew from {batches} batches: {games} games, {duplicates} duplicates, {rejected} \
         rejected, in {seconds:.1} s"
    )
}

/// Numbers that follow each other, as first and last.
fn rows(numbers: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match rows.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => rows.push((number, number)),
        }
    }
    rows
}
