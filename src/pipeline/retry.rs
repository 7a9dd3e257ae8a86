//! Rejected games read again, after an upgrade that reads more.

use super::{Reading, settle};
use crate::config::OnDuplicate;
use crate::game::{self, RejectionKind};
use crate::store::{Counts, Origin, Recognised, Record, RejectedId, Store, StoreError};

/// Reads rejected games again, all where `ids` is empty; what can be read now goes the way of every
/// game. Staged in the run that was begun before; the caller ends it.
///
/// # Errors
/// The store cannot be read, or there is no such rejected game.
pub fn retry(
    store: &mut Store,
    ids: &[RejectedId],
    on_duplicate: OnDuplicate,
) -> Result<Counts, StoreError> {
    let mut wanted = Vec::new();
    if ids.is_empty() {
        for row in store.all_rejected() {
            let (id, row) = row?;
            wanted.push((id, row));
        }
    }
    for &id in ids {
        wanted.push((id, store.rejected(id)?));
    }
    store.begin_reading();
    let mut counts = Counts::default();
    for (id, row) in wanted.into_iter().filter(|(_, row)| !row.settled) {
        if row.reason.oversize.is_some() || row.reason.kind == RejectionKind::CutOff.as_str() {
            counts.read += 1;
            counts.rejected += 1;
            continue;
        }
        let raw = match store.raw(row.text, row.place, row.complete) {
            Err(error) if !error.is_lost_text() => return Err(error),
            raw => raw.ok(),
        };
        let read = raw.and_then(|raw| {
            let game = game::read(&raw, game::encoding_named(&row.encoding)).ok()?;
            Some((raw, game))
        });
        let Some((raw, game)) = read else {
            counts.read += 1;
            counts.rejected += 1;
            continue;
        };
        let source = store.source(row.place)?;
        let game = Recognised::of(game, raw.complete);
        let reading = Reading::of(source.as_str());
        let (decision, recorded) = settle(store, &raw, &game, &reading, on_duplicate)?;
        counts.count(&decision);
        store.stage(Record::Retried { rejected: id })?;
        let origin = Origin { source, offset: raw.offset, line: raw.line };
        store.arrive(raw, origin, &row.encoding, Some(&game), decision, recorded)?;
    }
    Ok(counts)
}
