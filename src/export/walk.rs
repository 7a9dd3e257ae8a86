//! All games of the archive as PGN, in the order of their numbers, made on all cores.

use std::num::NonZero;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::FileName;
use super::pgn::pgn;
use crate::config::Names;
use crate::store::{GameId, GameRow, Standing, Store, StoreError};

/// Games that a thread makes in one go; the threads take turns.
const PIECE: u32 = 256;
/// Bytes of text after which what is made is handed over, so that big games never pile up.
const BYTES: usize = 256 << 10;

/// Games whose own text cannot be read any more, each named in a line of its own.
#[derive(Debug, Default)]
pub struct LostTexts {
    /// The text of a copy was written in its place.
    pub by_copy: Vec<String>,
    /// No copy has one either: the game was left out.
    pub left_out: Vec<String>,
}

/// A game made ready to be written.
#[derive(Debug)]
pub struct Made {
    /// Its number.
    pub id: GameId,
    /// Its PGN, with the blank line behind it.
    pub text: Vec<u8>,
    /// The files of a split export that it goes to.
    pub files: Vec<FileName>,
}

enum Step {
    Game(Made),
    /// As [`Made`], by the text of a copy; the line tells of it.
    ByCopy(Made, String),
    LeftOut(String),
}

/// What a thread hands over: some games of a piece, and whether they are its last.
struct Part {
    steps: Vec<Result<Step, StoreError>>,
    last: bool,
}

/// Gives every game that is not deleted to `each`, in the order of their numbers; a game whose text
/// is lost costs that game alone. `files` tells where a game of a split export goes.
///
/// # Errors
/// The archive cannot be read, or what `each` says.
pub fn for_each_game<E: From<StoreError>>(
    store: &Store,
    names: Names,
    files: impl Fn(&Standing) -> Vec<FileName> + Sync,
    mut each: impl FnMut(Made) -> Result<(), E>,
) -> Result<LostTexts, E> {
    let pieces = store.last_game().div_ceil(PIECE);
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let make = |standing: &Standing| Made {
        id: standing.id,
        text: pgn(standing, names),
        files: files(standing),
    };
    let make = &make;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers)
            .map(|worker| {
                let (sender, receiver) = sync_channel(1);
                let mut mine = (0..pieces).skip(worker).step_by(workers);
                // It ends early only where nobody takes what it makes.
                scope.spawn(move || mine.all(|at| piece(store, at, make, &sender)));
                receiver
            })
            .collect();
        let mut lost = LostTexts::default();
        for (_, worker) in (0..pieces).zip(workers.iter().cycle()) {
            // A thread that is gone has panicked, which the scope passes on.
            while let Ok(part) = worker.recv() {
                for step in part.steps {
                    match step? {
                        Step::Game(made) => each(made)?,
                        Step::ByCopy(made, line) => {
                            lost.by_copy.push(line);
                            each(made)?;
                        }
                        Step::LeftOut(line) => lost.left_out.push(line),
                    }
                }
                if part.last {
                    break;
                }
            }
        }
        Ok(lost)
    })
}

/// Makes the games of one piece; false where nobody takes them any more.
fn piece(store: &Store, at: u32, make: &impl Fn(&Standing) -> Made, to: &SyncSender<Part>) -> bool {
    let first = at * PIECE + 1;
    let (mut steps, mut bytes) = (Vec::with_capacity(PIECE as usize), 0);
    for game in store.games_between(first, first + (PIECE - 1)) {
        let step = game.and_then(|(id, row)| step(store, id, row, make)).transpose();
        let Some(step) = step else { continue };
        if let Ok(Step::Game(made) | Step::ByCopy(made, _)) = &step {
            bytes += made.text.len();
        }
        steps.push(step);
        if bytes >= BYTES {
            let full = std::mem::take(&mut steps);
            if to.send(Part { steps: full, last: false }).is_err() {
                return false;
            }
            bytes = 0;
        }
    }
    to.send(Part { steps, last: true }).is_ok()
}

fn step(
    store: &Store,
    id: GameId,
    row: GameRow,
    make: &impl Fn(&Standing) -> Made,
) -> Result<Option<Step>, StoreError> {
    if row.deleted {
        return Ok(None);
    }
    Ok(Some(match store.standing(id, row) {
        Ok(standing) => match standing.by_copy {
            None => Step::Game(make(&standing)),
            Some(place) => {
                let (name, source) = (store.name_of(id)?, store.source(place)?);
                let line = format!(
                    "{name}: its own text cannot be read, and that of its copy in {source}, line {}, is taken",
                    place.line
                );
                Step::ByCopy(make(&standing), line)
            }
        },
        Err(error) if error.is_lost_text() || matches!(error, StoreError::Unreadable(_)) => {
            Step::LeftOut(format!("{} is left out: {error}", store.name_of(id)?))
        }
        Err(error) => return Err(error),
    }))
}
