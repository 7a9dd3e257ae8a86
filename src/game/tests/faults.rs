//! The published faults (faults-pgn.tsv), each by its id, as far as reading goes.

use super::{games, one, problem, value};
use crate::game::{Game, GameResult, RejectionKind, site_ids, write_game};

/// The game as it is written, and that writing it again changes nothing.
#[track_caller]
fn written(game: &Game) -> String {
    let write = |game: &Game| {
        let mut out = Vec::new();
        write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
        String::from_utf8(out).unwrap()
    };
    let once = write(game);
    assert_eq!(write(&one(&once)), once, "writing is stable");
    once
}

#[test]
fn b01_byte_order_marks() {
    let game = "\u{feff}[Event \"A\"]\n[White \"A, a\"]\n\n1. e4 *\n";
    let games = games(format!("{game}{game}").as_bytes());
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game.unwrap().tags.0.len(), 2);
    }
}

#[test]
fn b02_moves_in_a_tag() {
    let game = "[Event \"A\"]\n[White \"White vs 1...c5\"]\n[Black \"B, b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    let games = games(format!("\u{feff}{game}{game}").as_bytes());
    let [a, b] = &games[..] else { panic!("two games") };
    let [a, b] = [a, b].map(|game| game.as_ref().unwrap());
    assert_eq!((&a.tags, &a.movetext), (&b.tags, &b.movetext));
    assert_eq!(a.movetext.clean, "e4");
}

#[test]
fn b04_one_stray_byte() {
    let games =
        games(b"[Event \"Z\xFCrich\"]\n\n1. e4 *\n\n[Event \"Gen\xC3\xA8ve\"]\n\n1. d4 *\n");
    let events: Vec<_> =
        games.iter().map(|game| value(game.as_ref().unwrap(), "Event").to_owned()).collect();
    assert_eq!(events, ["Zürich", "Genève"]);
}

#[test]
fn b05_names_stay_apart() {
    for (bytes, name) in [
        (&b"[White \"J\xF6rg\"]\n\n1. e4 *"[..], "Jörg"),
        (b"[White \"M\xFCller\"]\n\n1. e4 *", "Müller"),
        (b"[White \"M\xF6ller\"]\n\n1. e4 *", "Möller"),
    ] {
        assert_eq!(value(games(bytes)[0].as_ref().unwrap(), "White"), name);
    }
}

#[test]
fn b07_no_break_spaces() {
    for blank in ['\u{a0}', '\u{2007}', '\u{202f}', '\u{200b}'] {
        assert_eq!(one(&format!("1.{blank}e4 e5 2. Nf3")).movetext.clean, "e4 e5 Nf3");
    }
}

#[test]
fn b08_garbage_in_a_tag() {
    let games = games(b"[White \"A, a\"]\n[Variation \"Four knights (Tarr\xE1\x33\xF0\n[Black \"B, b\"]\n\n1. e4 *\n");
    let game = games[0].as_ref().unwrap();
    assert_eq!((value(game, "White"), value(game, "Black")), ("A, a", "B, b"));
    assert_eq!(value(game, "Variation"), "Four knights (Tarrá3ð");
    assert_eq!(games.len(), 1);
}

#[test]
fn b10_a_blank_line_between_tags() {
    let game = one("[Event \"x\"]\n\n[White \"A, a\"]\n\n1. e4 *");
    assert_eq!(
        (value(&game, "Event"), value(&game, "White"), game.movetext.plies),
        ("x", "A, a", 1)
    );
}

#[test]
fn b11_two_blank_lines_before_the_moves() {
    let game = one("[Event \"x\"]\n\n\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59]} *");
    assert_eq!(game.movetext.clean, "e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59]}");
}

#[test]
fn b13_no_blank_line_between_games() {
    let games = games(b"[Event \"V\"]\n\n1. e4 *\n[Event \"W\"]\n[Site \"?\"]\n\n1. d4 d5 *");
    let [a, b] = [0, 1].map(|at| games[at].as_ref().unwrap());
    assert_eq!((a.movetext.clean.as_str(), b.movetext.clean.as_str()), ("e4", "d4 d5"));
    assert_eq!((value(b, "Event"), value(b, "Site"), games.len()), ("W", "?", 2));
}

#[test]
fn b14_a_game_without_moves() {
    let next = "[Event \"y\"]\n[White \"C\"]\n\n1. e4 *\n";
    let kept = games(
        format!("[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\n{next}")
            .as_bytes(),
    );
    assert_eq!(kept[0].as_ref().unwrap().result, GameResult::Black);
    let rejected = games(format!("[Event \"x\"]\n[White \"A\"]\n\n\n{next}").as_bytes());
    assert_eq!(rejected[0].as_ref().unwrap_err().kind, RejectionKind::NoMovesAndNoResult);
    for games in [kept, rejected] {
        assert_eq!(games.len(), 2);
        assert_eq!(value(games[1].as_ref().unwrap(), "White"), "C");
    }
}

#[test]
fn b16_a_comment_before_the_first_game() {
    let games = games(b"{ file made by x: 1. e4 }\n\n[White \"A\"]\n\n1. e4 *");
    assert_eq!(games[0].as_ref().unwrap_err().kind, RejectionKind::NotAGame);
    assert_eq!(value(games[1].as_ref().unwrap(), "White"), "A");
    assert_eq!(games.len(), 2);
}

#[test]
fn b17_html_and_two_tags_on_a_line() {
    for between in ["", "\n"] {
        let games = games(
            format!(
                "</p>{between}[Event \"x\"] [Site \"y\"]\n\n1. e4 e5 *\n</pre>\nWe saw e4 again.\n"
            )
            .as_bytes(),
        );
        let [Err(before), Ok(game), Err(after)] = &games[..] else { panic!("{games:?}") };
        assert_eq!((before.kind, after.kind), (RejectionKind::NotAGame, RejectionKind::NotAGame));
        assert_eq!((value(game, "Event"), value(game, "Site"), game.movetext.plies), ("x", "y", 2));
    }
}

#[test]
fn b19_a_million_games_in_bounded_memory() {
    let game = b"[Event \"x\"]\n[Date \"2013.05.01\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let mut splitter = crate::game::Splitter::new();
    let mut games = 0;
    for _ in 0..1000 {
        for _ in 0..1000 {
            splitter.push(game);
        }
        games += splitter.by_ref().count();
        assert!(splitter.buffered() < 200_000);
    }
    splitter.finish();
    assert_eq!(games + splitter.count(), 1_000_000);
}

#[test]
fn b20_escaped_quotes() {
    let game = one("[Event \"The \\\"Closed\\\" Dragon\"]\n\n1. e4 *");
    assert_eq!(value(&game, "Event"), "The \"Closed\" Dragon");
    assert!(written(&game).contains("[Event \"The \\\"Closed\\\" Dragon\"]"));
}

#[test]
fn b21_unescaped_quotes() {
    let game = one("[Event \"5th \"Mikis\" Open\"]\n[White \"Joe \"Kid\" Doe\"]\n\n1. e4 *");
    assert_eq!(
        (value(&game, "Event"), value(&game, "White")),
        ("5th \"Mikis\" Open", "Joe \"Kid\" Doe")
    );
}

#[test]
fn b23_brackets_and_no_quotes() {
    let game = one("[Annotator \"A ]B\"]\n[White Rossi]\n\n1. e4 *");
    assert_eq!((value(&game, "Annotator"), value(&game, "White")), ("A ]B", "Rossi"));
    assert_eq!(game.notes.len(), 1);
}

#[test]
fn b24_b26_tags_keep_order_and_value() {
    let tags = "[Event \"E\"]\n[Site \"S\"]\n[Date \"2013.05.01\"]\n[Round \"5.1\"]\n[White \"Smith, John\"]\n[Black \"B\"]\n[Result \"*\"]\n[WhiteElo \"3000\"]\n[Board \"3\"]\n[UTCTime \"10:11:12\"]\n";
    let text = format!("{tags}\n1. e4 *\n\n");
    assert_eq!(written(&one(&text)), text);
}

/// The same id on both sides is told by those who ask for the players; both tags are kept.
#[test]
fn b27_one_fide_id_on_both_sides() {
    let game = one("[WhiteFideId \"7\"]\n[BlackFideId \"7\"]\n\n1. e4 *");
    assert_eq!((value(&game, "WhiteFideId"), value(&game, "BlackFideId")), ("7", "7"));
}

#[test]
fn b28_b29_dates() {
    for (text, date, noted) in [
        ("2013-05-01", "2013.05.01", true),
        ("2013.5.1", "2013.05.01", true),
        ("2013.05.01", "2013.05.01", false),
        ("01.05.2013", "01.05.2013", true),
        ("Sun Jul 09 2023", "Sun Jul 09 2023", true),
        ("YYYY-MM-DD", "YYYY-MM-DD", true),
    ] {
        let game = one(&format!("[Date \"{text}\"]\n\n1. e4 *"));
        assert_eq!(
            (game.date.as_str(), !game.notes.is_empty(), value(&game, "Date")),
            (date, noted, text)
        );
    }
}

#[test]
fn b31_no_result_tag() {
    assert_eq!(one("[White \"A\"]\n\n1. e4 1-0").result, GameResult::White);
    assert_eq!(one("[White \"A\"]\n\n1. e4").result, GameResult::Open);
}

#[test]
fn b32_tag_and_marker_disagree() {
    let game = one("[Result \"1-0\"]\n\n1. e4 0-1");
    assert_eq!((game.result, game.movetext.end), (GameResult::White, Some(GameResult::Black)));
    assert_eq!(game.notes.len(), 1);
    assert!(written(&game).ends_with("1. e4 1-0\n\n"));
}

#[test]
fn b34_no_marker_at_the_end() {
    assert_eq!(one("1. e4 e5 2. Nf3").movetext.plies, 3);
}

#[test]
fn b35_a_null_move_in_one_of_twelve() {
    let line = "1. e4 e5 2. Nf3 (2. -- Nc6) *";
    let mut text = String::new();
    for n in 1..=12 {
        let moves = if n == 7 { "1. e4 e5 2. Nf3 (2. Nc3 -- 3. Nh6) *" } else { line };
        text.push_str(&format!("[Round \"{n}\"]\n\n{moves}\n\n"));
    }
    let games = games(text.as_bytes());
    assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 12);
    let bad = text.replace("2. Nc3 -- 3. Nh6) *", ") 2. Ke3 *");
    let rejection = super::games(bad.as_bytes()).remove(6).unwrap_err();
    assert_eq!((rejection.line, rejection.token.as_str()), (27, "Ke3"));
}

#[test]
fn b36_z0() {
    let game = one("1. e4 Z0 2. d4 (2. Nf3 Z0 3. Nc3) *");
    assert_eq!(game.movetext.clean, "e4 -- d4 ( Nf3 -- Nc3 )");
    assert_eq!(game.movetext.first_null, Some(1));
}

#[test]
fn b38_b39_zeros_dots_and_blanks() {
    let game = one("1. e4 1. ... e5 2. Nf3 2....Nc6 3. Bc4 3 ... Bc5 4. 0-0 *");
    assert_eq!(game.movetext.clean, "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
    assert!(written(&game).contains("4. O-O *"));
}

#[test]
fn b41_an_unknown_sign() {
    assert_eq!(one("1. Nf3 += d5 *").movetext.plies, 2);
}

#[test]
fn b42_annotations_change_no_main_line() {
    let game = one(
        "1. e4 {broken\n\nover lines} e5 (1... c5 2. Nf3 (2. c3 d5 1/2-1/2) 2... d6 {x} 1-0) 2. Nf3 $14 1-0",
    );
    let plain = one("1. e4 e5 2. Nf3 1-0");
    assert_eq!((game.movetext.main_line, game.result), (plain.movetext.main_line, plain.result));
}

#[test]
fn b44_several_comments() {
    let text = written(&one("1. h4 {[%clk 0:03:00]} {A00 Kadas} h5 *"));
    assert!(text.contains("[%clk 0:03:00]") && text.contains("A00 Kadas"), "{text}");
}

#[test]
fn b45_a_semicolon_in_braces() {
    let game = one("1. e4 { a; b } e5 ; rest }\n2. Nf3 *");
    assert_eq!(game.movetext.plies, 3);
    assert!(game.movetext.clean.starts_with("e4 {a; b} e5"), "{}", game.movetext.clean);
}

#[test]
fn b47_b48_chess960_without_setup() {
    let fen = |rights: &str| {
        format!(
            "[Variant \"Chess960\"]\n[FEN \"qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w {rights} - 0 1\"]\n\n1. e4 e5 *"
        )
    };
    assert_eq!(one(&fen("HBhb")).start.key, one(&fen("KQkq")).start.key);
    let castled = one(
        "[FEN \"bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1\"]\n\n1. Nf3 Nf6 2. O-O *",
    );
    assert_eq!(castled.movetext.plies, 3);
}

#[test]
fn b50_the_usual_start_as_fen() {
    for tags in [
        "[SetUp \"0\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]",
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7\"]",
        "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]",
    ] {
        assert_eq!(one(&format!("{tags}\n\n1. e4 *")).start.key, "", "{tags}");
    }
}

/// B51, B52: short games that are not one another.
#[test]
fn b51_b52_short_games_differ_in_their_moves() {
    let games = games(b"1. e4 Nf6 2. e5 d5 3. exd6 cxd6 *\n\n1. e4 f6 *\n\n1. e4 Nf6 *");
    let lines: Vec<_> = games.into_iter().map(|game| game.unwrap().movetext.main_line).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0] != lines[1] && lines[1] != lines[2] && lines[0].starts_with(&lines[2]));
}

/// B53, B55: one the start of the other; a comment is outside the moves.
#[test]
fn b53_b55_moves_alone_are_compared() {
    let [short, long, noted] =
        ["1. e4 e5 1-0", "1. e4 e5 2. Nf3 1-0", "1. e4 {good} e5 $1 (1... c5) 1-0"]
            .map(|text| one(text).movetext.main_line);
    assert!(long.starts_with(&short) && long != short);
    assert_eq!(noted, short);
}

/// B61, B62, B63, B65, B66: names come as they are written; who they are is asked elsewhere.
#[test]
fn b61_to_b66_names_are_kept_as_they_came() {
    for name in [
        "Tigran L. Petrosian",
        "Krejcar",
        "Krejcar, Walter",
        "BYE",
        "N.N.",
        "Élie",
        "E\u{301}lie",
        "yen,  albert",
    ] {
        assert_eq!(value(&one(&format!("[White \"{name}\"]\n\n1. e4 *")), "White"), name);
    }
    let bye = problem("[White \"A, a\"]\n[Black \"\"]\n[Result \"1-0\"]\n\n1-0");
    assert_eq!(bye.kind, RejectionKind::NoMovesAndNoResult);
}

/// lila#11708: two games on one line.
#[test]
fn two_games_on_one_line() {
    let games = games(b"[Site \"https://lichess.org/aaaaaaaa\"]\n\n1. e4 1/2-1/2[Event \"x\"]\n[Site \"https://lichess.org/bbbbbbbb\"]\n\n1. d4 1-0");
    let ids: Vec<_> =
        games.iter().map(|game| site_ids(&game.as_ref().unwrap().tags)[0].to_string()).collect();
    assert_eq!(ids, ["lichess:aaaaaaaa", "lichess:bbbbbbbb"]);
}

/// pgn.md, “never stored shortened”: litter among tags that holds moves is read, or the game is
/// rejected; the next game keeps its own tags.
#[test]
fn moves_among_litter_are_never_lost() {
    const ONE: &str = "[White \"A, B\"]\n[Black \"C, D\"]\n[Result \"1-0\"]\n";
    const NEXT: &str =
        "[Event \"next\"]\n[White \"E, F\"]\n[Black \"G, H\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n";
    for (first, plies) in [
        (format!("{ONE}\u{a0}1. e4 e5 2. Nf3 1-0"), Some(3)),
        (format!("{ONE}\u{2003}1. e4 e5 2. Nf3 1-0"), Some(3)),
        (format!("{ONE}Moves: 1. e4 e5 2. Nf3 1-0"), None),
        (format!("{ONE}\u{0}1. e4 e5 2. Nf3 1-0"), None),
        (format!("{ONE}Sicilian e4 c5 Nf3 1-0"), None),
        ("[Event \"one\"]\nWhite: A\nBlack: B\nMoves: 1. e4 e5 2. Nf3 1-0".to_owned(), None),
        ("[Event \"one\"]\nWhite: A\nBlack: B\nResult: 1-0".to_owned(), None),
        ("[Event \"one\"]\nWhite: A\nBlack: B".to_owned(), None),
    ] {
        let found = games(format!("{first}\n{NEXT}").as_bytes());
        assert_eq!(found.len(), 2, "{first}");
        match plies {
            Some(plies) => assert_eq!(found[0].as_ref().unwrap().movetext.plies, plies, "{first}"),
            None => assert!(
                found[0].as_ref().is_ok_and(|game| game.movetext.plies == 3) || found[0].is_err(),
                "{first}"
            ),
        }
        let next = found[1].as_ref().unwrap();
        assert_eq!((value(next, "Event"), next.movetext.plies), ("next", 1), "{first}");
    }
    let found = games(format!("{ONE}Sicilian e4 c5 Nf3 1-0\n[ECO \"B20\"]\n\n{NEXT}").as_bytes());
    assert!(found[0].is_err());
    assert_eq!(found.last().unwrap().as_ref().unwrap().movetext.plies, 1);
}

/// pgn.md: games on one line, with blanks that are none in ASCII.
#[test]
fn games_on_one_line_with_wide_blanks() {
    for blank in ["\u{a0}", "\u{b}", "\u{85}", "\u{2028}", "\u{2029}", "\u{c}"] {
        let game = "[White \"A, B\"] [Black \"C, D\"] [Result \"1-0\"] 1. e4 e5 2. Nf3 1-0";
        let two = format!("{game} {game}\n").replace("] ", &format!("]{blank}"));
        let two = two.replace("1-0 [", &format!("1-0{blank}["));
        let found = games(two.as_bytes());
        assert_eq!(found.len(), 2, "{blank:?}");
        for game in found {
            assert_eq!(game.unwrap().movetext.plies, 3, "{blank:?}");
        }
    }
    for byte in [0x85, 0xA0] {
        let line = b"[White \"A, B\"]_[Black \"C, D\"]_[Result \"1-0\"]_1. e4 e5 2. Nf3 1-0";
        let line: Vec<u8> = line.iter().map(|&b| if b == b'_' { byte } else { b }).collect();
        let found = games(&line);
        assert_eq!(found.len(), 1);
        assert!(found[0].as_ref().map_or(true, |game| game.movetext.plies == 3), "{byte:x}");
    }
}

/// pgn.md: moves in a comment that is never closed are not lost, in whatever language.
#[test]
fn moves_in_an_open_comment_are_no_comment() {
    for moves in [
        "gut Sf3 Sc6 Lb5",
        "gut Nf3 Nc6",
        "gut ♘f3",
        "so g1f3 b8c6",
        "so Ng1-f3",
        "Кf3",
        "so Cf3 Cc6",
        "so E2-E4",
        "1...e5",
        "gut. O-O",
        "0-0-0",
    ] {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {{{moves}");
        assert_eq!(problem(&text).kind, RejectionKind::UnreadableToken, "{moves}");
    }
    for remark in ["ein guter Zug", "Lob und Tadel", "2013-05-01 Zürich", "-5 points"] {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {{{remark}");
        assert_eq!(one(&text).movetext.plies, 1, "{remark}");
    }
}

/// pgn.md: no control character reaches an export or a message.
#[test]
fn control_characters_are_made_visible() {
    let controls: String =
        ('\0'..='\u{9f}').filter(|c| c.is_control() && !matches!(c, '\n' | '\r')).collect();
    let text =
        format!("[White \"Ro{controls}ssi\"]\n[Black \"B\"]\n\n1. e4 {{é Â{controls}b}} 1-0");
    let game = one(&text);
    let mut out = Vec::new();
    write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
    let out = String::from_utf8(out).unwrap();
    assert!(!out.replace('\n', "").contains(char::is_control), "{out:?}");
    assert!(out.contains("{é Â b}"), "{out}");
    assert_ne!(
        value(&one("[White \"a\u{81}\"]\n1. e4 *"), "White"),
        value(&one("[White \"a\u{82}\"]\n1. e4 *"), "White")
    );
    for text in [
        "prose\u{1b}[31m\u{9b}x\u{7}",
        "[White \"A\"]\n\n1. e4 q\u{1b}[31\u{9b}7z e5 1-0",
        "[White \"A\"]\n[FEN \"\u{1b}[31m\u{9b}\"]\n\n1. e4 1-0",
    ] {
        let rejection = problem(text);
        assert!(!rejection.message.contains(char::is_control), "{:?}", rejection.message);
        assert!(!rejection.token.contains(char::is_control), "{:?}", rejection.token);
    }
}

/// pgn.md, “exported PGN is standard”: a FEN is written whole and right, and keeps its start.
#[test]
fn odd_positions_are_written_in_standard_form() {
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (fen, written) in [
        (format!("{usual} w KQkq - -5 99999999999"), format!("{usual} w KQkq - 0 1")),
        (format!("{usual}  w KQkq - 0 1"), format!("{usual} w KQkq - 0 1")),
        (usual.to_owned(), format!("{usual} w - - 0 1")),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1".to_owned(),
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned(),
        ),
        (format!("{usual} w HAha - 0 1"), format!("{usual} w HAha - 0 1")),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".to_owned(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".to_owned(),
        ),
    ] {
        let moves = if fen.contains(" b ") { "1... e5" } else { "1. e4" };
        let game = one(&format!("[White \"A\"]\n[FEN \"{fen}\"]\n\n{moves} *"));
        let mut out = Vec::new();
        write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
        let again = one(std::str::from_utf8(&out).unwrap());
        assert_eq!(value(&again, "FEN"), written, "{fen}");
        assert_eq!(again.start.key, game.start.key, "{fen}");
    }
    let odd = "[White \"A\"]\n[Variant \"sittuyin\"]\n[FEN \"8/x  w\"]\n\n1. e4 *";
    let game = one(odd);
    let mut out = Vec::new();
    write_game(&mut out, &game.tags, game.result, &game.start, &game.movetext);
    assert!(String::from_utf8(out).unwrap().contains("[FEN \"8/x  w\"]"));
}
