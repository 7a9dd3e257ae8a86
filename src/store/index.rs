//! The index: everything that follows from the journal, in one sled tree.
//!
//! One tree, so that a batch is one atomic step: what it changes and the [`Meta`] that counts it
//! stand together or not at all. Lists are numbered records in blocks, hashes are in memory. Until
//! [`Index::write`] all changes are in memory and seen by every reader of the index.

use std::collections::BTreeMap;

use sled::Tree;
use xxhash_rust::xxh3::xxh3_64;

use super::StoreError;
use super::blocks::Blocks;
use super::closing::Closing;
use super::database::Database;
use super::hashes::Hashes;
use super::journal::{ArchiveId, FrameRef, Position, TextRef};
use super::keys::{self, Kind};
use super::meta::{INDEX_FORMAT, Lost, Meta, Totals};
use super::recent::Recent;
use super::record::{GameId, RunId, Tally, TextId};
use super::row::{CopyRow, FrameRow, GameRow, Player, PlayerId, RejectedRow, RunRow, SourceId};
use super::tagset::TagSet;
use crate::name::Identity;

pub(super) struct Index {
    tree: Closing<Tree>,
    applied: Option<Position>,
    pub(super) totals: Totals,
    /// The archive that it is made of.
    pub(super) archive: Option<ArchiveId>,
    /// The frame applied last.
    pub(super) last: Option<FrameRef>,
    /// See [`Tally::chain`].
    pub(super) chain: u64,
    /// What damage to the journal has cost.
    pub(super) lost: Lost,
    /// See [`Meta::disagrees`].
    pub(super) disagrees: bool,
    pub(super) games: Blocks<GameRow>,
    pub(super) players: Blocks<Player>,
    pub(super) sources: Blocks<String>,
    tag_sets: Blocks<TagSet>,
    pub(super) rejected: Blocks<RejectedRow>,
    pub(super) runs: Blocks<RunRow>,
    frames: Blocks<FrameRow>,
    pub(super) copies: Blocks<CopyRow>,
    /// All of `frames`: where to look for a text.
    frames_by_text: Vec<FrameRow>,
    next_text: TextId,
    pub(super) fingerprints: Hashes,
    pub(super) site_ids: Hashes,
    pub(super) open_games: Hashes,
    pub(super) texts: Hashes,
    identities: Hashes,
    source_names: Hashes,
    tag_set_names: Hashes,
    pub(super) rejected_texts: Hashes,
    copies_of: Hashes,
    /// Players, sources and tag sets met last, so that they are not read for every game.
    recent: Recent,
    /// The run that is going on.
    run: Option<(RunId, RunRow)>,
    /// Cursors of the batch that is not written yet.
    cursors: BTreeMap<Vec<u8>, Vec<u8>>,
    // Last: closing it writes sled's last snapshot.
    database: Database,
}

impl Index {
    /// The index in `database`, which says `meta` of itself.
    ///
    /// # Errors
    /// [`StoreError::IndexDamaged`] where a part of it is missing.
    pub(super) fn load(database: Database, meta: Meta) -> Result<Index, StoreError> {
        let tree = Closing::new(database.tree().clone());
        let list = |at: usize| meta.lists.get(at).copied().unwrap_or(0);
        let log =
            |kind, at: usize| Hashes::load(kind, meta.logs.get(at).copied().unwrap_or(0), &tree);
        let frames = Blocks::<FrameRow>::new(Kind::Frames, list(6));
        let frames_by_text =
            frames.iter(&tree).map(|row| row.map(|(_, row)| row)).collect::<Result<_, _>>()?;
        Ok(Index {
            next_text: meta.next_text.max(1),
            frames,
            frames_by_text,
            applied: meta.applied,
            totals: meta.totals,
            archive: meta.archive,
            last: meta.last,
            chain: meta.chain,
            lost: meta.lost,
            disagrees: meta.disagrees,
            games: Blocks::new(Kind::Games, list(0)),
            players: Blocks::new(Kind::Players, list(1)),
            sources: Blocks::new(Kind::Sources, list(2)),
            tag_sets: Blocks::new(Kind::TagSets, list(3)),
            rejected: Blocks::new(Kind::Rejected, list(4)),
            runs: Blocks::new(Kind::Runs, list(5)),
            copies: Blocks::new(Kind::Copies, list(7)),
            fingerprints: log(Kind::Fingerprints, 0)?,
            site_ids: log(Kind::SiteIds, 1)?,
            open_games: log(Kind::OpenGames, 2)?,
            texts: log(Kind::Texts, 3)?,
            identities: log(Kind::Identities, 4)?,
            source_names: log(Kind::SourceNames, 5)?,
            tag_set_names: log(Kind::TagSetNames, 6)?,
            rejected_texts: log(Kind::RejectedTexts, 7)?,
            copies_of: log(Kind::CopiesOf, 8)?,
            recent: Recent::default(),
            run: None,
            cursors: BTreeMap::new(),
            tree,
            database,
        })
    }

    /// The tree, for the lists' readers.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Up to where the journal is applied.
    pub(super) fn applied(&self) -> Option<Position> {
        self.applied
    }

    /// Writes all changes in one atomic step; the journal is then applied up to `applied`, where
    /// `frame` ends.
    pub(super) fn write(&mut self, applied: Position, frame: FrameRef) -> Result<(), StoreError> {
        (self.applied, self.last, self.disagrees) = (Some(applied), Some(frame), false);
        if let Some((id, row)) = &self.run {
            self.runs.put(*id, row);
        }
        let mut batch = sled::Batch::default();
        let tree = &self.tree;
        self.games.write(tree, &mut batch)?;
        self.players.write(tree, &mut batch)?;
        self.sources.write(tree, &mut batch)?;
        self.tag_sets.write(tree, &mut batch)?;
        self.rejected.write(tree, &mut batch)?;
        self.runs.write(tree, &mut batch)?;
        self.frames.write(tree, &mut batch)?;
        self.copies.write(tree, &mut batch)?;
        let logs = [
            &mut self.fingerprints,
            &mut self.site_ids,
            &mut self.open_games,
            &mut self.texts,
            &mut self.identities,
            &mut self.source_names,
            &mut self.tag_set_names,
            &mut self.rejected_texts,
            &mut self.copies_of,
        ];
        let mut lengths = Vec::with_capacity(logs.len());
        for log in logs {
            log.write(&mut batch);
            lengths.push(log.len());
        }
        for (key, value) in std::mem::take(&mut self.cursors) {
            batch.insert(key, value);
        }
        let meta = self.meta(lengths);
        batch.insert(keys::meta(), postcard::to_stdvec(&meta).expect("plain data"));
        self.tree.apply_batch(batch)?;
        Ok(())
    }

    /// What it says of itself, with these lengths of the hash logs.
    fn meta(&self, logs: Vec<u64>) -> Meta {
        Meta {
            format: INDEX_FORMAT,
            applied: self.applied,
            lists: vec![
                self.games.len(),
                self.players.len(),
                self.sources.len(),
                self.tag_sets.len(),
                self.rejected.len(),
                self.runs.len(),
                self.frames.len(),
                self.copies.len(),
            ],
            logs,
            next_text: self.next_text,
            totals: self.totals,
            archive: self.archive,
            last: self.last,
            chain: self.chain,
            lost: self.lost,
            disagrees: self.disagrees,
        }
    }

    /// Looks at the last record of each list: what sled has lost of the end is missing there.
    ///
    /// # Errors
    /// [`StoreError::IndexDamaged`] where one is missing.
    pub(super) fn check_ends(&self) -> Result<(), StoreError> {
        let tree = &self.tree;
        self.games.get(tree, self.games.len())?;
        self.players.get(tree, self.players.len())?;
        self.sources.get(tree, self.sources.len())?;
        self.tag_sets.get(tree, self.tag_sets.len())?;
        self.rejected.get(tree, self.rejected.len())?;
        self.runs.get(tree, self.runs.len())?;
        Ok(())
    }

    /// What the archive comes to.
    pub(super) fn tally(&self) -> Tally {
        self.meta(Vec::new()).tally()
    }

    /// Remembers that it is as good as the journal, whatever the journal's last record says.
    pub(super) fn note_disagreement(&mut self) -> Result<(), StoreError> {
        let Some(mut meta) = self.database.meta()? else { return Ok(()) };
        self.disagrees = true;
        (meta.disagrees, meta.lost) = (true, self.lost);
        self.tree.insert(keys::meta(), postcard::to_stdvec(&meta).expect("plain data"))?;
        Ok(())
    }

    /// Makes what has been written safe on disk.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.tree.flush()?;
        Ok(())
    }

    /// The game with this number, deleted or not.
    pub(super) fn game(&self, id: GameId) -> Result<GameRow, StoreError> {
        let row = self.games.get(&self.tree, id)?;
        row.ok_or(StoreError::Unknown { what: "game", id })
    }

    /// The player with this number.
    pub(super) fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        let player = self.players.get(&self.tree, id)?;
        player.ok_or(StoreError::Unknown { what: "player", id })
    }

    /// The source with this number.
    pub(super) fn source(&self, id: SourceId) -> Result<String, StoreError> {
        let source = self.sources.get(&self.tree, id)?;
        source.ok_or(StoreError::Unknown { what: "source", id })
    }

    /// The tags of the set with this number.
    pub(super) fn tag_set(&self, id: u32) -> Result<TagSet, StoreError> {
        let set = self.tag_sets.get(&self.tree, id)?;
        set.ok_or(StoreError::Unknown { what: "tag set", id })
    }

    /// The player of this identity, where there is one.
    pub(super) fn player_of(
        &mut self,
        identity: &Identity,
    ) -> Result<Option<PlayerId>, StoreError> {
        if let Some(id) = self.recent.players.get(identity) {
            return Ok(Some(*id));
        }
        let found = self.find_player(identity)?;
        if let Some(id) = found {
            self.recent.remember_player(identity, id);
        }
        Ok(found)
    }

    /// The number of the player with this identity.
    pub(super) fn find_player(&self, identity: &Identity) -> Result<Option<PlayerId>, StoreError> {
        for number in self.identities.get(xxh3_64(identity.key().as_bytes())) {
            let id = narrow(number);
            if self.player(id)?.identity == *identity {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Adds a player who is not there yet.
    pub(super) fn add_player(&mut self, player: &Player) -> PlayerId {
        let id = self.players.push(player);
        self.identities.insert(xxh3_64(player.identity.key().as_bytes()), u64::from(id));
        id
    }

    /// The number of a source, added where it is new.
    pub(super) fn source_id(&mut self, name: &str) -> Result<SourceId, StoreError> {
        if let Some(id) = self.recent.source(name) {
            return Ok(id);
        }
        let (hash, name) = (xxh3_64(name.as_bytes()), name.to_owned());
        let id = intern(&self.tree, &mut self.sources, &mut self.source_names, hash, &name)?;
        self.recent.source = Some((name, id));
        Ok(id)
    }

    /// The number of a source that is there.
    pub(super) fn find_source(&self, name: &str) -> Result<Option<SourceId>, StoreError> {
        if let Some(id) = self.recent.source(name) {
            return Ok(Some(id));
        }
        find(
            &self.tree,
            &self.sources,
            &self.source_names,
            xxh3_64(name.as_bytes()),
            &name.to_owned(),
        )
    }

    /// The number of a set of tags, added where it is new.
    pub(super) fn tag_set_id(&mut self, names: &TagSet) -> Result<u32, StoreError> {
        if let Some(id) = self.recent.tag_sets.get(names) {
            return Ok(*id);
        }
        let hash = xxh3_64(names.as_str().as_bytes());
        let id = intern(&self.tree, &mut self.tag_sets, &mut self.tag_set_names, hash, names)?;
        self.recent.remember_tag_set(names, id);
        Ok(id)
    }

    /// The number of a tag set that is there.
    pub(super) fn find_tag_set(&self, names: &TagSet) -> Result<Option<u32>, StoreError> {
        let hash = xxh3_64(names.as_str().as_bytes());
        find(&self.tree, &self.tag_sets, &self.tag_set_names, hash, names)
    }

    /// All tag sets.
    pub(super) fn tag_sets(&self) -> &Blocks<TagSet> {
        &self.tag_sets
    }

    /// The frames of the journal that have texts.
    pub(super) fn frames(&self) -> &[FrameRow] {
        &self.frames_by_text
    }

    /// Changes a run; the change is written with the batch.
    pub(super) fn change_run(
        &mut self,
        id: RunId,
        change: impl FnOnce(&mut RunRow),
    ) -> Result<(), StoreError> {
        if self.run.as_ref().is_none_or(|(current, _)| *current != id) {
            if let Some((id, row)) = self.run.take() {
                self.runs.put(id, &row);
            }
            let row = self.runs.get(&self.tree, id)?;
            self.run = Some((id, row.ok_or(StoreError::Unknown { what: "run", id })?));
        }
        if let Some((_, row)) = &mut self.run {
            change(row);
        }
        Ok(())
    }

    /// The copy of a game that is recorded under this mark, and its number among all copies.
    pub(super) fn copy(&self, game: GameId, mark: u64) -> Result<Option<u32>, StoreError> {
        for entry in self.copies_of.get(spread(game)).filter(|entry| entry >> 32 == mark >> 32) {
            let number = low(entry);
            if self.copies.get(&self.tree, number)?.is_some_and(|copy| copy.mark == mark) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Records a copy of a game.
    pub(super) fn put_copy(&mut self, copy: &CopyRow) -> Result<(), StoreError> {
        let (game, mark) = (copy.game, copy.mark);
        if let Some(number) = self.copy(game, mark)? {
            self.copies.put(number, copy);
            return Ok(());
        }
        let number = u64::from(self.copies.push(copy));
        self.copies_of.insert(spread(game), mark >> 32 << 32 | number);
        self.totals.copies += 1;
        Ok(())
    }

    /// The copies of a game behind the one with the number `after`, in the order in which they came,
    /// with their numbers.
    pub(super) fn copies(
        &self,
        game: GameId,
        after: u32,
    ) -> Result<Vec<(u32, CopyRow)>, StoreError> {
        let numbers = self.copies_of.get(spread(game)).map(low);
        let mut numbers: Vec<u32> = numbers.filter(|&number| number > after).collect();
        numbers.sort_unstable();
        let mut copies = Vec::with_capacity(numbers.len());
        for number in numbers {
            let copy = self.copies.get(&self.tree, number)?;
            // An entry of another game is one whose hash is the same.
            copies.extend(copy.filter(|copy| copy.game == game).map(|copy| (number, copy)));
        }
        Ok(copies)
    }

    /// Keeps a source's cursor.
    pub(super) fn put_cursor(&mut self, followed: &str, cursor: &[u8]) {
        self.cursors.insert(keys::cursor(followed), cursor.to_vec());
    }

    /// A source's cursor.
    pub(super) fn cursor(&self, followed: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let key = keys::cursor(followed);
        match self.cursors.get(&key) {
            Some(cursor) => Ok(Some(cursor.clone())),
            None => Ok(self.tree.get(&key)?.map(|cursor| cursor.to_vec())),
        }
    }

    /// The texts that stand under this hash.
    pub(super) fn texts_with(&self, hash: u64) -> impl Iterator<Item = TextId> + '_ {
        self.texts.get(hash).map(narrow)
    }

    /// The number that the next text gets.
    pub(super) fn next_text(&self) -> TextId {
        self.next_text
    }

    /// Notes that the texts from `first` on, `count` of them, stand in this frame.
    pub(super) fn add_frame(&mut self, first: TextId, count: u32, frame: FrameRef) {
        self.next_text = self.next_text.max(first + count);
        if count > 0 {
            let row = FrameRow { first, count, frame };
            self.frames.push(&row);
            self.frames_by_text.push(row);
        }
    }

    /// The numbers below `next` are taken, whatever became of their texts.
    pub(super) fn skip_texts_to(&mut self, next: TextId) {
        self.next_text = self.next_text.max(next);
    }

    /// Where a text stands in the journal.
    pub(super) fn place_of(&self, text: TextId) -> Option<TextRef> {
        let after = self.frames_by_text.partition_point(|row| row.first <= text);
        let row = self.frames_by_text.get(after.checked_sub(1)?)?;
        let index = text - row.first;
        (index < row.count).then(|| row.frame.text(index))
    }
}

/// Under what the copies of a game are found. An entry's number has the upper half of the copy's
/// mark above the number of the copy.
fn spread(game: GameId) -> u64 {
    xxh3_64(&game.to_be_bytes())
}

/// The lower half of an entry's number.
fn low(entry: u64) -> u32 {
    narrow(entry & u64::from(u32::MAX))
}

/// Numbers in the logs of lists are 32 bits wide.
pub(super) fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("numbers of lists are 32 bits wide")
}

fn find<T>(
    tree: &Tree,
    list: &Blocks<T>,
    names: &Hashes,
    hash: u64,
    wanted: &T,
) -> Result<Option<u32>, StoreError>
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq,
{
    for number in names.get(hash) {
        if list.get(tree, narrow(number))?.as_ref() == Some(wanted) {
            return Ok(Some(narrow(number)));
        }
    }
    Ok(None)
}

fn intern<T>(
    tree: &Tree,
    list: &mut Blocks<T>,
    names: &mut Hashes,
    hash: u64,
    wanted: &T,
) -> Result<u32, StoreError>
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq,
{
    if let Some(number) = find(tree, list, names, hash, wanted)? {
        return Ok(number);
    }
    let number = list.push(wanted);
    names.insert(hash, u64::from(number));
    Ok(number)
}
