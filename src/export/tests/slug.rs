//! Names of files (reliability.md 10).

use std::collections::HashMap;

use proptest::prelude::*;

use crate::export::FileName;

fn name(text: &str) -> String {
    FileName::new(text, "pgn").to_string()
}

/// The readable part where there is a hash.
fn hashed(text: &str) -> String {
    let name = name(text);
    let (readable, hash) = name.strip_suffix(".pgn").unwrap().rsplit_once('-').unwrap();
    assert!(hash.len() == 12 && hash.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
    readable.to_owned()
}

fn is_safe(name: &str) -> bool {
    let stem = name.split('.').next().unwrap().to_ascii_lowercase();
    name.len() <= 120
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
        && name.as_bytes()[0].is_ascii_alphanumeric()
        && !["con", "prn", "aux", "nul", "com1", "lpt9"].contains(&&*stem)
}

#[test]
fn names_that_say_it_all_stand_alone() {
    assert_eq!(name("Rossi, Mario"), "Rossi_Mario.pgn");
    assert_eq!(name("Carlsen"), "Carlsen.pgn");
    assert_eq!(name("Polgar, Judit Maria"), "Polgar_Judit_Maria.pgn");
    assert_eq!(name("2023"), "2023.pgn");
    assert_eq!(name("2023-05"), "2023-05.pgn");
}

#[test]
fn others_stay_readable() {
    assert_eq!(hashed("Müller, Jörg"), "Muller_Jorg");
    assert_eq!(hashed("Ståhlberg, Gideon"), "Stahlberg_Gideon");
    assert_eq!(hashed("Łukasz Øst"), "Lukasz_Ost");
    assert_eq!(hashed("O'Kelly, A.J."), "OKelly_AJ");
    assert_eq!(hashed("DrNykterstein"), "DrNykterstein");
    assert_eq!(hashed("FIDE World Cup 2023"), "FIDE_World_Cup_2023");
    assert_eq!(hashed("rossi, mario"), "rossi_mario");
}

#[test]
fn hostile_texts_stay_in_the_folder() {
    assert_eq!(hashed("../../etc/passwd"), "etc_passwd");
    assert_eq!(hashed("a/b"), "a_b");
    for text in ["", ".", "..", "...", "/", "-", "\0", "\u{202e}", "?", "Иванов"] {
        assert_eq!(hashed(text), "unnamed", "{text:?}");
    }
    for text in ["CON", "Con", "con", "Nul", "Com1", "Lpt9", "-rf", ".hidden", "a\0b", "x\u{202e}y"]
    {
        let name = name(text);
        assert!(is_safe(&name) && name.len() > 16, "{text:?}: {name}");
    }
    for text in ["A".repeat(300), "é".repeat(300), "\u{fdfa}".repeat(300), "a ".repeat(9000)] {
        assert!(is_safe(&name(&text)), "{}", name(&text));
    }
    // Cut alike, told apart all the same.
    assert_ne!(name(&"A".repeat(300)), name(&"A".repeat(301)));
}

#[test]
fn players_of_one_name_have_a_file_each() {
    let of = |identity| FileName::with_identity("Ivanov, Ivan", identity, "pgn").to_string();
    assert!(of("fide:1").starts_with("Ivanov_Ivan-"));
    assert_ne!(of("fide:1").to_lowercase(), of("fide:2").to_lowercase());
    assert_eq!(of("fide:1"), of("fide:1"));
    // The hash is a function of the text alone and never changes between versions.
    assert_eq!(of("fide:1"), "Ivanov_Ivan-tfj5s5ftkuue.pgn");
    assert_eq!(name("Müller"), "Muller-dl4tys2w6ayp.pgn");
}

/// All short texts over letters that are apt to collide: none shares a file with another, also
/// where case does not count.
#[test]
fn short_texts_never_share_a_file() {
    let letters = ["a", "A", "b", " ", ",", "_", "-", ".", "1", "é", "e"];
    let mut texts = vec![String::new()];
    for _ in 0..5 {
        let longer: Vec<String> = texts
            .iter()
            .flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")))
            .collect();
        texts.extend(longer);
        texts.sort_unstable();
        texts.dedup();
    }
    let mut by_name: HashMap<String, &str> = HashMap::new();
    for text in &texts {
        if let Some(other) = by_name.insert(name(text).to_lowercase(), text) {
            panic!("{text:?} and {other:?} share {}", name(text));
        }
    }
}

#[test]
fn written_names_are_read_back_only_where_they_stay_in_the_folder() {
    assert_eq!(FileName::parse("Rossi_Mario.pgn").unwrap().as_str(), "Rossi_Mario.pgn");
    for bad in ["", ".", "..", "../x.pgn", "a/b.pgn", ".hidden.pgn", "-x", "a\0", "é.pgn"] {
        assert_eq!(FileName::parse(bad), None, "{bad:?}");
    }
    assert_eq!(FileName::parse(&"a".repeat(121)), None);
}

proptest! {
    #[test]
    fn any_text_gives_a_safe_name(text in any::<String>(), identity in any::<String>()) {
        prop_assert!(is_safe(&name(&text)), "{}", name(&text));
        let name = FileName::with_identity(&text, &identity, "html");
        prop_assert!(is_safe(name.as_str()), "{name}");
        prop_assert_eq!(FileName::parse(name.as_str()), Some(name));
    }

    #[test]
    fn different_texts_have_different_names(a in "[A-Za-z ,._é-]{0,12}", b in "[A-Za-z ,._é-]{0,12}") {
        prop_assume!(a != b);
        prop_assert_ne!(name(&a).to_lowercase(), name(&b).to_lowercase());
        // The nearest neighbours of a text.
        for near in [a.to_lowercase(), a.to_uppercase(), a.replace(", ", "_"), a.replace(' ', "_"), format!("{a} ")] {
            if near != a {
                prop_assert_ne!(name(&a).to_lowercase(), name(&near).to_lowercase());
            }
        }
    }
}
