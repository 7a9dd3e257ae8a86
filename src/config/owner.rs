//! `[owner]`: by what the owner's games are known (names.md §6).

use std::collections::HashSet;

use toml::Spanned;

use super::problem::Collector;
use super::raw::RawOwner;
use super::section::quoted;
use crate::name;

/// The owner of the archive as the config describes him; every part may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owner {
    /// First name, trimmed; empty when not given. With the last name it counts as one name.
    pub first_name: String,
    /// Last name, trimmed; empty when not given.
    pub last_name: String,
    /// FIDE ID: digits without leading zeros.
    pub fide_id: Option<String>,
    /// Further names and nicknames, trimmed, in the order of the file.
    pub aliases: Vec<String>,
}

impl Owner {
    /// Whose games are own (names.md §6).
    pub fn profile(&self) -> name::Owner {
        let fide_id = self.fide_id.as_deref().and_then(name::FideId::parse);
        name::Owner::new(&self.first_name, &self.last_name, fide_id, &self.aliases)
    }

    pub(super) fn check(raw: RawOwner, problems: &Collector<'_>) -> Owner {
        let mut aliases = Vec::with_capacity(raw.aliases.len());
        let mut seen = HashSet::new();
        for alias in &raw.aliases {
            let Some(name) = known_name(alias, problems) else {
                continue;
            };
            if seen.insert(name.to_lowercase()) {
                aliases.push(name);
            } else {
                let message = format!("the alias {} stands there twice", quoted(&name));
                problems.report(&alias.span(), message, "take one out; case does not count");
            }
        }
        Owner {
            first_name: raw.first_name.and_then(|n| part(&n, problems)).unwrap_or_default(),
            last_name: raw.last_name.and_then(|n| part(&n, problems)).unwrap_or_default(),
            fide_id: raw.fide_id.and_then(|id| fide_id(&id, problems)),
            aliases,
        }
    }
}

/// First or last name; left empty it is not given.
fn part(typed: &Spanned<String>, problems: &Collector<'_>) -> Option<String> {
    if typed.get_ref().trim().is_empty() { None } else { known_name(typed, problems) }
}

/// A name that tells somebody: the unknown player is never the owner (names.md §6).
fn known_name(typed: &Spanned<String>, problems: &Collector<'_>) -> Option<String> {
    let name = typed.get_ref().trim();
    if !name.chars().all(|c| c == '?') {
        return Some(name.to_owned());
    }
    let message = format!("{} is the unknown player, not a name", quoted(typed.get_ref()));
    problems.report(&typed.span(), message, "write a name or a nickname, or take it out");
    None
}

/// A FIDE ID: digits with a value above 0 (names.md §3); left empty it is not given.
fn fide_id(typed: &Spanned<String>, problems: &Collector<'_>) -> Option<String> {
    let text = typed.get_ref().trim();
    let digits = text.trim_start_matches('0');
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(digits.to_owned());
    }
    if !text.is_empty() {
        let message = format!("{} is no FIDE ID", quoted(text));
        let hint = "a FIDE ID is a number above 0, as on ratings.fide.com; take the line out if \
                    there is none";
        problems.report(&typed.span(), message, hint);
    }
    None
}
