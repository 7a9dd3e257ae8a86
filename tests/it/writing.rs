//! Writing real files: what was read, written and read again is written the same (pgn.md).

use gamekeeper::game::{self, Game, RawGame, Splitter, write_game};

use crate::bench::shared;

fn cut(bytes: &[u8]) -> Vec<RawGame> {
    let mut splitter = Splitter::new();
    splitter.push(bytes);
    splitter.finish();
    splitter.collect()
}

fn write(out: &mut Vec<u8>, game: &Game) {
    write_game(out, &game.tags, game.result, &game.start, &game.movetext);
}

/// pgn.md: “import → export → import → export gives the same bytes”.
#[test]
fn real_files_are_written_the_same_twice() {
    let Some(nasty) = shared("corpus/nasty") else { return };
    let files = std::fs::read_dir(nasty).expect("a folder");
    let mut games = 0;
    for file in files {
        let path = file.expect("an entry").path();
        let text = std::fs::read(&path).expect("a file");
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        let kept: Vec<Game> =
            cut(&text).iter().filter_map(|raw| game::read(raw, None).ok()).collect();
        let mut once = Vec::new();
        for game in &kept {
            write(&mut once, game);
        }
        let again = cut(&once);
        assert_eq!(again.len(), kept.len(), "{}", path.display());
        let mut twice = Vec::new();
        for (raw, before) in again.iter().zip(&kept) {
            let game = game::read(raw, None).unwrap_or_else(|why| panic!("{path:?}: {why}"));
            assert_eq!(game.movetext.clean, before.movetext.clean, "{}", path.display());
            assert_eq!(game.movetext.main_line, before.movetext.main_line);
            assert_eq!((&game.start.key, game.result), (&before.start.key, before.result));
            let played = matches!(game.start.rules, game::Rules::Played { .. });
            assert_eq!(game.movetext.canonical, played, "{}", path.display());
            write(&mut twice, &game);
            games += 1;
        }
        assert!(once == twice, "{} changes when it is written again", path.display());
    }
    assert!(games > 900, "{games} games");
}
