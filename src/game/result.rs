//! The result of a game (names.md §5).

use serde::{Deserialize, Serialize};

/// How a game ended, as it is compared and written.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub enum GameResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unknown or still running.
    #[default]
    Open,
}

impl GameResult {
    /// The PGN spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }

    /// True for the three results of a game that has ended.
    pub fn is_decided(self) -> bool {
        self != GameResult::Open
    }

    /// Reads a Result tag or an end marker in one of the spellings that are certain (pgn.md):
    /// `1-0`, `1 - 0`, `1:0`, `1–0`, `½-½`, `1/2`, `0.5-0.5`, `*`.
    ///
    /// `None` for everything else: `0-0` may be castling or a double forfeit, `+-` an evaluation,
    /// and `1.0-0` castling at move one.
    pub fn parse(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => return Some(GameResult::White),
            "0-1" => return Some(GameResult::Black),
            "1/2-1/2" => return Some(GameResult::Draw),
            "*" => return Some(GameResult::Open),
            _ if text.len() > 32 => return None,
            _ => {}
        }
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        match text.as_str() {
            "*" => return Some(GameResult::Open),
            "1/2" | "½" => return Some(GameResult::Draw),
            _ => {}
        }
        let (white, black) = text.split_once(is_separator)?;
        match (half_points(white)?, half_points(black)?) {
            (2, 0) => Some(GameResult::White),
            (0, 2) => Some(GameResult::Black),
            (1, 1) => Some(GameResult::Draw),
            _ => None,
        }
    }
}

/// The hyphen, its typographic relatives, the minus sign, and the colon of European tables.
fn is_separator(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | ':')
}

/// What one side scored, in half points.
fn half_points(side: &str) -> Option<u8> {
    match side {
        "1" => Some(2),
        "0" => Some(0),
        "1/2" | "½" | "0.5" | ".5" | "0,5" => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::GameResult::{self, Black, Draw, Open, White};

    /// pgn.md: “the certain ones are mapped”; names.md §5.
    #[test]
    fn the_certain_spellings_are_read() {
        let cases = [
            ("1-0", White),
            ("0-1", Black),
            ("1/2-1/2", Draw),
            ("*", Open),
            ("1 - 0", White),
            (" 0-1 ", Black),
            ("½-½", Draw),
            ("½ - ½", Draw),
            ("½", Draw),
            ("1/2", Draw),
            ("1/2 - 1/2", Draw),
            ("0.5-0.5", Draw),
            ("0,5-0,5", Draw),
            ("1:0", White),
            ("0:1", Black),
            ("1/2:1/2", Draw),
            ("0.5:0.5", Draw),
            ("1–0", White),
            ("0—1", Black),
            ("1/2−1/2", Draw),
            ("1\u{a0}-\u{a0}0", White),
        ];
        for (text, result) in cases {
            assert_eq!(GameResult::parse(text), Some(result), "{text}");
            assert_eq!(GameResult::parse(result.as_str()), Some(result));
        }
    }

    /// pgn.md: only the certain ones.
    #[test]
    fn what_may_mean_something_else_is_no_result() {
        let texts = [
            "",
            "?",
            "0-0",
            "O-O",
            "1-1",
            "1-1/2",
            "1/2-0",
            "1",
            "0",
            "10",
            "+-",
            "-+",
            "+:-",
            "1-O",
            "1.0-0",
            "1-0F",
            "draw",
            "1/2-1/2-1/2",
            "1-0-0",
            "White wins",
            "0.5",
        ];
        for text in texts {
            assert_eq!(GameResult::parse(text), None, "{text}");
        }
    }
}
