//! Who is a player? (names.md §1–§4, §6.) Strict: it never guesses.
//!
//! The way of a name: [`tidy`] (what it says, whatever blanks it is typed with) → [`Kind`]
//! (nickname or person's name) → [`Identity`] (equal for the same player) and [`shown`] (what he is
//! called). Everything here is a function of the name's text and the FIDE ID alone: never of the
//! file, the site, or what else is in the archive.

mod fide;
mod fold;
mod identity;
mod kind;
mod owner;
mod shown;
mod sides;

pub use fide::FideId;
pub use fold::{fold, tidy, words};
pub use identity::Identity;
pub use kind::Kind;
pub use owner::Owner;
pub use shown::{shown, usual_form};
pub use sides::Sides;

#[cfg(test)]
mod tests;
