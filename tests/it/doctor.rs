//! `doctor`, what it finds, and what goes on when a text is lost.

use std::fs;

use gamekeeper::store::journal::{Position, Reader};
use gamekeeper::store::{Record, Store};

use crate::bench::{Bench, copy_folder, game, numbered};

#[test]
fn a_sound_archive_is_counted_and_made_anew_the_same() {
    let bench = Bench::new();
    bench.add(0..40);
    bench.add(20..60);
    bench.write("bad.pgn", game("A, a", "B, b", "2013.05.02", "1. e4 e5 2. Nf6", "1-0"));
    bench.import("bad.pgn");
    let report = bench.json(&["doctor"]);
    assert_eq!(report["sound"], true, "{report}");
    for (what, count) in [
        ("games", 60),
        ("copies", 20),
        ("rejected", 1),
        ("players", 120),
        ("sources", 3),
        ("runs", 3),
        ("texts", 61),
        ("lost_games", 0),
    ] {
        assert_eq!(report[what], count, "{what} in {report}");
    }
    let told = |bench: &Bench| {
        let asked = [&["status", "--json"][..], &["players", "list"], &["history", "--json"]];
        let mut told: Vec<String> = asked.iter().map(|args| bench.ok(args)).collect();
        told.push(bench.export());
        told
    };
    let before = told(&bench);
    let rebuilt = bench.json(&["doctor", "--rebuild"]);
    assert_eq!([&rebuilt["games"], &rebuilt["lost_games"]], [60, 0], "{rebuilt}");
    assert_eq!(told(&bench), before);
    assert!(bench.ok(&["doctor"]).contains("sound: everything is there and agrees"));
    assert!(!bench.path("state/index.new").exists());
}

/// A row that says something else than the text of its game is found, and mended by the next command.
#[test]
fn rows_that_do_not_agree_with_their_texts_are_found() {
    let bench = Bench::new();
    bench.add(0..70);
    let expected = bench.export();
    {
        let db = sled::open(bench.path("state/index")).unwrap();
        let tree = db.open_tree("index").unwrap();
        // The rows of games 33 to 64 stand for games 1 to 32 too.
        let rows = tree.get([0x10, 0, 0, 0, 1]).unwrap().unwrap();
        tree.insert([0x10, 0, 0, 0, 0], rows).unwrap();
        db.flush().unwrap();
    }
    let (code, out, _) = bench.end(&["doctor"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("index: game 1: it is not found by its fingerprint"), "{out}");
    assert!(out.contains("the index is wrong in 32 places"), "{out}");
    let (code, _, told) = bench.end(&["doctor"]);
    assert!(code == 0 && told.contains("made anew"), "{told}");
    assert_eq!(bench.export(), expected);
}

/// Damages the last text block of the first batch that has texts.
fn damage_texts(bench: &Bench) {
    let reader = Reader::open(&bench.path("state/journal")).unwrap();
    let mut frames = reader.frames(Position::START).unwrap().map(Result::unwrap);
    let frame = frames.find(|frame| frame.text_count() > 0).unwrap();
    let path = "state/journal/00000001.gkj";
    let mut bytes = fs::read(bench.path(path)).unwrap();
    bytes[frame.after.offset as usize - 5] ^= 0x10;
    bench.write(path, bytes);
}

/// One lost text costs one game at most: a copy's text stands in, else the game is left out and named.
#[test]
fn a_lost_text_does_not_stop_an_export() {
    let bench = Bench::new();
    bench.add(1..4);
    bench.write("copy.pgn", numbered(2).replace("\"Here\"", "\"There\""));
    bench.import("copy.pgn");
    bench.write("bad.pgn", game("A, a", "B, b", "2013.05.02", "1. e4 e5 2. Nf6", "1-0"));
    bench.import("bad.pgn");
    bench.add(10..12);
    let before = bench.export();
    damage_texts(&bench);
    let (code, out, told) = bench.end(&["export", "--output", "all.pgn", "--json"]);
    assert_eq!(code, 3, "{told}");
    assert!(out.contains("\"games\":3"), "{out}");
    assert!(
        told.contains("game 1 (Player1, White – Player1, Black, 2020.01.01) is left out"),
        "{told}"
    );
    assert!(told.contains("game 3 (") && told.contains("2 games are left out"), "{told}");
    assert!(told.contains("00000001.gkj") && told.contains("bytes "), "{told}");
    assert!(told.contains("game 2 (") && told.contains("copy.pgn, line 1, is taken"), "{told}");
    let pgn = fs::read_to_string(bench.path("all.pgn")).unwrap();
    for (number, there) in [(1, false), (2, true), (3, false), (10, true), (11, true)] {
        assert_eq!(pgn.contains(&format!("Player{number}, White")), there, "{number} in {pgn}");
    }
    // What is known without the text is shown.
    let (code, out, told) = bench.end(&["game", "show", "1"]);
    assert!(
        code == 3 && out.contains("Player1, White") && told.contains("its text is lost"),
        "{out}"
    );
    bench.expect(12, &["game", "show", "1", "--pgn"]);
    bench.ok(&["game", "show", "2", "--pgn"]);
    bench.ok(&["rejected", "list"]);
    bench.expect(3, &["players", "show", "1"]);
    // The file once more mends it.
    assert_eq!(bench.import("1.pgn"), [3, 0, 3, 0, 0]);
    let (code, _, told) = bench.end(&["export", "--output", "all.pgn"]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(fs::read_to_string(bench.path("all.pgn")).unwrap().matches("[Event ").count(), 5);
    assert_eq!(before.matches("[Event ").count(), 5);
    let (code, out, _) = bench.end(&["doctor"]);
    assert!(code == 12 && out.contains("game 1: its text is lost"), "{out}");
}

/// What the user did to a game counts for the copy that stands in for it.
#[test]
fn a_deleted_game_does_not_come_back_by_a_copy() {
    let bench = Bench::new();
    bench.add(1..3);
    {
        let mut store = Store::open(&bench.path("state")).unwrap();
        store.begin_run("test", 0).unwrap();
        store.stage(Record::Deleted { game: 1 }).unwrap();
        let set = vec![("Event".to_owned(), Some("Renamed".to_owned()))];
        store.stage(Record::Edited { game: 2, set }).unwrap();
        store.end_run(0).unwrap();
    }
    bench.write("copy.pgn", (1..3).map(numbered).collect::<String>().replace("Here", "There"));
    assert_eq!(bench.import("copy.pgn"), [2, 0, 2, 0, 0]);
    copy_folder(&bench.path("state"), &bench.path("sound"));
    damage_texts(&bench);
    let rebuilt = bench.json(&["doctor", "--rebuild"]);
    assert_eq!([&rebuilt["revived"], &rebuilt["lost_games"], &rebuilt["games"]], [2, 0, 1]);
    let pgn = bench.export();
    assert!(pgn.contains("Renamed") && !pgn.contains("Player1"), "{pgn}");
    let shown = bench.json(&["game", "show", "1"]);
    assert_eq!(shown["deleted"], true, "{shown}");
    let runs = bench.json(&["history"]);
    assert_eq!(runs["runs"][2]["duplicates"], 2, "history tells what happened: {runs}");
    bench.ok(&["doctor"]);
}

/// A game that went on, whose later text is lost, is taken from a copy of the later text.
#[test]
fn a_game_is_not_left_shortened_where_a_copy_has_it_whole() {
    let bench = Bench::new();
    let board = |moves: &str, result: &str| game("A, a", "B, b", "2024.01.01", moves, result);
    let online = |text: String| text.replace("\"Here\"", "\"https://lichess.org/abcdefgh\"");
    bench.write("live.pgn", online(board("1. e4", "*")));
    bench.import("live.pgn");
    bench.write("live.pgn", online(board("1. e4 e5 2. Nf3 Nc6", "1-0")));
    assert_eq!(bench.import("live.pgn"), [1, 0, 0, 1, 0]);
    bench.write("copy.pgn", online(board("1. e4 e5 2. Nf3 {!} Nc6", "1-0")));
    assert_eq!(bench.import("copy.pgn"), [1, 0, 1, 0, 0]);
    let reader = Reader::open(&bench.path("state/journal")).unwrap();
    let frames = reader.frames(Position::START).unwrap().map(Result::unwrap);
    let later = frames.filter(|frame| frame.text_count() > 0).nth(1).unwrap();
    let mut bytes = fs::read(bench.path("state/journal/00000001.gkj")).unwrap();
    bytes[later.after.offset as usize - 5] ^= 0x10;
    bench.write("state/journal/00000001.gkj", bytes);
    let rebuilt = bench.json(&["doctor", "--rebuild"]);
    assert_eq!(rebuilt["lost_games"], 0, "{rebuilt}");
    assert_eq!(rebuilt["shortened"], serde_json::json!([]), "{rebuilt}");
    let pgn = bench.export();
    assert!(pgn.contains("2... Nc6 1-0") && pgn.contains("[Result \"1-0\"]"), "{pgn}");
    bench.ok(&["doctor"]);
}
