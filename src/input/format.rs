//! What a file is: told by its first bytes, then by its name.

use std::fmt;

use super::error::Problem;

/// How a file's bytes are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Not at all.
    Plain,
    /// zstd, one frame or several (`.zst`).
    Zstd,
    /// gzip, one member or several (`.gz`).
    Gzip,
    /// bzip2, one stream or several (`.bz2`).
    Bzip2,
    /// A zip archive of any of the above (`.zip`).
    Zip,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Plain => "plain",
            Format::Zstd => "zstd",
            Format::Gzip => "gzip",
            Format::Bzip2 => "bzip2",
            Format::Zip => "zip",
        })
    }
}

/// Bytes of a file's beginning that [`Format::tell`] wants to see.
pub(super) const PREFIX_BYTES: usize = 512;

impl Format {
    /// The format of a file that begins with `prefix` (up to [`PREFIX_BYTES`]) and is called
    /// `name`.
    ///
    /// The bytes are believed before the name, so a `.gz` that a browser unpacked on the way is
    /// read as the text it is. An error is what is surely no text and nothing that can be
    /// unpacked here.
    pub(super) fn tell(prefix: &[u8], name: &[u8]) -> Result<Format, Problem> {
        if let Some(format) = magic(prefix) {
            return Ok(format);
        }
        if let Some(other) = foreign_magic(prefix) {
            return Err(Problem::Unsupported(other));
        }
        match named(name) {
            None | Some(Format::Plain) => Ok(Format::Plain),
            // The bytes of a program may stand before an archive's own.
            Some(Format::Zip) => Ok(Format::Zip),
            Some(claimed) if prefix.is_empty() => Err(Problem::CutOff { format: claimed, at: 0 }),
            Some(_) if looks_like_text(prefix) => Ok(Format::Plain),
            Some(claimed) => Err(Problem::NotWhatItIsNamed { claimed }),
        }
    }

    /// The format of a name that is taken where nobody named the file itself, in a folder or an
    /// archive: `.pgn`, `.pgn.zst`, `.pgn.gz`, `.pgn.bz2`, `.zip`, in any case. `None`: not ours.
    pub fn of_listed_name(name: &[u8]) -> Option<Format> {
        if is_passed_over(name) {
            return None;
        }
        match named(name)? {
            packed @ (Format::Zstd | Format::Gzip | Format::Bzip2) => {
                let dot = name.iter().rposition(|&b| b == b'.')?;
                ends_with(&name[..dot], ".pgn").then_some(packed)
            }
            format => Some(format),
        }
    }
}

/// Hidden names, and names under which programs keep what is not finished yet, folders too (a
/// browser's `games.pgn.download/` holds half a file).
pub(super) fn is_passed_over(name: &[u8]) -> bool {
    const UNFINISHED: [&str; 10] = [
        "~",
        ".tmp",
        ".temp",
        ".part",
        ".partial",
        ".filepart",
        ".crdownload",
        ".download",
        ".opdownload",
        ".swp",
    ];
    name.starts_with(b".")
        || name.starts_with(b"~$")
        || name.starts_with(b"#")
        || name == b"__MACOSX"
        || UNFINISHED.iter().any(|end| ends_with(name, end))
}

fn named(name: &[u8]) -> Option<Format> {
    const ENDINGS: [(&str, Format); 5] = [
        (".pgn", Format::Plain),
        (".zst", Format::Zstd),
        (".gz", Format::Gzip),
        (".bz2", Format::Bzip2),
        (".zip", Format::Zip),
    ];
    ENDINGS.iter().find(|(end, _)| ends_with(name, end)).map(|&(_, format)| format)
}

fn ends_with(name: &[u8], end: &str) -> bool {
    name.len()
        .checked_sub(end.len())
        .is_some_and(|at| name[at..].eq_ignore_ascii_case(end.as_bytes()))
}

fn magic(prefix: &[u8]) -> Option<Format> {
    match prefix {
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Format::Zstd),
        // A frame to be skipped: pzstd writes one before each of its own.
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Format::Zstd),
        [0x1f, 0x8b, ..] => Some(Format::Gzip),
        [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => {
            let block = &rest[..rest.len().min(6)];
            let starts = |magic: [u8; 6]| magic.starts_with(block);
            (starts([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
                || starts([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))
            .then_some(Format::Bzip2)
        }
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => {
            Some(Format::Zip)
        }
        _ => None,
    }
}

fn foreign_magic(prefix: &[u8]) -> Option<&'static str> {
    const FOREIGN: [(&[u8], &str); 5] = [
        (&[0xfd, b'7', b'z', b'X', b'Z', 0], "an xz file"),
        (&[b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c], "a 7-zip archive"),
        (b"Rar!\x1a\x07", "a rar archive"),
        (b"Scid.si", "a Scid database"),
        (b"%PDF-", "a PDF document"),
    ];
    FOREIGN.iter().find(|(magic, _)| prefix.starts_with(magic)).map(|&(_, what)| what)
}

/// No byte that text in an encoding of one byte a letter or in UTF-8 would not hold.
fn looks_like_text(prefix: &[u8]) -> bool {
    prefix.iter().all(|&b| b >= 0x20 && b != 0x7f || matches!(b, b'\t' | b'\n' | b'\r' | 0x0c))
}
