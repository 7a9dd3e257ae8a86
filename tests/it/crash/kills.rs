//! `kill -9` at each write, sync and rename in turn (reliability.md 2; SQLite's method).
//!
//! strace counts the calls of each thread for itself, so a run with N kills the first thread that
//! gets to its N-th call. The threads of the index are aimed at by their file. Each place in the
//! order of all threads taken together is struck in `power.rs`.

use super::scene::{ACTIONS, Action, Scene};
use super::strace::{self, WRITES};
use super::{Dice, at_each, tell};

#[test]
fn nothing_is_lost_or_doubled_by_a_kill_at_any_write() {
    if !strace::is_there() {
        return;
    }
    let scene = Scene::new();
    let mut dice = Dice::new();
    let mut landed = 0;
    for action in &ACTIONS {
        landed += strike(&scene, action, &mut dice, 6, &[]);
    }
    for action in &ACTIONS[..2] {
        let database = scene.bench.path("state/index/db");
        landed += strike(&scene, action, &mut dice, 3, &["-P", database.to_str().unwrap()]);
    }
    assert!(landed > 10, "{landed} kills landed");
    tell(&format!("kill -9 at a write, sync or rename: {landed} landed, 0 lost, 0 doubled"));
}

/// How many kills landed.
fn strike(scene: &Scene, action: &Action, dice: &mut Dice, stride: u64, aim: &[&str]) -> u64 {
    let seed = dice.seed;
    at_each(dice, stride, |at| {
        action.prepare(scene);
        let trace = format!("trace={WRITES}");
        let inject = format!("inject={WRITES}:signal=KILL:when={at}");
        let options = [aim, &["-e", &trace, "-e", &inject]].concat();
        let ran = strace::run(&scene.bench, &options, action.args);
        action.judge(scene, ran.told(), &format!("killed at call {at} (seed {seed})"));
        ran.code.is_none()
    })
}
