//! The rules on names against their cases and as properties over all scripts.

mod cases;
mod fold;
mod identity;
mod owner;
mod shown;

use proptest::prelude::*;

/// The rows of a table of cases below its head, each cell unescaped (`\t`, `\n`, `\\`); blanks at
/// the ends of a cell are part of it.
fn rows<const CELLS: usize>(table: &str) -> Vec<[String; CELLS]> {
    let row = |line: &str| {
        let cells: Vec<String> = line.split('\t').map(unescape).collect();
        <[String; CELLS]>::try_from(cells).unwrap_or_else(|cells| panic!("not a row: {cells:?}"))
    };
    table.lines().skip(1).map(row).collect()
}

fn unescape(cell: &str) -> String {
    let mut text = String::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('\\') => '\\',
                other => panic!("not an escape: {other:?}"),
            },
            c => c,
        });
    }
    text
}

/// What names of all kinds are made of, the awkward parts above all.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "Rossi", "ROSSI", "rossi", "Mario", "DE", "la", "VAN", "al", "II", "GM", "JJ", "XU", "M.",
    "J.R.", "McShane", "O'Brien", "O’BRIEN", "oʼbrien", "Ó", "ö", "é", "e\u{301}", "A\u{30a}",
    "\u{212b}", "\u{212a}", "ß", "ẞ", "ﬁ", "ﬀ", "İ", "ı", "I", "i\u{307}", "I\u{307}", "ł", "Ł",
    "Ø", "ø", "Đ", "ħ", "ŧ", "æ", "Œ", "þ", "Ð", "ŉ", "Ǆ", "ǅ", "ǆ", "ĲS", "ΆΛΈΞΗΣ", "σ", "ς", "Σ",
    "ΐ", "ᾳ", "ᾼ", "ϐ", "Алёхин", "АЛЁХИН", "Й", "И\u{306}", "ᏣᎳᎩ", "ꭰ", "რო", "ᲠᲝ", "Եւ", "և",
    "Ｒｏｓｓｉ", "ＲＯ", "，", "が", "か\u{3099}", "ｶﾞ", "กำ", "ก่", "कि", "क्ष", "한", "\u{1112}\u{1161}",
    "丁立人", "〇", "☆", "👍🏽", "5\u{fe0f}\u{20e3}", "7", "٣", "²", "½", "Ⅲ", "ⓐ", "Ⓐ", "𝐀", "ʰ", "ª",
    "'", "’", "`", "´", "ʼ", "ʾ", "-", "‐", "–", "_", ".", ",", ", ", " ,", "?", "？", "...",
    "(ITA)", " ", "  ", "\t", "\u{a0}", "\u{2003}", "\u{3000}", "\u{200b}", "\u{feff}", "\u{ad}",
    "\u{200d}", "\u{34f}", "\u{115f}", "\u{301}", "\u{307}", "\u{327}", "\u{338}", "\u{345}",
    "\u{488}", "\u{1ab0}", "\u{e31}", "ʼn", "a", "N",
];

/// Texts that may stand where a name is wanted.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        2 => Just(" ".to_owned()),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

/// Words of letters only, of which the rules say that they are equal whatever their case.
fn plain_words() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(&[
        "rossi",
        "mario",
        "van",
        "der",
        "wiel",
        "müller",
        "straße",
        "wójcik",
        "łukasz",
        "öberg",
        "алёхин",
        "ньюэлл",
        "παπάς",
        "ﬁscher",
        "ｒｏｓｓｉ",
        "がく",
        "丁立人",
        "กำพล",
        "yılmaz",
        "m",
    ] as &[_]);
    prop::collection::vec(word.prop_map(str::to_owned), 2..6)
}
