//! The owner of the archive: which games are his own? (names.md §6.)

use super::{FideId, Identity};

/// The owner's profile. A game is his when one of its players is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owner {
    fide: Option<FideId>,
    /// Whom the name and the aliases stand for without an ID; never [`Identity::Unknown`].
    names: Vec<Identity>,
}

impl Owner {
    /// Reads a profile: first and last name are one name, and each alias is one, by the rule for
    /// any name. With only one of first and last name the text decides as for any other: “Rossi” is
    /// a nickname. Empty names and aliases stand for nobody.
    pub fn new<A: AsRef<str>>(
        first: &str,
        last: &str,
        fide: Option<FideId>,
        aliases: impl IntoIterator<Item = A>,
    ) -> Owner {
        let mut names = vec![Identity::of(&format!("{first} {last}"), None)];
        names.extend(aliases.into_iter().map(|alias| Identity::of(alias.as_ref(), None)));
        names.retain(|name| *name != Identity::Unknown);
        names.sort_unstable();
        names.dedup();
        Owner { fide, names }
    }

    /// Whether a player is the owner. With a FIDE ID on both sides it alone decides; otherwise the
    /// name does, and an unknown name never.
    pub fn owns(&self, name: &str, fide: Option<&FideId>) -> bool {
        match (&self.fide, fide) {
            (Some(own), Some(id)) => own == id,
            _ => !self.names.is_empty() && self.names.contains(&Identity::of(name, None)),
        }
    }
}
