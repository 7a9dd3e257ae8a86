//! The power goes: only what was synced is left, and perhaps some of the rest.
//!
//! strace records what an undisturbed run does; for each moment at which something became safe or
//! was told, the files are laid as a power cut could have left them, and the program is started on
//! them. With everything left it is `kill -9` at each place in the order of all threads.

use super::disk::{Disk, Left};
use super::scene::{ACTIONS, Action, Scene, Told, files, safe_texts};
use super::{Dice, is_full, strace, tell, trace};

const FOLDERS: [&str; 2] = ["state", "out"];

#[test]
fn what_was_reported_survives_a_power_cut() {
    if !strace::is_there() {
        return;
    }
    let scene = Scene::new();
    let mut dice = Dice::new();
    let cuts: u64 = ACTIONS.iter().map(|action| cut_all(&scene, action, &mut dice)).sum();
    assert!(cuts > 5, "{cuts} power cuts");
    tell(&format!("power cuts: {cuts}, 0 lost, 0 doubled"));
}

/// How many times the power was cut.
fn cut_all(scene: &Scene, action: &Action, dice: &mut Dice) -> u64 {
    action.prepare(scene);
    let mut disk = Disk::of(scene.bench.dir.path(), &FOLDERS);
    let options = trace::options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let ran = strace::run(&scene.bench, &options, action.args);
    assert!(matches!(ran.code, Some(0 | 3)), "{}: {}", action.name, ran.stderr);
    disk.take(&trace::parse(&ran.trace));
    let moments = disk.moments();
    let last = *moments.last().unwrap();
    check_model(scene, &disk, last, action.name);

    let mut cuts = 0;
    for (number, &moment) in moments.iter().enumerate() {
        for left in [Left::Nothing, Left::Some, Left::Names, Left::Everything] {
            // In short, a sample of them; always one after all is done.
            let is_end = moment == last && left == Left::Nothing;
            if !is_full() && !is_end && dice.below(moments.len() as u64 * 4) >= 3 {
                continue;
            }
            let seed = dice.seed;
            disk.cut(moment, left, &FOLDERS, dice);
            let told = Told {
                safe: safe_texts(&disk.told(moment, 2)),
                done: !disk.told(moment, 1).is_empty(),
            };
            let context =
                format!("power cut {number} of {}, left: {left:?} (seed {seed})", moments.len());
            action.judge(scene, told, &context);
            cuts += 1;
        }
    }
    cuts
}

/// The model of the disk is right: with everything left it holds what the disk holds.
fn check_model(scene: &Scene, disk: &Disk, last: usize, context: &str) {
    let now = || FOLDERS.map(|folder| files(&scene.bench.path(folder)));
    let real = now();
    disk.cut(last, Left::Everything, &FOLDERS, &mut Dice::new());
    for (real, model) in real.into_iter().zip(now()) {
        let names = |files: &std::collections::BTreeMap<_, _>| files.keys().cloned().collect();
        let (real_names, model_names): (Vec<_>, Vec<_>) = (names(&real), names(&model));
        assert_eq!(real_names, model_names, "{context}");
        for (path, content) in real {
            assert!(model[&path] == content, "{context}: {} differs", path.display());
        }
    }
}
