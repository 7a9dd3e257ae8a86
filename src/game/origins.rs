//! From where a piece may go to a square, legally, as a set of squares.
//!
//! What a SAN means needs no list of moves: the set of origins tells the move, whether another
//! fits too, and how little the export format must write to tell them apart.

use shakmaty::variant::VariantPosition;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

/// A position that knows the origins of a move.
pub(super) trait Origins: Position {
    /// The squares from which a piece of `role` legally goes to `to` and becomes `promotion`;
    /// castling and drops aside.
    fn origins(&self, role: Role, to: Square, promotion: Option<Role>) -> Bitboard;
}

impl Origins for VariantPosition {
    fn origins(&self, role: Role, to: Square, promotion: Option<Role>) -> Bitboard {
        let candidates = self.san_candidates(role, to);
        let fits = candidates.iter().filter_map(|candidate| match *candidate {
            Move::Normal { from, promotion: becomes, .. } => (becomes == promotion).then_some(from),
            Move::EnPassant { from, .. } => promotion.is_none().then_some(from),
            Move::Castle { .. } | Move::Put { .. } => None,
        });
        fits.collect()
    }
}

impl Origins for Chess {
    #[inline]
    fn origins(&self, role: Role, to: Square, promotion: Option<Role>) -> Bitboard {
        let none = Bitboard::EMPTY;
        let (board, turn) = (self.board(), self.turn());
        let Some(king) = board.king_of(turn) else { return none };
        if self.us().contains(to) || !may_become(role, to, turn, promotion) {
            return none;
        }
        let occupied = board.occupied();
        if role == Role::King {
            let attackers = board.attacks_to(to, !turn, occupied.without(king));
            let goes = attacks::king_attacks(king).contains(to) && attackers.is_empty();
            return if goes { Bitboard::from(king) } else { none };
        }
        let (candidates, taken) = match role {
            Role::Pawn => pawns(self, to),
            _ => {
                let reach = attacks::attacks(to, role.of(turn), occupied);
                (reach & board.by_piece(role.of(turn)), to)
            }
        };
        let mut origins = candidates;
        for from in candidates {
            let then = occupied.without(from).without(taken).with(to);
            if (board.attacks_to(king, !turn, then).without(taken)).any() {
                origins.discard(from);
            }
        }
        origins
    }
}

/// Whether the king of whose move it is has a safe square to go to, taking included.
pub(super) fn king_escapes(position: &Chess) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return false };
    let occupied = board.occupied().without(king);
    let mut squares = attacks::king_attacks(king).without(position.us()).into_iter();
    squares.any(|to| board.attacks_to(to, !turn, occupied).is_empty())
}

/// Whether a piece that arrives on `to` may become `promotion`: a pawn on its last rank must.
#[inline]
fn may_become(role: Role, to: Square, turn: Color, promotion: Option<Role>) -> bool {
    let promotes = role == Role::Pawn
        && to.rank() == turn.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First);
    match promotion {
        None => !promotes,
        Some(becomes) => promotes && !matches!(becomes, Role::Pawn | Role::King),
    }
}

/// Pawns that reach `to`, their king's safety aside, and the square of what they take there.
#[inline]
fn pawns(position: &Chess, to: Square) -> (Bitboard, Square) {
    let (board, turn) = (position.board(), position.turn());
    let ours = board.by_piece(Role::Pawn.of(turn));
    let back = |square: Square, ranks: i32| square.offset(turn.fold_wb(-8, 8) * ranks);
    let takers = attacks::pawn_attacks(!turn, to) & ours;
    if position.them().contains(to) {
        return (takers, to);
    }
    let Some(before) = back(to, 1) else { return (Bitboard::EMPTY, to) };
    if position.maybe_ep_square() == Some(to) && takers.any() {
        return (takers, before);
    }
    let one = Bitboard::from(before);
    if (one & board.occupied()).any() {
        return (one & ours, to);
    }
    let two = turn.fold_wb(shakmaty::Rank::Fourth, shakmaty::Rank::Fifth) == to.rank();
    let start = if two { back(to, 2) } else { None };
    (start.map_or(Bitboard::EMPTY, Bitboard::from) & ours, to)
}

#[cfg(test)]
#[path = "tests/origins.rs"]
mod tests;
