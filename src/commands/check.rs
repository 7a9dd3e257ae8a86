//! `gamekeeper check`: is the config sound, and what does it come to?

use std::io::Write;

use serde::Serialize;

use super::Output;
use super::context::environment;
use crate::cli::Global;
use crate::config::{Config, ConfigError, Export, OnDuplicate, Problem};
use crate::exit::Exit;
use crate::failure::Failure;

#[derive(Serialize)]
struct Report {
    config: Option<String>,
    state_dir: String,
    owner: OwnerReport,
    exports: Vec<ExportReport>,
    on_duplicate: &'static str,
    min_free_space: u64,
    problems: Vec<ProblemReport>,
}

#[derive(Serialize)]
struct OwnerReport {
    first_name: String,
    last_name: String,
    fide_id: Option<String>,
    aliases: Vec<String>,
}

#[derive(Serialize)]
struct ExportReport {
    name: String,
    path: String,
    split: &'static str,
    names: &'static str,
}

#[derive(Serialize)]
struct ProblemReport {
    line: usize,
    column: usize,
    message: String,
    hint: String,
}

/// Prints what was found. With errors in the config the exit code is 10; they stand in the JSON
/// as well as on stderr.
pub(super) fn run(global: &Global) -> Result<Exit, Failure> {
    let environment = environment(global);
    let state_dir = environment.state_dir()?.display().to_string();
    let (file, config) = match Config::load(&environment) {
        Ok(found) => found,
        Err(ConfigError::Invalid(problems)) if global.json => {
            let list = problems.list.iter().cloned().map(ProblemReport::from).collect();
            let file = problems.file.display().to_string();
            let report = Report::new(Some(file), state_dir, Config::default(), list);
            Output::new(true).result(&report, |_| Ok(()))?;
            return Err(ConfigError::Invalid(problems).into());
        }
        Err(error) => return Err(error.into()),
    };
    let file = file.map(|file| file.display().to_string());
    let report = Report::new(file, state_dir, config, Vec::new());
    Output::new(global.json).result(&report, |out| report.for_people(out))?;
    Ok(Exit::Done)
}

impl Report {
    fn new(
        config_file: Option<String>,
        state_dir: String,
        config: Config,
        problems: Vec<ProblemReport>,
    ) -> Report {
        Report {
            config: config_file,
            state_dir,
            owner: OwnerReport {
                first_name: config.owner.first_name,
                last_name: config.owner.last_name,
                fide_id: config.owner.fide_id,
                aliases: config.owner.aliases,
            },
            exports: config.exports.into_iter().map(ExportReport::from).collect(),
            on_duplicate: match config.on_duplicate {
                OnDuplicate::Complete => "complete",
                OnDuplicate::Keep => "keep",
            },
            min_free_space: config.min_free_space,
            problems,
        }
    }

    fn for_people(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match &self.config {
            Some(file) => writeln!(out, "config   {file}: no errors")?,
            None => writeln!(out, "config   none: everything has its default")?,
        }
        writeln!(out, "archive  {}", self.state_dir)?;
        let owner = &self.owner;
        let name = format!("{} {}", owner.first_name, owner.last_name);
        let id = owner.fide_id.as_ref().map(|id| format!("FIDE ID {id}"));
        let known: Vec<&str> = std::iter::once(name.trim())
            .chain(id.as_deref())
            .chain(owner.aliases.iter().map(String::as_str))
            .filter(|part| !part.is_empty())
            .collect();
        let known = if known.is_empty() { "not given".to_owned() } else { known.join(", ") };
        writeln!(out, "owner    {known}")?;
        for ExportReport { name, path, split, names } in &self.exports {
            writeln!(out, "export   {name}: {path} (split {split}, {names} names)")?;
        }
        Ok(())
    }
}

impl From<Export> for ExportReport {
    fn from(export: Export) -> ExportReport {
        ExportReport {
            name: export.name,
            path: export.path.display().to_string(),
            split: export.split.as_str(),
            names: export.names.as_str(),
        }
    }
}

impl From<Problem> for ProblemReport {
    fn from(problem: Problem) -> ProblemReport {
        let Problem { line, column, message, hint } = problem;
        ProblemReport { line, column, message, hint }
    }
}
