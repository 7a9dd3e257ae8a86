//! Where text goes in: it is cut into games, which go to the workers.

use std::sync::mpsc::SyncSender;

use super::budget::Budget;
use crate::game::{RawGame, Splitter};

/// What goes from thread to thread, in the order of `number`.
pub(super) struct Step {
    pub(super) number: u64,
    /// Bytes taken from the budget.
    pub(super) bytes: usize,
    /// How far the files have been read.
    pub(super) position: u64,
    pub(super) what: What,
}

pub(super) enum What {
    /// A source begins.
    Begin(String),
    /// Games of the source that began last.
    Games(Vec<RawGame>),
    /// The source that began last has ended.
    End,
    /// The game in which the source broke off.
    CutOff(RawGame),
    /// A source that cannot be read, or not to its end.
    Broken(String),
}

/// Games that go to a worker together.
const GAMES: usize = 256;
/// Bytes of games that go to a worker together.
const BYTES: usize = 256 << 10;

/// The entrance of an import: sources one after the other, each as pieces that follow each other.
pub struct Feed<'a> {
    budget: &'a Budget,
    steps: SyncSender<Step>,
    number: u64,
    position: u64,
    splitter: Splitter,
    games: Vec<RawGame>,
    bytes: usize,
}

/// The import has ended early; it takes no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended;

impl<'a> Feed<'a> {
    pub(super) fn new(budget: &'a Budget, steps: SyncSender<Step>) -> Feed<'a> {
        Feed {
            budget,
            steps,
            number: 0,
            position: 0,
            splitter: Splitter::new(),
            games: Vec::new(),
            bytes: 0,
        }
    }

    /// A source begins; `name` is a path, `path!member`, `-`.
    pub fn begin(&mut self, name: &str) -> Result<(), Ended> {
        self.splitter = Splitter::new();
        self.send(0, What::Begin(name.to_owned()))
    }

    /// The next piece of the source; `position` is how far the files have been read, all taken
    /// together.
    pub fn piece(&mut self, bytes: &[u8], position: u64) -> Result<(), Ended> {
        self.position = position;
        self.splitter.push(bytes);
        self.take_games()
    }

    /// The source has ended.
    pub fn end(&mut self) -> Result<(), Ended> {
        self.splitter.finish();
        self.take_games()?;
        self.flush()?;
        self.send(0, What::End)
    }

    /// The source cannot be read on from here. A game that it broke off in is not taken for one that
    /// ended.
    pub fn break_off(&mut self) -> Result<(), Ended> {
        self.splitter.finish();
        let mut last: Option<RawGame> = None;
        while let Some(game) = self.splitter.next() {
            if let Some(whole) = last.replace(game) {
                self.push(whole)?;
            }
        }
        match last {
            Some(game) if !game.complete => {
                self.flush()?;
                let bytes = game.bytes.len();
                self.send(bytes, What::CutOff(game))
            }
            Some(game) => {
                self.push(game)?;
                self.flush()
            }
            None => self.flush(),
        }
    }

    /// A source cannot be read, or not on; `message` names it.
    pub fn broken(&mut self, message: String) -> Result<(), Ended> {
        self.send(0, What::Broken(message))
    }

    fn take_games(&mut self) -> Result<(), Ended> {
        while let Some(game) = self.splitter.next() {
            self.push(game)?;
        }
        Ok(())
    }

    fn push(&mut self, game: RawGame) -> Result<(), Ended> {
        self.bytes += game.bytes.len();
        self.games.push(game);
        if self.games.len() >= GAMES || self.bytes >= BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Ended> {
        if self.games.is_empty() {
            return Ok(());
        }
        let games = std::mem::take(&mut self.games);
        let bytes = std::mem::take(&mut self.bytes);
        self.send(bytes, What::Games(games))
    }

    fn send(&mut self, bytes: usize, what: What) -> Result<(), Ended> {
        if !self.budget.take(bytes) {
            return Err(Ended);
        }
        let step = Step { number: self.number, bytes, position: self.position, what };
        self.number += 1;
        self.steps.send(step).map_err(|_| Ended)
    }
}
