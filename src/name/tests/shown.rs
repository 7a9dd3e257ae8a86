//! The name that is shown (names.md §4), beside its table.

use proptest::prelude::*;
use unicode_normalization::is_nfc;

use super::texts;
use crate::name::{Identity, Kind, shown, tidy, usual_form};

#[track_caller]
fn check(name: &str, expected: &str) {
    assert_eq!(usual_form(name), expected, "{name:?}");
}

#[test]
fn commas() {
    check("Rossi ,Mario", "Rossi, Mario");
    check("Rossi,,  ,Mario , ", "Rossi, Mario");
    check(",Mario Rossi", ", Mario Rossi");
    check(",", ",");
    check("ROSSI,", "ROSSI,");
    check("MÜLLER ,", "Müller");
}

#[test]
fn capitals() {
    check("PAPADOPOULOS-O’NEILL ( ITA )", "Papadopoulos-O’Neill ( Ita )");
    check("OʼBRIEN, PAT", "Oʼbrien, Pat".replace('b', "B").as_str());
    check("ΠΑΠΑΣ, ΑΛΈΞΗΣ", "Παπας, Αλέξης");
    check("STRAẞE, HANS", "Straße, Hans");
    check("STRAßE, Hans", "STRAßE, Hans");
    check("ǄORǄEVIĆ, Ana", "ǅorǆević, Ana");
    check("ＲＯＳＳＩ, Mario", "Ｒｏｓｓｉ, Mario");
    check("I\u{307}BRAHI\u{307}M, O\u{308}mer", "İbrahim, Ömer");
    check("YILDIZ, Işık", "Yildiz, Işık");
    check("АЛЁХИН, А", "Алёхин, А");
    check("SMITH, JJ", "Smith, Jj");
    check("J.R. SMITH", "J.R. Smith");
    check("Smith JJ, Bob", "Smith Jj, Bob");
    check("McDONALD, Ann", "McDONALD, Ann");
    check("Mª ROSSI", "Mª Rossi");
    check("SMITH, JOHN Ⅲ", "Smith, John Ⅲ");
    check("SMITH II, JOHN (IM)", "Smith II, John (IM)");
    check("ROSSI, MARIO ٣", "ROSSI, MARIO ٣");
}

#[test]
fn particles() {
    check("DE LA CRUZ, JUAN", "De la Cruz, Juan");
    check("GM VAN DER WIEL, John", "GM van der Wiel, John");
    check("Leonardo DA", "Leonardo DA");
    check("Wu, DI", "Wu, DI");
    check("Cruz, Juan DE, LA Paz", "Cruz, Juan DE, LA Paz");
    check("AL-HASSAN, OMAR BIN ALI", "Al-Hassan, Omar bin Ali");
    check("Juan De La Cruz", "Juan De La Cruz");
    // “rossi de mario” would be given capitals in its turn: no usual form stands here.
    check("rossi DE mario", "rossi DE mario");
}

#[test]
fn a_name_without_capitals_is_given_them() {
    check("vachier-lagrave, maxime", "Vachier-Lagrave, Maxime");
    check("m. d'artagnan", "M. D'Artagnan");
    check("van der wiel, john", "Van der Wiel, John");
    check("ﬁscher, b", "Fischer, B");
    check("ŉcube, ǆ", "ʼNcube, ǅ");
    check("ΐ, a", "Ϊ\u{301}, A");
    check("ß, a", "Ss, A");
    check("丁, abc", "丁, Abc");
    check("рози, марио", "Рози, Марио");
    check("rossi, Mario", "rossi, Mario");
}

#[test]
fn nobody_becomes_another_player() {
    for name in ["Rossi,", "rossi ,", "ß", "ﬁscher", "\u{212a}asparov", "Rossi\u{301}\u{34f}_"] {
        assert_eq!(usual_form(name), tidy(name), "{name:?}");
    }
}

#[test]
fn as_it_came() {
    assert_eq!(shown(" ROSSI,Mario ", true), "ROSSI,Mario");
    assert_eq!(shown("???", true), "?");
    assert_eq!(shown("\u{200b}", false), "?");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn the_shown_name_is_the_same_player(name in texts(), online in any::<bool>()) {
        let shown = shown(&name, online);
        prop_assert_eq!(Identity::of(&shown, None), Identity::of(&name, None));
        prop_assert_eq!(Kind::of(&shown), Kind::of(&name));
        prop_assert_eq!(tidy(&shown), shown.as_str());
    }

    #[test]
    fn the_usual_form_is_its_own_usual_form(name in texts()) {
        let usual = usual_form(&name);
        prop_assert_eq!(usual_form(&usual), usual);
    }

    #[test]
    fn a_usual_form_has_commas_in_their_place(
        words in prop::collection::vec("[A-Z]{1,4}|[a-z]{1,4}|[A-Z][a-z]{1,5}| ?, ?| ,,|É|'", 1..8),
    ) {
        let name = words.join(" ");
        let usual = usual_form(&name);
        if usual != tidy(&name) {
            prop_assert!(!usual.contains(" ,") && !usual.ends_with(','), "{}", usual);
            prop_assert_eq!(usual.matches(',').count(), usual.matches(", ").count());
            prop_assert!(is_nfc(&usual));
        }
        let order = |text: &str| text.replace(',', " ").to_lowercase().split_whitespace().collect::<String>();
        prop_assert_eq!(order(&usual), order(&name));
    }
}
