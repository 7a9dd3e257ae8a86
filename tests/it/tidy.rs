//! The source tree keeps to `docs/ARCHITECTURE.md`: the arrows between modules, the purity of the
//! rules, the size of files, the layout. What the compiler proves or clippy tells is not repeated.

use std::fs;
use std::path::{Path, PathBuf};

/// What each module of `src/` may use of the others. A module that is not here has no place yet.
const ARROWS: &[(&str, &[&str])] = &[
    ("game", &[]),
    ("name", &["game"]),
    ("dedup", &["game", "name"]),
    ("space", &[]),
    ("store", &["game", "name", "dedup", "space"]),
    ("pipeline", &["game", "dedup", "store", "config"]),
    ("input", &[]),
    ("export", &["game", "name", "dedup", "store", "config", "space"]),
    ("config", &["name"]),
    ("cli", &[]),
    ("exit", &[]),
    ("failure", &["exit", "space"]),
    (
        "commands",
        &[
            "game", "name", "dedup", "pipeline", "store", "export", "config", "cli", "exit",
            "failure", "commands", "input",
        ],
    ),
];

/// Modules without I/O, clock and async, and what would break that.
const PURE: &[&str] = &["game", "name", "dedup"];
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::os",
    "io::stdin",
    "io::stdout",
    "io::stderr",
    "File::",
    "SystemTime",
    "Instant::",
    "Zoned::now",
    "Timestamp::now",
    "async ",
    ".await",
    "tokio",
    "sled::",
    "tracing::",
];

/// The files and folders that may stand at the top; hidden ones and build output aside.
const TOP: &[&str] = &[
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "benches",
    "clippy.toml",
    "config.example.toml",
    "deny.toml",
    "docs",
    "examples",
    "fuzz",
    "sources",
    "src",
    "systemd",
    "target",
    "tests",
];
const NEEDED: &[&str] = &[
    ".ci/run",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "config.example.toml",
    "deny.toml",
    "docs/ARCHITECTURE.md",
    "sources",
    "src",
    "tests/it",
];

/// One Rust file.
struct Source {
    /// Relative to the project, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// The module of `src/` it belongs to; none for `lib.rs`, `main.rs` and the other crates.
    fn module(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let first = inside.split('/').next()?;
        let name = first.strip_suffix(".rs").unwrap_or(first);
        (name != "lib" && name != "main").then_some(name)
    }

    /// True for what is no part of the program.
    fn is_test(&self) -> bool {
        ["tests/", "benches/", "fuzz/"].iter().any(|folder| self.path.starts_with(folder))
            || self.path.split('/').any(|part| part == "tests" || part == "tests.rs")
    }

    /// Lines of code with their numbers, up to the tests at the end of the file; no comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines: Vec<&str> =
            if self.is_test() { Vec::new() } else { self.text.lines().collect() };
        let tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].ends_with('{');
        let end = lines.windows(2).position(tests).unwrap_or(lines.len());
        lines.into_iter().take(end).enumerate().filter_map(|(index, line)| {
            let code = line.split(" // ").next().unwrap_or_default();
            (!code.trim_start().starts_with("//")).then_some((index + 1, code))
        })
    }

    /// `path:line` of every line of code in which one of `words` stands.
    fn places(&self, words: &[impl AsRef<str>]) -> Vec<String> {
        let mut places = Vec::new();
        for (number, code) in self.code() {
            for word in words.iter().map(AsRef::as_ref).filter(|word| code.contains(word)) {
                places.push(format!("{}:{number}: {word}", self.path));
            }
        }
        places
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below the given folders, those of build output aside.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with("target") => {}
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<Source> {
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let all: Vec<Source> = files(&["src", "sources", "tests", "benches", "fuzz"])
        .into_iter()
        .filter(is_rust)
        .map(|path| Source {
            text: fs::read_to_string(&path).unwrap(),
            path: path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(),
        })
        .collect();
    assert!(all.iter().any(|source| source.path == "src/lib.rs"), "the tree was not found");
    all
}

#[track_caller]
fn assert_none(found: Vec<String>, rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

/// The names that follow `crate::` in a line of code, those of a `crate::{a, b}` too.
fn used_modules(code: &str) -> Vec<&str> {
    let name = |text: &'_ str| text.find(|c: char| c != '_' && !c.is_alphanumeric());
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let list = rest.strip_prefix('{').map(|list| list.split('}').next().unwrap_or(list));
        match list {
            Some(list) => used.extend(
                list.split(',')
                    .map(str::trim)
                    .map(|item| &item[..name(item).unwrap_or(item.len())]),
            ),
            None => used.push(&rest[..name(rest).unwrap_or(rest.len())]),
        }
    }
    used.retain(|name| !name.is_empty());
    used
}

#[test]
fn arrows_point_one_way() {
    assert_eq!(used_modules("use crate::{game::Tag, name};"), ["game", "name"]);
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(module) = source.module() else {
            continue;
        };
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: the module has no place in ARROWS", source.path));
            continue;
        };
        for (number, code) in source.code() {
            for used in used_modules(code) {
                let is_module = ARROWS.iter().any(|(name, _)| *name == used);
                if is_module && used != module && !allowed.contains(&used) {
                    wrong.push(format!("{}:{number}: {module} → {used}", source.path));
                }
            }
        }
    }
    assert_none(wrong, "modules may use only what stands below them");
}

#[test]
fn the_rules_are_pure() {
    let pure = |source: &Source| source.module().is_some_and(|module| PURE.contains(&module));
    let found = sources().iter().filter(|s| pure(s)).flat_map(|s| s.places(IMPURE)).collect();
    assert_none(found, "game, name and dedup do no I/O and know neither clock nor async");
}

/// A source of games touches neither the archive nor another source.
#[test]
fn sources_depend_on_their_api_only() {
    let mut wrong = Vec::new();
    for manifest in files(&["sources"]).iter().filter(|path| path.ends_with("Cargo.toml")) {
        let table: toml::Table = toml::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, wanted) in table.get(kind).and_then(|t| t.as_table()).into_iter().flatten() {
                let local = wanted.get("path").is_some() || name.starts_with("gamekeeper");
                if local && name != "gamekeeper-source" {
                    wrong.push(format!("{}: {name}", manifest.display()));
                }
            }
        }
    }
    assert_none(wrong, "a source depends on sources/api only");
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut wrong = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > 500 {
            wrong.push(format!("{}: {lines} lines, 500 are the most", source.path));
        }
        if !source.text.starts_with("//!") {
            wrong.push(format!("{}: does not begin with //!", source.path));
        }
        let stem = Path::new(&source.path).file_stem().unwrap().to_str().unwrap();
        if ["util", "utils", "helper", "helpers", "manager", "common", "misc"].contains(&stem) {
            wrong.push(format!("{}: the name says nothing", source.path));
        }
    }
    assert_none(wrong, "one concept a file");
}

#[test]
fn nothing_is_left_unfinished_and_only_commands_print() {
    let mut wrong = Vec::new();
    for source in sources() {
        let words = [".unwrap()", "todo!", "unimplemented!", "dbg!(", "#[ignore"];
        wrong.extend(source.places(&words));
        if !source.path.starts_with("src/commands/") {
            wrong.extend(source.places(&[
                "println!",
                "print!(",
                "eprintln!",
                "eprint!(",
                "io::stdout",
            ]));
        }
    }
    assert_none(wrong, "no unwrap, nothing unfinished, no printing outside commands");
}

#[test]
fn the_text_knows_no_machine_and_no_loose_ends() {
    // In two pieces, or they would be found here.
    let pieces = [("/wor", "k/"), ("/roo", "t/"), ("TO", "DO"), ("FIX", "ME"), ("XX", "X:")];
    let words = pieces.map(|(a, b)| format!("{a}{b}"));
    let mut paths = files(&[
        "src", "sources", "tests", "benches", "fuzz", "docs", "examples", ".ci", "systemd",
    ]);
    paths.extend(NEEDED.iter().map(|name| root().join(name)).filter(|path| path.is_file()));
    let mut wrong = Vec::new();
    for path in paths {
        // Test data may hold bytes of any kind; it says nothing about the project.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            for word in words.iter().filter(|word| line.contains(word.as_str())) {
                wrong.push(format!("{}:{}: {word}", path.display(), index + 1));
            }
        }
    }
    assert_none(wrong, "the project's text speaks of the project alone");
}

#[test]
fn the_top_level_is_as_it_was_fixed() {
    let missing = NEEDED.iter().filter(|name| !root().join(name).exists());
    let mut wrong: Vec<String> = missing.map(|name| format!("{name} is missing")).collect();
    for entry in fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.starts_with('.') && !TOP.contains(&name.as_str()) {
            wrong.push(format!("{name} has no place at the top"));
        }
    }
    assert_none(wrong, "the top level is fixed (docs/ARCHITECTURE.md)");
}

/// The README tells every exit code as the program does.
#[test]
fn the_readme_tells_the_exit_codes() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let row = |exit: &gamekeeper::exit::Exit| format!("| {} | {}", exit.code(), exit.meaning());
    let missing = gamekeeper::exit::Exit::ALL.iter().map(row).filter(|row| !readme.contains(row));
    assert_none(missing.collect(), "README.md does not have these rows");
}
