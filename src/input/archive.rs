//! The members of a zip archive, one level deep.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::vec;

use zip::ZipArchive;

use super::decode::{Plain, decode, explain, explain_zip};
use super::error::{InputError, Problem, shown_bytes};
use super::format::{Format, PREFIX_BYTES, is_passed_over};
use super::limits::Limits;
use super::progress::{Budget, Progress, Tally};

/// Size of the buffer before a member's decoder.
const BUFFER_BYTES: usize = 64 << 10;

/// Not buffered: the library reads headers piece by piece and seeks between them, which would fill
/// a buffer for each; before a member's decoder it has a buffer of its own.
type Zip = ZipArchive<Tally<File>>;

/// An open archive and the members still to be read, in the order of its directory.
pub(super) struct Archive {
    zip: Zip,
    members: vec::IntoIter<usize>,
    /// Told before the first member: some are out of reach.
    lost: Option<Problem>,
}

/// A member that has been opened.
pub(super) struct Member<'a> {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) plain: Plain<'a>,
}

impl Archive {
    /// Reads the archive's directory. With `must_hold_games`, an archive without a file of games
    /// is a problem; otherwise it simply yields nothing.
    pub(super) fn open(
        file: File,
        progress: Progress,
        limits: &Limits,
        must_hold_games: bool,
    ) -> Result<Archive, Problem> {
        let budget = Budget::of(limits.zip_directory_bytes);
        let directory = file.try_clone().map_err(Problem::Io)?;
        let tally = Tally::with_budget(file, progress.clone(), budget.clone());
        let zip = ZipArchive::new(tally).map_err(|e| match budget.is_spent() {
            true => Problem::TooManyMembers,
            false => match explain_zip(e, progress.read(), limits) {
                Problem::Damaged { why, .. } => Problem::NoDirectory { why },
                Problem::CutOff { .. } => Problem::NoDirectory { why: "it is cut off".to_owned() },
                problem => problem,
            },
        })?;
        budget.lift();
        let listed =
            count_listed(&directory, zip.central_directory_start()).map_err(Problem::Io)?;
        let known = zip.len();
        let lost = (listed != known).then_some(Problem::DoubledMembers { listed, known });
        let members: Vec<usize> = (0..zip.len())
            .filter(|&index| zip.name_for_index(index).is_some_and(is_wanted))
            .collect();
        if members.is_empty() && must_hold_games && lost.is_none() {
            return Err(Problem::NoGames { members: known });
        }
        Ok(Archive { zip, members: members.into_iter(), lost })
    }

    /// Opens the next member; `archive_name` goes before its name.
    pub(super) fn next_member(
        &mut self,
        archive_name: &str,
        progress: &Progress,
        limits: &Limits,
    ) -> Option<Result<Member<'_>, InputError>> {
        if let Some(problem) = self.lost.take() {
            return Some(Err(problem.at(archive_name)));
        }
        let index = self.members.next()?;
        let member_name = self.zip.name_for_index(index).unwrap_or_default().to_owned();
        let name = format!("{archive_name}!{}", self.shown_member(index, &member_name));
        Some(match open_member(&mut self.zip, index, &member_name, progress, limits) {
            Ok((format, plain)) => Ok(Member { name, format, plain }),
            Err(problem) => Err(problem.at(&name)),
        })
    }

    /// The library replaces what is not UTF-8, and names that differ become one: where it may
    /// have, the bytes themselves are shown.
    fn shown_member(&mut self, index: usize, name: &str) -> String {
        if name.contains(char::REPLACEMENT_CHARACTER)
            && let Ok(member) = self.zip.by_index_raw(index)
        {
            return shown_bytes(member.name_raw());
        }
        shown_bytes(name.as_bytes())
    }
}

/// Members that the directory at byte `start` lists. The library knows them by their names, of
/// two that are called the same only the latter, and believes a count that older programs write
/// modulo 65536.
fn count_listed(file: &File, start: u64) -> io::Result<usize> {
    let mut directory = BufReader::with_capacity(BUFFER_BYTES, file);
    directory.seek(SeekFrom::Start(start))?;
    let mut header = [0; 46];
    let mut listed = 0;
    loop {
        match directory.read_exact(&mut header) {
            Ok(()) if header.starts_with(b"PK\x01\x02") => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
            // The record that ends the directory.
            _ => return Ok(listed),
        }
        // A name, extra fields and a comment follow.
        let length = |at| i64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        directory.seek_relative(length(28) + length(30) + length(32))?;
        listed += 1;
    }
}

fn open_member<'a>(
    zip: &'a mut Zip,
    index: usize,
    name: &str,
    progress: &Progress,
    limits: &Limits,
) -> Result<(Format, Plain<'a>), Problem> {
    let mut member = zip.by_index(index).map_err(|e| explain_zip(e, progress.read(), limits))?;
    let mut prefix = Vec::with_capacity(PREFIX_BYTES);
    let peeked = member.by_ref().take(PREFIX_BYTES as u64).read_to_end(&mut prefix);
    let format = match Format::tell(&prefix, name.as_bytes())? {
        Format::Zip => return Err(Problem::ArchiveInArchive),
        format => format,
    };
    // A fault within the first bytes is told by whoever reads on to it.
    let rest: Plain<'_> = match peeked {
        Ok(_) => Box::new(member),
        Err(error) => Box::new(Failing(Some(error))),
    };
    let packed = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(prefix).chain(rest));
    let plain =
        decode(format, packed, limits).map_err(|e| explain(e, format, progress.read(), limits))?;
    // A plain member's faults are the archive's.
    let format = if format == Format::Plain { Format::Zip } else { format };
    Ok((format, plain))
}

/// A file of games, or an archive: that is a problem to be told, not to be passed over.
fn is_wanted(member: &str) -> bool {
    let mut parts = member.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or_default();
    Format::of_listed_name(name.as_bytes()).is_some()
        && !parts.any(|folder| is_passed_over(folder.as_bytes()) && !matches!(folder, "." | ".."))
}

/// Fails once with the error it holds.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
