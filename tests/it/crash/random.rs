//! `kill -9` at random moments (reliability.md 1).

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::scene::{ACTIONS, Scene, Told, numbered, safe_texts};
use super::{Dice, is_full, tell};
use crate::bench::Bench;

const GAMES: u32 = 5_000;
/// Bytes of the comment of each game: 16 MB of games, so that there are several commits to hit.
const COMMENT: usize = 3 << 10;

fn rounds(short: u64, full: u64) -> u64 {
    let given = std::env::var("GAMEKEEPER_CRASH_ROUNDS").ok();
    given.map_or(if is_full() { full } else { short }, |rounds| rounds.parse().unwrap())
}

/// Imports 5,000 games from several files; each round goes on from where the last was killed.
#[test]
fn games_survive_kill_9_again_and_again() {
    let bench = Bench::new();
    for part in 0..5 {
        let games = part * GAMES / 5..(part + 1) * GAMES / 5;
        let games: String = games.map(|number| numbered(number, COMMENT)).collect();
        bench.write(&format!("games/{part}.pgn"), games);
    }
    let mut dice = Dice::new();
    let began = Instant::now();
    Bench::new().import(bench.path("games"));
    let usual = began.elapsed().as_micros() as u64;
    let (mut reported, mut killed, mut between) = (0, 0, 0);
    let rounds = rounds(12, 60);
    for round in 0..rounds {
        let args = ["-v", "import", "games"];
        let child = bench.command(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
        let wait = Duration::from_micros(dice.below(usual * 5 / 4));
        let (stderr, ended) = kill_after(child.unwrap(), wait);
        killed += u64::from(!ended);
        reported = reported.max(safe_texts(&stderr));
        let stored = bench.json(&["status"])["games"].as_u64().unwrap();
        assert!(stored >= reported, "round {round}: {stored} stored, {reported} reported");
        between += u64::from(!ended && stored > 0 && stored < u64::from(GAMES));
        reported = stored;
        if stored == u64::from(GAMES) {
            // All are there: what comes next would only be read and counted. From the beginning.
            std::fs::remove_dir_all(bench.path("state")).unwrap();
            reported = 0;
        }
    }
    assert!(killed > 0, "no round was cut off: nothing was tested");
    let [read, new, duplicates, ..] = bench.import("games");
    let all = u64::from(GAMES);
    assert_eq!([read, new + duplicates, duplicates], [all, all, reported]);
    let exported = bench.export();
    let whites = exported.lines().filter(|line| line.starts_with("[White "));
    let mut whites: Vec<&str> = whites.collect();
    let count = whites.len();
    whites.sort_unstable();
    whites.dedup();
    assert_eq!((count, whites.len()), (GAMES as usize, GAMES as usize), "games, different ones");
    tell(&format!(
        "kill -9 while importing, again and again: {rounds} rounds, {killed} killed, {between} of \
         them between commits, 0 lost, 0 doubled"
    ));
}

/// Everything that writes is killed once each round.
#[test]
fn whatever_is_done_survives_kill_9() {
    let scene = Scene::new();
    let mut dice = Dice::new();
    let rounds = rounds(1, 50);
    let mut killed = 0;
    for action in &ACTIONS {
        action.prepare(&scene);
        let began = Instant::now();
        scene.bench.run(action.args);
        let usual = began.elapsed().as_micros() as u64;
        for round in 0..rounds {
            action.prepare(&scene);
            let mut command = scene.bench.command(action.args);
            let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
            let wait = Duration::from_micros(dice.below(usual));
            let (stderr, ended) = kill_after(child, wait);
            killed += u64::from(!ended);
            let told = Told { safe: safe_texts(&stderr), done: ended };
            action.judge(&scene, told, &format!("killed after {wait:?} in round {round}"));
        }
    }
    assert!(killed > 0, "no round was cut off: nothing was tested");
    let rounds = rounds * ACTIONS.len() as u64;
    tell(&format!("kill -9 at any moment: {rounds} rounds, {killed} killed, 0 lost, 0 doubled"));
}

/// What a process told on stderr, and whether it had ended when it was killed.
fn kill_after(mut child: Child, wait: Duration) -> (String, bool) {
    let stderr = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(stderr).lines().map_while(Result::ok);
        lines.map(|line| line + "\n").collect()
    });
    std::thread::sleep(wait);
    child.kill().unwrap();
    let ended = child.wait().unwrap().code().is_some();
    (reader.join().unwrap(), ended)
}
