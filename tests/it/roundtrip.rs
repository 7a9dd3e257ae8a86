//! import → export → import into a second archive → export gives the same bytes, and a second
//! import finds only duplicates (pgn.md, “Exported PGN”).

use std::path::Path;

use crate::bench::{Bench, shared};

/// Takes a file round twice; the games that stand in the end.
fn round(file: &Path) -> u64 {
    let first = Bench::new();
    let [read, new, duplicates, updated, rejected] = first.import(file);
    assert_eq!(read, new + duplicates + updated + rejected);
    let status = first.json(&["status"]);
    assert_eq!(status["games"], new);
    assert_eq!(
        first.import(file),
        [read, 0, duplicates + new + updated, 0, rejected],
        "{}",
        file.display()
    );
    assert_eq!(first.json(&["status"]), status, "{}", file.display());
    if new == 0 {
        return 0;
    }
    let exported = first.export();

    let second = Bench::new();
    second.write("again.pgn", &exported);
    assert_eq!(second.import("again.pgn"), [new, new, 0, 0, 0], "{}", file.display());
    let again = second.export();
    if again != exported {
        let differs = exported.lines().zip(again.lines()).find(|(a, b)| a != b);
        panic!("{}: {differs:?}", file.display());
    }
    new
}

#[test]
fn the_examples_go_round() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            round(&path);
            files += 1;
        }
    }
    assert!(files > 1);
}

/// pgn.md: a table made by hand says how many games of each file are new, duplicates and rejected,
/// and why; and each file goes round.
#[test]
fn every_nasty_file_is_as_the_table_says_and_goes_round() {
    let Some(folder) = shared("corpus/nasty") else { return };
    let mut rows = 0;
    for row in include_str!("../nasty.tsv").lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, counts @ .., _why] = &columns[..] else { panic!("{row}") };
        let counts: Vec<u64> = counts.iter().map(|count| count.parse().unwrap()).collect();
        let [read, new, duplicates, rejected] = counts[..] else { panic!("{row}") };
        let path = folder.join(file);
        assert_eq!(Bench::new().import(&path), [read, new, duplicates, 0, rejected], "{file}");
        assert_eq!(round(&path), new, "{file}");
        rows += 1;
    }
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "pgn"));
    assert_eq!(rows, files.count(), "each file has its row");
}

/// All 235,338 games; takes minutes, so only where `GAMEKEEPER_FULL` is set.
#[test]
fn the_corpus_goes_round() {
    if std::env::var_os("GAMEKEEPER_FULL").is_none() {
        eprintln!("skipped: set GAMEKEEPER_FULL=1 to take the whole corpus round");
        return;
    }
    let Some(corpus) = shared("corpus/games.pgn.zst") else { return };
    let games = round(&corpus);
    assert!(games > 230_000, "{games}");
}
