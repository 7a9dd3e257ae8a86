//! The origins of a move are those that shakmaty's list of legal moves has.

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, Move, Position, Role, Square};

use super::{Origins, king_escapes};

/// Compares with the legal moves, for every piece, square and promotion.
fn check(position: &Chess) {
    let legal = position.legal_moves();
    let fen = || Fen::from_position(position, EnPassantMode::Always).to_string();
    let escapes = legal.iter().any(|m| m.role() == Role::King && !m.is_castle());
    assert_eq!(king_escapes(position), escapes, "{}", fen());
    let promotions = [None].into_iter().chain(Role::ALL.map(Some));
    for promotion in promotions {
        for role in Role::ALL {
            for to in Square::ALL {
                let wanted: Bitboard = legal
                    .iter()
                    .filter(|m| !matches!(m, Move::Castle { .. }))
                    .filter(|m| m.role() == role && m.to() == to && m.promotion() == promotion)
                    .filter_map(|m| m.from())
                    .collect();
                let found = position.origins(role, to, promotion);
                assert_eq!(found, wanted, "{role:?} to {to}, {promotion:?}: {}", fen());
            }
        }
    }
}

#[test]
fn pins_checks_promotions_and_en_passant() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        // The pawns of an en passant capture both stand between king and rook.
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
        // En passant takes the pawn that gives check.
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        // En passant by either of two, one of them pinned.
        "4k3/8/8/r1PpPK2/8/8/8/8 w - d6 0 1",
        "3b3k/4P3/5P2/8/7K/8/8/8 w - - 0 1",
        // Promotion with and without capture, to the side and straight on.
        "1n2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1",
        // Double check, and three queens for one square.
        "4k3/8/8/8/1b6/8/3n4/R3K2r w Q - 0 1",
        "8/8/8/Q6Q/8/1k6/8/Q3K3 w - - 0 1",
        // The king may not step back along the line of the check.
        "4r2k/8/8/4K3/8/8/8/8 w - - 0 1",
    ] {
        let fen: Fen = fen.parse().unwrap();
        check(&fen.into_position(CastlingMode::Standard).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 400 }))]

    #[test]
    fn along_random_games(picks in proptest::collection::vec(any::<u16>(), 0..160)) {
        let mut position = Chess::default();
        for pick in picks {
            check(&position);
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play_unchecked(legal[usize::from(pick) % legal.len()]);
        }
    }
}
