//! Nickname, person's name, or nobody known (names.md §2). The text alone decides.

use super::tidy;

/// What a name is by its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Empty, or question marks alone.
    Unknown,
    /// Written with `A–Z a–z 0–9 _ -` only, as the big sites allow in a username.
    Nickname,
    /// Anything else.
    Person,
}

impl Kind {
    /// The kind of a name, tidied or not (names.md §2). Only `?` is a question mark here: its
    /// full-width and double forms make a name that shows something, and nobody is taken for
    /// unknown who might be somebody.
    pub fn of(name: &str) -> Kind {
        Kind::of_tidied(&tidy(name))
    }

    /// The kind of a tidied name.
    pub(super) fn of_tidied(name: &str) -> Kind {
        if name.bytes().all(|byte| byte == b'?') {
            Kind::Unknown
        } else if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) {
            Kind::Nickname
        } else {
            Kind::Person
        }
    }

    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Unknown => "unknown",
            Kind::Nickname => "nickname",
            Kind::Person => "person",
        }
    }
}
