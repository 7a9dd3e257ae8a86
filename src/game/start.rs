//! Which rules a game is played under, and the position it starts from (names.md §5, pgn.md).
//!
//! A position that cannot be played is a rejection, never a guess at another one.

use std::borrow::Cow;

use shakmaty::fen::{Epd, Fen, ParseFenError};
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Color, EnPassantMode, Position, PositionError};

use super::{Note, Rejection, RejectionKind, Tags};

/// The rules and the first position of a game.
#[derive(Debug, Clone)]
pub struct Start {
    /// The rules.
    pub rules: Rules,
    /// What two games must share to have the same start: empty for the usual start of chess, else
    /// the variant (unless chess) and the position without move counters and phantom en passant.
    pub key: String,
    /// Who moves first.
    pub turn: Color,
    /// The number of the first move.
    pub number: u32,
    /// What was mended in the FEN; the line is 0, since tags have none here.
    pub notes: Vec<Note>,
}

/// The rules of a game.
#[derive(Debug, Clone)]
pub enum Rules {
    /// A variant that is replayed; Chess960 is `Variant::Chess`.
    Played {
        /// The variant.
        variant: Variant,
        /// The position before the first move, with its move counters.
        position: Box<VariantPosition>,
    },
    /// A variant that nobody here plays: moves are compared as text (pgn.md).
    Unverified {
        /// The Variant tag as it stands.
        variant: String,
    },
}

impl Start {
    /// Reads the rules and the first position off the tags `Variant` and `FEN`. A FEN counts
    /// whatever `SetUp` says, and without it too (faults-pgn.tsv B47, B50).
    ///
    /// # Errors
    /// [`RejectionKind::UnreadablePosition`] with the FEN as token and 0 as line.
    pub fn from_tags(tags: &Tags) -> Result<Start, Rejection> {
        let variant = tags.get("Variant").unwrap_or_default().trim();
        let fen = tags.get("FEN").and_then(stated_fen);
        match (played_variant(variant), fen) {
            (Some(Variant::Chess), None) => Ok(Start::usual()),
            (Some(variant), None) => {
                let position = VariantPosition::new(variant);
                Ok(Start::at(variant, position, Vec::new()))
            }
            (Some(variant), Some(fen)) => {
                let (position, notes) = position_of(variant, fen)?;
                Ok(Start::at(variant, position, notes))
            }
            (None, fen) => Ok(Start::unverified(variant, fen.unwrap_or_default())),
        }
    }

    /// The usual start of chess.
    pub fn usual() -> Start {
        Start {
            rules: Rules::Played {
                variant: Variant::Chess,
                position: Box::new(VariantPosition::new(Variant::Chess)),
            },
            key: String::new(),
            turn: Color::White,
            number: 1,
            notes: Vec::new(),
        }
    }

    fn at(variant: Variant, position: VariantPosition, notes: Vec<Note>) -> Start {
        let epd = Epd::from_position(&position, EnPassantMode::Legal);
        let key = match variant {
            Variant::Chess if epd == Epd::default() => String::new(),
            Variant::Chess => epd.to_string(),
            _ => format!("{variant} {epd}"),
        };
        Start {
            key,
            turn: position.turn(),
            number: position.fullmoves().get(),
            rules: Rules::Played { variant, position: Box::new(position) },
            notes,
        }
    }

    /// The key is the text: only case and blanks of the variant's name, and the move counters of
    /// the FEN, do not count.
    fn unverified(variant: &str, fen: &str) -> Start {
        let mut fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let turn = if fields.get(1) == Some(&"b") { Color::Black } else { Color::White };
        let mut number = 1;
        if let [.., halfmoves, fullmoves] = fields[..]
            && let (Ok(_), Ok(fullmoves)) = (halfmoves.parse::<u32>(), fullmoves.parse::<u32>())
        {
            number = fullmoves.max(1);
            fields.truncate(fields.len() - 2);
        }
        let mut key = variant.to_lowercase();
        for field in fields {
            key.push(' ');
            key.push_str(field);
        }
        let rules = Rules::Unverified { variant: variant.to_owned() };
        Start { rules, key, turn, number, notes: Vec::new() }
    }
}

/// The FEN of a tag value, unless the value only says that there is none.
pub(super) fn stated_fen(value: &str) -> Option<&str> {
    let fen = value.trim();
    let none = matches!(fen, "" | "?" | "-" | "*") || fen.eq_ignore_ascii_case("startpos");
    (!none).then_some(fen)
}

/// A FEN as it is to be written: as it stands where it is a whole FEN of the position it was read
/// as, else that position in the standard's form. Rules that nobody here plays leave it alone.
pub(super) fn written_fen<'a>(text: &'a str, rules: &Rules) -> Cow<'a, str> {
    let Rules::Played { position, .. } = rules else {
        return Cow::Borrowed(text);
    };
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let whole = fields.len() >= 6 && fields.join(" ") == text;
    let right = |fen: Fen| {
        let (stated, played) = (fen.into_setup(), position.to_setup(EnPassantMode::Always));
        stated.castling_rights == played.castling_rights && stated.ep_square == played.ep_square
    };
    if whole && Fen::from_ascii(text.as_bytes()).is_ok_and(right) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(Fen::from_position(&**position, EnPassantMode::Legal).to_string())
}

/// The variant of this name in the spellings of Lichess, Chess.com, FICS, xboard and pychess;
/// case, blanks and punctuation aside. Giveaway, suicide and losers are other games than
/// antichess: they let a player castle, or score a stalemate in another way.
fn played_variant(name: &str) -> Option<Variant> {
    let name: String =
        name.chars().filter(char::is_ascii_alphanumeric).flat_map(char::to_lowercase).collect();
    Some(match name.as_str() {
        "" | "chess" | "standard" | "normal" | "standardchess" | "regular" | "classical"
        | "orthodox" | "fromposition" | "chess960" | "960" | "960chess" | "fischerandom"
        | "fischerrandom" | "fischerandomchess" | "fischerrandomchess" | "fischerrandom960"
        | "frc" | "chess9lx" | "chessfrc" | "wildfr" | "chessfischerrandom" => Variant::Chess,
        "crazyhouse" | "crazyhousechess" | "zh" => Variant::Crazyhouse,
        "atomic" | "atomicchess" => Variant::Atomic,
        "antichess" | "anti" => Variant::Antichess,
        "horde" | "hordechess" => Variant::Horde,
        "kingofthehill" | "koth" => Variant::KingOfTheHill,
        "racingkings" | "racingkingschess" | "race" => Variant::RacingKings,
        "threecheck" | "threecheckchess" | "3check" | "3checkchess" | "3checks" => {
            Variant::ThreeCheck
        }
        _ => return None,
    })
}

fn position_of(variant: Variant, text: &str) -> Result<(VariantPosition, Vec<Note>), Rejection> {
    let reject = |why: String| Rejection {
        kind: RejectionKind::UnreadablePosition,
        line: 0,
        token: text.chars().take(80).collect(),
        message: format!("unreadable FEN: {why}"),
    };
    let fen = parse_fen(text).map_err(|error| reject(error.to_string()))?;
    let setup = fen.into_setup();
    let claimed = setup.castling_rights;
    // Chess960 castling is the wider rule: a position with king and rooks at home has the same
    // castling moves under it, so the mode need not be guessed from the Variant tag (B47, B48).
    let position = lenient(VariantPosition::from_setup(variant, setup, CastlingMode::Chess960))
        .map_err(|error| reject(error.to_string()))?;
    let mut notes = Vec::new();
    if position.castles().castling_rights() != claimed {
        notes.push(Note {
            line: 0,
            message: "castling rights without king and rook in place left out of the FEN".into(),
        });
    }
    Ok((position, notes))
}

/// Reads a FEN; where only its move counters are damaged, without them.
fn parse_fen(text: &str) -> Result<Fen, ParseFenError> {
    Fen::from_ascii(text.as_bytes()).or_else(|error| {
        let fields: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        Fen::from_ascii(fields.join(" ").as_bytes()).map_err(|_| error)
    })
}

/// Accepts what can be played although no game leads there (odds, studies), and drops castling
/// rights and en passant squares that are none.
pub(super) fn lenient<P>(position: Result<P, PositionError<P>>) -> Result<P, PositionError<P>> {
    position
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
}

#[cfg(test)]
#[path = "tests/start.rs"]
mod tests;
