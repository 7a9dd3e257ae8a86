//! Opening one file, whatever it is packed in.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::archive::Archive;
use super::decode::{Plain, decode, explain};
use super::error::{InputError, Problem, shown};
use super::format::{Format, PREFIX_BYTES};
use super::identity::FileIdentity;
use super::limits::Limits;
use super::progress::{Progress, Tally};
use super::text::{State, Text};
use super::walk::Found;

/// Size of the buffer between a file and its decoder.
const BUFFER_BYTES: usize = 256 << 10;

/// An opened file: one text, or as many as an archive has members.
pub struct Input {
    name: String,
    path: Option<PathBuf>,
    identity: Option<FileIdentity>,
    progress: Progress,
    limits: Limits,
    out: u64,
    content: Content,
}

enum Content {
    Stream(Format, Option<Plain<'static>>),
    Archive(Box<Archive>),
}

impl Input {
    /// Opens what a [`walk`](super::walk()) found and reads its first bytes to tell what it is.
    ///
    /// Never blocks on what is no file: a pipe is read only where it was named itself, as
    /// `<(command)` does. A device, a socket or a folder is an error.
    pub fn open(found: &Found, limits: &Limits) -> Result<Input, InputError> {
        match found {
            Found::Stdin => {
                let stdin = io::stdin().as_fd().try_clone_to_owned();
                let file = File::from(stdin.map_err(|e| Problem::Io(e).at("-"))?);
                Input::read_from(file, "-".to_owned(), None, true, limits)
            }
            Found::Named(path) => Input::open_path(path, true, limits),
            Found::InFolder(path) => Input::open_path(path, false, limits),
        }
    }

    fn open_path(path: &Path, named: bool, limits: &Limits) -> Result<Input, InputError> {
        let name = shown(path);
        let file = open_file(path, named).map_err(|problem| problem.at(&name))?;
        Input::read_from(file, name, Some(path), named, limits)
    }

    /// `path` is `None` for the standard input, which may be a file all the same.
    fn read_from(
        file: File,
        name: String,
        path: Option<&Path>,
        named: bool,
        limits: &Limits,
    ) -> Result<Input, InputError> {
        let metadata = file.metadata().map_err(|e| Problem::Io(e).at(&name))?;
        let is_file = metadata.is_file();
        let progress = Progress::new(is_file.then_some(metadata.len()));
        let called = path.and_then(Path::file_name).unwrap_or_default().as_bytes();
        let content = content_of(file, called, is_file, named, &progress, limits)
            .map_err(|problem| problem.at(&name))?;
        Ok(Input {
            name,
            path: path.map(Path::to_owned),
            identity: is_file.then(|| FileIdentity::of(&metadata)),
            progress,
            limits: limits.clone(),
            out: 0,
            content,
        })
    }

    /// The next text, to be read to its end before the one after it; an error concerns that
    /// member alone. `None` when there are no more.
    pub fn next_text(&mut self) -> Option<Result<Text<'_>, InputError>> {
        let (name, format, plain, weighed_against) = match &mut self.content {
            Content::Stream(format, plain) => (self.name.clone(), *format, plain.take()?, None),
            Content::Archive(archive) => {
                match archive.next_member(&self.name, &self.progress, &self.limits)? {
                    Ok(member) => (member.name, member.format, member.plain, self.progress.total()),
                    Err(error) => return Some(Err(error)),
                }
            }
        };
        Some(Ok(Text {
            name,
            format,
            plain,
            progress: self.progress.clone(),
            limits: &self.limits,
            out: &mut self.out,
            weighed_against,
            state: State::Reading,
        }))
    }

    /// What the file is called, safe to print; `-` for the standard input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A handle on how far the file has been read.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Which file, in which state, was opened; `None` for a pipe.
    pub fn identity(&self) -> Option<FileIdentity> {
        self.identity
    }

    /// Is what stands at the path now something else than what was opened: written to, cut,
    /// replaced or gone? What was read may then be half of one and half of the other. Always
    /// false for the standard input and pipes (reliability.md 13).
    pub fn changed_while_read(&self) -> bool {
        match (&self.identity, &self.path) {
            (Some(identity), Some(path)) => !identity.still_at(path),
            _ => false,
        }
    }
}

fn open_file(path: &Path, named: bool) -> Result<File, Problem> {
    let before = fs::metadata(path).map_err(Problem::from_io)?;
    if named && before.file_type().is_fifo() {
        return File::open(path).map_err(Problem::from_io);
    }
    // Looked at again once open: what stands there may have been replaced since, and opening a
    // pipe or a device without NONBLOCK could wait for ever.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let what = |m: &fs::Metadata| match m.file_type() {
        t if t.is_file() => None,
        t if t.is_dir() => Some("a folder"),
        t if t.is_fifo() => Some("a pipe"),
        t if t.is_socket() => Some("a socket"),
        _ => Some("a device"),
    };
    if let Some(what) = what(&before) {
        return Err(Problem::NotAFile(what));
    }
    let file = File::from(
        rustix::fs::open(path, flags, Mode::empty()).map_err(|e| Problem::from_io(e.into()))?,
    );
    let metadata = file.metadata().map_err(Problem::from_io)?;
    what(&metadata).map_or(Ok(file), |what| Err(Problem::NotAFile(what)))
}

fn content_of(
    mut file: File,
    called: &[u8],
    is_file: bool,
    named: bool,
    progress: &Progress,
    limits: &Limits,
) -> Result<Content, Problem> {
    let mut prefix = Vec::with_capacity(PREFIX_BYTES);
    (&mut file).take(PREFIX_BYTES as u64).read_to_end(&mut prefix).map_err(Problem::from_io)?;
    let format = Format::tell(&prefix, called)?;
    if format == Format::Zip {
        if !is_file {
            return Err(Problem::ZipFromPipe);
        }
        file.seek(SeekFrom::Start(0)).map_err(Problem::Io)?;
        let archive = Archive::open(file, progress.clone(), limits, named)?;
        return Ok(Content::Archive(Box::new(archive)));
    }
    let whole = Cursor::new(prefix).chain(BufReader::with_capacity(BUFFER_BYTES, file));
    let plain = decode(format, Tally::new(whole, progress.clone()), limits)
        .map_err(|e| explain(e, format, 0, limits))?;
    Ok(Content::Stream(format, Some(plain)))
}
