//! Writing games out for other programs.
//!
//! Every file is whole at every moment: it is written beside its target and renamed over it
//! ([`AtomicFile`]). A file whose content stays the same is not touched. An export of many files
//! ([`FileSet`]) replaces and removes only what it wrote itself, under names that no text from a
//! game can turn against the file system ([`FileName`]).
//!
//! It must never follow a symbolic link, replace a file of somebody else's, or leave half a file.

mod atomic;
mod error;
mod files;
mod manifest;
mod pgn;
mod select;
mod slug;
mod spill;
mod split;
mod walk;

#[cfg(test)]
mod tests;

pub use atomic::{AtomicFile, EXPORT_MODE, Existing, Outcome, create_folder, sweep};
pub use error::ExportError;
pub use files::{FileSet, FilesWritten, Scope};
pub use pgn::pgn;
pub use select::{Error, Exported, export, export_to_file};
pub use slug::FileName;
pub use walk::{LostTexts, Made, for_each_game};
