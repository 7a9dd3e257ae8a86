//! The journal is the truth, the index follows from it (ARCHITECTURE.md, “Store”).

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use gamekeeper::store::{Record, Store};

use crate::bench::{Bench, game};

const RUY: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";

/// An archive with new games, a duplicate that adds, a game that went on and a rejected one.
fn filled() -> Bench {
    let bench = Bench::new();
    let one = game("Rossi, Mario", "Bianchi, Luca", "2013.05.01", RUY, "1-0");
    bench.write(
        "a.pgn",
        one.clone() + &game("A, a", "B, b", "2013.05.02", "1. e4 e5 2. Nf6", "1-0"),
    );
    bench.write(
        "b.pgn",
        one.replace("1. e4", "1. e4 {good}").replace("\"Rossi, Mario\"", "\"MARIO ROSSI\""),
    );
    bench.write("live.pgn", game("C, c", "D, d", "2024.01.01", "1. e4", "*"));
    for file in ["a.pgn", "b.pgn", "live.pgn"] {
        bench.import(file);
    }
    bench.write("live.pgn", game("C, c", "D, d", "2024.01.01", RUY, "1/2-1/2"));
    bench.import("live.pgn");
    bench
}

/// All that the archive tells.
fn told(bench: &Bench) -> Vec<String> {
    let commands: [&[&str]; 7] = [
        &["status", "--json"],
        &["players", "list"],
        &["history", "--json"],
        &["rejected", "list"],
        &["game", "show", "1"],
        &["game", "show", "2"],
        &["players", "show", "1"],
    ];
    let mut told: Vec<String> = commands.iter().map(|args| bench.ok(args)).collect();
    told.push(bench.export());
    told
}

#[test]
fn an_index_that_is_gone_is_made_anew() {
    let bench = filled();
    let before = told(&bench);
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    assert_eq!(told(&bench), before);
}

/// design §3: a damaged index is noticed and made anew; it never opens with fewer games.
#[test]
fn a_damaged_index_is_made_anew() {
    let bench = filled();
    let before = told(&bench);
    let db = bench.path("state/index/db");
    let length = fs::metadata(&db).unwrap().len();
    for at in [10, length / 8, length / 4, length / 2] {
        fs::remove_dir_all(bench.path("state/index")).unwrap();
        bench.ok(&["status"]);
        let file = OpenOptions::new().write(true).open(&db).unwrap();
        file.write_at(b"damage damage damage", at).unwrap();
        assert_eq!(told(&bench), before, "damaged at {at}");
    }
    for keep in [0, 100, length / 2] {
        OpenOptions::new().write(true).open(&db).unwrap().set_len(keep).unwrap();
        assert_eq!(told(&bench), before, "cut to {keep}");
    }
    // A snapshot that was cut off keeps sled from opening.
    bench.write("state/index/snap.00000000FFFFFFFF.generating", "");
    assert_eq!(told(&bench), before);
}

#[test]
fn a_journal_with_a_torn_tail_goes_on() {
    let bench = filled();
    let before = bench.export();
    let segment = newest(&bench.path("state/journal"));
    let length = fs::metadata(&segment).unwrap().len();
    let file = OpenOptions::new().write(true).open(&segment).unwrap();
    file.write_at(&[0x8b, b'G', b'K', b'F', 1, 2, 3], length).unwrap();
    assert_eq!(bench.export(), before);
    bench.write("c.pgn", game("E, e", "F, f", "2024.01.02", RUY, "0-1"));
    assert_eq!(bench.import("c.pgn"), [1, 1, 0, 0, 0]);
    assert!(bench.export().starts_with(&before));
}

fn newest(folder: &Path) -> std::path::PathBuf {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.pop().unwrap()
}

/// Edits and deletions stand in the journal: importing the same game again undoes none of them, and
/// a rebuilt index has them (names.md §4, design §3).
#[test]
fn edits_and_deletions_survive_import_and_rebuild() {
    let bench = filled();
    {
        let mut store = Store::open(&bench.path("state")).unwrap();
        store.begin_run("test", 0).unwrap();
        let set =
            vec![("Event".to_owned(), Some("Renamed".to_owned())), ("Round".to_owned(), None)];
        store.stage(Record::Edited { game: 1, set }).unwrap();
        store.stage(Record::Deleted { game: 2 }).unwrap();
        store.stage(Record::Cursor { followed: "lichess:x".into(), cursor: b"42".into() }).unwrap();
        store.end_run(0).unwrap();
    }
    for _ in 0..2 {
        assert_eq!(bench.json(&["status"])["games"], 1);
        let pgn = bench.export();
        assert!(pgn.contains("[Event \"Renamed\"]") && pgn.contains("[Round \"?\"]"), "{pgn}");
        assert_eq!(pgn.matches("[Event ").count(), 1);
        assert_eq!(bench.import("a.pgn"), [2, 0, 1, 0, 1]);
        assert_eq!(bench.import("live.pgn"), [1, 0, 1, 0, 0]);
        assert_eq!(
            bench.json(&["status"])["games"],
            1,
            "a deleted game does not come back by itself"
        );
        fs::remove_dir_all(bench.path("state/index")).unwrap();
    }
    let mut store = Store::open(&bench.path("state")).unwrap();
    assert_eq!(store.cursor("lichess:x").unwrap().unwrap(), b"42");
    store.begin_run("test", 0).unwrap();
    store.stage(Record::Restored { game: 2 }).unwrap();
    store.end_run(0).unwrap();
    assert_eq!(store.totals().games, 2);
}

/// What is staged and not committed is forgotten, and seen until then.
#[test]
fn only_what_is_committed_stands() {
    let bench = filled();
    let before = told(&bench);
    {
        let mut store = Store::open(&bench.path("state")).unwrap();
        store.begin_run("test", 0).unwrap();
        store.stage(Record::Deleted { game: 1 }).unwrap();
        assert_eq!(store.totals().games, 1);
    }
    assert_eq!(told(&bench), before);
}

#[test]
fn a_second_process_is_told_who_has_the_archive() {
    let bench = filled();
    let store = Store::open(&bench.path("state")).unwrap();
    let output = bench.run(&["status"]);
    assert_eq!(output.status.code(), Some(11));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains(&format!("pid {}", std::process::id())) && told.contains("hint: "),
        "{told}"
    );
    drop(store);
    bench.ok(&["status"]);
}

/// A journal that is damaged in the middle is never taken for a smaller archive.
#[test]
fn a_damaged_journal_ends_with_12() {
    let bench = filled();
    let segment = newest(&bench.path("state/journal"));
    let length = fs::metadata(&segment).unwrap().len();
    let file = OpenOptions::new().write(true).open(&segment).unwrap();
    file.write_at(b"damage damage damage", length / 2).unwrap();
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    bench.expect(12, &["status"]);
}

/// reliability.md 16: sled waits for ever on a full disk, so the archive is not opened there.
#[test]
fn a_full_disk_ends_with_13() {
    let bench = Bench::new();
    fs::create_dir(bench.path("state")).unwrap();
    let state = bench.path("state");
    let mount = |args: &[&str]| {
        let done = std::process::Command::new("mount").args(args).arg(&state).output();
        done.is_ok_and(|output| output.status.success())
    };
    if !mount(&["-t", "tmpfs", "-o", "size=8m", "none"]) {
        eprintln!("skipped: only root can mount a small disk");
        return;
    }
    let codes = ["status", "import"].map(|command| {
        let path = if command == "import" { &["."][..] } else { &[] };
        bench.run(&[&[command], path].concat()).status.code()
    });
    let grown = mount(&["-o", "remount,size=640m", "none"]);
    let then = bench.run(&["status"]).status.code();
    std::process::Command::new("umount").arg(&state).status().unwrap();
    assert_eq!(codes, [Some(13), Some(13)]);
    assert!(grown && then == Some(0), "with room it goes on");
}
