//! Reading the corpus on which speed is measured (pgn.md).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::time::Instant;

use gamekeeper::game::{self, RawGame, Rejection, Splitter};

use crate::bench::shared;

/// Reads a stream to its end, game by game.
fn for_each_game(
    mut stream: impl Read,
    mut take: impl FnMut(&RawGame, Result<game::Game, Rejection>),
) {
    let mut splitter = Splitter::new();
    let mut piece = vec![0; 1 << 18];
    loop {
        let length = stream.read(&mut piece).expect("a readable file");
        splitter.push(&piece[..length]);
        if length == 0 {
            splitter.finish();
        }
        for raw in splitter.by_ref() {
            take(&raw, game::read(&raw, None));
        }
        if length == 0 {
            return;
        }
    }
}

/// pgn.md: “Reject no more than that without naming each, and justify each.” Says how long it took.
///
/// `38.Bf3` in Schleining–Paehtz, Dresden 2014: White's only bishop stands on c1. The other texts
/// are names of tournaments, underlined, between games.
#[test]
#[ignore = "reads 177 MB: for release builds"]
fn the_corpus_is_read() {
    let Some(corpus) = shared("corpus/games.pgn.zst") else { return };
    let file = File::open(corpus).unwrap();
    let mut text = Vec::new();
    zstd::Decoder::new(file).unwrap().read_to_end(&mut text).unwrap();
    let start = Instant::now();
    let (mut games, mut plies, mut canonical, mut notes) = (0, 0, 0, 0);
    let mut rejected: BTreeMap<&str, Vec<(u64, String)>> = BTreeMap::new();
    for_each_game(&text[..], |_, game| match game {
        Ok(game) => {
            games += 1;
            plies += u64::from(game.movetext.plies);
            canonical += usize::from(game.movetext.canonical);
            notes += game.notes.len();
        }
        Err(rejection) => {
            let place = (rejection.line, rejection.to_string());
            rejected.entry(rejection.kind.as_str()).or_default().push(place);
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{games} games, {plies} plies, {canonical} canonical, {notes} notes, {seconds:.2} s");
    let texts = rejected.remove("not-a-game").unwrap_or_default();
    assert!(
        texts.len() == 8 && texts.iter().all(|(_, text)| text.ends_with("------")),
        "{texts:?}"
    );
    let bishop = "illegal move 38. Bf3 (white): no bishop can go to f3".to_owned();
    assert_eq!(rejected, BTreeMap::from([("illegal-move", vec![(3_254_881, bishop)])]));
    assert_eq!(games, 235_337);
}
