//! What goes in and out through files: packed and named in every way, exports split and configured.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::process::Stdio;

use crate::bench::{Bench, counts, game};

const RUY: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";

fn numbered(number: u32) -> String {
    game(&format!("White, W{number}"), "Black, B", &format!("20{number:02}.05.01"), RUY, "1-0")
}

/// Files, folders and stdin, packed in each way; what is no PGN in a folder is passed over.
#[test]
fn games_come_in_from_everywhere() {
    let bench = Bench::new();
    bench.write("in/a.pgn", numbered(1));
    bench.write("in/deep/B.PGN", numbered(2));
    bench.write("in/.hidden.pgn", "junk");
    bench.write("in/notes.txt", "junk");
    bench.write("in/c.pgn.zst", zstd::encode_all(numbered(3).as_bytes(), 1).unwrap());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(numbered(4).as_bytes()).unwrap();
    bench.write("in/d.pgn.gz", gzip.finish().unwrap());
    let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip.write_all(numbered(5).as_bytes()).unwrap();
    bench.write("in/e.pgn.bz2", bzip.finish().unwrap());
    let mut zip = zip::ZipWriter::new(File::create(bench.path("in/f.zip")).unwrap());
    for number in [6, 7] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("member{number}.pgn"), options).unwrap();
        zip.write_all(numbered(number).as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    assert_eq!(bench.import("in"), [7, 7, 0, 0, 0]);
    let from_zip = bench.ok(&["game", "show", "7"]);
    assert!(from_zip.contains("in/f.zip!member7.pgn, line 1"), "{from_zip}");

    let mut child = bench
        .command(&["--json", "import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all((numbered(7) + &numbered(8)).as_bytes()).unwrap();
    let report = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(counts(&report), [2, 1, 1, 0, 0]);
}

/// A bad source is told with its name and costs nothing else.
#[test]
fn bad_sources_never_stop_the_others() {
    let bench = Bench::new();
    bench.write("page.pgn", "<!DOCTYPE html>\n<html><body>Sign in first</body></html>\n");
    bench.write("good.pgn", numbered(1));
    let mut cut = zstd::encode_all((1..9).map(numbered).collect::<String>().as_bytes(), 1).unwrap();
    cut.truncate(cut.len() - 8);
    bench.write("cut.pgn.zst", cut);
    let output = bench.run(&["import", "missing.pgn", "page.pgn", "cut.pgn.zst", "good.pgn"]);
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8(output.stderr).unwrap();
    for name in ["missing.pgn", "page.pgn", "cut.pgn.zst"] {
        assert!(told.contains(name), "{name}: {told}");
    }
    let status = bench.json(&["status"]);
    assert!(status["games"].as_u64().unwrap() >= 1);
    assert_eq!(status["rejected"], 0, "a page is no game");
    bench.expect(1, &["import", "missing.pgn"]);
}

/// Configured exports: split, kept up to date, and left alone where nothing changed.
#[test]
fn exports_are_split_and_rewritten_only_where_they_change() {
    let bench = Bench::new();
    bench.write(
        "config.toml",
        r#"
[owner]
first_name = "Mario"
last_name = "Rossi"
[exports.all]
path = "out/all.pgn"
[exports.years]
path = "out/years"
split = "year"
[exports.months]
path = "out/months"
split = "month"
[exports.players]
path = "out/players"
split = "player"
[exports.opponents]
path = "out/opponents"
split = "opponent"
[exports.as-they-came]
path = "out/original.pgn"
names = "original"
"#,
    );
    let games = game("ROSSI, Mario", "Anna Bianchi", "2013.05.01", RUY, "1-0")
        + &game("Bianchi, Anna", "Mario Rossi", "2013.??.??", RUY, "0-1")
        + &game("A, a", "B, b", "????.??.??", RUY, "0-1");
    bench.write("a.pgn", games);
    bench.import("a.pgn");
    let report = bench.json(&["export"]);
    // 3 + 3 + 3 + 6 + 2 + 3 games in 1 + 2 + 3 + 4 + 1 + 1 files.
    assert_eq!((&report["games"], &report["files"]), (&20.into(), &12.into()));
    let list = |folder: &str| {
        let entries = fs::read_dir(bench.path(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name.ends_with(".pgn")).collect();
        names.sort();
        names
    };
    assert_eq!(list("out/years"), ["2013.pgn", "Unknown.pgn"].map(str::to_owned));
    assert_eq!(list("out/months").len(), 3);
    assert_eq!((list("out/players").len(), list("out/opponents").len()), (4, 1));
    let original = fs::read_to_string(bench.path("out/original.pgn")).unwrap();
    assert!(original.contains("[White \"ROSSI, Mario\"]") && original.contains("\"Mario Rossi\""));

    let stamp = |name: &str| {
        let metadata = fs::metadata(bench.path(name)).unwrap();
        (metadata.ino(), metadata.mtime_nsec(), metadata.mtime())
    };
    let before =
        (stamp("out/all.pgn"), stamp("out/years/2013.pgn"), stamp("out/years/Unknown.pgn"));
    bench.ok(&["export"]);
    let after = (stamp("out/all.pgn"), stamp("out/years/2013.pgn"), stamp("out/years/Unknown.pgn"));
    assert_eq!(after, before, "nothing changed, nothing rewritten");
    bench.write("b.pgn", game("A, a", "B, b", "2013.01.01", RUY, "0-1"));
    bench.import("b.pgn");
    bench.ok(&["export", "all", "years"]);
    assert_ne!(stamp("out/all.pgn"), before.0);
    assert_ne!(stamp("out/years/2013.pgn"), before.1);
    assert_eq!(stamp("out/years/Unknown.pgn"), before.2);
    bench.expect(1, &["export", "nothing-like-it"]);
}

/// Rejected text is kept byte for byte, whatever its encoding.
#[test]
fn rejected_text_is_kept_byte_for_byte() {
    let bench = Bench::new();
    let broken = b"[White \"M\xFCller\"]\r\n[Black \"\xFF\x80\"]\r\n\r\n1. e4 e5 2. Ke8 1-0\r\n";
    bench.write("a.pgn", broken);
    assert_eq!(bench.import("a.pgn"), [1, 0, 0, 0, 1]);
    let shown = bench.run(&["rejected", "show", "1"]).stdout;
    assert_eq!(shown.trim_ascii(), broken.trim_ascii());
}

/// A tag or comment of the game tells of no other game, and `game show` tells it all.
#[test]
fn a_game_is_shown_with_all_that_is_known_of_it() {
    let bench = Bench::new();
    let text = numbered(1)
        .replace("[Round \"1\"]", "[Round \"1\"]\n[Board \"3\"]\n[WhiteFideId \"850012\"]");
    bench.write("a.pgn", &text);
    bench.import("a.pgn");
    let shown = bench.json(&["game", "show", "1"]);
    assert_eq!(shown["white_fide_id"], "850012");
    assert_eq!((&shown["plies"], &shown["round"]), (&6.into(), &"1".into()));
    let pgn = bench.ok(&["game", "show", "1", "--pgn"]);
    assert!(pgn.contains("[Board \"3\"]") && pgn.contains("3. Bb5 a6 1-0"), "{pgn}");
    let player = bench.json(&["players", "show", "1"]);
    assert_eq!((&player["kind"], &player["fide_id"]), (&"fide".into(), &"850012".into()));
    bench.expect(1, &["game", "show", "2"]);
    bench.expect(1, &["players", "show", "99999999999"]);
}

/// pgn.md: a game is never stored shortened, also where its source broke off.
#[test]
fn the_game_in_which_a_source_breaks_off_is_kept_aside() {
    let bench = Bench::new();
    let whole = numbered(1) + &numbered(2);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&whole.as_bytes()[..whole.len() - 20]).unwrap();
    gzip.flush().unwrap();
    bench.write("cut.pgn.gz", gzip.get_ref());
    bench.write("whole.pgn", whole);
    assert_eq!(bench.import("cut.pgn.gz"), [2, 1, 0, 0, 1]);
    assert_eq!(bench.json(&["rejected", "list"])["rejected"][0]["kind"], "cut-off");
    assert_eq!(bench.json(&["rejected", "retry"])["rejected"], 1, "it stays what it is");
    assert_eq!(bench.import("whole.pgn"), [2, 1, 1, 0, 0]);
}

#[test]
fn an_export_never_writes_over_the_archive() {
    let bench = Bench::new();
    bench.write("a.pgn", numbered(1));
    bench.import("a.pgn");
    for target in ["state/journal/00000001.gkj", "state/lock", "state/new/all.pgn"] {
        bench.expect(1, &["export", "--output", target]);
    }
    bench.write("config.toml", "[exports.x]\npath = \"state/out\"\nsplit = \"year\"\n");
    bench.expect(1, &["export"]);
    assert_eq!(bench.ok(&["export", "--output", "-"]), bench.export());
    bench.write("config.toml", "[exports.x]\npath = \"out\"\nsplit = \"opponent\"\n");
    bench.expect(10, &["export"]);
}

/// pgn.md: of a game over 16 MiB the first 64 KiB, the length and a hash are kept; two that begin
/// alike are two.
#[test]
fn games_too_big_are_told_apart() {
    let bench = Bench::new();
    let big = |end: &str| {
        let comment = "word ".repeat(17 << 18);
        numbered(1).replace("1. e4", &format!("{{{comment}{end}}} 1. e4"))
    };
    bench.write("a.pgn", big("a") + &numbered(2));
    bench.write("b.pgn", big("b"));
    assert_eq!(bench.import("a.pgn"), [2, 1, 0, 0, 1]);
    assert_eq!(bench.import("b.pgn"), [1, 0, 0, 0, 1]);
    assert_eq!(bench.import("."), [3, 0, 1, 0, 2]);
    let list = bench.json(&["rejected", "list"]);
    assert_eq!(list["rejected"].as_array().unwrap().len(), 2);
    assert!(list["rejected"][1]["whole_length"].as_u64().unwrap() > 16 << 20);
    assert_eq!(bench.run(&["rejected", "show", "1"]).stdout.len(), 64 << 10);
}

/// Text that is no game is told of with the exit code, unless it is a comment (B16).
#[test]
fn text_that_is_no_game_is_told_of() {
    let bench = Bench::new();
    bench.write("a.pgn", "{ file made by x }\n\n".to_owned() + &numbered(1));
    bench.ok(&["import", "a.pgn"]);
    bench.write("b.pgn", numbered(2) + "\nThe next round was cancelled.\n");
    let output = bench.run(&["import", "", "b.pgn"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("b.pgn:12: passed over"));
    assert_eq!(bench.json(&["status"])["games"], 2, "a path that is none stops no other");
}
