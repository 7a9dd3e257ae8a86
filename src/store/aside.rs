//! Texts of a dry run: it needs them as an import does, to compare and to complete, and has no
//! journal to put them in. They wait in a file without a name, so that memory stays bounded.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Texts by number, counted from 0.
pub(super) struct Aside {
    file: File,
    /// Where each text ends; it begins where the one before it ends.
    ends: Vec<u64>,
}

impl Aside {
    /// None yet. The file, in `dir`, vanishes with the process.
    pub(super) fn new(dir: &Path) -> io::Result<Aside> {
        Ok(Aside { file: tempfile::tempfile_in(dir)?, ends: Vec::new() })
    }

    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// Takes texts out of memory.
    pub(super) fn take(&mut self, texts: &mut Vec<Vec<u8>>) -> io::Result<()> {
        let mut end = self.ends.last().copied().unwrap_or(0);
        let bytes = texts.concat();
        self.file.write_all_at(&bytes, end)?;
        for text in texts.drain(..) {
            end += text.len() as u64;
            self.ends.push(end);
        }
        Ok(())
    }

    /// A text; `None` where there is none of this number.
    pub(super) fn text(&self, number: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(&end) = self.ends.get(number) else { return Ok(None) };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let length = usize::try_from(end - start).expect("a text was in memory before");
        let mut text = vec![0; length];
        self.file.read_exact_at(&mut text, start)?;
        Ok(Some(text))
    }
}
