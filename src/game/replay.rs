//! Clean movetext → legal moves: pgn-reader reads, shakmaty judges.
//!
//! Every move of the main line is played or the game is rejected; a side line that cannot be
//! played is named, never repaired.

use std::io::Read;
use std::ops::ControlFlow;

use pgn_reader::{Outcome, Reader, SanPlus, Skip, Visitor};
use shakmaty::san::{San, Suffix};
use shakmaty::variant::VariantPosition;
use shakmaty::{Chess, Color, Position};

use super::origins::{Origins, king_escapes};
use super::resolve::{Unplayable, pack, resolve};
use super::start::lenient;

/// What a replay finds.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    /// The main line, packed as `Movetext::main_line` says.
    pub main_line: Vec<u8>,
    /// Plies of the main line.
    pub plies: u32,
    /// The ply of the first null move in the main line.
    pub first_null: Option<u32>,
    /// Moves delivered, side lines included.
    pub moves: u32,
    /// Moves (their index, side lines included) that are to be spelled otherwise.
    pub respelled: Vec<(u32, SanPlus)>,
    /// Side lines (counted by their `(`, ascending) that cannot be played.
    pub unplayable: Vec<u32>,
    /// Why the main line cannot be played.
    pub fault: Option<Fault>,
}

/// A move of the main line that cannot be played.
#[derive(Debug)]
pub(super) struct Fault {
    /// Index of the move, side lines included.
    pub index: u32,
    /// Its ply in the main line, from 0.
    pub ply: u32,
    /// Whose move it is.
    pub turn: Color,
    /// Why, for people.
    pub why: String,
}

/// A position that can be replayed.
pub(super) trait Playable: Origins + Clone {
    /// The position after a null move, where that is legal.
    fn pass(&self) -> Option<Self>;

    /// The suffix of the move that led here.
    fn suffix(&self) -> Option<Suffix>;
}

impl Playable for Chess {
    fn pass(&self) -> Option<Chess> {
        lenient(self.clone().swap_turn()).ok()
    }

    fn suffix(&self) -> Option<Suffix> {
        if self.checkers().is_empty() {
            None
        } else if !king_escapes(self) && self.legal_moves().is_empty() {
            Some(Suffix::Checkmate)
        } else {
            Some(Suffix::Check)
        }
    }
}

impl Playable for VariantPosition {
    fn pass(&self) -> Option<VariantPosition> {
        lenient(self.clone().swap_turn()).ok()
    }

    fn suffix(&self) -> Option<Suffix> {
        Suffix::from_position(self)
    }
}

/// Replays `clean` from `start`; `has_lines` tells that it holds a side line.
pub(super) fn replay(clean: &str, start: &VariantPosition, has_lines: bool) -> Replayed {
    match start {
        VariantPosition::Chess(position) => run(clean, position.clone(), has_lines),
        position => run(clean, position.clone(), has_lines),
    }
}

fn run<P: Playable>(clean: &str, start: P, has_lines: bool) -> Replayed {
    let mut replay = Replay {
        has_lines,
        line: Line { before: start.clone(), now: start, moved: false, number: 0 },
        outer: Vec::new(),
        depth: 0,
        dead: None,
        opened: 0,
        found: Replayed { main_line: Vec::with_capacity(clean.len() / 2), ..Replayed::default() },
    };
    // A slice cannot fail to be read; an unterminated comment, the one other error, is no part of
    // clean movetext, and would show in the count of the moves.
    let text = clean.as_bytes().chain(&END[..]);
    let _ = Reader::new(text).read_game(&mut replay);
    // A line may be found unplayable after one within it.
    replay.found.unplayable.sort_unstable();
    replay.found
}

/// An end marker, at which reading stops, and blanks behind it: the reader looks 257 bytes ahead, and
/// where the text ends before that it moves what is left of it to the front at every token.
static END: [u8; 300] = {
    let mut end = [b' '; 300];
    end[1] = b'*';
    end
};

/// One line of play.
struct Line<P> {
    /// The position before its last move, where a side line begins.
    before: P,
    now: P,
    moved: bool,
    /// Which `(` opened it, from 0.
    number: u32,
}

struct Replay<P> {
    has_lines: bool,
    line: Line<P>,
    outer: Vec<Line<P>>,
    depth: u32,
    /// The depth of the side line that cannot be played further.
    dead: Option<u32>,
    opened: u32,
    found: Replayed,
}

impl<P: Playable> Replay<P> {
    #[inline]
    fn play(&mut self, given: SanPlus) -> ControlFlow<()> {
        let index = self.found.moves;
        self.found.moves += 1;
        if self.dead.is_some() {
            return ControlFlow::Continue(());
        }
        if given.san == San::Null {
            return self.play_null(index);
        }
        let (played, san) = match resolve(&self.line.now, given.san) {
            Ok(found) => found,
            Err(why) => return self.stop(index, given.san, why),
        };
        if self.has_lines {
            self.line.before.clone_from(&self.line.now);
            self.line.moved = true;
        }
        self.line.now.play_unchecked(played);
        let spelled = SanPlus { san, suffix: self.line.now.suffix() };
        if spelled != given {
            self.found.respelled.push((index, spelled));
        }
        if self.depth == 0 {
            self.found.main_line.extend_from_slice(&pack(played).to_le_bytes());
            self.found.plies += 1;
        }
        ControlFlow::Continue(())
    }

    fn play_null(&mut self, index: u32) -> ControlFlow<()> {
        let Some(passed) = self.line.now.pass() else {
            return self.stop(index, San::Null, Unplayable::Illegal);
        };
        self.line.before = std::mem::replace(&mut self.line.now, passed);
        self.line.moved = true;
        if self.depth == 0 {
            self.found.first_null.get_or_insert(self.found.plies);
            self.found.main_line.extend_from_slice(&[0, 0]);
            self.found.plies += 1;
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn stop(&mut self, index: u32, san: San, why: Unplayable) -> ControlFlow<()> {
        if self.depth > 0 {
            self.dead = Some(self.depth);
            self.found.unplayable.push(self.line.number);
            return ControlFlow::Continue(());
        }
        self.found.fault = Some(Fault {
            index,
            ply: self.found.plies,
            turn: self.line.now.turn(),
            why: why.tell(&self.line.now, san),
        });
        ControlFlow::Break(())
    }
}

impl<P: Playable> Visitor for Replay<P> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.play(san)
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        let number = self.opened;
        self.opened += 1;
        self.depth += 1;
        if self.dead.is_none() {
            let from = self.line.before.clone();
            if !self.line.moved {
                // Before the first move of a line there is nothing to vary.
                self.dead = Some(self.depth);
                self.found.unplayable.push(number);
            }
            let line = Line { before: from.clone(), now: from, moved: false, number };
            self.outer.push(std::mem::replace(&mut self.line, line));
        }
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if self.dead.is_none_or(|dead| dead == self.depth) {
            self.dead = None;
            if let Some(line) = self.outer.pop() {
                self.line = line;
            }
        }
        self.depth = self.depth.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), _: Outcome) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}
