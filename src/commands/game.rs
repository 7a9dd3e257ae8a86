//! `game show`: a game as it stands, and where it comes from.

use serde::Serialize;

use super::archive::open;
use super::{Context, Output};
use crate::config::Names;
use crate::exit::Exit;
use crate::export::pgn;
use crate::failure::Failure;
use crate::game::Tags;
use crate::store::{GameId, GameRow, Place, Role, Store, StoreError};

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
    let row = store.game(id)?;
    let standing = match store.standing(id, row.clone()) {
        Ok(standing) => Some(standing),
        // What the index knows of it can be shown all the same.
        Err(error) if error.is_lost_text() && !as_pgn => {
            tracing::error!("{}: its text is lost: {error}", store.name_of(id)?);
            None
        }
        Err(error) => return Err(error.into()),
    };
    let exit = if standing.is_some() { Exit::Done } else { Exit::Partial };
    if let Some((standing, place)) = standing.as_ref().and_then(|s| Some((s, s.by_copy?))) {
        let (name, source) = (store.name_of(standing.id)?, store.source(place)?);
        let line = place.line;
        tracing::warn!(
            "{name}: its own text cannot be read: that of its copy in {source}, line {line}"
        );
    }
    if let Some(standing) = standing.as_ref().filter(|_| as_pgn) {
        let mut out = Output::new(false);
        out.bytes(&pgn(standing, Names::Shown))?;
        out.finish()?;
        return Ok(Exit::Done);
    }
    let tags = standing.as_ref().map(|standing| &standing.game.tags);
    let shown = gather(&store, id, &row, tags.unwrap_or(&Tags::default()))?;
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
    Ok(exit)
}

fn gather(store: &Store, id: GameId, row: &GameRow, tags: &Tags) -> Result<Shown, StoreError> {
    let tag = |name| tags.get(name).unwrap_or("").to_owned();
    let fide_id = |name| tags.get(name).filter(|id| !id.is_empty()).map(str::to_owned);
    let mut texts = vec![text(store, row.place, "first", None, Vec::new())?];
    for copy in store.copies(id)? {
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
    let notes = match store.notes(row) {
        Ok(notes) => notes,
        Err(error) if error.is_lost_text() => Vec::new(),
        Err(error) => return Err(error),
    };
    let notes = notes.iter().map(|note| format!("line {}: {}", note.line, note.message)).collect();
    Ok(Shown {
        id,
        white: store.player(row.white)?.shown,
        black: store.player(row.black)?.shown,
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
        notes,
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
