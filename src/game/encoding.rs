//! From bytes to text: UTF-16 for a file as a whole, everything else game by game (pgn.md).
//!
//! Never stops at a byte it does not know, and never makes a U+FFFD out of one: two names that
//! were damaged in different ways must not become one.

use std::borrow::Cow;

use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// So many bytes decide whether a text is UTF-16.
const SNIFFED: usize = 64;

/// Turns UTF-16 into UTF-8 while it streams by; any other text passes as it is.
pub(super) struct Transcriber(State);

enum State {
    /// Too little has been seen; the bytes so far.
    Sniffing(Vec<u8>),
    AsItIs,
    Utf16(Box<Decoder>),
}

impl Transcriber {
    pub(super) fn new() -> Transcriber {
        Transcriber(State::Sniffing(Vec::new()))
    }

    /// Appends the transcription of `bytes`, the next piece of the text, to `out`; with `last`
    /// also what was held back.
    pub(super) fn push(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) {
        match &mut self.0 {
            State::AsItIs => out.extend_from_slice(bytes),
            State::Utf16(decoder) => transcribe(decoder, bytes, last, out),
            State::Sniffing(seen) => {
                seen.extend_from_slice(bytes);
                if seen.len() < SNIFFED && !last {
                    return;
                }
                let seen = std::mem::take(seen);
                self.0 = match utf16(&seen[..seen.len().min(SNIFFED)]) {
                    Some(encoding) => {
                        State::Utf16(Box::new(encoding.new_decoder_with_bom_removal()))
                    }
                    None => State::AsItIs,
                };
                self.push(&seen, last, out);
            }
        }
    }
}

fn transcribe(decoder: &mut Decoder, bytes: &[u8], last: bool, out: &mut Vec<u8>) {
    let start = out.len();
    let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(usize::MAX);
    out.resize(start + room, 0);
    let (_, _, written, _) = decoder.decode_to_utf8(bytes, &mut out[start..], last);
    out.truncate(start + written);
}

/// UTF-16 by its byte-order mark, or by NULs: chess text is mostly ASCII, so that one byte of many
/// a pair is NUL, and always the same one. (No other encoding of text has NULs.)
fn utf16(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [0xFF, 0xFE, ..] => return Some(UTF_16LE),
        [0xFE, 0xFF, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let pairs = head.len() / 2;
    let nuls = |side: usize| {
        head[..pairs * 2].iter().skip(side).step_by(2).filter(|&&byte| byte == 0).count()
    };
    match (nuls(0), nuls(1)) {
        (0, low) if low * 4 > pairs => Some(UTF_16LE),
        (high, 0) if high * 4 > pairs => Some(UTF_16BE),
        _ => None,
    }
}

/// The text of one game, and the name of the encoding where it is not UTF-8 (pgn.md: UTF-8 if
/// valid, else Windows-1252, or the one that the user names).
///
/// *(reading)* A one-byte encoding that the user names stands in for Windows-1252: text in it is
/// practically never valid UTF-8, so a folder may mix both. One of several bytes a letter (GBK,
/// Shift_JIS), whose short names often are valid UTF-8, comes first where it reads the whole game.
/// UTF-16 is a matter of the file, not of the game, so naming it changes nothing here.
pub(super) fn decode<'a>(
    bytes: &'a [u8],
    named: Option<&'static Encoding>,
) -> (Cow<'a, str>, Option<&'static str>) {
    let named = named.filter(|encoding| encoding.is_ascii_compatible());
    let whole = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        Some((text, Some(encoding.name())))
    };
    if let Some(read) = named.filter(|encoding| !encoding.is_single_byte()).and_then(whole) {
        return read;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), None);
    }
    // Windows-1252 has a character for every byte: five of them are C1 controls.
    named.and_then(whole).unwrap_or_else(|| {
        (WINDOWS_1252.decode_without_bom_handling(bytes).0, Some(WINDOWS_1252.name()))
    })
}

/// A name without U+FFFD, or `None` where there is none in it.
///
/// A source that was itself damaged may bring U+FFFD in valid UTF-8. *(reading)* In a name its
/// three bytes are read as Windows-1252 (`ï¿½`), as they would be in a game with a stray byte: the
/// damage stays visible, is the same each time the game comes, and can never be taken for the
/// blank or the punctuation of another name. Other text keeps it.
pub(super) fn without_replacement_characters(name: &str) -> Option<String> {
    name.contains('\u{FFFD}').then(|| name.replace('\u{FFFD}', "ï¿½"))
}

/// The encoding of this label (`windows-1251`); `None` for an unknown or empty one.
pub fn encoding_named(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use encoding_rs::{GBK, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1253};
    use proptest::prelude::*;

    use super::*;

    fn transcribed(bytes: &[u8], cut: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let mut transcriber = Transcriber::new();
        for piece in bytes.chunks(cut.max(1)) {
            transcriber.push(piece, false, &mut out);
        }
        transcriber.push(&[], true, &mut out);
        out
    }

    fn utf16_bytes(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    const GAME: &str = "[White \"Жуков, Łukasz 🙂\"]\n\n1. e4 e5 1/2-1/2\n";

    /// pgn.md: UTF-16 is detected before splitting, with a mark or without, however it is cut.
    #[test]
    fn utf16_becomes_utf8() {
        for cut in [1, 2, 3, 7, 64, 1000] {
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let marked = format!("\u{feff}{GAME}");
                assert_eq!(transcribed(&utf16_bytes(&marked, bytes), cut), GAME.as_bytes());
                assert_eq!(transcribed(&utf16_bytes(GAME, bytes), cut), GAME.as_bytes());
            }
        }
    }

    /// pgn.md: everything else passes byte for byte, binary too.
    #[test]
    fn other_text_passes_as_it_is() {
        for bytes in [
            &b"\xEF\xBB\xBF[Event \"x\"]"[..],
            b"[White \"J\xF6rg\"]",
            b"\0\0\0\0",
            b"",
            b"[",
            b"a\0",
        ] {
            assert_eq!(transcribed(bytes, 2), if bytes == b"a\0" { b"a" } else { bytes });
        }
    }

    /// faults-pgn B04, B05: one byte that is not UTF-8 costs nothing, and names stay apart.
    #[test]
    fn stray_bytes_are_windows_1252() {
        assert_eq!(decode(b"J\xF6rg", None), ("Jörg".into(), Some("windows-1252")));
        assert_eq!(decode("Jörg".as_bytes(), None), ("Jörg".into(), None));
        assert_eq!(decode(b"M\xFCller", None).0, "Müller");
        assert_eq!(decode(b"M\xF6ller", None).0, "Möller");
        let all: Vec<u8> = (0..=255).collect();
        let (text, _) = decode(&all, None);
        assert_eq!(text.chars().collect::<std::collections::HashSet<_>>().len(), 256);
        assert!(!text.contains('\u{FFFD}'));
    }

    /// pgn.md: `encoding =` of the folder overrides.
    #[test]
    fn the_named_encoding_is_used() {
        let (bytes, ..) = WINDOWS_1251.encode("[White \"Жуков\"]");
        assert_eq!(
            decode(&bytes, Some(WINDOWS_1251)),
            ("[White \"Жуков\"]".into(), Some("windows-1251"))
        );
        assert_eq!(decode("Жуков".as_bytes(), Some(WINDOWS_1251)).0, "Жуков");
        assert_eq!(decode(b"J\xF6rg", Some(UTF_8)).0, "Jörg");
        assert_eq!(decode(b"J\xF6rg", Some(UTF_16LE)).0, "Jörg");
        // 0xAA stands for nothing in Windows-1253.
        assert_eq!(decode(b"\xAA\xE6", Some(WINDOWS_1253)), ("ªæ".into(), Some("windows-1252")));
        let (bytes, ..) = SHIFT_JIS.encode("羽生");
        assert_eq!(decode(&bytes, Some(SHIFT_JIS)).0, "羽生");
        // Two letters of GBK that happen to be valid UTF-8.
        assert_eq!(decode(b"\xC4\xA3\xC4\xA3", Some(GBK)).0, "模模");
    }

    /// pgn.md: a U+FFFD is never stored in a name.
    #[test]
    fn names_never_hold_a_replacement_character() {
        assert_eq!(without_replacement_characters("M\u{FFFD}ller").as_deref(), Some("Mï¿½ller"));
        assert_eq!(without_replacement_characters("Müller"), None);
    }

    proptest! {
        #[test]
        fn cutting_changes_nothing(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 1usize..70) {
            prop_assert_eq!(transcribed(&bytes, cut), transcribed(&bytes, 1000));
        }
    }
}
