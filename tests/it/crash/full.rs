//! The disk is full, or files may not grow: exit code 13, nothing lost, and with room it goes on
//! (reliability.md 16, 17).
//!
//! The limit on the size of files needs no rights; small disks are mounted, which only root can.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::scene::{ACTIONS, Action, Scene, numbered};
use super::strace::{Ran, run_limited};
use super::{Dice, is_full, tell};
use crate::bench::Bench;

/// reliability.md 17: the process does not die of SIGXFSZ; what it cannot write is told.
#[test]
fn a_limit_on_file_size_is_like_a_full_disk() {
    let scene = Scene::new();
    let mut struck = 0;
    for action in &ACTIONS[..4] {
        for kib in [0, 1, 4, 12, 20, 28, 64, 100, 1_000, 1_700, 4_000] {
            let chosen = is_full() || kib == 12 || Dice::new().below(6) == 0;
            struck += u64::from(chosen && strike(&scene, action, kib));
        }
    }
    assert!(struck >= 2, "{struck} limits were met");
    tell(&format!("limits on file size: {struck} runs struck, 0 lost, 0 doubled"));
}

/// Whether the limit was met.
fn strike(scene: &Scene, action: &Action, kib: u64) -> bool {
    action.prepare(scene);
    let plain = scene.bench.command(action.args);
    // bash counts in KiB; other shells in blocks.
    let mut command = Command::new("bash");
    command.arg("-c").arg(format!("ulimit -f {kib}; exec \"$@\"")).arg("bash");
    command.arg(plain.get_program()).args(plain.get_args());
    command.current_dir(scene.bench.dir.path());
    let ran = run_limited(&scene.bench, command);
    let context = format!("{}, files of {kib} KiB at most", action.name);
    judge_end(&ran, &context);
    action.judge(scene, ran.told(), &context);
    ran.code == Some(13)
}

fn judge_end(ran: &Ran, context: &str) {
    let shown = format!("{context}: exit {:?}\n{}", ran.code, ran.stderr);
    assert!(matches!(ran.code, Some(0 | 3 | 13)), "{shown}");
    assert!(!ran.stderr.contains("panicked"), "{shown}");
    if ran.code == Some(13) {
        assert!(ran.stderr.contains("error: ") && ran.stderr.contains("hint: "), "{shown}");
    }
}

/// A small disk, unmounted when it is dropped.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    /// `None`, said aloud, where it may not be mounted.
    fn mount(path: &Path, kib: u64) -> Option<SmallDisk<'_>> {
        fs::create_dir_all(path).unwrap();
        let size = format!("size={kib}k,mode=700");
        let run =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(path).output();
        if run.is_ok_and(|output| output.status.success()) {
            return Some(SmallDisk(path));
        }
        tell("skipped: only root can mount a small disk: no full disk was tried");
        None
    }

    fn resize(&self, kib: u64) {
        let size = format!("remount,size={kib}k");
        let run = Command::new("mount").args(["-o", &size]).arg(self.0).status();
        assert!(run.unwrap().success());
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// reliability.md 16: long games that no compressor makes shorter, onto disks of many sizes.
#[test]
fn an_import_onto_a_full_disk_goes_on_when_there_is_room() {
    let bench = Bench::new();
    bench.write("config.toml", "min_free_space = 0\n");
    let mut dice = Dice::new();
    let mut games = String::new();
    let count = 14;
    for number in 0..count {
        games +=
            &incompressible(number, if number % 7 == 6 { 14 << 20 } else { 900 << 10 }, &mut dice);
    }
    bench.write("games.pgn", &games);
    let mut struck = 0;
    let sizes: &[u64] = if is_full() {
        &[1, 15, 17, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 48, 56]
    } else {
        &[1, 18, 28, 36]
    };
    for mib in sizes {
        let state = bench.path("state");
        let Some(disk) = SmallDisk::mount(&state, mib << 10) else { return };
        let ran = run_limited(&bench, bench.command(&["-v", "import", "games.pgn"]));
        let context = format!("a disk of {mib} MiB");
        judge_end(&ran, &context);
        struck += u64::from(ran.code == Some(13));
        disk.resize(200 << 10);
        let stored = bench.json(&["status"])["games"].as_u64().unwrap();
        assert!(stored >= ran.told().safe, "{context}: {stored} games\n{}", ran.stderr);
        let again = bench.import("games.pgn");
        let count = u64::from(count);
        assert_eq!(again, [count, count - stored, stored, 0, 0], "{context}");
        let exported = bench.export();
        assert!(exported.matches("[White ").count() as u64 == count, "{context}");
    }
    assert!(struck > 1, "{struck} disks were full");
    tell(&format!(
        "imports onto a full disk: {struck} of {} struck, 0 lost, 0 doubled",
        sizes.len()
    ));
}

/// reliability.md 17: the old export is intact and the unfinished one is gone.
#[test]
fn an_export_onto_a_full_disk_leaves_the_old_one() {
    let scene = Scene::new();
    let action = &ACTIONS[2];
    let out = scene.bench.path("out");
    let (mut struck, mut tried) = (0, 0);
    let mut kib = 4 << 10;
    while kib < 17 << 10 {
        action.prepare(&scene);
        let old = super::scene::files(&out);
        fs::remove_dir_all(&out).unwrap();
        let Some(disk) = SmallDisk::mount(&out, kib) else { return };
        super::scene::copy(&scene.bench.path("old"), &out);
        let ran = run_limited(&scene.bench, scene.bench.command(action.args));
        let context = format!("a disk of {kib} KiB");
        judge_end(&ran, &context);
        if ran.code == Some(13) {
            struck += 1;
            let now = super::scene::files(&out);
            assert!(
                now.keys().eq(old.keys()) || now.len() > old.len(),
                "{context}: a file is gone"
            );
            let left = |path: &&std::path::PathBuf| path.to_str().unwrap().ends_with(".tmp");
            assert_eq!(now.keys().find(left), None, "{context}: a temporary file is left");
        }
        disk.resize(100 << 10);
        action.judge(&scene, ran.told(), &context);
        drop(disk);
        tried += 1;
        kib += if is_full() { 700 } else { 3_500 };
    }
    assert!(struck > 0, "no disk was full");
    tell(&format!(
        "exports onto a full disk: {struck} of {tried} struck, the old one whole in each"
    ));
}

/// A game with a comment that cannot be packed.
fn incompressible(number: u32, bytes: usize, dice: &mut Dice) -> String {
    let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";
    let mut comment = String::with_capacity(bytes + 8);
    while comment.len() < bytes {
        let mut bits = dice.below(1 << 48);
        for _ in 0..8 {
            comment.push(char::from(letters[bits as usize % 64]));
            bits >>= 6;
        }
        if comment.len() % 64 < 8 {
            comment.push(' ');
        }
    }
    numbered(number, 0).replace("1. e4 ", &format!("1. e4 {{{comment}}} "))
}
