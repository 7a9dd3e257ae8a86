//! Stores of older and newer programs (reliability.md 39): an older one is taken over, a newer one is
//! refused in words.

use std::fs;
use std::path::Path;

use gamekeeper::store::journal::{Journal, Options};
use xxhash_rust::xxh3::xxh3_64;

use crate::bench::{Bench, copy_folder, numbered};

/// A store as the first format had it, with its index.
fn first_format() -> (Bench, String) {
    let bench = Bench::new();
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores/v1");
    copy_folder(&stored.join("journal"), &bench.path("state/journal"));
    copy_folder(&stored.join("index"), &bench.path("state/index"));
    let packed = fs::File::open(bench.path("state/index/db.zst")).unwrap();
    let mut db = fs::File::create(bench.path("state/index/db")).unwrap();
    zstd::stream::copy_decode(packed, &mut db).unwrap();
    fs::remove_file(bench.path("state/index/db.zst")).unwrap();
    (bench, fs::read_to_string(stored.join("expected.pgn")).unwrap())
}

#[test]
fn a_store_of_the_first_format_is_taken_over_and_goes_on() {
    let (bench, expected) = first_format();
    let (code, _, told) = bench.end(&["status"]);
    assert!(code == 0 && told.contains("made anew") && told.contains("format 1"), "{told}");
    let (_, _, told) = bench.end(&["status"]);
    assert_eq!(told, "", "once");
    assert_eq!(bench.export(), expected);
    let status = bench.json(&["status"]);
    let counts = ["games", "players", "duplicates", "rejected"].map(|what| &status[what]);
    assert_eq!(counts, [4, 8, 2, 1]);
    bench.ok(&["doctor"]);
    // What it knows is known, what is new is new.
    bench.write("again.pgn", expected.clone() + &numbered(5));
    assert_eq!(bench.import("again.pgn"), [5, 1, 4, 0, 0]);
    bench.ok(&["doctor"]);
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    assert!(bench.export().starts_with(&expected));
}

#[test]
fn a_newer_index_is_refused() {
    let bench = Bench::new();
    bench.add(0..3);
    {
        let db = sled::open(bench.path("state/index")).unwrap();
        let tree = db.open_tree("index").unwrap();
        let mut meta = tree.get([0x01]).unwrap().unwrap().to_vec();
        meta[0] = 99;
        tree.insert([0x01], meta).unwrap();
        db.flush().unwrap();
    }
    for args in [&["status"][..], &["doctor"], &["doctor", "--rebuild"], &["import", "0.pgn"]] {
        let (code, _, told) = bench.end(args);
        assert_eq!(code, 12, "{told}");
        assert!(told.contains("newer gamekeeper (format 99") && told.contains("hint: "), "{told}");
    }
}

#[test]
fn newer_records_are_refused() {
    let bench = Bench::new();
    bench.add(0..3);
    {
        let (mut journal, _) =
            Journal::open(&bench.path("state/journal"), &Options::default(), None).unwrap();
        // One record, of a kind that is not known.
        journal.commit::<&[u8]>(&[1, 120, 0], &[]).unwrap();
    }
    for index in [true, false] {
        if !index {
            fs::remove_dir_all(bench.path("state/index")).unwrap();
        }
        for args in [&["status"][..], &["doctor"], &["doctor", "--rebuild"]] {
            let (code, _, told) = bench.end(args);
            assert_eq!(code, 12, "{told}");
            assert!(told.contains("a newer one wrote it") && told.contains("hint: "), "{told}");
        }
    }
}

#[test]
fn a_newer_journal_is_refused() {
    let bench = Bench::new();
    bench.add(0..3);
    let path = "state/journal/00000001.gkj";
    let mut bytes = fs::read(bench.path(path)).unwrap();
    bytes[24] = 2;
    let sum = xxh3_64(&bytes[..56]).to_le_bytes();
    bytes[56..64].copy_from_slice(&sum);
    bench.write(path, bytes);
    for args in [&["status"][..], &["doctor"], &["doctor", "--rebuild"]] {
        let (code, _, told) = bench.end(args);
        assert!(code == 12 && told.contains("newer than 1"), "{told}");
    }
}
