//! Who is a player (names.md §2, §3).

use std::collections::HashMap;

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::{plain_words, texts};
use crate::name::{FideId, Identity, Kind, Sides, shown, tidy};

fn player(name: &str) -> Identity {
    Identity::of(name, None)
}

#[track_caller]
fn check_key(name: &str, fide: &str, expected: &str) {
    assert_eq!(Identity::of(name, FideId::parse(fide).as_ref()).key(), expected);
}

#[test]
fn keys() {
    check_key("Rossi, Mario", "850012", "fide:850012");
    check_key("?", "0850012", "fide:850012");
    check_key("", "1", "fide:1");
    check_key("Rossi, Mario", "0", "person:mario rossi");
    check_key("Rossi-Rossi, M.", "", "person:m rossi rossi");
    check_key("Rossi-Mario_1", "-", "nickname:rossi-mario_1");
    check_key("…", "", "person:\"...\"");
    check_key("\u{301}", "", "person:\"\"");
    check_key(" ?? ", "?", "unknown");
    check_key("", "", "unknown");
    // Not a question mark alone (names.md §2): somebody, though nobody knows who.
    check_key("？", "", "person:\"?\"");
}

#[test]
fn fide_ids_are_digits_with_a_value() {
    for none in ["", " ", "0", "000", "-", "?", "none", "+5", "-5", "1 2", "12a", "١٢", "1.0"] {
        assert_eq!(FideId::parse(none), None, "{none:?}");
    }
    let long = "9".repeat(60);
    for (text, digits) in [(" 007\t", "7"), ("850012", "850012"), (long.as_str(), long.as_str())] {
        assert_eq!(FideId::parse(text).map(|id| id.to_string()).as_deref(), Some(digits));
    }
    assert!(FideId::parse("9") < FideId::parse("10"));
}

/// An archive that knows players only: who comes by which key, and what he is called.
#[derive(Default)]
struct Players {
    by_key: HashMap<String, usize>,
    shown: Vec<String>,
}

impl Players {
    /// The letter of the player to whom a game goes, and his shown name.
    fn add(&mut self, name: &str, fide: &str) -> (char, &str) {
        let key = Identity::of(name, FideId::parse(fide).as_ref()).key();
        let at = *self.by_key.entry(key).or_insert_with(|| {
            self.shown.push(shown(name, false));
            self.shown.len() - 1
        });
        (char::from(b'A' + at as u8), &self.shown[at])
    }
}

#[test]
fn the_ten_games_of_the_example() {
    let mut players = Players::default();
    for (name, fide, letter, shown) in [
        ("ROSSI,Mario", "", 'A', "Rossi, Mario"),
        ("Mario Rossi", "", 'A', "Rossi, Mario"),
        ("rossi mario", "0", 'A', "Rossi, Mario"),
        ("rossi-mario", "", 'B', "rossi-mario"),
        ("Rossi-Mario", "", 'B', "rossi-mario"),
        ("Rossi, Mario", "850012", 'C', "Rossi, Mario"),
        ("M. Rossi", "850012", 'C', "Rossi, Mario"),
        ("M. Rossi", "", 'D', "M. Rossi"),
        ("Rossi", "", 'E', "Rossi"),
        ("rossi_mario", "", 'F', "rossi_mario"),
    ] {
        assert_eq!(players.add(name, fide), (letter, shown), "{name} {fide}");
    }
}

#[test]
fn the_same_id_on_both_sides_proves_nothing() {
    let sides = Sides::of("Rossi, Mario", Some("850012"), "Carlsen, Magnus", Some("0850012 "));
    assert!(sides.shared_fide_id);
    assert_eq!(sides.white, player("Mario Rossi"));
    assert_eq!(sides.black, player("Magnus Carlsen"));

    let sides = Sides::of("Rossi, Mario", Some("850012"), "Carlsen, Magnus", Some("1503014"));
    assert!(!sides.shared_fide_id);
    assert_eq!(sides.white.key(), "fide:850012");
    assert_eq!(sides.black.key(), "fide:1503014");

    let sides = Sides::of("Rossi, Mario", Some("0"), "?", Some("0"));
    assert!(!sides.shared_fide_id);
    assert_eq!((sides.white, sides.black), (player("Rossi, Mario"), Identity::Unknown));
}

/// A FIDE ID, more often none.
fn fide() -> impl Strategy<Value = Option<FideId>> {
    prop::sample::select(&["", "0", "-", "7", "07", "850012"] as &[_]).prop_map(FideId::parse)
}

proptest! {
    #[test]
    fn keys_are_equal_for_the_same_player_alone(
        a in texts(), b in texts(), fide_a in fide(), fide_b in fide(), respell in any::<bool>(),
    ) {
        // Half of the pairs are one name twice, in other words and case.
        let b = if respell { a.to_lowercase().nfd().collect() } else { b };
        let a = Identity::of(&a, fide_a.as_ref());
        let b = Identity::of(&b, fide_b.as_ref());
        prop_assert_eq!(a == b, a.key() == b.key());
        prop_assert_eq!(a.cmp(&b).is_eq(), a == b);
        prop_assert!(a.key().starts_with(a.class()));
    }

    #[test]
    fn kinds_and_ids_are_never_joined(a in texts(), b in texts(), id in fide()) {
        prop_assert_eq!(player(&a).class(), Kind::of(&a).as_str());
        if Kind::of(&a) != Kind::of(&b) {
            prop_assert_ne!(player(&a), player(&b));
        }
        if id.is_some() {
            prop_assert_ne!(Identity::of(&a, id.as_ref()), player(&b));
            prop_assert_eq!(Identity::of(&a, id.as_ref()), Identity::of(&b, id.as_ref()));
        }
    }

    #[test]
    fn a_nickname_counts_as_it_stands(a in "[A-Za-z0-9_-]{1,6}", b in "[A-Za-z0-9_-]{1,6}") {
        prop_assert_eq!(player(&a) == player(&b), a.eq_ignore_ascii_case(&b));
        prop_assert_eq!(player(&a), player(&a.to_ascii_uppercase()));
    }

    #[test]
    fn order_case_and_punctuation_of_words_do_not_count(
        words in plain_words(), seed in any::<prop::sample::Index>(),
        between in prop::sample::select(&[" ", ", ", "-", "'", "’", ".", "_", " (", "\u{a0}", "ʼ", "／"] as &[_]),
    ) {
        let name = words.join(" ");
        let mut other = words.clone();
        other.rotate_left(seed.index(words.len()));
        other.swap(0, seed.index(words.len()));
        let other = other.join(between);
        // Joined by a hyphen alone, unaccented words would be a nickname.
        let other = format!("{other}.");
        prop_assert_eq!(player(&other), player(&name));
        prop_assert_eq!(player(&other.to_uppercase()), player(&name));
        prop_assert_eq!(player(&other.to_lowercase()), player(&name));
    }

    #[test]
    fn a_word_more_is_another_player(words in plain_words()) {
        prop_assert_ne!(player(&words.join(" ")), player(&words[1..].join(" ")));
        let doubled = format!("{0} {0}", words.join(" "));
        prop_assert_ne!(player(&words.join(" ")), player(&doubled));
    }

    #[test]
    fn accents_do_not_count(
        name in texts(), at in any::<prop::sample::Index>(),
        accent in prop::sample::select(&['\u{301}', '\u{327}', '\u{338}', '\u{1ab0}', '\u{1dc4}', '\u{20d7}', '\u{fe20}'] as &[_]),
    ) {
        let name = if Kind::of(&name) == Kind::Person { name } else { format!("{name}☆") };
        // After a letter or sign, not after a blank that would be trimmed without it.
        let name = tidy(&name);
        let mut chars: Vec<char> = name.chars().collect();
        chars.insert(1 + at.index(chars.len()), accent);
        let accented: String = chars.into_iter().collect();
        prop_assert_eq!(player(&accented), player(&name));
    }

    #[test]
    fn normal_forms_and_what_shows_nothing_do_not_count(name in texts()) {
        let nfc: String = name.nfc().collect();
        let nfd: String = name.nfd().collect();
        prop_assert_eq!(player(&nfc), player(&nfd));
        let strewn: String = name.chars().flat_map(|c| ['\u{200b}', c, '\u{ad}']).collect();
        prop_assert_eq!(player(&strewn), player(&name));
        prop_assert_eq!(player(&format!(" {name}\u{a0}")), player(&name));
    }
}
