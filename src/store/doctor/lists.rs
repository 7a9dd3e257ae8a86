//! Everything else the index holds: players, sources, tag sets, rejected games, runs, cursors.

use super::super::apply::{rejected_mark, text_hash};
use super::super::{Store, StoreError};
use super::{Checkup, Known, Part};

impl Store {
    pub(super) fn examine_lists(
        &self,
        known: &Known,
        checkup: &mut Checkup,
    ) -> Result<(), StoreError> {
        self.examine_players(checkup)?;
        self.examine_rejected(known, checkup)?;
        let index = &self.index;
        for source in index.sources.iter(index.tree()) {
            match source {
                Ok((id, name)) => {
                    checkup.sources += 1;
                    if index.find_source(&name)? != Some(id) {
                        checkup.index(format!("source {id}"), "it is not found by its name");
                    }
                }
                Err(error) => checkup.index("sources", error.to_string()),
            }
        }
        for set in index.tag_sets().iter(index.tree()) {
            match set {
                Ok((id, names)) => {
                    checkup.tag_sets += 1;
                    if index.find_tag_set(&names)? != Some(id) {
                        checkup.index(format!("tag set {id}"), "it is not found by its names");
                    }
                }
                Err(error) => checkup.index("tag sets", error.to_string()),
            }
        }
        for run in index.runs.iter(index.tree()) {
            match run {
                Ok((id, row)) => {
                    checkup.runs += 1;
                    let counts = row.counts;
                    let sum = counts.new + counts.duplicates + counts.updated + counts.rejected;
                    if counts.read != sum {
                        let what = format!("{} games read, and {sum} decided on", counts.read);
                        checkup.index(format!("run {id}"), what);
                    }
                }
                Err(error) => checkup.index("runs", error.to_string()),
            }
        }
        let (cursors, bad) = index.count_cursors()?;
        checkup.cursors = cursors;
        if bad > 0 {
            checkup.index("cursors", format!("{bad} belong to nothing that can be followed"));
        }
        Ok(())
    }

    fn examine_players(&self, checkup: &mut Checkup) -> Result<(), StoreError> {
        for player in self.players() {
            let (id, player) = match player {
                Ok(player) => player,
                Err(error) => {
                    checkup.index("players", error.to_string());
                    continue;
                }
            };
            checkup.players += 1;
            let place = format!("player {id}");
            if self.index.find_player(&player.identity)? != Some(id) {
                checkup.index(&*place, "he is not found by his identity");
            }
            if self.index.games.get(self.index.tree(), player.first_game)?.is_none() {
                let game = player.first_game;
                checkup.index(&*place, format!("his first game, {game}, is not there"));
            }
        }
        Ok(())
    }

    fn examine_rejected(&self, known: &Known, checkup: &mut Checkup) -> Result<(), StoreError> {
        let mut unsettled = 0;
        for rejected in self.all_rejected() {
            let (id, row) = match rejected {
                Ok(rejected) => rejected,
                Err(error) => {
                    checkup.index("rejected games", error.to_string());
                    continue;
                }
            };
            checkup.rejected += 1;
            unsettled += u64::from(!row.settled);
            let place = format!("rejected game {id}");
            if let Err(error) = self.source(row.place) {
                checkup.index(&*place, error.to_string());
            }
            match self.text(row.text) {
                Ok(text) => {
                    let mark = rejected_mark(text_hash(&text), &row.reason);
                    if self.index.rejected_texts.get(mark).next().is_none() {
                        checkup.index(&*place, "its text is not found by its hash");
                    }
                }
                Err(error) if error.is_lost_text() && known.text(&error) => {}
                Err(error) if error.is_lost_text() => {
                    checkup.find(Part::Journal, place, format!("its text is lost: {error}"));
                }
                Err(error) => checkup.index(place, error.to_string()),
            }
        }
        let total = self.index.totals.rejected;
        if unsettled != total {
            let what = format!("{unsettled} rejected games have a row, and {total} are counted");
            checkup.index("totals", what);
        }
        Ok(())
    }
}
