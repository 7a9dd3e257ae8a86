//! `why`: the five equalities of two games, one by one, and the verdict.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::archive::open;
use super::file::games_of_file;
use super::{Context, Output};
use crate::dedup::{Equalities, Facts, Relation, relation};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game::{self, GameResult};

#[derive(Serialize)]
struct Why {
    same: bool,
    #[serde(flatten)]
    equal: Equalities,
}

/// Compares two games of the archive, or the two games of a file.
pub(super) fn run(games: &[u64], file: Option<&Path>, context: &Context) -> Result<Exit, Failure> {
    let ((a, a_plies), (b, b_plies)) = match (file, games) {
        (Some(file), _) => two_of(file)?,
        (None, &[a, b]) => {
            let (a, b) = (super::number(a)?, super::number(b)?);
            let store = open(context)?;
            let side = |id| Ok::<_, Failure>((store.facts(id)?, store.game(id)?.plies));
            (side(a)?, side(b)?)
        }
        (None, _) => return Err(Failure::message(Exit::Usage, "name two games")),
    };
    let relation = relation(&a, &b, false);
    let why = Why { same: relation != Relation::Different, equal: Equalities::of(&a, &b) };
    Output::new(context.json)
        .result(&why, |out| tell(out, (&a, a_plies), (&b, b_plies), &why, relation))?;
    Ok(Exit::Done)
}

/// What decides about a game, and its plies.
type Side = (Facts, u32);

fn two_of(file: &Path) -> Result<(Side, Side), Failure> {
    let games = games_of_file(file).map_err(|message| Failure::message(Exit::Failed, message))?;
    let [a, b] = games.as_slice() else {
        let message = match games.len() {
            3 => format!("{} holds more than two games", file.display()),
            count => format!("{} holds {count} games, not two", file.display()),
        };
        return Err(Failure::message(Exit::Failed, message));
    };
    let facts = |raw: &game::RawGame| match game::read(raw, None) {
        Ok(game) => Ok((Facts::of(&game, raw.complete), game.movetext.plies)),
        Err(rejection) => {
            let message = format!("{}:{}: {rejection}", file.display(), rejection.line);
            Err(Failure::message(Exit::Failed, message))
        }
    };
    Ok((facts(a)?, facts(b)?))
}

fn tell(
    out: &mut dyn Write,
    (a, a_plies): (&Facts, u32),
    (b, b_plies): (&Facts, u32),
    why: &Why,
    relation: Relation,
) -> std::io::Result<()> {
    let mut line = |what: &str, same: Option<bool>, a: &str, b: &str| match same {
        None => writeln!(out, "{what:<7} -     {a} | {b}"),
        Some(true) => writeln!(out, "{what:<7} same  {a}"),
        Some(false) => writeln!(out, "{what:<7} NO    {a} | {b}"),
    };
    let ids = |facts: &Facts| {
        let ids: Vec<String> = facts.ids.iter().map(ToString::to_string).collect();
        if ids.is_empty() { "no id".to_owned() } else { ids.join(" ") }
    };
    let (x, y) = (&a.key, &b.key);
    let equal = &why.equal;
    line("id", equal.id, &ids(a), &ids(b))?;
    line("white", Some(equal.white), &x.white.key(), &y.white.key())?;
    line("black", Some(equal.black), &x.black.key(), &y.black.key())?;
    line("date", Some(equal.date), &x.date, &y.date)?;
    line("result", Some(equal.result), result(x.result), result(y.result))?;
    line("start", Some(equal.start), start(&x.start), start(&y.start))?;
    line("moves", Some(equal.moves), &plies(a_plies), &plies(b_plies))?;
    let verdict = match relation {
        Relation::Same(ground) => format!("the same game ({})", ground.in_words()),
        Relation::GoesOn(ground) => {
            format!("the same game, the second further on ({})", ground.in_words())
        }
        Relation::Earlier(ground) => {
            format!("the same game, the first further on ({})", ground.in_words())
        }
        Relation::Different => "two games".to_owned(),
    };
    writeln!(out, "verdict {verdict}")
}

fn result(result: GameResult) -> &'static str {
    result.as_str()
}

fn start(start: &str) -> &str {
    if start.is_empty() { "the usual start" } else { start }
}

fn plies(plies: u32) -> String {
    format!("{plies} plies")
}
