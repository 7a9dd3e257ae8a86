//! What a command returns when it cannot go on: a message with its causes, the exit code, and at
//! most one hint. It prints nothing; `main.rs` alone does.

use std::fmt;
use std::io;

use crate::exit::Exit;
use crate::space::is_no_space;

/// Why a command stopped.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    /// The message and its causes; none when there is nobody left to read it.
    error: Option<anyhow::Error>,
    /// Lines that stand before the message, each complete in itself (`file:line:col: message`).
    details: Vec<String>,
    hint: Option<String>,
}

impl Failure {
    /// A failure that ends the program with `exit`.
    pub fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Failure {
        Failure { exit, error: Some(error.into()), details: Vec::new(), hint: None }
    }

    /// A failure in so many words.
    pub fn message(exit: Exit, message: impl fmt::Display) -> Failure {
        Failure::new(exit, anyhow::anyhow!("{message}"))
    }

    /// An operation on a file that failed. A disk that is full, a quota and a limit on the size of
    /// files are all [`Exit::NoSpace`].
    pub fn io(what: impl fmt::Display, error: io::Error) -> Failure {
        let exit = if is_no_space(&error) { Exit::NoSpace } else { Exit::Failed };
        Failure::new(exit, anyhow::Error::new(error).context(what.to_string()))
    }

    /// An end without a word: whoever read our output has gone.
    pub(crate) fn silent() -> Failure {
        Failure { exit: Exit::Done, error: None, details: Vec::new(), hint: None }
    }

    /// Adds the one line that says what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// Puts lines before the message.
    pub fn details(mut self, lines: Vec<String>) -> Failure {
        self.details = lines;
        self
    }

    /// What went wrong, for whoever can do something about it.
    pub(crate) fn error(&self) -> Option<&anyhow::Error> {
        self.error.as_ref()
    }

    /// How the program ends.
    pub fn exit(&self) -> Exit {
        self.exit
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::new(Exit::Failed, error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.details {
            writeln!(f, "{line}")?;
        }
        if let Some(error) = &self.error {
            writeln!(f, "error: {error:#}")?;
        }
        if let Some(hint) = &self.hint {
            writeln!(f, "hint: {hint}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_chain_and_the_hint_are_shown() {
        let missing = io::Error::new(io::ErrorKind::NotFound, "no such file");
        let failure = Failure::io("cannot read a.pgn", missing).hint("is the folder mounted?");
        assert_eq!(
            failure.to_string(),
            "error: cannot read a.pgn: no such file\nhint: is the folder mounted?\n"
        );
        assert_eq!(failure.exit(), Exit::Failed);
    }

    /// reliability.md 17: a limit on file sizes is handled like a full disk.
    #[test]
    fn a_full_disk_has_its_own_exit_code() {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::FileTooLarge] {
            assert_eq!(Failure::io("cannot write", kind.into()).exit(), Exit::NoSpace);
        }
    }
}
