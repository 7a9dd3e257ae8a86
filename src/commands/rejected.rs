//! `rejected list`, `show` and `retry`: games that are kept aside.

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::pipeline::retry as retry_games;
use crate::store::{Counts, RejectedId, RejectedRow, Store, StoreError};

/// A game kept aside.
#[derive(Serialize)]
struct Line {
    id: RejectedId,
    source: String,
    line: u64,
    kind: String,
    token: String,
    reason: String,
    /// The whole length of a text of which only the beginning is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Serialize)]
struct Rejected {
    rejected: Vec<Line>,
}

/// Lists what is kept aside and has not been read since.
pub(super) fn list(context: &Context) -> Result<Exit, Failure> {
    let store = open(context)?;
    let mut rejected = Vec::new();
    for row in store.all_rejected() {
        let (id, row) = row?;
        if !row.settled {
            rejected.push(line(&store, id, &row)?);
        }
    }
    let list = Rejected { rejected };
    Output::new(context.json).result(&list, |out| {
        for Line { id, source, line, reason, .. } in &list.rejected {
            writeln!(out, "{id:>6}  {source}:{line}: {reason}")?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

/// Shows the text of one, byte for byte; in JSON as far as it is UTF-8.
pub(super) fn show(id: u64, context: &Context) -> Result<Exit, Failure> {
    let id = super::number(id)?;
    let store = open(context)?;
    let row = store.rejected(id)?;
    let text = store.text(row.text)?;
    if context.json {
        let mut line = line(&store, id, &row)?;
        line.text = Some(String::from_utf8_lossy(&text).into_owned());
        Output::new(true).result(&line, |_| Ok(()))?;
    } else {
        let mut out = Output::new(false);
        out.bytes(&text)?;
        out.finish()?;
    }
    Ok(Exit::Done)
}

/// Reads them again.
pub(super) fn retry(ids: &[u64], context: &Context) -> Result<Exit, Failure> {
    let ids = ids.iter().map(|id| super::number(*id)).collect::<Result<Vec<_>, _>>()?;
    let mut store = open(context)?;
    store.begin_run("rejected retry", super::now())?;
    let counts = retry_games(&mut store, &ids, context.config.on_duplicate)?;
    store.end_run(super::now())?;
    Output::new(context.json).result(&counts, |out| {
        let Counts { read, new, duplicates, updated, rejected } = counts;
        writeln!(
            out,
            "{read} tried = {new} new + {duplicates} duplicates + {updated} updated + {rejected} still rejected"
        )
    })?;
    Ok(Exit::Done)
}

fn line(store: &Store, id: RejectedId, row: &RejectedRow) -> Result<Line, StoreError> {
    let reason = row.reason.clone();
    Ok(Line {
        id,
        source: store.source(row.place)?,
        line: reason.line,
        kind: reason.kind,
        token: reason.token,
        reason: reason.message,
        whole_length: reason.oversize.map(|(length, _)| length),
        text: None,
    })
}
