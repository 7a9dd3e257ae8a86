//! Which legal move a SAN means, and why it means none.
//!
//! Lenient about what does not change the move, strict about everything else: two moves that fit
//! are none.

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, File, Move, MoveList, Position, Rank, Role, Square};

use super::origins::Origins;

/// Why a move cannot be played.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unplayable {
    Illegal,
    Ambiguous,
}

impl Unplayable {
    /// The reason for people.
    pub(super) fn tell<P: Position>(self, position: &P, san: San) -> String {
        let can = match self {
            Unplayable::Illegal => "no",
            Unplayable::Ambiguous => "more than one",
        };
        match san {
            San::Normal { role: Role::Pawn, file: Some(file), rank: Some(rank), to, .. } => {
                format!("the move from {} to {to} is not possible", Square::from_coords(file, rank))
            }
            San::Normal { promotion: None, role: Role::Pawn, to, .. }
                if position.san_candidates(Role::Pawn, to).iter().any(|m| m.is_promotion()) =>
            {
                "the piece of the promotion is missing".to_owned()
            }
            San::Normal { role, to, .. } => format!("{can} {} can go to {to}", role_name(role)),
            San::Put { role, to } => format!("no {} can be dropped on {to}", role_name(role)),
            San::Castle(_) => "castling is not possible".to_owned(),
            San::Null => "a null move is not possible in check".to_owned(),
        }
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The one legal move that `san` means, and its spelling without suffix. Missing and superfluous
/// capture signs and origins do not matter; a move with both squares may lack its piece.
#[inline]
pub(super) fn resolve<P: Origins>(position: &P, san: San) -> Result<(Move, San), Unplayable> {
    let San::Normal { role, file, rank, to, promotion, .. } = san else {
        let played = san.to_move(position).map_err(|_| Unplayable::Illegal)?;
        return Ok((played, san));
    };
    let board = position.board();
    let mut moved = role;
    if let (Role::Pawn, Some(file), Some(rank)) = (role, file, rank) {
        let from = board.piece_at(Square::from_coords(file, rank));
        moved = from.filter(|piece| piece.color == position.turn()).map_or(role, |it| it.role);
    }
    let origins = position.origins(moved, to, promotion);
    let mut fits = origins;
    if let Some(file) = file {
        fits &= Bitboard::from_file(file);
    }
    if let Some(rank) = rank {
        fits &= Bitboard::from_rank(rank);
    }
    let Some(from) = fits.single_square() else {
        if fits.any() {
            return Err(Unplayable::Ambiguous);
        }
        let castling = castling_by_squares(position, san).ok_or(Unplayable::Illegal)?;
        return Ok((castling, San::disambiguate(castling, &MoveList::new())));
    };
    let capture = board.role_at(to);
    let takes = capture.is_some() || (moved == Role::Pawn && from.file() != to.file());
    let played = if takes && capture.is_none() {
        Move::EnPassant { from, to }
    } else {
        Move::Normal { role: moved, from, capture, to, promotion }
    };
    let (file, rank) = spelled_origin(moved, from, takes, origins.without(from));
    Ok((played, San::Normal { role: moved, file, rank, capture: takes, to, promotion }))
}

/// How little of its origin the export format writes of a move that `others` can make too: the file
/// where that tells it, else the rank, else both; of a pawn the file where it takes.
#[inline]
fn spelled_origin(
    role: Role,
    from: Square,
    takes: bool,
    others: Bitboard,
) -> (Option<File>, Option<Rank>) {
    if role == Role::Pawn {
        return (takes.then_some(from.file()), None);
    }
    let on_file = others.intersects(Bitboard::from_file(from.file()));
    let on_rank = others.intersects(Bitboard::from_rank(from.rank()));
    let file = others.any() && (!on_file || on_rank);
    (file.then_some(from.file()), on_file.then_some(from.rank()))
}

/// Castling written as a move of the king: two files along, or onto the rook (`e1g1`, `e1h1`).
#[cold]
fn castling_by_squares<P: Position>(position: &P, san: San) -> Option<Move> {
    let San::Normal { file: Some(file), rank: Some(rank), to, promotion: None, .. } = san else {
        return None;
    };
    let from = Square::from_coords(file, rank);
    if position.board().king_of(position.turn()) != Some(from) || from.rank() != to.rank() {
        return None;
    }
    let side = CastlingSide::from_king_side(to.file() > from.file());
    let castling = position.castling_moves(side).first().copied()?;
    let Move::Castle { rook, .. } = castling else {
        return None;
    };
    let two_files = to == side.king_to(position.turn()) && from.distance(to) == 2;
    (to == rook || two_files).then_some(castling)
}

/// A move in two bytes, as `Movetext::main_line` says.
pub(super) fn pack(played: Move) -> u16 {
    let (from, to, piece) = match played {
        Move::Normal { from, to, promotion, .. } => (from, to, promotion),
        Move::EnPassant { from, to } => (from, to, None),
        Move::Castle { king, rook } => (king, rook, None),
        Move::Put { role, to } => (to, to, Some(role)),
    };
    (from as u16) | (to as u16) << 6 | piece.map_or(0, |role| role as u16) << 12
}
