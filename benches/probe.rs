//! The limit that an import is measured against: a bare replay of every game and a hash of what
//! makes two games the same, on two threads. It stores nothing and mends nothing.
//!
//! `cargo bench --bench probe -- FILE.pgn`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of its own")]

mod bare;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::time::Instant;

use bare::{Found, Rule};
use memchr::memmem;

fn main() {
    let Some(path) = std::env::args().skip(1).find(|arg| !arg.starts_with("--")) else {
        eprintln!("probe: name a PGN file");
        return;
    };
    let start = Instant::now();
    let parts = read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
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

/// Reads both halves of a file, each on a thread.
fn read(path: &str) -> io::Result<[Found; 2]> {
    let cut = middle(path)?;
    let part = |from, length| {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(from))?;
        bare::read(file.take(length), Rule::Least)
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(|| part(cut, u64::MAX));
        Ok([part(0, cut)?, second.join().expect("the thread only reads")?])
    })
}

/// Where the first game of the second half begins.
fn middle(path: &str) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let half = file.metadata()?.len() / 2;
    file.seek(SeekFrom::Start(half))?;
    let mut text = Vec::new();
    file.take(1 << 20).read_to_end(&mut text)?;
    let at = memmem::find(&text, b"\n[Event ").map_or(text.len(), |at| at + 1);
    Ok(half + at as u64)
}
