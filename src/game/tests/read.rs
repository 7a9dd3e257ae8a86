//! From a file's bytes to its games: each line of the tables of pgn.md.

use encoding_rs::WINDOWS_1251;
use proptest::prelude::*;

use super::{games, one, problem, shreds, value};
use crate::game::{self, GameResult, RawGame, RejectionKind, Splitter, write_game};

/// Plies and end of the only game.
#[track_caller]
fn plies(text: &str) -> u32 {
    one(text).movetext.plies
}

const TAGS: &str = "[White \"A, a\"]\n[Black \"B, b\"]\n";

// “pgn-reader 0.29.0 alone is not safe”

/// Tokens that pgn-reader drops are read for sure, or the game is rejected; it never gets shorter.
#[test]
fn no_token_is_dropped() {
    let game = |moves: &str| format!("{TAGS}\n{moves} *");
    for moves in [
        "1. e4 e5 2. Sf3 Sc6",
        "1. e4 e5 2. ♘f3 ♞c6",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6",
        "1.\u{a0}e4 e5 2.\u{a0}Nf3 Nc6",
    ] {
        assert_eq!(one(&game(moves)).movetext.clean, "e4 e5 Nf3 Nc6", "{moves}");
    }
    assert_eq!(one(&game("1. e4 a6 2. e5 d5 3. exd6ep")).movetext.clean, "e4 a6 e5 d5 exd6");
    assert_eq!(one(&game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O")).movetext.plies, 7);
    let promotion = "[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e8Q *";
    assert_eq!(one(promotion).movetext.clean, "e8=Q");
    assert_eq!(one(&game("1. e4 e5 2. @@@@ Nc6")).movetext.clean, "e4 e5 -- Nc6");
    let rejection = problem(&game("1. e4 e5 2. Nx Nc6"));
    assert_eq!((rejection.kind, rejection.line), (RejectionKind::UnreadableToken, 4));
    assert_eq!(rejection.token, "Nx");
}

/// A `{` that is never closed: the damage stays in one game.
#[test]
fn an_open_comment_costs_no_other_game() {
    let text = format!(
        "{TAGS}\n1. e4 {{ oops e5 1-0\n\n[White \"C, c\"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n{TAGS}\n1. c4 {{x}} *"
    );
    let games = games(text.as_bytes());
    assert_eq!(games.len(), 3);
    for (game, clean) in games[1..].iter().zip(["d4 d5 c4", "c4 {x}"]) {
        assert_eq!(game.as_ref().unwrap().movetext.clean, clean);
    }
    if let Ok(game) = &games[0] {
        assert!(game.movetext.clean.contains("oops e5 1-0"), "{}", game.movetext.clean);
    }
}

/// `{ a {1.d4} Nf6 }`: the move in the comment does not enter the main line.
#[test]
fn a_comment_in_a_comment_is_a_comment() {
    assert_eq!(plies(&format!("{TAGS}\n1. e4 {{ a {{1.d4}} Nf6 }} e5 *")), 2);
}

/// A blank line in the moves does not cut the game.
#[test]
fn a_blank_line_in_the_moves() {
    assert_eq!(plies(&format!("{TAGS}\n1. e4 e5\n\n2. Nf3\n\n\nNc6 1-0")), 4);
}

/// Tags without moves, then the next game's tags.
#[test]
fn tags_without_moves_are_a_game_of_their_own() {
    let text = format!(
        "[Event \"x\"]\n[White \"C, c\"]\n[Black \"D, d\"]\n[Result \"1-0\"]\n\n[Event \"y\"]\n{TAGS}\n1. e4 *"
    );
    let games = games(text.as_bytes());
    let [first, second] = &games[..] else { panic!("two games") };
    let [first, second] = [first, second].map(|game| game.as_ref().unwrap());
    assert_eq!((first.movetext.plies, value(first, "White")), (0, "C, c"));
    assert_eq!((second.movetext.plies, value(second, "White")), (1, "A, a"));
    assert_eq!(second.tags.0.len(), 3);
}

/// Quotes in quotes, and none: White is never lost.
#[test]
fn names_outlive_broken_tags() {
    let game = one("[White \"Joe \"Kid\" Doe\"]\n[Black Rossi]\n\n1. e4 *");
    assert_eq!((value(&game, "White"), value(&game, "Black")), ("Joe \"Kid\" Doe", "Rossi"));
    assert_eq!(game.notes.len(), 2);
}

/// CR-only line ends; UTF-16.
#[test]
fn line_ends_and_encodings_of_the_whole_file() {
    let text = format!("{TAGS}\n1. e4 e5 1-0\n\n{TAGS}\n1. d4 {{é}} *\n");
    let check = |bytes: &[u8]| {
        let games = games(bytes);
        let clean: Vec<_> =
            games.iter().map(|game| game.as_ref().unwrap().movetext.clean.as_str()).collect();
        assert_eq!(clean, ["e4 e5", "d4 {é}"]);
    };
    check(text.replace('\n', "\r").as_bytes());
    check(text.replace('\n', "\r\n").as_bytes());
    check(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    check(&format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
}

/// Found by fuzzing: what goes to the end of its line ends there in a file of CR too, and no move is
/// taken into it.
#[test]
fn comments_and_escapes_to_the_end_of_a_line_end_with_cr_too() {
    let text = format!("{TAGS}\n1. e4 ; a\n% not a move: Qxx\ne5 2. Nf3 {{b\nc}}\nNc6 *\n");
    for end in ["\n", "\r\n", "\r"] {
        let game = one(&text.replace('\n', end));
        assert_eq!(game.movetext.clean, "e4 {a} e5 Nf3 {b c} Nc6", "{end:?}");
        let rejection = problem(&text.replace("Nc6", "Nx").replace('\n', end));
        assert_eq!((rejection.line, rejection.token.as_str()), (8, "Nx"), "{end:?}");
    }
}

/// A tag line over 255 bytes, wherever a piece of the stream ends.
#[test]
fn long_tags() {
    let name = "x".repeat(5000);
    let text = format!("[Event \"{name}\"]\n{TAGS}\n1. e4 *");
    assert_eq!(value(&one(&text), "Event"), name);
    assert_eq!(one(&text).tags.0.len(), 3);
}

/// Comments over 255 bytes are whole; `;` comments are kept, `%` lines are not.
#[test]
fn comments_are_whole() {
    let long = "word ".repeat(200);
    let game = one(&format!("{TAGS}\n1. e4 {{{long}}} e5 ; rest\n% escaped\n2. Nf3 *"));
    assert_eq!(game.movetext.clean, format!("e4 {{{}}} e5 {{rest}} Nf3", long.trim_end()));
}

/// `1:0`, `0.5-0.5`, `1/2` as end markers.
#[test]
fn end_markers() {
    for (marker, result) in [
        ("1:0", GameResult::White),
        ("0.5-0.5", GameResult::Draw),
        ("1/2", GameResult::Draw),
        ("½-½", GameResult::Draw),
        ("0 - 1", GameResult::Black),
    ] {
        let game = one(&format!("{TAGS}\n1. e4 e5 {marker}\n"));
        assert_eq!((game.result, game.movetext.plies), (result, 2), "{marker}");
    }
}

/// A truncated tail is not a valid shorter game.
#[test]
fn a_truncated_tail() {
    let rejection = problem(&format!("{TAGS}\n1. e4 e5 2. Nf"));
    assert_eq!((rejection.kind, rejection.token.as_str()), (RejectionKind::UnreadableToken, "Nf"));
}

/// Prose, HTML, binary: no game.
#[test]
fn text_that_is_no_game() {
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let texts: [&[u8]; 8] = [
        b"Dear all, I played e4 and won.",
        b"<html><body>1. e4</body></html>",
        b"{ file made by x }",
        b"1234 Main Street",
        b"12. The game went on.",
        b"; nothing\n% nothing",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        &binary,
    ];
    for text in texts {
        for game in games(text) {
            assert_eq!(
                game.unwrap_err().kind,
                RejectionKind::NotAGame,
                "{}",
                String::from_utf8_lossy(text)
            );
        }
    }
    let rejection = problem("Dear all,\nI played\n\ne4 and won.");
    assert_eq!(
        (rejection.line, rejection.message.as_str()),
        (1, "text that is no game: Dear all, I played e4 and won.")
    );
}

// “What becomes of a game”

/// Readable and legal: every tag is kept, known or not, in order.
#[test]
fn a_legal_game_is_read() {
    let game = one(
        "[Event \"E\"]\n[Odd_Tag \"1\"]\n[White \"A, a\"]\n[Date \"2013.05.01\"]\n[Result \"1-0\"]\n\n1. e4 {x} e5 (1... c5) $1 1-0\n",
    );
    let names: Vec<_> = game.tags.0.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, ["Event", "Odd_Tag", "White", "Date", "Result"]);
    assert_eq!(
        (game.date.as_str(), game.result, game.movetext.plies),
        ("2013.05.01", GameResult::White, 2)
    );
    assert!(game.notes.is_empty() && game.start.key.is_empty() && game.movetext.canonical);
}

/// Recoverable with certainty: read, normalised, and a note says so.
#[test]
fn what_is_certain_is_mended_and_noted() {
    for moves in [
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0",
        "1. e4 e5 2. ♘f3",
        "1. e4 e5 2. Sf3",
        "1. e2e4 e7e5",
    ] {
        let game = one(&format!("{TAGS}\n{moves} *"));
        assert!(!game.notes.is_empty() || !game.movetext.canonical, "{moves}");
    }
}

/// A null move in the main line is kept and marked.
#[test]
fn null_moves_in_the_main_line() {
    let game = one(&format!("{TAGS}\n1. e4 -- 2. d4 Z0 3. Nf3 *"));
    assert_eq!(
        (game.movetext.clean.as_str(), game.movetext.first_null),
        ("e4 -- d4 -- Nf3", Some(1))
    );
}

/// An illegal main line is rejected with line, token and reason; the other games go on.
#[test]
fn illegal_games_are_rejected_alone() {
    let games = games(format!("{TAGS}\n1. e4 e5\n2. Ke3 Nc6 1-0\n\n{TAGS}\n1. d4 *").as_bytes());
    let rejection = games[0].as_ref().unwrap_err();
    assert_eq!(
        (rejection.kind, rejection.line, rejection.token.as_str()),
        (RejectionKind::IllegalMove, 5, "Ke3")
    );
    assert_eq!(rejection.message, "illegal move 2. Ke3 (white): no king can go to e3");
    assert_eq!(games[1].as_ref().unwrap().movetext.clean, "d4");
}

/// No moves: kept with both players and a decided result, else not.
#[test]
fn games_without_moves() {
    let players = "[White \"A, a\"]\n[Black \"B, b\"]\n";
    for text in [
        format!("{players}[Result \"1-0\"]\n\n1-0"),
        format!("{players}[Result \"1/2-1/2\"]"),
        format!("{players}\n0-1"),
        format!("{players}[Result \"0-1\"]\n\n{{forfeit}} 0-1"),
        // names.md §2: nobody is empty, or question marks alone.
        "[White \"A, a\"]\n[Black \"? ?\"]\n\n0-1".to_owned(),
    ] {
        assert!(one(&text).result.is_decided(), "{text}");
    }
    let (nothing, no_black) = ("no moves and no result", "no moves, and no name for black");
    for (text, message) in [
        (format!("{players}[Result \"*\"]\n\n*"), nothing),
        (players.to_owned(), nothing),
        ("[White \"A, a\"]\n[Black \"?\"]\n[Result \"1-0\"]".to_owned(), no_black),
        ("[White \"A, a\"]\n[Black \" ?? \"]\n\n1-0".to_owned(), no_black),
        ("[Black \"A, a\"]\n\n1-0".to_owned(), "no moves, and no name for white"),
        ("[Event \"x\"]\n\n1-0".to_owned(), "no moves, and no names"),
    ] {
        let rejection = problem(&text);
        assert_eq!(
            (rejection.kind, rejection.message.as_str()),
            (RejectionKind::NoMovesAndNoResult, message),
            "{text}"
        );
    }
}

/// Result tag and end marker disagree: the rule of names.md §5, and a note.
#[test]
fn the_result_tag_counts_when_it_is_decided() {
    use GameResult::{Black, Draw, Open, White};
    for (tag, marker, result, noted) in [
        ("[Result \"1-0\"]", "0-1", White, true),
        ("[Result \"1-0\"]", "*", White, true),
        ("[Result \"1-0\"]", "", White, false),
        ("[Result \"1-0\"]", "1-0", White, false),
        ("[Result \"*\"]", "0-1", Black, true),
        ("[Result \"*\"]", "*", Open, false),
        ("[Result \"?\"]", "1/2-1/2", Draw, false),
        ("[Result \"\"]", "1/2-1/2", Draw, false),
        ("[Result \"0-0\"]", "1/2-1/2", Draw, true),
        ("[Result \"white\"]", "", Open, true),
        ("", "0-1", Black, false),
        ("", "", Open, false),
        ("[Result \"1 - 0\"]", "1-0", White, false),
        ("[Result \"½-½\"]", "1/2", Draw, false),
    ] {
        let game = one(&format!("{TAGS}{tag}\n\n1. e4 {marker}"));
        assert_eq!((game.result, !game.notes.is_empty()), (result, noted), "{tag} {marker}");
    }
}

/// No end marker at the end of a file: told, so that the game can be held back, and read.
#[test]
fn a_game_without_end_marker() {
    let text = format!("{TAGS}\n1. e4 e5\n");
    let mut splitter = Splitter::new();
    splitter.push(text.as_bytes());
    assert!(splitter.next().is_none());
    splitter.finish();
    let raw = splitter.next().unwrap();
    assert!(!raw.complete);
    assert_eq!(game::read(&raw, None).unwrap().result, GameResult::Open);
}

/// Chess960 and the variants that are played here are replayed under their own rules; Shredder-FEN
/// and X-FEN rights of one position are equal.
#[test]
fn variants_are_replayed() {
    let chess960 = |rights: &str| {
        format!(
            "[Variant \"Chess960\"]\n[FEN \"nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w {rights} - 0 1\"]\n\n1. g3 c6 *"
        )
    };
    let [shredder, x_fen] = ["FCfc", "KQkq"].map(|rights| one(&chess960(rights)));
    assert_eq!(shredder.start.key, x_fen.start.key);
    assert_eq!(one("[Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 *").movetext.plies, 3);
    assert_eq!(
        one("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 *").movetext.plies,
        5
    );
    assert_eq!(
        problem("[Variant \"Antichess\"]\n\n1. e3 b5 2. a3 *").kind,
        RejectionKind::IllegalMove
    );
}

/// A variant that nobody here plays is kept unverified.
#[test]
fn other_variants_are_kept_as_text() {
    let game = one("[Variant \"sittuyin\"]\n\n1. N@f3 N@c6 2. F@g3 1-0");
    assert!(matches!(game.start.rules, game::Rules::Unverified { .. }));
    assert_eq!((game.movetext.plies, &game.movetext.main_line[..]), (3, &b"N@f3 N@c6 F@g3 "[..]));
}

/// UTF-8, BOM also in the middle, Latin-1, and one file that mixes them; the folder's encoding; no
/// U+FFFD in a name.
#[test]
fn encodings_game_by_game() {
    let mut bytes =
        "\u{feff}[White \"Müller\"]\n\n1. e4 *\n\n\u{feff}[White \"Łukasz\"]\n\n1. e4 *\n\n"
            .as_bytes()
            .to_vec();
    bytes.extend_from_slice(b"[White \"M\xFCller\"]\n\n1. e4 *\n\n[White \"M\xF6ller\"]\n\n1. e4 {\xBD} *\n\n[White \"M\xEF\xBF\xBDller\"]\n\n1. e4 {\xEF\xBF\xBD} *\n");
    let games = games(&bytes);
    let games: Vec<_> = games.iter().map(|game| game.as_ref().unwrap()).collect();
    let names: Vec<_> = games.iter().map(|game| value(game, "White")).collect();
    assert_eq!(names, ["Müller", "Łukasz", "Müller", "Möller", "Mï¿½ller"]);
    assert_eq!(games.iter().map(|game| game.notes.len()).collect::<Vec<_>>(), [0, 0, 1, 1, 1]);
    assert_eq!(
        (games[3].movetext.clean.as_str(), games[4].movetext.clean.as_str()),
        ("e4 {½}", "e4 {\u{fffd}}")
    );
    let (bytes, ..) = WINDOWS_1251.encode("[White \"Жуков\"]\n\n1. e4 *");
    let raw =
        RawGame { bytes: bytes.into_owned(), offset: 0, line: 1, complete: true, oversize: None };
    assert_eq!(value(&game::read(&raw, Some(WINDOWS_1251)).unwrap(), "White"), "Жуков");
}

/// Too big, too many, too deep: rejected with that reason.
#[test]
fn limits_are_reasons() {
    let big = format!("{TAGS}\n1. e4 {{{}}} *", "x".repeat(16 << 20));
    let rejection = problem(&big);
    assert_eq!(rejection.kind, RejectionKind::TooBig);
    assert!(rejection.message.starts_with(&big.len().to_string()), "{rejection}");
    assert_eq!(problem(&"prose ".repeat(3 << 20)).kind, RejectionKind::NotAGame);
    assert_eq!(
        problem(&format!("[White \"{}\"]\n\n1. e4 *", "x".repeat(70_000))).kind,
        RejectionKind::TagTooBig
    );
    let tags: String = (0..10_001).map(|n| format!("[T{n} \"\"]\n")).collect();
    assert_eq!(problem(&format!("{tags}\n1. e4 *")).kind, RejectionKind::TooManyTags);
    let nested = format!("1. e4 {}e5 {} e5 *", "(1. d4 ".repeat(501), ")".repeat(501));
    assert_eq!(problem(&format!("{TAGS}\n{nested}")).kind, RejectionKind::NestedTooDeep);
}

/// Dates that are certain are normalised; the others stay as text, and a note.
#[test]
fn dates() {
    for (date, read, notes) in [
        ("2013.05.01", "2013.05.01", 0),
        ("2013-05-01", "2013.05.01", 1),
        ("2013.5.1", "2013.05.01", 1),
        ("01.05.2013", "01.05.2013", 1),
    ] {
        let game = one(&format!("[Date \"{date}\"]\n\n1. e4 *"));
        assert_eq!(
            (game.date.as_str(), game.notes.len(), value(&game, "Date")),
            (read, notes, date)
        );
    }
}

/// A position that cannot be read names the game's line.
#[test]
fn positions_that_cannot_be_read() {
    let rejection = games(format!("{TAGS}\n1. e4 *\n\n[FEN \"nonsense\"]\n\n1. e4 *").as_bytes())
        .remove(1)
        .unwrap_err();
    assert_eq!((rejection.kind, rejection.line), (RejectionKind::UnreadablePosition, 6));
}

/// What was found canonical is read again without replaying it, to the same text.
#[test]
fn rereading_gives_the_same_text() {
    let text = b"[White \"A, a\"]\n{x}\n[Black \"B, b\"]\n[Result \"1-0\"]\n\n1. e4 {y} e5 (1... c5 $1) 2. Nf3 1-0";
    let raw = RawGame { bytes: text.to_vec(), offset: 0, line: 1, complete: true, oversize: None };
    let [once, again] = [game::read, game::reread].map(|read| read(&raw, None).unwrap());
    assert!(once.movetext.canonical && again.movetext.canonical);
    let [once, again] = [once, again].map(|game| {
        let mut out = Vec::new();
        write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
        String::from_utf8(out).unwrap()
    });
    assert_eq!(once, again);
    assert!(once.contains("{x} 1. e4"), "{once}");
}

proptest! {
    /// Whatever a file holds, each piece of it is read or rejected, and what is read can be
    /// written and read again as the same game.
    #[test]
    fn every_piece_has_an_outcome(text in shreds()) {
        for game in games(text.as_bytes()).into_iter().flatten() {
            let mut out = Vec::new();
            write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
            let again = games(&out);
            prop_assert_eq!(again.len(), 1, "{}", String::from_utf8_lossy(&out));
            let again = again[0].as_ref().unwrap();
            prop_assert_eq!(&again.movetext.main_line, &game.movetext.main_line);
            prop_assert_eq!((again.result, &again.date), (game.result, &game.date));
        }
    }

    /// No bytes make it panic.
    #[test]
    fn any_bytes_have_an_outcome(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        games(&bytes);
        games(&[b"[White \"", &bytes[..], b"\"]\n\n1. e4 *"].concat());
    }
}
