//! Whole processes: killed at any moment, or run into the file size limit (reliability.md 1, 17).
//! The child is this test binary, told by the environment what to do.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::*;

const DIR: &str = "GAMEKEEPER_JOURNAL_TEST_DIR";

fn options() -> Options {
    Options { block_size: 2 << 10, segment_limit: 200 << 10, ..Options::default() }
}

/// A batch of some size, so that a kill falls into a write often enough.
fn large(seq: u64) -> Batch {
    let text = |index: u64| {
        let mut state = seq * 1000 + index;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        });
        noise.take(500).collect()
    };
    (format!("batch {seq}").into_bytes(), (0..40).map(text).collect())
}

fn child(shell: &str, dir: &Path) -> Command {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{shell} exec \"$0\" \"$@\""))
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("{module}::append_until_stopped")])
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env(DIR, dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// The sequence numbers that the child said were committed, and how it ended.
fn acknowledged(output: impl std::io::Read) -> (Vec<u64>, Option<String>) {
    let mut seqs = Vec::new();
    let mut end = None;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if let Some(seq) = line.strip_prefix("kept ") {
            seqs.push(seq.parse().unwrap());
        } else if let Some(error) = line.strip_prefix("stopped ") {
            end = Some(error.to_owned());
        }
    }
    (seqs, end)
}

#[test]
#[ignore = "the child of the tests below"]
fn append_until_stopped() {
    let Some(dir) = std::env::var_os(DIR) else {
        return;
    };
    let (mut journal, _) = Journal::open(Path::new(&dir), &options(), None).unwrap();
    let mut out = std::io::stdout().lock();
    writeln!(out).unwrap();
    loop {
        let (records, texts) = large(journal.end().seq + 1);
        match journal.commit(&records, &texts) {
            Ok(appended) => writeln!(out, "kept {}", appended.after.seq).unwrap(),
            Err(error) => {
                writeln!(out, "stopped {} {error}", error.is_no_space()).unwrap();
                return;
            }
        }
        out.flush().unwrap();
    }
}

fn check(dir: &Path, last: u64) -> u64 {
    let (journal, report) = Journal::open(dir, &options(), None).unwrap();
    assert_eq!(report.damages, []);
    assert!(report.cut.is_none_or(|cut| cut.kept.is_none()), "a kill leaves plain beginnings only");
    let mut count = 0;
    for frame in journal.reader().frames(Position::START).unwrap() {
        let frame = frame.unwrap();
        count += 1;
        let (records, texts) = large(count);
        assert_eq!((frame.after.seq, &frame.records), (count, &records));
        assert!(frame.texts().map(|text| text.unwrap().to_vec()).eq(texts));
    }
    assert!(count >= last, "batch {last} was acknowledged, {count} are left");
    count
}

#[test]
fn killed_at_any_moment_what_was_acknowledged_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut last = 0;
    for round in 0..20_u64 {
        let mut process = child("", dir.path()).spawn().unwrap();
        let output = process.stdout.take().unwrap();
        let reading = std::thread::spawn(move || acknowledged(output));
        std::thread::sleep(Duration::from_micros(20_000 + round * 7_919 % 60_000));
        process.kill().unwrap();
        process.wait().unwrap();
        last = reading.join().unwrap().0.last().copied().unwrap_or(last);
        last = check(dir.path(), last);
    }
    assert!(last > 0, "no child came as far as a commit");
}

#[test]
fn at_the_file_size_limit_it_stops_with_no_space_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // 100 KiB or 50 KiB, as the shell counts.
    let mut process = child("trap '' XFSZ; ulimit -f 100;", dir.path()).spawn().unwrap();
    let (kept, end) = acknowledged(process.stdout.take().unwrap());
    process.wait().unwrap();
    let end = end.unwrap();
    assert!(end.starts_with("true cannot write to"), "{end}");
    assert!(kept.len() > 1);
    assert_eq!(check(dir.path(), 0), kept.len() as u64);
}
