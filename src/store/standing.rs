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
}

impl Store {
    /// A game as it stands. Its moves are not replayed where the writer can copy them: then
    /// `main_line` and `plies` are empty and the row has them.
    ///
    /// # Errors
    /// The archive cannot be read, or there is no such game.
    pub fn standing(&self, id: GameId, row: GameRow) -> Result<Standing, StoreError> {
        let raw = self.raw(row.text, row.place, row.complete)?;
        let mut game = if row.canonical {
            game::reread(&raw, game::encoding_named(&row.encoding))
                .map_err(|rejection| StoreError::Unreadable(rejection.to_string()))?
        } else {
            read(&raw, &row.encoding)?
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
        Ok(Standing { id, row, game, white, black })
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
