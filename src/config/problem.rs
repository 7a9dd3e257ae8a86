//! What is wrong with a config file: every error of one reading, each with its place and a hint.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One error in a config file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What is wrong: lower case, names the key.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// All errors of one config file, in the order in which they stand there; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    /// The file.
    pub file: PathBuf,
    /// The errors.
    pub list: Vec<Problem>,
}

impl Problems {
    /// One text for each error: `file:line:col: message`, and the hint on a line of its own.
    pub fn lines(&self) -> Vec<String> {
        let file = self.file.display();
        let show = |problem: &Problem| {
            let Problem { line, column, message, hint } = problem;
            format!("{file}:{line}:{column}: {message}\n  hint: {hint}")
        };
        self.list.iter().map(show).collect()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.list.len();
        let noun = if count == 1 { "error" } else { "errors" };
        write!(f, "{count} {noun} in the config file {}", self.file.display())
    }
}

impl std::error::Error for Problems {}

/// Collects the problems of one text while it is read, so that the first does not hide the rest.
#[derive(Debug)]
pub(super) struct Collector<'t> {
    text: &'t str,
    found: RefCell<Vec<(usize, Problem)>>,
}

impl<'t> Collector<'t> {
    pub(super) fn new(text: &'t str) -> Collector<'t> {
        Collector { text, found: RefCell::new(Vec::new()) }
    }

    /// Notes a problem at `span` (bytes of the text).
    pub(super) fn report(
        &self,
        span: &Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let (line, column) = position(self.text.as_bytes(), span.start);
        let problem = Problem { line, column, message: message.into(), hint: hint.into() };
        self.found.borrow_mut().push((span.start, problem));
    }

    /// All that was found, in the order of the text.
    pub(super) fn finish(self, file: &Path) -> Option<Problems> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|(offset, _)| *offset);
        let list: Vec<Problem> = found.into_iter().map(|(_, problem)| problem).collect();
        (!list.is_empty()).then(|| Problems { file: file.to_owned(), list })
    }
}

/// Line and column (in characters) of the byte at `offset`, both counted from 1.
pub(super) fn position(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    (line, String::from_utf8_lossy(&before[line_start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a = 1\nüñ = 2\n";
        assert_eq!(position(text.as_bytes(), 0), (1, 1));
        assert_eq!(position(text.as_bytes(), text.find("= 2").expect("it is there")), (2, 4));
        assert_eq!(position(text.as_bytes(), text.len()), (3, 1));
    }
}
