//! `[exports.NAME]`: the clean PGN that is written, and where.

use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::locate::Environment;
use super::problem::Collector;
use super::raw::RawExport;
use super::section::{Choice, quoted};

/// One configured export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// Its name on the command line: letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// The file, or with a split the folder, that belongs to this export alone. Absolute.
    pub path: PathBuf,
    /// How the games are spread over files.
    pub split: Split,
    /// Which names of the players are written.
    pub names: Names,
}

/// How an export spreads its games over files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// One file.
    #[default]
    None,
    /// A file for each year.
    Year,
    /// A file for each month.
    Month,
    /// A file for each player; a game stands in two.
    Player,
    /// A file for each opponent of the owner.
    Opponent,
    /// A file for each event.
    Event,
}

impl Choice for Split {
    const CHOICES: &'static [(&'static str, Split)] = &[
        ("none", Split::None),
        ("year", Split::Year),
        ("month", Split::Month),
        ("player", Split::Player),
        ("opponent", Split::Opponent),
        ("event", Split::Event),
    ];
}

impl Split {
    /// The word in the config.
    pub fn as_str(self) -> &'static str {
        word(self)
    }
}

/// Which names of the players an export writes (names.md §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Names {
    /// The name each player is shown under.
    #[default]
    Shown,
    /// The names as they came with the game.
    Original,
}

impl Choice for Names {
    const CHOICES: &'static [(&'static str, Names)] =
        &[("shown", Names::Shown), ("original", Names::Original)];
}

impl Names {
    /// The word in the config.
    pub fn as_str(self) -> &'static str {
        word(self)
    }
}

fn word<T: Choice + PartialEq>(choice: T) -> &'static str {
    let row = T::CHOICES.iter().find(|(_, one)| *one == choice);
    row.expect("every choice has its row").0
}

/// Validates all exports together; relative paths start at `folder`, that of the config file.
pub(super) fn check(
    raw: Vec<RawExport>,
    folder: &Path,
    environment: &Environment,
    problems: &Collector<'_>,
) -> Vec<Export> {
    let mut exports: Vec<Export> = Vec::with_capacity(raw.len());
    for typed in raw {
        check_name(&typed.name, problems);
        let Some(typed_path) = typed.path else {
            continue;
        };
        let path = match environment.expand(typed_path.get_ref(), folder) {
            Ok(path) => path,
            Err((message, hint)) => {
                problems.report(&typed_path.span(), message, hint);
                continue;
            }
        };
        let export = Export {
            name: typed.name.into_inner(),
            path,
            split: typed.split.unwrap_or_default(),
            names: typed.names.unwrap_or_default(),
        };
        if export.split == Split::None && typed_path.get_ref().ends_with('/') {
            let message = format!(
                "{} is a folder, but [exports.{}] writes one file",
                quoted(typed_path.get_ref()),
                export.name
            );
            let hint = "name a file (all.pgn), or say how to split: split = \"year\"";
            problems.report(&typed_path.span(), message, hint);
        }
        if let Some((message, hint)) = exports.iter().find_map(|other| clash(&export, other)) {
            problems.report(&typed_path.span(), message, hint);
        }
        exports.push(export);
    }
    exports
}

fn check_name(name: &Spanned<String>, problems: &Collector<'_>) {
    let text = name.get_ref();
    let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if text.is_empty() || text.starts_with('-') || !text.chars().all(plain) {
        let message = format!("{} cannot be the name of an export", quoted(text));
        let hint = "it is typed on the command line: letters, digits, `-`, `_` and `.`";
        problems.report(&name.span(), message, hint);
    }
}

/// What is wrong with two exports whose files would get into each other's way.
fn clash(export: &Export, other: &Export) -> Option<(String, &'static str)> {
    let (path, taken) = (settled(&export.path), settled(&other.path));
    let (mine, theirs) =
        (format!("[exports.{}]", export.name), format!("[exports.{}]", other.name));
    let message = if path == taken {
        format!("{mine} and {theirs} both write to {}", export.path.display())
    } else if path.starts_with(&taken) {
        format!("{mine} writes inside {}, which belongs to {theirs}", other.path.display())
    } else if taken.starts_with(&path) {
        format!("{mine} takes {}, inside which {theirs} writes", export.path.display())
    } else {
        return None;
    };
    Some((message, "give each export a file or a folder of its own"))
}

/// The path without `.`, `..` and, as far as it exists, symbolic links: two spellings of one place
/// become equal.
fn settled(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
        if let Ok(real) = plain.canonicalize() {
            plain = real;
        }
    }
    plain
}
