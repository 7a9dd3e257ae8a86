//! How long each part of an import and an export takes, by itself and on one thread.
//!
//! `cargo bench --bench parts -- [FILE.pgn] [PART…]`: of the first 20,000 games of FILE, else of
//! made-up ones. A part that was named is measured alone.

#![allow(clippy::print_stdout, reason = "it is a program of its own")]

mod made;

use std::hint::black_box;
use std::io::Read;
use std::time::{Duration, Instant};

use gamekeeper::dedup::GameKey;
use gamekeeper::game::{Game, RawGame, Splitter, read, reread, write_game};
use gamekeeper::name::{Identity, fold, usual_form};
use gamekeeper::store::journal::{Journal, Options};

const GAMES: usize = 20_000;
/// Each part runs at least so long, and the best of its rounds counts.
const TIME: Duration = Duration::from_secs(1);
/// Texts of one batch.
const BATCH: usize = 2_000;

/// What the parts are measured on.
struct Work {
    text: Vec<u8>,
    raws: Vec<RawGame>,
    games: Vec<Game>,
    wanted: Vec<String>,
}

impl Work {
    /// Measures `part`, one round of which takes in `bytes` bytes of all the games.
    fn measure(&self, name: &str, bytes: usize, mut part: impl FnMut()) {
        if !self.wanted.is_empty() && !self.wanted.iter().any(|wanted| wanted == name) {
            return;
        }
        let (begin, mut best, mut rounds) = (Instant::now(), Duration::MAX, 0);
        while rounds < 3 || begin.elapsed() < TIME {
            let start = Instant::now();
            part();
            best = best.min(start.elapsed());
            rounds += 1;
        }
        let per_game = best.as_nanos() as f64 / self.raws.len() as f64;
        let rate = bytes as f64 / best.as_secs_f64() / 1e6;
        println!("{name:12} {per_game:9.0} ns/game {rate:9.1} MB/s  ({rounds} rounds)");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (files, wanted): (Vec<String>, Vec<String>) =
        args.into_iter().partition(|arg| arg.ends_with(".pgn"));
    let text = text(files.first());
    let raws: Vec<RawGame> = split(&text);
    let games = raws.iter().filter_map(|raw| read(raw, None).ok()).collect();
    let work = Work { text, raws, games, wanted };
    println!("{} games, {} bytes", work.raws.len(), work.text.len());

    let all = work.text.len();
    work.measure("split", all, || {
        black_box(split(&work.text));
    });
    work.measure("read", all, || {
        for raw in &work.raws {
            let _ = black_box(read(raw, None));
        }
    });
    work.measure("reread", all, || {
        for raw in &work.raws {
            let _ = black_box(reread(raw, None));
        }
    });
    names(&work);
    work.measure("fingerprint", all, || {
        for game in &work.games {
            black_box(GameKey::of(game).fingerprint());
        }
    });
    let mut out = Vec::new();
    work.measure("write", all, || {
        out.clear();
        for game in &work.games {
            write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
        }
    });
    journal(&work);
}

fn split(text: &[u8]) -> Vec<RawGame> {
    let mut splitter = Splitter::new();
    let mut games = Vec::new();
    for piece in text.chunks(64 << 10) {
        splitter.push(piece);
        games.extend(splitter.by_ref());
    }
    splitter.finish();
    games.extend(splitter);
    games
}

fn names(work: &Work) {
    let tags = work.games.iter().map(|game| &game.tags);
    let names: Vec<&str> =
        tags.flat_map(|tags| ["White", "Black"].map(|tag| tags.get(tag).unwrap_or("?"))).collect();
    let bytes = names.iter().map(|name| name.len()).sum();
    work.measure("fold", bytes, || {
        for name in &names {
            black_box(fold(name));
        }
    });
    work.measure("identity", bytes, || {
        for name in &names {
            black_box(Identity::of(name, None));
        }
    });
    work.measure("shown", bytes, || {
        for name in &names {
            black_box(usual_form(name));
        }
    });
}

/// Packing batches, and with `fdatasync` and all.
fn journal(work: &Work) {
    let dir = tempfile::tempdir().expect("a folder for the journal");
    let opened = Journal::open(dir.path(), &Options::default(), None);
    let (mut journal, _) = opened.expect("an empty folder");
    let mut encoder = journal.encoder().expect("zstd has room");
    let batches = || work.raws.chunks(BATCH).map(|raws| raws.iter().map(|raw| &raw.bytes));
    let all = work.text.len();
    work.measure("encode", all, || {
        for batch in batches() {
            let texts: Vec<_> = batch.collect();
            black_box(encoder.encode(b"records", &texts).expect("they are not too big"));
        }
    });
    work.measure("commit", all, || {
        for batch in batches() {
            let texts: Vec<_> = batch.collect();
            journal.commit(b"records", &texts).expect("the disk takes it");
        }
    });
}

/// The first games of the file, whole, or made-up ones.
fn text(file: Option<&String>) -> Vec<u8> {
    let Some(path) = file else {
        let mut maker = made::Maker::new(1);
        let mut text = String::new();
        (0..GAMES).for_each(|_| maker.write(&mut text));
        return text.into_bytes();
    };
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut text = Vec::new();
    let size = (GAMES as u64) * 4096;
    file.take(size).read_to_end(&mut text).unwrap_or_else(|error| panic!("{path}: {error}"));
    if let Some(last) = split(&text).get(GAMES) {
        text.truncate(last.offset as usize);
    }
    text
}
