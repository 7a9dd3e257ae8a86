//! What can go wrong with one file, in words, and what to do about it.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::format::Format;

/// A problem with one file, folder or member of an archive. The others go on.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct InputError {
    /// The file as it was named, `archive!member` for a member; safe to print.
    pub name: String,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

/// The kinds of problem. Positions are bytes of the file as it lies on disk, counted from 0.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Problem {
    #[error("there is no such file or folder")]
    NotFound,
    #[error("may not be read: permission denied")]
    PermissionDenied,
    #[error("is {0}, not a file\nhint: to read a stream, pipe it into `gamekeeper import -`")]
    NotAFile(&'static str),
    #[error("cannot be read: {0}")]
    Io(io::Error),
    #[error(
        "the file is cut off: its {format} data ends at byte {at} in the middle; what came before was read\nhint: fetch or copy the file again"
    )]
    CutOff { format: Format, at: u64 },
    #[error(
        "its {format} data is damaged before byte {at} ({why}); what came before was read\nhint: fetch or copy the file again"
    )]
    Damaged { format: Format, at: u64, why: String },
    #[error(
        "needs a zstd window of more than {mib} MiB of memory\nhint: unpack it with `zstd -d --long=31` and import the result"
    )]
    WindowTooLarge { mib: u64 },
    #[error(
        "looks like a decompression bomb: {out} bytes came out of {consumed}; what came before was read\nhint: if it is not one, unpack it yourself and import the result"
    )]
    Bomb { out: u64, consumed: u64 },
    #[error(
        "unpacks to more than {limit} bytes; what came before was read\nhint: unpack it yourself and import the result"
    )]
    TooLong { limit: u64 },
    #[error("is named like a {claimed} file, but is neither {claimed} nor text")]
    NotWhatItIsNamed { claimed: Format },
    #[error("is {0}, which is not read here\nhint: unpack it and import the result")]
    Unsupported(&'static str),
    #[error(
        "a zip archive cannot be read from a pipe, because its list of members stands at its end\nhint: save it to a file and import that"
    )]
    ZipFromPipe,
    #[error(
        "an archive within an archive is not read\nhint: unpack the outer one and import the result"
    )]
    ArchiveInArchive,
    #[error("is encrypted\nhint: unpack it with its password and import the result")]
    Encrypted,
    #[error("holds no games: none of its {members} members is a .pgn file")]
    NoGames { members: usize },
    #[error(
        "lists {listed} members, but only {known} can be told apart by their names; the others were not read\nhint: unpack it with `7z x -aou`, which renames what is called the same, and import the folder"
    )]
    DoubledMembers { listed: usize, known: usize },
    #[error(
        "the list of members of the zip archive cannot be read ({why}), so nothing of it was\nhint: fetch or copy the file again"
    )]
    NoDirectory { why: String },
    #[error("{bytes} bytes behind the end are no {format} and were left out")]
    BehindTheEnd { format: Format, bytes: u64 },
    #[error("lists more members than are read here\nhint: unpack it and import the folder")]
    TooManyMembers,
}

impl Problem {
    pub(super) fn at(self, name: &str) -> InputError {
        InputError { name: name.to_owned(), problem: self }
    }

    /// A failed system call on a path.
    pub(super) fn from_io(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Problem::NotFound,
            io::ErrorKind::PermissionDenied => Problem::PermissionDenied,
            _ => Problem::Io(error),
        }
    }
}

/// A path as it is shown and as it identifies a source: no two paths are shown alike.
///
/// Control characters and marks that turn the writing direction are escaped, so that a file's
/// name cannot write over a terminal or hide its ending; so are bytes that are not UTF-8 (`\xfe`),
/// the backslash, and the `!` that stands between an archive and its member.
pub(super) fn shown(path: &Path) -> String {
    match path.as_os_str().as_bytes() {
        [] => "''".to_owned(),
        bytes => shown_bytes(bytes).replace('!', "\\!"),
    }
}

/// [`shown`] for the name of an archive's member, which ends the whole and may hold a `!`.
pub(super) fn shown_bytes(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            match c {
                '\\' => out.push_str("\\\\"),
                c if c.is_control() || turns => out.extend(c.escape_unicode()),
                c => out.push(c),
            }
        }
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out
}
