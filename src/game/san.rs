//! The shape of a move as the standard spells it: an automaton over bytes, for speed.
//!
//! It tells shape only: pawn moves with at most a file before them, any origin before a piece
//! move. Whether a move is legal, or its origin needed, is not its business.

/// What a byte can be in a move; [`STOP`] ends a word.
const FILE: u8 = 0;
const RANK: u8 = 1;
const TAKES: u8 = 2;
const PIECE: u8 = 3;
const PAWN: u8 = 4;
const ROUND: u8 = 5;
const DASH: u8 = 6;
const PROMOTES: u8 = 7;
const SUFFIX: u8 = 8;
const DROP: u8 = 9;
const OTHER: u8 = 10;
/// A byte that cannot go on a word: blank, bracket, or the first of a character outside ASCII,
/// which may be a blank.
const STOP: u8 = 11;
const KINDS: usize = 16;

static KIND: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut table = [STOP; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'h' => FILE,
            b'1'..=b'8' => RANK,
            b'x' => TAKES,
            b'N' | b'B' | b'R' | b'Q' | b'K' => PIECE,
            b'P' => PAWN,
            b'O' => ROUND,
            b'-' => DASH,
            b'=' => PROMOTES,
            b'+' | b'#' => SUFFIX,
            b'@' => DROP,
            _ if super::glyph::goes_on(byte as u8) => OTHER,
            _ => STOP,
        };
        byte += 1;
    }
    table
}

/// States; those from [`MOVE`] on are whole moves.
const FAILED: u8 = 0;
const START: u8 = 1;
const AFTER_PIECE: u8 = 2;
const PIECE_RANK: u8 = 3;
const PIECE_FILE: u8 = 4;
const TO_FILE: u8 = 5;
const TAKEN: u8 = 6;
const PAWN_FILE: u8 = 7;
const PAWN_TAKES: u8 = 8;
const PAWN_TO_FILE: u8 = 9;
const PROMOTION: u8 = 10;
const AFTER_PAWN: u8 = 11;
const ROUND_1: u8 = 12;
const ROUND_DASH: u8 = 13;
const LONG_DASH: u8 = 14;
const MOVE: u8 = 15;
const PIECE_SQUARE: u8 = 16;
const PAWN_SQUARE: u8 = 17;
const SHORT: u8 = 18;
const ENDED: u8 = 19;

static NEXT: [[u8; KINDS]; 20] = transitions();

const fn transitions() -> [[u8; KINDS]; 20] {
    const EDGES: [(u8, u8, u8); 32] = [
        (START, PIECE, AFTER_PIECE),
        (START, FILE, PAWN_FILE),
        (START, PAWN, AFTER_PAWN),
        (START, ROUND, ROUND_1),
        (AFTER_PIECE, FILE, PIECE_FILE),
        (AFTER_PIECE, RANK, PIECE_RANK),
        (AFTER_PIECE, TAKES, TAKEN),
        (AFTER_PIECE, DROP, TAKEN),
        (PIECE_FILE, RANK, PIECE_SQUARE),
        (PIECE_FILE, FILE, TO_FILE),
        (PIECE_FILE, TAKES, TAKEN),
        (PIECE_RANK, FILE, TO_FILE),
        (PIECE_RANK, TAKES, TAKEN),
        (PIECE_SQUARE, FILE, TO_FILE),
        (PIECE_SQUARE, TAKES, TAKEN),
        (PIECE_SQUARE, SUFFIX, ENDED),
        (TAKEN, FILE, TO_FILE),
        (TO_FILE, RANK, MOVE),
        (MOVE, SUFFIX, ENDED),
        (PAWN_FILE, RANK, PAWN_SQUARE),
        (PAWN_FILE, TAKES, PAWN_TAKES),
        (PAWN_TAKES, FILE, PAWN_TO_FILE),
        (PAWN_TO_FILE, RANK, PAWN_SQUARE),
        (PAWN_SQUARE, PROMOTES, PROMOTION),
        (PAWN_SQUARE, SUFFIX, ENDED),
        (PROMOTION, PIECE, MOVE),
        (AFTER_PAWN, DROP, TAKEN),
        (ROUND_1, DASH, ROUND_DASH),
        (ROUND_DASH, ROUND, SHORT),
        (SHORT, DASH, LONG_DASH),
        (SHORT, SUFFIX, ENDED),
        (LONG_DASH, ROUND, MOVE),
    ];
    let mut table = [[FAILED; KINDS]; 20];
    let mut at = 0;
    while at < EDGES.len() {
        let (from, kind, to) = EDGES[at];
        table[from as usize][kind as usize] = to;
        at += 1;
    }
    table
}

/// Reads the word at the beginning of `bytes` up to the first byte that cannot go on it: its
/// length, and whether all of it is a move in the standard's spelling.
#[inline]
pub(super) fn scan(bytes: &[u8]) -> (usize, bool) {
    let mut state = START;
    let mut length = 0;
    for &byte in bytes {
        let kind = KIND[byte as usize];
        if kind == STOP {
            break;
        }
        state = NEXT[state as usize][kind as usize];
        length += 1;
    }
    (length, state >= MOVE)
}

/// True for a move in the standard's spelling, which needs no mending.
pub(super) fn is_san(word: &[u8]) -> bool {
    scan(word) == (word.len(), true)
}

#[cfg(test)]
mod tests {
    use super::is_san;

    #[test]
    fn the_shape_of_a_move() {
        let moves = "e4 exd5 e8=Q dxe8=N+ Nf3 Nbd2 N1d2 Ng1f3 Nxe5 Ngxe5 N1xe5 Ng1xe5# Kf1 Qh5+ \
                     O-O O-O-O O-O+ O-O-O# N@f3 P@e4 Q@h7#";
        for word in moves.split_ascii_whitespace() {
            assert!(is_san(word.as_bytes()), "{word}");
        }
        let others = "e9 i4 ed5 e2e4 e4e5 Pe4 e8Q e8=q Sf3 N Nf N3 Nxf Nf3++ Nf3+# O-O-O-O O- OO \
                      0-0 @e4 N@3 xd5 e4x Nf33 -- e8= Nf3=Q";
        for word in others.split_ascii_whitespace().chain(["", "é4", "e4 "]) {
            assert!(!is_san(word.as_bytes()), "{word}");
        }
    }
}
