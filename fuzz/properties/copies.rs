//! What a later copy adds (names.md §5): nothing that stands changes, and nothing that the
//! equalities rest on.

use gamekeeper::dedup::{Additions, GameKey};
use gamekeeper::game::{Game, RawGame, Token, read, tokens};

use super::game::write;
use super::games_of;

/// Each game of the text is completed by each that has the same moves.
pub fn holds(data: &[u8]) {
    let games: Vec<Game> =
        games_of(data).iter().take(8).filter_map(|raw| read(raw, None).ok()).collect();
    for stayer in &games {
        for later in &games {
            let same = stayer.movetext.main_line == later.movetext.main_line
                && stayer.start.key == later.start.key;
            if same {
                completes(stayer, later);
            }
        }
    }
}

fn completes(stayer: &Game, later: &Game) {
    let adds =
        Additions::of((&stayer.tags, &stayer.movetext.clean), (&later.tags, &later.movetext.clean));
    let mut completed = stayer.clone();
    adds.complete_tags(&mut completed.tags);
    completed.movetext.clean = adds.complete_movetext(&stayer.movetext.clean);
    for tag in stayer.tags.0.iter().filter(|tag| !tag.is_blank()) {
        assert!(completed.tags.0.contains(tag), "{tag:?} is gone");
    }
    for token in tokens(&stayer.movetext.clean) {
        let found = tokens(&completed.movetext.clean).any(|other| other == token);
        assert!(found, "{token:?} is gone: {}", completed.movetext.clean);
    }
    let main_line = |clean| -> Vec<String> { main_line_of(clean) };
    assert_eq!(main_line(&completed.movetext.clean), main_line(&stayer.movetext.clean));

    // What is exported then is the same game still, and completing it again changes nothing.
    let raw =
        RawGame { bytes: write(&completed), offset: 0, line: 1, complete: true, oversize: None };
    let shown = String::from_utf8_lossy(&raw.bytes);
    let again = read(&raw, None).unwrap_or_else(|error| panic!("{error:?}\n{shown}"));
    assert_eq!(GameKey::of(&again), GameKey::of(stayer), "{shown}");
    assert_eq!(again.movetext.clean, completed.movetext.clean, "{shown}");
    let twice = adds.complete_movetext(&completed.movetext.clean);
    assert_eq!(twice, completed.movetext.clean, "completed twice");
}

fn main_line_of(clean: &str) -> Vec<String> {
    let mut depth = 0;
    let mut moves = Vec::new();
    for token in tokens(clean) {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            Token::Move(san) if depth == 0 => moves.push(san.to_owned()),
            Token::Move(_) | Token::Nag(_) | Token::Comment(_) => {}
        }
    }
    moves
}
