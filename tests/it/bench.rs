//! A workbench for tests that run the real binary: an archive of its own and a folder for files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// An archive, a config file and a folder, all removed with it.
pub(crate) struct Bench {
    pub(crate) dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let bench = Bench { dir: tempfile::tempdir().unwrap() };
        bench.write("config.toml", "");
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file of the folder and returns its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The command with the archive and config of this bench.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamekeeper"));
        command
            .arg("--state-dir")
            .arg(self.path("state"))
            .arg("--config")
            .arg(self.path("config.toml"))
            .args(args)
            .current_dir(self.dir.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs a command that must end with `code`; its stdout.
    pub(crate) fn expect(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn ok(&self, args: &[&str]) -> String {
        self.expect(0, args)
    }

    /// Runs a command with `--json` that must end with 0 or 3.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.command(args).arg("--json").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{args:?}: {stderr}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// `read`, `new`, `duplicates`, `updated`, `rejected` of an import; they add up, and the exit
    /// code says the same.
    pub(crate) fn import(&self, path: impl AsRef<Path>) -> [u64; 5] {
        let path = path.as_ref().to_str().unwrap();
        let output = self.run(&["import", "--json", path]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{stderr}"));
        let counts = counts(&report);
        let code = match counts {
            [0, ..] if !stderr.is_empty() => 1,
            [.., 0] => 0,
            _ => 3,
        };
        assert_eq!(output.status.code(), Some(code), "{path}: {stderr}");
        counts
    }

    /// All games as one PGN.
    pub(crate) fn export(&self) -> String {
        self.ok(&["export", "--output", "all.pgn"]);
        std::fs::read_to_string(self.path("all.pgn")).unwrap()
    }
}

pub(crate) fn counts(report: &Value) -> [u64; 5] {
    let count = |name: &str| report[name].as_u64().unwrap();
    let counts = ["read", "new", "duplicates", "updated", "rejected"].map(count);
    assert_eq!(counts[0], counts[1..].iter().sum::<u64>(), "{report}");
    counts
}

/// The given folder beside the project, or `None`, said on stderr, where it is absent.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("GAMEKEEPER_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = root.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// A game of a few moves.
pub(crate) fn game(white: &str, black: &str, date: &str, moves: &str, result: &str) -> String {
    format!(
        "[Event \"Test\"]\n[Site \"Here\"]\n[Date \"{date}\"]\n[Round \"1\"]\n[White \"{white}\"]\n\
         [Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
    )
}

/// A game like no other, of players of its own.
pub(crate) fn numbered(number: u32) -> String {
    let (white, black) = (format!("Player{number}, White"), format!("Player{number}, Black"));
    game(&white, &black, "2020.01.01", "1. e4 e5 2. Nf3 Nc6", "1-0")
}

/// Copies a folder and all in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match from.is_dir() {
            true => copy_folder(&from, &to),
            false => drop(std::fs::copy(&from, &to).unwrap()),
        }
    }
}

/// Puts one folder in the place of another.
pub(crate) fn put_back(from: &Path, to: &Path) {
    std::fs::remove_dir_all(to).ok();
    copy_folder(from, to);
}

impl Bench {
    /// The archive with the games numbered `games`, imported as a batch of their own.
    pub(crate) fn add(&self, games: std::ops::Range<u32>) {
        let name = format!("{}.pgn", games.start);
        self.write(&name, games.map(numbered).collect::<String>());
        self.import(&name);
    }

    /// Runs a command whatever its end; exit code, stdout, stderr. A panic is never an end.
    pub(crate) fn end(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.run(args);
        let [out, told] = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(!told.contains("panicked"), "{args:?}: {told}");
        (output.status.code().unwrap(), out, told)
    }
}
