//! `name explain`: what the rules make of a name (names.md §1–§4, §6).

use serde::Serialize;

use super::{Context, Output};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::{FideId, Identity, Kind, fold, shown, tidy, words};

#[derive(Serialize)]
struct Explained {
    kind: &'static str,
    words: Vec<String>,
    identity: String,
    shown: String,
    own: bool,
}

/// Explains one name; needs no archive.
pub(super) fn explain(
    name: &str,
    fide_id: Option<&str>,
    online: bool,
    context: &Context,
) -> Result<Exit, Failure> {
    let fide_id = fide_id.and_then(FideId::parse);
    let explained = Explained {
        kind: Kind::of(name).as_str(),
        words: words(&fold(&tidy(name))).map(str::to_owned).collect(),
        identity: Identity::of(name, fide_id.as_ref()).key(),
        shown: shown(name, online),
        own: context.config.owner.profile().owns(name, fide_id.as_ref()),
    };
    Output::new(context.json).result(&explained, |out| {
        writeln!(out, "kind      {}", explained.kind)?;
        writeln!(out, "words     {}", explained.words.join(" · "))?;
        writeln!(out, "identity  {}", explained.identity)?;
        writeln!(out, "shown     {}", explained.shown)?;
        writeln!(out, "own       {}", if explained.own { "yes" } else { "no" })
    })?;
    Ok(Exit::Done)
}
