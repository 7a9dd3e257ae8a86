//! Every key of the index, in one place: a kind and big-endian numbers, so that sled's order is
//! theirs.

/// What a key is about; its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The one record of [`super::meta::Meta`].
    Meta = 0x01,
    /// Blocks of game rows.
    Games = 0x10,
    /// Blocks of players.
    Players = 0x11,
    /// Blocks of the names of sources.
    Sources = 0x12,
    /// Blocks of tag sets.
    TagSets = 0x13,
    /// Blocks of rejected games.
    Rejected = 0x14,
    /// Blocks of runs.
    Runs = 0x15,
    /// Blocks of frames of the journal that have texts.
    Frames = 0x16,
    /// Blocks of further texts of games.
    Copies = 0x17,
    /// Fingerprint → game.
    Fingerprints = 0x20,
    /// Hash of a site id → game.
    SiteIds = 0x21,
    /// Hash of a source and the tags of a game that may go on → game.
    OpenGames = 0x22,
    /// Hash of a text → its place in the journal.
    Texts = 0x23,
    /// Hash of an identity → player.
    Identities = 0x24,
    /// Hash of a source's name → source.
    SourceNames = 0x25,
    /// Hash of a tag set → tag set.
    TagSetNames = 0x26,
    /// Hash of a rejected text → rejected game.
    RejectedTexts = 0x27,
    /// Game → copy.
    CopiesOf = 0x28,
    /// Cursors of sources.
    Cursors = 0x30,
}

/// The key of [`Kind::Meta`].
pub(super) fn meta() -> Vec<u8> {
    vec![Kind::Meta as u8]
}

/// The key of a numbered block or chunk.
pub(super) fn numbered(kind: Kind, number: u32) -> Vec<u8> {
    let mut key = vec![kind as u8];
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// The key of a source's cursor.
pub(super) fn cursor(followed: &str) -> Vec<u8> {
    let mut key = vec![Kind::Cursors as u8];
    key.extend_from_slice(followed.as_bytes());
    key
}
