//! The games of one small file, for looking at.

use std::path::Path;

use crate::game::{RawGame, Splitter};
use crate::input::{Found, Input, InputError, Limits};

/// More games than this are not looked at: one more than anybody asks for.
const MOST: usize = 3;

/// The first games of a file, of its first text where it is an archive.
///
/// # Errors
/// The file cannot be read.
pub(super) fn games_of_file(path: &Path) -> Result<Vec<RawGame>, InputError> {
    let mut input = Input::open(&Found::Named(path.to_owned()), &Limits::default())?;
    let mut splitter = Splitter::new();
    let mut games = Vec::new();
    let Some(text) = input.next_text() else { return Ok(games) };
    let mut text = text?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = text.next_piece(&mut buffer)?;
        match length {
            0 => splitter.finish(),
            _ => splitter.push(&buffer[..length]),
        }
        let room = MOST - games.len();
        games.extend(splitter.by_ref().take(room));
        if length == 0 || games.len() == MOST {
            return Ok(games);
        }
    }
}
