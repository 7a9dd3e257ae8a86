//! The journal (`store/journal`, reliability.md 7, 21): bytes that were altered cost what stands
//! there and nothing else, and what is handed out is what was written.
//!
//! The input is a list of changes to a journal of six batches in two segments, six bytes each:
//! what to do, where (two bytes), how much (two bytes), and a byte.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use gamekeeper::store::journal::{
    ArchiveId, Frame, Journal, JournalError, Options, Position, Reader,
};
use tempfile::TempDir;

const BATCHES: u64 = 6;
const SEGMENTS: u32 = 2;
const SEGMENT_HEADER: usize = 64;
const FRAME_HEADER: usize = 88;
const CHANGE: usize = 6;

/// A journal as it was written.
struct Written {
    segments: Vec<Vec<u8>>,
    /// Where the frames 1, 2, … stand: index of the segment, and bytes within.
    frames: Vec<(usize, Range<usize>)>,
}

static WRITTEN: LazyLock<Written> = LazyLock::new(|| {
    let dir = folder();
    let options = Options {
        block_size: 64,
        segment_limit: 1_400,
        archive: Some(ArchiveId(*b"one of the tests")),
        ..Options::default()
    };
    let (mut journal, _) = Journal::open(dir.path(), &options, None).unwrap();
    let mut frames = Vec::new();
    for seq in 1..=BATCHES {
        let (records, texts) = batch(seq);
        let appended = journal.commit(&records, &texts).unwrap();
        let bytes = appended.frame.offset as usize..appended.after.offset as usize;
        frames.push((appended.frame.segment as usize - 1, bytes));
    }
    let segments = (1..=SEGMENTS).map(|number| fs::read(segment(dir.path(), number)).unwrap());
    let written = Written { segments: segments.collect(), frames };
    assert!(!segment(dir.path(), SEGMENTS + 1).exists(), "two segments are wanted");
    written
});

/// What was done to a journal.
#[derive(Default)]
struct Altered {
    /// Bytes of each segment, as they stood, that are no longer what they were.
    hit: Vec<(usize, Range<usize>)>,
    /// Bytes were taken out or put in: places are others now, so nothing else is altered.
    shifted: bool,
    /// A checksum was made to fit what had been altered: no longer damage, but a forgery.
    forged: bool,
}

pub fn holds(data: &[u8]) {
    let mut segments = WRITTEN.segments.clone();
    let mut altered = Altered::default();
    for change in data.chunks_exact(CHANGE).take(8) {
        alter(&mut segments, change, &mut altered);
    }
    let dir = folder();
    for (bytes, number) in segments.iter().zip(1..) {
        let mut file = fs::File::create(segment(dir.path(), number)).unwrap();
        file.write_all(bytes).unwrap();
    }

    if let Ok(reader) = Reader::open(dir.path()) {
        look(&reader, &altered);
    }
    if let Ok((mut journal, _)) = Journal::open(dir.path(), &Options::default(), None) {
        look(journal.reader(), &altered);
        if altered.forged {
            // A forged number may be the last that there is.
            let _ = journal.commit(b"the next", &[b"text"]);
            return;
        }
        // It goes on, and what is written now is read.
        let appended = journal.commit(b"the next", &[b"text"]).unwrap();
        let frames = journal.reader().frames(Position::START).unwrap();
        let last = frames.filter_map(Result::ok).last().unwrap();
        assert_eq!((last.after, &*last.records), (appended.after, &b"the next"[..]));
        let text = journal.reader().text(appended.frame.text(0)).unwrap();
        assert_eq!(&*text, b"text");
    } else {
        assert!(
            altered.forged || altered.hit.iter().any(|(_, bytes)| bytes.start < SEGMENT_HEADER)
        );
    }
}

fn alter(segments: &mut [Vec<u8>], change: &[u8], altered: &mut Altered) {
    let number = |at: usize| usize::from(u16::from_le_bytes([change[at], change[at + 1]]));
    let at_segment = usize::from(change[0] >> 4) % segments.len();
    let bytes = &mut segments[at_segment];
    let at = number(1) % bytes.len().max(1);
    let end = (at + number(3) % 512 + 1).min(bytes.len());
    if altered.shifted {
        return;
    }
    let untouched = altered.hit.is_empty();
    match change[0] & 15 {
        0..=3 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= change[5].max(1);
            }
            altered.hit.push((at_segment, at..at + 1));
        }
        4 => {
            bytes[at..end].fill(change[5]);
            altered.hit.push((at_segment, at..end));
        }
        5 if untouched => {
            altered.shifted = true;
            bytes.drain(at..end);
            altered.hit.push((at_segment, at..end));
        }
        6 if untouched => {
            altered.shifted = true;
            bytes.splice(at..at, vec![change[5]; number(3) % 512 + 1]);
            altered.hit.push((at_segment, at.saturating_sub(1)..at + 1));
        }
        7 => {
            altered.hit.push((at_segment, at..WRITTEN.segments[at_segment].len()));
            bytes.truncate(at);
        }
        // Headers with another content, and the checksum that goes with it.
        8..=15 => forge(bytes, at_segment, at, change[5], altered),
        _ => {}
    }
}

fn forge(bytes: &mut [u8], at_segment: usize, at: usize, xor: u8, altered: &mut Altered) {
    let frames: Vec<usize> = WRITTEN
        .frames
        .iter()
        .filter(|(segment, _)| *segment == at_segment)
        .map(|(_, bytes)| bytes.start)
        .collect();
    let starts: Vec<(usize, usize)> = std::iter::once((0, SEGMENT_HEADER))
        .chain(frames.into_iter().map(|start| (start, FRAME_HEADER)))
        .collect();
    let (start, length) = starts[at % starts.len()];
    let summed = length - 8;
    let field = at / starts.len() % summed;
    if let Some(header) = bytes.get_mut(start..start + length) {
        header[field] ^= xor.max(1);
        let sum = xxhash_rust::xxh3::xxh3_64(&header[..summed]);
        header[summed..].copy_from_slice(&sum.to_le_bytes());
    }
    altered.forged = true;
}

/// Reads all that can be read.
fn look(reader: &Reader, altered: &Altered) {
    let mut whole = Vec::new();
    let mut damaged = false;
    for frame in reader.frames(Position::START).unwrap() {
        match frame {
            Ok(frame) => {
                if check(reader, &frame, altered) {
                    whole.push(frame.after.seq);
                } else {
                    damaged = true;
                }
            }
            Err(JournalError::Damage(damage)) => {
                damaged = true;
                assert!(!damage.to_string().is_empty());
            }
            Err(_) if altered.forged => return,
            Err(error) => panic!("{error}"),
        }
    }
    let verified = reader.verify();
    if altered.forged {
        return;
    }
    let damages = verified.unwrap().damages;
    assert_eq!(damages.is_empty(), !damaged, "{damages:?}");
    assert!(whole.is_sorted_by(|a, b| a < b), "{whole:?}");
    for (seq, (segment, bytes)) in (1..).zip(&WRITTEN.frames) {
        let overlaps = |(hit, range): &(usize, Range<usize>)| {
            hit == segment && range.start < bytes.end && bytes.start < range.end
        };
        let hit = altered.hit.iter().any(overlaps);
        assert!(hit || whole.contains(&seq), "frame {seq} was not altered: {whole:?}");
    }
}

/// Holds a frame against what was written; tells whether all its texts are whole.
fn check(reader: &Reader, frame: &Frame, altered: &Altered) -> bool {
    let (records, texts) = batch(frame.after.seq);
    if !altered.forged {
        assert_eq!(frame.records, records);
        assert_eq!(frame.text_count() as usize, texts.len());
    }
    let mut whole = true;
    for (found, index) in frame.texts().zip(0..) {
        let direct = reader.text(frame.at.text(index));
        match (found, altered.forged) {
            (Ok(found), false) => {
                assert_eq!(&*found, &*texts[index as usize]);
                assert_eq!(&*direct.unwrap(), &*found);
            }
            (Ok(_), true) => {}
            (Err(_), _) => whole = false,
        }
    }
    whole
}

/// A batch that tells its number, with texts of several blocks.
fn batch(seq: u64) -> (Vec<u8>, Vec<Vec<u8>>) {
    let text = |index: u64| {
        let moves = "Nf3 Nc6 ".repeat((seq + index) as usize % 5);
        format!("[Event \"{seq}\"]\n\n{index}. e4 e5 {moves}*\n").into_bytes()
    };
    (format!("records of batch {seq}").into_bytes(), (0..3 + seq % 3).map(text).collect())
}

fn segment(dir: &Path, number: u32) -> std::path::PathBuf {
    dir.join(format!("{number:08}.gkj"))
}

/// A folder in memory where there is one: nothing here needs a disk.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let here = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    tempfile::tempdir_in(here).unwrap()
}
