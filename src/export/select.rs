//! Which games go where, in the order of their numbers.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::split::files;
use super::walk::{LostTexts, for_each_game};
use super::{
    AtomicFile, EXPORT_MODE, Existing, ExportError, FileSet, Outcome, Scope, create_folder, sweep,
};
use crate::config::{Export, Names, Split};
use crate::name::Owner;
use crate::store::{Standing, Store, StoreError};

/// What an export came to.
#[derive(Debug, Default)]
pub struct Exported {
    /// Games written; one that goes to two files counts twice.
    pub games: u64,
    /// Files of the export.
    pub files: u64,
    /// Files that were not written because of what stands in their place.
    pub refused: Vec<ExportError>,
    /// Games whose text is lost.
    pub lost: LostTexts,
}

/// Why an export could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The archive cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Writes a configured export.
///
/// # Errors
/// The archive cannot be read, or nothing can be written at all.
pub fn export(store: &Store, export: &Export, owner: &Owner) -> Result<Exported, Error> {
    if export.split == Split::None {
        if let Some(folder) = export.path.parent() {
            create_folder(folder, EXPORT_MODE)?;
            sweep(folder)?;
        }
        return export_to_file(store, &export.path, export.names);
    }
    let mut set = FileSet::open(&export.path, EXPORT_MODE, Scope::Whole)?;
    let files = |standing: &Standing| files(standing, export.split, owner);
    let lost = for_each_game(store, export.names, files, |made| -> Result<(), Error> {
        for file in &made.files {
            set.add(file, &made.text)?;
        }
        Ok(())
    })?;
    let written = set.finish()?;
    Ok(Exported {
        games: written.games,
        files: written.written + written.unchanged,
        refused: written.refused,
        lost,
    })
}

/// Writes all games to one file.
///
/// # Errors
/// The archive cannot be read, or the file cannot be written.
pub fn export_to_file(store: &Store, path: &Path, names: Names) -> Result<Exported, Error> {
    let file = AtomicFile::create(path, EXPORT_MODE, Existing::Replace)?;
    let mut out = BufWriter::with_capacity(256 << 10, file);
    let failed = |error: io::Error| ExportError::of_write(path, error);
    let mut games = 0;
    let lost = for_each_game(
        store,
        names,
        |_| Vec::new(),
        |made| -> Result<(), Error> {
            games += 1;
            out.write_all(&made.text).map_err(failed)?;
            Ok(())
        },
    )?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    let (Outcome::Written | Outcome::Unchanged) = file.commit()?;
    Ok(Exported { games, files: 1, refused: Vec::new(), lost })
}
