//! The limit that an import is measured against: a bare replay of every game and a hash of what
//! makes two games the same, on two threads. It stores nothing and mends nothing.
//!
//! `cargo bench --bench probe -- FILE.pgn`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of its own")]

mod bare;

use std::collections::HashSet;
use std::time::Instant;

use bare::{Found, Rule};
use memchr::memmem;

fn main() {
    let Some(path) = std::env::args().skip(1).find(|arg| !arg.starts_with("--")) else {
        eprintln!("probe: name a PGN file");
        return;
    };
    let start = Instant::now();
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let half = text.len() / 2;
    let cut = memmem::find(&text[half..], b"\n[Event ").map_or(text.len(), |at| half + at + 1);
    let (first, second) = text.split_at(cut);
    let parts: [Found; 2] = std::thread::scope(|scope| {
        let other = scope.spawn(|| bare::read(second, Rule::Least));
        [bare::read(first, Rule::Least), other.join().expect("the thread only reads")]
    });
    let games: u64 = parts.iter().map(|part| part.games).sum();
    let plies: u64 = parts.iter().map(|part| part.plies).sum();
    let legal: usize = parts.iter().map(|part| part.keys.len()).sum();
    let distinct: HashSet<_> = parts.iter().flat_map(|part| &part.keys).collect();
    println!(
        "games {games} plies {plies} legal {legal} distinct {} duplicates {}",
        distinct.len(),
        legal - distinct.len()
    );
    println!("seconds {:.3}", start.elapsed().as_secs_f64());
}
