//! A game as it stands: its text, what copies added, what the user set, and the names shown.

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

impl Store {
    /// A game as it stands. Its moves are not replayed where the writer can copy them: then
    /// `main_line` and `plies` are empty and the row has them.
    ///
    /// # Errors
    /// The archive cannot be read, or there is no such game.
    pub fn standing(&self, id: GameId, row: GameRow) -> Result<Standing, StoreError> {
        let (mut game, by_copy) = match self.own_game(&row) {
            Ok(game) => (game, None),
            Err(error) if error.is_lost_text() => match self.game_of_copy(id, &row)? {
                Some((game, place)) => (game, Some(place)),
                None => return Err(error),
            },
            Err(error) => return Err(error),
        };
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
