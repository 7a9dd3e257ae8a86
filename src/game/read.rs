//! From the bytes of one game to a [`Game`], or to the reason why not (pgn.md).
//!
//! A game is read whole or not at all.

use encoding_rs::Encoding;

use super::ending::{Ending, First};
use super::tags::{self, Parted};
use super::{Game, GameResult, Movetext, Note, RawGame, Rejection, RejectionKind, Start};
use super::{date, encoding, tagpair};

/// Reads one game: decodes it, reads its tags, replays its moves.
///
/// `encoding` is the one that the user names for the source (pgn.md, “encodings”).
///
/// # Errors
/// What pgn.md rejects. [`RejectionKind::NotAGame`] is text that never was a game: prose, HTML.
pub fn read(raw: &RawGame, encoding: Option<&'static Encoding>) -> Result<Game, Rejection> {
    read_or_tell(raw, encoding).map_err(Rejection::printable)
}

fn read_or_tell(raw: &RawGame, encoding: Option<&'static Encoding>) -> Result<Game, Rejection> {
    let game = assemble(raw, encoding, Movetext::read)?;
    if game.movetext.plies > 0 {
        return Ok(game);
    }
    if game.tags.0.is_empty() {
        return Err(not_a_game(raw));
    }
    let named = |name| game.tags.get(name).is_some_and(|name| !is_nobody(name));
    let message = match (game.result.is_decided(), named("White"), named("Black")) {
        (true, true, true) => return Ok(game),
        (true, false, true) => "no moves, and no name for white",
        (true, true, false) => "no moves, and no name for black",
        (true, false, false) => "no moves, and no names",
        (false, ..) => "no moves and no result",
    };
    Err(rejection(RejectionKind::NoMovesAndNoResult, raw, message.to_owned()))
}

/// Reads a game again that [`read`] has found canonical ([`Movetext::canonical`]), without
/// replaying its moves: for writing it.
///
/// # Errors
/// Those of [`read`], each of which would be a fault of whoever kept the game.
pub fn reread(raw: &RawGame, encoding: Option<&'static Encoding>) -> Result<Game, Rejection> {
    assemble(raw, encoding, |text, _, _| Movetext::reread_canonical(text))
        .map_err(Rejection::printable)
}

fn assemble(
    raw: &RawGame,
    encoding: Option<&'static Encoding>,
    read_moves: impl FnOnce(&str, u64, &Start) -> Result<Movetext, Rejection>,
) -> Result<Game, Rejection> {
    let (text, other_encoding) = encoding::decode(&raw.bytes, encoding);
    if !is_like_a_game(text.as_bytes()) {
        return Err(not_a_game(raw));
    }
    if let Some(oversize) = raw.oversize {
        let message =
            format!("{} bytes, and more than 16 MiB are not read as one game", oversize.length);
        return Err(rejection(RejectionKind::TooBig, raw, message));
    }
    let Parted { mut tags, movetext, line, mut notes } = tags::part(&text, raw.line)?;
    let mut note = |message| notes.push(Note { line: 0, message });
    if let Some(name) = other_encoding {
        note(format!("not UTF-8: read as {name}"));
    }
    for tag in tags.0.iter_mut().filter(|tag| tag.name == "White" || tag.name == "Black") {
        if let Some(name) = encoding::without_replacement_characters(&tag.value) {
            note(format!("tag {}: letters of the name were lost before it came here", tag.name));
            tag.value = name.into();
        }
    }
    let mut start =
        Start::from_tags(&tags).map_err(|rejection| Rejection { line: raw.line, ..rejection })?;
    let mut movetext = match read_moves(&movetext, line, &start) {
        Ok(moves) => moves,
        // Text that begins with a number, and no move after it, is no more a game than other text.
        Err(rejection) if tags.0.is_empty() && is_at_first_word(&movetext, &rejection.token) => {
            return Err(not_a_game(raw));
        }
        Err(rejection) => return Err(rejection),
    };
    let result = result(tags.get("Result"), movetext.end, &mut note);
    let (date, message) = date::date(&tags);
    message.into_iter().for_each(note);
    notes.append(&mut start.notes);
    notes.append(&mut movetext.notes);
    let notes = notes.into_iter().map(Note::printable).collect();
    Ok(Game { tags, date, result, start, movetext, notes })
}

/// names.md §5: the Result tag when it is decided, else the end marker, else `*`.
fn result(tag: Option<&str>, end: Option<GameResult>, note: &mut impl FnMut(String)) -> GameResult {
    let text = tag.map_or("", str::trim);
    let tag = GameResult::parse(text);
    if tag.is_none() && !text.trim_matches('?').is_empty() {
        note(format!("tag Result: {text} is no result"));
    }
    if let (Some(tag), Some(end)) = (tag, end)
        && tag != end
    {
        note(format!("tag Result says {}, the end of the moves {}", tag.as_str(), end.as_str()));
    }
    tag.filter(|tag| tag.is_decided()).or(end).unwrap_or_default()
}

/// True for text that begins with a tag, or as movetext does.
fn is_like_a_game(text: &[u8]) -> bool {
    let mut ending = Ending::default();
    tagpair::is_lenient(text.trim_ascii_start()) || {
        ending.advance_to_first(text, text.len());
        matches!(ending.first, First::One | First::Movetext)
    }
}

/// True where nothing but numbers stands before `word`.
fn is_at_first_word(movetext: &str, word: &str) -> bool {
    let numbers = |c: char| c.is_whitespace() || c.is_ascii_digit() || c == '.';
    movetext.trim_start_matches(numbers).starts_with(word.trim_start_matches(numbers))
}

/// Names of nobody: empty, or question marks alone (names.md §2).
fn is_nobody(name: &str) -> bool {
    name.trim().chars().all(|c| c == '?')
}

fn rejection(kind: RejectionKind, raw: &RawGame, message: String) -> Rejection {
    Rejection { kind, line: raw.line, token: String::new(), message }
}

fn not_a_game(raw: &RawGame) -> Rejection {
    let start = &raw.bytes[..raw.bytes.len().min(400)];
    let (text, _) = encoding::decode(start, None);
    let words: Vec<&str> = text.split_whitespace().collect();
    let shown: String = words.join(" ").chars().take(60).collect();
    rejection(RejectionKind::NotAGame, raw, format!("text that is no game: {shown}"))
}
