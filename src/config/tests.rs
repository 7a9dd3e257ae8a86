//! Whole config files and what they come to (design of the config; reliability.md 24, 25).

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;

fn environment() -> Environment {
    Environment { home: Some("/home/mario".into()), ..Environment::default() }
}

fn parse(text: &str) -> Result<Config, Problems> {
    Config::parse(text.as_bytes(), Path::new("/etc/gk/config.toml"), &environment())
}

#[track_caller]
fn check_errors(text: &str, expected: Expect) {
    let problems = parse(text).expect_err("the file has errors");
    let mut all = String::new();
    for Problem { line, column, message, hint } in problems.list {
        writeln!(all, "{line}:{column}: {message} | {hint}").expect("a String can be written");
    }
    expected.assert_eq(&all);
}

/// The lines that `wanted` picks lose their comment sign (and the space after it).
fn uncomment(wanted: impl Fn(&str) -> bool) -> String {
    let line = |line: &'static str| match line.strip_prefix('#') {
        Some(rest) if wanted(rest) => rest.strip_prefix(' ').unwrap_or(rest),
        _ => line,
    };
    EXAMPLE.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn is_default(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_lowercase())
}

fn is_example(rest: &str) -> bool {
    let rest = rest.strip_prefix(' ').unwrap_or_default();
    rest.starts_with('[')
        || rest
            .split_once(" = ")
            .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

/// reliability.md 25.
#[test]
fn the_example_is_valid_and_changes_nothing() {
    assert_eq!(parse(EXAMPLE).unwrap(), Config::default());
}

/// reliability.md 25.
#[test]
fn the_example_with_every_option_uncommented_equals_the_defaults() {
    let text = uncomment(is_default);
    assert_eq!(text.matches("\non_duplicate = ").count(), 1, "nothing was uncommented");
    assert_eq!(parse(&text).unwrap(), Config::default());
}

#[test]
fn the_examples_in_the_example_are_valid() {
    let config = parse(&uncomment(|rest| is_default(rest) || is_example(rest))).unwrap();
    let export = |name: &str, path: &str, split, names| Export {
        name: name.into(),
        path: path.into(),
        split,
        names,
    };
    assert_eq!(
        config.exports,
        [
            export("all", "/home/mario/chess/clean/all.pgn", Split::None, Names::Shown),
            export("by-year", "/home/mario/chess/clean/by-year", Split::Year, Names::Original),
        ]
    );
}

#[test]
fn everything_can_be_set() {
    let config = parse(
        r#"
        on_duplicate = "keep"
        min_free_space = "1 GiB"
        [owner]
        first_name = " Mario "
        last_name = "Rossi"
        fide_id = 850012
        aliases = ["mrossi90", "rossi-mario"]
        [exports.b]
        path = "clean/b.pgn"
        [exports.a]
        path = "/srv/a"
        split = "opponent"
        names = "original"
        "#,
    )
    .unwrap();
    assert_eq!(config.on_duplicate, OnDuplicate::Keep);
    assert_eq!(config.min_free_space, 1 << 30);
    let owner = Owner {
        first_name: "Mario".into(),
        last_name: "Rossi".into(),
        fide_id: Some("850012".into()),
        aliases: vec!["mrossi90".into(), "rossi-mario".into()],
    };
    assert_eq!(config.owner, owner);
    let paths: Vec<_> = config.exports.iter().map(|e| e.path.to_str().unwrap()).collect();
    assert_eq!(paths, ["/etc/gk/clean/b.pgn", "/srv/a"], "in the order of the file");
}

/// reliability.md 24: all errors in one run.
#[test]
fn every_error_is_told_in_one_run() {
    check_errors(
        r#"on_duplicate = "complet"
min_free_space = "256 MB"
colour = true

[owner]
frist_name = "Mario"
last_name = 7
fide_id = "0"
aliases = ["mrossi90", 90, "?", "MRossi90"]

[exports.all]
path = "~/all.pgn"
split = "yaer"

[exports.copy]
path = "~/x/../all.pgn"
names = "mine"

[exports."a b"]
splt = "year"

[sources.folder.inbox]
path = "~/inbox"
"#,
        expect![[r#"
            1:16: `on_duplicate` cannot be "complet" | did you mean `complete`?
            2:18: "256 MB" is no amount of space | write a whole number and a unit: "256 MiB" (B, KiB, MiB, GiB, TiB)
            3:1: unknown key `colour` | known here: owner, exports, on_duplicate, min_free_space
            6:1: unknown key `frist_name` in [owner] | did you mean `first_name`?
            7:13: `last_name` in [owner] must be a string, not an integer | write last_name = "7"
            8:11: "0" is no FIDE ID | a FIDE ID is a number above 0, as on ratings.fide.com; take the line out if there is none
            9:24: `aliases` in [owner] must be a list of strings, not an integer | write aliases = ["90"]
            9:28: "?" is the unknown player, not a name | write a name or a nickname, or take it out
            9:33: the alias "MRossi90" stands there twice | take one out; case does not count
            13:9: `split` in [exports.all] cannot be "yaer" | did you mean `year`?
            16:8: [exports.copy] and [exports.all] both write to /home/mario/x/../all.pgn | give each export a file or a folder of its own
            17:9: `names` in [exports.copy] cannot be "mine" | known here: shown, original
            19:10: [exports.a b] has no `path` | add path = "~/chess/clean/all.pgn"
            19:10: "a b" cannot be the name of an export | it is typed on the command line: letters, digits, `-`, `_` and `.`
            20:1: unknown key `splt` in [exports.a b] | did you mean `split`?
            22:2: unknown section [sources] | known here: owner, exports, on_duplicate, min_free_space
        "#]],
    );
}

#[test]
fn what_is_no_toml_is_told_with_its_place() {
    check_errors(
        "[owner]\nfirst_name = Mario\nlast_name = \"Rossi\nfide_id = 85 0012\n",
        expect![[r#"
            2:14: string values must be quoted, expected literal string | the file must be TOML: key = "text", key = 1, [section]
            3:19: invalid basic string, expected `"` | the file must be TOML: key = "text", key = 1, [section]
            4:11: string values must be quoted, expected literal string | the file must be TOML: key = "text", key = 1, [section]
        "#]],
    );
}

/// reliability.md 24: a name that stands twice does not hide the other errors.
#[test]
fn a_section_that_stands_twice_does_not_hide_the_rest() {
    check_errors(
        "[exports.all]\npath = \"a.pgn\"\n[exports.all]\npath = \"b.pgn\"\n[ownr]\n",
        expect![[r#"
            3:10: `all` stands there twice | keep one of the two
            4:1: `path` stands there twice | keep one of the two
            5:2: unknown section [ownr] | did you mean `owner`?
        "#]],
    );
}

#[test]
fn sections_of_the_wrong_shape() {
    check_errors(
        "owner = \"Mario\"\n[exports]\npath = \"all.pgn\"\n",
        expect![[r#"
            1:9: `owner` must be a section, not a string | write [owner]
            3:1: [exports.path] must be a section | each of the exports has a name: write [exports.NAME] above it
        "#]],
    );
    check_errors(
        "exports = []\n[owner]\naliases = \"mrossi90\"\n",
        expect![[r#"
            1:11: `exports` must be a section, not an array | write [exports.NAME]
            3:11: `aliases` in [owner] must be a list of strings, not a string | write aliases = ["mrossi90"]
        "#]],
    );
}

#[test]
fn exports_do_not_get_into_each_others_way() {
    check_errors(
        r#"
[exports.year]
path = "/srv/chess/year"
split = "year"
[exports.inside]
path = "/srv/chess/year/all.pgn"
[exports.around]
path = "/srv/chess/"
split = "month"
[exports.folder]
path = "/srv/other/"
"#,
        expect![[r#"
            6:8: [exports.inside] writes inside /srv/chess/year, which belongs to [exports.year] | give each export a file or a folder of its own
            8:8: [exports.around] takes /srv/chess/, inside which [exports.year] writes | give each export a file or a folder of its own
            11:8: "/srv/other/" is a folder, but [exports.folder] writes one file | name a file (all.pgn), or say how to split: split = "year"
        "#]],
    );
    let beside =
        "[exports.a]\npath = '/srv/year'\nsplit = 'year'\n[exports.b]\npath = '/srv/year.pgn'";
    assert!(parse(beside).is_ok(), "a name that begins alike is another place");
}

/// Two spellings of one folder, one of them over a symbolic link.
#[test]
fn a_symbolic_link_does_not_hide_a_clash() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real");
    std::fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, folder.path().join("link")).unwrap();
    let text = "[exports.a]\npath = 'real/a.pgn'\n[exports.b]\npath = 'link/a.pgn'\n";
    let file = folder.path().join("config.toml");
    let problems = Config::parse(text.as_bytes(), &file, &environment()).unwrap_err();
    assert_eq!(problems.list.len(), 1, "{problems:?}");
}

#[test]
fn paths_that_lead_nowhere() {
    check_errors(
        "[exports.a]\npath = \"\"\n[exports.b]\npath = \"~anna/b.pgn\"\n",
        expect![[r#"
            2:8: "" is no path | write where the file is to be: path = "~/chess/all.pgn"
            4:8: "~anna/b.pgn" speaks of another user's home directory | write the whole path, or ~/ for your own
        "#]],
    );
    let nobody = Environment::default();
    let text = b"[exports.a]\npath = \"~/a.pgn\"";
    let problems = Config::parse(text, Path::new("/c.toml"), &nobody).unwrap_err();
    assert!(problems.list[0].message.contains("needs a home directory"));
}

#[test]
fn a_file_that_is_no_utf8() {
    let problems = Config::parse(b"a = 1\nb = \"M\xfcller\"", Path::new("/c.toml"), &environment());
    let problems = problems.unwrap_err();
    assert_eq!((problems.list[0].line, problems.list[0].column), (2, 7));
    assert!(problems.lines()[0].starts_with("/c.toml:2:7: the file is not UTF-8"));
}

/// names.md §3: an ID is compared without leading zeros.
#[test]
fn a_fide_id_may_be_typed_as_text() {
    let id = |text: &str| parse(text).unwrap().owner.fide_id;
    assert_eq!(id("[owner]\nfide_id = \" 00850012 \"").as_deref(), Some("850012"));
    assert_eq!(id("[owner]\nfide_id = 1_503_014").as_deref(), Some("1503014"));
    assert_eq!(id("[owner]\nfide_id = \"\""), None);
    for wrong in ["\"none\"", "-5", "0", "\"85 0012\"", "\"٣\""] {
        assert!(parse(&format!("[owner]\nfide_id = {wrong}")).is_err(), "{wrong}");
    }
}

/// The search order of the design: config files.
#[test]
fn the_first_config_that_is_there_counts() {
    let folder = tempfile::tempdir().unwrap();
    let xdg = folder.path().join("xdg");
    let user = xdg.join("gamekeeper/config.toml");
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    let mut env = Environment { xdg_config_home: Some(xdg), ..environment() };
    assert_eq!(env.user_config(), Some(user.clone()));
    fill(&user, "on_duplicate = 'keep'");
    assert_eq!(Config::load(&env).unwrap().0, Some(user));

    let (by_variable, by_option) = (folder.path().join("v.toml"), folder.path().join("o.toml"));
    env.config = Some(by_variable.clone());
    assert!(matches!(Config::load(&env), Err(ConfigError::Unreadable { .. })), "it was named");
    fill(&by_variable, "");
    assert_eq!(Config::load(&env).unwrap(), (Some(by_variable), Config::default()));
    fill(&by_option, "");
    env.config_option = Some(by_option.clone());
    assert_eq!(Config::load(&env).unwrap().0, Some(by_option));
}

fn fill(path: &Path, text: &str) {
    use std::io::Write as _;
    std::fs::File::create(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// The search order of the design: the archive's directory.
#[test]
fn the_state_directory_is_found() {
    let mut env = Environment::default();
    assert!(env.state_dir().is_err());
    let mut is = |change: &dyn Fn(&mut Environment), expected: &str| {
        change(&mut env);
        assert_eq!(env.state_dir().unwrap(), Path::new(expected));
    };
    is(&|e| e.home = Some("/home/m".into()), "/home/m/.local/state/gamekeeper");
    is(&|e| e.xdg_state_home = Some("/x".into()), "/x/gamekeeper");
    is(&|e| e.state_directory = Some("/var/lib/gk".into()), "/var/lib/gk");
    is(&|e| e.state_dir_option = Some("/gk".into()), "/gk");
}
