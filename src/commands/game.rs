//! `game show`: a game as it stands, and where it comes from.

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::config::Names;
use crate::exit::Exit;
use crate::export::pgn;
use crate::failure::Failure;
use crate::store::{GameId, Place, Role, Standing, Store, StoreError};

/// A game; the first fields are those of a search result.
#[derive(Serialize)]
struct Shown {
    id: GameId,
    white: String,
    black: String,
    white_fide_id: Option<String>,
    black_fide_id: Option<String>,
    date: String,
    result: &'static str,
    event: String,
    site: String,
    round: String,
    eco: String,
    plies: u32,
    white_player: u32,
    black_player: u32,
    deleted: bool,
    site_ids: Vec<String>,
    notes: Vec<String>,
    texts: Vec<Text>,
}

/// Where a text of the game came from.
#[derive(Serialize)]
struct Text {
    source: String,
    line: u64,
    offset: u64,
    role: &'static str,
    ground: Option<crate::dedup::Ground>,
    adds: Vec<String>,
}

/// Prints a game.
pub(super) fn show(id: u64, as_pgn: bool, context: &Context) -> Result<Exit, Failure> {
    let id = super::number(id)?;
    let store = open(context)?;
    let standing = store.standing(id, store.game(id)?)?;
    if as_pgn {
        let mut out = Output::new(false);
        out.bytes(&pgn(&standing, Names::Shown))?;
        out.finish()?;
        return Ok(Exit::Done);
    }
    let shown = gather(&store, &standing)?;
    Output::new(context.json).result(&shown, |out| {
        writeln!(out, "game {}: {} – {}  {}", shown.id, shown.white, shown.black, shown.result)?;
        writeln!(out, "event     {}, {}, round {}", shown.event, shown.site, shown.round)?;
        writeln!(out, "date      {}", shown.date)?;
        writeln!(out, "plies     {}", shown.plies)?;
        writeln!(out, "players   {} and {}", shown.white_player, shown.black_player)?;
        for id in &shown.site_ids {
            writeln!(out, "site id   {id}")?;
        }
        if shown.deleted {
            writeln!(out, "deleted   yes")?;
        }
        for note in &shown.notes {
            writeln!(out, "note      {note}")?;
        }
        for text in &shown.texts {
            let Text { source, line, role, adds, .. } = text;
            let adds =
                if adds.is_empty() { String::new() } else { format!(", adds {}", adds.join(", ")) };
            writeln!(out, "{role:<9} {source}, line {line}{adds}")?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn gather(store: &Store, standing: &Standing) -> Result<Shown, StoreError> {
    let Standing { id, row, game, white, black } = standing;
    let tag = |name| game.tags.get(name).unwrap_or("").to_owned();
    let fide_id = |name| game.tags.get(name).filter(|id| !id.is_empty()).map(str::to_owned);
    let mut texts = vec![text(store, row.place, "first", None, Vec::new())?];
    for copy in store.copies(*id)? {
        let role = match copy.role {
            Role::Duplicate => "duplicate",
            Role::Earlier => "earlier",
        };
        let tags = copy.adds.tags.iter().map(|(name, _)| name.clone());
        let plies = copy.adds.plies.len();
        let plies = (plies > 0).then(|| format!("notes beside {plies} plies"));
        texts.push(text(store, copy.place, role, Some(copy.ground), tags.chain(plies).collect())?);
    }
    if texts.iter().any(|text| text.role == "earlier") {
        texts[0].role = "latest";
    }
    Ok(Shown {
        id: *id,
        white: white.shown.clone(),
        black: black.shown.clone(),
        white_fide_id: fide_id("WhiteFideId"),
        black_fide_id: fide_id("BlackFideId"),
        date: row.date.to_string(),
        result: row.result.as_str(),
        event: tag("Event"),
        site: tag("Site"),
        round: tag("Round"),
        eco: tag("ECO"),
        plies: row.plies,
        white_player: row.white,
        black_player: row.black,
        deleted: row.deleted,
        site_ids: row.ids.iter().map(ToString::to_string).collect(),
        notes: store
            .notes(row)?
            .iter()
            .map(|note| format!("line {}: {}", note.line, note.message))
            .collect(),
        texts,
    })
}

fn text(
    store: &Store,
    place: Place,
    role: &'static str,
    ground: Option<crate::dedup::Ground>,
    adds: Vec<String>,
) -> Result<Text, StoreError> {
    Ok(Text {
        source: store.source(place)?,
        line: place.line,
        offset: place.offset,
        role,
        ground,
        adds,
    })
}
