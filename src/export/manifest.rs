//! The list of the files that an export wrote into its folder: what it may replace and remove.
//!
//! It stands in the folder itself, so that it goes where the folder goes, and is replaced
//! atomically like every file there.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::atomic::{AtomicFile, EXPORT_MODE, Existing};
use super::error::ExportError;
use super::slug::FileName;

/// The list's name. It begins with a dot, as no [`FileName`] does.
pub(super) const MANIFEST_NAME: &str = ".gamekeeper-export.json";

const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Version of this list's format.
    gamekeeper_export: u32,
    /// Names of files, sorted.
    files: Vec<String>,
}

/// The names listed in `folder`; none where there is no list yet.
pub(super) fn read(folder: &Path) -> Result<BTreeSet<FileName>, ExportError> {
    let path = path_in(folder);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(ExportError::io(&path, "be read")(error)),
    };
    let bad = |why: String| ExportError::BadManifest { path: path.clone(), why };
    let written: Written = serde_json::from_slice(&text).map_err(|e| bad(e.to_string()))?;
    if written.gamekeeper_export != FORMAT {
        return Err(bad(format!("its format is {}, not {FORMAT}", written.gamekeeper_export)));
    }
    let parse = |name: &String| {
        FileName::parse(name).ok_or_else(|| bad(format!("{name:?} is no name of an export's file")))
    };
    written.files.iter().map(parse).collect()
}

/// Replaces the list in `folder`, where it is another one.
pub(super) fn write(folder: &Path, names: &BTreeSet<FileName>) -> Result<(), ExportError> {
    let written = Written {
        gamekeeper_export: FORMAT,
        files: names.iter().map(|name| name.as_str().to_owned()).collect(),
    };
    let path = path_in(folder);
    let mut text = serde_json::to_string_pretty(&written)
        .map_err(|e| ExportError::io(&path, "be written")(e.into()))?;
    text.push('\n');
    let mut file = AtomicFile::create(&path, EXPORT_MODE, Existing::Replace)?;
    file.write_all(text.as_bytes()).map_err(|e| ExportError::of_write(&path, e))?;
    file.commit()?;
    Ok(())
}

fn path_in(folder: &Path) -> PathBuf {
    folder.join(MANIFEST_NAME)
}
