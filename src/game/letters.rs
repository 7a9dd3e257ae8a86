//! The letters that name the pieces, in English and in the languages files are written in.
//!
//! A foreign reading must never win by chance: it counts only where the whole main line is legal
//! under it, it uses a letter that English lacks, and no other reading gives other moves (pgn.md).

/// How the words of a movetext are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// What notes call this reading.
    pub name: &'static str,
    /// The letters of king, queen, rook, bishop, knight, and of a pawn where it is written.
    pub letters: [&'static str; 6],
    /// Two squares side by side are two pawn moves (`e4e5`), not a move from one to the other.
    pub glued: bool,
    /// Words are kept as they stand: the rules are not played here.
    pub verbatim: bool,
}

const fn letters(name: &'static str, letters: [&'static str; 6]) -> Reading {
    Reading { name, letters, glued: false, verbatim: false }
}

/// The standard's letters. `P` for a pawn is left out: in Dutch it is a knight.
pub(super) const ENGLISH: Reading = letters("English", ["K", "Q", "R", "B", "N", ""]);

/// No letters at all: every word that is no sign counts as a move.
pub(super) const VERBATIM: Reading = Reading { verbatim: true, ..ENGLISH };

/// What is tried when the main line cannot be read in English. Languages that share their letters
/// share a line.
pub(super) const OTHERS: &[Reading] = &[
    letters("English with P for pawns", ["K", "Q", "R", "B", "N", "P"]),
    Reading { name: "moves run together", glued: true, ..ENGLISH },
    letters("German", ["K", "D", "T", "L", "S", "B"]),
    letters("French", ["R", "D", "T", "F", "C", "P"]),
    letters("Spanish or Italian", ["R", "D", "T", "A", "C", "P"]),
    letters("Portuguese", ["R", "D", "T", "B", "C", "P"]),
    letters("Dutch", ["K", "D", "T", "L", "P", ""]),
    letters("Polish", ["K", "H", "W", "G", "S", ""]),
    letters("Czech", ["K", "D", "V", "S", "J", "P"]),
    letters("Hungarian", ["K", "V", "B", "F", "H", ""]),
    letters("Romanian", ["R", "D", "T", "N", "C", "P"]),
    letters("Finnish", ["K", "D", "T", "L", "R", ""]),
    letters("Icelandic", ["K", "D", "H", "B", "R", ""]),
    letters("Estonian", ["K", "L", "V", "O", "R", ""]),
    letters("Latvian", ["K", "D", "T", "L", "Z", ""]),
    letters("Lithuanian", ["K", "V", "B", "R", "Ž", "P"]),
    letters("Turkish", ["Ş", "V", "K", "F", "A", "P"]),
    letters("Russian", ["Кр", "Ф", "Л", "С", "К", "п"]),
    letters("Ukrainian", ["Кр", "Ф", "Т", "С", "К", "п"]),
    letters("Bulgarian", ["Ц", "Д", "Т", "О", "К", ""]),
    letters("Serbian", ["К", "Д", "Т", "Л", "С", ""]),
    letters("Greek", ["Ρ", "Β", "Π", "Α", "Ι", ""]),
];

/// The English letters in the order of [`Reading::letters`].
const STANDARD: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];

impl Reading {
    /// True for the standard's spelling, which needs no translation.
    pub(super) fn is_standard(&self) -> bool {
        self.letters == ENGLISH.letters && !self.verbatim
    }

    /// True when a word of `text` begins with a letter of this reading that names no piece in
    /// English, before a square. Without one, a slip of the pen would become another language.
    pub(super) fn differs_from_english(&self, text: &str) -> bool {
        let mut own = self
            .letters
            .iter()
            .filter(|letter| !letter.is_empty() && !ENGLISH.letters.contains(letter));
        own.any(|letter| {
            text.match_indices(letter).any(|(at, _)| {
                let next = text[at + letter.len()..].bytes().next();
                matches!(next, Some(b'a'..=b'h' | b'x' | b'1'..=b'8' | b':' | b'-' | b'+'))
                    || text[..at].ends_with(['1', '8', '='])
            })
        })
    }

    /// The piece at the beginning of `text` as its English letter, and the letter's length in
    /// bytes. Figurines mean the same in every language; `K` before `р` is Russian for king.
    pub(super) fn piece(&self, text: &str) -> Option<(char, usize)> {
        let first = text.chars().next()?;
        if let Some(piece) = figurine(first) {
            return Some((piece, first.len_utf8()));
        }
        self.letters
            .iter()
            .zip(STANDARD)
            .find(|(letter, _)| !letter.is_empty() && text.starts_with(**letter))
            .map(|(letter, piece)| (piece, letter.len()))
    }
}

fn figurine(c: char) -> Option<char> {
    Some(match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => 'P',
        _ => return None,
    })
}
