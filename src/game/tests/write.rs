//! The PGN writer (pgn.md, “Exported PGN is standard”).

use proptest::prelude::*;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use crate::game::{GameResult, Movetext, Start, Tag, Tags, write_game};

fn tags(pairs: &[(&str, &str)]) -> Tags {
    let tag = |&(name, value): &(&str, &str)| Tag::new(name, value);
    Tags(pairs.iter().map(tag).collect())
}

fn write(pairs: &[(&str, &str)], text: &str) -> String {
    let tags = tags(pairs);
    let start = Start::from_tags(&tags).expect("a position");
    let movetext = Movetext::read(text, 1, &start).expect("legal");
    let mut out = Vec::new();
    write_game(&mut out, &tags, movetext.end.unwrap_or_default(), &start, &movetext);
    String::from_utf8(out).expect("UTF-8")
}

/// The lines of the movetext alone.
fn moves(pairs: &[(&str, &str)], text: &str) -> String {
    let out = write(pairs, text);
    out.split_once("\n\n").expect("a blank line").1.trim_end().to_owned()
}

#[test]
fn a_whole_game() {
    let pairs = [
        ("White", "Rossi, Mario"),
        ("ECO", "C20"),
        ("Event", r#"The "Closed" \ Dragon"#),
        ("Annotator", "a\nb"),
        ("ECO", "C20"),
        ("ECO", "C21"),
        ("Result", "0-1"),
    ];
    let right = "\
[Event \"The \\\"Closed\\\" \\\\ Dragon\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Rossi, Mario\"]
[Black \"?\"]
[Result \"1-0\"]
[ECO \"C20\"]
[Annotator \"a b\"]
[ECO \"C21\"]

1. e4 e5 1-0

";
    assert_eq!(write(&pairs, "1. e4 e5 1-0"), right);
}

#[test]
fn setup_stands_with_every_fen() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7";
    let out = write(&[("Board", "3"), ("FEN", fen)], "7... Kd7 8. e4 *");
    assert!(
        out.contains(&format!(
            "[Board \"3\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n7... Kd7 8. e4 *\n"
        ))
    );
    let out = write(&[("FEN", fen), ("SetUp", "0"), ("SetUp", "x")], "*");
    assert!(out.contains(&format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n*\n")), "{out}");
}

#[test]
fn numbers_comments_and_side_lines() {
    for (text, right) in [
        ("*", "*"),
        ("1. e4 {x} e5 1-0", "1. e4 {x} 1... e5 1-0"),
        ("1. e4! e5 2. Nf3 1/2", "1. e4 $1 e5 2. Nf3 1/2-1/2"),
        (
            "1. e4 (1. d4 d5 (1... Nf6 {y})) 1... e5 2. Nf3",
            "1. e4 (1. d4 d5 (1... Nf6 {y})) 1... e5 2. Nf3 *",
        ),
        ("1. e4 e5 ({z} 1... c5 $2) 2. Nf3", "1. e4 e5 ({z} 1... c5 $2) 2. Nf3 *"),
        ("1. e4 -- 2. d4", "1. e4 -- 2. d4 *"),
        ("1. e4 e5 (1... Nc4) 2. Nf3", "1. e4 e5 {(1... Nc4)} 2. Nf3 *"),
        ("1. e4 {a} {b} e5 1-0 {c}", "1. e4 {a} {b} 1... e5 {c} 1-0"),
        ("1. e4 ;a }b\n", "1. e4 {a )b} *"),
        ("1. e2e4 e7e5 2. Sf3 0-1", "1. e4 e5 2. Nf3 0-1"),
    ] {
        assert_eq!(moves(&[], text), right, "{text}");
    }
}

/// pgn.md: 80 columns. A `%` or `[` never begins a line, whatever a comment holds.
#[test]
fn lines() {
    let long = moves(&[], &format!("1. e4 {{{}}} e5", "word %a [b] ".repeat(40)));
    assert!(long.lines().all(|line| line.len() < 80 && !line.starts_with(['%', '['])), "{long}");
    assert!(long.lines().count() > 5);
    let knights = moves(&[], &"1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(30));
    assert!(knights.lines().all(|line| line.len() < 80), "{knights}");
    assert!(knights.lines().rev().skip(1).all(|line| line.len() > 70), "{knights}");
    // Columns are characters, not bytes.
    let wide = moves(&[], &format!("1. e4 {{{}}} e5", "äöü ".repeat(30)));
    assert_eq!(wide.lines().next().map(|line| line.chars().count()), Some(78));
    let one = "x".repeat(200);
    assert!(moves(&[], &format!("1. e4 {{a {one} b}} e5")).contains(&format!("{{a\n{one}\nb}}")));
}

/// A variant that is compared as text is written as text.
#[test]
fn unverified_variants() {
    let fen = "8/8/8/8/8/8/8/8[] b - - 0 3";
    let pairs = [("Variant", "sittuyin"), ("FEN", fen)];
    assert_eq!(moves(&pairs, "3... S@c6 4. N@f3! 1-0"), "3... S@c6 4. N@f3 $1 1-0");
}

/// What stands behind a move in a made-up game.
#[derive(Debug, Clone)]
enum Aside {
    Nothing,
    Nag(u8),
    Comment(String),
    Line(Vec<(u8, Aside)>),
}

fn comment() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zäöü;%\\[\\]()@!?$*.0-9-]{1,12}",
        "[%\\[;(][a-z]{0,3}",
        Just("[%clk 1:00:00]".to_owned()),
        Just("\n% 1... c5\n".to_owned()),
        Just("Nf3".to_owned()),
        "[^{}]{0,90}",
    ];
    prop::collection::vec(word, 0..20).prop_map(|words| words.join(" "))
}

fn line(length: usize) -> impl Strategy<Value = Vec<(u8, Aside)>> {
    let leaf = prop_oneof![
        6 => Just(Aside::Nothing),
        1 => any::<u8>().prop_map(Aside::Nag),
        1 => comment().prop_map(Aside::Comment),
    ];
    let aside = leaf.prop_recursive(4, 40, 6, |inner| {
        prop::collection::vec((any::<u8>(), inner), 0..6).prop_map(Aside::Line)
    });
    prop::collection::vec((any::<u8>(), aside), 0..length)
}

/// Plays the line, choosing among the legal moves, and writes it as a careless program would.
fn render(line: &[(u8, Aside)], mut position: Chess, text: &mut String) {
    for (choice, aside) in line {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return;
        }
        let before = position.clone();
        let played = legal[usize::from(*choice) % legal.len()];
        text.push_str(&SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
        match aside {
            Aside::Nothing => {}
            Aside::Nag(nag) => text.push_str(&format!("${nag}")),
            Aside::Comment(comment) => text.push_str(&format!("{{{comment}}}")),
            Aside::Line(inner) => {
                text.push('(');
                render(inner, before, text);
                text.push(')');
            }
        }
        text.push(' ');
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// pgn.md: import → export → import → export gives the same bytes.
    #[test]
    fn writing_is_stable(line in line(60), event in "\\PC{0,20}", text_before in comment()) {
        let mut text = format!("{{{text_before}}} ");
        render(&line, Chess::default(), &mut text);
        let start = Start::usual();
        let tags = tags(&[("Event", &event)]);
        let first = Movetext::read(&text, 1, &start).map_err(|why| {
            TestCaseError::fail(format!("{why}: {text}"))
        })?;
        prop_assert!(first.canonical);
        let mut once = Vec::new();
        write_game(&mut once, &tags, GameResult::Draw, &start, &first);
        let written = String::from_utf8(once.clone()).expect("UTF-8");
        let (_, moves) = written.split_once("\n\n").expect("a blank line");
        for line in moves.lines() {
            prop_assert!(!line.starts_with(['%', '[']), "{written}");
            let unit = line.split(' ').skip(1).any(|word| !word.starts_with(['%', '[']));
            prop_assert!(line.chars().count() < 80 || !unit, "{line}");
        }
        prop_assert!(moves.trim_end().lines().all(|line| !line.is_empty()));
        let second = Movetext::read(moves, 1, &start).map_err(|why| {
            TestCaseError::fail(format!("{why}: {moves}"))
        })?;
        prop_assert!(second.canonical && second.notes.is_empty());
        prop_assert_eq!(&second.clean, &first.clean);
        prop_assert_eq!(&second.main_line, &first.main_line);
        prop_assert_eq!(second.end, Some(GameResult::Draw));
        let reread = Movetext::reread_canonical(moves).expect("canonical");
        prop_assert_eq!(&reread.clean, &first.clean);
        let mut twice = Vec::new();
        write_game(&mut twice, &tags, GameResult::Draw, &start, &second);
        prop_assert_eq!(once, twice);
    }

    /// No input makes the reader panic, and what it accepts it can write and read again.
    #[test]
    fn any_text_is_read_or_rejected(text in "([a-hKQRBNOx1-8+#=. (){}!?$;*0-]|e4 |Nf3 |[^a]){0,60}") {
        let start = Start::usual();
        if let Ok(movetext) = Movetext::read(&text, 1, &start) {
            let mut out = Vec::new();
            let end = movetext.end.unwrap_or_default();
            write_game(&mut out, &Tags::default(), end, &start, &movetext);
            let written = String::from_utf8(out).expect("UTF-8");
            let (_, moves) = written.split_once("\n\n").expect("a blank line");
            let again = Movetext::read(moves, 1, &start).map_err(|why| {
                TestCaseError::fail(format!("{why}: {text:?} {moves:?}"))
            })?;
            prop_assert_eq!(again.main_line, movetext.main_line);
            prop_assert_eq!(again.clean, movetext.clean);
        }
    }
}
