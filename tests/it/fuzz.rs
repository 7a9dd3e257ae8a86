//! The fuzz targets on the stable toolchain (`fuzz/`): their corpus, and each file of it altered a
//! few times, through the properties. `GAMEKEEPER_FUZZ_ROUNDS` says how often (10), and
//! `GAMEKEEPER_FUZZ_SEED` begins elsewhere. A real fuzzer goes further: `fuzz/run.sh`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::properties::{self, Dice};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(name)
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

fn holds(target: &str, property: fn(&[u8])) {
    let corpus: Vec<Vec<u8>> = std::fs::read_dir(folder("corpus").join(target))
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert!(!corpus.is_empty(), "{target} has no corpus");
    let words = words();
    let breaks = |data: &[u8]| catch_unwind(AssertUnwindSafe(|| property(data))).is_err();
    let seed = format!("{target} {}", number("GAMEKEEPER_FUZZ_SEED", 0));
    let mut dice = Dice::of(seed.as_bytes());
    for file in &corpus {
        for round in 0..=number("GAMEKEEPER_FUZZ_ROUNDS", 10) {
            let data =
                if round == 0 { file.clone() } else { altered(file, &corpus, &words, &mut dice) };
            if breaks(&data) {
                let data = shrunk(data, breaks);
                panic!("{target} does not hold of {:?}", data.escape_ascii().to_string());
            }
        }
    }
}

/// The dictionary of the fuzzer.
fn words() -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(folder("pgn.dict")).unwrap();
    let quoted = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(|word| unescaped(word.as_bytes())).collect()
}

/// `\"`, `\\` and `\x0a`.
fn unescaped(word: &[u8]) -> Vec<u8> {
    let (mut bytes, mut at) = (Vec::new(), 0);
    while at < word.len() {
        match &word[at..] {
            [b'\\', b'x', high, low, ..] => {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
                bytes.push(digit(*high) << 4 | digit(*low));
                at += 4;
            }
            [b'\\', byte, ..] => {
                bytes.push(*byte);
                at += 2;
            }
            _ => {
                bytes.push(word[at]);
                at += 1;
            }
        }
    }
    bytes
}

/// A file, or a stretch of one, with a few bytes changed, taken out and put in.
fn altered(file: &[u8], corpus: &[Vec<u8>], words: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    const SIGNS: &[u8] = b" \n\r\t[]{}()\"\\%;$*.,-_'?!";
    let mut data = if dice.below(2) == 0 { file.to_vec() } else { stretch(file, 300, dice) };
    for _ in 0..=dice.below(6) {
        let at = dice.below(data.len() + 1);
        let piece = match dice.below(8) {
            0 => vec![dice.below(256) as u8],
            1 => stretch(&data, 60, dice),
            2 => stretch(&corpus[dice.below(corpus.len())], 100, dice),
            3 | 4 => vec![SIGNS[dice.below(SIGNS.len())]],
            5 => Vec::new(),
            _ => words[dice.below(words.len())].clone(),
        };
        let out = if dice.below(2) == 0 { piece.len() } else { dice.below(3) * dice.below(20) };
        data.splice(at..(at + out).min(data.len()), piece);
    }
    data.truncate(4096);
    data
}

fn stretch(file: &[u8], longest: usize, dice: &mut Dice) -> Vec<u8> {
    let from = dice.below(file.len() + 1);
    file[from..(from + dice.below(longest)).min(file.len())].to_vec()
}

/// What is left when nothing can be taken out of it any more.
fn shrunk(mut data: Vec<u8>, breaks: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut size = data.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= data.len() {
            let shorter = [&data[..at], &data[at + size..]].concat();
            if breaks(&shorter) {
                data = shorter;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    data
}

macro_rules! targets {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            holds(stringify!($target), properties::$target::holds);
        })*

        /// Each target has its file, and its corpus is taken here.
        #[test]
        fn every_target_is_here() {
            let mut targets: Vec<String> = std::fs::read_dir(folder("targets"))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
                .collect();
            targets.sort();
            assert_eq!(targets, [$(stringify!($target)),*]);
        }
    };
}

targets!(config copies date game journal name record split);
