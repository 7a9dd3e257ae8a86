//! The sled database that the index is in: opening and closing it, whatever state its files are in.

use std::path::Path;
use std::time::Duration;

use sled::Tree;

use super::StoreError;
use super::closing::Closing;
use super::index::Index;
use super::keys::{self, Kind};
use super::meta::Meta;

/// Memory that sled may use for its cache, in bytes.
const CACHE: u64 = 64 << 20;

/// The sled database that an index is in.
pub(super) struct Database {
    db: Closing<sled::Db>,
    tree: Closing<Tree>,
}

impl Database {
    /// Opens the database in `dir`, or makes an empty one.
    ///
    /// # Errors
    /// sled cannot open it.
    pub(super) fn open(dir: &Path) -> Result<Database, StoreError> {
        let config = sled::Config::new()
            .path(dir)
            .cache_capacity(CACHE)
            // The journal is the truth; what sled has not flushed is applied again.
            .flush_every_ms(Some(5_000));
        let db = open_soon(&config).map(Closing::new)?;
        let tree = db.open_tree("index").map(Closing::new)?;
        Ok(Database { db, tree })
    }

    /// The tree that the index is in.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What the index says of itself; `None` where nothing was ever written, or all is lost.
    ///
    /// # Errors
    /// As [`Meta::parse`].
    pub(super) fn meta(&self) -> Result<Option<Meta>, StoreError> {
        self.tree.get(keys::meta())?.map(|bytes| Meta::parse(&bytes)).transpose()
    }
}

/// Opens the database. The archive's lock is ours, so whoever has sled's own is about to end: a process
/// that was just begun, or a handle that is being closed.
fn open_soon(config: &sled::Config) -> sled::Result<sled::Db> {
    let mut wait = Duration::from_millis(5);
    loop {
        match config.open() {
            Err(sled::Error::Io(error))
                if error.to_string().contains(LOCKED) && wait < Duration::from_secs(1) =>
            {
                std::thread::sleep(wait);
                wait *= 2;
            }
            opened => return opened,
        }
    }
}

/// What sled says where another has its lock.
const LOCKED: &str = "could not acquire lock";

impl Drop for Database {
    fn drop(&mut self) {
        // After a panic of sled its closing may panic again, which would end the program without a
        // word. What it has not written stands in the journal.
        if std::thread::panicking() {
            std::mem::forget((sled::Db::clone(&self.db), Tree::clone(&self.tree)));
        }
    }
}

impl Index {
    /// How many cursors are written, and of these, how many belong to no name.
    pub(super) fn count_cursors(&self) -> Result<(u64, u64), StoreError> {
        let (mut cursors, mut bad) = (0, 0);
        for entry in self.tree().scan_prefix([Kind::Cursors as u8]) {
            let (key, _) = entry?;
            cursors += 1;
            bad += u64::from(std::str::from_utf8(&key[1..]).is_err());
        }
        Ok((cursors, bad))
    }
}
