//! Text before any rule (names.md §1): tidying, folding, words.
//!
//! Every rule on names and the search start from these three, and from no other lowering or
//! stripping of text. A fold never maps a letter to one that it is not a form of: what Unicode or
//! the short list here does not say is the same stays apart.

use std::borrow::Cow;

use icu_casemap::options::TitlecaseOptions;
use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_locale_core::LanguageIdentifier;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
};
use unicode_normalization::UnicodeNormalization;

const IGNORABLE: CodePointSetDataBorrowed<'static> =
    CodePointSetData::new::<DefaultIgnorableCodePoint>();
const CATEGORY: CodePointMapDataBorrowed<'static, GeneralCategory> = CodePointMapData::new();
const CASES: CaseMapperBorrowed<'static> = CaseMapper::new();

/// The text without what shows nothing, white space trimmed and each inner run of it one space
/// (names.md §1). Borrows where at most the ends differ.
pub fn tidy(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if is_tidy(text) {
        return Cow::Borrowed(text);
    }
    let mut tidy = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| !is_ignorable(c)) {
        if !c.is_whitespace() {
            tidy.push(c);
        } else if !tidy.is_empty() && !tidy.ends_with(' ') {
            tidy.push(' ');
        }
    }
    tidy.truncate(tidy.trim_end().len());
    Cow::Owned(tidy)
}

/// Whether a text without white space at its ends is tidy.
fn is_tidy(text: &str) -> bool {
    let mut after_space = false;
    text.chars().all(|c| {
        let space = c == ' ';
        let kept = if space { !after_space } else { !c.is_whitespace() && !is_ignorable(c) };
        after_space = space;
        kept
    })
}

/// Folds a tidied text (names.md §1): compatibility decomposition, no accents, letters with a
/// stroke as their base letters, full case folding. Folding what is folded changes nothing.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { fold_ascii(text) } else { Cow::Owned(fold_unicode(text)) }
}

/// What [`fold_unicode`] makes of ASCII, which has no accents and no compatibility forms.
pub(super) fn fold_ascii(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Folds any text. One round is enough: after NFKD without accents no letter is left whose case
/// folding could be decomposed again (a test goes through all of Unicode).
pub(super) fn fold_unicode(text: &str) -> String {
    let bare: String = text.nfkd().filter(|&c| !is_accent(c)).map(without_stroke).collect();
    match CASES.fold_string(&bare) {
        Cow::Borrowed(_) => bare,
        Cow::Owned(folded) => folded,
    }
}

/// The words of a folded text in their order (names.md §1): the maximal runs of letters, digits
/// and combining marks that are no accents.
pub fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c| !is_word_char(c)).filter(|word| !word.is_empty())
}

/// Whether `c` stands within a word. Digits are all numbers of Unicode, so 〇 (a letter number) in a
/// Chinese name does not cut it in two.
fn is_word_char(c: char) -> bool {
    const WORD: GeneralCategoryGroup =
        GeneralCategoryGroup::Mark.union(GeneralCategoryGroup::Number);
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        is_letter(c) || WORD.contains(CATEGORY.get(c))
    }
}

/// Whether `c` is a letter. The modifier apostrophes (ʼ and its kin) are letters to Unicode, and
/// apostrophes to names.
pub(super) fn is_letter(c: char) -> bool {
    const MODIFIER_APOSTROPHES: std::ops::RangeInclusive<char> = '\u{2b9}'..='\u{2bf}';
    GeneralCategoryGroup::Letter.contains(CATEGORY.get(c)) && !MODIFIER_APOSTROPHES.contains(&c)
}

/// Whether `c` is a combining mark, accent or sound.
pub(super) fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CATEGORY.get(c))
}

/// Whether `c` is a decimal digit of any script.
pub(super) fn is_digit(c: char) -> bool {
    CATEGORY.get(c) == GeneralCategory::DecimalNumber
}

/// Whether `c` is a capital letter.
pub(super) fn is_upper(c: char) -> bool {
    CATEGORY.get(c) == GeneralCategory::UppercaseLetter
}

/// Whether `c` is a lower-case letter.
pub(super) fn is_lower(c: char) -> bool {
    CATEGORY.get(c) == GeneralCategory::LowercaseLetter
}

/// Whether `c` is a letter of two that has a capital first: ǅ.
pub(super) fn is_title(c: char) -> bool {
    CATEGORY.get(c) == GeneralCategory::TitlecaseLetter
}

/// The text composed (NFC).
pub(super) fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// One capital (the first letter that can have one, as a title has it), the rest in lower case;
/// for no language in particular.
pub(super) fn title_case(part: &str) -> Cow<'_, str> {
    CASES.titlecase_segment_with_only_case_data_to_string(
        part,
        &LanguageIdentifier::UNKNOWN,
        TitlecaseOptions::default(),
    )
}

/// Whether `c` shows nothing.
pub(super) fn is_ignorable(c: char) -> bool {
    !c.is_ascii() && IGNORABLE.contains(c)
}

/// The marks of the blocks that hold accents (names.md §1). In Japanese, Thai or the Indic scripts
/// a mark is a sound; theirs are in other blocks.
fn is_accent(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// The base letter of a letter that Unicode does not decompose. Their capitals are here too, so
/// that case folding can come last.
fn without_stroke(c: char) -> char {
    match c {
        'ł' | 'Ł' => 'l',
        'ø' | 'Ø' => 'o',
        'đ' | 'Đ' => 'd',
        'ħ' | 'Ħ' => 'h',
        'ŧ' | 'Ŧ' => 't',
        'ı' => 'i',
        other => other,
    }
}
