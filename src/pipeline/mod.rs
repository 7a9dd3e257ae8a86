//! Text → games → decisions → the store.
//!
//! [`settle`] makes a decision from plain data and writes nothing; [`import`] takes sources through
//! it: one thread cuts the text into games, as many as there are cores read and replay them, and
//! the caller's thread decides on them in their order and commits.

mod budget;
mod decide;
mod feed;
mod importer;
mod lookup;
mod retry;

pub use decide::{Reading, settle};
pub use feed::{Ended, Feed};
pub use importer::{Import, Options, Progress, Trouble, import};
pub use lookup::Lookup;
pub use retry::retry;
