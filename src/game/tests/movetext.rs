//! Reading movetext (pgn.md; faults-pgn.tsv by its ids).

mod asides;

use crate::game::{GameResult, Movetext, Rejection, RejectionKind, Start, Tag, Tags};

fn read(text: &str) -> Result<Movetext, Rejection> {
    Movetext::read(text, 1, &Start::usual())
}

fn start(tags: &[(&str, &str)]) -> Start {
    let tag = |&(name, value): &(&str, &str)| Tag::new(name, value);
    Start::from_tags(&Tags(tags.iter().map(tag).collect())).expect("a position")
}

#[track_caller]
fn check(text: &str, clean: &str) -> Movetext {
    match read(text) {
        Ok(movetext) => {
            assert_eq!(movetext.clean, clean, "{text}");
            movetext
        }
        Err(rejection) => panic!("{text}: {rejection}"),
    }
}

/// Reads `text` as `clean`, and tells of it in a note.
#[track_caller]
fn mended(text: &str, clean: &str) {
    assert!(!check(text, clean).notes.is_empty(), "{text}: no note");
}

#[track_caller]
fn rejected(text: &str, kind: RejectionKind, token: &str) -> Rejection {
    let rejection = read(text).expect_err(text);
    assert_eq!((rejection.kind, rejection.token.as_str()), (kind, token), "{text}: {rejection}");
    rejection
}

#[track_caller]
fn unreadable(text: &str, token: &str) -> Rejection {
    rejected(text, RejectionKind::UnreadableToken, token)
}

#[test]
fn an_ordinary_game() {
    let movetext = check("1. e4 e5 2. Nf3 Nc6 1-0\n", "e4 e5 Nf3 Nc6");
    assert!(movetext.canonical && movetext.notes.is_empty());
    assert_eq!((movetext.plies, movetext.end), (4, Some(GameResult::White)));
    // e2 (12) to e4 (28), little endian: 12 | 28 << 6.
    assert_eq!(movetext.main_line[..2], (12u16 | 28 << 6).to_le_bytes());
    assert_eq!(movetext.main_line.len(), 8);
    assert_eq!(
        Movetext::reread_canonical("1. e4 e5 2. Nf3 Nc6 1-0").map(|m| m.clean),
        Ok(movetext.clean)
    );
}

/// B07, B38, B39: numbers, dots and blanks of every kind.
#[test]
fn numbers_and_blanks() {
    for text in [
        "1.e4 c5 2.Nf3 d6",
        "1.\u{a0}e4 c5 2. Nf3 d6",
        "1.\u{2007}e4\u{202f}c5\u{200b} 2.\u{a0}Nf3\u{feff} d6",
        "1. e4 1. ... c5 2. Nf3 2... d6",
        "1. e4 1... c5 2. Nf3 2....d6",
        "1.e4 c5\r\n2.Nf3\t\u{0}d6",
        "1 e4 c5 2 Nf3 d6",
        "1e4 c5 2Nf3 d6",
        "7. e4 c5 99. Nf3 d6",
        "1. e4, c5, 2. Nf3 d6",
        "1…e4 c5 2…Nf3 d6",
    ] {
        check(text, "e4 c5 Nf3 d6");
    }
    for text in
        ["1. e4 c52. Nf3 d6", "1.e4c52.Nf3d6", "1. e4 c5 2. Nf3d6 1-0", "1. e4 c5 2. Nf3 d61-0"]
    {
        let movetext = read(text).unwrap_or_else(|rejection| panic!("{text}: {rejection}"));
        assert_eq!(movetext.clean, "e4 c5 Nf3 d6", "{text}");
    }
}

/// pgn.md, “recoverable with certainty”.
#[test]
fn other_spellings_of_a_move() {
    let opening = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    let clean = "e4 e5 Nf3 Nc6 Bc4 Bc5";
    for castling in [
        "0-0", "O–O", "O—O", "O‑O", "o-o", "OO", "0–0", "О-О", "00", "0 - 0", "e1g1", "Ke1-g1",
        "Ke1g1",
    ] {
        mended_or_respelled(&format!("{opening} 4. {castling} Nf6"), &format!("{clean} O-O Nf6"));
    }
    for text in [
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4 Bf8-c5",
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 f8c5",
        "1. E2-E4 E7E5 2. nf3 nc6 3. Bc4 Bc5",
        "1. ♙e4 ♟e5 2. ♘f3 ♞c6 3. ♗c4 ♝c5",
        "1. e4 e5 2. ♘\u{fe0e}f3 Nc6 3. Bc4 Bc5",
        "1. e4 e5 2. Ng1f3 Nbc6 3. Bfc4 B8c5",
        "1. e4 e5 2. Nxf3 Nc6+ 3. Bc4# Bc5++",
    ] {
        mended_or_respelled(text, clean);
    }
    check("1. e4 d5 2. e:d5 Q:d5", "e4 d5 exd5 Qxd5");
    check("1. e4 d5 2. e4xd5 Qd8×d5", "e4 d5 exd5 Qxd5");
    check("1. e4 d5 2. ed5 Qd5", "e4 d5 exd5 Qxd5");
    check("1. e4 d5 2. xd5 QxPd5", "e4 d5 exd5 Qxd5");
    for passant in ["exd6ep", "exd6e.p.", "exd6 e.p.", "exd6 ep", "e5d6", "e5xd6", "exd6 e.p. "] {
        check(&format!("1. e4 a6 2. e5 d5 3. {passant} a5"), "e4 a6 e5 d5 exd6 a5");
    }
}

/// `clean` as given; a spelling that only a position can tell makes no note but is not canonical.
#[track_caller]
fn mended_or_respelled(text: &str, clean: &str) {
    let movetext = check(text, clean);
    assert!(!movetext.notes.is_empty() || !movetext.canonical, "{text}");
}

#[test]
fn promotions() {
    let from = start(&[("FEN", "8/P6k/8/8/8/8/6pK/8 w - - 0 1")]);
    for (white, black) in [
        ("a8=Q", "g1=N"),
        ("a8Q", "g1N"),
        ("a8(Q)", "g1(N)"),
        ("a8/Q", "g1/N"),
        ("a8=q", "g1=n"),
        ("a7a8q", "g2g1n"),
        ("a7-a8=Q", "g2-g1N"),
    ] {
        let text = format!("1. {white} {black}+");
        let movetext =
            Movetext::read(&text, 1, &from).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(movetext.clean, "a8=Q g1=N", "{text}");
        assert_eq!(movetext.main_line, {
            let white = 48u16 | 56 << 6 | 5 << 12;
            let black = 14u16 | 6 << 6 | 2 << 12;
            [white.to_le_bytes(), black.to_le_bytes()].concat()
        });
    }
    let rejection = Movetext::read("1. a8", 1, &from).expect_err("no piece is named");
    assert_eq!(
        rejection.message,
        "illegal move 1. a8 (white): the piece of the promotion is missing"
    );
}

/// names.md §5: moves are compared as moves, not text.
#[test]
fn one_main_line_in_every_spelling() {
    let plain = check("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
    let odd = check("1. e2e4! {x} e7-e5 (1... c5) 2. Ngf3 Nbc6 3. Bf1c4 Bc5 $6 4. 0-0", {
        "e4 $1 {x} e5 ( c5 ) Nf3 Nc6 Bc4 Bc5 $6 O-O"
    });
    assert_eq!(plain.main_line, odd.main_line);
    // e1 (4) takes h1 (7).
    assert_eq!(plain.main_line[12..], (4u16 | 7 << 6).to_le_bytes());
    assert!(plain.canonical && !odd.canonical);
}

#[test]
fn canonical_is_the_export_spelling() {
    for text in [
        "1. e4 f6 2. d4 g5 3. Qh5",
        "1. e4 f6 2. d4 g5 3. Qh5+",
        "1. e4+ f6 2. d4 g5 3. Qh5#",
        "1. e4 f6 2. d4 g5 3. Qdh5#",
        "1. e4 f6 (1... e5 2. Ngf3) 2. d4 g5 3. Qh5#",
        "1. e4 f6 (1... e5 2. Nxf3) 2. d4 g5 3. Qh5#",
    ] {
        let movetext = read(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert!(!movetext.canonical, "{text}");
        assert!(movetext.clean.ends_with("d4 g5 Qh5#"), "{}", movetext.clean);
    }
    assert!(check("1. e4 f6 2. d4 g5 3. Qh5#", "e4 f6 d4 g5 Qh5#").canonical);
}

/// pgn.md: German and other piece letters, when the whole main line is legal only so.
#[test]
fn localised_piece_letters() {
    let clean = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 Qe7 Re1 Rb8 Kf1";
    for (language, text) in [
        ("German", "1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. O-O Sf6 5. d3 De7 6. Te1 Tb8 7. Kf1"),
        ("French", "1. e4 e5 2. Cf3 Cc6 3. Fc4 Fc5 4. 0-0 Cf6 5. d3 De7 6. Te1 Tb8 7. Rf1"),
        ("Spanish", "1. e4 e5 2. Cf3 Cc6 3. Ac4 Ac5 4. 0-0 Cf6 5. d3 De7 6. Te1 Tb8 7. Rf1"),
        ("Dutch", "1. e4 e5 2. Pf3 Pc6 3. Lc4 Lc5 4. 0-0 Pf6 5. d3 De7 6. Te1 Tb8 7. Kf1"),
        ("Polish", "1. e4 e5 2. Sf3 Sc6 3. Gc4 Gc5 4. 0-0 Sf6 5. d3 He7 6. We1 Wb8 7. Kf1"),
        ("Czech", "1. e4 e5 2. Jf3 Jc6 3. Sc4 Sc5 4. 0-0 Jf6 5. d3 De7 6. Ve1 Vb8 7. Kf1"),
        ("Hungarian", "1. e4 e5 2. Hf3 Hc6 3. Fc4 Fc5 4. 0-0 Hf6 5. d3 Ve7 6. Be1 Bb8 7. Kf1"),
        ("Portuguese", "1. e4 e5 2. Cf3 Cc6 3. Bc4 Bc5 4. 0-0 Cf6 5. d3 De7 6. Te1 Tb8 7. Rf1"),
        ("Finnish", "1. e4 e5 2. Rf3 Rc6 3. Lc4 Lc5 4. 0-0 Rf6 5. d3 De7 6. Te1 Tb8 7. Kf1"),
        ("Russian", "1. e4 e5 2. Кf3 Кc6 3. Сc4 Сc5 4. 0-0 Кf6 5. d3 Фe7 6. Лe1 Лb8 7. Крf1"),
    ] {
        let movetext = check(text, clean);
        assert!(!movetext.canonical);
        let note = &movetext.notes.last().expect("a note").message;
        assert!(note.starts_with(&format!("moves read as {language}")), "{note}");
    }
}

/// A foreign reading must be the only one, and must need a letter that English lacks.
#[test]
fn no_language_by_chance() {
    // A slip of the pen, not a Finnish knight.
    rejected("1. e4 e5 2. Rf3", RejectionKind::IllegalMove, "Rf3");
    // Dutch for a knight, or a pawn with its letter: f3 and Nf3 are both legal.
    let rejection = unreadable("1. e4 e5 2. Pf3 Pc6", "");
    assert!(rejection.message.contains("two ways"), "{rejection}");
    // A knight in English settles it.
    mended_or_respelled("1. Pe4 Pe5 2. Nf3", "e4 e5 Nf3");
    // The same text is German or Danish: the moves are the same, so that it does not matter.
    check("1. e4 e5 2. Sf3", "e4 e5 Nf3");
    // Illegal in every language.
    rejected("1. e4 e5 2. Sf3 Sc6 3. Lh6", RejectionKind::UnreadableToken, "Sf3");
}

/// Two squares side by side: a move between them where that is legal, else two moves.
#[test]
fn moves_run_together() {
    mended_or_respelled("1. e2e4 e7e5", "e4 e5");
    mended_or_respelled("1.e4e5 2.Nf3Nc6 3.Bc4Bc5 4.O-ONf6", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6");
}

/// B35, B36: null moves are kept, in the main line and beside it.
#[test]
fn null_moves() {
    for null in ["--", "Z0", "null", "pass", "@@@@", "0000", "––", "<>"] {
        let movetext = check(&format!("1. e4 {null} 2. d4 d5"), "e4 -- d4 d5");
        assert_eq!((movetext.first_null, movetext.plies), (Some(1), 4), "{null}");
        assert_eq!(movetext.main_line[2..4], [0, 0]);
    }
    let movetext = check("1. e4 e5 (1... -- 2. d4 Z0) 2. Nf3", "e4 e5 ( -- d4 -- ) Nf3");
    assert_eq!(movetext.first_null, None);
    let message = rejected("1. e4 f5 2. Qh5+ --", RejectionKind::IllegalMove, "--").message;
    assert_eq!(message, "illegal move 2... -- (black): a null move is not possible in check");
}

#[test]
fn illegal_main_lines_are_rejected_with_line_and_token() {
    let rejection =
        rejected("1. e4 e5 2. Nf3 Nc6\n3. Bc4 Bc5 4. Nxe7 *", RejectionKind::IllegalMove, "Nxe7");
    assert_eq!(rejection.line, 2);
    assert_eq!(rejection.message, "illegal move 4. Nxe7 (white): no knight can go to e7");
    let ambiguous = rejected("1. Nf3 d5 2. d3 d4 3. Nd2", RejectionKind::IllegalMove, "Nd2");
    assert_eq!(ambiguous.message, "illegal move 3. Nd2 (white): more than one knight can go to d2");
    let black = start(&[("FEN", "4k3/8/8/8/8/8/8/4K3 b - - 0 40")]);
    let rejection = Movetext::read("40... Kd7 41. Ke3", 7, &black).expect_err("too far");
    assert_eq!(rejection.message, "illegal move 41. Ke3 (white): no king can go to e3");
    assert_eq!(rejection.line, 7);
}

/// pgn.md: a truncated tail is no shorter game; a token that cannot be read rejects the game.
#[test]
fn tokens_that_cannot_be_read() {
    unreadable("1. e4 e5 2. Nf", "Nf");
    unreadable("1. e4 e5 2. Sf9 Nc6", "Sf9");
    unreadable("1. e4 e5 2. ?f3 Nx Nc6", "Nx");
    unreadable("1. e4 e5 here White could play 2. d4 d5", "here");
    unreadable("1. e4 e5 2. N f3 Nc6", "N");
    unreadable("1. e4 N c6", "N");
    unreadable("1. e4 e5 1-0 2. Nf3", "Nf3");
    unreadable("1. e4 e5 } 2. Nf3", "}");
    unreadable("1. e4 e5\u{fffd} 2. Nf3", "e5\u{fffd}");
    let at = unreadable("1. e4 e5\n2. Nf3 Nc6\n3. Bb5 ax", "ax");
    assert_eq!(at.line, 3);
}

/// pgn.md: side lines nested over 500 deep are rejected; a million tokens are fine.
#[test]
fn deep_and_long() {
    let deep = |depth: usize| format!("1. e4 e5{}{}", " (1... c5".repeat(depth), ")".repeat(depth));
    assert_eq!(read(&deep(500)).map(|it| it.plies), Ok(2));
    assert_eq!(read(&deep(501)).map_err(|it| it.kind), Err(RejectionKind::NestedTooDeep));
    let long = format!("1. e4 {}", "$1 ".repeat(1_000_000));
    assert_eq!(read(&long).map(|it| it.plies), Ok(1));
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(50_000);
    assert_eq!(read(&moves).map(|it| it.plies), Ok(200_000));
}

/// pgn.md: a variant that nobody here plays is compared as text, and not rejected.
#[test]
fn unverified_variants() {
    let sittuyin = start(&[("Variant", "sittuyin")]);
    let text = "1. N@f3 S@c6 {x} (1... F@c7) 2. a8=F!? 2... qwe 0-0 1-0";
    let movetext = Movetext::read(text, 1, &sittuyin).expect("readable");
    assert_eq!(movetext.clean, "N@f3 S@c6 {x} ( F@c7 ) a8=F $5 qwe O-O");
    assert_eq!(movetext.main_line, b"N@f3 S@c6 a8=F qwe O-O ");
    assert_eq!((movetext.plies, movetext.end), (5, Some(GameResult::White)));
}

/// Variants that shakmaty plays are replayed under their own rules.
#[test]
fn variants() {
    let crazyhouse = start(&[("Variant", "Crazyhouse")]);
    let text = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. @e4 P@d5";
    let movetext = Movetext::read(text, 1, &crazyhouse).expect("legal");
    assert_eq!(movetext.clean, "e4 d5 exd5 Qxd5 Nc3 Qd8 P@e4 P@d5");
    assert!(movetext.canonical);
    // A pawn (1) dropped on e4 (28).
    assert_eq!(movetext.main_line[12..14], (28u16 | 28 << 6 | 1 << 12).to_le_bytes());
    let antichess = start(&[("Variant", "Antichess")]);
    assert!(Movetext::read("1. e3 b5 2. Bxb5", 1, &antichess).is_ok());
    assert!(Movetext::read("1. e3 b5 2. Nf3", 1, &antichess).is_err(), "captures are compulsory");
}

/// B47, B48: castling in Chess960, with either spelling of the rights.
#[test]
fn chess960_castling() {
    let x_fen = start(&[("FEN", "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1")]);
    let shredder = start(&[("FEN", "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w GDgd - 0 1")]);
    assert_eq!(x_fen.key, shredder.key);
    let text = "1. O-O O-O 2. Nb3 Nb6";
    for start in [x_fen, shredder] {
        let movetext = Movetext::read(text, 1, &start);
        assert_eq!(movetext.map(|it| it.plies), Ok(4));
    }
}
