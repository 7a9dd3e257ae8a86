//! Once a game is reported imported it survives `kill -9`, and no game is stored twice
//! (reliability.md 1).

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::bench::{Bench, game};

const GAMES: u32 = 5_000;

/// Imports 5,000 games while the process is killed at random moments; then to the end.
#[test]
fn games_survive_kill_9_and_none_is_doubled() {
    let rounds: u32 = std::env::var("GAMEKEEPER_CRASH_ROUNDS").map_or(20, |n| n.parse().unwrap());
    let bench = Bench::new();
    let games: String = (0..GAMES).map(numbered).collect();
    bench.write("games.pgn", games);
    let mut reported = 0;
    let mut killed = 0;
    for round in 0..rounds {
        let wait = Duration::from_millis(random(round) % 400);
        let (told, ended) = import_and_kill(&bench, wait);
        killed += u32::from(!ended);
        reported = reported.max(told);
        let status = bench.json(&["status"]);
        let stored = status["games"].as_u64().unwrap();
        assert!(stored >= reported, "round {round}: {stored} stored, {reported} reported");
        reported = stored;
    }
    assert!(killed > 0, "no round was cut off: nothing was tested");
    let [read, new, duplicates, ..] = bench.import("games.pgn");
    assert_eq!(
        [read, new + duplicates, duplicates],
        [u64::from(GAMES), u64::from(GAMES), reported]
    );
    let exported = bench.export();
    for number in 0..GAMES {
        let white = format!("[White \"Player{number}, White\"]");
        assert_eq!(exported.matches(&white).count(), 1, "{white}");
    }
}

/// A game like no other of the file.
fn numbered(number: u32) -> String {
    game(
        &format!("Player{number}, White"),
        "Other, Black",
        "2020.01.01",
        "1. e4 e5 2. Nf3 Nc6",
        "1-0",
    )
}

/// Imports, kills after `wait`; how many games were reported safe, and whether the import ended.
fn import_and_kill(bench: &Bench, wait: Duration) -> (u64, bool) {
    let mut command: Command = bench.command(&["-v", "import", "games.pgn"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let stderr = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(stderr).lines().map_while(Result::ok);
        lines.filter_map(|line| safe_games(&line)).last().unwrap_or(0)
    });
    std::thread::sleep(wait);
    child.kill().unwrap();
    let ended = child.wait().unwrap().code().is_some();
    (reader.join().unwrap(), ended)
}

/// The count in a line such as `… 1200 games are safe …`: new ones and duplicates.
fn safe_games(line: &str) -> Option<u64> {
    let before = line.split(" games are safe").next().filter(|before| *before != line)?;
    before.rsplit(' ').next()?.parse().ok()
}

/// Some number that changes from run to run.
fn random(round: u32) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::from(now.subsec_micros())
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(u64::from(round))
        >> 33
}
