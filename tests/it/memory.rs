//! Memory stays bounded, whatever comes in (reliability.md 19, 20): 300 MiB at the most.
//!
//! The real program's peak is read while it runs. Big inputs come through a pipe and are never on
//! the disk. `GAMEKEEPER_FULL=1` makes them as big as the specification names them.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::process::{ChildStdin, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Bench, counts, game};
use crate::crash::{is_full, tell};

/// The most that any command may take, in KiB.
const BOUND: u64 = 300 << 10;

/// How a command ended, and its peak of resident memory.
struct Ran {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
    kib: u64,
    took: Duration,
}

/// Runs a command on what `feed` writes to its stdin; it must keep to the bound.
fn run(bench: &Bench, args: &[&str], feed: impl FnOnce(&mut dyn Write) + Send) -> Ran {
    let mut command = bench.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().unwrap();
    let (stdin, mut stdout, mut stderr) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let status = format!("/proc/{}/status", child.id());
    let mut kib = 0;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = thread::scope(|scope| {
        scope.spawn(|| write_all(stdin, feed));
        scope.spawn(|| stdout.read_to_end(&mut out).unwrap());
        scope.spawn(|| stderr.read_to_end(&mut err).unwrap());
        loop {
            // The peak so far: it never falls, so nothing between two looks is missed.
            kib = kib.max(peak(&status).unwrap_or(0));
            if let Some(status) = child.try_wait().unwrap() {
                break status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
    });
    let stderr = String::from_utf8_lossy(&err).into_owned();
    assert!(kib > 0, "{args:?} ended before it could be looked at");
    assert!(kib <= BOUND, "{args:?}: {} MiB\n{stderr}", kib >> 10);
    Ran { code, stdout: out, stderr, kib, took: began.elapsed() }
}

fn write_all(stdin: ChildStdin, feed: impl FnOnce(&mut dyn Write)) {
    // A program that ends early closes the pipe; its exit code tells why.
    feed(&mut BufWriter::with_capacity(256 << 10, stdin));
}

fn peak(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn nothing(_: &mut dyn Write) {}

/// Imports what `feed` writes; `read`, `new`, `duplicates`, `updated`, `rejected`.
fn import(bench: &Bench, what: &str, feed: impl FnOnce(&mut dyn Write) + Send) -> ([u64; 5], Ran) {
    let ran = run(bench, &["import", "--json", "-"], feed);
    let report: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{what}: {:?} {}", ran.code, ran.stderr));
    tell(&format!("memory: {what}: {} MiB, {:.1} s", ran.kib >> 10, ran.took.as_secs_f64()));
    (counts(&report), ran)
}

/// `short`, or `full` where everything is to be as big as it can be.
fn size(short: u64, full: u64) -> u64 {
    if is_full() { full } else { short }
}

fn repeat(to: &mut dyn Write, text: &str, bytes: u64) {
    let many = text.repeat((64 << 10) / text.len() + 1);
    let mut left = bytes;
    while left > 0 {
        let piece = (many.len() as u64).min(left);
        if to.write_all(&many.as_bytes()[..piece as usize]).is_err() {
            return;
        }
        left -= piece;
    }
}

fn put(to: &mut dyn Write, text: &str) {
    // The same: whoever reads has gone, and its exit code tells why.
    let _ = to.write_all(text.as_bytes());
}

fn small(number: u64) -> String {
    game(&format!("Small{number}, a"), "B, b", "2020.01.01", "1. e4 e5", "1-0")
}

fn header(name: &str) -> String {
    small(0).replace("Small0, a", name).split("1. e4").next().unwrap().to_owned()
}

/// One that is too big is rejected, with its beginning and a message that says where; what stands
/// before and after it comes in.
fn oversized(what: &str, begin: &str, filling: &str, bytes: u64, end: &str) {
    let bench = Bench::new();
    let head = small(1) + begin;
    let (counts, ran) = import(&bench, what, |to| {
        put(to, &head);
        repeat(to, filling, bytes);
        put(to, &format!("{end}\n\n{}", small(2)));
    });
    assert_eq!((counts, ran.code), ([3, 2, 0, 0, 1], Some(3)), "{what}: {}", ran.stderr);
    let line = small(1).lines().count() + 1;
    let message = ran.stderr.lines().find(|line| line.contains("rejected: ")).unwrap();
    assert!(message.contains(&format!("-:{line}: rejected: ")), "{what}: {message}");
    assert!(message.contains("16 MiB"), "{what}: {message}");
    let shown = bench.ok(&["rejected", "show", "1"]);
    let kept = &(begin.to_owned() + &filling.repeat((64 << 10) / filling.len() + 1))[..64 << 10];
    assert!(shown.contains(kept), "{what}: its first 64 KiB are kept");
    assert!(bench.export().contains("Small2"), "{what}");
}

#[test]
fn a_game_of_two_gib() {
    let moves = "2. Nf3 Nc6 3. Ng1 Nb8\n";
    let begin = header("Long, a") + "1. e4 e5 ";
    oversized("moves without an end", &begin, moves, size(40 << 20, 2 << 30), "1-0");
    let line = moves.replace('\n', " ");
    oversized("moves on one line", &begin, &line, size(40 << 20, 1 << 30), "1-0");
}

#[test]
fn a_comment_of_100_mb() {
    let begin = header("Comment, a") + "1. e4 {";
    let end = "} e5 1-0";
    oversized("a comment", &begin, "so many words, ", size(400 << 20, 2 << 30), end);
}

/// Text that is no game, all on one line.
#[test]
fn a_line_of_one_gb() {
    let bench = Bench::new();
    let (counts, ran) = import(&bench, "a line without an end", |to| {
        put(to, &small(1));
        repeat(to, "x", size(200 << 20, 1 << 30));
        put(to, &format!("\n\n{}", small(2)));
    });
    assert_eq!((counts[1], ran.code), (2, Some(3)), "{}", ran.stderr);
    assert!(ran.stderr.contains("-:"), "{}", ran.stderr);
}

#[test]
fn a_million_tags() {
    let bench = Bench::new();
    let (counts, ran) = import(&bench, "a million tags", |to| {
        put(to, &small(1));
        for number in 0..1_000_000 {
            put(to, &format!("[T{number} \"\"]\n"));
        }
        put(to, &format!("\n1. e4 e5 1-0\n\n{}", small(2)));
    });
    assert_eq!((counts, ran.code), ([3, 2, 0, 0, 1], Some(3)), "{}", ran.stderr);
    let rejected = bench.json(&["rejected", "list"]);
    assert_eq!(rejected["rejected"][0]["kind"], "too-many-tags");
}

#[test]
fn deep_variations() {
    let bench = Bench::new();
    let deep = |depth: usize, name: &str| {
        let (open, close) = ("(1... c5 (1... d5 ".repeat(depth / 2), ")".repeat(depth));
        header(name) + "1. e4 e5 " + &open + &close + " 1-0\n\n"
    };
    let (counts, ran) = import(&bench, "variations 200 and 100,000 deep", |to| {
        put(to, &deep(200, "Deep, a"));
        put(to, &deep(100_000, "Deeper, a"));
        put(to, &small(2));
    });
    assert_eq!((counts, ran.code), ([3, 2, 0, 0, 1], Some(3)), "{}", ran.stderr);
    let rejected = bench.json(&["rejected", "list"]);
    assert_eq!(rejected["rejected"][0]["kind"], "nested-too-deep");
    assert_eq!(bench.export().matches("(1...").count(), 200);
}

/// Packed files that unpack to a thousand times their length.
#[test]
fn bombs() {
    let bench = Bench::new();
    let bomb = |to: &mut dyn Write, bytes| {
        put(to, &(small(1) + &header("Bomb, a") + "1. e4 {"));
        repeat(to, "a", bytes);
    };
    let file = |name: &str| BufWriter::new(File::create(bench.path(name)).unwrap());
    let mut zst = zstd::Encoder::new(file("bomb.pgn.zst"), 1).unwrap();
    bomb(&mut zst, size(1 << 30, 10 << 30));
    zst.finish().unwrap().flush().unwrap();
    let mut gz = flate2::write::GzEncoder::new(file("bomb.pgn.gz"), flate2::Compression::fast());
    bomb(&mut gz, size(320 << 20, 2 << 30));
    gz.finish().unwrap().flush().unwrap();
    let mut bz2 = bzip2::write::BzEncoder::new(file("bomb.pgn.bz2"), bzip2::Compression::fast());
    bomb(&mut bz2, size(320 << 20, 2 << 30));
    bz2.finish().unwrap().flush().unwrap();
    let mut zip = zip::ZipWriter::new(File::create(bench.path("bomb.zip")).unwrap());
    zip.start_file("bomb.pgn", zip::write::SimpleFileOptions::default()).unwrap();
    bomb(&mut zip, size(320 << 20, 2 << 30));
    zip.finish().unwrap();
    for name in ["bomb.pgn.zst", "bomb.pgn.gz", "bomb.pgn.bz2", "bomb.zip"] {
        let archive = Bench::new();
        let path = bench.path(name);
        let ran = run(&archive, &["import", path.to_str().unwrap()], nothing);
        assert_eq!(ran.code, Some(3), "{name}: {}", ran.stderr);
        let told = ran.stderr.lines().find(|line| line.contains("decompression bomb"));
        assert!(told.is_some_and(|line| line.contains(name)), "{name}: {}", ran.stderr);
        assert_eq!(archive.json(&["status"])["games"], 1, "{name}: what came before was read");
        tell(&format!("memory: {name}: {} MiB, {:.1} s", ran.kib >> 10, ran.took.as_secs_f64()));
    }
}

#[test]
fn a_zip_of_100_000_members() {
    let members = size(5_000, 100_000);
    let bench = Bench::new();
    let mut zip =
        zip::ZipWriter::new(BufWriter::new(File::create(bench.path("many.zip")).unwrap()));
    for number in 0..members {
        zip.start_file(format!("{number}.pgn"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(small(number).as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let ran = run(&bench, &["import", "--json", "many.zip"], nothing);
    let counts = counts(&serde_json::from_slice(&ran.stdout).unwrap());
    assert_eq!((counts, ran.code), ([members, members, 0, 0, 0], Some(0)), "{}", ran.stderr);
    let (mib, took) = (ran.kib >> 10, ran.took.as_secs_f64());
    tell(&format!("memory: a zip of {members} members: {mib} MiB, {took:.1} s"));
}

/// A dry run decides on every game as an import does, and keeps none of it in memory.
#[test]
fn a_dry_run_over_many_new_games() {
    let bench = Bench::new();
    let games = size(40_000, 400_000);
    let comment = "word ".repeat(1_600);
    let ran = run(&bench, &["import", "--json", "--dry-run", "-"], |to| {
        for number in 0..games {
            put(to, &small(number).replace("1. e4", &format!("1. e4 {{{comment}{number}}}")));
        }
        // Once more, and longer: what a dry run has met it knows.
        put(to, &small(7));
    });
    let counts = counts(&serde_json::from_slice(&ran.stdout).unwrap());
    assert_eq!(counts, [games + 1, games, 1, 0, 0], "{}", ran.stderr);
    assert_eq!(bench.json(&["status"])["games"], 0);
    let (mib, took) = (ran.kib >> 10, ran.took.as_secs_f64());
    tell(&format!("memory: a dry run over {games} games of 8 KB: {mib} MiB, {took:.1} s"));
}

/// As long as a game can get: 14 MB, and three copies that each would add as much. What is
/// exported must be read again, so that it never grows over 16 MiB.
#[test]
fn a_game_that_copies_would_make_60_mb() {
    let bench = Bench::new();
    let long = "so many words ".repeat(1 << 20);
    for ply in 0..4 {
        let words = ["e4", "e5", "Nf3", "Nc6"].iter().enumerate().map(|(at, san)| {
            if at == ply { format!("{san} {{{long}}}") } else { (*san).to_owned() }
        });
        let moves = words.collect::<Vec<_>>().join(" ");
        let (counts, _) = import(&bench, "a long game and its copies", |to| {
            put(to, &game("Huge, a", "B, b", "2020.01.01", &moves, "1-0"));
        });
        assert_eq!((counts[0], counts[4]), (1, 0), "copy {ply}");
    }
    let ran = run(&bench, &["export", "--output", "huge.pgn"], nothing);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    tell(&format!("memory: export of a game of 14 MB: {} MiB", ran.kib >> 10));
    let again = Bench::new();
    again.write("huge.pgn", std::fs::read(bench.path("huge.pgn")).unwrap());
    assert_eq!(again.import("huge.pgn"), [1, 1, 0, 0, 0]);
    let ran = run(&bench, &["game", "show", "1"], nothing);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Copies of one game, each with something of its own: each costs more than the one before.
#[test]
fn many_copies_that_differ() {
    let counts = if is_full() { vec![500, 1_000, 2_000] } else { vec![500] };
    for copies in counts {
        let bench = Bench::new();
        let (counts, _) = import(&bench, &format!("{copies} copies that differ"), |to| {
            for number in 0..copies {
                let tag = format!("[Tag{number} \"x\"]\n[Round");
                put(to, &small(1).replace("[Round", &tag));
            }
        });
        assert_eq!(counts, [copies, 1, copies - 1, 0, 0]);
        let again = Bench::new();
        again.write("all.pgn", bench.export());
        assert_eq!(again.import("all.pgn"), [1, 1, 0, 0, 0]);
    }
}

/// reliability.md 20, design.md §3: what a million games cost.
#[test]
fn a_million_games() {
    let games: u64 = if is_full() { 1_000_000 } else { 20_000 };
    let bench = Bench::new();
    let numbered = |number: u64| {
        let (white, black) = (number % 5_000, number / 5_000);
        game(
            &format!("Player{white}, White"),
            &format!("Player{black}, Black"),
            &format!("20{:02}.{:02}.{:02}", number % 20, 1 + number % 12, 1 + number % 28),
            ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. d4 d5 2. c4 e6", "1. c4 c5"][number as usize % 3],
            "1-0",
        )
    };
    let (counts, first) = import(&bench, &format!("{games} games"), |to| {
        (0..games).for_each(|number| put(to, &numbered(number)));
    });
    assert_eq!(counts, [games, games, 0, 0, 0]);
    let (counts, more) = import(&bench, "1,000 games more", |to| {
        (games..games + 1_000).for_each(|number| put(to, &numbered(number)));
    });
    assert_eq!(counts, [1_000, 1_000, 0, 0, 0]);
    let status = run(&bench, &["status", "--json"], nothing);
    let exported = run(&bench, &["export", "--output", "all.pgn"], nothing);
    assert_eq!((status.code, exported.code), (Some(0), Some(0)));
    // The optimised program is the one with a promise on its start.
    let limit = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
    assert!(status.took < limit, "{:?} to start", status.took);
    tell(&format!(
        "memory: {games} games: import {} MiB, 1,000 more {} MiB in {:.2} s, export {} MiB, status \
         {} MiB in {:.2} s, {} bytes a game",
        first.kib >> 10,
        more.kib >> 10,
        more.took.as_secs_f64(),
        exported.kib >> 10,
        status.kib >> 10,
        status.took.as_secs_f64(),
        (status.kib << 10) / games
    ));
}
