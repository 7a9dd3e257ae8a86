//! Names of files made from any text: a player, an event, a year (reliability.md 10).
//!
//! A name depends on its text alone, never on what else is exported, so a player's file keeps its
//! name. Two texts never share a file, also where the file system does not tell upper from lower
//! case: a name that does not say its text exactly ends with a hash of it.

use std::fmt;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use xxhash_rust::xxh3::Xxh3;

/// Longest file name in bytes, ending included.
const MAX_BYTES: usize = 120;
/// Longest readable part, in bytes; leaves room for the hash and an ending.
const MAX_READABLE: usize = 80;
/// Stands for a text that has nothing readable in it.
const UNNAMED: &str = "unnamed";

/// A name of a file within one folder: ASCII letters, digits, `_`, `-` and `.`, beginning with a
/// letter or digit, at most 120 bytes, and no name that Windows keeps for itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName(String);

impl FileName {
    /// The name for `text`: `Rossi, Mario` → `Rossi_Mario.pgn`, `2023-05` → `2023-05.pgn`,
    /// `DrNykterstein` → `DrNykterstein-<hash>.pgn`.
    ///
    /// `ending` has no dot and is the program's own, of at most 20 ASCII letters and digits.
    pub fn new(text: &str, ending: &str) -> FileName {
        let readable = readable(text);
        if says(&readable, text) {
            return FileName::join(&readable, ending);
        }
        FileName::join(&format!("{readable}-{}", hash(b"text", text)), ending)
    }

    /// The name for something that is told from others by its `identity` and shown as `text`: two
    /// players who are called the same have a file each. The hash is the identity's, so it stays
    /// when the shown name changes.
    pub fn with_identity(text: &str, identity: &str, ending: &str) -> FileName {
        FileName::join(&format!("{}-{}", readable(text), hash(b"identity", identity)), ending)
    }

    /// A name that was written down before; `None` for what could not be one of ours and might
    /// lead out of the folder.
    pub fn parse(name: &str) -> Option<FileName> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
        let begins_well = name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
        let ours = begins_well && name.len() <= MAX_BYTES && name.bytes().all(plain);
        ours.then(|| FileName(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn join(stem: &str, ending: &str) -> FileName {
        debug_assert!(ending.len() <= 20 && ending.bytes().all(|b| b.is_ascii_alphanumeric()));
        FileName(format!("{stem}.{ending}"))
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What of a text can stand in a file's name: accents taken off, everything else a `_`. Never
/// empty.
fn readable(text: &str) -> String {
    let mut out = String::new();
    let mut gap = None;
    for c in text.nfkd() {
        if out.len() >= MAX_READABLE {
            break;
        }
        let mut buffer = [0; 4];
        let letters = match c {
            _ if c.is_ascii_alphanumeric() => &*c.encode_utf8(&mut buffer),
            '\'' | '’' | '.' => continue,
            _ if is_combining_mark(c) => continue,
            _ => latin(c),
        };
        if letters.is_empty() {
            gap = gap.or(Some(if c == '-' { '-' } else { '_' }));
            continue;
        }
        if let Some(gap) = gap.take().filter(|_| !out.is_empty()) {
            out.push(gap);
        }
        out.push_str(letters);
    }
    if out.is_empty() {
        out.push_str(UNNAMED);
    }
    out
}

/// Latin letters that do not come apart into a letter and an accent.
fn latin(c: char) -> &'static str {
    match c {
        'ß' => "ss",
        'æ' => "ae",
        'Æ' => "Ae",
        'œ' => "oe",
        'Œ' => "Oe",
        'ø' => "o",
        'Ø' => "O",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'ħ' => "h",
        'Ħ' => "H",
        'ı' => "i",
        'ł' => "l",
        'Ł' => "L",
        'þ' => "th",
        'Þ' => "Th",
        _ => "",
    }
}

/// Does the readable part alone stand for this text and no other?
///
/// It does where the text can be got back from it, and its capitals are those and only those at
/// the beginning of words: of all the texts that a file system without case takes for one, one at
/// most has that form. A hash begins with a small letter after a `-`, so no such name looks like
/// one with a hash.
fn says(readable: &str, text: &str) -> bool {
    let got_back = readable.replacen('_', ", ", 1).replace('_', " ");
    got_back == text && is_title_case(readable) && !is_reserved(readable)
}

fn is_title_case(name: &str) -> bool {
    let mut in_word = false;
    name.bytes().all(|b| {
        let fits = !b.is_ascii_alphabetic() || b.is_ascii_lowercase() == in_word;
        in_word = b.is_ascii_alphabetic();
        fits
    })
}

/// Names of devices, which Windows knows with any ending.
fn is_reserved(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    let numbered = |device: &str| {
        stem.strip_prefix(device).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
    };
    matches!(&*stem, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// 12 small letters and digits (about 60 bits), a letter first.
fn hash(kind: &[u8], text: &str) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut hasher = Xxh3::new();
    hasher.update(kind);
    hasher.update(&[0]);
    hasher.update(text.as_bytes());
    let mut rest = hasher.digest();
    let digit = |base: u64| {
        let digit = DIGITS[(rest % base) as usize];
        rest /= base;
        char::from(digit)
    };
    std::iter::once(26).chain([32; 11]).map(digit).collect()
}
