//! The names of a game's tags, as far as the splitter needs them to tell where the next game's
//! tags begin.

use std::collections::HashSet;

use super::litter::blanks;
use super::tagpair;

/// No more names than this are remembered.
const MAX_NAMES: usize = 10_000;

/// The names of the tags that the present game has had so far; none where it has no tags.
#[derive(Default)]
pub(super) struct SeenTags {
    first: Vec<u8>,
    last: Vec<u8>,
    /// All names, once they are needed: few games make that necessary.
    all: Option<HashSet<Vec<u8>>>,
}

impl SeenTags {
    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.last.clear();
        self.all = None;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Takes note of a line of tags.
    pub(super) fn add(&mut self, line: &[u8]) {
        let name = tagpair::name(line);
        self.last.clear();
        self.last.extend_from_slice(name);
        if self.first.is_empty() {
            self.first.extend_from_slice(name);
        }
        if let Some(all) = self.all.as_mut().filter(|all| all.len() < MAX_NAMES) {
            all.extend(names(line));
        }
    }

    /// Takes note of a line between two tags that is neither: the tags around it do not stand
    /// right behind each other.
    pub(super) fn interrupt(&mut self) {
        self.last.clear();
    }

    /// True for a tag that can only be the next game's first: the first of this one come again,
    /// though not right behind itself, which is a doubled tag.
    pub(super) fn begin_again_with(&self, name: &[u8]) -> bool {
        name == self.first && name != self.last
    }

    /// True for a name that is among those of `text`, the present game's so far.
    pub(super) fn contain(&mut self, name: &[u8], text: &[u8]) -> bool {
        self.collect(text).contains(name)
    }

    /// Seeks out the names in `text`, the present game's so far, while there still is all of it.
    pub(super) fn collect(&mut self, text: &[u8]) -> &HashSet<Vec<u8>> {
        self.all.get_or_insert_with(|| {
            let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
            lines.flat_map(|line| names(&line[blanks(line)..])).take(MAX_NAMES).collect()
        })
    }
}

fn names(line: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    tagpair::tags(line).map(|tag| line[tag.name].to_vec())
}
