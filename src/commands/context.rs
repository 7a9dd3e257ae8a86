//! What every command that works on an archive needs to know before it starts.

use std::path::PathBuf;

use crate::cli::Global;
use crate::config::{Config, ConfigError, Environment, NoHome};
use crate::exit::Exit;
use crate::failure::Failure;

/// The config, the archive's place, and how to talk to whoever called.
#[derive(Debug)]
pub struct Context {
    /// The config, valid as a whole.
    pub config: Config,
    /// The directory of the archive; it need not exist yet. Absolute.
    pub state_dir: PathBuf,
    /// Print JSON instead of words for people.
    pub json: bool,
    /// How much to tell on stderr.
    pub verbosity: Verbosity,
}

/// How much is told on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors alone, no progress.
    Quiet,
    /// Warnings and progress.
    Normal,
    /// What is done, step by step.
    Verbose,
    /// For whoever looks for a fault.
    Debug,
    /// Everything.
    Trace,
}

impl Context {
    pub(super) fn new(global: &Global) -> Result<Context, Failure> {
        let environment = environment(global);
        let (file, config) = Config::load(&environment)?;
        let state_dir = environment.state_dir()?;
        match &file {
            Some(file) => tracing::info!("config file: {}", file.display()),
            None => tracing::info!("no config file: everything has its default"),
        }
        tracing::info!("archive: {}", state_dir.display());
        let verbosity = Verbosity::from(global);
        Ok(Context { config, state_dir, json: global.json, verbosity })
    }
}

/// Where this process was told to look for things.
pub(super) fn environment(global: &Global) -> Environment {
    Environment::of_process(global.config.clone(), global.state_dir.clone())
}

impl From<&Global> for Verbosity {
    fn from(global: &Global) -> Verbosity {
        match global.verbose {
            0 if global.quiet => Verbosity::Quiet,
            0 => Verbosity::Normal,
            1 => Verbosity::Verbose,
            2 => Verbosity::Debug,
            _ => Verbosity::Trace,
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        let details = match &error {
            ConfigError::Invalid(problems) => problems.lines(),
            ConfigError::Unreadable { .. } => Vec::new(),
        };
        Failure::new(Exit::Config, error).details(details)
    }
}

impl From<NoHome> for Failure {
    fn from(error: NoHome) -> Failure {
        Failure::new(Exit::Config, error).hint("set $HOME, or name the place: --state-dir DIR")
    }
}
