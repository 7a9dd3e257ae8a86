//! Damage to the journal, which is the truth: nothing is lost silently, and what is not lost comes
//! back as it was (design §3, reliability.md 7).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gamekeeper::config::Names;
use gamekeeper::export::{Made, for_each_game};
use gamekeeper::store::journal::{Frame, Journal, Options, Position, Reader};
use gamekeeper::store::{Record, Store, StoreError};

use crate::bench::{Bench, copy_folder, game, numbered, put_back};

/// Games 1–5, 6–10 and 11–15 in three imports, then a copy of game 7 that adds a comment, and a
/// rejected game; a copy of the state.
fn filled() -> Bench {
    let bench = Bench::new();
    for first in [1, 6, 11] {
        bench.add(first..first + 5);
    }
    bench.write("copy.pgn", numbered(7).replace("1. e4", "1. e4 {good}"));
    bench.import("copy.pgn");
    bench.write("bad.pgn", game("A, a", "B, b", "2013.05.02", "1. e4 e5 2. Nf6", "1-0"));
    bench.import("bad.pgn");
    copy_folder(&bench.path("state"), &bench.path("sound"));
    bench
}

fn frames(journal: &Path) -> Vec<Frame> {
    let frames = Reader::open(journal).unwrap().frames(Position::START).unwrap();
    frames.map(Result::unwrap).collect()
}

const SEGMENT: &str = "state/journal/00000001.gkj";

/// A sound state with the journal's one segment changed, and without an index if so wanted.
fn with_segment(bench: &Bench, index: bool, change: impl FnOnce(&mut Vec<u8>)) {
    put_back(&bench.path("sound"), &bench.path("state"));
    let mut bytes = fs::read(bench.path(SEGMENT)).unwrap();
    change(&mut bytes);
    bench.write(SEGMENT, bytes);
    if !index {
        fs::remove_dir_all(bench.path("state/index")).unwrap();
    }
}

/// What the second import wrote: its frame, records and block table included.
fn second_batch(bench: &Bench) -> (usize, usize) {
    let frames = frames(&bench.path("sound/journal"));
    let frame = frames.iter().filter(|frame| frame.text_count() == 5).nth(1).unwrap();
    (frame.at.offset as usize, frame.after.offset as usize)
}

/// Something that happens to the bytes of a segment.
type Change = Box<dyn Fn(&mut Vec<u8>)>;

/// Ordinary commands go on with an index that stands, refuse to make one of what is damaged, and
/// say where, what is left and what to do; after `doctor --rebuild` they go on, and numbers grow.
#[test]
fn what_is_lost_in_the_middle_is_told_and_passed_over_on_demand() {
    let bench = filled();
    let (from, to) = second_batch(&bench);
    let flip = |at: usize| move |bytes: &mut Vec<u8>| bytes[at] ^= 0x10;
    let table: [(&str, Change); 6] = [
        ("frame header", Box::new(flip(from + 30))),
        ("block table", Box::new(flip(from + 95))),
        ("records", Box::new(flip(from + 120))),
        ("text block", Box::new(flip(to - 3))),
        ("cut out", Box::new(move |bytes| drop(bytes.drain(from..to)))),
        ("cut out in part", Box::new(move |bytes| drop(bytes.drain(from + 50..to - 20)))),
    ];
    for (what, change) in table {
        with_segment(&bench, true, &change);
        let (code, _, told) = bench.end(&["status"]);
        let (examined, out, _) = bench.end(&["doctor"]);
        // An index that stands goes on, unless it finds nothing where it was.
        assert_eq!(code, if what.starts_with("cut") { 12 } else { 0 }, "{what}: {told}");
        assert_eq!(examined, 12, "{what}: {out}");
        assert!(code == 12 || out.contains("journal: 00000001.gkj"), "{what}: {out}");

        with_segment(&bench, false, &change);
        for args in [&["status"][..], &["import", "copy.pgn"], &["status"]] {
            let (code, out, told) = bench.end(args);
            assert_eq!((code, out.as_str()), (12, ""), "{what}: {told}");
            for word in ["journal segment 00000001.gkj", "byte", "batches can be read", "hint: "] {
                assert!(told.contains(word), "{what}: no {word:?} in {told}");
            }
            assert!(told.contains("doctor --rebuild"), "{what}: {told}");
        }
        let rebuilt = bench.json(&["doctor", "--rebuild"]);
        // Game 7 has a copy whose text can be read.
        let lost = serde_json::json!([[6, 6], [8, 10]]);
        assert_eq!(rebuilt["lost_game_ids"], lost, "{what}: {rebuilt}");
        assert_eq!([&rebuilt["lost_games"], &rebuilt["lost_batches"]], [4, 1], "{what}");
        assert_eq!([&rebuilt["revived"], &rebuilt["games"]], [1, 11], "{what}");

        let status = bench.json(&["status"]);
        assert_eq!([&status["games"], &status["lost_games"]], [11, 4], "{what}");
        assert!(bench.ok(&["status"]).contains("4  (games of 1 damaged batches"), "{what}");
        bench.ok(&["doctor"]);
        assert!(bench.ok(&["game", "show", "7", "--pgn"]).contains("{good}"), "{what}");
        bench.expect(1, &["game", "show", "8"]);
        // It stays so when the index is made anew once more.
        fs::remove_dir_all(bench.path("state/index")).unwrap();
        let (code, out, told) = bench.end(&["status", "--json"]);
        assert!(code == 0 && told.contains("made anew"), "{what}: {told}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), status, "{what}");
        // A lost game that comes back gets a number that nothing had.
        assert_eq!(bench.import("6.pgn"), [5, 4, 1, 0, 0], "{what}");
        let shown = bench.ok(&["game", "show", "16", "--pgn"]);
        assert!(shown.contains("Player6, White"), "{what}: {shown}");
        bench.ok(&["doctor"]);
    }
}

/// Damage that costs no batch is told, and nothing else.
#[test]
fn damage_that_costs_nothing_is_only_told() {
    let bench = filled();
    let expected = bench.export();
    let (from, _) = second_batch(&bench);
    let table: [(&str, Change); 3] = [
        ("segment header", Box::new(|bytes| bytes[20] ^= 0x10)),
        ("garbage put in", Box::new(move |bytes| drop(bytes.splice(from..from, [7; 300])))),
        ("a torn tail", Box::new(|bytes| bytes.extend([0x8b, b'G', b'K', b'F', 1, 2, 3]))),
    ];
    for (what, change) in table {
        for index in [true, false] {
            with_segment(&bench, index, &change);
            let (code, _, told) = bench.end(&["export", "--output", "all.pgn"]);
            assert_eq!(code, 0, "{what}: {told}");
            assert_eq!(fs::read_to_string(bench.path("all.pgn")).unwrap(), expected, "{what}");
            // The index does not look at what it has read, unless its place is gone.
            let is_told = told.contains("journal segment 00000001.gkj");
            assert!(index || is_told, "{what}: {told}");
            bench.add(40..41);
            assert_eq!(bench.json(&["status"])["games"], 16, "{what}");
        }
    }
}

/// The last batch is damaged and no index knows of it: it is kept aside and told, and its numbers
/// are not given again.
#[test]
fn a_damaged_end_is_kept_aside_and_its_numbers_stay_unused() {
    let bench = Bench::new();
    bench.add(1..6);
    {
        let mut store = Store::open(&bench.path("state")).unwrap();
        store.begin_run("test", 0).unwrap();
        store.stage(Record::Deleted { game: 1 }).unwrap();
        store.commit(0).unwrap();
    }
    bench.add(6..9);
    let journal = bench.path("state/journal");
    let last = frames(&journal).into_iter().rfind(|frame| frame.text_count() > 0).unwrap();
    let mut bytes = fs::read(bench.path(SEGMENT)).unwrap();
    bytes.truncate(last.after.offset as usize);
    bytes[last.at.offset as usize + 130] ^= 0x10;
    bench.write(SEGMENT, bytes);
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    let (code, _, told) = bench.end(&["status"]);
    assert!(code == 0 && told.contains("a copy is in"), "{told}");
    assert_eq!(bench.json(&["status"])["games"], 4);
    bench.write("new.pgn", numbered(70));
    assert_eq!(bench.import("new.pgn"), [1, 1, 0, 0, 0]);
    bench.expect(1, &["game", "show", "8"]);
    let shown = bench.ok(&["game", "show", "9", "--pgn"]);
    assert!(shown.contains("Player70"), "{shown}");
    let before = bench.export();
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    assert_eq!(bench.export(), before);
    bench.ok(&["doctor"]);
}

/// The same journal in segments of one frame or a few.
fn in_segments(bench: &Bench) -> usize {
    let (old, new) = (bench.path("state/journal"), bench.path("state/new"));
    let archive = Some(Reader::open(&old).unwrap().archive());
    let options = Options { segment_limit: 600, archive, ..Options::default() };
    let (mut journal, _) = Journal::open(&new, &options, None).unwrap();
    for frame in frames(&old) {
        let texts: Vec<_> = frame.texts().map(Result::unwrap).collect();
        journal.commit(&frame.records, &texts).unwrap();
    }
    drop(journal);
    fs::remove_dir_all(&old).unwrap();
    fs::rename(&new, &old).unwrap();
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    bench.ok(&["status"]);
    fs::read_dir(&old).unwrap().count()
}

#[test]
fn a_lost_segment_is_told_and_may_be_put_back() {
    let bench = filled();
    let expected = bench.export();
    let segments = in_segments(&bench);
    assert!(segments > 4, "{segments}");
    copy_folder(&bench.path("state"), &bench.path("split"));
    for lost in [1, 2, segments - 1, segments] {
        for index in [true, false] {
            put_back(&bench.path("split"), &bench.path("state"));
            let path = bench.path(&format!("state/journal/{lost:08}.gkj"));
            let kept = fs::read(&path).unwrap();
            fs::remove_file(&path).unwrap();
            if !index {
                fs::remove_dir_all(bench.path("state/index")).unwrap();
            }
            let (code, _, told) = bench.end(&["status"]);
            if !index && lost == segments {
                // Nobody can know that there was one more.
                assert_eq!(code, 0, "{told}");
                continue;
            }
            assert_eq!(code, if index && lost < segments { 0 } else { 12 }, "{lost}: {told}");
            assert!(told.contains(&format!("{lost:08}.gkj is missing")), "{lost}: {told}");
            bench.write(path.to_str().unwrap(), &kept);
            assert_eq!(bench.export(), expected, "{lost}: put back");
            bench.ok(&["doctor"]);
            // Not put back: the rest is there, under the same numbers, and no number comes again.
            fs::remove_file(&path).unwrap();
            let before: Vec<u64> = ids(&bench);
            bench.run(&["doctor", "--rebuild"]);
            bench.ok(&["status"]);
            bench.add(60..61);
            let after = ids(&bench);
            assert!(after.iter().max() >= Some(&16), "{lost}: {before:?} {after:?}");
            bench.ok(&["doctor"]);
        }
    }
}

/// Frames are synced one by one, so only the last of all may be a write that was cut off: damage
/// before it is a loss, also where no index remembers what there was.
#[test]
fn only_the_last_frame_may_be_torn() {
    let bench = filled();
    let all = frames(&bench.path("sound/journal"));
    let [.., before, last] = all.as_slice() else { panic!("too few frames") };
    let ends = [before, last].map(|frame| frame.after.offset as usize);
    with_segment(&bench, false, |bytes| ends.iter().for_each(|end| bytes[end - 3] ^= 0x10));
    let (code, _, told) = bench.end(&["status"]);
    assert!(code == 12 && told.contains("00000001.gkj"), "{told}");
    bench.expect(3, &["doctor", "--rebuild"]);
    assert!(bench.ok(&["doctor"]).contains("2 damaged batches, passed over"));
    // What cannot be opened is told to programs too.
    with_segment(&bench, false, |bytes| ends.iter().for_each(|end| bytes[end - 3] ^= 0x10));
    let (code, out, _) = bench.end(&["doctor", "--json"]);
    assert!(code == 12 && out.contains("\"sound\":false") && out.contains("findings"), "{out}");
}

/// A sound file that is put back after its loss was passed over brings everything back, for good.
#[test]
fn a_sound_file_put_back_after_a_rebuild_mends_all() {
    let bench = filled();
    let expected = bench.export();
    in_segments(&bench);
    let path = bench.path("state/journal/00000002.gkj");
    let kept = fs::read(&path).unwrap();
    let mut damaged = kept.clone();
    let end = damaged.len();
    damaged[end - 3] ^= 0x10;
    bench.write(path.to_str().unwrap(), &damaged);
    fs::remove_dir_all(bench.path("state/index")).unwrap();
    bench.expect(3, &["doctor", "--rebuild"]);
    assert_ne!(bench.export(), expected);
    bench.write(path.to_str().unwrap(), &kept);
    let (code, out, _) = bench.end(&["doctor"]);
    assert!(code == 1 && out.contains("can be read again"), "{out}");
    assert_eq!(bench.export(), expected);
    for _ in 0..2 {
        let (code, out, told) = bench.end(&["doctor"]);
        assert_eq!(code, 0, "{out}{told}");
        assert!(!bench.ok(&["status", "--json"]).contains("lost"));
    }
}

/// A header that cannot be mended is told until it has been passed over.
#[test]
fn a_damaged_header_is_passed_over_for_good() {
    let bench = filled();
    with_segment(&bench, true, |bytes| bytes[10] ^= 1);
    bench.expect(12, &["doctor"]);
    bench.ok(&["doctor", "--rebuild"]);
    assert!(bench.ok(&["doctor"]).contains("known: "));
}

/// What is no journal must not cost numbers without end (it is set aside), nor what may not be read be
/// taken for lost.
#[test]
fn garbage_behind_the_journal_costs_few_numbers() {
    let bench = filled();
    let garbage = vec![0xab; 20 << 20];
    with_segment(&bench, true, |bytes| bytes.extend_from_slice(&garbage));
    bench.ok(&["status"]);
    bench.add(70..71);
    let all = bench.json(&["players", "list"]);
    assert!(all.to_string().contains("Player70"), "{all}");
    let store = Store::open(&bench.path("state")).unwrap();
    assert!(store.last_game() < 110_000, "{}", store.last_game());
}

/// The newest batches are gone, and only the index knows of them: their numbers are not given again.
#[test]
fn numbers_of_a_lost_end_stay_unused() {
    let bench = filled();
    in_segments(&bench);
    let journal = bench.path("state/journal");
    let third =
        frames(&journal).into_iter().filter(|frame| frame.text_count() == 5).nth(2).unwrap();
    for entry in fs::read_dir(&journal).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap() >= &*format!("{:08}", third.at.segment) {
            fs::remove_file(path).unwrap();
        }
    }
    let (code, _, told) = bench.end(&["status"]);
    assert!(code == 12 && told.contains(" missing"), "{told}");
    let rebuilt = bench.json(&["doctor", "--rebuild"]);
    assert_eq!(rebuilt["lost_game_ids"], serde_json::json!([[11, 15]]), "{rebuilt}");
    bench.add(60..61);
    assert!(bench.ok(&["game", "show", "16", "--pgn"]).contains("Player60"));
    bench.expect(1, &["game", "show", "15"]);
    bench.ok(&["doctor"]);
}

/// The numbers of all games.
fn ids(bench: &Bench) -> Vec<u64> {
    let is_there = |id: &u64| bench.run(&["game", "show", &id.to_string()]).status.success();
    (1..30).filter(is_there).collect()
}

/// All games by number, as they are exported.
fn games(store: &Store) -> BTreeMap<u32, Vec<u8>> {
    let mut games = BTreeMap::new();
    let each = |made: Made| {
        games.insert(made.id, made.text);
        Ok::<_, StoreError>(())
    };
    for_each_game(store, Names::Shown, |_| Vec::new(), each).unwrap();
    games
}

/// Opens a store of this process; one that another test starts may hold the lock for a moment.
fn soon<T>(open: impl Fn() -> Result<T, StoreError>) -> T {
    for _ in 0..100 {
        match open() {
            Err(StoreError::Locked { .. }) => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            opened => return opened.unwrap(),
        }
    }
    panic!("the archive stays locked")
}

/// Whatever single byte is damaged, `doctor --rebuild` brings back every game that is not in the
/// damaged batch, under its old number and the same to the byte.
#[test]
fn after_a_damaged_byte_everything_outside_its_batch_comes_back() {
    let bench = filled();
    let state = bench.path("state");
    let before = games(&soon(|| Store::open(&state)));
    let frames = frames(&bench.path("sound/journal"));
    let length = fs::metadata(bench.path(SEGMENT)).unwrap().len() as usize;
    for at in (0..length).step_by(29) {
        with_segment(&bench, at % 2 == 0, |bytes| bytes[at] ^= 1 << (at % 8));
        let (store, losses) = soon(|| Store::rebuild(&state, 0, &mut |_| {}));
        let hit = frames.iter().position(|frame| (at as u64) < frame.after.offset).unwrap();
        let hit = frames[hit].after.seq;
        let after = games(&store);
        for (id, pgn) in &before {
            match after.get(id) {
                Some(after) if after == pgn => {}
                // Its comment came from a copy in the batch that is damaged.
                Some(_) if *id == 7 => assert!(losses.batches.contains(&hit), "byte {at}"),
                Some(_) => panic!("byte {at}: game {id} is another"),
                None => {
                    assert!(losses.games().any(|lost| lost == *id), "byte {at}: game {id}");
                    assert_eq!(losses.batches, [hit], "byte {at}: game {id}");
                }
            }
        }
        assert_eq!(after.len() + losses.games().len(), before.len(), "byte {at}");
        drop(store);
        let again = soon(|| Store::open(&state));
        assert_eq!(games(&again), after, "byte {at}");
    }
}
