//! The moves of a game, read whole or not at all.

use shakmaty::Color;

use super::letters::{ENGLISH, OTHERS, Reading, VERBATIM};
use super::lex::{Lexed, lex, locate};
use super::replay::{Fault, replay};
use super::tokens::{Token, rewrite, tokens};
use super::{GameResult, Note, Rejection, RejectionKind, Rules, Start};

/// Movetext that has been read: every token understood and the main line replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movetext {
    /// All tokens in the export format's spelling, one space apart: SAN, `$n`, `{comment}`, `(`,
    /// `)`, `--`; without move numbers and end marker. Comments are on one line and hold no
    /// braces. A side line that cannot be played stands as a comment with its text.
    pub clean: String,
    /// The main line for comparing: two bytes a ply (little endian: from, to << 6, promotion or
    /// dropped piece << 12; castling is king takes rook, a null move has from = to and no piece),
    /// or the clean SAN text of the main line, a space after each move, where the rules are not played here.
    pub main_line: Vec<u8>,
    /// Plies in the main line.
    pub plies: u32,
    /// True when the text that was read needs no position to be turned into `clean`: its moves
    /// are spelled as the export format wants it (minimal disambiguation, `+` and `#` where they
    /// belong), side lines included, and every side line is legal. Then
    /// [`Movetext::reread_canonical`] gives the same `clean`.
    pub canonical: bool,
    /// The ply (counted from 0) of the first null move in the main line.
    pub first_null: Option<u32>,
    /// The end marker.
    pub end: Option<GameResult>,
    /// What was mended.
    pub notes: Vec<Note>,
}

impl Movetext {
    /// Reads movetext that starts at `line` of its source and replays it from `start`.
    ///
    /// # Errors
    /// An illegal main line or a token that cannot be read, with its line (pgn.md).
    pub fn read(text: &str, line: u64, start: &Start) -> Result<Movetext, Rejection> {
        if matches!(start.rules, Rules::Unverified { .. }) {
            return read_verbatim(text, line);
        }
        read_as(&ENGLISH, text, line, start).or_else(|rejection| match rejection.kind {
            RejectionKind::IllegalMove | RejectionKind::UnreadableToken => {
                read_otherwise(text, line, start).unwrap_or(Err(rejection))
            }
            _ => Err(rejection),
        })
    }

    /// Reads movetext that [`Movetext::read`] has read before and found canonical, without
    /// replaying it: `main_line` and `plies` stay empty.
    ///
    /// # Errors
    /// A token that cannot be read, which canonical movetext does not have.
    pub fn reread_canonical(text: &str) -> Result<Movetext, Rejection> {
        let Lexed { clean, end, notes, .. } = lex(text, 1, &ENGLISH)?;
        Ok(Movetext {
            clean,
            main_line: Vec::new(),
            plies: 0,
            canonical: true,
            first_null: None,
            end,
            notes,
        })
    }
}

fn read_as(reading: &Reading, text: &str, line: u64, start: &Start) -> Result<Movetext, Rejection> {
    let Rules::Played { position, .. } = &start.rules else {
        return read_verbatim(text, line);
    };
    let mut lexed = lex(text, line, reading)?;
    let played = replay(&lexed.clean, position, lexed.has_lines);
    if let Some(fault) = played.fault {
        return Err(illegal(text, line, reading, start, &fault));
    }
    if played.moves != lexed.moves {
        return Err(miscounted(line, lexed.moves, played.moves));
    }
    let canonical = played.respelled.is_empty() && played.unplayable.is_empty();
    if !canonical {
        lexed.clean = rewrite(&lexed.clean, start, &played.respelled, &played.unplayable);
    }
    let mut notes = lexed.notes;
    if !played.unplayable.is_empty() {
        let count = played.unplayable.len();
        let message = format!("side lines that cannot be played kept as comments: {count}");
        notes.push(Note { line, message });
    }
    Ok(Movetext {
        clean: lexed.clean,
        main_line: played.main_line,
        plies: played.plies,
        canonical: canonical && reading == &ENGLISH,
        first_null: played.first_null,
        end: lexed.end,
        notes,
    })
}

/// Tries the readings beside the standard's. `None` where no one gives a legal main line.
///
/// A reading counts that uses a letter or spelling which the standard's lacks; where two give
/// different moves, nobody can tell which were played.
#[cold]
fn read_otherwise(text: &str, line: u64, start: &Start) -> Option<Result<Movetext, Rejection>> {
    let mut found: Option<(&Reading, Movetext)> = None;
    for reading in OTHERS {
        let Ok(movetext) = read_as(reading, text, line, start) else {
            continue;
        };
        if !reading.glued && !reading.differs_from_english(text) {
            continue;
        }
        match &found {
            None => found = Some((reading, movetext)),
            Some((_, first)) if first.main_line == movetext.main_line => {}
            Some((first, _)) => {
                return Some(Err(Rejection {
                    kind: RejectionKind::UnreadableToken,
                    line,
                    token: String::new(),
                    message: format!(
                        "moves can be read in two ways: {}, {}",
                        first.name, reading.name
                    ),
                }));
            }
        }
    }
    found.map(|(reading, mut movetext)| {
        let message = format!("moves read as {}", reading.name);
        movetext.notes.push(Note { line, message });
        Ok(movetext)
    })
}

/// Movetext of a variant that nobody here plays: words are compared as they stand (pgn.md).
fn read_verbatim(text: &str, line: u64) -> Result<Movetext, Rejection> {
    let Lexed { clean, end, notes, .. } = lex(text, line, &VERBATIM)?;
    let (mut main_line, mut plies, mut depth) = (Vec::new(), 0, 0);
    for token in tokens(&clean) {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            Token::Move(san) if depth == 0 => {
                main_line.extend_from_slice(san.as_bytes());
                main_line.push(b' ');
                plies += 1;
            }
            _ => {}
        }
    }
    Ok(Movetext { clean, main_line, plies, canonical: false, first_null: None, end, notes })
}

#[cold]
fn illegal(text: &str, line: u64, reading: &Reading, start: &Start, fault: &Fault) -> Rejection {
    let (line, token) = locate(text, line, reading, fault.index);
    let token: String = token.chars().take(80).collect();
    let ply = u64::from(start.turn == Color::Black) + u64::from(fault.ply);
    let number = u64::from(start.number) + ply / 2;
    let (dots, side) = match fault.turn {
        Color::White => (".", "white"),
        Color::Black => ("...", "black"),
    };
    Rejection {
        kind: RejectionKind::IllegalMove,
        line,
        message: format!("illegal move {number}{dots} {token} ({side}): {}", fault.why),
        token,
    }
}

#[cold]
fn miscounted(line: u64, written: u32, played: u32) -> Rejection {
    Rejection {
        kind: RejectionKind::UnreadableToken,
        line,
        token: String::new(),
        message: format!(
            "two readers disagree: {written} moves in the text, {played} moves understood"
        ),
    }
}

#[cfg(test)]
#[path = "tests/movetext.rs"]
mod tests;
