//! The FIDE ID of a player (names.md §3).

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use std::cmp::Ordering;
use std::fmt;

/// A FIDE ID: ASCII digits of any number, the first of them not 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FideId(CompactString);

impl FideId {
    /// Reads the text of a tag or an option: trimmed, ASCII digits, leading zeros dropped.
    /// None for all that is no ID: “0”, “-”, “?”, “none”, a sign, a blank within (names.md §3).
    pub fn parse(text: &str) -> Option<FideId> {
        let text = text.trim();
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = text.trim_start_matches('0');
        (!digits.is_empty()).then(|| FideId(digits.into()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FideId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// By value: without leading zeros the longer number is the greater.
impl Ord for FideId {
    fn cmp(&self, other: &FideId) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for FideId {
    fn partial_cmp(&self, other: &FideId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
