//! Rules and first position (names.md §5, pgn.md; faults-pgn.tsv by its ids).

use shakmaty::variant::Variant;

use crate::game::{Rejection, RejectionKind, Rules, Start, Tag, Tags};

fn from(tags: &[(&str, &str)]) -> Result<Start, Rejection> {
    let tag = |&(name, value): &(&str, &str)| Tag::new(name, value);
    Start::from_tags(&Tags(tags.iter().map(tag).collect()))
}

fn key(fen: &str) -> String {
    from(&[("FEN", fen)]).unwrap_or_else(|why| panic!("{fen}: {why}")).key
}

fn variant(name: &str) -> Option<Variant> {
    match from(&[("Variant", name)]).expect("a start").rules {
        Rules::Played { variant, .. } => Some(variant),
        Rules::Unverified { variant } => {
            assert_eq!(variant, name);
            None
        }
    }
}

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// B50: the FEN counts whatever SetUp says; one that spells the usual start equals none.
#[test]
fn the_usual_start() {
    assert_eq!(from(&[]).map(|start| start.key), Ok(String::new()));
    for fen in [
        USUAL,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 30",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - -",
        " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 0 ",
        "",
        "?",
        "-",
        "startpos",
    ] {
        assert_eq!(key(fen), "", "{fen}");
        assert_eq!(from(&[("SetUp", "0"), ("FEN", fen)]).map(|start| start.key), Ok(String::new()));
    }
    let other = from(&[("SetUp", "0"), ("FEN", "4k3/8/8/8/8/8/8/4K2R b K - 3 40")]).expect("legal");
    assert_eq!(other.key, "4k3/8/8/8/8/8/8/4K2R b K -");
    assert_eq!((other.turn, other.number), (shakmaty::Color::Black, 40));
}

/// B47, B48; names.md §5: one position, one key.
#[test]
fn equal_positions() {
    let fen = "qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w";
    assert_eq!(key(&format!("{fen} HBhb - 0 1")), key(&format!("{fen} KQkq - 0 1")));
    assert_ne!(key(&format!("{fen} HBhb - 0 1")), key(&format!("{fen} HBh - 0 1")));
    // No black pawn can take on e3.
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(key(&format!("{after_e4} e3 0 1")), key(&format!("{after_e4} - 0 1")));
    let can_take = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_ne!(key(&format!("{can_take} e3 0 1")), key(&format!("{can_take} - 0 1")));
}

/// The spellings of Lichess, Chess.com, FICS, xboard and pychess.
#[test]
fn names_of_variants() {
    for name in [
        "",
        "?",
        "Standard",
        "standard",
        "Chess",
        "normal",
        "From Position",
        "fromPosition",
        "Chess960",
        "chess 960",
        "960",
        "Fischerandom",
        "fischerandom",
        "Fischer Random",
        "fischerrandom",
        "wild/fr",
        "FRC",
    ] {
        assert_eq!(variant(name), Some(Variant::Chess), "{name}");
    }
    for (names, right) in [
        (["Crazyhouse", "crazyhouse", "Crazyhouse Chess"], Variant::Crazyhouse),
        (["Atomic", "atomic", "ATOMIC"], Variant::Atomic),
        (["Antichess", "antichess", "Anti-chess"], Variant::Antichess),
        (["Horde", "horde", "horde chess"], Variant::Horde),
        (["King of the Hill", "KingOfTheHill", "kingofthehill"], Variant::KingOfTheHill),
        (["Racing Kings", "racingKings", "racingkings"], Variant::RacingKings),
        (["Three-check", "3check", "3 Check"], Variant::ThreeCheck),
    ] {
        for name in names {
            assert_eq!(variant(name), Some(right), "{name}");
        }
    }
    for name in ["sittuyin", "Bughouse", "suicide", "Giveaway", "losers", "wild/5", "nocastle"] {
        assert_eq!(variant(name), None, "{name}");
    }
}

/// The rules are part of the start.
#[test]
fn variants_never_share_a_start() {
    let crazyhouse = from(&[("Variant", "Crazyhouse")]).expect("a start");
    let spelled = from(&[("Variant", "crazyhouse"), ("FEN", USUAL)]).expect("a start");
    assert_eq!(crazyhouse.key, spelled.key);
    assert_ne!(crazyhouse.key, "");
    assert_ne!(crazyhouse.key, from(&[("Variant", "atomic")]).expect("a start").key);
    let fen = "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - -";
    let one = from(&[("Variant", "Sittuyin"), ("FEN", &format!("{fen} 0 1"))]).expect("a start");
    let two = from(&[("Variant", "sittuyin"), ("FEN", fen)]).expect("a start");
    assert_eq!(one.key, two.key);
    assert_ne!(one.key, from(&[("Variant", "sittuyin")]).expect("a start").key);
}

/// Odds and studies are accepted; castling rights of a rook that is not there are dropped.
#[test]
fn lenient_positions() {
    let odds = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/1NBQKBNR w";
    let claimed = from(&[("FEN", &format!("{odds} KQkq - 0 1"))]).expect("accepted");
    assert_eq!(claimed.key, key(&format!("{odds} Kkq - 0 1")));
    assert_eq!(claimed.notes.len(), 1);
    key("QQQQQQQQ/8/8/8/8/8/PPPPPPPP/k3K2R w K - 0 1");
    key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1");
}

#[test]
fn positions_that_cannot_be_played() {
    for fen in [
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    ] {
        let rejection = from(&[("FEN", fen)]).expect_err(fen);
        assert_eq!(rejection.kind, RejectionKind::UnreadablePosition);
        assert_eq!(rejection.token, fen);
    }
}
