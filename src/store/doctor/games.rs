//! Every game: its text is readable and gives what its row says, and everything finds it.

use xxhash_rust::xxh3::xxh3_64;

use super::super::apply::{MANY, open_mark, text_hash};
use super::super::open::read;
use super::super::replay::on_all_cores;
use super::super::row::{CopyRow, GameRow, Role};
use super::super::{GameId, Place, Recognised, Store, StoreError, TextId};
use super::{Checkup, Finding, Known, Part};
use crate::game::Rules;
use crate::name::Sides;

/// Games that are looked at in one go, on all cores.
const PIECE: usize = 4_096;

/// What was found at one game.
#[derive(Default)]
struct Seen {
    findings: Vec<Finding>,
    copies: u64,
    duplicates: u64,
}

impl Store {
    pub(super) fn examine_games(
        &self,
        known: &Known,
        checkup: &mut Checkup,
        told: &mut dyn FnMut(u64, u64),
    ) -> Result<(), StoreError> {
        let (mut standing, mut duplicates) = (0, 0);
        let mut games = self.games().peekable();
        while games.peek().is_some() {
            let mut piece = Vec::with_capacity(PIECE);
            for game in games.by_ref().take(PIECE) {
                match game {
                    Ok(game) => piece.push(game),
                    Err(error) => checkup.index("games", error.to_string()),
                }
            }
            for seen in on_all_cores(&piece, |(id, row)| self.examine_game(*id, row, known)) {
                checkup.copies += seen.copies;
                duplicates += seen.duplicates;
                checkup.take(seen.findings);
            }
            checkup.games += piece.len() as u64;
            standing += piece.iter().filter(|(_, row)| !row.deleted).count() as u64;
            told(checkup.batches, checkup.games);
        }
        let totals = self.index.totals;
        let counts = [
            ("games", standing, totals.games),
            ("copies", checkup.copies, totals.copies),
            ("duplicates", duplicates, totals.duplicates),
            ("copies with their game", checkup.copies, u64::from(self.index.copies.len())),
        ];
        for (what, rows, total) in counts {
            if rows != total {
                checkup
                    .index("totals", format!("{rows} {what} have a row, and {total} are counted"));
            }
        }
        Ok(())
    }

    fn examine_game(&self, id: GameId, row: &GameRow, known: &Known) -> Seen {
        let mut seen = Seen::default();
        let place = format!("game {id}");
        if let Err(error) = self.examine_row(id, row, known, &mut seen) {
            seen.findings.push(Finding { part: Part::Index, place, what: error.to_string() });
        }
        seen
    }

    fn examine_row(
        &self,
        id: GameId,
        row: &GameRow,
        known: &Known,
        seen: &mut Seen,
    ) -> Result<(), StoreError> {
        let place = format!("game {id}");
        let mut wrong = |what: &str| {
            let (place, what) = (place.clone(), what.to_owned());
            seen.findings.push(Finding { part: Part::Index, place, what });
        };
        self.source(row.place)?;
        let copies = self.copies(id)?;
        if !row.completed && copies.iter().any(|copy| !copy.adds.is_empty()) {
            wrong("the row does not say that a copy adds something");
        }
        match self.recognise(row.text, row.place, row.complete, &row.encoding) {
            Ok((hash, game)) => {
                if hash != row.text_hash || !self.index.texts_with(hash).any(|t| t == row.text) {
                    wrong("its text is not found by its hash");
                }
                for what in self.differences(row, &game)? {
                    wrong(&format!("the row and the text differ in {what}"));
                }
                for what in self.not_found_by(id, row, &game) {
                    wrong(&format!("it is not found by {what}"));
                }
            }
            Err(error) => lost(error, known, &place, seen)?,
        }
        for copy in copies {
            seen.copies += 1;
            seen.duplicates += u64::from(copy.role == Role::Duplicate);
            self.source(copy.place)?;
            self.examine_copy(id, row, &copy, known, seen)?;
        }
        Ok(())
    }

    fn examine_copy(
        &self,
        id: GameId,
        row: &GameRow,
        copy: &CopyRow,
        known: &Known,
        seen: &mut Seen,
    ) -> Result<(), StoreError> {
        let place = format!("a copy of game {id} (text {})", copy.text);
        let (hash, game) =
            match self.recognise(copy.text, copy.place, copy.complete, &copy.encoding) {
                Ok(read) => read,
                Err(error) => return lost(error, known, &place, seen),
            };
        let mut wrong = |what: &str| {
            let (place, what) = (place.clone(), what.to_owned());
            seen.findings.push(Finding { part: Part::Index, place, what });
        };
        if !self.index.texts_with(hash).any(|text| text == copy.text) {
            wrong("its text is not found by its hash");
        }
        if !self.with_fingerprint(game.facts.key.fingerprint()).contains(&id) {
            wrong("its game is not found by its fingerprint");
        }
        if game.facts.ids.iter().any(|id| !row.ids.contains(id)) {
            wrong("the game's row lacks its site id");
        }
        Ok(())
    }

    /// A text and the game in it.
    fn recognise(
        &self,
        text: TextId,
        place: Place,
        complete: bool,
        encoding: &str,
    ) -> Result<(u64, Recognised), StoreError> {
        let raw = self.raw(text, place, complete)?;
        Ok((text_hash(&raw.bytes), Recognised::of(read(&raw, encoding)?, complete)))
    }

    fn differences(
        &self,
        row: &GameRow,
        read: &Recognised,
    ) -> Result<Vec<&'static str>, StoreError> {
        let Recognised { game, facts, tag_set, movetext_hash, .. } = read;
        let key = self.index.facts_of(row)?.key;
        let shared =
            Sides::share_fide_id(game.tags.get("WhiteFideId"), game.tags.get("BlackFideId"));
        let unverified = matches!(game.start.rules, Rules::Unverified { .. });
        let equal = [
            ("white", key.white == facts.key.white),
            ("black", key.black == facts.key.black),
            ("the date", key.date == facts.key.date),
            ("the result", key.result == facts.key.result),
            ("the start", key.start == facts.key.start),
            ("the moves", key.moves == facts.key.moves),
            ("the number of plies", row.plies == game.movetext.plies),
            ("null moves", row.first_null == game.movetext.first_null),
            ("site ids", facts.ids.iter().all(|id| row.ids.contains(id))),
            ("the tags", self.index.tag_set(row.tag_set)? == *tag_set),
            ("the movetext", row.movetext_hash == *movetext_hash),
            ("how it is written", row.canonical == game.movetext.canonical),
            ("the variant", row.unverified == unverified),
            ("whether it goes on", row.open == facts.open),
            ("a shared FIDE ID", row.shared_fide_id == shared),
        ];
        Ok(equal.into_iter().filter(|(_, equal)| !equal).map(|(what, _)| what).collect())
    }

    fn not_found_by(&self, id: GameId, row: &GameRow, read: &Recognised) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if !self.with_fingerprint(read.facts.key.fingerprint()).contains(&id) {
            missing.push("its fingerprint");
        }
        let index = &self.index;
        // What very many share is not kept for all of them.
        let finds = |found: Vec<u64>| found.contains(&u64::from(id)) || found.len() >= MANY;
        for site_id in &row.ids {
            let hash = xxh3_64(site_id.to_string().as_bytes());
            if !finds(index.site_ids.get(hash).collect()) {
                missing.push("its site id");
            }
        }
        let mark = open_mark(row.place.source, read.lasting_tags);
        if read.facts.open && !finds(index.open_games.get(mark).collect()) {
            missing.push("its tags, though it may go on");
        }
        missing
    }
}

/// A text that cannot be read is damage of the journal, and told once if it is known.
fn lost(error: StoreError, known: &Known, place: &str, seen: &mut Seen) -> Result<(), StoreError> {
    if error.is_lost_text() {
        if !known.text(&error) {
            let (place, what) = (place.to_owned(), format!("its text is lost: {error}"));
            seen.findings.push(Finding { part: Part::Journal, place, what });
        }
        return Ok(());
    }
    Err(error)
}
