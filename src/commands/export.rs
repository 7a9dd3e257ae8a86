//! `export`: clean PGN for other programs.

use std::path::Path;

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::config::{Export, Names, Owner, Split};
use crate::exit::Exit;
use crate::export::{Exported, LostTexts, Made, export, export_to_file, for_each_game};
use crate::failure::Failure;

#[derive(Serialize)]
struct Report {
    games: u64,
    files: u64,
}

/// Writes the named exports of the config, all where none is named, or one file.
pub(super) fn run(
    names: &[String],
    output: Option<&Path>,
    context: &Context,
) -> Result<Exit, Failure> {
    let mut done = Vec::new();
    match output {
        Some(path) if path.as_os_str() == "-" => return to_stdout(context),
        Some(path) => {
            let path = std::path::absolute(path)
                .map_err(|error| Failure::io(format!("cannot write {}", path.display()), error))?;
            outside_archive(&path, context)?;
            let exported = export_to_file(&open(context)?, &path, Names::Shown)?;
            done.push((path.display().to_string(), exported));
        }
        None => {
            let wanted = wanted(names, context)?;
            let store = open(context)?;
            let owner = context.config.owner.profile();
            for wanted in wanted {
                outside_archive(&wanted.path, context)?;
                done.push((wanted.name.clone(), export(&store, wanted, &owner)?));
            }
        }
    }
    let refused: Vec<_> = done.iter().flat_map(|(_, exported)| &exported.refused).collect();
    for error in &refused {
        tracing::error!("{error}");
    }
    let left_out: usize = done.iter().map(|(_, exported)| tell_lost(&exported.lost)).sum();
    let sum = |count: fn(&Exported) -> u64| done.iter().map(|(_, exported)| count(exported)).sum();
    let report =
        Report { games: sum(|exported| exported.games), files: sum(|exported| exported.files) };
    Output::new(context.json).result(&report, |out| {
        for (name, exported) in &done {
            writeln!(out, "{name}: {} games in {} files", exported.games, exported.files)?;
        }
        Ok(())
    })?;
    Ok(if refused.is_empty() && left_out == 0 { Exit::Done } else { Exit::Partial })
}

/// Tells which games' texts are lost; how many games were left out.
fn tell_lost(lost: &LostTexts) -> usize {
    for line in &lost.by_copy {
        tracing::warn!("{line}");
    }
    for line in &lost.left_out {
        tracing::error!("{line}");
    }
    if !lost.left_out.is_empty() {
        let hint = "put back a sound copy of that file, or import the games again";
        tracing::error!("{} games are left out: {hint}", lost.left_out.len());
    }
    lost.left_out.len()
}

/// All games to stdout, and nothing else.
fn to_stdout(context: &Context) -> Result<Exit, Failure> {
    let store = open(context)?;
    let mut out = Output::new(false);
    let each = |made: Made| out.bytes(&made.text);
    let lost = for_each_game(&store, Names::Shown, |_| Vec::new(), each)?;
    out.finish()?;
    Ok(if tell_lost(&lost) == 0 { Exit::Done } else { Exit::Partial })
}

/// An export must never write over the archive itself.
fn outside_archive(path: &Path, context: &Context) -> Result<(), Failure> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let archive = real(&context.state_dir);
    if path.ancestors().any(|folder| real(folder) == archive) {
        let message = format!("{} is inside the archive {}", path.display(), archive.display());
        return Err(Failure::message(Exit::Failed, message).hint("export to another folder"));
    }
    Ok(())
}

fn wanted<'a>(names: &[String], context: &'a Context) -> Result<Vec<&'a Export>, Failure> {
    let exports = &context.config.exports;
    if exports.is_empty() {
        return Err(Failure::message(Exit::Config, "the config has no exports")
            .hint("name a file: gamekeeper export --output clean.pgn"));
    }
    let has_owner = context.config.owner != Owner::default();
    if let Some(export) = exports.iter().find(|e| e.split == Split::Opponent && !has_owner) {
        let message =
            format!("[exports.{}] splits by opponent, and nobody is the owner", export.name);
        return Err(Failure::message(Exit::Config, message).hint("say who you are: [owner]"));
    }
    if names.is_empty() {
        return Ok(exports.iter().collect());
    }
    let find = |name: &String| {
        exports.iter().find(|export| export.name == *name).ok_or_else(|| {
            let known: Vec<_> = exports.iter().map(|export| export.name.as_str()).collect();
            Failure::message(Exit::Failed, format!("the config has no export {name:?}"))
                .hint(format!("it has {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}
