//! Who is a player (names.md §3). Equal identities are one player, others never.
//!
//! It must never guess: a recognition that is too wide merges two people's games without a word.

use compact_str::{CompactString, format_compact};
use serde::{Deserialize, Serialize};

use std::fmt;

use super::{FideId, Kind, fold, tidy, words};

/// A player, as far as a name and a FIDE ID tell who he is.
///
/// Only [`Identity::of`] and [`super::Sides::of`] make them from a game; the texts within are in
/// the form described here, so that equality is the rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Identity {
    /// Nobody is named. Two unknown players are equal here; that they are one person is not said.
    Unknown,
    /// The player with this ID, however he is written.
    Fide(FideId),
    /// A person's name: its folded words, sorted, one space between; a word that stands twice is
    /// there twice. Without any word, the whole folded text within `"…"` (no word has a quote).
    Person(CompactString),
    /// A nickname: the whole text in lower case.
    Nickname(CompactString),
}

impl Identity {
    /// The player of this name, tidied or not, and ID (names.md §3).
    pub fn of(name: &str, fide: Option<&FideId>) -> Identity {
        if let Some(id) = fide {
            return Identity::Fide(id.clone());
        }
        let name = tidy(name);
        match Kind::of_tidied(&name) {
            Kind::Unknown => Identity::Unknown,
            Kind::Nickname => Identity::Nickname(fold(&name).into()),
            Kind::Person => Identity::Person(person(&name)),
        }
    }

    /// A text that is equal for the same player and for him alone: `fide:850012`,
    /// `person:mario rossi`, `person:"..."`, `nickname:rossi-mario`, `unknown`. It is stored and
    /// printed, so its form is an interface.
    pub fn key(&self) -> String {
        match self {
            Identity::Unknown => self.class().to_owned(),
            _ => [self.class(), ":", self.text()].concat(),
        }
    }

    /// What stands behind the colon of the key.
    pub fn text(&self) -> &str {
        match self {
            Identity::Unknown => "",
            Identity::Fide(id) => id.as_str(),
            Identity::Person(text) | Identity::Nickname(text) => text,
        }
    }

    /// What the player is recognised by, the word before the colon of the key.
    pub fn class(&self) -> &'static str {
        match self {
            Identity::Unknown => "unknown",
            Identity::Fide(_) => "fide",
            Identity::Person(_) => "person",
            Identity::Nickname(_) => "nickname",
        }
    }
}

/// The words of a tidied person's name as they count: in any order, case and accents aside.
fn person(name: &str) -> CompactString {
    let folded = fold(name);
    let mut sorted: Vec<&str> = words(&folded).collect();
    if sorted.is_empty() {
        return format_compact!("\"{folded}\"");
    }
    sorted.sort_unstable();
    let mut joined = CompactString::with_capacity(folded.len());
    for word in sorted {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// The key.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key())
    }
}
