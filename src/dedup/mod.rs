//! Is it the same game? (names.md §5)
//!
//! Pure. A fingerprint only finds candidates; what decides are the five equalities compared in
//! full, or a site's own id. Everything short of that is two games.

mod additions;
mod equalities;
mod key;
mod relation;
mod slots;

pub use additions::{Additions, PlyAddition, has_notes};
pub use equalities::Equalities;
pub use key::{Facts, Fingerprint, GameKey};
pub use relation::{Ground, Relation, relation};

#[cfg(test)]
mod tests;
