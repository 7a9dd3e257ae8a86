//! Exports of many files (design.md §5, §7).

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::{listed, put};
use crate::export::manifest::MANIFEST_NAME;
use crate::export::{EXPORT_MODE, ExportError, FileName, FileSet, FilesWritten, Scope};

fn name(text: &str) -> FileName {
    FileName::new(text, "pgn")
}

fn try_export(
    folder: &Path,
    scope: Scope,
    games: &[(&str, &str)],
) -> Result<FilesWritten, ExportError> {
    let mut set = FileSet::with_memory(folder, EXPORT_MODE, scope, 200)?;
    for (file, game) in games {
        set.add(&name(file), game.as_bytes())?;
    }
    set.finish()
}

/// Games, and files written, unchanged, removed and refused.
fn export(folder: &Path, games: &[(&str, &str)]) -> (u64, u64, u64, u64, usize) {
    counts(&try_export(folder, Scope::Whole, games).unwrap())
}

fn counts(result: &FilesWritten) -> (u64, u64, u64, u64, usize) {
    (result.games, result.written, result.unchanged, result.removed, result.refused.len())
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn games_go_to_their_files_in_order_and_only_changes_are_written() {
    let root = tempfile::tempdir().unwrap();
    let folder = &root.path().join("clean/by-year");
    let games = [("2023", "a\n"), ("2024", "b\n"), ("2023", "c\n"), ("2022", "d\n")];
    assert_eq!(export(folder, &games), (4, 3, 0, 0, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME, "2022.pgn", "2023.pgn", "2024.pgn"]);
    assert_eq!(text(folder, "2023.pgn"), "a\nc\n");

    let state = || -> Vec<_> {
        let stat = |n: &String| fs::metadata(folder.join(n)).unwrap();
        listed(folder).iter().map(stat).map(|m| (m.ino(), m.ctime(), m.ctime_nsec())).collect()
    };
    let before = state();
    assert_eq!(export(folder, &games), (4, 0, 3, 0, 0));
    assert_eq!(state(), before, "an export without changes writes nothing at all");

    let games = [("2023", "a\n"), ("2024", "b\n"), ("2025", "e\n")];
    assert_eq!(export(folder, &games), (3, 2, 1, 1, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME, "2023.pgn", "2024.pgn", "2025.pgn"]);
    assert_eq!(text(folder, "2023.pgn"), "a\n");

    assert_eq!(export(folder, &[]), (0, 0, 0, 3, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME]);
}

#[test]
fn files_of_others_are_neither_replaced_nor_removed() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    put(folder, "2023.pgn", b"mine\n");
    put(folder, "2024.pgn", b"equal\n");
    put(folder, "notes.txt", b"mine\n");
    let games = [("2023", "a\n"), ("2024", "equal\n"), ("2025", "c\n")];
    let result = try_export(folder, Scope::Whole, &games).unwrap();
    assert_eq!(counts(&result), (3, 1, 1, 0, 1));
    let told = result.refused[0].to_string();
    assert!(told.contains("2023.pgn: was not written by this export"), "{told}");
    assert_eq!(text(folder, "2023.pgn"), "mine\n");

    // The refused one did not become ours; the equal one did.
    assert_eq!(export(folder, &[]), (0, 0, 0, 2, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME, "2023.pgn", "notes.txt"]);

    // Moved away, it no longer stands in the way.
    fs::rename(folder.join("2023.pgn"), folder.join("my-2023.pgn")).unwrap();
    assert_eq!(export(folder, &games[..1]), (1, 1, 0, 0, 0));
}

#[test]
fn a_link_or_folder_in_the_place_of_a_file_is_refused_and_stays() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    export(folder, &[("2022", "a\n"), ("2023", "a\n"), ("2024", "a\n")]);
    let elsewhere = put(folder, "elsewhere", b"a\n");
    for year in ["2022", "2023"] {
        fs::remove_file(folder.join(format!("{year}.pgn"))).unwrap();
    }
    symlink(&elsewhere, folder.join("2022.pgn")).unwrap();
    fs::create_dir(folder.join("2023.pgn")).unwrap();
    let games = [("2022", "b\n"), ("2023", "b\n"), ("2024", "b\n")];
    assert_eq!(export(folder, &games), (3, 1, 0, 0, 2));
    assert_eq!(text(folder, "elsewhere"), "a\n");
    assert_eq!(export(folder, &[]), (0, 0, 0, 1, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME, "2022.pgn", "2023.pgn", "elsewhere"]);
}

#[test]
fn part_of_an_export_can_be_made_anew() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    export(folder, &[("2022", "a\n"), ("2023", "a\n"), ("2024", "a\n")]);
    let mut set = FileSet::open(folder, EXPORT_MODE, Scope::Named).unwrap();
    set.expect(&name("2022"));
    set.expect(&name("2023"));
    set.expect(&name("2021"));
    set.add(&name("2023"), b"b\n").unwrap();
    assert_eq!(counts(&set.finish().unwrap()), (1, 1, 0, 1, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME, "2023.pgn", "2024.pgn"]);
    // All of it is still ours.
    assert_eq!(export(folder, &[]), (0, 0, 0, 2, 0));
}

/// What a run that was killed anywhere between two files leaves: the list claims more than is
/// there, some files are new and some old.
#[test]
fn the_next_run_completes_one_that_was_killed() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    export(folder, &[("2021", "old\n"), ("2022", "old\n")]);
    let claimed = ["2021.pgn", "2022.pgn", "2023.pgn", "2024.pgn"];
    let list = format!("{{\"gamekeeper_export\": 1, \"files\": {claimed:?}}}");
    put(folder, MANIFEST_NAME, list.as_bytes());
    put(folder, "2023.pgn", b"placed before the kill\n");
    put(folder, ".gamekeeper-killed.tmp", b"half a fi");
    let games = [("2022", "new\n"), ("2023", "new\n"), ("2024", "new\n")];
    assert_eq!(export(folder, &games), (3, 3, 0, 1, 0));
    assert_eq!(listed(folder), [MANIFEST_NAME, "2022.pgn", "2023.pgn", "2024.pgn"]);
    assert_eq!(export(folder, &games), (3, 0, 3, 0, 0));
}

#[test]
fn an_export_that_was_given_up_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    export(folder, &[("2022", "a\n")]);
    let mut set = FileSet::with_memory(folder, EXPORT_MODE, Scope::Whole, 100).unwrap();
    for _ in 0..100 {
        set.add(&name("2023"), b"b\n").unwrap();
    }
    drop(set);
    assert_eq!(listed(folder), [MANIFEST_NAME, "2022.pgn"]);
}

#[test]
fn one_export_at_a_time_writes_into_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let first = FileSet::open(root.path(), EXPORT_MODE, Scope::Whole).unwrap();
    let second = FileSet::open(root.path(), EXPORT_MODE, Scope::Whole);
    assert!(matches!(second, Err(ExportError::Busy { .. })), "{second:?}");
    drop(first);
    FileSet::open(root.path(), EXPORT_MODE, Scope::Whole).unwrap();
}

#[test]
fn a_list_that_is_damaged_or_leads_out_of_the_folder_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let folder = &root.path().join("f");
    export(folder, &[("2022", "a\n")]);
    put(root.path(), "victim.pgn", b"x");
    for list in [
        "{",
        "{\"gamekeeper_export\": 2, \"files\": []}",
        "{\"gamekeeper_export\": 1, \"files\": [\"../victim.pgn\"]}",
    ] {
        put(folder, MANIFEST_NAME, list.as_bytes());
        let told = try_export(folder, Scope::Whole, &[]).unwrap_err().to_string();
        assert!(told.contains(MANIFEST_NAME) && told.contains("hint: "), "{told}");
    }
    assert_eq!(text(root.path(), "victim.pgn"), "x");
    assert_eq!(text(folder, "2022.pgn"), "a\n");
}

#[test]
fn many_files_and_games_take_few_descriptors_and_little_memory() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    let mut set = FileSet::with_memory(folder, EXPORT_MODE, Scope::Whole, 64 << 10).unwrap();
    for game in 0..20_000 {
        let file = name(&format!("{}", game % 1000));
        set.add(&file, format!("game {game}\n").as_bytes()).unwrap();
    }
    let open = fs::read_dir("/proc/self/fd").unwrap().count();
    assert!(open < 200, "{open} descriptors");
    assert_eq!(counts(&set.finish().unwrap()), (20_000, 1000, 0, 0, 0));
    let expected: String = (0..20).map(|i| format!("game {}\n", i * 1000 + 7)).collect();
    assert_eq!(text(folder, "7.pgn"), expected);
}
