//! Writes made-up games to stdout, and to stderr how many of them are different ones.
//!
//! `cargo bench --bench corpus -- [GAMES [SEED]] > games.pgn`

#![allow(clippy::print_stderr, reason = "it is a program of its own")]

mod made;

use std::io::{self, BufWriter, Write};

fn main() -> io::Result<()> {
    let numbers: Vec<u64> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let games = numbers.first().copied().unwrap_or(100_000);
    let mut maker = made::Maker::new(numbers.get(1).copied().unwrap_or(1));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut text = String::new();
    for _ in 0..games {
        text.clear();
        maker.write(&mut text);
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    eprintln!("games {games} distinct {}", maker.distinct());
    Ok(())
}
