//! Results on stdout: words for people or one line of JSON. A reader that has gone away (`| head`)
//! ends the command quietly, with exit code 0, as ripgrep does.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Stdout, locked and buffered. [`Output::finish`] must be called, or the end may be lost.
#[derive(Debug)]
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    json: bool,
}

impl Output {
    /// Takes stdout for this command.
    pub fn new(json: bool) -> Output {
        Output { out: BufWriter::with_capacity(64 << 10, io::stdout().lock()), json }
    }

    /// Writes a whole result: `value` as one line of JSON, or what `people` makes of it.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub fn result<T: Serialize>(
        mut self,
        value: &T,
        people: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let written = if self.json {
            serde_json::to_writer(&mut self.out, value)
                .map_err(io::Error::from)
                .and_then(|()| self.out.write_all(b"\n"))
        } else {
            people(&mut self.out)
        };
        written.map_err(failure)?;
        self.finish()
    }

    /// Writes bytes as they are (a PGN, a script).
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(failure)
    }

    /// Hands over what is still buffered.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.out.flush().map_err(failure)
    }
}

fn failure(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::silent(),
        _ => Failure::io("cannot write to stdout", error),
    }
}
