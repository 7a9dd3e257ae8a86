//! A damaged index is noticed, told and made anew; the archive never comes back smaller
//! (reliability.md 3 and 7).

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::bench::{Bench, copy_folder, game, numbered, put_back};

/// An archive with enough rows for many blocks, duplicates, a rejected game, and a copy of its state.
fn filled() -> Bench {
    let bench = Bench::new();
    bench.add(0..150);
    bench.add(150..200);
    let noted = numbered(7).replace("1. e4", "1. e4 {good}");
    let broken = game("A, a", "B, b", "2013.05.02", "1. e4 e5 2. Nf6", "1-0");
    bench.write("more.pgn", noted + &numbered(8).replace("\"Test\"", "\"Other\"") + &broken);
    bench.import("more.pgn");
    copy_folder(&bench.path("state"), &bench.path("sound"));
    bench
}

fn db(bench: &Bench) -> PathBuf {
    bench.path("state/index/db")
}

fn snapshot(bench: &Bench) -> PathBuf {
    let entries = fs::read_dir(bench.path("state/index")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    paths.find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("snap.")).unwrap()
}

/// Does something to a sound archive; what must then hold: every answer is right, or it is told that
/// the index is damaged and the next one is right; and in the end all is sound.
fn after(bench: &Bench, expected: &str, what: &str, damage: impl FnOnce(&Bench)) -> String {
    put_back(&bench.path("sound"), &bench.path("state"));
    damage(bench);
    let mut all_told = String::new();
    let args = &["export", "--output", "after.pgn"];
    let (mut code, _, told) = bench.end(args);
    all_told += &told;
    if code == 1 {
        assert!(told.contains("index") && told.contains("hint: "), "{what}: {told}");
        let (again, _, told) = bench.end(args);
        assert!(told.contains("made anew"), "{what}: {told}");
        all_told += &told;
        code = again;
    }
    assert_eq!(code, 0, "{what}: {all_told}");
    assert_eq!(fs::read_to_string(bench.path("after.pgn")).unwrap(), expected, "{what}");
    let (code, out, told) = bench.end(&["doctor"]);
    assert!(matches!(code, 0 | 1), "{what}: {out} {told}");
    if code == 1 {
        all_told += &told;
        let (code, out, told) = bench.end(&["doctor"]);
        assert_eq!(code, 0, "{what}: {out} {told}");
        assert!(told.contains("made anew"), "{what}: {told}");
    }
    all_told
}

#[test]
fn damage_anywhere_in_the_database_is_survived() {
    let bench = filled();
    let expected = bench.export();
    let bytes = fs::read(bench.path("sound/index/db")).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    for part in 0..24 {
        let at = 5 + used * part / 24;
        after(&bench, &expected, &format!("byte {at}"), |bench| {
            let file = OpenOptions::new().write(true).open(db(bench)).unwrap();
            file.write_at(&[bytes[at] ^ 0x10], at as u64).unwrap();
        });
    }
    for keep in [0, 1, 100, used / 4, used / 2, used - 10] {
        after(&bench, &expected, &format!("cut to {keep}"), |bench| {
            OpenOptions::new().write(true).open(db(bench)).unwrap().set_len(keep as u64).unwrap();
        });
    }
}

#[test]
fn missing_files_of_the_index_are_survived() {
    let bench = filled();
    let expected = bench.export();
    let whole = |bench: &Bench| fs::remove_dir_all(bench.path("state/index")).unwrap();
    let told = after(&bench, &expected, "no index", whole);
    assert!(told.contains("made anew") && told.contains("there was none"), "{told}");
    for name in ["db", "conf"] {
        after(&bench, &expected, name, |bench| {
            fs::remove_file(bench.path("state/index").join(name)).unwrap();
        });
    }
    // A database that opens empty, and says nothing.
    let told = after(&bench, &expected, "empty", |bench| {
        fs::remove_dir_all(bench.path("state/index")).unwrap();
        sled::open(bench.path("state/index")).unwrap().flush().unwrap();
    });
    assert!(told.contains("it was empty, and the journal has"), "{told}");
}

#[test]
fn damaged_snapshots_cost_nothing() {
    let bench = filled();
    let expected = bench.export();
    let told = after(&bench, &expected, "cut off", |bench| {
        bench.write("state/index/snap.00000000FFFFFFFF.generating", "");
    });
    assert!(told.contains("removed snap.00000000FFFFFFFF.generating"), "{told}");
    let sound = fs::read(snapshot(&bench)).unwrap();
    let mut damaged = vec![Vec::new(), sound[..5].to_vec(), sound[..sound.len() / 2].to_vec()];
    for at in [0, sound.len() / 3, sound.len() - 13, sound.len() - 2] {
        let mut altered = sound.clone();
        altered[at] ^= 0x10;
        damaged.push(altered);
    }
    for (number, bytes) in damaged.into_iter().enumerate() {
        let what = format!("snapshot {number}");
        let told = after(&bench, &expected, &what, |bench| {
            let path = snapshot(bench);
            bench.write(path.to_str().unwrap(), &bytes);
        });
        assert!(told.contains("set aside") || told.contains("made anew"), "{what}: {told}");
    }
}

/// The index is the journal's own: another one is noticed, whichever of the two was exchanged.
#[test]
fn an_index_beside_another_journal_is_made_anew() {
    let bench = filled();
    let other = Bench::new();
    other.add(500..520);
    let (ours, theirs) = (bench.export(), other.export());
    let told = after(&bench, &ours, "foreign index", |bench| {
        put_back(&other.path("state/index"), &bench.path("state/index"));
    });
    assert!(told.contains("journal of another archive"), "{told}");
    let told = after(&bench, &theirs, "foreign journal", |bench| {
        put_back(&other.path("state/journal"), &bench.path("state/journal"));
    });
    assert!(told.contains("journal of another archive"), "{told}");
}

/// An index of the same archive at another time, or of another course of things.
#[test]
fn an_index_of_another_history_is_brought_up_or_made_anew() {
    let bench = filled();
    // Behind the journal: what it lacks is applied.
    bench.add(800..801);
    put_back(&bench.path("state/index"), &bench.path("ahead"));
    put_back(&bench.path("sound/index"), &bench.path("state/index"));
    let (code, out, told) = bench.end(&["status", "--json"]);
    assert!(code == 0 && out.contains("\"games\":201") && told.is_empty(), "{out} {told}");
    // Of a batch that has another one in its place.
    put_back(&bench.path("sound"), &bench.path("state"));
    bench.write("90.pgn", numbered(90).replace("2020.01.01", "2020.01.02"));
    bench.import("90.pgn");
    let expected = bench.export();
    put_back(&bench.path("state"), &bench.path("sound"));
    let told = after(&bench, &expected, "another course", |bench| {
        put_back(&bench.path("ahead"), &bench.path("state/index"));
    });
    assert!(told.contains("made anew"), "{told}");
}

/// Rows that sled has lost are noticed where they are missed, and then made anew; what no command
/// misses, `doctor` finds.
#[test]
fn lost_rows_are_noticed() {
    let bench = filled();
    let expected = bench.export();
    let remove = |bench: &Bench, key: &[u8]| {
        let db = sled::open(bench.path("state/index")).unwrap();
        let tree = db.open_tree("index").unwrap();
        let found = tree.scan_prefix(key).next().expect("there is such a row").unwrap().0;
        tree.remove(found).unwrap();
        db.flush().unwrap();
    };
    // Games 33 to 64, players 33 to 64, the first hashes.
    for key in [&[0x10, 0, 0, 0, 1][..], &[0x11, 0, 0, 0, 1], &[0x20, 0, 0, 0, 0]] {
        let told = after(&bench, &expected, &format!("key {key:x?}"), |bench| remove(bench, key));
        assert!(told.contains("is missing"), "{told}");
    }
    // The last ones are looked for at every start.
    let told = after(&bench, &expected, "the end", |bench| remove(bench, &[0x10, 0, 0, 0, 6]));
    assert!(told.contains("made anew") && !told.contains("error"), "{told}");
    // A copy that adds a comment.
    put_back(&bench.path("sound"), &bench.path("state"));
    remove(&bench, &[0x17]);
    let (code, out, _) = bench.end(&["doctor"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("copies have a row") && out.contains("doctor --rebuild"), "{out}");
    assert_eq!(bench.export(), expected);
    bench.ok(&["doctor"]);
}
