//! The games that the crash tests work on, and the judge: is all there that was reported, does
//! each game stand once, is every exported file whole?

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench::{Bench, counts, game};

/// Bytes of the long games: an import commits after 4 MiB.
const LONG: usize = 64 << 10;
const FILES: [&str; 3] = ["a.pgn", "b.pgn", "c.pgn"];
const CONFIG: &str = "min_free_space = 0\n\
    [exports.all]\npath = \"out/all/all.pgn\"\n\
    [exports.years]\npath = \"out/years\"\nsplit = \"year\"\n";

/// Games in three files, and what becomes of them where nothing goes wrong.
pub(super) struct Scene {
    pub(super) bench: Bench,
    /// The number of the game in each text that can be read, in their order.
    texts: Vec<u32>,
    /// All games in the order in which they first come.
    order: Vec<u32>,
    export: String,
    status: Value,
    old: Files,
    new: Files,
}

/// Files by their names within a folder.
type Files = BTreeMap<PathBuf, Vec<u8>>;

impl Scene {
    /// Some 5 MB of games, of which some are there twice and one cannot be read. Beside the
    /// archive to be made stand a `base` with the games of the first file, and a `done` with all.
    pub(super) fn new() -> Scene {
        let bench = Bench::new();
        bench.write("config.toml", CONFIG);
        let ranges = [0..28, 28..56, 56..80];
        let mut texts = Vec::new();
        for (file, range) in FILES.iter().zip(ranges) {
            let mut content = String::new();
            for number in range {
                content += &numbered(number, LONG);
                texts.push(number);
                if number % 9 == 0 {
                    content += &numbered(number, 0).replace("[Round", "[ECO \"C20\"]\n[Round");
                    texts.push(number);
                }
            }
            if *file == "b.pgn" {
                content += &game("Wrong, Move", "Other, Black", "2020.01.01", "1. e4 e4", "1-0");
            }
            bench.write(file, content);
        }
        let mut seen = BTreeSet::new();
        let order = texts.iter().copied().filter(|number| seen.insert(*number)).collect();
        let mut scene = Scene {
            bench,
            texts,
            order,
            export: String::new(),
            status: Value::Null,
            old: Files::new(),
            new: Files::new(),
        };
        scene.bench.import("a.pgn");
        scene.bench.ok(&["export"]);
        copy(&scene.bench.path("state"), &scene.bench.path("base"));
        scene.old = files(&scene.bench.path("out"));
        copy(&scene.bench.path("out"), &scene.bench.path("old"));
        scene.reset(None);
        scene.import();
        scene.import();
        scene.bench.ok(&["export"]);
        scene.export = scene.bench.ok(&["export", "--output", "-"]);
        scene.status = scene.bench.json(&["status"]);
        scene.new = files(&scene.bench.path("out"));
        copy(&scene.bench.path("state"), &scene.bench.path("done"));
        assert_ne!(scene.old, scene.new, "there is nothing to export");
        assert_eq!(numbers(&scene.export), scene.order);
        scene
    }

    /// Puts the archive `saved`, or none, in its place, and the exports of the first file.
    pub(super) fn reset(&self, saved: Option<&str>) {
        for name in ["state", "out"] {
            let _ = fs::remove_dir_all(self.bench.path(name));
        }
        if let Some(saved) = saved {
            copy(&self.bench.path(saved), &self.bench.path("state"));
        }
        copy(&self.bench.path("old"), &self.bench.path("out"));
    }

    /// Imports all files; `read`, `new`, `duplicates`, `updated`, `rejected`.
    fn import(&self) -> [u64; 5] {
        counts(&self.bench.json(&[&["import"], &FILES[..]].concat()))
    }

    /// How many games the first `texts` texts hold.
    fn games_in(&self, texts: u64) -> usize {
        self.texts[..texts as usize].iter().collect::<BTreeSet<_>>().len()
    }

    /// After an import of all files, however it ended: nothing of that is lost, nothing stands twice, and importing again brings the rest.
    pub(super) fn judge(&self, told: Told, context: &str) {
        let bench = &self.bench;
        let reported = if told.done { self.texts.len() as u64 } else { told.safe };
        let status = bench.json(&["status"]);
        let stored = status["games"].as_u64().unwrap() as usize;
        assert!(
            stored >= self.games_in(reported),
            "{context}: {stored} games, {reported} texts were reported safe"
        );
        let exported = bench.ok(&["export", "--output", "-"]);
        assert_eq!(numbers(&exported), self.order[..stored], "{context}: exported");
        if let Some(last) = self.order[..stored].last() {
            let shown = bench.json(&["game", "show", &stored.to_string()]);
            assert_eq!(shown["white"], format!("Player{last}, White"), "{context}");
        }
        let [read, new, _, updated, rejected] = self.import();
        assert_eq!(
            [read, new, updated, rejected],
            [self.texts.len() as u64 + 1, (self.order.len() - stored) as u64, 0, 1],
            "{context}: imported again"
        );
        self.judge_done(context);
    }

    /// The archive holds what it holds where nothing goes wrong.
    pub(super) fn judge_done(&self, context: &str) {
        let exported = self.bench.ok(&["export", "--output", "-"]);
        assert!(exported == self.export, "{context}: another export in the end");
        let status = self.bench.json(&["status"]);
        for count in ["games", "players", "duplicates", "rejected"] {
            assert_eq!(status[count], self.status[count], "{context}: {count}");
        }
    }

    /// After an export, however it ended: each file is the old one or the new one, none is gone,
    /// and the next export completes the work and leaves no trace of the one before.
    pub(super) fn judge_exports(&self, told: Told, context: &str) {
        let out = self.bench.path("out");
        let now = files(&out);
        assert!(!told.done || now == self.new, "{context}: reported as done and is not");
        let visible = |path: &Path| !path.file_name().unwrap().to_str().unwrap().starts_with('.');
        for (path, content) in now.iter().filter(|(path, _)| visible(path)) {
            let whole = [self.old.get(path), self.new.get(path)].contains(&Some(content));
            assert!(whole, "{context}: {} is neither old nor new", path.display());
        }
        for path in self.old.keys().filter(|path| visible(path) && self.new.contains_key(*path)) {
            assert!(now.contains_key(path), "{context}: {} is gone", path.display());
        }
        self.bench.ok(&["export"]);
        let then = files(&out);
        let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&then), names(&self.new), "{context}: files in the end");
        assert!(then == self.new, "{context}: other exports in the end");
    }

    /// After an `init`, however it ended: no config, or a whole one.
    pub(super) fn judge_init(&self, told: Told, context: &str) {
        let path = self.bench.path("out/config.toml");
        assert!(!told.done || path.exists(), "{context}: reported as done and is not");
        let again = self.bench.run(&INIT);
        assert!(matches!(again.status.code(), Some(0 | 1)), "{context}");
        let content = fs::read_to_string(path).unwrap();
        assert_eq!(content, include_str!("../../../config.example.toml"), "{context}");
    }
}

/// Something the program does, and how to tell that it came to no harm.
pub(super) struct Action {
    pub(super) args: &'static [&'static str],
    /// What is called before the arguments, for people.
    pub(super) name: &'static str,
    /// The archive it begins with.
    pub(super) saved: Option<&'static str>,
    judge: fn(&Scene, Told, &str),
}

/// What the program had told when it was struck.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Told {
    /// How many texts are safe.
    pub(super) safe: u64,
    /// That everything is done.
    pub(super) done: bool,
}

const INIT: [&str; 3] = ["init", "--output", "out/config.toml"];
const IMPORT: [&str; 5] = ["-v", "import", "a.pgn", "b.pgn", "c.pgn"];

/// Everything that writes.
pub(super) const ACTIONS: [Action; 5] = [
    Action { name: "import", args: &IMPORT, saved: None, judge: Scene::judge },
    Action { name: "import of more", args: &IMPORT, saved: Some("base"), judge: Scene::judge },
    Action {
        name: "export",
        args: &["export"],
        saved: Some("done"),
        judge: |scene, told, context| {
            scene.judge_exports(told, context);
            scene.judge_done(context);
        },
    },
    Action {
        name: "opening without an index",
        args: &["status"],
        saved: Some("bare"),
        judge: |scene, _, context| scene.judge_done(context),
    },
    Action {
        name: "init",
        args: &INIT,
        saved: None,
        judge: |scene, told, context| scene.judge_init(told, context),
    },
];

impl Action {
    /// Puts everything in its place for this action.
    pub(super) fn prepare(&self, scene: &Scene) {
        let bare = scene.bench.path("bare");
        if self.saved == Some("bare") && !bare.exists() {
            copy(&scene.bench.path("done/journal"), &bare.join("journal"));
        }
        scene.reset(self.saved);
    }

    /// Judges what it left.
    pub(super) fn judge(&self, scene: &Scene, told: Told, context: &str) {
        (self.judge)(scene, told, &format!("{}, {context}", self.name));
    }
}

/// The count of the last line such as `… 1200 games are safe …`: new ones and duplicates.
pub(super) fn safe_texts(stderr: &str) -> u64 {
    let count = |line: &str| -> Option<u64> {
        let before = line.split(" games are safe").next().filter(|before| *before != line)?;
        before.rsplit(' ').next()?.parse().ok()
    };
    stderr.lines().filter_map(count).max().unwrap_or(0)
}

/// A game like no other, with a comment of `bytes` bytes.
pub(super) fn numbered(number: u32, bytes: usize) -> String {
    let year = 2010 + number % 4;
    let comment = match bytes {
        0 => String::new(),
        _ => format!("{{{}}} ", format!("word {number} ").repeat(bytes / 8).trim_end()),
    };
    game(
        &format!("Player{number}, White"),
        "Other, Black",
        &format!("{year}.01.01"),
        &format!("1. e4 {comment}e5 2. Nf3 Nc6"),
        "1-0",
    )
}

/// The numbers of the games of a PGN, in their order.
fn numbers(pgn: &str) -> Vec<u32> {
    let number =
        |line: &str| line.strip_prefix("[White \"Player")?.strip_suffix(", White\"]")?.parse().ok();
    pgn.lines().filter_map(number).collect()
}

/// Copies a folder.
pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for (path, content) in files(from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// All files in a folder and below it.
pub(super) fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = fs::read(&path).unwrap();
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), content);
            }
        }
    }
    found
}
