//! What reading makes of broken text (pgn.md, faults-pgn).

mod faults;
mod read;
mod split;
mod tags;

use proptest::prelude::*;

use super::{Game, Rejection, Splitter};

/// All that is cut out of a file, read.
fn games(bytes: &[u8]) -> Vec<Result<Game, Rejection>> {
    let mut splitter = Splitter::new();
    for piece in bytes.chunks(1 << 16) {
        splitter.push(piece);
    }
    splitter.finish();
    splitter.map(|raw| super::read(&raw, None)).collect()
}

/// The only game of a file.
#[track_caller]
fn one(text: &str) -> Game {
    let mut games = games(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|rejection| panic!("{text}: {rejection}"))
}

/// Why the only game of a file is not read.
#[track_caller]
fn problem(text: &str) -> Rejection {
    let mut games = games(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).expect_err(text)
}

/// The value of a tag.
#[track_caller]
fn value<'a>(game: &'a Game, name: &str) -> &'a str {
    game.tags.get(name).unwrap_or_else(|| panic!("no tag {name}"))
}

/// What broken files are made of.
const SHREDS: [&str; 32] = [
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "[Event \"a\"]",
    "[White \"b\"]",
    "[Black x]",
    "[Event \"",
    "\"]",
    "]",
    "[",
    "1. e4",
    "e5",
    " 1-0",
    " *",
    "1/2-1/2",
    "2. Nf3",
    "\u{feff}",
    "<p>",
    "prose",
    "{c}",
    "[%clk 1]",
    "[Site \"a\nb\"]",
    "\\",
    "ü",
];

/// A file of such shreds.
fn shreds() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&SHREDS[..]), 0..60)
        .prop_map(|shreds| shreds.concat())
}
