//! `gamekeeper completions`: what a shell needs to complete command lines.

use clap::CommandFactory;
use clap_complete::Shell;

use super::Output;
use crate::cli::Cli;
use crate::exit::Exit;
use crate::failure::Failure;

/// Prints the script for one shell.
pub(super) fn run(shell: Shell) -> Result<Exit, Failure> {
    // Into memory first: the generator panics when it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "gamekeeper", &mut script);
    let mut output = Output::new(false);
    output.bytes(&script)?;
    output.finish()?;
    Ok(Exit::Done)
}
