//! Where the splitter cuts (pgn.md, “reading PGN”, and faults-pgn).

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::shreds;
use crate::game::{RawGame, Splitter};

fn split_in(bytes: &[u8], pieces: impl IntoIterator<Item = usize>) -> Vec<RawGame> {
    let mut splitter = Splitter::new();
    let mut games = Vec::new();
    let mut rest = bytes;
    for size in pieces {
        let (piece, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        splitter.push(piece);
        games.extend(splitter.by_ref());
    }
    splitter.push(rest);
    games.extend(splitter.by_ref());
    splitter.finish();
    games.extend(splitter.by_ref());
    games
}

/// The games of `text`, whole and byte by byte; each must be what stands at its offset and line.
#[track_caller]
fn split(text: &str) -> Vec<String> {
    let whole = split_in(text.as_bytes(), []);
    assert_eq!(
        split_in(text.as_bytes(), std::iter::repeat_n(1, text.len())),
        whole,
        "cut into bytes"
    );
    for game in &whole {
        let offset = game.offset as usize;
        assert_eq!(&text.as_bytes()[offset..offset + game.bytes.len()], game.bytes);
        let before = text[..offset].replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(game.line, 1 + before.matches('\n').count() as u64);
    }
    whole.into_iter().map(|game| String::from_utf8(game.bytes).unwrap()).collect()
}

#[track_caller]
fn check(text: &str, games: &[&str]) {
    assert_eq!(split(text), games, "{text}");
}

const A: &str = "[Event \"A\"]\n[White \"a\"]\n\n1. e4 e5 1-0";
const B: &str = "[Event \"B\"]\n[White \"b\"]\n\n1. d4 d5 *";

#[test]
fn games_are_cut_at_their_tags() {
    check(&format!("{A}\n\n{B}\n"), &[A, B]);
    check(&format!("\n\n{A}\n\n\n\n{B}"), &[A, B]);
    check("", &[]);
    check("\n \n\t\r\n", &[]);
}

/// pgn.md: CR-only line ends; LF and CRLF.
#[test]
fn all_line_ends_are_line_ends() {
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let [a, b] = [A, B].map(|game| game.replace('\n', end));
        check(&format!("{a}{end}{end}{b}{end}"), &[&a, &b]);
    }
}

/// B01, B02: a byte-order mark at the beginning of the file and of any game.
#[test]
fn byte_order_marks_are_dropped() {
    check(&format!("\u{feff}{A}\n\n\u{feff}{B}"), &[A, B]);
    check(&format!("{A}\u{feff}{B}"), &[A, B]);
    check(&format!("{A}\n\u{feff}\u{feff}{B}\n\u{feff}"), &[A, B]);
    check(&format!("{A}\n\n\u{feff}\n{B}"), &[A, B]);
    let title = "[Event \"A\"]\n[White \"White vs 1...c5\"]\n[Result \"*\"]\n\n *";
    check(&format!("\u{feff}{title}\n\n{title}\n"), &[title, title]);
}

/// B10, B11, B13, lila#11708: blank lines where there should be none, and none where there should be.
#[test]
fn blank_lines_do_not_decide() {
    let game = "[Event \"x\"]\n\n[White \"A, a\"]\n\n\n1. e4\n\n1... e5\n\n\n2. Nf3 1-0";
    check(&format!("{game}\n\n{A}"), &[game, A]);
    check(&format!("{A}\n{B}\n{A}"), &[A, B, A]);
    check(&format!("{A}{B}{A}"), &[A, B, A]);
    check("1. e4 1/2-1/2[Site \"x\"]\n\n*", &["1. e4 1/2-1/2", "[Site \"x\"]\n\n*"]);
    let open = "[White \"a\"]\n1. e4 e5";
    check(&format!("{open}\n{B}"), &[open, B]);
    check(&format!("{open} {B}"), &[open, B]);
    check(
        "[White \"a\"]\n1. e4 e5\n\n1-0\n\n[White \"b\"] *",
        &["[White \"a\"]\n1. e4 e5\n\n1-0", "[White \"b\"] *"],
    );
}

/// B14: tags without moves.
#[test]
fn tags_that_come_again_begin_a_game() {
    let tags = "[Event \"A\"]\n[White \"a\"]";
    check(&format!("{tags}\n\n{B}"), &[tags, B]);
    check(&format!("{tags}\n{B}"), &[tags, B]);
    check(&format!("{tags}\n\n\n{tags}\n\n{tags}"), &[tags, tags, tags]);
    check(&format!("[White \"a\"]\n[Event \"A\"]\n\n{B}"), &["[White \"a\"]\n[Event \"A\"]", B]);
    // A doubled tag: pgn.md keeps the game.
    let doubled = "[Event \"A\"]\n[Event \"A\"]\n[White \"a\"]\n[ECO \"A00\"]\n[ECO \"A01\"]\n\n*";
    check(doubled, &[doubled]);
}

/// B16, B17: prose, comments and HTML around the games are cut off from them.
#[test]
fn text_that_is_no_game_stands_alone() {
    check(&format!("{{ file made by x }}\n\n{A}"), &["{ file made by x }", A]);
    check(&format!("{{ file\n\n made by x }}\n{A}"), &["{ file\n\n made by x }", A]);
    check(&format!("</p>\n{A}\n</pre>\n{B}"), &["</p>", A, "</pre>", B]);
    check(
        &format!("</p>{A}</pre>\n\nThe end.\n\nReally.\n"),
        &["</p>", &format!("{A}</pre>"), "The end.\n\nReally."],
    );
    check(&format!("Some games.\n\nThe first:\n{A}"), &["Some games.\n\nThe first:", A]);
    check("Some games.\n\nOne:\n\n1. e4 e5 *", &["Some games.\n\nOne:", "1. e4 e5 *"]);
    check("[Event \"x\"] [Site \"y\"]\n\n1. e4 *", &["[Event \"x\"] [Site \"y\"]\n\n1. e4 *"]);
    check(
        "[Event \"x\"]<br>\n[Site \"y\"]<br>\n<br>\n1. e4 *",
        &["[Event \"x\"]<br>\n[Site \"y\"]<br>\n<br>\n1. e4 *"],
    );
}

/// pgn.md: “a tagless chunk belongs to the game before it if that had no result yet”.
#[test]
fn tagless_chunks() {
    check("1. e4 e5 *", &["1. e4 e5 *"]);
    check("1. e4 e5 *\n\n1. d4 d5 *", &["1. e4 e5 *", "1. d4 d5 *"]);
    check("1. e4 e5 1-0\n1. d4 d5 *", &["1. e4 e5 1-0", "1. d4 d5 *"]);
    check("1. e4 e5\n\n2. Nf3 *", &["1. e4 e5\n\n2. Nf3 *"]);
    check(
        "1. e4 (1. d4 1-0\n\n1... d5) e5\n\n2. Nf3 *",
        &["1. e4 (1. d4 1-0\n\n1... d5) e5\n\n2. Nf3 *"],
    );
    check("1. e4 {1-0\n\n} e5\n\n2. Nf3", &["1. e4 {1-0\n\n} e5\n\n2. Nf3"]);
    check(
        &format!("{A} {{White\n\nwon}}\n; so\n\n1. e4 *"),
        &[&format!("{A} {{White\n\nwon}}\n; so"), "1. e4 *"],
    );
    // Numbers that begin again: two games, not one of four plies.
    check("1. e4 e5\n\n1. d4 d5", &["1. e4 e5", "1. d4 d5"]);
    check("1. e4\n\n1. ... e5\n\n1... e5", &["1. e4\n\n1. ... e5\n\n1... e5"]);
    check(
        "[White \"a\"]\n\nAnnotated by b\n\n1. e4 *",
        &["[White \"a\"]\n\nAnnotated by b\n\n1. e4 *"],
    );
    check("[White \"a\"]\n\n{x}\n\n1. e4 *", &["[White \"a\"]\n\n{x}\n\n1. e4 *"]);
}

/// pgn-extract's test-nobadresults: each line a game.
#[test]
fn tags_and_moves_on_one_line() {
    check(
        "[Result \"1-0\"] e4 *\n[Result \"0-1\"] e4 *\n[Result \"*\"] e4 1-0",
        &["[Result \"1-0\"] e4 *", "[Result \"0-1\"] e4 *", "[Result \"*\"] e4 1-0"],
    );
    let [a, b] = [A, B].map(|game| game.replace('\n', " "));
    check(&format!("{a} {b} {a}"), &[&a, &b, &a]);
    check(&format!("{a}\n{b}\n{a}"), &[&a, &b, &a]);
}

/// pgn.md: a comment that is never closed; “damage stays in one game”.
#[test]
fn an_open_comment_ends_at_the_next_game() {
    let open = "[Event \"O\"]\n\n1. e4 {never closed 1... e5 1-0";
    for next in [
        A,
        B,
        "[Event \"C\"]\n\n1. e4 {closed} e5 *",
        "[White \"c\"]\n\n[Event \"C\"]\n\n1. e4 {a} *",
    ] {
        check(&format!("{open}\n\n{next}\n\n{B}"), &[open, next, B]);
        check(&format!("{open}\n\n{next}"), &[open, next]);
    }
    check(&format!("{open}\n{A}\n{B}"), &[open, A, B]);
    check(&format!("{open}\n\n{open}\n\n{open}\n\n{A}"), &[open, open, open, A]);
    check(open, &[open]);
    let last = "[Event \"L\"]\n\n1. e4 {a} *";
    check(&format!("{open}\n\n{A}\n\n{A}\n\n{last}"), &[open, A, A, last]);
}

/// A comment that is closed may hold anything.
#[test]
fn tags_in_a_comment_are_text() {
    for game in [
        "[Event \"x\"]\n\n1. e4 {see\n[Event \"y\"]\n[Site \"z\"]\n\n1. d4 1-0} e5 1-0",
        "[Event \"x\"]\n\n1. e4 {see\n\n[Event \"y\"]\n\n[Site \"z\"]\n\n1. d4 1-0\n} e5 1-0",
        "[Event \"x\"]\n\n1. e4 {see\n[Site \"z\"]\n[Event\n} e5 1-0",
        "[Event \"x\"]\n\n1. e4 {see [Event \"y\"] } e5 1-0",
        "[Event \"x\"]\n\n1. e4 {\n%02 [ see ]} e5 {\n% } 1-0",
        "[Event \"x\"]\n\n1. e4 ; see [Event \"y\"] {\n e5 1-0",
        "[Event \"x\"]\n\n1. e4 {a; b} e5 {; } 1-0",
        "[Event \"x\"]\n\n1. e4 {[%clk 0:01]\n[%csl Ra1]\n\n[ see ] } [ x ] e5 1-0",
        "[Event \"x\"]\n{made by y}\n[White \"w\"]\n; and z\n[Black \"b\"]\n\n1. e4 1-0",
    ] {
        check(&format!("{game}\n\n{A}"), &[game, A]);
    }
}

/// pgn.md: `%` lines are skipped.
#[test]
fn escape_lines() {
    check(
        &format!("% made by x\n%{{\n{A}\n% and\n\n% y\n{B}"),
        &[&format!("{A}\n% and\n\n% y"), B],
    );
    let game = "[Event \"x\"]\n%\n[White \"y\"]\n\n1. e4\n% {\n%\n\n% [Event \"z\"]\n1... e5 1-0";
    check(&format!("{game}\n\n{A}"), &[game, A]);
}

/// pgn.md: tags that are not well formed; B08, B21, B23.
#[test]
fn broken_tags_stay_in_their_game() {
    for tag in [
        "[White Rossi]",
        "[White \"Joe \"Kid\" Doe\"]",
        "[White \"Rossi\"",
        "[White \"Rossi",
        "[White \"Rossi]",
        "[Variation \"Four knights (Tarr\u{1}3",
        "[Annotator \"A ]B\"]",
        "[White \"a\nb\"]",
        "[White \"a\nb\nc d\"]",
        "[]",
        "[ \"x\"]",
        "[White \"C:\\\"]",
    ] {
        let game = format!("[Event \"x\"]\n{tag}\n[Black \"b\"]\n\n1. e4 *");
        check(&format!("{game}\n\n{A}"), &[&game, A]);
        let game = format!("[Event \"x\"]\n{tag}\n\n1. e4 *");
        check(&format!("{game}\n\n{A}"), &[&game, A]);
    }
    check(&format!("{A}\n\n[White Rossi]\n\n1. e4 *"), &[A, "[White Rossi]\n\n1. e4 *"]);
}

/// pgn.md: the end of a file may be the middle of a game.
#[test]
fn the_last_game_tells_whether_it_is_complete() {
    let complete = |text: &str| {
        let games = split_in(text.as_bytes(), []);
        assert!(games[..games.len() - 1].iter().all(|game| game.complete));
        games.last().unwrap().complete
    };
    for text in
        [A, B, "1. e4 1-0 {so}", "1. e4 (d4) ½-½ ", &format!("{A} [White \"x"), "[Event \"x\"]\n*"]
    {
        assert_eq!(complete(text), !text.ends_with("\"x"), "{text}");
    }
    for text in [
        "1. e4 e5 2. Nf",
        "[White \"x\"]",
        "1. e4 {1-0",
        "1. e4 (1-0",
        "1. e4 1-0 {so",
        "1. e4 ; 1-0",
    ] {
        assert!(!complete(&format!("{A}\n\n{text}")), "{text}");
    }
}

/// pgn.md: a game over 16 MiB; memory stays bounded.
#[test]
fn big_games_are_cut_to_their_beginning() {
    const SIZE: usize = 40 << 20;
    let mut big = b"[Event \"big\"]\n\n".to_vec();
    while big.len() < SIZE {
        big.extend_from_slice(b"1. e4 {all work and no play} e5 (1... c5) ");
        big.push(if big.len().is_multiple_of(3) { b'\n' } else { b' ' });
    }
    big.extend_from_slice(b" *\n");
    let text = [A.as_bytes(), b"\n\n", &big, B.as_bytes()].concat();
    let mut splitter = Splitter::new();
    let mut games = Vec::new();
    for piece in text.chunks(100_000) {
        splitter.push(piece);
        games.extend(splitter.by_ref());
        assert!(splitter.buffered() < 20 << 20);
    }
    splitter.finish();
    games.extend(splitter);
    assert_eq!(games.len(), 3);
    assert_eq!(games[1].bytes, big[..64 << 10]);
    let oversize = games[1].oversize.unwrap();
    assert_eq!((oversize.length, oversize.hash), (big.len() as u64, xxh3_128(&big)));
    assert_eq!(games[1].offset, A.len() as u64 + 2);
    assert_eq!(games[2].bytes, B.as_bytes());
    assert_eq!(split_in(&text, []), games);
}

/// pgn.md: a game of 16 MiB that is all one comment or one line, or has no end.
#[test]
fn big_comments_lines_and_tags() {
    let filler = "x".repeat(17 << 20);
    for (big, end) in [
        (format!("1. e4 {{{filler}"), "\n\n"),
        (format!("1. e4 {{{filler}}}"), " "),
        (format!("1. e4 {{[Event \"\n\n{filler}}}"), " "),
        (format!("[Event \"{filler}"), "\n\n"),
        (format!("[Event \"x\"]\n{}", "[Black \"y\"]\n".repeat(2 << 20)), "\n"),
    ] {
        let games = split_in(format!("{big}{end}{A}").as_bytes(), std::iter::repeat_n(65536, 1000));
        assert_eq!(games.len(), 2, "{}", &big[..20]);
        assert!(games[0].oversize.unwrap().length > 16 << 20);
        assert_eq!(games[1].bytes, A.as_bytes());
    }
}

/// A file that is one line is cut as well, and in good time.
#[test]
fn one_line_of_many_games() {
    let [a, b] = [A, B].map(|game| game.replace('\n', " "));
    let text = format!("{a} {b} ").repeat(50_000);
    let games = split_in(text.as_bytes(), std::iter::repeat_n(4096, 10_000));
    assert_eq!(games.len(), 100_000);
    assert!(
        games.chunks(2).all(|two| two[0].bytes == a.as_bytes() && two[1].bytes == b.as_bytes())
    );
}

/// pgn.md: UTF-16.
#[test]
fn utf16_is_split_as_its_transcription() {
    let text = format!("\u{feff}{A}\n\n\u{feff}{B}");
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let games = split_in(&bytes, [1, 7, 100]);
    assert_eq!(
        games.iter().map(|game| &game.bytes[..]).collect::<Vec<_>>(),
        [A.as_bytes(), B.as_bytes()]
    );
}

proptest! {
    /// It cuts at the same places however the stream comes in pieces.
    #[test]
    fn pieces_change_nothing(text in shreds(), pieces in proptest::collection::vec(1usize..20, 0..30)) {
        prop_assert_eq!(split_in(text.as_bytes(), pieces), split_in(text.as_bytes(), []));
    }

    /// It never loses a byte: between the games there is nothing but blanks, byte-order marks, and
    /// lines that begin with `%`.
    #[test]
    fn every_byte_is_in_a_game(text in shreds()) {
        let mut at = 0;
        let mut gaps = String::new();
        for game in split_in(text.as_bytes(), []) {
            let offset = game.offset as usize;
            prop_assert!(offset >= at && !game.bytes.is_empty());
            prop_assert_eq!(&text.as_bytes()[offset..offset + game.bytes.len()], &game.bytes[..]);
            gaps.push_str(&text[at..offset]);
            at = offset + game.bytes.len();
        }
        gaps.push_str(&text[at..]);
        for line in gaps.split(['\n', '\r']) {
            let line = line.trim_matches(|c: char| c == '\u{feff}' || c.is_ascii_whitespace());
            prop_assert!(line.is_empty() || line.starts_with('%'), "lost: {}", line);
        }
    }

    /// A game that is cut out alone is one game.
    #[test]
    fn games_are_cut_no_further(text in shreds()) {
        for game in split_in(text.as_bytes(), []) {
            let again = split_in(&game.bytes, []);
            prop_assert_eq!(again.len(), 1, "{}", String::from_utf8_lossy(&game.bytes));
            prop_assert_eq!(&again[0].bytes, &game.bytes);
        }
    }
}
