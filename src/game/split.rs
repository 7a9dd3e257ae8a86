//! Cuts a stream of bytes into games before any parser sees them, so that damage in one game stays
//! there (pgn.md).
//!
//! It never loses a byte: all text is in some [`RawGame`], also the text that is no game (prose,
//! HTML, binary), which [`read`](super::read()) tells. Only what stands between games and says
//! nothing is left out: blank lines, byte-order marks, `%` lines. It cuts at the same places
//! however the stream comes in pieces, and its memory is bounded.

use memchr::{memchr, memchr2, memchr3, memrchr};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::ending::{self, Ending, First};
use super::lines::{BOM, Line, Lines, MAX_LINE, Place};
use super::litter;
use super::seen::SeenTags;
use super::tagpair::{self, Form, WELL_KNOWN};
use super::{Oversize, RawGame};

/// A longer game is not kept whole (pgn.md: 16 MiB).
const MAX_GAME: usize = 16 << 20;
/// What is kept of it (pgn.md: 64 KiB).
const KEPT: usize = 64 << 10;

/// Cuts a stream into games: [`push`](Splitter::push) a piece, take the games that
/// [`Iterator::next`] has, and at the end [`finish`](Splitter::finish) and take the rest.
///
/// `next` gives `None` when it needs more of the stream, and may give games again after that.
pub struct Splitter {
    lines: Lines,
    state: State,
    /// Where the present game begins; of a game over the limit, what has not been hashed yet.
    game: usize,
    offset: u64,
    line: u64,
    after_blank: bool,
    tags: SeenTags,
    /// The last tag has no end yet: its value may go on on the next line.
    open_tag: bool,
    moves: Ending,
    in_brace: bool,
    within: Option<Within>,
    big: Option<Big>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    Tags,
    Moves,
}

/// A tag line in a comment: the next game begins there, should the comment have no end.
struct Within {
    place: Place,
    /// Other text than tags has come since.
    moves_since: bool,
}

/// A game over the limit.
struct Big {
    head: Vec<u8>,
    length: u64,
    hash: Box<Xxh3>,
}

impl Default for Splitter {
    fn default() -> Self {
        Splitter::new()
    }
}

impl Iterator for Splitter {
    type Item = RawGame;

    fn next(&mut self) -> Option<RawGame> {
        loop {
            let Some(line) = self.lines.take() else {
                return if self.lines.finished { self.last() } else { None };
            };
            if let Some(place) = self.look_at(&line) {
                return Some(self.cut(place));
            }
            self.after_blank = line.is_blank();
            if let Some(game) = self.spill() {
                return Some(game);
            }
        }
    }
}

impl Splitter {
    /// A splitter for a stream from its beginning.
    pub fn new() -> Splitter {
        Splitter::starting_at(0, 1)
    }

    /// A splitter for the rest of a source, from an `offset` in bytes that is on `line`.
    pub fn starting_at(offset: u64, line: u64) -> Splitter {
        Splitter {
            lines: Lines::starting_at(offset, line),
            state: State::Between,
            game: 0,
            offset,
            line,
            after_blank: false,
            tags: SeenTags::default(),
            open_tag: false,
            moves: Ending::default(),
            in_brace: false,
            within: None,
            big: None,
        }
    }

    /// Takes the next piece of the stream, of any size. Take the games before the next piece, or
    /// they pile up.
    pub fn push(&mut self, bytes: &[u8]) {
        let done = if self.state == State::Between { self.lines.at() } else { self.game };
        if done >= KEPT || done == self.lines.buffer.len() {
            self.lines.discard(done);
            self.game = self.game.saturating_sub(done);
            self.moves.at = self.moves.at.saturating_sub(done);
            if let Some(within) = &mut self.within {
                within.place.at -= done;
            }
        }
        self.lines.push(bytes);
    }

    /// Tells that the stream has ended.
    pub fn finish(&mut self) {
        self.lines.finish();
    }

    /// The number of bytes that are held at present.
    pub fn buffered(&self) -> usize {
        self.lines.buffer.len()
    }

    /// Looks at one line; says where the next game begins, if it does so before or in it.
    fn look_at(&mut self, line: &Line) -> Option<Place> {
        if line.is_blank() {
            return None;
        }
        match self.state {
            State::Between => self.begin(line),
            State::Tags => self.look_at_tags(line),
            State::Moves if self.in_brace => self.look_at_comment(line),
            State::Moves => self.look_at_moves(line),
        }
    }

    /// The first line of a game, or of text that is none.
    fn begin(&mut self, line: &Line) -> Option<Place> {
        let text = &self.lines.buffer[line.text..line.end];
        if text[0] == b'%' {
            return None;
        }
        self.game = line.text;
        self.offset = self.lines.offset(line.text);
        self.line = line.start.line;
        self.tags.clear();
        if tagpair::is_lenient(text) {
            self.read_tags(line, line.text)
        } else {
            self.begin_moves(line, line.text)
        }
    }

    fn begin_moves(&mut self, line: &Line, at: usize) -> Option<Place> {
        self.state = State::Moves;
        self.moves = Ending::starting_at(at);
        self.in_brace = false;
        self.within = None;
        self.scan_moves(line, at)
    }

    /// A line of tags, and of what may follow them on their line.
    fn read_tags(&mut self, line: &Line, at: usize) -> Option<Place> {
        self.state = State::Tags;
        self.open_tag = false;
        let text = &self.lines.buffer[at..line.end];
        self.tags.add(text);
        if text.trim_ascii_end().ends_with(b"]") && memrchr(b'[', text) == Some(0) {
            return None;
        }
        let open = tagpair::tags(text).last().is_some_and(|tag| tag.form == Form::Open);
        match litter::movetext_behind_tags(text) {
            Some(moves) => return self.begin_moves(line, at + moves),
            None => self.open_tag = open,
        }
        None
    }

    fn look_at_tags(&mut self, line: &Line) -> Option<Place> {
        let text = &self.lines.buffer[line.text..line.end];
        let blanks = litter::blanks(text);
        let (text, at) = (&text[blanks..], line.text + blanks);
        match text.first() {
            Some(b'%') => None,
            Some(b'[') => {
                let name = tagpair::name(text);
                // Tags that come again are the next game's, and this one has no moves (pgn.md).
                let next_game = self.tags.begin_again_with(name)
                    || (self.after_blank
                        && self.tags.contain(name, &self.lines.buffer[self.game..line.start.at]));
                if next_game {
                    return Some(line.place(line.text));
                }
                self.read_tags(line, at)
            }
            // A value that goes on.
            _ if self.open_tag && !self.after_blank && !ending::is_movetext(text) => {
                self.open_tag = !text.trim_ascii_end().ends_with(b"]");
                None
            }
            // Litter among the tags.
            _ if !self.after_blank && !litter::is_movetext(text) => {
                self.tags.interrupt();
                None
            }
            _ => self.begin_moves(line, line.text),
        }
    }

    fn look_at_moves(&mut self, line: &Line) -> Option<Place> {
        if !line.starts_line {
            return self.scan_moves(line, line.text);
        }
        let here = Some(line.place(line.text));
        let text = &self.lines.buffer[line.text..line.end];
        let one = text[0] == b'1' && ending::begins_with_one(text);
        match text[0] {
            b'%' if line.text == line.start.at => return None,
            b'[' if tagpair::is_strict(text) => {
                return if self.is_among_tags(line) {
                    self.read_tags(line, line.text)
                } else {
                    here
                };
            }
            b'<' => {}
            _ if one || self.after_blank => {}
            _ => return self.scan_moves(line, line.text),
        }
        self.moves.advance(&self.lines.buffer, line.start.at);
        let text = &self.lines.buffer[line.text..line.end];
        let well_known = || WELL_KNOWN.iter().any(|name| name.as_bytes() == tagpair::name(text));
        let next_game = if self.moves.is_nested() {
            false
        } else if self.moves.ended {
            true
        } else if text[0] == b'[' {
            self.after_blank && tagpair::is_lenient(text) && well_known()
        } else {
            // Move numbers that start again after a blank line, and moves after a text.
            let tagless = self.tags.is_empty() && self.lines.buffer[self.game] != b'[';
            let begun =
                self.moves.first == First::One || (tagless && self.moves.first == First::Prose);
            one && self.after_blank && begun
        };
        if next_game { here } else { self.scan_moves(line, line.text) }
    }

    /// True for a tag line that belongs to the present game though a comment stands before it.
    fn is_among_tags(&mut self, line: &Line) -> bool {
        let buffer = &self.lines.buffer;
        self.moves.advance_to_first(buffer, line.start.at);
        let name = tagpair::name(&buffer[line.text..line.end]);
        let text = &buffer[self.game..line.start.at];
        !self.tags.is_empty() && self.moves.first == First::None && !self.tags.contain(name, text)
    }

    /// A line that begins within a comment. A tag line after a blank line may begin the next game,
    /// as may any `[Event "`: it does unless the comment is closed before anything else is opened.
    fn look_at_comment(&mut self, line: &Line) -> Option<Place> {
        let text = &self.lines.buffer[line.text..line.end];
        if line.starts_line && text[0] == b'[' && tagpair::is_strict(text) {
            let begins = self.after_blank || tagpair::name(text) == b"Event";
            match &self.within {
                None if begins => {
                    self.within = Some(Within { place: line.place(line.text), moves_since: false });
                }
                Some(within) if begins && within.moves_since => return Some(within.place),
                _ => {}
            }
        } else if let Some(within) = &mut self.within {
            within.moves_since = true;
        }
        self.scan_moves(line, line.text)
    }

    /// Keeps track of comments along a line of movetext, and finds a game that begins in it
    /// (`1/2-1/2[Event "x"]`), or that began within a comment which has no end.
    fn scan_moves(&mut self, line: &Line, from: usize) -> Option<Place> {
        let mut at = from;
        loop {
            let rest = &self.lines.buffer[at..line.end];
            if self.in_brace {
                let found = match self.within {
                    None => memchr(b'}', rest),
                    Some(_) => memchr2(b'{', b'}', rest),
                }?;
                if rest[found] == b'{' {
                    return self.within.as_ref().map(|within| within.place);
                }
                self.in_brace = false;
                self.within = None;
                at += found + 1;
            } else {
                let found = memchr3(b'{', b';', b'[', rest)?;
                let byte = rest[found];
                at += found;
                match byte {
                    b'{' => self.in_brace = true,
                    b'[' if self.begins_game(at, line.end) => return Some(line.place(at)),
                    b'[' => {}
                    _ => return None,
                }
                at += 1;
            }
        }
    }

    /// True for a tag in the middle of a line of movetext where the game before it has ended, and
    /// for `[Event "` in any case.
    fn begins_game(&mut self, at: usize, end: usize) -> bool {
        let text = &self.lines.buffer[at..end];
        if at == self.game || !tagpair::is_strict(text) {
            return false;
        }
        let event = tagpair::name(text) == b"Event";
        self.moves.advance(&self.lines.buffer, at);
        event || (self.moves.ended && !self.moves.is_nested())
    }

    /// Of a game over the limit: hashes and drops what has been looked at.
    fn spill(&mut self) -> Option<RawGame> {
        if self.state == State::Between {
            return None;
        }
        let mut end = self.lines.at();
        if let Some(within) = &self.within {
            if end - within.place.at > MAX_GAME {
                let place = within.place;
                return Some(self.cut(place));
            }
            end = within.place.at;
        }
        let limit = if self.big.is_some() { MAX_LINE } else { MAX_GAME };
        if end - self.game <= limit {
            return None;
        }
        if self.big.is_none() {
            self.tags.collect(&self.lines.buffer[self.game..end]);
        }
        if self.state == State::Moves {
            self.moves.advance(&self.lines.buffer, end);
        }
        let text = &self.lines.buffer[self.game..end];
        let big = self.big.get_or_insert_with(|| Big {
            head: text[..KEPT].to_vec(),
            length: 0,
            hash: Box::new(Xxh3::new()),
        });
        big.length += text.len() as u64;
        big.hash.update(text);
        self.game = end;
        None
    }

    /// Cuts off the present game before `place`, where the next one begins.
    fn cut(&mut self, place: Place) -> RawGame {
        let game = self.take_game(place.at, true);
        self.lines.go_to(place);
        game
    }

    /// The last game of the stream.
    fn last(&mut self) -> Option<RawGame> {
        if self.state == State::Between {
            return None;
        }
        if let Some(within) = &self.within {
            let place = within.place;
            return Some(self.cut(place));
        }
        let end = self.lines.buffer.len();
        let complete = self.state == State::Moves && {
            self.moves.advance(&self.lines.buffer, end);
            self.moves.ended && !self.moves.is_nested()
        };
        Some(self.take_game(end, complete))
    }

    fn take_game(&mut self, end: usize, complete: bool) -> RawGame {
        let text = &self.lines.buffer[self.game..end];
        let (bytes, oversize) = match self.big.take() {
            Some(mut big) => {
                big.hash.update(text);
                let length = big.length + text.len() as u64;
                (big.head, Some(Oversize { length, hash: big.hash.digest128() }))
            }
            None => {
                let text = trim_end(text);
                let oversize = (text.len() > MAX_GAME)
                    .then(|| Oversize { length: text.len() as u64, hash: xxh3_128(text) });
                let kept = if oversize.is_some() { &text[..KEPT] } else { text };
                (kept.to_vec(), oversize)
            }
        };
        self.state = State::Between;
        self.within = None;
        self.in_brace = false;
        self.after_blank = false;
        RawGame { bytes, offset: self.offset, line: self.line, complete, oversize }
    }
}

/// Without the blanks and byte-order marks at its end.
fn trim_end(text: &[u8]) -> &[u8] {
    let mut text = text.trim_ascii_end();
    while let Some(before) = text.strip_suffix(BOM) {
        text = before.trim_ascii_end();
    }
    text
}
