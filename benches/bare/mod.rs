//! The bare work of finding duplicate games: read, replay, hash what makes two games the same.
//!
//! It uses nothing of the project, so it can stand for the limit of an import's speed
//! (`benches/probe.rs`) and judge what a program threw away (`benches/judge.rs`). It is no reader
//! of real files: whatever is unusual, pgn-reader drops, and a game with an illegal move is none.

use std::io::{self, Read};
use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use xxhash_rust::xxh3::Xxh3;

/// What makes two games the same, hashed.
pub(crate) type Key = u128;

/// Which rule the key follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Names, Date and Result as they stand: the least that any program has to do.
    Least,
    /// The five equalities of names.md §5: FIDE IDs, UTCDate, the forms of a date, end markers.
    #[allow(dead_code, reason = "the probe has no use for it")]
    Full,
}

/// What was read of a text.
#[derive(Default)]
pub(crate) struct Found {
    /// The keys of the games that are legal, in their order.
    pub(crate) keys: Vec<Key>,
    /// Games, the illegal ones too.
    pub(crate) games: u64,
    /// Moves played.
    pub(crate) plies: u64,
}

/// Reads all games of a text.
///
/// # Errors
/// Those of reading.
pub(crate) fn read(text: impl Read, rule: Rule) -> io::Result<Found> {
    let mut bare = Bare { rule, found: Found::default(), words: Vec::new(), folded: String::new() };
    Reader::new(text).visit_all_games(&mut bare)?;
    Ok(bare.found)
}

struct Bare {
    rule: Rule,
    found: Found,
    /// Room for the words of a name and for what becomes of it.
    words: Vec<String>,
    folded: String,
}

#[derive(Default)]
struct Tags {
    players: [Vec<u8>; 2],
    fide: [Vec<u8>; 2],
    date: Vec<u8>,
    utc_date: Vec<u8>,
    result: Vec<u8>,
    fen: Option<Vec<u8>>,
}

struct Played {
    tags: Tags,
    position: Chess,
    hash: Xxh3,
    end: Option<Outcome>,
    legal: bool,
}

impl Visitor for Bare {
    type Tags = Tags;
    type Movetext = Played;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        self.found.games += 1;
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let full = self.rule == Rule::Full;
        let field = match name {
            b"White" => &mut tags.players[0],
            b"Black" => &mut tags.players[1],
            b"Date" => &mut tags.date,
            b"Result" => &mut tags.result,
            b"FEN" => tags.fen.insert(Vec::new()),
            b"WhiteFideId" if full => &mut tags.fide[0],
            b"BlackFideId" if full => &mut tags.fide[1],
            b"UTCDate" if full => &mut tags.utc_date,
            _ => return ControlFlow::Continue(()),
        };
        if field.is_empty() {
            field.extend_from_slice(&value.decode());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), Played> {
        let position = match tags.fen.as_deref().map(position) {
            None => Chess::default(),
            Some(Some(position)) => position,
            Some(None) => return ControlFlow::Break(()),
        };
        let mut hash = Xxh3::new();
        self.hash_players(&tags, &mut hash);
        if position != Chess::default() {
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            // The counters at its end are not the position.
            let text = fen.to_string();
            let parts: Vec<&str> = text.splitn(5, ' ').take(4).collect();
            hash.update(parts.join(" ").as_bytes());
        }
        hash.update(&[0]);
        ControlFlow::Continue(Played { tags, position, hash, end: None, legal: true })
    }

    fn san(&mut self, played: &mut Played, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(&played.position) {
            Ok(played_move) => {
                played.position.play_unchecked(played_move);
                played.hash.update(&packed(played_move).to_le_bytes());
                self.found.plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => {
                played.legal = false;
                ControlFlow::Break(())
            }
        }
    }

    fn outcome(&mut self, played: &mut Played, outcome: Outcome) -> ControlFlow<()> {
        played.end = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut played: Played) {
        if played.legal {
            self.hash_rest(&mut played);
            self.found.keys.push(played.hash.digest128());
        }
    }
}

impl Bare {
    fn hash_players(&mut self, tags: &Tags, hash: &mut Xxh3) {
        let ids = tags.fide.each_ref().map(|id| fide_id(id));
        let shared = ids[0].is_some() && ids[0] == ids[1];
        for (name, id) in tags.players.iter().zip(ids) {
            match id.filter(|_| !shared) {
                Some(id) => {
                    hash.update(b"#");
                    hash.update(id);
                }
                None => {
                    fold(name, &mut self.words, &mut self.folded);
                    hash.update(self.folded.as_bytes());
                }
            }
            hash.update(&[0]);
        }
    }

    fn hash_rest(&mut self, played: &mut Played) {
        let Played { tags, hash, end, .. } = played;
        hash.update(&[0]);
        if self.rule == Rule::Least {
            hash.update(&tags.date);
            hash.update(&[0]);
            hash.update(&tags.result);
            return;
        }
        let date = if tags.date.trim_ascii().is_empty() { &tags.utc_date } else { &tags.date };
        hash.update(&normal(date));
        hash.update(&[0]);
        let result = match tags.result.trim_ascii() {
            decided @ (b"1-0" | b"0-1" | b"1/2-1/2") => decided,
            _ => end.map_or("*", Outcome::as_str).as_bytes(),
        };
        hash.update(result);
    }
}

/// `2013.05.01` of `2013-5-1` and its like; a year alone has an unknown month and day.
fn normal(date: &[u8]) -> Vec<u8> {
    let date = date.trim_ascii();
    if date.iter().all(|&byte| byte == b'?') {
        return b"????.??.??".to_vec();
    }
    let parts: Vec<&[u8]> = date.split(|byte| b".-/".contains(byte)).collect();
    match parts[..] {
        [year] if year.len() == 4 => [year, b".??.??"].concat(),
        [year, month, day] if year.len() == 4 => {
            let two = |part: &[u8]| match part {
                b"?" => b"??".to_vec(),
                [digit] => vec![b'0', *digit],
                other => other.to_vec(),
            };
            [year, b".", &two(month), b".", &two(day)].concat()
        }
        _ => date.to_vec(),
    }
}

fn position(fen: &[u8]) -> Option<Chess> {
    Fen::from_ascii(fen).ok()?.into_position(CastlingMode::Chess960).ok()
}

fn packed(played: Move) -> u16 {
    let (from, to) = match played {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { king, rook } => (king, rook),
        Move::Put { to, .. } => (to, to),
    };
    let promotion = played.promotion().map_or(0, u16::from);
    u16::from(from) | u16::from(to) << 6 | promotion << 12
}

/// The digits of a FIDE ID without leading zeros.
fn fide_id(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    let digits = &text[zeros..];
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(digits)
}

/// A nickname as it stands, a person's name by its words in any order; case and accents aside.
fn fold(name: &[u8], words: &mut Vec<String>, folded: &mut String) {
    folded.clear();
    words.clear();
    let name = name.trim_ascii();
    let in_nickname = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    if name.iter().all(in_nickname) || name.iter().all(|&byte| byte == b'?') {
        folded.push('!');
        folded.extend(name.iter().map(|byte| byte.to_ascii_lowercase() as char));
        return;
    }
    if name.is_ascii() {
        gather(name.iter().map(|byte| byte.to_ascii_lowercase() as char), words);
    } else {
        let text = match std::str::from_utf8(name) {
            Ok(text) => text.to_owned(),
            Err(_) => name.iter().map(|&byte| byte as char).collect(),
        };
        let bare = text.nfkd().filter(|&c| !is_combining_mark(c));
        gather(bare.flat_map(char::to_lowercase).map(without_stroke), words);
    }
    words.sort_unstable();
    for word in words {
        folded.push_str(word);
        folded.push(' ');
    }
}

fn without_stroke(c: char) -> char {
    match c {
        'ł' => 'l',
        'ø' => 'o',
        'đ' => 'd',
        'ħ' => 'h',
        'ŧ' => 't',
        'ı' => 'i',
        other => other,
    }
}

/// The runs of letters and digits.
fn gather(text: impl Iterator<Item = char>, words: &mut Vec<String>) {
    let mut word = String::new();
    for c in text {
        if c.is_alphanumeric() {
            word.push(c);
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
}
