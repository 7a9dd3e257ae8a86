//! Tag pairs in the order in which they stand in the file.

use std::borrow::Cow;

use compact_str::CompactString;

use super::controls::without_controls;
use super::ending;
use super::litter;
use super::tagpair::{self, Form, MAX_TAG, TagPair, WELL_KNOWN};
use super::{Note, Rejection, RejectionKind};

/// pgn.md: more than 10,000 tags are rejected.
const MAX_TAGS: usize = 10_000;
/// Most games have no more than this.
const USUAL_TAGS: usize = 20;

/// One tag pair, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The tag's name as it is spelled.
    pub name: CompactString,
    /// The value without its quotes and escapes.
    pub value: CompactString,
}

impl Tag {
    /// A tag of this name and value.
    pub fn new(name: &str, value: &str) -> Tag {
        Tag { name: name.into(), value: value.into() }
    }

    /// True for a value that says nothing: empty, or question marks and dots alone.
    pub fn is_blank(&self) -> bool {
        self.value.chars().all(|c| matches!(c, '?' | '.' | ' '))
    }
}

/// The tag pairs of one game, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(pub Vec<Tag>);

impl Tags {
    /// Gives the first tag of this name the value; adds the tag where there is none.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => tag.value = value.into(),
            None => self.0.push(Tag::new(name, value)),
        }
    }

    /// The value of the first tag of this name (names are case-sensitive, as in the PGN standard).
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }
}

/// A game's text, parted in two.
#[derive(Debug)]
pub(super) struct Parted<'a> {
    pub(super) tags: Tags,
    /// All that follows the tags; before it, the comments that stood among them.
    pub(super) movetext: Cow<'a, str>,
    /// The line on which the movetext begins; comments from among the tags begin it, and what
    /// follows them is on its own line all the same.
    pub(super) line: u64,
    pub(super) notes: Vec<Note>,
}

/// Reads the tags at the beginning of a game's `text`, which starts at `line` of its source.
///
/// No tag is lost: what is badly formed is read as far as it goes, and a note says so. Of two tags
/// of one name the first counts, and both are kept.
///
/// # Errors
/// A tag over 64 KiB, or more than 10,000 tags (pgn.md).
pub(super) fn part(text: &str, line: u64) -> Result<Parted<'_>, Rejection> {
    let mut reader =
        Reader { text, at: 0, line, tags: Tags(Vec::with_capacity(USUAL_TAGS)), notes: Vec::new() };
    let mut comments = String::new();
    let mut after_blank = false;
    loop {
        let rest = &text[reader.at..];
        if rest.is_empty() {
            break;
        }
        let line_here = first_line(rest);
        let here = behind_blanks(line_here);
        let tags_so_far = !reader.tags.0.is_empty();
        match here.as_bytes() {
            [] | [b'%', ..] => {}
            line @ [b'[', ..] if tags_so_far || tagpair::is_lenient(line) => {
                if reader.tag_line()? {
                    break;
                }
                after_blank = false;
                continue;
            }
            [b'{' | b';', ..] if tags_so_far => match reader.comments_among_tags() {
                Some(length) => {
                    let comment = &rest[..length];
                    let message = "a comment among the tags now stands before the moves".to_owned();
                    reader.note(reader.line, message);
                    comments.push_str(comment.trim_matches(is_blank));
                    // A `;` comment ends with its line.
                    comments.push(if comment.contains(['\n', '\r']) { '\n' } else { ' ' });
                    reader.advance(length);
                    continue;
                }
                None => break,
            },
            bytes => {
                let litter = tags_so_far && !after_blank && !litter::is_movetext(bytes);
                match litter.then(|| before_next_tag(rest)).flatten() {
                    Some(length) => {
                        reader.litter(&rest[..length]);
                        reader.advance(length);
                        continue;
                    }
                    None => break,
                }
            }
        }
        after_blank = line_here.trim_matches(is_blank).is_empty();
        reader.next_line();
    }
    let Reader { at, line, mut tags, mut notes, .. } = reader;
    respell(&mut tags, &mut notes);
    let (movetext, line) = match comments.is_empty() {
        true => (Cow::Borrowed(&text[at..]), line),
        // So that what follows the comments is on its own line still.
        false => {
            let line = line - line_ends(&comments);
            (Cow::Owned(comments + &text[at..]), line)
        }
    };
    Ok(Parted { tags, movetext, line, notes })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    tags: Tags,
    notes: Vec<Note>,
}

impl Reader<'_> {
    fn note(&mut self, line: u64, message: String) {
        self.notes.push(Note { line, message });
    }

    fn litter(&mut self, text: &str) {
        self.note(self.line, format!("left out among the tags: {}", shortened(text)));
    }

    /// Goes on by so many bytes, counting lines.
    fn advance(&mut self, length: usize) {
        let end = self.at + length;
        while self.at < end {
            let line = first_line(&self.text[self.at..end]);
            if self.at + line.len() == end {
                self.at = end;
            } else {
                self.next_line();
            }
        }
    }

    fn next_line(&mut self) {
        let rest = &self.text[self.at..];
        let line = first_line(rest);
        let end = match &rest.as_bytes()[line.len()..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        self.line += u64::from(end > 0);
        self.at += line.len() + end;
    }

    /// Reads a line of tags; true where movetext begins on it.
    fn tag_line(&mut self) -> Result<bool, Rejection> {
        let line = first_line(&self.text[self.at..]);
        let mut from = 0;
        loop {
            let rest = behind_blanks(&line[from..]);
            from = line.len() - rest.len();
            if rest.is_empty() {
                break;
            }
            if let Some(pair) = tagpair::scan(rest.as_bytes()) {
                from += pair.end;
                self.tag(rest, &pair)?;
            } else {
                let end = litter::before_tag(rest.as_bytes());
                if litter::is_movetext(&rest.as_bytes()[..end]) {
                    self.at += from;
                    return Ok(true);
                }
                self.litter(&rest[..end]);
                from += end;
            }
        }
        self.next_line();
        Ok(false)
    }

    fn tag(&mut self, text: &str, pair: &TagPair) -> Result<(), Rejection> {
        let (name, value) = (&text[pair.name.clone()], &text[pair.value.clone()]);
        let reject = |kind, message| {
            Err(Rejection { kind, line: self.line, token: shortened(name), message })
        };
        if pair.end > MAX_TAG {
            return reject(
                RejectionKind::TagTooBig,
                format!("tag {} is over 64 KiB", shortened(name)),
            );
        }
        if self.tags.0.len() == MAX_TAGS {
            return reject(RejectionKind::TooManyTags, format!("more than {MAX_TAGS} tags"));
        }
        let line = self.line;
        let (value, fault) = match pair.form {
            Form::Sound => (unescaped(value), None),
            Form::InnerQuotes => (unescaped(value), Some("has quotes within its value")),
            Form::NoQuotes => (unquoted(value).into(), Some("has no quotes")),
            Form::NoBracket => {
                (unquoted(&unescaped(value)).to_owned().into(), Some("has no closing bracket"))
            }
            Form::Open => match self.continued(value) {
                Some(value) => {
                    (unescaped(&value).into_owned().into(), Some("goes over several lines"))
                }
                None => (unescaped(value.trim_end()), Some("has no end")),
            },
        };
        let (value, has_controls) = without_controls(value);
        let doubled = self.tags.get(name).is_some();
        let controls = has_controls.then_some("has control characters");
        let doubled = doubled.then_some("stands twice: the first counts");
        for fault in [fault, controls, doubled].into_iter().flatten() {
            self.note(line, format!("tag {} {fault}", shortened(name)));
        }
        self.tags.0.push(Tag::new(name, &value));
        Ok(())
    }

    /// The whole value that begins with `first` and goes on on the next lines until one ends with
    /// `"]`; the reader then stands on that line.
    fn continued(&mut self, first: &str) -> Option<String> {
        let before = (self.at, self.line);
        let mut value = first.trim_end().to_owned();
        while value.len() <= MAX_TAG {
            self.next_line();
            let line = first_line(&self.text[self.at..]).trim_matches(is_blank);
            if line.is_empty() || line.starts_with('[') || ending::is_movetext(line.as_bytes()) {
                break;
            }
            value.push(' ');
            if let Some(last) =
                line.strip_suffix(']').and_then(|line| line.trim_end().strip_suffix('"'))
            {
                value.push_str(last);
                return Some(value);
            }
            value.push_str(line);
        }
        (self.at, self.line) = before;
        None
    }

    /// The length of the comments that stand here, if another tag follows them.
    fn comments_among_tags(&self) -> Option<usize> {
        let text = &self.text[self.at..];
        let mut rest = text.trim_start_matches(is_blank);
        loop {
            rest = match rest.as_bytes() {
                [b'{', ..] => &rest[rest.find('}')? + 1..],
                [b';', ..] => &rest[first_line(rest).len()..],
                _ => break,
            };
            rest = rest.trim_start_matches(is_blank);
        }
        let line = first_line(rest).as_bytes();
        let name = std::str::from_utf8(tagpair::name(line)).ok()?;
        (tagpair::is_strict(line) && self.tags.get(name).is_none()).then(|| text.len() - rest.len())
    }
}

/// How far it is to the next tag, if one comes before a blank line or movetext does.
fn before_next_tag(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += first_line(&text[at..]).len() + 1;
        let line = behind_blanks(first_line(text.get(at..)?)).as_bytes();
        match line {
            [b'[', ..] => return tagpair::is_lenient(line).then_some(at),
            [] if text[..at].ends_with('\r') && text[at..].starts_with('\n') => {}
            _ if line.is_empty() || litter::is_movetext(line) => return None,
            _ => {}
        }
    }
}

/// Gives the tags that this program asks for their names where only the case is another
/// (`[WhiteFideID "…"]`).
fn respell(tags: &mut Tags, notes: &mut Vec<Note>) {
    for name in WELL_KNOWN {
        if tags.get(name).is_some() {
            continue;
        }
        if let Some(tag) = tags.0.iter_mut().find(|tag| tag.name.eq_ignore_ascii_case(name)) {
            notes.push(Note { line: 0, message: format!("tag {} is read as {name}", tag.name) });
            tag.name = name.into();
        }
    }
}

fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        match after.as_bytes() {
            [b'"' | b'\\', ..] => {
                plain.push_str(&after[..1]);
                rest = &after[1..];
            }
            _ => {
                plain.push('\\');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Without the quotes of another kind that may stand where there are no right ones.
fn unquoted(value: &str) -> &str {
    const PAIRS: [(char, char); 6] =
        [('"', '"'), ('\'', '\''), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”')];
    let strip = |&(open, close): &(char, char)| value.strip_prefix(open)?.strip_suffix(close);
    PAIRS.iter().find_map(strip).unwrap_or(value)
}

/// The first 80 characters, on one line.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(80).collect();
    words.join(" ").chars().take(80).collect()
}

fn first_line(text: &str) -> &str {
    &text[..memchr::memchr2(b'\n', b'\r', text.as_bytes()).unwrap_or(text.len())]
}

/// LF, CRLF and CR each end a line.
fn line_ends(text: &str) -> u64 {
    let ends = text.bytes().filter(|byte| b"\r\n".contains(byte)).count();
    (ends - text.matches("\r\n").count()) as u64
}

fn behind_blanks(line: &str) -> &str {
    line.get(litter::blanks(line.as_bytes())..).unwrap_or(line)
}

fn is_blank(c: char) -> bool {
    c == '\u{feff}' || c.is_ascii_whitespace()
}
