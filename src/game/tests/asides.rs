//! What stands beside the moves: signs, comments, side lines, end markers (pgn.md;
//! faults-pgn.tsv by its ids).

use super::{check, mended, read, unreadable};
use crate::game::GameResult;

/// B41: signs beside a move never refuse the game.
#[test]
fn signs() {
    check("1. e4! e5? 2. Nf3!! Nc6?? 3. Bc4!? Bc5?! 4. d3 $10 $139", {
        "e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bc4 $5 Bc5 $6 d3 $10 $139"
    });
    for (sign, nag) in [
        ("+=", 14),
        ("+/=", 14),
        ("⩲", 14),
        ("=", 10),
        ("+-", 18),
        ("-+", 19),
        ("±", 16),
        ("∓", 17),
        ("+/-", 16),
        ("□", 7),
        ("∞", 13),
        ("=+", 15),
        ("N", 146),
        ("(D)", 220),
        ("D", 220),
    ] {
        check(&format!("1. e4 {sign} 1... e5"), &format!("e4 ${nag} e5"));
    }
    for sign in ["+=", "+-", "±", "=", "∞", "!+-"] {
        let movetext =
            read(&format!("1. e4 e5 2. Nf3{sign} Nc6")).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(movetext.plies, 4, "{sign}");
    }
    mended("1. e4 ^^ e5", "e4 {^^} e5");
    mended("1. e4 f5 2. Qh5 + g6", "e4 f5 Qh5+ g6");
    mended("1. e4 f5 2. Qh5 ch g6", "e4 f5 Qh5+ g6");
    check("1. e4 $007 e5 $0", "e4 $7 e5 $0");
}

/// B44, B45; pgn.md: comments are kept, `;` to the end of the line, `%` lines skipped.
#[test]
fn comments() {
    check("1. h4 {[%clk 0:03:00]} {A00 Kadas}", "h4 {[%clk 0:03:00]} {A00 Kadas}");
    check("1. e4 { a; b } e5 2. Nf3", "e4 {a; b} e5 Nf3");
    check("1. e4 ; best by test } e5\n e5", "e4 {best by test ) e5} e5");
    check("1. e4\n% 1... c5\ne5", "e4 e5");
    check("% export of x\n1. e4 e5", "e4 e5");
    check("{before} 1. e4 {  two\n\n lines\t} e5", "{before} e4 {two lines} e5");
    check("1. e4 {} { } e5", "e4 e5");
    let long = "ü".repeat(400);
    check(&format!("1. e4 {{{long}}} e5"), &format!("e4 {{{long}}} e5"));
    check("1. e4 e5 1-0 {White won}", "e4 e5 {White won}");
}

/// pgn.md: `{ a {1.d4} Nf6 }`: Nf6 must not enter the main line.
#[test]
fn nested_and_unclosed_comments() {
    mended("1. e4 { a {1.d4} Nf6 } e5", "e4 {a (1.d4) Nf6} e5");
    check("1. e4 { a { b } e5", "e4 {a ( b} e5");
    let rejection = unreadable("1. e4 { never closed\n1... e5 2. Nf3 1-0", "{");
    assert!(rejection.message.contains("comment never closed"), "{rejection}");
    mended("1. e4 e5 { good for both", "e4 e5 {good for both}");
}

/// B42: side lines, nested, with results in them; the main line stays the same.
#[test]
fn side_lines() {
    let plain = read("1. e4 e5 2. Nf3 Nc6").expect("legal").main_line;
    let text = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) d6 1-0) (1... e6 {French} *) 2. Nf3 Nc6";
    let movetext = check(text, "e4 e5 ( c5 Nf3 ( c3 d5 ) d6 ) ( e6 {French} ) Nf3 Nc6");
    assert_eq!((movetext.main_line, movetext.end), (plain, None));
    mended("1. e4 e5 () 2. Nf3", "e4 e5 Nf3");
    mended("1. e4 e5 ({only text}) 2. Nf3", "e4 e5 {only text} Nf3");
    mended("1. e4 e5 (1... c5)) 2. Nf3", "e4 e5 ( c5 ) Nf3");
    unreadable("1. e4 e5 (1... c5 2. Nf3 Nc6 1-0", "(");
    unreadable("1. e4 e5 1... c5) 2. Nf3", ")");
    mended("1. e4 e5 2. Nf3 ( 1-0", "e4 e5 Nf3");
}

/// A side line that cannot be played does not reject the game: it stays as text.
#[test]
fn unplayable_side_lines() {
    mended("1. e4 e5 (1... Nc4 2. d4 {x}) 2. Nf3", "e4 e5 {(1... Nc4 d4 x)} Nf3");
    mended(
        "1. e4 e5 (1... c5 2. Nf3 (2. Nf5 d6 (2... a6)) d6) 2. Nf3",
        "e4 e5 ( c5 Nf3 {(2. Nf5 d6 (2... a6))} d6 ) Nf3",
    );
    mended("(1. d4) 1. e4 e5", "{(1. d4)} e4 e5");
    let movetext = read("1. e4 e5 (1... Nc4) 2. Nf3").expect("legal");
    assert!(!movetext.canonical && movetext.plies == 3);
    assert!(read("1. e4 e5 {(1... Nc4)} 2. Nf3").expect("legal").canonical);
}

/// B31, B32; pgn.md: end markers in every certain spelling.
#[test]
fn end_markers() {
    for (marker, end) in [
        ("1-0", GameResult::White),
        ("1:0", GameResult::White),
        ("1–0", GameResult::White),
        ("1 - 0", GameResult::White),
        ("0-1", GameResult::Black),
        ("0:1", GameResult::Black),
        ("0 - 1", GameResult::Black),
        ("1/2-1/2", GameResult::Draw),
        ("1/2", GameResult::Draw),
        ("½-½", GameResult::Draw),
        ("½–½", GameResult::Draw),
        ("0.5-0.5", GameResult::Draw),
        ("1/2:1/2", GameResult::Draw),
        ("1/2 - 1/2", GameResult::Draw),
        ("*", GameResult::Open),
        ("* *", GameResult::Open),
        ("* 1-0", GameResult::White),
        ("1-0 *", GameResult::White),
    ] {
        let movetext = check(&format!("1. e4 e5 {marker}\n"), "e4 e5");
        assert_eq!(movetext.end, Some(end), "{marker}");
        assert_eq!(read(marker).map(|it| (it.end, it.plies)), Ok((Some(end), 0)), "{marker}");
    }
    assert_eq!(read("1. e4 e5").map(|it| it.end), Ok(None));
    let text = check("1. e4 1-0 ff", "e4 {ff}");
    assert_eq!(text.end, Some(GameResult::White));
    mended("1. e4 e5 White resigns 1-0", "e4 e5 {White resigns}");
    check("(+)-(-)", "{(+)-(-)}");
}

/// pgn.md: markup and other stray bytes.
#[test]
fn markup() {
    mended("1. e4<br>e5<p/> 2. Nf3", "e4 e5 Nf3");
    check("1.&nbsp;e4&nbsp;e5", "e4 e5");
    unreadable("1. e4&amp;e5\n2. Nf3", "&");
    mended("1. e4 [%clk 0:01:00] e5", "e4 {[%clk 0:01:00]} e5");
    unreadable("1. e4 [1... c5 2. Nf3] e5", "[1... c5 2. Nf3]");
}

/// Found by fuzzing: a side line that holds nothing but one that cannot be played is none, or it
/// would be another text when it is read again.
#[test]
fn side_lines_of_comments_alone_are_none() {
    let line = "e4 {(1. Ke4)} e5";
    mended("1. e4 ((Ke4)) e5", line);
    mended(&format!("1. {line}").replace("e4 {", "e4 ({").replace(")}", ")})"), line);
    mended("1. e4 ((Ke4) {x}) e5", "e4 {(1. Ke4)} {x} e5");
    mended("1. e4 (d4 (Ke4)) e5", "e4 ( d4 {(1. Ke4)} ) e5");
    mended("1. e4 ((d4) (Ke4)) e5", "e4 {(1. d4)} {(1. Ke4)} e5");
}

/// Found by fuzzing: a side line that cannot be played after one within it that cannot be either.
#[test]
fn side_lines_that_cannot_be_played_in_one_another() {
    let text = "1. e4 (1. d4 (1. Ke4) 1... Qh8) 1... e5 (1... Ke4) 2. Nf3";
    mended(text, "e4 {(1. d4 (1. Ke4) Qh8)} e5 {(1... Ke4)} Nf3");
    mended("1. e4 ((1. Ke4) 1. Qh8) e5", "e4 {((1. Ke4) Qh8)} e5");
}
