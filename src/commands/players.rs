//! `players list` and `players show`.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::Identity;
use crate::store::{Player, PlayerId, Store, StoreError};

/// One line of `players list`; the fields are an interface.
#[derive(Serialize)]
struct Line {
    id: PlayerId,
    name: String,
    fide_id: Option<String>,
    kind: &'static str,
    games: u64,
}

#[derive(Serialize)]
struct Players {
    players: Vec<Line>,
}

/// A player with every name under which his games have him, and how often.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    line: Line,
    identity: String,
    first_game: u32,
    first_date: Option<String>,
    last_date: Option<String>,
    spellings: BTreeMap<String, u64>,
    sources: BTreeMap<String, u64>,
    /// Games whose text cannot be read any more: how they wrote him is not known.
    #[serde(skip)]
    lost: u64,
}

/// Prints all players who have a game.
pub(super) fn list(context: &Context) -> Result<Exit, Failure> {
    let store = open(context)?;
    let mut players = Vec::new();
    let counts = counted(&store)?;
    for player in store.players() {
        let (id, player) = player?;
        if let Some(games) = counts.get(&id) {
            players.push(line(id, player, *games));
        }
    }
    let players = Players { players };
    Output::new(context.json).result(&players, |out| {
        writeln!(out, "{:>7}  {:>7}  {:<8}  {:>10}  name", "id", "games", "kind", "FIDE ID")?;
        for Line { id, name, fide_id, kind, games } in &players.players {
            let fide_id = fide_id.as_deref().unwrap_or("");
            writeln!(out, "{id:>7}  {games:>7}  {kind:<8}  {fide_id:>10}  {name}")?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

/// Prints what is known of one player.
pub(super) fn show(id: u64, context: &Context) -> Result<Exit, Failure> {
    let id = super::number(id)?;
    let store = open(context)?;
    let player = store.player(id)?;
    let shown = gather(&store, id, player)?;
    Output::new(context.json).result(&shown, |out| {
        writeln!(out, "{} (player {})", shown.line.name, id)?;
        writeln!(out, "identity    {}", shown.identity)?;
        writeln!(out, "games       {}, the first is game {}", shown.line.games, shown.first_game)?;
        if let (Some(first), Some(last)) = (&shown.first_date, &shown.last_date) {
            writeln!(out, "dates       {first} to {last}")?;
        }
        for (name, games) in &shown.spellings {
            writeln!(out, "written     {name:<40} {games:>7}")?;
        }
        for (source, games) in &shown.sources {
            writeln!(out, "from        {source:<40} {games:>7}")?;
        }
        Ok(())
    })?;
    Ok(if shown.lost == 0 { Exit::Done } else { Exit::Partial })
}

/// How many games each player has; one who plays himself has the game once.
pub(super) fn counted(store: &Store) -> Result<HashMap<PlayerId, u64>, StoreError> {
    let mut counts = HashMap::new();
    for game in store.sides() {
        let (_, row) = game?;
        if row.deleted {
            continue;
        }
        *counts.entry(row.white).or_default() += 1;
        if row.black != row.white {
            *counts.entry(row.black).or_default() += 1;
        }
    }
    Ok(counts)
}

fn gather(store: &Store, id: PlayerId, player: Player) -> Result<Shown, StoreError> {
    let first_game = player.first_game;
    let identity = player.identity.key();
    let mut shown = Shown {
        line: line(id, player, 0),
        identity,
        first_game,
        first_date: None,
        last_date: None,
        spellings: BTreeMap::new(),
        sources: BTreeMap::new(),
        lost: 0,
    };
    for game in store.games() {
        let (number, row) = game?;
        if row.deleted || row.white != id && row.black != id {
            continue;
        }
        shown.line.games += 1;
        *shown.sources.entry(store.source(row.place)?).or_default() += 1;
        let date = Some(row.date.to_string()).filter(|date| !date.starts_with('?'));
        shown.first_date = [shown.first_date.take(), date.clone()].into_iter().flatten().min();
        shown.last_date = shown.last_date.take().max(date);
        let sides = [(row.white, "White"), (row.black, "Black")];
        let standing = match store.standing(number, row) {
            Ok(standing) => standing,
            Err(error) if error.is_lost_text() => {
                tracing::error!("{}: its text is lost: {error}", store.name_of(number)?);
                shown.lost += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        for (_, tag) in sides.iter().filter(|(player, _)| *player == id) {
            let spelled = standing.game.tags.get(tag).unwrap_or("").to_owned();
            *shown.spellings.entry(spelled).or_default() += 1;
        }
    }
    Ok(shown)
}

fn line(id: PlayerId, player: Player, games: u64) -> Line {
    let fide_id = match &player.identity {
        Identity::Fide(fide_id) => Some(fide_id.to_string()),
        _ => None,
    };
    Line { id, name: player.shown, fide_id, kind: player.identity.class(), games }
}
