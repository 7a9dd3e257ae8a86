//! `gamekeeper man`: the manual, made of the same text as the help.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use super::Output;
use crate::cli::Cli;
use crate::exit::Exit;
use crate::failure::Failure;

/// Prints the page of the command named by `path`; of the program where it is empty.
pub(super) fn run(path: &[String]) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut name = "gamekeeper".to_owned();
    for word in path {
        let found = command.find_subcommand(word).cloned();
        command = found.ok_or_else(|| {
            Failure::message(Exit::Usage, format!("`{name}` has no command `{word}`"))
                .hint(format!("see `{name} --help`"))
        })?;
        name = format!("{name} {word}");
    }
    let page = page(command, name.replace(' ', "-"))
        .map_err(|error| Failure::io("cannot make the page", error))?;
    let mut output = Output::new(false);
    output.bytes(&page)?;
    output.finish()?;
    Ok(Exit::Done)
}

fn page(command: clap::Command, title: String) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command)
        .title(title)
        .source(concat!("gamekeeper ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    writeln!(page, ".SH \"EXIT STATUS\"")?;
    for exit in Exit::ALL {
        writeln!(page, ".TP\n\\fB{}\\fR\n{}", exit.code(), exit.meaning())?;
    }
    Ok(page)
}
