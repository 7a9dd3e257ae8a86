//! What is read of the tags, well formed or not (pgn.md, faults-pgn).

use crate::game::RejectionKind;
use crate::game::tags::part;

/// The tags, what follows them with its line, and the number of notes.
#[track_caller]
fn check(text: &str, tags: &[(&str, &str)], movetext: (&str, u64), notes: usize) {
    let parted = part(text, 1).unwrap();
    let found: Vec<_> =
        parted.tags.0.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
    assert_eq!(found, tags, "{text}");
    assert_eq!((&*parted.movetext, parted.line), movetext, "{text}");
    assert_eq!(parted.notes.len(), notes, "{text}: {:?}", parted.notes);
}

/// pgn.md: every tag kept, known or not, in order; B24, B26.
#[test]
fn tags_keep_their_order() {
    let text =
        "[Round \"5.1\"]\n[WhiteElo \"3000\"]\n[Board \"3\"]\n[UTCTime \"10:11:12\"]\n\n1. e4 *";
    let tags = [("Round", "5.1"), ("WhiteElo", "3000"), ("Board", "3"), ("UTCTime", "10:11:12")];
    check(text, &tags, ("1. e4 *", 6), 0);
    check(&text.replace('\n', "\r\n"), &tags, ("1. e4 *", 6), 0);
    check(&text.replace('\n', "\r"), &tags, ("1. e4 *", 6), 0);
    check("1. e4 *", &[], ("1. e4 *", 1), 0);
    check("[A \"\"]", &[("A", "")], ("", 1), 0);
    check("", &[], ("", 1), 0);
}

/// B10, B11, B17: blank lines and several tags on one line.
#[test]
fn tags_may_stand_anyhow() {
    check(
        "[Event \"x\"]\n\n[White \"A, a\"]\n\n\n1. e4",
        &[("Event", "x"), ("White", "A, a")],
        ("1. e4", 6),
        0,
    );
    check("[Event \"x\"] [Site \"y\"]\n*", &[("Event", "x"), ("Site", "y")], ("*", 2), 0);
    check(
        "  [Event \"x\"][Site \"y\"] 1. e4\n*",
        &[("Event", "x"), ("Site", "y")],
        ("1. e4\n*", 1),
        0,
    );
    check("% a\n[A \"x\"]\n% b\n*", &[("A", "x")], ("*", 4), 0);
    check("[A \"x\"]\n\u{feff}[B \"y\"]\n*", &[("A", "x"), ("B", "y")], ("*", 3), 0);
    check(
        "[A \"x\"]<br>\n[B \"y\"] <i> [C \"z\"]\n*",
        &[("A", "x"), ("B", "y"), ("C", "z")],
        ("*", 3),
        2,
    );
    check("[A \"x\"]\nlitter\n[B \"y\"]\n*", &[("A", "x"), ("B", "y")], ("*", 4), 1);
}

/// Litter costs no more than its length.
#[test]
fn much_litter() {
    let litter = "x\r\n".repeat(1 << 20);
    check(
        &format!("[A \"x\"]\r\n{litter}[B \"y\"]\r\n*"),
        &[("A", "x"), ("B", "y")],
        ("*", 3 + (1 << 20)),
        1,
    );
}

/// What stands after the tags is movetext, whatever it is: it is never left out.
#[test]
fn text_after_the_tags_is_movetext() {
    check("[A \"x\"]\nAnnotated by y\n1. e4", &[("A", "x")], ("Annotated by y\n1. e4", 2), 0);
    check("[A \"x\"]\n\nprose\n[B \"y\"]", &[("A", "x")], ("prose\n[B \"y\"]", 3), 0);
    check("[A \"x\"]\n\n{a} ; b\n1. e4", &[("A", "x")], ("{a} ; b\n1. e4", 3), 0);
}

/// A comment among the tags is kept.
#[test]
fn comments_among_the_tags_go_to_the_moves() {
    check("[A \"x\"]\n{c\nd}\n[B \"y\"]\n\n*", &[("A", "x"), ("B", "y")], ("{c\nd}\n*", 4), 1);
    // Found by fuzzing: what follows them is on the line that it stands on.
    check("[A \"x\"]\n{c}[B \"y\"]\nR", &[("A", "x"), ("B", "y")], ("{c} R", 3), 1);
    check("[A \"x\"]\r; c\r[B \"y\"]\r\rR", &[("A", "x"), ("B", "y")], ("; c\nR", 4), 1);
    check("[A \"x\"]\n{c\n[B \"y\"]\n\n*", &[("A", "x")], ("{c\n[B \"y\"]\n\n*", 2), 0);
}

/// B20, B21, B23, B08: quotes, brackets, and what is missing of them.
#[test]
fn broken_tags_are_read_and_noted() {
    check(r#"[Event "The \"Closed\" Dragon"]"#, &[("Event", r#"The "Closed" Dragon"#)], ("", 1), 0);
    check(r#"[Event "a\\b\c"]"#, &[("Event", r"a\b\c")], ("", 1), 0);
    check(r#"[Event "5th "Mikis" Open"]"#, &[("Event", r#"5th "Mikis" Open"#)], ("", 1), 1);
    check(r#"[White "Joe "Kid" Doe"]"#, &[("White", r#"Joe "Kid" Doe"#)], ("", 1), 1);
    check(r#"[Annotator "A ]B"]"#, &[("Annotator", "A ]B")], ("", 1), 0);
    check("[White Rossi]\n*", &[("White", "Rossi")], ("*", 2), 1);
    check("[White “Rossi”]\n*", &[("White", "Rossi")], ("*", 2), 1);
    check("[White 'Rossi']\n*", &[("White", "Rossi")], ("*", 2), 1);
    check("[White \"Rossi\"\n[Black \"B\"]\n*", &[("White", "Rossi"), ("Black", "B")], ("*", 3), 1);
    check("[White \"Rossi\n[Black \"B\"]\n*", &[("White", "Rossi"), ("Black", "B")], ("*", 3), 1);
    check("[White \"Rossi]\n[Black \"B\"]\n*", &[("White", "Rossi"), ("Black", "B")], ("*", 3), 1);
    check("[White \"Rossi\" [Black \"B\"]\n*", &[("White", "Rossi"), ("Black", "B")], ("*", 2), 1);
    check(
        "[A \"x\"]\n[Variation \"(Tarr\u{e1}3\u{f0}\n[B \"y\"]",
        &[("A", "x"), ("Variation", "(Tarrá3ð"), ("B", "y")],
        ("", 3),
        1,
    );
    check(
        "[White \"a\nb\"]\n[Black \"c\n d \ne\"]\n*",
        &[("White", "a b"), ("Black", "c d e")],
        ("*", 6),
        2,
    );
    check("[White \"Rossi\n1. e4 *", &[("White", "Rossi")], ("1. e4 *", 2), 1);
    check("[A \"x\"]\n[]\n[ \"y\"]\n*", &[("A", "x")], ("*", 4), 2);
}

/// names.md §5: a name never loses a letter to a control character.
#[test]
fn values_stand_on_one_line_without_controls() {
    check("[White \"Ros\tsi\"]", &[("White", "Ros si")], ("", 1), 1);
    check("[White \"Ros\u{1}si\"]", &[("White", "Ros\u{2401}si")], ("", 1), 1);
    check("[White \"Ros\u{0}\u{7f}si\"]", &[("White", "Ros\u{2400}\u{2421}si")], ("", 1), 1);
}

/// The first of two tags counts, and both are kept.
#[test]
fn doubled_tags() {
    let parted = part("[White \"a\"]\n[White \"b\"]", 1).unwrap();
    assert_eq!(parted.tags.0.len(), 2);
    assert_eq!(parted.tags.get("White"), Some("a"));
    assert_eq!(parted.notes[0].line, 2);
    assert_eq!(parted.notes[0].message, "tag White stands twice: the first counts");
}

/// Tags that the program asks for are found in another case, unless the right one is there.
#[test]
fn case_of_known_tags() {
    check(
        "[WHITE \"a\"]\n[whitefideid \"1\"]\n[WhiteELO \"2\"]",
        &[("White", "a"), ("WhiteFideId", "1"), ("WhiteELO", "2")],
        ("", 3),
        2,
    );
    check("[WHITE \"a\"]\n[White \"b\"]", &[("WHITE", "a"), ("White", "b")], ("", 2), 0);
}

/// pgn.md: a tag over 64 KiB, more than 10,000 tags.
#[test]
fn limits() {
    let kind = |text: &str| {
        part(text, 1).map(|_| ()).map_err(|rejection| (rejection.kind, rejection.line))
    };
    let tag = |length: usize| format!("[A \"x\"]\n[White \"{}\"]\n*", "y".repeat(length));
    assert_eq!(kind(&tag(60_000)), Ok(()));
    assert_eq!(kind(&tag(65_537)), Err((RejectionKind::TagTooBig, 2)));
    assert_eq!(kind(&tag(1_000_000)), Err((RejectionKind::TagTooBig, 2)));
    assert_eq!(
        kind(&format!("[A \"\"]\n[B {}]", "y".repeat(70_000))),
        Err((RejectionKind::TagTooBig, 2))
    );
    let tags = |count: usize| (0..count).map(|n| format!("[T{n} \"\"]\n")).collect::<String>();
    assert_eq!(kind(&tags(10_000)), Ok(()));
    assert_eq!(kind(&tags(10_001)), Err((RejectionKind::TooManyTags, 10_001)));
}
