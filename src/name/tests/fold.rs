//! Text before any rule (names.md §1).

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::texts;
use crate::name::fold::{fold_ascii, fold_unicode, is_ignorable, title_case};
use crate::name::{fold, tidy, words};

/// Every character on its own, as a text.
fn characters() -> impl Iterator<Item = String> {
    ('\0'..=char::MAX).map(String::from)
}

/// Whether a text has the iota below (ᾳ), which is an accent, and a letter once it is a capital.
fn has_iota_below(text: &str) -> bool {
    text.nfkd().any(|c| c == '\u{345}')
}

#[track_caller]
fn check_words(text: &str, expected: &[&str]) {
    assert_eq!(words(&fold(&tidy(text))).collect::<Vec<_>>(), expected, "{text:?}");
}

#[test]
fn what_shows_nothing_is_dropped() {
    assert_eq!(tidy(" \u{feff}Rossi,\u{a0}\u{200b} \tMario\u{ad}\r\n"), "Rossi, Mario");
    assert_eq!(tidy("\u{200b} \u{200b}"), "");
    assert!(matches!(tidy("  Rossi, Mario "), std::borrow::Cow::Borrowed("Rossi, Mario")));
}

#[test]
fn accents_go_and_sounds_stay() {
    assert_eq!(fold("Müller"), "muller");
    assert_eq!(fold("Łukasz Đơn ØŦĦ ıİ"), "lukasz don oth ii");
    assert_eq!(fold("STRASSE straße STRAẞE ﬁ ﬅ"), "strasse strasse strasse fi st");
    assert_eq!(fold("ÆŒÞÐ"), "æœþð");
    assert_eq!(fold("Ｒｏｓｓｉ²"), "rossi2");
    assert_eq!(fold("がｶﾞ"), "か\u{3099}カ\u{3099}");
    assert_eq!(fold("กำ"), "ก\u{e4d}า");
    assert_eq!(fold("ΆΛΈΞΗΣ αλέξης"), "αλεξησ αλεξησ");
    assert_eq!(fold("Алёхин Й"), "алехин и");
}

#[test]
fn words_are_runs_of_letters_digits_and_sounds() {
    check_words("Vachier-Lagrave, Maxime", &["vachier", "lagrave", "maxime"]);
    for apostrophe in ["'", "’", "`", "´", "ʼ", "ʹ", "ʾ", "ʿ", "＇"] {
        check_words(&format!("O{apostrophe}Brien"), &["o", "brien"]);
    }
    check_words("mario ROSSI_IT 2", &["mario", "rossi", "it", "2"]);
    check_words("(丁立人) กิ่ง कि", &["丁立人", "ก\u{e34}\u{e48}ง", "कि"]);
    check_words("丁〇人", &["丁〇人"]);
    check_words("☆ ... 👍🏽", &[]);
}

#[test]
fn all_of_unicode_folds_in_one_round() {
    for text in characters() {
        let folded = fold_unicode(&text);
        assert_eq!(fold_unicode(&folded), folded, "{text:?}");
        if tidy(&text) == text {
            assert!(!folded.chars().any(is_ignorable), "{text:?}");
        }
    }
}

#[test]
fn case_and_normal_form_do_not_count_anywhere_in_unicode() {
    for text in characters() {
        let folded = fold_unicode(&text);
        let same = |other: &str| assert_eq!(fold_unicode(other), folded, "{text:?} {other:?}");
        same(&text.nfc().collect::<String>());
        same(&text.nfd().collect::<String>());
        same(&text.nfkc().collect::<String>());
        same(&text.to_lowercase());
        if !has_iota_below(&text) {
            same(&text.to_uppercase());
            same(&title_case(&text));
        }
    }
}

proptest! {
    #[test]
    fn folding_and_tidying_are_done_once(text in texts()) {
        let tidied = tidy(&text);
        prop_assert_eq!(tidy(&tidied), tidied.as_ref());
        let folded = fold(&text);
        prop_assert_eq!(fold(&folded), folded.as_ref());
    }

    #[test]
    fn words_of_words_are_the_words(text in texts()) {
        let folded = fold(&text);
        let once: Vec<&str> = words(&folded).collect();
        let joined = once.join(" ");
        prop_assert_eq!(words(&joined).collect::<Vec<_>>(), once);
    }

    #[test]
    fn ascii_takes_a_short_cut_to_the_same_place(text in "[\\x00-\\x7f]{0,24}") {
        prop_assert_eq!(fold_ascii(&text), fold_unicode(&text));
    }

    #[test]
    fn composed_and_decomposed_are_one(text in texts()) {
        let nfc: String = text.nfc().collect();
        let nfd: String = text.nfd().collect();
        let (nfc, nfd) = (tidy(&nfc), tidy(&nfd));
        prop_assert_eq!(fold(&nfc), fold(&nfd));
    }
}
