//! Which files a path stands for (reliability.md 13).

use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;
use crate::input::walk;

/// What a walk finds, paths relative to `folder`; problems as `!message`.
fn found(folder: &Path, paths: &[&str]) -> Vec<String> {
    let root = folder.to_str().unwrap().to_owned() + "/";
    walk(paths.iter().map(|p| if *p == "-" { PathBuf::from("-") } else { folder.join(p) }))
        .map(|item| match item {
            Ok(Found::Stdin) => "-".to_owned(),
            Ok(Found::Named(p)) => format!("={}", p.display()).replace(&root, ""),
            Ok(Found::InFolder(p)) => p.display().to_string().replace(&root, ""),
            Err(e) => format!("!{e}").replace(&root, ""),
        })
        .collect()
}

fn make_fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

#[test]
fn folders_are_read_in_a_stable_order_and_only_what_is_of_games() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "b.pgn",
        "a/z.pgn.gz",
        "a/B.PGN",
        "a/a.zip",
        "c/d/e.pgn.bz2",
        "readme.txt",
        ".hidden.pgn",
        ".git/x.pgn",
        "half.pgn.download/half.pgn",
        "x.pgn.part",
        "x.pgn~",
    ] {
        put(folder.path(), name, b"");
    }
    let expected = ["a/B.PGN", "a/a.zip", "a/z.pgn.gz", "b.pgn", "c/d/e.pgn.bz2"];
    assert_eq!(found(folder.path(), &[""]), expected);
}

#[test]
fn what_is_named_is_tried_whatever_it_is_called_and_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.txt", ".hidden", "d/a.pgn", "half.part"] {
        put(folder.path(), name, b"");
    }
    assert_eq!(
        found(folder.path(), &["x.txt", "-", "d", "half.part", ".hidden", "-"]),
        ["=x.txt", "-", "d/a.pgn", "=half.part", "=.hidden"]
    );
}

#[test]
fn a_file_is_read_once_however_often_it_is_met() {
    let folder = tempfile::tempdir().unwrap();
    let a = put(folder.path(), "d/a.pgn", b"");
    std::fs::hard_link(&a, folder.path().join("d/hard.pgn")).unwrap();
    symlink(&a, folder.path().join("d/soft.pgn")).unwrap();
    put(folder.path(), "d/b.pgn", b"");
    assert_eq!(found(folder.path(), &["d/b.pgn", "d", "d", "d/a.pgn"]), ["=d/b.pgn", "d/a.pgn"]);
}

#[test]
fn loops_of_links_end() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "d/a.pgn", b"");
    put(folder.path(), "elsewhere/b.pgn", b"");
    symlink("..", folder.path().join("d/up")).unwrap();
    symlink(".", folder.path().join("d/self")).unwrap();
    symlink("ring", folder.path().join("d/ring")).unwrap();
    symlink("../elsewhere", folder.path().join("d/e")).unwrap();
    // `e` and `up/elsewhere` are one folder, read where it is met first.
    assert_eq!(found(folder.path(), &["d"]), ["d/a.pgn", "d/e/b.pgn"]);
}

#[test]
fn pipes_and_devices_in_a_folder_are_passed_over_and_never_opened() {
    let folder = tempfile::tempdir().unwrap();
    make_fifo(&folder.path().join("pipe.pgn"));
    symlink("/dev/zero", folder.path().join("zero.pgn")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("s.pgn")).unwrap();
    put(folder.path(), "z.pgn", b"");
    assert_eq!(found(folder.path(), &[""]), ["z.pgn"]);
    // One that took a file's place after the walk does not block either.
    let told = refusal(&Found::InFolder(folder.path().join("pipe.pgn")));
    assert!(told.contains("is a pipe, not a file"), "{told}");
    for (path, what) in [("/dev/zero", "a device"), ("/", "a folder")] {
        let told = refusal(&Found::Named(path.into()));
        assert!(told.contains(&format!("is {what}, not a file")), "{told}");
    }
}

#[test]
fn a_pipe_that_was_named_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    make_fifo(&pipe);
    for (sent, expected) in [(games(9), Ok(games(9))), (gzip(&games(9)), Ok(games(9)))] {
        let to = pipe.clone();
        let writer = std::thread::spawn(move || put(to.parent().unwrap(), "pipe", &sent));
        let outcome = drain(&Found::Named(pipe.clone()), &Limits::default());
        writer.join().unwrap();
        assert_eq!(outcome.map(|mut o| o.remove(0).bytes).map_err(|e| e.to_string()), expected);
    }
    let to = pipe.clone();
    let writer = std::thread::spawn(move || put(to.parent().unwrap(), "pipe", b"PK\x03\x04...."));
    let told = refusal(&Found::Named(pipe));
    writer.join().unwrap();
    assert!(told.contains("zip archive cannot be read from a pipe"), "{told}");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "d/a.pgn", b"");
    symlink("nowhere", folder.path().join("d/dangling.pgn")).unwrap();
    symlink("nowhere", folder.path().join("d/dangling.txt")).unwrap();
    put(folder.path(), "d/z.pgn", b"");
    assert_eq!(
        found(folder.path(), &["missing.pgn", "d"]),
        [
            "!missing.pgn: there is no such file or folder",
            "d/a.pgn",
            "!d/dangling.pgn: there is no such file or folder",
            "d/z.pgn"
        ]
    );
}

#[test]
fn permission_denied_is_told() {
    if rustix::process::geteuid().is_root() {
        eprintln!("skipped: root may read everything");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "a.pgn", b"");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    let told = refusal(&Found::Named(path));
    assert!(told.contains("permission denied"), "{told}");
}

#[test]
fn an_empty_path_concerns_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "a.pgn", b"");
    let mut walk = walk([PathBuf::new(), PathBuf::from("a\0b"), path.clone()]);
    let mut told = || walk.next().unwrap().unwrap_err().to_string();
    assert_eq!(told(), "'': there is no such file or folder");
    assert!(told().starts_with(r"a\u{0}b: "));
    assert_eq!(walk.next().unwrap().unwrap(), Found::Named(path));
    assert!(walk.next().is_none());
}
