//! One text: the plain bytes of a file, or of one member of an archive, in bounded pieces.

use std::io::Read;

use super::decode::{Plain, explain};
use super::error::{InputError, Problem};
use super::format::Format;
use super::limits::Limits;
use super::progress::Progress;

/// The plain bytes of one file or member.
pub struct Text<'a> {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) plain: Plain<'a>,
    pub(super) progress: Progress,
    pub(super) limits: &'a Limits,
    /// Bytes that came out of the file so far, all its texts together.
    pub(super) out: &'a mut u64,
    /// Packed bytes these are weighed against; `None`: those taken so far. An archive is weighed
    /// by its size, since its members may overlap and be read over and over.
    pub(super) weighed_against: Option<u64>,
    pub(super) state: State,
}

/// Whether more is to come.
pub(super) enum State {
    Reading,
    /// A fault that is told once what came before it has been handed out.
    Failing(Problem),
    Ended,
}

impl Text<'_> {
    /// What the text is called: the path as it was given, `path!member` for a member of an
    /// archive, `-` for the standard input. Safe to print, and no two are called alike: what is
    /// not UTF-8, control characters, the backslash and a path's `!` are escaped with a backslash.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Replaces the contents of `piece` with the next bytes, at most [`Limits::piece_bytes`], and
    /// returns their number; 0 at the end.
    ///
    /// A piece may end anywhere, within a letter too. On a fault the bytes before it come first;
    /// after the error the text has ended.
    pub fn next_piece(&mut self, piece: &mut Vec<u8>) -> Result<usize, InputError> {
        piece.clear();
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Ended => return Ok(0),
            State::Failing(problem) => return Err(problem.at(&self.name)),
            State::Reading => {}
        }
        let wanted = self.limits.piece_bytes.max(1);
        piece.reserve(wanted);
        // What was read before an error stays in `piece`.
        let failure = match (&mut self.plain).take(wanted as u64).read_to_end(piece) {
            Ok(0) => return Ok(0),
            Ok(n) => {
                *self.out += n as u64;
                self.excess()
            }
            Err(error) => {
                *self.out += piece.len() as u64;
                Some(explain(error, self.format, self.progress.read(), self.limits))
            }
        };
        match failure {
            None => self.state = State::Reading,
            Some(problem) if piece.is_empty() => return Err(problem.at(&self.name)),
            Some(problem) => self.state = State::Failing(problem),
        }
        Ok(piece.len())
    }

    fn excess(&self) -> Option<Problem> {
        if self.format == Format::Plain && self.weighed_against.is_none() {
            return None;
        }
        let (out, limit) = (*self.out, self.limits.total_bytes);
        if out > limit {
            return Some(Problem::TooLong { limit });
        }
        let consumed = self.weighed_against.unwrap_or_else(|| self.progress.read());
        let bomb = out > self.limits.ratio_from && out / consumed.max(1) > self.limits.ratio;
        bomb.then_some(Problem::Bomb { out, consumed })
    }
}
