//! Files of every kind, made in a folder of their own.

mod archives;
mod formats;
mod walking;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Found, Input, InputError, Limits};

const GAME: &str = "[White \"Rossi, Mario\"]\n[Black \"Bianchi, Anna\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";

/// `n` games that differ, so that they pack like games.
fn games(n: usize) -> Vec<u8> {
    (0..n).flat_map(|i| format!("[Round \"{i}\"]\n{GAME}").into_bytes()).collect()
}

/// Bytes that do not pack (xorshift).
fn noise(n: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    (0..n).map(|_| b'a' + (next() % 26) as u8).collect()
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::create(&path).unwrap().write_all(bytes).unwrap();
    path
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut out = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    out.include_checksum(true).unwrap();
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// All that comes out of one file: each text's name, bytes, and the error that ended it; errors
/// of members that could not be opened among them.
#[derive(Debug)]
struct Outcome {
    name: String,
    bytes: Vec<u8>,
    error: Option<InputError>,
}

impl Outcome {
    fn message(&self) -> String {
        self.error.as_ref().map(ToString::to_string).unwrap_or_default()
    }
}

fn drain(found: &Found, limits: &Limits) -> Result<Vec<Outcome>, InputError> {
    let mut input = Input::open(found, limits)?;
    let mut outcomes = Vec::new();
    let mut piece = Vec::new();
    while let Some(text) = input.next_text() {
        let mut outcome = Outcome { name: String::new(), bytes: Vec::new(), error: None };
        match text {
            Err(error) => outcome.error = Some(error),
            Ok(mut text) => {
                outcome.name = text.name().to_owned();
                loop {
                    match text.next_piece(&mut piece) {
                        Ok(0) => break,
                        Ok(n) => {
                            assert!(n == piece.len() && n <= limits.piece_bytes);
                            outcome.bytes.extend_from_slice(&piece);
                        }
                        Err(error) => {
                            assert!(outcome.error.replace(error).is_none(), "told once");
                        }
                    }
                }
            }
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// The one text of a file that was named itself.
fn read(path: &Path) -> Outcome {
    read_with(path, &Limits::default())
}

fn read_with(path: &Path, limits: &Limits) -> Outcome {
    let mut outcomes = drain(&Found::Named(path.to_owned()), limits).unwrap();
    assert_eq!(outcomes.len(), 1);
    outcomes.remove(0)
}

fn refusal(found: &Found) -> String {
    match Input::open(found, &Limits::default()) {
        Ok(_) => panic!("{found:?} was opened"),
        Err(error) => error.to_string(),
    }
}
