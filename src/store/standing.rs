//! A game as it stands: its text, what copies added, what the user set, and the names shown.

use std::sync::PoisonError;

use super::open::read;
use super::row::{GameRow, Place, Player};
use super::{GameId, Store, StoreError, TextId};
use crate::dedup::Additions;
use crate::game::{self, Game, Note, RawGame};

/// A game as it is shown and exported.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its number.
    pub id: GameId,
    /// Its row.
    pub row: GameRow,
    /// The game, completed and edited; the players are named as in the text.
    pub game: Game,
    /// White as recognised.
    pub white: Player,
    /// Black as recognised.
    pub black: Player,
    /// The copy whose text stands for the game's own, which cannot be read any more.
    pub by_copy: Option<Place>,
}

/// A game with what its copies added, up to one of them.
#[derive(Debug)]
pub(super) struct Completed {
    id: GameId,
    /// The text that it was read in.
    text: TextId,
    /// The number of the last copy.
    copies: u32,
    game: Game,
}

impl Store {
    /// A game as it stands. Its moves are not replayed where the writer can copy them: then
    /// `main_line` and `plies` are empty and the row has them.
    ///
    /// # Errors
    /// The archive cannot be read, or there is no such game.
    pub fn standing(&self, id: GameId, row: GameRow) -> Result<Standing, StoreError> {
        let (mut game, by_copy) = self.read_game(id, &row)?;
        if row.completed {
            for copy in self.copies(id)? {
                complete(&mut game, &copy.adds);
            }
        }
        for (name, value) in &row.edits {
            match value {
                Some(value) => game.tags.set(name, value),
                None => game.tags.0.retain(|tag| tag.name != *name),
            }
        }
        let (white, black) = (self.player(row.white)?, self.player(row.black)?);
        Ok(Standing { id, row, game, white, black, by_copy })
    }

    /// Shows a game with all that was added to it to `see`. It is kept till another one is asked for:
    /// thousands of copies of one game, each with something new, must not cost more with each.
    pub(super) fn completed<T>(
        &self,
        id: GameId,
        row: &GameRow,
        see: impl FnOnce(&Game) -> T,
    ) -> Result<T, StoreError> {
        if !row.edits.is_empty() {
            return Ok(see(&self.standing(id, row.clone())?.game));
        }
        let mut kept = self.completed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut completed = match kept.take().filter(|it| it.id == id && it.text == row.text) {
            Some(completed) => completed,
            None => Completed { id, text: row.text, copies: 0, game: self.read_game(id, row)?.0 },
        };
        for (number, copy) in self.index.copies(id, completed.copies)? {
            complete(&mut completed.game, &copy.adds);
            completed.copies = number;
        }
        let seen = see(&completed.game);
        *kept = Some(completed);
        Ok(seen)
    }

    /// The game in its own text or, where that is lost, in that of a copy.
    fn read_game(&self, id: GameId, row: &GameRow) -> Result<(Game, Option<Place>), StoreError> {
        match self.own_game(row) {
            Ok(game) => Ok((game, None)),
            Err(error) if error.is_lost_text() => match self.game_of_copy(id, row)? {
                Some((game, place)) => Ok((game, Some(place))),
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    fn own_game(&self, row: &GameRow) -> Result<Game, StoreError> {
        let raw = self.raw(row.text, row.place, row.complete)?;
        if !row.canonical {
            return read(&raw, &row.encoding);
        }
        game::reread(&raw, game::encoding_named(&row.encoding))
            .map_err(|rejection| StoreError::Unreadable(rejection.to_string()))
    }

    /// The game in the text of a copy that has its start and all of its moves.
    fn game_of_copy(&self, id: GameId, row: &GameRow) -> Result<Option<(Game, Place)>, StoreError> {
        for copy in self.copies(id)? {
            let read = self
                .raw(copy.text, copy.place, copy.complete)
                .and_then(|raw| read(&raw, &copy.encoding));
            match read {
                Ok(game)
                    if game.start.key == row.start && game.movetext.main_line == *row.moves =>
                {
                    return Ok(Some((game, copy.place)));
                }
                Ok(_) => {}
                Err(error) if error.is_lost_text() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// A text of the journal as a raw game.
    pub fn raw(&self, text: TextId, place: Place, complete: bool) -> Result<RawGame, StoreError> {
        let bytes = self.text(text)?.into_owned();
        Ok(RawGame { bytes, offset: place.offset, line: place.line, complete, oversize: None })
    }

    /// What was mended in the text that stands for a game, with lines of its source.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn notes(&self, row: &GameRow) -> Result<Vec<Note>, StoreError> {
        Ok(read(&self.raw(row.text, row.place, row.complete)?, &row.encoding)?.notes)
    }
}

fn complete(game: &mut Game, adds: &Additions) {
    adds.complete_tags(&mut game.tags);
    if !adds.plies.is_empty() {
        game.movetext.clean = adds.complete_movetext(&game.movetext.clean);
    }
}
