//! Arguments → run → exit code; the only place that prints an error.

use std::any::Any;
use std::io::{IsTerminal, Write, stderr};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use gamekeeper::cli::Cli;
use gamekeeper::commands::{self, Verbosity};
use gamekeeper::exit::Exit;
use gamekeeper::failure::Failure;
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
    outlive_file_size_limit();
    // A fault is told in words; where it is stands in the log.
    panic::set_hook(Box::new(|fault| tracing::debug!("{fault}")));
    let done = catch_unwind(AssertUnwindSafe(|| commands::run(cli)));
    match done.unwrap_or_else(|fault| Err(fault_of_ours(fault.as_ref()))) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // With stderr gone there is nobody left to tell; the exit code still does.
            let _ = write!(stderr().lock(), "{failure}");
            failure.exit().into()
        }
    }
}

/// A write beyond the limit on the size of files fails, like one to a full disk, instead of ending
/// the process (reliability.md 17). Where the signal cannot be caught it stays as it was.
fn outlive_file_size_limit() {
    let met = Arc::new(AtomicBool::new(false));
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, met) {
        tracing::debug!("cannot catch SIGXFSZ: {error}");
    }
}

/// What the program says of a panic, of its own or of a library.
fn fault_of_ours(fault: &(dyn Any + Send)) -> Failure {
    let text = fault.downcast_ref::<String>().map(String::as_str);
    let text = text.or(fault.downcast_ref::<&str>().copied()).unwrap_or("no reason is known");
    Failure::message(Exit::Failed, format!("a fault of gamekeeper: {text}"))
        .hint("run the command again: what was reported is safe. Please report the fault, with what -vv tells")
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
        // A line that cannot be written is no reason to write another.
        .log_internal_errors(false)
        .with_ansi(stderr().is_terminal())
        .with_target(false)
        .without_time()
        .init();
}
