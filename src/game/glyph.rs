//! Signs beside the moves: which bytes are blanks, and which signs are known NAGs (pgn.md).

/// What a byte of movetext can begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// Space, tab, control characters, full stop, comma: nothing.
    Blank,
    Newline,
    Digit,
    /// A letter, or a byte of a character outside ASCII.
    Letter,
    /// A sign that belongs to a word.
    Sign,
    /// A character that stands for itself: brackets, `$ ; ! ? * " &`.
    Special,
}

/// The class of every byte.
pub(super) const CLASS: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Letter; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'\n' | b'\r' => Class::Newline,
            0..=b' ' | 0x7f | b'.' | b',' => Class::Blank,
            b'0'..=b'9' => Class::Digit,
            b'A'..=b'Z' | b'a'..=b'z' => Class::Letter,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' => Class::Special,
            b'$' | b';' | b'!' | b'?' | b'*' | b'"' | b'&' => Class::Special,
            _ => Class::Sign,
        };
        byte += 1;
    }
    table
}

/// True for a byte that goes on a word.
pub(super) const fn goes_on(byte: u8) -> bool {
    matches!(CLASS[byte as usize], Class::Digit | Class::Letter | Class::Sign)
}

/// The length in bytes of the blank outside ASCII at the beginning of `bytes`, else 0
/// (faults-pgn.tsv B07: no-break spaces and zero-width spaces, the ellipsis, byte-order marks).
pub(super) fn wide_blank(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2, 0x80..=0xa0 | 0xad, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8f | 0xa6 | 0xa8..=0xaf, ..] => 3,
        [0xe2, 0x81, 0x9f..=0xa4, ..] | [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// The NAG that a sign beside a move stands for.
pub(super) fn nag_of_sign(sign: &str) -> Option<u8> {
    Some(match sign {
        "‼" => 3,
        "⁇" => 4,
        "⁉" => 5,
        "⁈" => 6,
        "□" | "▢" => 7,
        "=" | "==" => 10,
        "∞" | "~" => 13,
        "+=" | "+/=" | "⩲" | "±=" => 14,
        "=+" | "=/+" | "⩱" | "=∓" => 15,
        "±" | "+/-" | "+/−" | "+/–" => 16,
        "∓" | "-/+" | "−/+" | "–/+" => 17,
        "+-" | "+−" | "+–" => 18,
        "-+" | "−+" | "–+" => 19,
        "⊙" | "⨀" => 22,
        "○" => 26,
        "⟳" | "↻" => 32,
        "↑" => 36,
        "→" => 40,
        "=/∞" | "=∞" | "∞=" | "∞/=" | "⯹" => 44,
        "⇆" | "⇄" => 132,
        "⊕" => 138,
        "∆" | "Δ" | "△" => 140,
        "⌓" => 142,
        _ => return None,
    })
}

/// The NAG that a word beside a move stands for: novelty and diagram.
pub(super) fn nag_of_word(word: &str) -> Option<u8> {
    match word {
        "N" => Some(146),
        "D" => Some(220),
        _ => None,
    }
}

/// Words that only repeat what the move itself says.
pub(super) fn says_nothing(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "ch",
        "dbl",
        "dis",
        "disch",
        "dblch",
        "check",
        "mate",
        "checkmate",
        "ep",
        "+",
        "++",
        "#",
        "†",
        "‡",
    ];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// A dash of any kind.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}
