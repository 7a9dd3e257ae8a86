//! Opening for writing: finding the end, cutting off what a crash left, saying what is wrong.
//!
//! Nothing that may once have been synced is destroyed here. A tail that is no plain unfinished
//! write is copied aside before it is cut, and a journal that ends before a position somebody
//! remembers is not cut at all: writing goes on in a new segment, so that the loss stays visible
//! and no reference to what was lost ever leads to something else.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::encode::Encoder;
use super::frame;
use super::output::{Output, create_dir, sweep};
use super::reader::Survey;
use super::segment::{self, Found, Segment, SegmentHeader, file_name};
use super::{
    ArchiveId, Damage, DamageKind, Frames, Journal, JournalError, Options, Position, Reader,
};

/// What opening found and did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenReport {
    /// The journal was not there and has been made.
    pub created: bool,
    /// The archive it belongs to.
    pub archive: ArchiveId,
    /// The place behind the last frame.
    pub end: Position,
    /// The tail that was cut off.
    pub cut: Option<Cut>,
    /// Damage met on the way. Opening does not look for it; [`Reader::verify`] does.
    pub damages: Vec<Damage>,
    /// The position given is no place in this journal: it ends before it, or has been replaced.
    /// Whatever was derived from the journal up to there must be derived anew.
    pub position_lost: bool,
}

/// A tail that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Number of the segment.
    pub segment: u32,
    /// Offset in bytes from which it was cut.
    pub from: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Where a copy of them is, unless they were plainly an unfinished write.
    pub kept: Option<PathBuf>,
    /// How many texts may have stood there, at most, where they were no unfinished write.
    pub texts: u32,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, bytes, from) = (file_name(self.segment), self.bytes, self.from);
        match &self.kept {
            None => write!(
                f,
                "journal segment {name}: cut off {bytes} bytes of an unfinished batch at byte {from}"
            ),
            Some(path) => write!(
                f,
                "journal segment {name}: cut off {bytes} unreadable bytes at byte {from}; a copy is in {}",
                path.display()
            ),
        }
    }
}

/// The end of a segment.
struct Tail {
    /// Behind the last whole frame.
    end: Position,
    /// Damage before that.
    damages: Vec<Damage>,
    /// Whether the position asked for was met as the end of a frame.
    met: bool,
    /// The highest sequence number met, those of damaged frames too.
    last_seq: u64,
    /// What stands before the end is damaged. Were the tail cut there, it would be the last next time,
    /// and look like a write that was cut off.
    hangs: bool,
}

impl Journal {
    /// Opens the journal in `dir` for writing, making it if it is not there. The caller holds the
    /// lock of the store. Reads what stands behind `from` in the last segment, or that segment
    /// whole without `from`, and no more.
    ///
    /// # Errors
    /// `Io`, `Newer`, `Foreign`, `Misplaced`, `Unreadable`, `Compress`.
    pub fn open(
        dir: &Path,
        options: &Options,
        from: Option<Position>,
    ) -> Result<(Self, OpenReport), JournalError> {
        create_dir(dir)?;
        sweep(dir)?;
        let Survey { numbers, archive } = Survey::of(dir, options.archive)?;
        let created = numbers.is_empty() && from.is_none_or(|from| from == Position::START);
        let archive = match archive {
            Some(archive) => archive,
            None if numbers.is_empty() => ArchiveId::random(),
            None => {
                return Err(JournalError::Unreadable { path: dir.to_owned() });
            }
        };
        let reader = Reader::new(dir, archive);
        let mut report = OpenReport {
            created,
            archive,
            end: Position::START,
            cut: None,
            damages: missing_segments(&numbers, from),
            position_lost: false,
        };
        let output = find_end(dir, &reader, &numbers, from, &mut report)?;
        #[cfg(test)]
        let output = {
            let mut output = output;
            output.set_faults(options.faults.clone());
            output
        };
        reader.publish(report.end);
        let journal = Journal {
            dir: dir.to_owned(),
            options: options.clone(),
            encoder: Encoder::new(options)?,
            reader,
            output,
            written: report.end,
            synced: report.end,
            stopped: None,
        };
        Ok((journal, report))
    }
}

/// Gaps in the numbers of the segments, and those up to `from` that are missing at the end.
fn missing_segments(numbers: &[u32], from: Option<Position>) -> Vec<Damage> {
    let mut damages = Vec::new();
    let mut next = 1;
    let mut note = |next: u32, number: u32| {
        if number > next {
            let kind = DamageKind::MissingSegments { last: number - 1 };
            damages.push(Damage { segment: next, from: 0, to: 0, kind });
        }
    };
    for &number in numbers {
        note(next, number);
        next = number + 1;
    }
    note(next, from.map_or(0, |from| from.segment + 1));
    damages
}

/// Finds the place where writing goes on, and opens the segment for it.
fn find_end(
    dir: &Path,
    reader: &Reader,
    numbers: &[u32],
    from: Option<Position>,
    report: &mut OpenReport,
) -> Result<Output, JournalError> {
    let from = from.unwrap_or(Position::START);
    let mut end = Position::START;
    let mut last_seq = 0;
    if let Some((&last, before)) = numbers.split_last() {
        let last = &*reader.segment(last)?;
        let tail = find_tail(reader, last, from)?;
        report.position_lost = match from {
            Position::START => false,
            _ if from.segment == last.number => !tail.met,
            _ => !is_boundary(reader, before, from)?,
        };
        report.damages.extend(tail.damages);
        end = tail.end;
        last_seq = tail.last_seq;
        if last.header.is_none() {
            // Without a header it cannot be trusted to go on with. Where it has no frame either,
            // the sequence goes on behind the frames before it.
            for &number in before.iter().rev() {
                if end.seq == 0 {
                    let segment = reader.segment(number)?;
                    let tail = find_tail(reader, &segment, Position::START)?;
                    end.seq = tail.end.seq;
                    last_seq = last_seq.max(tail.last_seq);
                }
            }
        } else if from <= end && !tail.hangs {
            let length = last.length()?;
            if end.offset < length {
                report.cut = Some(cut_tail(dir, reader, last, end, length)?);
            }
            report.end = end;
            return Output::open(dir, last.number);
        }
    }
    report.position_lost |= from > end;
    let header = SegmentHeader {
        archive: reader.archive(),
        number: end.segment.max(from.segment) + 1,
        // A number that stands in a damaged frame is taken: its second bearer would be passed over.
        first_seq: end.seq.max(from.seq).max(last_seq) + 1,
    };
    report.end = Position {
        segment: header.number,
        offset: segment::HEADER as u64,
        seq: header.first_seq - 1,
    };
    Output::create(dir, header)
}

/// Reads the last segment from `from` on, if that is a place in it and nothing is wrong behind
/// it; else from its beginning, so that a position that is none never makes whole frames look
/// like damaged ones.
fn find_tail(reader: &Reader, last: &Segment, from: Position) -> Result<Tail, JournalError> {
    let length = last.length()?;
    if from.segment == last.number && from.offset > segment::HEADER as u64 && from.offset <= length
    {
        let tail = read_tail(reader, last, from, from)?;
        if tail.damages.is_empty() && tail.end.offset == length {
            return Ok(Tail { met: true, ..tail });
        }
    }
    let start = Position {
        segment: last.number,
        offset: segment::HEADER as u64,
        seq: last.header.map_or(0, |header| header.first_seq - 1),
    };
    let mut tail = read_tail(reader, last, start, from)?;
    tail.met |= from == start;
    Ok(tail)
}

fn read_tail(
    reader: &Reader,
    last: &Segment,
    start: Position,
    asked: Position,
) -> Result<Tail, JournalError> {
    let mut tail =
        Tail { end: start, damages: Vec::new(), met: false, last_seq: start.seq, hangs: false };
    // What is wrong behind the last whole frame. Frames are synced one by one, so only the last of all
    // may be a write that was cut off: what something stands behind was whole once.
    let mut behind: Vec<Damage> = Vec::new();
    // Without a header the first sequence number is not known, so none is missed.
    let guess = last.header.is_none();
    let from = if guess { Position { offset: 0, ..start } } else { start };
    let mut frames = Frames::new(reader.clone(), vec![last.number], from, None);
    let mut seq = start.seq;
    while let Some(frame) = frames.next() {
        let begins = match &frame {
            Ok(frame) => Some(frame.at.offset),
            Err(JournalError::Damage(damage)) => Some(damage.from),
            Err(_) => None,
        };
        if let Some(offset) = begins.filter(|_| !behind.is_empty()) {
            tail.damages.append(&mut behind);
            tail.end = Position { offset, seq, ..tail.end };
            tail.hangs = true;
        }
        seq = frames.met().max(seq);
        match frame {
            Ok(frame) => {
                tail.met |= frame.after == asked;
                behind = frame.check()?;
                if behind.is_empty() {
                    tail.end = frame.after;
                    tail.hangs = false;
                }
            }
            Err(JournalError::Damage(Damage {
                kind: DamageKind::MissingFrames { first, .. },
                ..
            })) if guess && first == 1 => {}
            Err(JournalError::Damage(damage)) => behind.push(damage),
            Err(error) => return Err(error),
        }
    }
    if guess {
        tail.damages.append(&mut behind);
    }
    tail.last_seq = frames.met();
    Ok(tail)
}

/// Whether `from`, in a segment before the last, is a place where a frame ends.
fn is_boundary(reader: &Reader, before: &[u32], from: Position) -> Result<bool, JournalError> {
    if !before.contains(&from.segment) {
        return Ok(false);
    }
    let segment = reader.segment(from.segment)?;
    let length = segment.length()?;
    if from.offset == length {
        return Ok(true);
    }
    let found = segment.frame_at(from.offset, length, reader.archive())?;
    Ok(matches!(found, Found::Whole(header) if header.seq == from.seq + 1))
}

/// Cuts `last` back to `end`. What is not plainly the beginning of one frame is copied aside
/// first: it may have been a frame.
fn cut_tail(
    dir: &Path,
    reader: &Reader,
    last: &Segment,
    end: Position,
    length: u64,
) -> Result<Cut, JournalError> {
    let from = end.offset;
    let plain = length - from < frame::HEADER as u64
        || last.frame_at(from, length, reader.archive())? == Found::Short
        || is_zero(last, from, length)?;
    let kept = if plain { None } else { Some(keep(dir, last, from)?) };
    let texts = if plain { 0 } else { most_texts(reader, last, from, length)? };
    Output::open(dir, last.number)?.cut(from)?;
    Ok(Cut { segment: last.number, from, bytes: length - from, kept, texts })
}

/// How many texts may stand between two places: what the headers of frames say, and of bytes
/// without one as many as short games would fill.
fn most_texts(
    reader: &Reader,
    segment: &Segment,
    mut from: u64,
    to: u64,
) -> Result<u32, JournalError> {
    /// A game takes about 150 bytes packed.
    const SHORT: u64 = 64;
    /// A batch is far smaller; what is more is no batch, whatever it is.
    const MOST: u64 = 100_000;
    let mut texts = 0;
    while from < to {
        from += match segment.frame_at(from, to, reader.archive())? {
            Found::Whole(header) => {
                texts += u64::from(header.texts);
                header.length
            }
            _ => {
                let next = segment.find_frame(from + 1, to, reader.archive())?.unwrap_or(to);
                texts += (next - from).div_ceil(SHORT).min(MOST);
                next - from
            }
        };
    }
    Ok(u32::try_from(texts).unwrap_or(u32::MAX))
}

/// Whether there are only zeros: blocks that were given to the file but never written.
fn is_zero(segment: &Segment, mut from: u64, to: u64) -> Result<bool, JournalError> {
    let mut chunk = vec![0; 64 << 10];
    while from < to {
        let length = (to - from).min(chunk.len() as u64) as usize;
        if !segment.read(&mut chunk[..length], from)? || chunk[..length].iter().any(|&b| b != 0) {
            return Ok(false);
        }
        from += length as u64;
    }
    Ok(true)
}

/// What follows a segment's name in that of a file with what was cut off it.
const CUT: &str = ".cut-";

impl Journal {
    /// Files with what was cut off and was no plain unfinished write.
    ///
    /// # Errors
    /// `Io`.
    pub fn cut_off(&self) -> Result<Vec<PathBuf>, JournalError> {
        let failed = || JournalError::io("read", &self.dir);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.dir).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            if path.to_string_lossy().contains(&format!(".gkj{CUT}")) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}

/// Copies what stands from `from` on into a file of its own, durably.
fn keep(dir: &Path, segment: &Segment, from: u64) -> Result<PathBuf, JournalError> {
    let name = |copy: u32| format!("{}{CUT}{from}-{copy}", file_name(segment.number));
    let path = (1..)
        .map(|copy| dir.join(name(copy)))
        .find(|path| !path.exists())
        .expect("a directory holds fewer files than there are numbers");
    let copy = || -> io::Result<()> {
        let mut source = File::open(&segment.path)?;
        source.seek(SeekFrom::Start(from))?;
        let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        io::copy(&mut source.by_ref(), &mut target)?;
        target.sync_all()?;
        File::open(dir)?.sync_all()
    };
    copy().map_err(JournalError::io("copy damaged bytes to", &path))?;
    Ok(path)
}
