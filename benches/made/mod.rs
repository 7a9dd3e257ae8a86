//! Games made up for measuring: legal, with names that look real, some of them copies of others
//! written otherwise, some nearly so. The same number gives the same games.

use std::collections::HashSet;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};

/// Copies are made of games this many back at most.
const NEAR: usize = 20_000;
const PLAYERS: usize = 6_000;

const FIRST: [&str; 32] = [
    "Mario",
    "Anna",
    "Łukasz",
    "Jörg",
    "Magnus",
    "Ding",
    "José",
    "Zsófia",
    "Ivan",
    "Пётр",
    "Li",
    "Viswanathan",
    "Elena",
    "Søren",
    "Peter",
    "J.",
    "Marie-Claire",
    "Ali",
    "Noël",
    "Giacomo",
    "Tereza",
    "Hikaru",
    "Olga",
    "Pat",
    "Ana",
    "Miguel",
    "Lars",
    "Wei",
    "Fatima",
    "Dave",
    "Ugo",
    "Bo",
];
const SYLLABLES: [&str; 24] = [
    "ros", "bian", "car", "vi", "mül", "öst", "ka", "ren", "dor", "sen", "ski", "ov", "ez", "chi",
    "la", "ber", "nak", "fi", "tal", "mur", "é", "wa", "ni", "gu",
];
const PARTICLES: [&str; 6] = ["", "", "", "de ", "van der ", "O'"];
const EVENTS: [&str; 6] =
    ["Club championship", "Roma op", "League 2", "Simul", "Rapid cup", "Memorial"];

/// The maker of games.
pub(crate) struct Maker {
    dice: u64,
    players: Vec<Player>,
    recent: Vec<Game>,
    distinct: HashSet<String>,
}

#[derive(Clone, Default)]
struct Player {
    last: String,
    first: String,
    fide: Option<u64>,
    nickname: Option<String>,
}

#[derive(Clone)]
struct Game {
    players: [Player; 2],
    year: usize,
    month: usize,
    day: usize,
    result: &'static str,
    moves: Vec<String>,
}

/// How a copy is written.
#[derive(Clone, Copy, Default)]
struct Style {
    turned: bool,
    capitals: bool,
    comments: bool,
    dashes: bool,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Maker {
        let mut maker = Maker {
            dice: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            players: Vec::new(),
            recent: Vec::new(),
            distinct: HashSet::new(),
        };
        maker.players = (0..PLAYERS).map(|_| maker.player()).collect();
        maker
    }

    /// How many of the games made so far are different ones.
    #[allow(dead_code, reason = "only one of the programs asks")]
    pub(crate) fn distinct(&self) -> usize {
        self.distinct.len()
    }

    /// Appends the next game.
    pub(crate) fn write(&mut self, out: &mut String) {
        let kind = if self.recent.is_empty() { 0 } else { self.below(10) };
        let (game, style) = match kind {
            0..=6 => (self.game(), Style::default()),
            7..=8 => {
                let style = Style {
                    turned: self.below(2) == 0,
                    capitals: self.below(3) == 0,
                    comments: self.below(2) == 0,
                    dashes: self.below(4) == 0,
                };
                (self.earlier(), style)
            }
            _ => (self.nearly(), Style::default()),
        };
        self.distinct.insert(game.identity());
        let event = EVENTS[self.below(EVENTS.len())];
        let round = 1 + self.below(11);
        game.write(event, round, style, out);
        if self.recent.len() < NEAR {
            self.recent.push(game);
        } else {
            let at = self.below(NEAR);
            self.recent[at] = game;
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 11) as usize % limit
    }

    fn player(&mut self) -> Player {
        if self.below(8) == 0 {
            let nickname = format!("{}_{}", SYLLABLES[self.below(4)], self.below(100_000));
            return Player { nickname: Some(nickname), ..Player::default() };
        }
        let mut last = String::new();
        for _ in 0..2 + self.below(2) {
            last.push_str(SYLLABLES[self.below(SYLLABLES.len())]);
        }
        let last = format!("{}{}", PARTICLES[self.below(PARTICLES.len())], capital(&last));
        let first = FIRST[self.below(FIRST.len())].to_owned();
        let fide = (self.below(2) == 0).then(|| 100_000 + self.below(9_000_000) as u64);
        Player { last, first, fide, nickname: None }
    }

    fn game(&mut self) -> Game {
        let white = self.below(PLAYERS);
        let black = (white + 1 + self.below(PLAYERS - 1)) % PLAYERS;
        let plies = 30 + self.below(110);
        let (moves, position) = self.moves(plies);
        let result = match position.outcome().winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => ["1-0", "0-1", "1/2-1/2"][self.below(3)],
        };
        Game {
            players: [self.players[white].clone(), self.players[black].clone()],
            year: 1990 + self.below(35),
            month: 1 + self.below(12),
            day: 1 + self.below(27),
            result,
            moves,
        }
    }

    fn moves(&mut self, plies: usize) -> (Vec<String>, Chess) {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for _ in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let chosen = legal[self.below(legal.len())];
            moves.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
        }
        (moves, position)
    }

    fn earlier(&mut self) -> Game {
        let at = self.below(self.recent.len());
        self.recent[at].clone()
    }

    /// A game that differs from an earlier one in a single thing.
    fn nearly(&mut self) -> Game {
        let mut game = self.earlier();
        let side = self.below(2);
        let player = &mut game.players[side];
        match self.below(6) {
            0 => game.day += 1,
            1 => game.result = if game.result == "1-0" { "0-1" } else { "1-0" },
            2 => game.moves.truncate(game.moves.len() - 1),
            3 if player.nickname.is_none() => {
                player.first = player.first.chars().next().into_iter().collect::<String>() + ".";
            }
            4 if player.nickname.is_none() => {
                player.fide = player.fide.map_or(Some(850_012), |_| None);
            }
            _ => game.players.swap(0, 1),
        }
        game
    }
}

impl Player {
    /// Who he is, by the rules of names.md §3 (the names here have no words in common order).
    fn identity(&self) -> String {
        match (&self.fide, &self.nickname) {
            (Some(id), _) => format!("#{id}"),
            (None, Some(nickname)) => format!("!{nickname}"),
            (None, None) => {
                let text = format!("{} {}", self.last, self.first).to_lowercase();
                let mut words: Vec<&str> = text
                    .split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .collect();
                words.sort_unstable();
                words.join(" ")
            }
        }
    }

    fn name(&self, style: Style) -> String {
        let Player { last, first, nickname, .. } = self;
        if let Some(nickname) = nickname {
            return if style.capitals { nickname.to_uppercase() } else { nickname.clone() };
        }
        let last = if style.capitals { last.to_uppercase() } else { last.clone() };
        if style.turned { format!("{first} {last}") } else { format!("{last}, {first}") }
    }
}

impl Game {
    fn identity(&self) -> String {
        let [white, black] = &self.players;
        let (white, black) = match (white.fide, black.fide) {
            // The same ID on both sides proves nothing.
            (Some(a), Some(b)) if a == b => (
                Player { fide: None, ..white.clone() }.identity(),
                Player { fide: None, ..black.clone() }.identity(),
            ),
            _ => (white.identity(), black.identity()),
        };
        let Game { year, month, day, result, moves, .. } = self;
        format!("{white}\n{black}\n{year}.{month}.{day}\n{result}\n{}", moves.join(" "))
    }

    fn write(&self, event: &str, round: usize, style: Style, out: &mut String) {
        let Game { year, month, day, result, .. } = self;
        let [white, black] = &self.players;
        let dash = if style.dashes { '-' } else { '.' };
        out.push_str(&format!(
            "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"{year}{dash}{month:02}{dash}{day:02}\"]\n\
             [Round \"{round}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n",
            white.name(style),
            black.name(style),
        ));
        for (colour, player) in [("White", white), ("Black", black)] {
            if let Some(id) = player.fide {
                out.push_str(&format!("[{colour}FideId \"{id}\"]\n"));
            }
        }
        let mut column = 80;
        let mut word = |text: &str| {
            column += text.len() + 1;
            out.push(if column > 80 { '\n' } else { ' ' });
            if column > 80 {
                column = text.len();
            }
            out.push_str(text);
        };
        for (ply, san) in self.moves.iter().enumerate() {
            if ply % 2 == 0 {
                word(&format!("{}.", ply / 2 + 1));
            }
            word(san);
            if style.comments && ply % 16 == 15 {
                word("$1");
                word("{a remark}");
            }
        }
        word(result);
        out.push_str("\n\n");
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
