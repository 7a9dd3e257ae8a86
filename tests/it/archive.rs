//! The archive end to end: the real binary on real files (names.md §3–§5).

use crate::bench::{Bench, game, shared};

const RUY: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";

/// names.md §5: "Rossi, Mario" and "Mario Rossi" are one, "rossi-mario" is another player.
#[test]
fn duplicates_are_found_under_other_spellings_and_never_across_nicknames() {
    let bench = Bench::new();
    bench.write("a.pgn", game("Rossi, Mario", "Bianchi, Luca", "2013.05.01", RUY, "1-0"));
    bench.write("b.pgn", game("LUCA BIANCHI", "x y", "2013.05.01", RUY, "1-0"));
    bench.write(
        "c.pgn",
        game("Mario ROSSI", "Luca Bianchi", "2013-5-1", "1.e2e4 e7-e5 2.Ng1f3 Nc6 3.Bb5 a6", "1-0"),
    );
    bench.write("d.pgn", game("rossi-mario", "Luca Bianchi", "2013.05.01", RUY, "1-0"));
    assert_eq!(bench.import("a.pgn"), [1, 1, 0, 0, 0]);
    assert_eq!(bench.import("b.pgn"), [1, 1, 0, 0, 0]);
    assert_eq!(bench.import("c.pgn"), [1, 0, 1, 0, 0]);
    assert_eq!(bench.import("d.pgn"), [1, 1, 0, 0, 0]);
    let status = bench.json(&["status"]);
    assert_eq!(status["games"], 3);
    assert_eq!(status["duplicates"], 1);
    assert_eq!(bench.import("."), [4, 0, 4, 0, 0]);
    assert_eq!(bench.json(&["status"]), status);
}

/// names.md §5, the first copy stays and is completed; nothing that stands is overwritten.
#[test]
fn a_later_copy_completes_the_stayer() {
    let first =
        game("Rossi, Mario", "Bianchi, Luca", "2013.05.01", "1. e4 {mine} e5 2. Nf3 Nc6", "1-0");
    let later = first
        .replace(
            "[White \"Rossi, Mario\"]",
            "[White \"Mario Rossi\"]\n[WhiteElo \"2100\"]\n[ECO \"C60\"]",
        )
        .replace("\"Here\"", "\"There\"")
        .replace("1. e4 {mine} e5", "1. e4 {yours [%clk 0:01:00]} e5 $1 {good} (1... c5 2. Nf3)");
    for (keep, completed) in [(false, true), (true, false)] {
        let bench = Bench::new();
        if keep {
            bench.write("config.toml", "on_duplicate = \"keep\"\n");
        }
        bench.write("a.pgn", &first);
        bench.write("b.pgn", &later);
        assert_eq!(bench.import("a.pgn"), [1, 1, 0, 0, 0]);
        assert_eq!(bench.import("b.pgn"), [1, 0, 1, 0, 0]);
        let pgn = bench.export();
        assert!(pgn.contains("[White \"Rossi, Mario\"]"), "{pgn}");
        assert!(pgn.contains("[Site \"Here\"]"), "{pgn}");
        assert!(pgn.contains("{mine}") && !pgn.contains("yours"), "{pgn}");
        for added in [
            "[WhiteElo \"2100\"]",
            "[ECO \"C60\"]",
            "{[%clk 0:01:00]}",
            "{good}",
            "$1",
            "(1... c5 2. Nf3)",
        ] {
            assert_eq!(pgn.contains(added), completed, "{added} in {pgn}");
        }
    }
}

/// names.md §5: an id of the site is the game, whatever date or account name its exports write;
/// two ids are two games.
#[test]
fn online_ids_decide() {
    let bench = Bench::new();
    let online = |id: &str, white: &str, date: &str, result: &str, moves: &str| {
        game(white, "b", date, moves, result)
            .replace("\"Here\"", &format!("\"https://lichess.org/{id}\""))
    };
    bench.write("a.pgn", online("abcdefgh", "old", "2020.01.01", "1-0", RUY));
    bench.write("b.pgn", online("abcdefgh", "renamed", "2020.01.02", "1-0", RUY));
    bench.write("c.pgn", online("ABCDEFGH", "old", "2020.01.01", "1-0", RUY));
    assert_eq!(bench.import("a.pgn"), [1, 1, 0, 0, 0]);
    assert_eq!(bench.import("b.pgn"), [1, 0, 1, 0, 0]);
    assert_eq!(bench.import("c.pgn"), [1, 1, 0, 0, 0], "ids are case-sensitive");
    // A running game goes on, and an earlier moment of it brings nothing.
    bench.write("d.pgn", online("hgfedcba", "old", "2020.01.03", "*", "1. e4 e5"));
    bench.write("e.pgn", online("hgfedcba", "old", "2020.01.03", "1-0", RUY));
    bench.write("f.pgn", online("hgfedcba", "old", "2020.01.03", "*", "1. e4 e5 2. Nf3"));
    assert_eq!(bench.import("d.pgn"), [1, 1, 0, 0, 0]);
    assert_eq!(bench.import("e.pgn"), [1, 0, 0, 1, 0]);
    assert_eq!(bench.import("d.pgn"), [1, 0, 1, 0, 0]);
    assert_eq!(bench.import("f.pgn"), [1, 0, 1, 0, 0]);
    assert_eq!(bench.json(&["status"])["games"], 3);
    assert!(bench.export().contains("3. Bb5 a6 1-0"));
}

/// names.md §5, a file that is rewritten while it is played (a live board).
#[test]
fn a_live_file_supersedes_its_own_games_and_only_those() {
    let bench = Bench::new();
    let board = |moves: &str, result: &str| game("A, a", "B, b", "2024.01.01", moves, result);
    bench.write("live.pgn", board("1. e4 e5", "*"));
    assert_eq!(bench.import("live.pgn"), [1, 1, 0, 0, 0]);
    bench.write("live.pgn", board("1. e4 e5 2. Nf3", "*"));
    assert_eq!(bench.import("live.pgn"), [1, 0, 0, 1, 0]);
    bench.write("live.pgn", board("1. e4 e5 2. Nf3", "1-0"));
    assert_eq!(bench.import("live.pgn"), [1, 0, 0, 1, 0]);
    assert_eq!(bench.json(&["status"])["games"], 1);
    // Elsewhere it is another game.
    bench.write("other.pgn", board("1. e4 e5 2. Nf3 Nc6", "1-0"));
    assert_eq!(bench.import("other.pgn"), [1, 1, 0, 0, 0]);
    // Side by side in one file they are two games, however alike.
    let two = board("1. d4", "*") + &board("1. d4 d5", "*");
    bench.write("study.pgn", &two);
    assert_eq!(bench.import("study.pgn"), [2, 2, 0, 0, 0]);
    assert_eq!(bench.import("study.pgn"), [2, 0, 2, 0, 0]);
    // A new chapter before them takes the place of neither.
    bench.write("study.pgn", board("1. d4 d5 2. c4", "*") + &two);
    let [read, new, duplicates, updated, _] = bench.import("study.pgn");
    assert_eq!([read, new + updated, duplicates + updated], [3, 1, 2], "three games stand");
    assert_eq!(bench.json(&["status"])["games"], 5);
}

/// names.md §4: the shown name is that of the first game, in its usual form.
#[test]
fn players_are_shown_as_their_first_game_has_them() {
    let bench = Bench::new();
    bench.write(
        "a.pgn",
        game("ROSSI,Mario", "CARLSEN", "2013.05.01", RUY, "1-0")
            + &game("Mario Rossi", "rossi-mario", "2013.05.02", RUY, "1-0")
            + &game("?", "M. Rossi", "2013.05.03", RUY, "1-0"),
    );
    bench.import("a.pgn");
    let pgn = bench.export();
    assert_eq!(pgn.matches("[White \"Rossi, Mario\"]").count(), 2, "{pgn}");
    assert!(pgn.contains("[Black \"CARLSEN\"]") && pgn.contains("[Black \"rossi-mario\"]"));
    let players = bench.json(&["players", "list"]);
    let names: Vec<_> = players["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Rossi, Mario", "CARLSEN", "rossi-mario", "?", "M. Rossi"]);
    assert_eq!(players["players"][0]["games"], 2);
    assert_eq!(players["players"][1]["kind"], "nickname");
}

/// pgn.md: what cannot be read is kept byte for byte with its reason, the rest goes on.
#[test]
fn a_broken_game_is_kept_aside_and_costs_nothing_else() {
    let bench = Bench::new();
    let broken = game("A, a", "B, b", "2024.01.01", "1. e4 e5 2. Nf6", "1-0");
    let text = game("C, c", "D, d", "2024.01.01", RUY, "1-0")
        + &broken
        + &game("E, e", "F, f", "2024.01.01", RUY, "0-1");
    bench.write("a.pgn", &text);
    let output = bench.run(&["import", "a.pgn"]);
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("a.pgn:19:") && told.contains("Nf6"), "{told}");
    let list = bench.json(&["rejected", "list"]);
    assert_eq!(list["rejected"].as_array().unwrap().len(), 1);
    assert_eq!(list["rejected"][0]["kind"], "illegal-move");
    assert_eq!(bench.ok(&["rejected", "show", "1"]).trim(), broken.trim());
    assert_eq!(bench.import("a.pgn"), [3, 0, 2, 0, 1]);
    assert_eq!(bench.json(&["status"])["rejected"], 1, "kept once");
    let retried = bench.json(&["rejected", "retry"]);
    assert_eq!([&retried["read"], &retried["rejected"]], [1, 1]);
}

#[test]
fn a_dry_run_tells_the_same_and_stores_nothing() {
    let bench = Bench::new();
    let one = game("A, a", "B, b", "2024.01.01", RUY, "1-0");
    bench.write("a.pgn", one.clone() + &one + &game("A, a", "B, b", "2024.01.02", RUY, "1-0"));
    let dry = bench.json(&["import", "--dry-run", "a.pgn"]);
    assert_eq!(crate::bench::counts(&dry), [3, 2, 1, 0, 0]);
    assert_eq!(bench.json(&["status"])["games"], 0);
    assert_eq!(bench.import("a.pgn"), [3, 2, 1, 0, 0]);
    assert_eq!(bench.json(&["status"])["duplicates"], 1, "the twin in the file is told of");
}

#[test]
fn why_compares_games_of_the_archive_and_of_a_file() {
    let bench = Bench::new();
    let (a, b) = (
        game("Rossi, Mario", "B, b", "2024.01.01", RUY, "1-0"),
        game("Mario Rossi", "B, b", "2024.01.02", RUY, "1-0"),
    );
    bench.write("two.pgn", a + &b);
    bench.import("two.pgn");
    for args in [&["why", "1", "2"][..], &["why", "--file", "two.pgn"]] {
        let why = bench.json(args);
        let expected = serde_json::json!({"same": false, "id": null, "white": true, "black": true,
            "date": false, "result": true, "start": true, "moves": true});
        assert_eq!(why, expected);
    }
    bench.expect(1, &["why", "1", "99"]);
}

/// The example of what hashing the moves alone gets wrong (names.md §5).
#[test]
fn four_games_are_three() {
    let Some(file) = shared("samples/four-games-that-content-hashing-gets-wrong.pgn") else {
        return;
    };
    let bench = Bench::new();
    assert_eq!(bench.import(file), [4, 3, 1, 0, 0]);
    let pgn = bench.export();
    assert!(
        pgn.contains("best by test") && pgn.contains("exf4"),
        "the notes of the copy survive: {pgn}"
    );
}

/// names.md §5: the paths by which a site delivers a game bring one game.
#[test]
fn one_game_by_six_paths_is_one_for_each_site() {
    let Some(folder) = shared("samples") else { return };
    let bench = Bench::new();
    let paths = [
        "chesscom-api",
        "chesscom-download-button",
        "lichess-api-clocks",
        "lichess-api-plain",
        "lichess-dbdump",
        "lichess-site-literate",
    ];
    for path in paths {
        bench.import(folder.join(format!("same-game-{path}.pgn")));
    }
    assert_eq!(bench.json(&["status"])["games"], 2);
    assert_eq!(bench.json(&["status"])["duplicates"], 4);
}
