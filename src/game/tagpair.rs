//! The lexical form of a tag pair, as broken as it comes: `[Name "value"]` (pgn.md).
//!
//! Works on bytes, so that the splitter, which knows no encoding yet, and the reader of tags see
//! the same tags. Everything that it tells apart is ASCII. It never looks past the line's end.

use memchr::{memchr, memchr2};

use super::ending;
use super::litter::blanks;

/// A tag is looked at no further than this; what is longer is rejected (pgn.md: 64 KiB).
pub(super) const MAX_TAG: usize = 64 * 1024;

/// The tags that every export carries first, and those on which the equalities rest (names.md §5).
pub(super) const WELL_KNOWN: [&str; 14] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "SetUp",
    "Variant",
    "UTCDate",
    "WhiteFideId",
    "BlackFideId",
    "Link",
];

/// One tag pair on a line, with where it stands in the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagPair {
    /// The name's bytes.
    pub(super) name: std::ops::Range<usize>,
    /// The value's bytes, escapes and all.
    pub(super) value: std::ops::Range<usize>,
    /// Where the tag ends and something else may follow.
    pub(super) end: usize,
    pub(super) form: Form,
}

/// How well a tag pair is formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Sound,
    /// `[White "Joe "Kid" Doe"]`, or a closing quote too many or too few.
    InnerQuotes,
    /// `[White Rossi]`
    NoQuotes,
    /// `[White "Rossi"` at the end of the line or before another tag.
    NoBracket,
    /// `[White "Rossi`: the line ends within the value, which may go on.
    Open,
}

/// The tag pairs of `line`, one after the other, as far as they follow each other.
pub(super) fn tags(line: &[u8]) -> impl Iterator<Item = TagPair> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + blanks(&line[at..]);
        let mut pair = scan(line.get(start..).filter(|rest| !rest.is_empty())?)?;
        for place in [
            &mut pair.name.start,
            &mut pair.name.end,
            &mut pair.value.start,
            &mut pair.value.end,
            &mut pair.end,
        ] {
            *place += start;
        }
        at = pair.end;
        Some(pair)
    })
}

/// The name of the tag at the start of `line`, which begins with `[`; empty where none follows.
pub(super) fn name(line: &[u8]) -> &[u8] {
    let start = skip_blanks(line, 1);
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'[' | b']');
    let mut name = &line[start..];
    name = &name[..name.iter().position(ends).unwrap_or(name.len())];
    while let [before @ .., b':' | b'='] = name {
        name = before;
    }
    name
}

/// Reads the tag pair at the start of `line`; `None` where there is no `[` and name.
pub(super) fn scan(line: &[u8]) -> Option<TagPair> {
    let start = skip_blanks(line, 1);
    let stop = start + name(line).len();
    if start == stop || line[0] != b'[' {
        return None;
    }
    let name = start..stop;
    let mut at = stop;
    while matches!(line.get(at), Some(b':' | b'=')) {
        at += 1;
    }
    at = skip_blanks(line, at);
    if matches!(line.get(at), Some(b':' | b'=')) {
        at = skip_blanks(line, at + 1);
    }
    Some(match line.get(at) {
        Some(b'"') => quoted(line, name, at + 1),
        _ => unquoted(line, name, at),
    })
}

/// The value runs to the last quote before the `]` that ends the tag: the one after which the line
/// ends, another tag begins, or movetext.
fn quoted(line: &[u8], name: std::ops::Range<usize>, start: usize) -> TagPair {
    let pair = |stop: usize, end: usize, form| TagPair {
        name: name.clone(),
        value: start..stop,
        end,
        form,
    };
    let within = &line[..line.len().min(start + MAX_TAG + 1)];
    let mut quotes = 0;
    let mut at = start;
    let mut possible = None;
    while let Some(found) = memchr2(b'"', b'\\', &within[at.min(within.len())..]) {
        let quote = at + found;
        if line[quote] == b'\\' {
            at = quote + 2;
            continue;
        }
        if let Some(pair) = possible.take_if(|_| opens_a_value(&line[..quote])) {
            return pair;
        }
        let form = if quotes == 0 { Form::Sound } else { Form::InnerQuotes };
        let next = skip_blanks(line, quote + 1);
        match line.get(next) {
            Some(b']') if may_follow(&line[next + 1..]) => return pair(quote, next + 1, form),
            Some(b']') if possible.is_none() => possible = Some(pair(quote, next + 1, form)),
            Some(b'[') if is_strict(&line[next..]) => return pair(quote, next, Form::NoBracket),
            None => return pair(quote, line.len(), Form::NoBracket),
            _ => {}
        }
        quotes += 1;
        at = quote + 1;
    }
    if let Some(pair) = possible {
        return pair;
    }
    let trimmed = line.trim_ascii_end();
    if within.len() < line.len() || trimmed.last() != Some(&b']') {
        return pair(line.len(), line.len(), Form::Open);
    }
    // `[White "C:\"]` has its last quote escaped, `[White "Rossi" Jr]` too early, `[White "Rossi]` none.
    let before = trimmed[..trimmed.len() - 1].trim_ascii_end();
    let stop = match (before.last(), quotes % 2) {
        (Some(b'"'), _) if before.len() > start => before.len() - 1,
        (_, 1) => memchr::memrchr(b'"', before).unwrap_or(before.len()),
        _ => before.len(),
    };
    pair(stop.max(start), line.len(), Form::InnerQuotes)
}

/// True for text that ends with `[Name`, so that a quote after it begins a value.
fn opens_a_value(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let name = text.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    name > 0 && text[..text.len() - name].trim_ascii_end().ends_with(b"[")
}

fn unquoted(line: &[u8], name: std::ops::Range<usize>, start: usize) -> TagPair {
    let mut at = start;
    let mut last = None;
    while let Some(found) = memchr(b']', &line[at..line.len().min(start + MAX_TAG + 1).max(at)]) {
        let bracket = at + found;
        last = Some(bracket);
        if may_follow(&line[bracket + 1..]) {
            break;
        }
        at = bracket + 1;
    }
    let (stop, end, form) = match last {
        Some(bracket) => (bracket, bracket + 1, Form::NoQuotes),
        None => (line.len(), line.len(), Form::NoBracket),
    };
    let value = start..start + line[start.min(stop)..stop].trim_ascii_end().len();
    TagPair { name, value, end, form }
}

/// True for what may stand after a tag on its line: nothing, another tag, or movetext.
fn may_follow(rest: &[u8]) -> bool {
    let rest = &rest[blanks(rest)..];
    rest.is_empty() || rest[0] == b'[' || ending::is_movetext(rest)
}

/// True where a line beginning with `[` can be nothing else than a tag: `[Name "`.
pub(super) fn is_strict(line: &[u8]) -> bool {
    matches!(plain_name(line), Some((_, end)) if line.get(skip_blanks(line, end)) == Some(&b'"'))
}

/// True where a line beginning with `[` is a tag if a tag may stand there: also `[Name value]`.
pub(super) fn is_lenient(line: &[u8]) -> bool {
    let closed = |pair: TagPair| pair.form == Form::NoQuotes && may_follow(&line[pair.end..]);
    let named = |(start, end): (usize, usize)| {
        let parted = matches!(line[end - 1], b':' | b'=') || skip_blanks(line, end) > end;
        line[start].is_ascii_alphabetic() && parted
    };
    is_strict(line) || (plain_name(line).is_some_and(named) && scan(line).is_some_and(closed))
}

/// The bounds of a name of ASCII letters, digits and `_` after `[`, with the `:` or `=` behind it.
fn plain_name(line: &[u8]) -> Option<(usize, usize)> {
    let start = skip_blanks(line, 1);
    let word =
        line[start..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let sign = usize::from(matches!(line.get(start + word), Some(b':' | b'=')));
    (line.first() == Some(&b'[') && word > 0).then_some((start, start + word + sign))
}

pub(super) fn skip_blanks(line: &[u8], from: usize) -> usize {
    let from = from.min(line.len());
    from + line[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, name: &str, value: &str, rest: &str, form: Form) {
        let pair = scan(line.as_bytes()).unwrap();
        let found = (&line[pair.name], &line[pair.value], &line[pair.end..], pair.form);
        assert_eq!(found, (name, value, rest, form), "{line}");
    }

    /// pgn.md and faults-pgn B08, B17, B20, B21, B23: where a tag ends.
    #[test]
    fn broken_tags_end_where_they_mean_to() {
        use Form::*;
        check(r#"[Event "x"]"#, "Event", "x", "", Sound);
        check(r#"[ Event  "x" ] "#, "Event", "x", " ", Sound);
        check(r#"[Event"x"]"#, "Event", "x", "", Sound);
        check(r#"[Event ""]"#, "Event", "", "", Sound);
        check(r#"[Event "x"] [Site "y"]"#, "Event", "x", r#" [Site "y"]"#, Sound);
        check(r#"[Event "x"][Site "y"]"#, "Event", "x", r#"[Site "y"]"#, Sound);
        check(r#"[Result "1-0"] e4 *"#, "Result", "1-0", " e4 *", Sound);
        check(r#"[Event "x"]<br>"#, "Event", "x", "<br>", Sound);
        check(r#"[Event "The \"Closed\" Dragon"]"#, "Event", r#"The \"Closed\" Dragon"#, "", Sound);
        check(r#"[Event "a\\"]"#, "Event", r"a\\", "", Sound);
        check(r#"[Event "C:\"]"#, "Event", r"C:\", "", InnerQuotes);
        check(r#"[Event "5th "Mikis" Open"]"#, "Event", r#"5th "Mikis" Open"#, "", InnerQuotes);
        check(r#"[White "Joe "Kid" Doe"]"#, "White", r#"Joe "Kid" Doe"#, "", InnerQuotes);
        check(r#"[White "Joe "Kid""]"#, "White", r#"Joe "Kid""#, "", InnerQuotes);
        check(r#"[White ""Kid" Joe"]"#, "White", r#""Kid" Joe"#, "", InnerQuotes);
        check(
            r#"[White "Joe "Kid" Doe"] [Black "B"]"#,
            "White",
            r#"Joe "Kid" Doe"#,
            r#" [Black "B"]"#,
            InnerQuotes,
        );
        check(r#"[White "Joe "Kid" Doe]"#, "White", r#"Joe "Kid" Doe"#, "", InnerQuotes);
        check(r#"[White "Rossi" Jr]"#, "White", "Rossi", "", InnerQuotes);
        check(r#"[White "Rossi]"#, "White", "Rossi", "", InnerQuotes);
        check(r#"[Event "a "b"] c"]"#, "Event", r#"a "b"] c"#, "", InnerQuotes);
        check(r#"[Annotator "A ]B"]"#, "Annotator", "A ]B", "", Sound);
        check(r#"[Annotator "A [B]"]"#, "Annotator", "A [B]", "", Sound);
        check("[White Rossi]", "White", "Rossi", "", NoQuotes);
        check("[White Rossi, Mario] [Black B]", "White", "Rossi, Mario", " [Black B]", NoQuotes);
        check("[White Rossi", "White", "Rossi", "", NoBracket);
        check("[White]", "White", "", "", NoQuotes);
        check(r#"[White "Rossi""#, "White", "Rossi", "", NoBracket);
        check(r#"[White "Rossi" [Black "B"]"#, "White", "Rossi", r#"[Black "B"]"#, NoBracket);
        check(r#"[White "Rossi"#, "White", "Rossi", "", Open);
        check(r#"[White: "Rossi"]"#, "White", "Rossi", "", Sound);
        check(r#"[White="Rossi"]"#, "White", "Rossi", "", Sound);
        check(r#"[White = "Rossi"]"#, "White", "Rossi", "", Sound);
        assert_eq!(scan(b"[]"), None);
        assert_eq!(scan(b"[ \"x\"]"), None);
        assert_eq!(scan(b"["), None);
    }

    /// pgn.md: what is a tag where movetext or a comment might stand.
    #[test]
    fn strict_and_lenient_tags() {
        for line in [
            "[Event \"x\"]",
            "[ Event \"x",
            "[Event\"\"]",
            "[A_1 \"",
            "[Event: \"x\"]",
            "[Event=\"x",
        ] {
            assert!(is_strict(line.as_bytes()) && is_lenient(line.as_bytes()), "{line}");
        }
        for line in ["[White Rossi]", "[White Rossi, Mario] ", "[White: Rossi]", "[White=Rossi]"] {
            assert!(!is_strict(line.as_bytes()) && is_lenient(line.as_bytes()), "{line}");
        }
        for line in [
            "[%clk 0:01]",
            "[ Alas, 66...Ka5",
            "[",
            "[]",
            "[1 2]",
            "[Date]",
            "[Event",
            "",
            "[%evp \"x\"]",
        ] {
            assert!(!is_strict(line.as_bytes()) && !is_lenient(line.as_bytes()), "{line}");
        }
    }
}
