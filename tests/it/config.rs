//! `check`, `init`, `completions`, `man`, and what a bad config does to every command.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::{TempDir, tempdir};

/// The program with a home directory of its own and nothing else in its environment.
fn gamekeeper(home: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamekeeper"));
    command.env_clear().env("HOME", home.path()).current_dir(home.path());
    command
}

fn run(home: &TempDir, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = gamekeeper(home).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn write(path: &Path, text: &str) {
    fs::File::create(path).unwrap().write_all(text.as_bytes()).unwrap();
}

const BAD: &str = r#"on_duplicate = "complet"
[owner]
frist_name = "Mario"
[exports.all]
splitt = "year"
"#;

/// reliability.md 24: place, message and hint of every error in one run; exit code 10.
#[test]
fn a_bad_config_is_told_whole() {
    let home = tempdir().unwrap();
    write(&home.path().join("bad.toml"), BAD);
    for command in [&["check"][..], &["status"], &["export"]] {
        let (code, stdout, stderr) = run(&home, &[&["--config", "bad.toml"], command].concat());
        assert_eq!((code, stdout.as_str()), (10, ""), "{stderr}");
        let place = |place: &str| format!("{}/bad.toml:{place}: ", home.path().display());
        for (at, message) in [
            ("1:16", "`on_duplicate` cannot be \"complet\"\n  hint: did you mean `complete`?"),
            ("3:1", "unknown key `frist_name` in [owner]\n  hint: did you mean `first_name`?"),
            ("4:10", "[exports.all] has no `path`\n  hint: add path = "),
            ("5:1", "unknown key `splitt` in [exports.all]\n  hint: did you mean `split`?"),
        ] {
            let line = place(at) + message;
            assert!(stderr.contains(&line), "{line}\nis not in\n{stderr}");
        }
        assert!(stderr.contains("error: 4 errors in the config file"), "{stderr}");
    }
}

#[test]
fn check_tells_the_errors_in_json_too() {
    let home = tempdir().unwrap();
    write(&home.path().join("bad.toml"), BAD);
    let (code, stdout, _) = run(&home, &["check", "--json", "--config", "bad.toml"]);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 10);
    assert_eq!(report["problems"].as_array().unwrap().len(), 4);
    assert_eq!(report["problems"][1]["line"], 3);
    assert_eq!(report["problems"][1]["hint"], "did you mean `first_name`?");
}

#[test]
fn check_without_any_config() {
    let home = tempdir().unwrap();
    let (code, stdout, stderr) = run(&home, &["check"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("config   none"), "{stdout}");
    assert!(stdout.contains("/.local/state/gamekeeper"), "{stdout}");
}

#[test]
fn a_named_config_must_be_there() {
    let home = tempdir().unwrap();
    let (code, _, stderr) = run(&home, &["--config", "none.toml", "check"]);
    assert_eq!(code, 10);
    assert!(stderr.contains("cannot read the config file") && stderr.contains("none.toml"));
}

/// The variables of the search order reach the program.
#[test]
fn the_environment_names_config_and_state() {
    let home = tempdir().unwrap();
    write(&home.path().join("a.toml"), "[exports.x]\npath = 'x.pgn'\n");
    let mut command = gamekeeper(&home);
    command.env("GAMEKEEPER_CONFIG", "a.toml").env("STATE_DIRECTORY", "/var/lib/a:/var/lib/b");
    let stdout = command.args(["check", "--json"]).output().unwrap().stdout;
    let report: serde_json::Value = serde_json::from_slice(&stdout).unwrap();
    let path = home.path().join("x.pgn");
    assert_eq!(report["exports"][0]["path"], path.to_str().unwrap());
    assert_eq!(report["state_dir"], "/var/lib/a");
}

#[test]
fn without_a_home_the_message_says_what_to_do() {
    let home = tempdir().unwrap();
    let mut command = gamekeeper(&home);
    // A relative home counts as none; with no $HOME at all the user's entry in the system counts.
    command.env("HOME", "nowhere").arg("check");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(10));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--state-dir DIR"));
}

/// reliability.md 37: 0600 and 0700, whatever the umask of the caller.
#[test]
fn init_writes_a_private_config_that_is_found_and_valid() {
    let home = tempdir().unwrap();
    let file = home.path().join(".config/gamekeeper/config.toml");
    let (code, stdout, _) = run(&home, &["init", "--json"]);
    assert_eq!(code, 0);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["path"], file.to_str().unwrap());
    assert_eq!(fs::read_to_string(&file).unwrap(), gamekeeper::config::EXAMPLE);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    let (code, stdout, _) = run(&home, &["check"]);
    assert!(code == 0 && stdout.contains("/config.toml: no errors"), "{stdout}");
}

#[test]
fn init_never_overwrites() {
    let home = tempdir().unwrap();
    write(&home.path().join("mine.toml"), "# mine");
    let (code, _, stderr) = run(&home, &["init", "--output", "mine.toml"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("mine.toml exists") && stderr.contains("\nhint: "), "{stderr}");
    assert_eq!(fs::read_to_string(home.path().join("mine.toml")).unwrap(), "# mine");
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left: {left:?}");
}

#[test]
fn completions_and_manual_know_every_command() {
    let home = tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let (code, stdout, _) = run(&home, &["completions", shell]);
        assert!(code == 0 && stdout.contains("rejected"), "{shell}");
    }
    let (code, page, _) = run(&home, &["man"]);
    assert_eq!(code, 0);
    for command in ["import", "export", "why", "name", "rejected", "game", "players", "history"] {
        assert!(page.contains(&format!("gamekeeper\\-{command}(1)")), "{command}\n{page}");
    }
    assert!(page.contains("EXIT STATUS") && page.contains("locked by another process"));
    let (code, page, _) = run(&home, &["man", "players", "show"]);
    assert!(code == 0 && page.contains("gamekeeper\\-players\\-show"), "{page}");
    assert_eq!(run(&home, &["man", "nonsense"]).0, 2);
}

#[test]
fn usage_errors_end_with_2() {
    let home = tempdir().unwrap();
    for wrong in [&["nonsense"][..], &["import"], &["why", "1"], &["check", "-v", "-q"], &[]] {
        assert_eq!(run(&home, wrong).0, 2, "{wrong:?}");
    }
}

/// `gamekeeper … | head` is no failure, and no panic.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamekeeper"));
    command.args(["completions", "bash"]).env("HOME", home.path()).stdout(writer);
    let output = command.stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// reliability.md 17: a full disk under stdout is told, with its own exit code.
#[test]
fn a_full_disk_under_stdout_is_told() {
    let home = tempdir().unwrap();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamekeeper"));
    let output = command.args(["completions", "bash"]).env("HOME", home.path()).stdout(full);
    let output = output.stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(13));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write to stdout"));
}
