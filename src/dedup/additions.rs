//! What a later copy has that the stayer lacks (names.md §5, “the first copy in stays”).
//!
//! Nothing that stands is overwritten, and nothing that the identity or the equalities rest on is
//! ever added.

use serde::{Deserialize, Serialize};

use super::slots::{Slot, clean, slots};
use crate::game::{Tag, Tags};

/// Tags on which the identity or the equalities rest: never added.
const NEVER_ADDED: [&str; 9] =
    ["White", "Black", "WhiteFideId", "BlackFideId", "Date", "Result", "FEN", "SetUp", "Variant"];

/// A game is never completed beyond so many bytes of tags and movetext: what is exported must be
/// read again as one game, which ends at 16 MiB (pgn.md), and memory is bounded.
const LONGEST: usize = 15 << 20;
/// Nor beyond so many tags: a game of more than 10,000 is not read.
const MOST_TAGS: usize = 9_000;

/// Tags, comments, clocks, NAGs and side lines for a stayer that lacks them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Additions {
    /// Tag pairs whose value the stayer lacks (absent, empty or `?`).
    pub tags: Vec<(String, String)>,
    /// What is to stand beside plies of the main line, by ascending ply.
    pub plies: Vec<PlyAddition>,
}

/// What is to stand beside one ply of the main line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlyAddition {
    /// Plies played before it: 0 is before the first move, 1 after White's first.
    pub ply: u32,
    /// NAGs, `$n`.
    pub nags: Vec<String>,
    /// Comments without braces.
    pub comments: Vec<String>,
    /// Side lines as clean text without their outer parentheses.
    pub lines: Vec<String>,
}

impl Additions {
    /// What `later` adds to `stayer`, each as tags and clean movetext of the same main line.
    pub fn of(stayer: (&Tags, &str), later: (&Tags, &str)) -> Additions {
        let plies = if stayer.1 == later.1 || !has_notes(later.1) {
            Vec::new()
        } else {
            let (stands, comes) = (slots(stayer.1), slots(later.1));
            let pairs = stands.iter().zip(&comes).zip(0..);
            pairs.filter_map(|((stands, comes), ply)| PlyAddition::of(ply, stands, comes)).collect()
        };
        Additions { tags: missing_tags(stayer.0, later.0), plies }.within_limits(stayer)
    }

    /// Without what would make the stayer longer than a game may be.
    fn within_limits(mut self, stayer: (&Tags, &str)) -> Additions {
        let stands: usize = stayer.0.0.iter().map(|tag| tag.name.len() + tag.value.len()).sum();
        let tags: usize = self.tags.iter().map(|(name, value)| name.len() + value.len()).sum();
        let notes: usize = self.plies.iter().map(PlyAddition::length).sum();
        if stands + stayer.1.len() + tags + notes > LONGEST {
            self.plies.clear();
        }
        if stands + stayer.1.len() + tags > LONGEST
            || stayer.0.0.len() + self.tags.len() > MOST_TAGS
        {
            self.tags.clear();
        }
        self
    }

    /// True when there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.plies.is_empty()
    }

    /// Adds the tags: in the place of a blank value, else at the end.
    pub fn complete_tags(&self, tags: &mut Tags) {
        for (name, value) in &self.tags {
            match tags.0.iter_mut().find(|tag| tag.name == *name) {
                Some(tag) if tag.is_blank() => tag.value = value.into(),
                Some(_) => {}
                None => tags.0.push(Tag::new(name, value)),
            }
        }
    }

    /// The clean movetext with the additions in it, as far as it still lacks them: adding twice is
    /// adding once.
    pub fn complete_movetext(&self, movetext: &str) -> String {
        if self.plies.is_empty() {
            return movetext.to_owned();
        }
        let mut slots = slots(movetext);
        for addition in &self.plies {
            let Some(slot) = slots.get_mut(addition.ply as usize) else { continue };
            let Some(lacks) = PlyAddition::of(addition.ply, slot, &addition.as_slot()) else {
                continue;
            };
            slot.nags.extend(lacks.nags);
            slot.comments.extend(lacks.comments);
            slot.lines.extend(lacks.lines);
        }
        clean(&slots)
    }
}

impl PlyAddition {
    fn of(ply: u32, stands: &Slot, comes: &Slot) -> Option<PlyAddition> {
        let unless =
            |present: bool, list: &[String]| if present { Vec::new() } else { list.to_vec() };
        let addition = PlyAddition {
            ply,
            nags: unless(!stands.nags.is_empty(), &comes.nags),
            comments: missing_comments(&stands.comments, &comes.comments),
            lines: unless(!stands.lines.is_empty(), &comes.lines),
        };
        let empty =
            addition.nags.is_empty() && addition.comments.is_empty() && addition.lines.is_empty();
        (!empty).then_some(addition)
    }

    fn length(&self) -> usize {
        [&self.nags, &self.comments, &self.lines].into_iter().flatten().map(String::len).sum()
    }

    fn as_slot(&self) -> Slot {
        Slot {
            san: String::new(),
            nags: self.nags.clone(),
            comments: self.comments.clone(),
            lines: self.lines.clone(),
        }
    }
}

fn missing_tags(stayer: &Tags, later: &Tags) -> Vec<(String, String)> {
    let mut missing: Vec<(String, String)> = Vec::new();
    for tag in &later.0 {
        let Tag { name, value } = tag;
        let stands = stayer.0.iter().any(|tag| tag.name == *name && !tag.is_blank());
        let never = NEVER_ADDED.contains(&name.as_str())
            || name == "UTCDate" && stayer.get("Date").is_none();
        if !stands && !never && !tag.is_blank() && !missing.iter().any(|(n, _)| n == name) {
            missing.push((name.to_string(), value.to_string()));
        }
    }
    missing
}

/// True when clean movetext holds more than moves: comments, NAGs or side lines.
pub fn has_notes(clean: &str) -> bool {
    clean.bytes().any(|b| matches!(b, b'{' | b'$' | b'('))
}

/// Prose counts as one thing and each command (`[%clk …]`) as one by its name.
fn missing_comments(stands: &[String], comes: &[String]) -> Vec<String> {
    if stands.is_empty() {
        return comes.to_vec();
    }
    let (mut there, mut prose_there) = (Vec::new(), false);
    for comment in stands {
        for part in parts(comment) {
            match part {
                Part::Command { name, .. } => there.push(name),
                Part::Prose(text) => prose_there |= !text.trim().is_empty(),
            }
        }
    }
    let mut missing = Vec::new();
    for comment in comes {
        let mut kept = String::new();
        for part in parts(comment) {
            match part {
                Part::Command { name, .. } if there.contains(&name) => {}
                Part::Command { text, .. } => kept.push_str(text),
                Part::Prose(_) if prose_there => kept.push(' '),
                Part::Prose(text) => kept.push_str(text),
            }
        }
        let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
        if !kept.is_empty() {
            missing.push(kept);
        }
    }
    missing
}

enum Part<'a> {
    Command { name: &'a str, text: &'a str },
    Prose(&'a str),
}

/// Cuts a comment into commands `[%name …]` and the prose between them.
fn parts(comment: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else { break };
        let text = &rest[start..=start + length];
        let name = text[2..text.len() - 1].split_whitespace().next().unwrap_or("");
        parts.push(Part::Prose(&rest[..start]));
        parts.push(Part::Command { name, text });
        rest = &rest[start + length + 1..];
    }
    parts.push(Part::Prose(rest));
    parts
}
