//! Is the index what the journal says? Asked at every start, at the cost of one batch.
//!
//! sled may open a database that a power cut has hit empty, or at an earlier state, and say nothing
//! (reliability.md 7). Every row is held against the journal by `doctor` only.

use super::StoreError;
use super::index::Index;
use super::journal::{FrameRef, Journal, Position};
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
    let before = Position { seq: applied.seq.saturating_sub(1), ..at(last) };
    let frame = match journal.reader().frames(before)?.next() {
        Some(Ok(frame)) => frame,
        // Where that batch cannot be read, the index stands: it was made of it when it could. But
        // another one may end at the same place.
        _ => {
            let mut frames = journal.reader().frames(at(FrameRef { offset: 0, ..last }))?;
            let other = frames.any(|frame| frame.is_ok_and(|frame| frame.after == applied));
            return Ok(other.then(|| OTHER.to_owned()));
        }
    };
    if frame.after != applied {
        return Ok(Some(OTHER.to_owned()));
    }
    Ok(match record::decode(&frame)?.last() {
        Some(Record::Totals(tally)) if *tally != index.tally() => {
            Some(differs(&index.tally(), tally))
        }
        _ => None,
    })
}

const OTHER: &str = "it was made of other batches than stand in the journal";

fn at(frame: FrameRef) -> Position {
    Position { segment: frame.segment, offset: frame.offset, seq: 0 }
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
    if told.is_empty() {
        return OTHER.to_owned();
    }
    format!("it had {}", told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::keys;
    use super::super::meta::Meta;
    use super::super::{Record, Store};

    type Alter = fn(&mut Meta);

    /// reliability.md 7: counters that disagree with the journal's are noticed, whatever the cause.
    #[test]
    fn an_index_that_counts_otherwise_is_made_anew() {
        let count: Alter = |meta| meta.totals.games = 7;
        let course: Alter = |meta| meta.chain ^= 1;
        let alterations: [(Alter, &str); 2] =
            [(count, "7 games instead of 0"), (course, "other batches")];
        for (alter, words) in alterations {
            let dir = tempfile::tempdir().unwrap();
            let open = || Store::open(dir.path()).unwrap();
            let mut store = open();
            store.begin_run("test", 0).unwrap();
            let cursor = Record::Cursor { followed: "x".into(), cursor: b"1".to_vec() };
            store.stage(cursor).unwrap();
            store.end_run(0).unwrap();
            let tree = store.index.tree();
            let mut meta = Meta::parse(&tree.get(keys::meta()).unwrap().unwrap()).unwrap();
            alter(&mut meta);
            tree.insert(keys::meta(), postcard::to_stdvec(&meta).unwrap()).unwrap();
            drop(store);
            let store = open();
            let told = store.notices().join("\n");
            assert!(told.contains("made anew") && told.contains(words), "{told}");
            assert_eq!(store.totals().games, 0);
            assert_eq!(store.cursor("x").unwrap().unwrap(), b"1");
            drop(store);
            assert!(open().notices().is_empty());
        }
    }

    /// What a rebuild cannot bring into agreement is not tried again at every start.
    #[test]
    fn a_disagreement_that_stays_does_not_go_round_in_circles() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(dir.path()).unwrap();
        let mut store = open();
        store.begin_run("test", 0).unwrap();
        store.index.totals.games = 7;
        store.end_run(0).unwrap();
        store.index.totals.games = 0;
        super::super::mark_index(dir.path(), "test").unwrap();
        drop(store);
        assert!(open().notices()[0].contains("test"));
        assert!(open().notices().is_empty());
    }
}
