//! The commands that work on the archive.

use super::{Context, doctor, game, history, import, name, players, rejected, status, why};
use crate::cli::{ArchiveCommand, GameCommand, NameCommand, PlayersCommand, RejectedCommand};
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::store::journal::JournalError;
use crate::store::{Store, StoreError, guarded, mark_index, sled_panicked};

/// Runs one of them. An index that turns out to be damaged is told of and marked, so that the next
/// command makes it anew.
pub(super) fn run(command: ArchiveCommand, context: &Context) -> Result<Exit, Failure> {
    let done = guarded(|| choose(command, context));
    let unseen = sled_panicked();
    let failure = match (done, unseen) {
        (Ok(Ok(exit)), None) => return Ok(exit),
        (Ok(Ok(exit)), Some(error)) => {
            mark(&error.in_words(), context);
            tracing::warn!("{error}; the next command makes it anew from the journal");
            return Ok(exit);
        }
        (Ok(Err(failure)), _) => failure,
        (Err(error), _) => error.into(),
    };
    let error = failure.error().and_then(|error| error.downcast_ref::<StoreError>());
    if let Some(error) = error.filter(|error| error.is_index_damage()) {
        mark(&error.in_words(), context);
    }
    Err(failure)
}

/// Has the index made anew by the next command.
pub(super) fn mark(why: &str, context: &Context) {
    if let Err(error) = mark_index(&context.state_dir, why) {
        tracing::error!("cannot write to {}: {error}", context.state_dir.display());
    }
}

fn choose(command: ArchiveCommand, context: &Context) -> Result<Exit, Failure> {
    match command {
        ArchiveCommand::Import { paths, dry_run } => import::run(&paths, dry_run, context),
        ArchiveCommand::Export { names, output } => {
            super::export::run(&names, output.as_deref(), context)
        }
        ArchiveCommand::Why { games, file } => why::run(&games, file.as_deref(), context),
        ArchiveCommand::Name(NameCommand::Explain { name, fide_id, online }) => {
            name::explain(&name, fide_id.as_deref(), online, context)
        }
        ArchiveCommand::Rejected(RejectedCommand::List) => rejected::list(context),
        ArchiveCommand::Rejected(RejectedCommand::Show { id }) => rejected::show(id, context),
        ArchiveCommand::Rejected(RejectedCommand::Retry { ids }) => rejected::retry(&ids, context),
        ArchiveCommand::Game(GameCommand::Show { id, pgn }) => game::show(id, pgn, context),
        ArchiveCommand::Players(PlayersCommand::List) => players::list(context),
        ArchiveCommand::Players(PlayersCommand::Show { id }) => players::show(id, context),
        ArchiveCommand::History { since } => history::run(since, context),
        ArchiveCommand::Status => status::run(context),
        ArchiveCommand::Doctor { rebuild: true } => doctor::rebuild(context),
        ArchiveCommand::Doctor { rebuild: false } => doctor::examine(context),
    }
}

/// Opens the archive and tells what had to be mended.
pub(super) fn open(context: &Context) -> Result<Store, Failure> {
    let store = Store::open(&context.state_dir)?;
    for notice in store.notices() {
        tracing::warn!("{notice}");
    }
    Ok(store)
}

impl From<export::Error> for Failure {
    fn from(error: export::Error) -> Failure {
        match error {
            export::Error::Store(error) => error.into(),
            export::Error::Export(error) if error.is_no_space() => {
                Failure::new(Exit::NoSpace, error)
                    .hint("make room and run the command again: what stood there is as it was")
            }
            export::Error::Export(error) => Failure::new(Exit::Failed, error),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let exit = match &error {
            _ if error.is_no_space() => Exit::NoSpace,
            StoreError::Locked { .. } => Exit::Locked,
            StoreError::Newer { .. }
            | StoreError::NewerRecord { .. }
            | StoreError::Lossy(_)
            | StoreError::Unreadable(_) => Exit::Damaged,
            error if error.is_lost_text() => Exit::Damaged,
            StoreError::Journal(error) if error.is_damage() => Exit::Damaged,
            _ => Exit::Failed,
        };
        let hint = match &error {
            StoreError::Locked { .. } => Some("wait until it has ended, or stop it"),
            StoreError::Newer { .. } | StoreError::NewerRecord { .. } => {
                Some("use the gamekeeper that wrote it, or a newer one")
            }
            StoreError::Lossy(_) => Some(
                "put back a sound copy of that file; or go on without what is lost: gamekeeper doctor --rebuild",
            ),
            error if error.is_index_damage() => Some(
                "run the command again: the index is made anew from the journal, and nothing is lost",
            ),
            StoreError::Journal(JournalError::Misplaced { .. } | JournalError::Foreign { .. }) => {
                Some("move it out of the folder of the journal, and put back what was there")
            }
            error if error.is_lost_text() => Some(
                "put back a sound copy of that file, or import the game again; gamekeeper doctor tells what else is damaged",
            ),
            StoreError::NoRoom { .. } => Some(
                "make room and run the command again; 16 MiB at least, or min_free_space of the config",
            ),
            _ if exit == Exit::NoSpace => {
                Some("make room and run the command again: nothing is lost")
            }
            _ => None,
        };
        let details = match &error {
            StoreError::Lossy(lossy) => lossy.damages.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        let failure = Failure::new(exit, error).details(details);
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
