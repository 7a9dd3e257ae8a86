//! Arguments → run → exit code; the only place that prints an error.

use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use gamekeeper::cli::Cli;
use gamekeeper::commands::{self, Verbosity};
use rustix::fs::Mode;
use tracing_subscriber::filter::LevelFilter;

/// Games are made on one thread and freed on another, a few hundred pieces each: where the system's
/// allocator spends a quarter of an import, this one hardly shows.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Whatever this process creates is its user's alone (reliability.md 37).
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let cli = Cli::parse();
    start_log(Verbosity::from(&cli.global));
    match commands::run(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // With stderr gone there is nobody left to tell; the exit code still does.
            let _ = write!(stderr().lock(), "{failure}");
            failure.exit().into()
        }
    }
}

/// Log lines go to stderr, in colour only on a terminal.
fn start_log(verbosity: Verbosity) {
    let level = match verbosity {
        Verbosity::Quiet => LevelFilter::ERROR,
        Verbosity::Normal => LevelFilter::WARN,
        Verbosity::Verbose => LevelFilter::INFO,
        Verbosity::Debug => LevelFilter::DEBUG,
        Verbosity::Trace => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .with_target(false)
        .without_time()
        .init();
}
