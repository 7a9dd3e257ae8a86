//! `gamekeeper init`: a config file to start from. It never overwrites one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use super::Output;
use super::context::environment;
use crate::cli::Global;
use crate::config::{EXAMPLE, NoHome};
use crate::exit::Exit;
use crate::failure::Failure;

#[derive(Serialize)]
struct Report {
    path: String,
}

/// Writes the example to `output`, or to where the config is looked for first.
pub(super) fn run(output: Option<PathBuf>, global: &Global) -> Result<Exit, Failure> {
    let environment = environment(global);
    let target =
        output.or_else(|| environment.named_config()).or_else(|| environment.user_config());
    let path = target.ok_or_else(|| {
        Failure::new(Exit::Config, NoHome).hint("set $HOME, or name the file: --output FILE")
    })?;
    let shown = path.display().to_string();
    if path.is_dir() {
        let failure = Failure::message(Exit::Failed, format!("{shown} is a folder"));
        return Err(failure.hint("name the file: --output FILE"));
    }
    write_new(&path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::message(Exit::Failed, format!("{shown} exists and is left as it is"))
                .hint("choose another file with --output, or move that one away first")
        }
        _ => Failure::io(format!("cannot write {shown}"), error),
    })?;
    let report = Report { path: shown };
    Output::new(global.json).result(&report, |out| writeln!(out, "wrote {}", report.path))?;
    Ok(Exit::Done)
}

/// The file is there as a whole, and for good, or not at all.
fn write_new(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(EXAMPLE.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    fs::File::open(folder)?.sync_all()
}
