//! Each write, sync and rename fails in turn, once or from then on, for want of space or because
//! the disk is broken (reliability.md 6, 16, 17).

use super::scene::{ACTIONS, Action, Scene};
use super::strace::{self, Ran, WRITES};
use super::{Dice, at_each, is_full, tell};

const ERRORS: [&str; 3] = ["EIO", "ENOSPC", "EFBIG"];

#[test]
fn every_failed_write_is_told_and_loses_nothing() {
    if !strace::is_there() {
        return;
    }
    let scene = Scene::new();
    let mut dice = Dice::new();
    let mut injected = 0;
    for action in &ACTIONS {
        for (number, error) in ERRORS.iter().enumerate() {
            for lasting in ["", "+"] {
                // In short, one of the six for each action.
                let chosen = (number as u64 * 2 + u64::from(lasting == "+")) == dice.below(12);
                if is_full() || chosen || (action.name == "import" && lasting == "+") {
                    injected += strike(&scene, action, &mut dice, error, lasting, &[]);
                }
            }
        }
    }
    let database = scene.bench.path("state/index/db");
    let aim = ["-P", database.to_str().unwrap()];
    for error in ERRORS {
        for (action, lasting) in [(&ACTIONS[0], ""), (&ACTIONS[1], "+")] {
            if is_full() || dice.below(2) == 0 {
                injected += strike(&scene, action, &mut dice, error, lasting, &aim);
            }
        }
    }
    assert!(injected > 4, "{injected} faults");
    tell(&format!("failed writes, syncs and renames: {injected} runs struck, 0 lost, 0 doubled"));
}

/// sled panics where its last sync fails; by then everything has been told and is safe.
#[test]
fn closing_the_index_on_a_broken_disk_is_no_panic() {
    if !strace::is_there() {
        return;
    }
    let scene = Scene::new();
    let action = &ACTIONS[0];
    let database = scene.bench.path("state/index/db");
    let aim = ["-P", database.to_str().unwrap()];
    for error in ["EIO", "ENOSPC"] {
        action.prepare(&scene);
        let inject = format!("inject=fsync:error={error}:when=1+");
        let options = [&aim[..], &["-y", "-e", "trace=fsync", "-e", &inject]].concat();
        let ran = strace::run(&scene.bench, &options, action.args);
        judge_end(&ran, error, error);
        assert!(ran.trace.contains("(INJECTED)"), "{error}: nothing was struck");
        action.judge(&scene, ran.told(), error);
    }
}

/// How many runs were struck.
fn strike(
    scene: &Scene,
    action: &Action,
    dice: &mut Dice,
    error: &str,
    lasting: &str,
    aim: &[&str],
) -> u64 {
    let seed = dice.seed;
    at_each(dice, 12, |at| {
        action.prepare(scene);
        let trace = format!("trace={WRITES}");
        let inject = format!("inject={WRITES}:error={error}:when={at}{lasting}");
        let options = [aim, &["-y", "-e", &trace, "-e", &inject]].concat();
        let ran = strace::run(&scene.bench, &options, action.args);
        let context = format!("{error} at call {at}{lasting} (seed {seed})");
        judge_end(&ran, error, &format!("{}, {context}", action.name));
        action.judge(scene, ran.told(), &context);
        ran.trace.contains("(INJECTED)")
    })
}

/// It ended with the right code and a message in words.
fn judge_end(ran: &Ran, error: &str, context: &str) {
    let Ran { code, stderr, stdout, trace } = ran;
    let shown = format!("{context}: exit {code:?}\n{stdout}{stderr}");
    assert!(!stderr.contains("panicked"), "{shown}");
    let struck: Vec<&str> = trace.lines().filter(|line| line.contains("(INJECTED)")).collect();
    let to_terminal = |line: &&str| line.contains(" write(1<") || line.contains(" write(2<");
    let untold = struck.iter().any(to_terminal);
    match code {
        // 3: the game that cannot be read.
        Some(0 | 3) => {}
        Some(13) => assert!(error != "EIO", "{shown}"),
        Some(1 | 12) => assert!(error == "EIO" || untold, "{shown}{}", struck.join("\n")),
        _ => panic!("{shown}"),
    }
    if !matches!(code, Some(0 | 3)) && !untold {
        assert!(stderr.contains("error: "), "{shown}");
    }
}
