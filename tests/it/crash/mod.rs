//! Crashes and faults: the real program is killed, its writes fail, the power goes, the disk is
//! full. Whatever happens, what was reported is there, each game stands once, every export is
//! whole (reliability.md 1–7, 16–18).
//!
//! Each kind of fault has its file; [`scene`] has the games and the judge that all of them share.
//! `GAMEKEEPER_FULL=1 cargo test --test it crash` strikes at every place, the short form at a
//! sample of them.

mod disk;
mod faults;
mod full;
mod kills;
mod power;
mod random;
mod scene;
mod strace;
mod trace;

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether every place is to be struck.
pub(crate) fn is_full() -> bool {
    std::env::var_os("GAMEKEEPER_FULL").is_some()
}

/// Says something that is to be read after a run that passed, too: the test runner keeps what
/// `eprintln` prints to itself.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Numbers that change from run to run; a test that fails tells the seed.
pub(crate) struct Dice {
    pub(crate) seed: u64,
    state: u64,
}

impl Dice {
    /// From `GAMEKEEPER_SEED`, or from the clock.
    pub(crate) fn new() -> Dice {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let given = std::env::var("GAMEKEEPER_SEED").ok();
        let seed = given.map_or(now.as_nanos() as u64, |seed| seed.parse().unwrap());
        Dice { seed, state: seed | 1 }
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % end.max(1)
    }
}

/// The numbers 1, 2, 3, … in full, a sample of them in short; `strike` says whether there was a
/// place with that number. How many there were.
fn at_each(dice: &mut Dice, stride: u64, mut strike: impl FnMut(u64) -> bool) -> u64 {
    let mut landed = 0;
    let mut at = 1;
    while strike(at) {
        landed += 1;
        at += if is_full() { 1 } else { 1 + dice.below(2 * stride) };
    }
    landed
}
