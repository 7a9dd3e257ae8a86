//! The tokens of clean movetext, and clean movetext written anew.

use pgn_reader::SanPlus;
use shakmaty::san::San;
use shakmaty::{Color, Role};

use super::Start;

/// A token of `Movetext::clean`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A move or null move.
    Move(&'a str),
    /// `$n`, with its sign.
    Nag(&'a str),
    /// A comment without its braces.
    Comment(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
}

/// Walks over clean movetext.
#[derive(Debug, Clone)]
pub struct Tokens<'a>(&'a str);

impl Tokens<'_> {
    /// Takes the next token if it is a `)`.
    #[inline]
    pub(super) fn next_close(&mut self) -> bool {
        let close = self.0.starts_with(')');
        if close {
            self.0 = self.0.get(2..).unwrap_or_default();
        }
        close
    }
}

/// The tokens of clean movetext ([`super::Movetext::clean`]).
pub fn tokens(clean: &str) -> Tokens<'_> {
    Tokens(clean)
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let text = self.0;
        let first = *text.as_bytes().first()?;
        let bytes = text.as_bytes();
        let end = match first {
            b'{' => memchr::memchr(b'}', bytes),
            // Moves are short: a plain loop is the quickest.
            _ => bytes.iter().position(|&byte| byte == b' '),
        };
        let length = end.unwrap_or(bytes.len());
        let rest = if first == b'{' { length + 2 } else { length + 1 };
        self.0 = text.get(rest..).unwrap_or_default();
        Some(match first {
            b'{' => Token::Comment(&text[1..length]),
            b'(' => Token::Open,
            b')' => Token::Close,
            b'$' => Token::Nag(&text[..length]),
            _ => Token::Move(&text[..length]),
        })
    }
}

/// Counts moves along a line and its side lines.
#[derive(Debug, Clone)]
pub(super) struct Numbering {
    /// Half-moves since move 1 of White.
    ply: u64,
    outer: Vec<u64>,
}

impl Numbering {
    pub(super) fn new(start: &Start) -> Numbering {
        let first = (u64::from(start.number) - 1) * 2 + u64::from(start.turn == Color::Black);
        Numbering { ply: first, outer: Vec::new() }
    }

    /// The number of the next move, and whether it is White's.
    pub(super) fn next(&self) -> (u64, bool) {
        (self.ply / 2 + 1, self.ply.is_multiple_of(2))
    }

    pub(super) fn advance(&mut self, token: Token<'_>) {
        match token {
            Token::Move(_) => self.ply += 1,
            Token::Open => {
                self.outer.push(self.ply);
                self.ply = self.ply.saturating_sub(1);
            }
            Token::Close => self.ply = self.outer.pop().unwrap_or(self.ply),
            Token::Nag(_) | Token::Comment(_) => {}
        }
    }
}

/// Clean movetext with the moves in `respelled` spelled anew, and the side lines in `unplayable`
/// turned into comments that hold their text. Both are in ascending order.
pub(super) fn rewrite(
    clean: &str,
    start: &Start,
    respelled: &[(u32, SanPlus)],
    unplayable: &[u32],
) -> String {
    let mut text = String::with_capacity(clean.len() + 64);
    let mut numbering = Numbering::new(start);
    let (mut respelled, mut unplayable) =
        (respelled.iter().peekable(), unplayable.iter().peekable());
    let (mut moves, mut opened, mut depth) = (0u32, 0u32, 0u32);
    // The depth of the side line that is being turned into a comment.
    let mut quoted: Option<u32> = None;
    // The open side lines: where each begins in `text`, and whether it has a move by now.
    let mut lines: Vec<(usize, bool)> = Vec::new();
    for token in tokens(clean) {
        let glued = quoted.is_some() && (token == Token::Close || text.ends_with('('));
        if !(text.is_empty() || glued) {
            text.push(' ');
        }
        let number = numbering.next();
        numbering.advance(token);
        match token {
            Token::Close if quoted.is_none() && matches!(lines.last(), Some((_, false))) => {
                depth -= 1;
                if let Some((start, _)) = lines.pop() {
                    unwrap_line(&mut text, start);
                }
            }
            Token::Move(san) => {
                if quoted.is_none() {
                    lines.iter_mut().for_each(|line| line.1 = true);
                }
                let anew = respelled.next_if(|(index, _)| *index == moves);
                moves += 1;
                if quoted.is_some() && text.ends_with('(') {
                    let (number, white) = number;
                    text.push_str(&format!("{number}{} ", if white { "." } else { "..." }));
                }
                match anew {
                    Some((_, anew)) => push_san(&mut text, *anew),
                    None => text.push_str(san),
                }
            }
            Token::Nag(nag) => text.push_str(nag),
            Token::Comment(comment) if quoted.is_some() => text.push_str(comment),
            Token::Comment(comment) => {
                text.push('{');
                text.push_str(comment);
                text.push('}');
            }
            Token::Open => {
                depth += 1;
                if unplayable.next_if(|number| **number == opened).is_some() && quoted.is_none() {
                    quoted = Some(depth);
                    text.push('{');
                } else if quoted.is_none() {
                    lines.push((text.len(), false));
                }
                opened += 1;
                text.push('(');
            }
            Token::Close => {
                text.push(')');
                if quoted == Some(depth) {
                    quoted = None;
                    text.push('}');
                } else if quoted.is_none() {
                    lines.pop();
                }
                depth -= 1;
            }
        }
    }
    text
}

/// Of a side line from `start` on that has no moves left, only its comments stay.
fn unwrap_line(text: &mut String, start: usize) {
    let line = text.split_off(start);
    text.push_str(line.trim_start_matches('(').trim());
    text.truncate(text.trim_end().len());
}

/// The spelling of the export format; a dropped pawn has its letter, as the sites write it.
fn push_san(text: &mut String, san: SanPlus) {
    if let San::Put { role: Role::Pawn, .. } = san.san {
        text.push('P');
    }
    san.append_to_string(text);
}
