//! Tests of the journal (design §3, §7; reliability.md 1–7, 16–19): nothing acknowledged is lost,
//! nothing wrong is handed out, damage costs only its own place and is said.

mod damage;
mod fault;
mod open;
mod process;
mod roundtrip;
mod speed;
mod torn;

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// A batch: records and texts.
type Batch = (Vec<u8>, Vec<Vec<u8>>);

/// A batch that tells its number, with texts of several blocks when the block size is small.
fn batch(seq: u64) -> Batch {
    let texts = (0..3 + seq % 3).map(|index| {
        let move_number = seq * 10 + index;
        format!(
            "[Event \"{seq}\"]\n\n{move_number}. e4 e5 {} *\n",
            "Nf3 Nc6 ".repeat(index as usize)
        )
        .into_bytes()
    });
    (format!("records of batch {seq}").into_bytes(), texts.collect())
}

fn small() -> Options {
    Options { block_size: 64, ..Options::default() }
}

/// Small blocks, and a segment for every frame or two.
fn many_segments() -> Options {
    Options { block_size: 64, segment_limit: 700, ..Options::default() }
}

/// A journal in a fresh directory with the batches 1 to `count`; where each was put.
fn journal_of(options: &Options, count: u64) -> (tempfile::TempDir, Vec<Appended>) {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(dir.path(), options, None).unwrap();
    let appended = (1..=count).map(|seq| {
        let (records, texts) = batch(seq);
        journal.commit(&records, &texts).unwrap()
    });
    let appended = appended.collect();
    (dir, appended)
}

fn segment_path(dir: &Path, number: u32) -> PathBuf {
    dir.join(segment::file_name(number))
}

fn write(path: &Path, bytes: &[u8]) {
    use std::io::Write;
    fs::File::create(path).unwrap().write_all(bytes).unwrap();
}

/// A directory with the one segment `bytes`.
fn dir_with(bytes: &[u8]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(&segment_path(dir.path(), 1), bytes);
    dir
}

/// What can be read of a journal of [`batch`]es. Whatever is read is held against the batch of
/// its number, so nothing wrong gets through.
#[derive(Debug, Default, PartialEq, Eq)]
struct Read {
    /// Numbers of the frames that are whole, texts and all.
    whole: Vec<u64>,
    /// Numbers of the frames of which some texts are damaged.
    partly: Vec<u64>,
    damages: Vec<Damage>,
}

fn read(reader: &Reader, from: Position) -> Read {
    let mut read = Read::default();
    for frame in reader.frames(from).unwrap() {
        let frame = match frame {
            Ok(frame) => frame,
            Err(JournalError::Damage(damage)) => {
                assert!(!damage.to_string().is_empty());
                read.damages.push(damage);
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let (records, texts) = batch(frame.after.seq);
        assert_eq!(frame.records, records);
        assert_eq!(frame.texts().len(), texts.len());
        let mut whole = true;
        for (index, (found, text)) in frame.texts().zip(&texts).enumerate() {
            let direct = reader.text(frame.at.text(index as u32));
            match found {
                Ok(found) => {
                    assert_eq!(&*found, text.as_slice());
                    assert_eq!(&*direct.unwrap(), text.as_slice());
                }
                Err(JournalError::Damage(damage)) => {
                    assert!(matches!(direct, Err(JournalError::Damage(same)) if same == damage));
                    whole = false;
                }
                Err(error) => panic!("{error}"),
            }
        }
        if whole { &mut read.whole } else { &mut read.partly }.push(frame.after.seq);
    }
    read
}
