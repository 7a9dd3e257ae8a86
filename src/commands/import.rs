//! `import`: files, folders and stdin into the archive.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::archive::open;
use super::{Context, Output, Progress};
use crate::cli;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Found, Input, InputError, Limits, Text, walk};
use crate::pipeline::{Ended, Feed, Import, Options, Trouble, import};
use crate::store::{Counts, Store};

/// Bytes read at a time.
const PIECE: usize = 256 << 10;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    counts: Counts,
    seconds: f64,
}

/// Imports what the paths stand for.
pub(super) fn run(paths: &[cli::Input], dry_run: bool, context: &Context) -> Result<Exit, Failure> {
    let began = Instant::now();
    let paths = absolute(paths);
    let mut store = open(context)?;
    store.keep_free(context.config.min_free_space)?;
    let done = take(&mut store, &paths, dry_run, context)?;
    let report = Report { counts: done.counts, seconds: began.elapsed().as_secs_f64() };
    Output::new(context.json).result(&report, |out| {
        let Counts { read, new, duplicates, updated, rejected } = report.counts;
        let dry = if dry_run { "would be: " } else { "" };
        writeln!(
            out,
            "{dry}{read} read = {new} new + {duplicates} duplicates + {updated} updated + {rejected} \
             rejected, in {:.1} s",
            report.seconds
        )
    })?;
    Ok(match (done.broken, done.counts) {
        (0, counts) if counts.rejected == 0 && done.stray == 0 => Exit::Done,
        (1.., counts) if counts.read == 0 => Exit::Failed,
        _ => Exit::Partial,
    })
}

fn take(
    store: &mut Store,
    paths: &[PathBuf],
    dry_run: bool,
    context: &Context,
) -> Result<Import, Failure> {
    let options = Options {
        on_duplicate: context.config.on_duplicate,
        encoding: String::new(),
        dry_run,
        now: super::now,
    };
    let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    store.begin_run(&format!("import {}", names.join(" ")), super::now())?;
    let bar = Progress::new(context.verbosity, total(paths));
    let mut progress = |progress: &crate::pipeline::Progress| {
        let counts = progress.counts;
        bar.set(progress.position, counts.read);
        let (safe, rejected) = (counts.read - counts.rejected, counts.rejected);
        if !dry_run {
            tracing::info!("{safe} games are safe ({} new), {rejected} rejected", counts.new);
        }
    };
    let mut trouble = |trouble: &Trouble| bar.pause(|| tell(trouble));
    let done = import(store, |feed| read_all(feed, paths), &options, &mut progress, &mut trouble)?;
    if !dry_run {
        store.end_run(super::now())?;
    }
    Ok(done)
}

/// Feeds every file there is.
fn read_all(feed: &mut Feed<'_>, paths: &[PathBuf]) -> Result<(), Ended> {
    let limits = Limits::default();
    let mut done = 0;
    for found in walk(paths.iter().cloned()) {
        match found.and_then(|found| Input::open(&found, &limits)) {
            Ok(input) => done += read_file(feed, input, done)?,
            Err(error) => feed.broken(error.to_string())?,
        }
    }
    Ok(())
}

/// Feeds all texts of a file; its size on disk.
fn read_file(feed: &mut Feed<'_>, mut input: Input, done: u64) -> Result<u64, Ended> {
    let progress = input.progress();
    while let Some(text) = input.next_text() {
        let fed = match text {
            Ok(text) => read_text(feed, text, || done + progress.read())?,
            Err(error) => Err(error),
        };
        if let Err(error) = fed {
            feed.broken(error.to_string())?;
        }
    }
    if input.changed_while_read() {
        feed.broken(format!("{} was changed while it was read: import it again", input.name()))?;
    }
    Ok(progress.read())
}

fn read_text(
    feed: &mut Feed<'_>,
    mut text: Text<'_>,
    position: impl Fn() -> u64,
) -> Result<Result<(), InputError>, Ended> {
    feed.begin(text.name())?;
    let mut buffer = vec![0; PIECE];
    loop {
        match text.next_piece(&mut buffer) {
            Ok(0) => return feed.end().map(Ok),
            Ok(length) => feed.piece(&buffer[..length], position())?,
            Err(error) => {
                feed.break_off()?;
                return Ok(Err(error));
            }
        }
    }
}

/// Paths as they are from everywhere: a source is known by its path.
fn absolute(paths: &[cli::Input]) -> Vec<PathBuf> {
    let absolute = |path: &cli::Input| match path {
        cli::Input::Stdin => PathBuf::from("-"),
        // A path that is none is told of when it is opened, and the others are read.
        cli::Input::Path(path) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
    };
    paths.iter().map(absolute).collect()
}

/// Bytes of all files, for the progress bar; `None` where stdin is among them.
fn total(paths: &[PathBuf]) -> Option<u64> {
    let mut total = 0;
    for found in walk(paths.iter().cloned()).flatten() {
        match found {
            Found::Stdin => return None,
            Found::Named(path) | Found::InFolder(path) => total += size(&path),
        }
    }
    Some(total)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn tell(trouble: &Trouble) {
    match trouble {
        Trouble::Rejected { source, rejection } => {
            tracing::warn!("{source}:{}: rejected: {rejection}", rejection.line);
        }
        Trouble::Stray { source, rejection } => {
            tracing::warn!("{source}:{}: passed over: {rejection}", rejection.line);
        }
        Trouble::Broken { message } => tracing::error!("{message}"),
    }
}
