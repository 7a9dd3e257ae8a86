//! Tests of names.md §5.

use proptest::prelude::*;

use super::slots::{clean, slots};
use super::*;
use crate::game::{Game, RawGame, Tag, Tags, read};

fn game(text: &str) -> Game {
    let raw = RawGame { bytes: text.into(), offset: 0, line: 1, complete: true, oversize: None };
    read(&raw, None).unwrap()
}

fn pgn(tags: &[(&str, &str)], moves: &str) -> Game {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    game(&format!("{tags}\n{moves}\n"))
}

fn facts(tags: &[(&str, &str)], moves: &str) -> Facts {
    Facts::of(&pgn(tags, moves), true)
}

const WHITE: (&str, &str) = ("White", "Rossi, Mario");
const BLACK: (&str, &str) = ("Black", "Bianchi, Luca");
const DATE: (&str, &str) = ("Date", "2013.05.01");

fn plain(moves: &str) -> Facts {
    facts(&[WHITE, BLACK, DATE], moves)
}

/// Each of the five is needed, and each alone makes two games.
#[test]
fn each_equality_counts() {
    let stored = plain("1. e4 e5 1-0");
    let same = [
        facts(
            &[("White", "mario ROSSI"), BLACK, ("Date", "2013-5-1"), ("Round", "9")],
            "1. e2e4 {x} e5 $1 1-0",
        ),
        facts(
            &[
                WHITE,
                BLACK,
                DATE,
                ("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            ],
            "1. e4 e5 1-0",
        ),
        facts(&[WHITE, BLACK, DATE, ("Result", "1-0")], "1. e4 (1. d4) e5 *"),
    ];
    for other in &same {
        assert_eq!(relation(&stored, other, false), Relation::Same(Ground::FiveEqualities));
        assert_eq!(stored.key.fingerprint(), other.key.fingerprint());
    }
    let different = [
        facts(&[("White", "rossi-mario"), BLACK, DATE], "1. e4 e5 1-0"),
        facts(&[WHITE, BLACK, DATE, ("WhiteFideId", "850012")], "1. e4 e5 1-0"),
        facts(&[WHITE, ("Black", "Bianchi, L."), DATE], "1. e4 e5 1-0"),
        facts(&[WHITE, BLACK, ("Date", "2013.??.??")], "1. e4 e5 1-0"),
        facts(&[WHITE, BLACK, DATE], "1. e4 e5 1/2-1/2"),
        facts(&[WHITE, BLACK, DATE], "1. e4 e5 *"),
        facts(&[WHITE, BLACK, DATE], "1. e4 e5 2. d4 1-0"),
        facts(
            &[
                WHITE,
                BLACK,
                DATE,
                ("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1"),
            ],
            "1. e4 e5 1-0",
        ),
        facts(&[WHITE, BLACK, DATE, ("Variant", "Atomic")], "1. e4 e5 1-0"),
    ];
    for (at, other) in different.iter().enumerate() {
        assert_eq!(relation(&stored, other, false), Relation::Different, "{at}");
        assert_ne!(stored.key.fingerprint(), other.key.fingerprint(), "{at}");
    }
}

/// B51, B52: short games with the same players need all five.
#[test]
fn short_games_are_not_twins() {
    assert_eq!(relation(&plain("1. e4 f6 1-0"), &plain("1. e4 f5 1-0"), true), Relation::Different);
}

/// The site's id decides with the moves; two of one kind are two games.
#[test]
fn ids() {
    let online = |id: &str, white: &str, moves: &str| {
        facts(
            &[("White", white), BLACK, DATE, ("Site", &format!("https://lichess.org/{id}"))],
            moves,
        )
    };
    let stored = online("abcdefgh", "old", "1. e4 e5 1-0");
    let renamed = online("abcdefgh", "new", "1. e4 e5 1-0");
    assert_eq!(relation(&stored, &renamed, false), Relation::Same(Ground::SiteId));
    let rematch = online("hgfedcba", "old", "1. e4 e5 1-0");
    assert_eq!(relation(&stored, &rematch, false), Relation::Different);
    // Ids of no common kind say nothing: the five decide.
    let offline = facts(&[("White", "old"), BLACK, DATE], "1. e4 e5 1-0");
    assert_eq!(relation(&stored, &offline, false), Relation::Same(Ground::FiveEqualities));
    // The same id with other moves is no copy of it.
    assert_eq!(
        relation(&stored, &online("abcdefgh", "old", "1. d4 d5 1-0"), false),
        Relation::Different
    );
    // One kind equal and another different contradict each other.
    let both = |live: &str, uuid: &str| {
        let link = format!("https://www.chess.com/game/live/{live}");
        facts(&[("White", "old"), BLACK, DATE, ("Link", &link), ("UUID", uuid)], "1. e4 e5 1-0")
    };
    let (a, b) = ("11111111-1111-1111-1111-111111111111", "21111111-1111-1111-1111-111111111111");
    assert_eq!(Equalities::of(&both("1", a), &both("1", a)).id, Some(true));
    assert_eq!(Equalities::of(&both("1", a), &both("1", b)).id, Some(false));
}

/// A running game goes on; what has ended does not.
#[test]
fn going_on() {
    let (early, late) = (plain("1. e4 e5 *"), plain("1. e4 e5 2. Nf3 1-0"));
    assert_eq!(relation(&early, &late, false), Relation::Different, "from elsewhere");
    assert_eq!(relation(&early, &late, true), Relation::GoesOn(Ground::SameFile));
    assert_eq!(relation(&late, &early, true), Relation::Earlier(Ground::SameFile));
    let ended = plain("1. e4 e5 1-0");
    assert_eq!(relation(&early, &ended, true), Relation::GoesOn(Ground::SameFile));
    assert_eq!(relation(&ended, &late, true), Relation::Different, "it had ended");
    assert_eq!(relation(&early, &plain("1. e4 c5 2. Nf3 1-0"), true), Relation::Different);
    // A file that was cut off in the middle of a game whose result was known.
    let cut = Facts { open: true, ..ended };
    assert_eq!(relation(&cut, &late, true), Relation::GoesOn(Ground::SameFile));
}

/// Words of a variant that is not played here are compared whole.
#[test]
fn going_on_in_words() {
    let variant = ("Variant", "Sittuyin");
    let early = facts(&[WHITE, BLACK, DATE, variant], "1. Xa1 Xa *");
    let other = facts(&[WHITE, BLACK, DATE, variant], "1. Xa1 Xa2 *");
    assert_eq!(relation(&early, &other, true), Relation::Different);
}

#[test]
fn nothing_that_stands_is_overwritten() {
    let stayer = pgn(
        &[WHITE, BLACK, DATE, ("Site", "Here"), ("Event", "?"), ("ECO", "")],
        "1. e4 {mine} e5 $1 1-0",
    );
    let later = pgn(
        &[
            WHITE,
            BLACK,
            DATE,
            ("Site", "There"),
            ("Event", "Open"),
            ("ECO", "C20"),
            ("WhiteFideId", "1"),
            ("BlackElo", "2000"),
            ("Variant", "Standard"),
        ],
        "{start} 1. e4 {yours [%clk 0:01:00]} e5 $2 {theirs} (1... c5) 1-0",
    );
    let of = |game: &Game| (game.tags.clone(), game.movetext.clean.clone());
    let ((stayer_tags, stayer_moves), (later_tags, later_moves)) = (of(&stayer), of(&later));
    let adds = Additions::of((&stayer_tags, &stayer_moves), (&later_tags, &later_moves));
    let pairs = [("Event", "Open"), ("ECO", "C20"), ("BlackElo", "2000")];
    assert_eq!(adds.tags, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut tags = stayer_tags.clone();
    adds.complete_tags(&mut tags);
    assert_eq!(
        (tags.get("Event"), tags.get("Site"), tags.get("WhiteFideId")),
        (Some("Open"), Some("Here"), None)
    );
    let moves = adds.complete_movetext(&stayer_moves);
    assert_eq!(moves, "{start} e4 {mine} {[%clk 0:01:00]} e5 $1 {theirs} ( c5 )");
    // Twice is once, and the completed game lacks nothing more.
    assert_eq!(adds.complete_movetext(&moves), moves);
    assert!(Additions::of((&tags, &moves), (&later_tags, &later_moves)).is_empty());
}

/// pgn.md: a game over 16 MiB or 10,000 tags is not read, so copies must not make one of it.
#[test]
fn a_game_does_not_grow_longer_than_can_be_read() {
    let long = |bytes| format!("e4 {{{}}} e5", "x".repeat(bytes));
    let tags = |count: u32| {
        let tag = |number| Tag::new(&format!("Tag{number}"), "x");
        Tags((0..count).map(tag).collect())
    };
    let none = Tags::default();
    let later = (&tags(3), "e4 e5 {good}");
    let adds = Additions::of((&none, &long(14 << 20)), later);
    assert_eq!((adds.tags.len(), adds.plies.len()), (3, 1));
    let adds = Additions::of((&none, &long((15 << 20) - 24)), later);
    assert_eq!((adds.tags.len(), adds.plies.len()), (3, 0), "no room for the comment");
    assert!(Additions::of((&none, &long(15 << 20)), later).is_empty());
    let adds = Additions::of((&none, "e4 e5"), (&tags(9_001), later.1));
    assert_eq!((adds.tags.len(), adds.plies.len()), (0, 1), "too many tags");
}

fn notes() -> impl Strategy<Value = String> {
    let note = prop_oneof![
        Just(" $1".to_owned()),
        Just(" {word}".to_owned()),
        Just(" {[%clk 0:00:01]}".to_owned()),
        Just(" {a [%eval 0.1] b}".to_owned()),
    ];
    prop::collection::vec(note, 0..3).prop_map(|notes| notes.concat())
}

fn annotated() -> impl Strategy<Value = String> {
    [notes(), notes(), notes()].prop_map(|[a, b, c]| format!("e4{a} ( d4{b} ( c4 ) ) e5{c}"))
}

proptest! {
    /// Slots lose nothing: cut and joined, the same tokens stand there.
    #[test]
    fn slots_keep_everything(text in annotated()) {
        let joined = clean(&slots(&text));
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        prop_assert_eq!(sorted(&joined), sorted(&text));
        prop_assert_eq!(clean(&slots(&joined)), joined);
    }

    /// Completing from any copy is stable, keeps the moves and leaves nothing of it to add.
    #[test]
    fn completing_is_stable(stayer in annotated(), later in annotated()) {
        let none = crate::game::Tags::default();
        let adds = Additions::of((&none, &stayer), (&none, &later));
        let completed = adds.complete_movetext(&stayer);
        prop_assert_eq!(adds.complete_movetext(&completed), completed.clone());
        prop_assert!(Additions::of((&none, &completed), (&none, &later)).is_empty());
        let moves = |text: &str| slots(text).into_iter().map(|slot| slot.san).collect::<Vec<_>>();
        prop_assert_eq!(moves(&completed), moves(&stayer));
    }
}
