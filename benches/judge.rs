//! Was it right what a program threw away as duplicates? Holds what it kept against all that it was
//! given, by the bare rule of `benches/bare`, which shares no code with the project.
//!
//! `cargo bench --bench judge -- GIVEN.pgn KEPT.pgn…`
//!
//! Of each KEPT: `kept`, its legal games; `wrong`, games thrown away of which no copy was kept, so
//! that they are lost; `missed`, games kept though a copy of them was kept too; `foreign`, games
//! that are not among those given.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of its own")]

mod bare;

use std::collections::HashMap;
use std::fs::File;

use bare::{Key, Rule};

fn main() -> std::io::Result<()> {
    let paths: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let Some((given, kept)) = paths.split_first() else {
        eprintln!("judge: name the file with all games, and those with the games kept");
        return Ok(());
    };
    let given = copies(given)?;
    println!("given {} distinct {}", given.values().sum::<u64>(), given.len());
    for path in kept {
        let kept = copies(path)?;
        let sum = |counts: &mut dyn Iterator<Item = u64>| counts.sum::<u64>();
        let wrong =
            sum(&mut given.iter().filter(|(key, _)| !kept.contains_key(key)).map(|(_, n)| *n));
        let missed = sum(&mut kept.values().map(|n| n - 1));
        let foreign =
            sum(&mut kept.iter().filter(|(key, _)| !given.contains_key(key)).map(|(_, n)| *n));
        let total = sum(&mut kept.values().copied());
        println!("kept {total} wrong {wrong} missed {missed} foreign {foreign}");
    }
    Ok(())
}

/// How often each game is there.
fn copies(path: &str) -> std::io::Result<HashMap<Key, u64>> {
    let mut copies = HashMap::new();
    for key in bare::read(File::open(path)?, Rule::Full)?.keys {
        *copies.entry(key).or_default() += 1;
    }
    Ok(copies)
}
