//! The journal: every frame, block and checksum, gaps, and where the index thinks they are.

use super::super::journal::{JournalError, Position};
use super::super::record::{self, Record};
use super::super::row::FrameRow;
use super::super::{Store, StoreError};
use super::{Checkup, Known, Part};

impl Store {
    pub(super) fn examine_journal(
        &self,
        known: &Known,
        checkup: &mut Checkup,
        told: &mut dyn FnMut(u64, u64),
    ) -> Result<(), StoreError> {
        let mut rows = self.index.frames().iter();
        let mut tally = None;
        for frame in self.journal.reader().frames(Position::START)? {
            let damages = match frame {
                Err(JournalError::Damage(damage)) => {
                    // What the archive came to is not known behind it.
                    tally = None;
                    vec![damage]
                }
                Err(error) => return Err(error.into()),
                Ok(frame) => {
                    checkup.batches += 1;
                    checkup.texts += u64::from(frame.text_count());
                    told(checkup.batches, 0);
                    let records = record::decode(&frame)?;
                    if let Some(Record::Batch { first_text, .. }) = records.first()
                        && frame.text_count() > 0
                    {
                        let (first, count) = (*first_text, frame.text_count());
                        let row = FrameRow { first, count, frame: frame.at };
                        // Batches that the index was made of and that cannot be read any more.
                        let found = rows.by_ref().find(|known| known.frame >= row.frame);
                        if found != Some(&row) {
                            let place = format!("batch {}", frame.after.seq);
                            checkup.index(place, "the index looks for its texts elsewhere");
                        }
                    }
                    tally = match records.last() {
                        Some(Record::Totals(tally)) => Some(*tally),
                        _ => None,
                    };
                    let damages = frame.check()?;
                    let seq = frame.after.seq;
                    if damages.is_empty() && self.index.lost.batches > 0 && known.0.has(seq, seq) {
                        let what = "it was passed over as lost, and can be read again";
                        checkup.index(format!("batch {seq}"), what);
                    }
                    damages
                }
            };
            for damage in damages {
                if known.damage(&damage) {
                    checkup.known.push(damage.to_string());
                } else {
                    let place = damage.place();
                    checkup.find(Part::Journal, place, damage.to_string());
                }
            }
        }
        if let Some(tally) = tally
            && !self.index.disagrees
            && self.index.applied() == Some(self.journal.end())
            && tally != self.index.tally()
        {
            let what = super::super::witness::differs(&self.index.tally(), &tally);
            checkup.index("totals", what);
        }
        Ok(())
    }
}
