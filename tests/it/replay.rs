//! What is fed twice, and cut in other places, gives the same archive (reliability.md 5).

use proptest::collection::vec;
use proptest::prelude::*;

use crate::bench::{Bench, game};

/// Games with few players, dates and moves, so that many of them are the same game, or nearly.
fn games() -> impl Strategy<Value = Vec<String>> {
    let white = prop::sample::select(vec!["Rossi, Mario", "ROSSI Mario", "M. Rossi", "mrossi90"]);
    let black = prop::sample::select(vec!["Bianchi, Anna", "Anna Bianchi", "annab"]);
    let date = prop::sample::select(vec!["2020.01.01", "2020.01.??", "2020.01.02"]);
    let moves = prop::sample::select(vec![
        "1. e4 e5",
        "1. e4 e5 2. Nf3",
        "1. e4 {good} e5",
        "1. e4 e5 $1 {[%clk 0:01:00]}",
        "1. e4 e9",
    ]);
    let result = prop::sample::select(vec!["1-0", "1/2-1/2", "*"]);
    let tag = prop::sample::select(vec!["", "[ECO \"C20\"]\n", "[WhiteElo \"2000\"]\n"]);
    let one = (white, black, date, moves, result, tag).prop_map(
        |(white, black, date, moves, result, tag)| {
            game(white, black, date, moves, result).replace("[Round", &format!("{tag}[Round"))
        },
    );
    vec(one, 1..24)
}

/// The export, and the totals that follow from the games alone.
fn archive(bench: &Bench) -> (String, Vec<u64>) {
    let status = bench.json(&["status"]);
    let totals = ["games", "players"].map(|total| status[total].as_u64().unwrap());
    (bench.export(), totals.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn replay_is_noop(games in games(), cuts in vec(0..24_usize, 0..4), piece in 1..400_usize) {
        let whole = Bench::new();
        whole.write("0.pgn", games.concat());
        whole.import("0.pgn");
        let once = archive(&whole);
        let status = whole.json(&["status"]);
        // The same again, under the same name and under another.
        let [read, new, _, updated, _] = whole.import("0.pgn");
        prop_assert_eq!([read, new, updated], [games.len() as u64, 0, 0]);
        prop_assert_eq!(&whole.json(&["status"]), &status);
        whole.write("again.pgn", games.concat());
        let [_, new, _, updated, _] = whole.import("again.pgn");
        prop_assert_eq!([new, updated], [0, 0]);
        prop_assert_eq!(&archive(&whole), &once);

        // Cut into files between games, each its own batch; and through a pipe in small pieces.
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(games.len())).collect();
        cuts.extend([0, games.len()]);
        cuts.sort_unstable();
        let parts = Bench::new();
        for (number, pair) in cuts.windows(2).enumerate() {
            let file = format!("{number}.pgn");
            parts.write(&file, games[pair[0]..pair[1]].concat());
            parts.run(&["import", &file]);
        }
        prop_assert_eq!(&archive(&parts), &once, "cut at {:?}", cuts);
        let piped = Bench::new();
        pipe(&piped, games.concat().as_bytes(), piece);
        prop_assert_eq!(&archive(&piped), &once, "in pieces of {}", piece);
    }
}

fn cases() -> u32 {
    if crate::crash::is_full() { 100 } else { 3 }
}

fn pipe(bench: &Bench, bytes: &[u8], piece: usize) {
    use std::io::Write;
    let mut command = bench.command(&["import", "-"]);
    let null = std::process::Stdio::null;
    command.stdin(std::process::Stdio::piped()).stdout(null()).stderr(null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for piece in bytes.chunks(piece) {
        stdin.write_all(piece).unwrap();
    }
    drop(stdin);
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1 | 3)));
}
