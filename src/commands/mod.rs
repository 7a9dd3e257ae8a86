//! One file for each subcommand: it prints what the modules below have worked out. No rule about
//! games or players is made here.

mod archive;
mod check;
mod completions;
mod context;
mod doctor;
mod export;
mod file;
mod game;
mod history;
mod import;
mod init;
mod man;
mod name;
mod output;
mod players;
mod progress;
mod rejected;
mod status;
mod why;

pub use context::{Context, Verbosity};
pub use output::Output;
pub use progress::Progress;

use crate::cli::{Cli, Command};
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs one command.
///
/// # Errors
/// Why it could not be done, with the exit code.
pub fn run(cli: Cli) -> Result<Exit, Failure> {
    match cli.command {
        Command::Archive(command) => archive::run(command, &Context::new(&cli.global)?),
        Command::Check => check::run(&cli.global),
        Command::Init { output } => init::run(output, &cli.global),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { path } => man::run(&path),
    }
}

/// The time, in seconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// A number of a game, player or rejected game that was typed.
fn number(typed: u64) -> Result<u32, Failure> {
    u32::try_from(typed).map_err(|_| {
        Failure::message(Exit::Failed, format!("there is no number {typed} in the archive"))
    })
}
