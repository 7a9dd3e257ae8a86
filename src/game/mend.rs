//! What the lexer mends, told once for each kind and game.

use super::Note;

/// The kinds of mending, each told by one note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mend {
    /// A move in another spelling.
    Spelling,
    /// A move with foreign piece letters.
    Translation,
    /// A null move in another spelling.
    Null,
    /// A sign that is a known NAG.
    Sign,
    /// A word that repeats what the move says.
    Nothing,
    /// An unknown sign, kept as a comment.
    Remark,
    /// Running text behind the last move, kept as a comment.
    Prose,
    /// A comment that is never closed, with no moves in it.
    Unclosed,
    /// Braces inside a comment.
    Nested,
    /// Markup among the moves.
    Markup,
    /// A round bracket without its partner.
    Bracket,
    /// A side line without moves.
    EmptyLine,
    /// An end marker inside a side line.
    InnerEnd,
    /// A second end marker that says something else.
    SecondEnd,
}

/// The notes so far. One kind is told once, so that a game spelled oddly throughout has one note.
#[derive(Debug, Default)]
pub(super) struct Mends {
    told: u32,
    pub(super) notes: Vec<Note>,
}

impl Mends {
    pub(super) fn is_told(&self, mend: Mend) -> bool {
        self.told & (1 << mend as u32) != 0
    }

    /// Tells of `mend` at `line`; `what` is the token, or what it was read as.
    pub(super) fn add(&mut self, mend: Mend, line: u64, what: &str) {
        self.told |= 1 << mend as u32;
        let what: String = what.chars().take(80).collect();
        self.notes.push(Note { line, message: message(mend, &what) });
    }
}

fn message(mend: Mend, what: &str) -> String {
    match mend {
        Mend::Spelling => format!("move in another spelling: {what}"),
        Mend::Translation => format!("move with other piece letters: {what}"),
        Mend::Null => format!("`{what}` read as a null move"),
        Mend::Sign => format!("sign `{what}` read as a NAG"),
        Mend::Nothing => format!("`{what}` left out: the move says it"),
        Mend::Remark => format!("unknown sign `{what}` kept as a comment"),
        Mend::Prose => format!("text `{what}…` among the moves kept as a comment"),
        Mend::Unclosed => "comment never closed, no moves in it".to_owned(),
        Mend::Nested => "braces inside a comment written as round brackets".to_owned(),
        Mend::Markup => format!("markup `{what}` left out"),
        Mend::Bracket => format!("`{what}` without its partner left out"),
        Mend::EmptyLine => "side line without moves left out".to_owned(),
        Mend::InnerEnd => format!("end marker `{what}` inside a side line left out"),
        Mend::SecondEnd => format!("second end marker `{what}` differs from the first"),
    }
}
