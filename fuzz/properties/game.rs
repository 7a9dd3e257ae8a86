//! Reading and writing (pgn.md): what is written is read as the same game, and written the same
//! again; what is rejected says where.

use gamekeeper::dedup::GameKey;
use gamekeeper::game::{Game, RawGame, Tag, read, reread, write_game};

use super::{Dice, games_of, line_ends};

pub fn holds(data: &[u8]) {
    // Three more readings: not each time.
    if Dice::of(data).below(4) == 0 {
        line_ends_say_nothing(data);
    }
    let mut file = Vec::new();
    let mut written = Vec::new();
    for raw in games_of(data) {
        let lines = raw.line..=raw.line + line_ends(&raw.bytes);
        let game = match read(&raw, None) {
            Ok(game) => game,
            Err(rejection) => {
                assert!(lines.contains(&rejection.line), "{rejection:?}, lines {lines:?}");
                assert!(rejection.token.chars().count() <= 80, "{rejection:?}");
                assert!(!rejection.message.is_empty());
                is_printable(&rejection.token);
                is_printable(&rejection.message);
                continue;
            }
        };
        for note in &game.notes {
            assert!(note.line == 0 || lines.contains(&note.line), "{note:?}, lines {lines:?}");
            is_printable(&note.message);
        }
        let text = write(&game);
        comes_back(&game, &text);
        if game.movetext.canonical {
            let copied = reread(&raw, None).unwrap();
            assert_eq!(write(&copied), text, "written without replaying");
        }
        file.extend_from_slice(&text);
        written.push(text);
    }
    // One behind the other in a file they are the same games.
    let again: Vec<Vec<u8>> = games_of(&file).into_iter().map(|raw| raw.bytes).collect();
    let written: Vec<&[u8]> = written.iter().map(|text| text.trim_ascii_end()).collect();
    assert_eq!(again, written, "the file is cut elsewhere");
}

/// LF, CRLF and CR are the same (pgn.md).
fn line_ends_say_nothing(data: &[u8]) {
    let lines: Vec<&[u8]> = data.split(|byte| b"\r\n".contains(byte)).collect();
    let outcome = |end: &[u8]| -> Vec<_> {
        let games = games_of(&lines.join(end));
        let outcome = |raw: &RawGame| match read(raw, None) {
            Ok(game) => Ok((write(&game), raw.line)),
            Err(rejection) => Err((rejection.kind, rejection.line)),
        };
        games.iter().map(outcome).collect()
    };
    let right = outcome(b"\n");
    assert_eq!(outcome(b"\r\n"), right, "CRLF");
    assert_eq!(outcome(b"\r"), right, "CR");
}

/// The game as an export writes it: with its date as it is compared.
pub(crate) fn write(game: &Game) -> Vec<u8> {
    let mut tags = game.tags.clone();
    tags.set("Date", &game.date);
    let mut out = Vec::new();
    write_game(&mut out, &tags, game.result, &game.start, &game.movetext);
    out
}

fn comes_back(game: &Game, text: &[u8]) {
    let shown = String::from_utf8_lossy(text);
    let raw = RawGame { bytes: text.to_vec(), offset: 0, line: 1, complete: true, oversize: None };
    let again = read(&raw, None).unwrap_or_else(|error| panic!("{error:?}\n{shown}"));
    assert_eq!(GameKey::of(&again), GameKey::of(game), "{shown}");
    assert_eq!(again.movetext.clean, game.movetext.clean, "{shown}");
    assert_eq!(again.movetext.first_null, game.movetext.first_null, "{shown}");
    for tag in game.tags.0.iter().filter(|tag| is_kept(tag)) {
        assert!(again.tags.0.contains(tag), "{tag:?} is gone:\n{shown}");
    }
    assert_eq!(String::from_utf8(write(&again)).unwrap(), shown, "written otherwise");
}

/// Tags that are written as they are; the others have a form of their own in the export.
fn is_kept(tag: &Tag) -> bool {
    !matches!(tag.name.as_str(), "Date" | "Result" | "FEN" | "SetUp")
        && !tag.value.trim().is_empty()
        && !tag.value.contains(char::is_control)
        && !tag.name.contains(|c: char| c.is_whitespace() || c.is_control() || "[]\"".contains(c))
}

fn is_printable(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}
