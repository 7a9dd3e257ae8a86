//! Which tags of a game have a value: enough to see that a copy brings none beyond them.

use serde::{Deserialize, Serialize};

use crate::game::Tags;

/// Names of tags in alphabetical order, each once. They stand in one text, a line feed behind each,
/// since most games share a few dozen sets.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct TagSet(String);

impl TagSet {
    /// The names of the tags that have a value.
    pub(super) fn of(tags: &Tags) -> TagSet {
        let named = tags.0.iter().filter(|tag| !tag.is_blank());
        let mut names: Vec<&str> = named.map(|tag| tag.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let mut text = String::with_capacity(names.iter().map(|name| name.len() + 1).sum());
        for name in names {
            text.push_str(name);
            text.push('\n');
        }
        TagSet(text)
    }

    /// The names in one text, which is another for another set.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// True where this set has all names of `other`.
    pub(super) fn includes(&self, other: &TagSet) -> bool {
        let mut mine = self.0.lines();
        other.0.lines().all(|name| mine.any(|own| own == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Tag;

    fn set(names: &[&str]) -> TagSet {
        TagSet::of(&Tags(names.iter().map(|name| Tag::new(name, "x")).collect()))
    }

    #[test]
    fn sets_are_compared_by_their_names() {
        let abc = set(&["Black", "Annotator", "Annotator", "ECO"]);
        assert_eq!(abc, set(&["Annotator", "ECO", "Black"]));
        for part in [&["ECO"][..], &["Annotator", "Black"], &["Black", "ECO"], &[]] {
            assert!(abc.includes(&set(part)), "{part:?}");
        }
        for more in [&["A"][..], &["Annotator", "Blac"], &["EC"], &["ECO", "Zone"]] {
            assert!(!abc.includes(&set(more)), "{more:?}");
        }
        let blank = Tags(vec![Tag::new("ECO", "?"), Tag::new("Round", "1")]);
        assert_eq!(TagSet::of(&blank), set(&["Round"]));
    }
}
