//! Splitting (pgn.md): the same games however the stream is cut, no byte lost, bounded memory.

use gamekeeper::game::{RawGame, Splitter};

use super::{Dice, games_of, line_ends};

/// Pieces of a stream are of this size when nothing else is asked for.
const PIECE: usize = 4096;
/// What the splitter keeps behind it before it moves its window (64 KiB).
const KEPT: usize = 64 << 10;

pub fn holds(data: &[u8]) {
    let whole = games_of(data);
    let mut dice = Dice::of(data);
    let sizes = [1, 2, 3, 1 + dice.below(64), 1 + dice.below(4096)];
    assert_eq!(games_in(data, |_| 1), whole, "cut into bytes");
    assert_eq!(games_in(data, |at| sizes[at % sizes.len()]), whole, "cut into {sizes:?}");
    assert_eq!(games_in(data, |_| 1 + dice.below(300)), whole, "cut anyhow");
    for game in &whole {
        assert!(!game.bytes.is_empty());
    }
    if is_utf16(data) || data.is_empty() {
        return;
    }
    nothing_is_lost(data, &whole);
    if dice.below(16) == 0 {
        memory_is_bounded(data);
    }
}

fn games_in(text: &[u8], mut size: impl FnMut(usize) -> usize) -> Vec<RawGame> {
    let mut splitter = Splitter::new();
    let mut games = Vec::new();
    let (mut rest, mut count) = (text, 0);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(size(count).min(rest.len()));
        splitter.push(piece);
        games.extend(splitter.by_ref());
        rest = after;
        count += 1;
    }
    splitter.finish();
    games.extend(splitter.by_ref());
    games
}

/// Every byte is in a game, or in what says nothing between games: blanks, marks, `%` lines.
fn nothing_is_lost(text: &[u8], games: &[RawGame]) {
    let mut at = 0;
    for game in games {
        let offset = game.offset as usize;
        assert!(at <= offset, "games overlap at {offset}");
        says_nothing(&text[at..offset]);
        assert_eq!(game.line, 1 + line_ends(&text[..offset]), "line of the game at {offset}");
        at = offset + game.oversize.map_or(game.bytes.len(), |whole| whole.length as usize);
        assert!(text[offset..at].starts_with(&game.bytes), "other bytes than at {offset}");
    }
    says_nothing(&text[at..]);
}

fn says_nothing(text: &[u8]) {
    for line in text.split(|byte| b"\r\n".contains(byte)) {
        let mut line = line.trim_ascii();
        while let Some(rest) = line.strip_prefix(b"\xEF\xBB\xBF") {
            line = rest.trim_ascii();
        }
        assert!(matches!(line, [] | [b'%', ..]), "lost: {:?}", String::from_utf8_lossy(line));
    }
}

/// The text over and over: what is held is never more than the game it is in.
fn memory_is_bounded(text: &[u8]) {
    let mut splitter = Splitter::new();
    let (mut pushed, mut last) = (0, 0);
    let mut piece = Vec::new();
    while pushed < 4 * KEPT {
        piece.clear();
        while piece.len() < PIECE {
            piece.extend_from_slice(text);
        }
        splitter.push(&piece);
        pushed += piece.len();
        for game in splitter.by_ref() {
            last = game.offset as usize;
        }
        // The game after the last one cut off may begin anywhere behind its beginning.
        let open = pushed - last;
        assert!(splitter.buffered() <= KEPT + open + piece.len(), "{}", splitter.buffered());
    }
}

/// True for what may be transcribed before it is cut, so that offsets are not those of the bytes.
fn is_utf16(text: &[u8]) -> bool {
    matches!(text, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..])
        || text.iter().take(64).any(|&byte| byte == 0)
}
