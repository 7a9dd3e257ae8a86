//! `history`: what happened to the archive.

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store::{Counts, RunId};

#[derive(Serialize)]
struct Run {
    id: RunId,
    began: String,
    command: String,
    interrupted: bool,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct History {
    runs: Vec<Run>,
}

/// Prints the runs since a day (UTC), the newest last.
pub(super) fn run(since: Option<Date>, context: &Context) -> Result<Exit, Failure> {
    let store = open(context)?;
    let since = match since {
        Some(day) => {
            day.to_zoned(TimeZone::UTC).map_err(anyhow::Error::from)?.timestamp().as_second()
        }
        None => i64::MIN,
    };
    let mut runs = Vec::new();
    for run in store.runs() {
        let (id, row) = run?;
        if row.last >= since {
            let began = Timestamp::from_second(row.began).map(|began| began.to_string());
            runs.push(Run {
                id,
                began: began.unwrap_or_else(|_| row.began.to_string()),
                command: row.command,
                interrupted: !row.ended,
                counts: row.counts,
            });
        }
    }
    let history = History { runs };
    Output::new(context.json).result(&history, |out| {
        for run in &history.runs {
            let Counts { read, new, duplicates, updated, rejected } = run.counts;
            writeln!(
                out,
                "{:>5}  {}  {}: {read} read = {new} new + {duplicates} duplicates + {updated} updated + \
                 {rejected} rejected{}",
                run.id,
                run.began,
                run.command,
                if run.interrupted { " (interrupted)" } else { "" },
            )?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}
