//! Is the index what the journal says? Asked at every start, at the cost of one batch.
//!
//! sled may open a database that a power cut has hit empty, or at an earlier state, and say nothing
//! (reliability.md 7). Every row is held against the journal by `doctor` only.

use super::StoreError;
use super::index::Index;
use super::journal::{Journal, Position};
use super::record::{self, Record, Tally};

/// Why the index must be made anew; `None` where it is what the journal says.
///
/// # Errors
/// The journal or the index cannot be read.
pub(super) fn disagreement(index: &Index, journal: &Journal) -> Result<Option<String>, StoreError> {
    let Some(applied) = index.applied() else {
        let batches = journal.end().seq;
        let empty = format!("it was empty, and the journal has {batches} batches");
        return Ok((batches > 0).then_some(empty));
    };
    index.check_ends()?;
    let (Some(last), false) = (index.last, index.disagrees) else { return Ok(None) };
    let before =
        Position { segment: last.segment, offset: last.offset, seq: applied.seq.saturating_sub(1) };
    // Where that batch cannot be read, the index stands: it was made of it when it could.
    let Some(Ok(frame)) = journal.reader().frames(before)?.next() else { return Ok(None) };
    if frame.after != applied {
        return Ok(Some("it was made of another batch than stands in the journal".to_owned()));
    }
    Ok(match record::decode(&frame)?.last() {
        Some(Record::Totals(tally)) if *tally != index.tally() => {
            Some(differs(&index.tally(), tally))
        }
        _ => None,
    })
}

/// In what an index differs from what the journal says of it, in words.
pub(super) fn differs(index: &Tally, journal: &Tally) -> String {
    let counts = [
        ("games", index.games, journal.games),
        ("copies", index.copies, journal.copies),
        ("duplicates", index.duplicates, journal.duplicates),
        ("rejected games", index.rejected, journal.rejected),
        ("numbers of games", index.next_game.into(), journal.next_game.into()),
        ("numbers of rejected games", index.next_rejected.into(), journal.next_rejected.into()),
        ("runs", index.next_run.into(), journal.next_run.into()),
        ("texts", index.next_text.into(), journal.next_text.into()),
    ];
    let differing = counts.iter().filter(|(_, index, journal)| index != journal);
    let told: Vec<String> = differing
        .map(|(what, index, journal)| format!("{index} {what} instead of {journal}"))
        .collect();
    format!("it had {}", told.join(", "))
}
