//! A game of the archive as standard PGN.

use crate::config::Names;
use crate::game::write_game;
use crate::store::Standing;

/// The PGN of one game, with a blank line after it. Players are written as they are shown, or as
/// they came; date and result as they are compared (names.md §5).
pub fn pgn(standing: &Standing, names: Names) -> Vec<u8> {
    let mut tags = standing.game.tags.clone();
    if names == Names::Shown {
        tags.set("White", &standing.white.shown);
        tags.set("Black", &standing.black.shown);
    }
    tags.set("Date", &standing.row.date);
    let mut out = Vec::with_capacity(standing.game.movetext.clean.len() + 512);
    write_game(&mut out, &tags, standing.row.result, &standing.game.start, &standing.game.movetext);
    out
}
