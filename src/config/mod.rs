//! The config file: [`raw`](self) as it was typed, then validated. Every error of meaning is told
//! in one run, each with its line and a hint; no option is ever silently ignored or guessed.
//!
//! Invariant: a [`Config`] is valid as a whole, or there is none.

mod exports;
mod locate;
mod owner;
mod problem;
mod raw;
mod section;
mod space;

use std::io;
use std::path::{Path, PathBuf};

pub use exports::{Export, Names, Split};
pub use locate::{Environment, NoHome};
pub use owner::Owner;
pub use problem::{Problem, Problems};

use problem::Collector;
use raw::RawConfig;
use section::Choice;

/// The example config file: every option, its default and why.
pub const EXAMPLE: &str = include_str!("../../config.example.toml");

/// Bytes that must stay free on the disk of the archive, unless the config says otherwise.
const MIN_FREE_SPACE: u64 = 256 << 20;

/// What the user has settled, with defaults for the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Whose archive it is.
    pub owner: Owner,
    /// The exports in the order of the file; no two of them write to the same place.
    pub exports: Vec<Export>,
    /// What a later copy of a game is good for.
    pub on_duplicate: OnDuplicate,
    /// Bytes that must stay free on the disk of the archive: importing stops before it is full.
    pub min_free_space: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            owner: Owner::default(),
            exports: Vec::new(),
            on_duplicate: OnDuplicate::default(),
            min_free_space: MIN_FREE_SPACE,
        }
    }
}

/// What a later copy of a game is good for (names.md §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDuplicate {
    /// Tags, comments and clocks that the first copy lacks are added to it.
    #[default]
    Complete,
    /// Nothing is added.
    Keep,
}

impl Choice for OnDuplicate {
    const CHOICES: &'static [(&'static str, OnDuplicate)] =
        &[("complete", OnDuplicate::Complete), ("keep", OnDuplicate::Keep)];
}

/// Why there is no config.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the config file {}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file can be read, but not understood.
    #[error(transparent)]
    Invalid(#[from] Problems),
}

impl Config {
    /// Reads the config file that `environment` finds (design: `--config`, `$GAMEKEEPER_CONFIG`,
    /// the user's, the system's) and tells which it was. Without any, everything has its default.
    ///
    /// # Errors
    /// A file that was named but is not there, cannot be read, or has errors.
    pub fn load(environment: &Environment) -> Result<(Option<PathBuf>, Config), ConfigError> {
        let unreadable =
            |file: &Path, source| ConfigError::Unreadable { file: file.into(), source };
        if let Some(named) = environment.named_config() {
            let bytes = std::fs::read(&named).map_err(|error| unreadable(&named, error))?;
            let config = Config::parse(&bytes, &named, environment)?;
            return Ok((Some(named), config));
        }
        for file in environment.usual_configs() {
            match std::fs::read(&file) {
                Ok(bytes) => {
                    let config = Config::parse(&bytes, &file, environment)?;
                    return Ok((Some(file), config));
                }
                Err(error) if absent(&error) => {}
                Err(error) => return Err(unreadable(&file, error)),
            }
        }
        Ok((None, Config::default()))
    }

    /// Reads the bytes of the config file `file`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(bytes: &[u8], file: &Path, environment: &Environment) -> Result<Config, Problems> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return Err(not_utf8(bytes, error.valid_up_to(), file)),
        };
        let problems = Collector::new(text);
        let raw = RawConfig::read(text, &problems);
        let folder = file.parent().unwrap_or(Path::new(""));
        let config = Config {
            owner: Owner::check(raw.owner, &problems),
            exports: exports::check(raw.exports, folder, environment, &problems),
            on_duplicate: raw.on_duplicate.unwrap_or_default(),
            min_free_space: raw
                .min_free_space
                .and_then(|typed| space::check(&typed, &problems))
                .unwrap_or(MIN_FREE_SPACE),
        };
        problems.finish(file).map_or(Ok(config), Err)
    }
}

/// True when a file is simply not there.
fn absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn not_utf8(bytes: &[u8], offset: usize, file: &Path) -> Problems {
    let (line, column) = problem::position(bytes, offset);
    let message = "the file is not UTF-8 from here on".to_owned();
    let hint = "save it again as UTF-8".to_owned();
    Problems { file: file.to_owned(), list: vec![Problem { line, column, message, hint }] }
}

#[cfg(test)]
mod tests;
