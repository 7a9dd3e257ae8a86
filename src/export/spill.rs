//! Games that come in one order and are written in another: sorted by file, with bounded memory.
//!
//! Games are gathered up to a budget of bytes, then sorted by file and appended to one unnamed
//! temporary file as a *run*. At the end the runs are read side by side, file after file. One
//! descriptor and the budget are all it takes, whatever the number of files and games.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::ExportError;

/// Bytes kept for the place of one game in memory.
const PLACE_BYTES: usize = size_of::<Place>();

/// Games waiting for the end of an export.
#[derive(Debug)]
pub(super) struct Spill {
    folder: PathBuf,
    budget: usize,
    bytes: Vec<u8>,
    places: Vec<Place>,
    file: Option<Arc<File>>,
    /// Beginning and end of each run within `file`.
    runs: Vec<(u64, u64)>,
}

/// A game in memory: the number of its file, and where its bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    file: u32,
    start: usize,
    end: usize,
}

impl Spill {
    /// Keeps at most about `budget` bytes in memory; the rest goes to a file without a name in
    /// `folder`, which vanishes with the process.
    pub(super) fn new(folder: &Path, budget: usize) -> Self {
        Spill {
            folder: folder.to_owned(),
            budget,
            bytes: Vec::new(),
            places: Vec::new(),
            file: None,
            runs: Vec::new(),
        }
    }

    /// Takes a game for the file with this number.
    pub(super) fn push(&mut self, file: u32, game: &[u8]) -> Result<(), ExportError> {
        let held = self.bytes.len() + self.places.len() * PLACE_BYTES;
        if held + game.len() + PLACE_BYTES > self.budget && !self.places.is_empty() {
            self.write_run()
                .map_err(ExportError::io(&self.folder, "hold the games to be sorted"))?;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(game);
        self.places.push(Place { file, start, end: self.bytes.len() });
        Ok(())
    }

    /// A run is a series of groups: number of the file (4 bytes), length (8 bytes), bytes.
    fn write_run(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(Arc::new(tempfile::tempfile_in(&self.folder)?));
        }
        let Some(file) = &self.file else {
            return Ok(());
        };
        // Games of one file keep the order in which they came.
        self.places.sort_unstable();
        let start = self.runs.last().map_or(0, |&(_, end)| end);
        let mut end = start;
        let mut out = BufWriter::with_capacity(256 << 10, &**file);
        for group in self.places.chunk_by(|a, b| a.file == b.file) {
            let len: u64 = group.iter().map(|p| (p.end - p.start) as u64).sum();
            out.write_all(&group[0].file.to_le_bytes())?;
            out.write_all(&len.to_le_bytes())?;
            for place in group {
                out.write_all(&self.bytes[place.start..place.end])?;
            }
            end += 12 + len;
        }
        out.flush()?;
        drop(out);
        self.runs.push((start, end));
        self.bytes.clear();
        self.places.clear();
        Ok(())
    }

    /// Ends the gathering.
    pub(super) fn sorted(mut self) -> Sorted {
        self.places.sort_unstable();
        let mut runs = Vec::new();
        if let Some(file) = &self.file {
            let buffer = (self.budget / (self.runs.len() + 1)).clamp(4 << 10, 256 << 10);
            for &(at, end) in &self.runs {
                runs.push(Run::new(Section { file: Arc::clone(file), at, end }, buffer));
            }
        }
        Sorted { runs, bytes: self.bytes, places: self.places, next: 0, folder: self.folder }
    }
}

/// Games by file, to be taken in the order of the files' numbers.
#[derive(Debug)]
pub(super) struct Sorted {
    runs: Vec<Run>,
    bytes: Vec<u8>,
    places: Vec<Place>,
    /// The first of `places` that was not taken yet.
    next: usize,
    folder: PathBuf,
}

impl Sorted {
    /// Hands the bytes of one file to `take`, in their order. Files must be asked for by rising
    /// numbers, each once; one that is not wanted must be taken all the same.
    ///
    /// The outer error is the spill's own and ends the export, the inner one is `take`'s first.
    pub(super) fn take_file<E>(
        &mut self,
        file: u32,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Result<(), E>, ExportError> {
        let mut taken = Ok(());
        let mut feed = |bytes: &[u8]| {
            if taken.is_ok() {
                taken = take(bytes);
            }
        };
        for run in &mut self.runs {
            run.feed(file, &mut feed)
                .map_err(ExportError::io(&self.folder, "give back the games to be sorted"))?;
        }
        while let Some(place) = self.places.get(self.next).filter(|place| place.file == file) {
            feed(&self.bytes[place.start..place.end]);
            self.next += 1;
        }
        Ok(taken)
    }
}

#[derive(Debug)]
struct Run {
    groups: BufReader<Section>,
    /// Number and length of the group that comes next, once known.
    head: Option<(u32, u64)>,
}

impl Run {
    fn new(section: Section, buffer: usize) -> Self {
        Run { groups: BufReader::with_capacity(buffer, section), head: None }
    }

    fn feed(&mut self, file: u32, feed: &mut impl FnMut(&[u8])) -> io::Result<()> {
        let (next, len) = match self.head {
            Some(head) => head,
            None if self.is_at_end() => return Ok(()),
            None => {
                let (mut number, mut len) = ([0; 4], [0; 8]);
                self.groups.read_exact(&mut number)?;
                self.groups.read_exact(&mut len)?;
                *self.head.insert((u32::from_le_bytes(number), u64::from_le_bytes(len)))
            }
        };
        if next != file {
            return Ok(());
        }
        self.head = None;
        let mut left = len;
        let mut piece = [0; 16 << 10];
        while left > 0 {
            let wanted = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.groups.read_exact(&mut piece[..wanted])?;
            feed(&piece[..wanted]);
            left -= wanted as u64;
        }
        Ok(())
    }

    fn is_at_end(&self) -> bool {
        let section = self.groups.get_ref();
        self.groups.buffer().is_empty() && section.at == section.end
    }
}

/// A part of a file, read without moving the position that other parts share.
#[derive(Debug)]
struct Section {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Read for Section {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buf.len().min(left);
        let n = self.file.read_at(&mut buf[..wanted], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}
