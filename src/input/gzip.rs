//! gzip members that follow each other, and what stands behind the last.

use std::io::{self, BufRead, Chain, Cursor, Read};

use flate2::bufread::GzDecoder;

/// First bytes of a member.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The packed bytes, those before them that were looked at.
type Packed<R> = Chain<Cursor<Vec<u8>>, R>;

/// Unpacks all members as one text. Bytes behind a whole member that begin no other are never
/// taken for a member that is cut off: they end the text with [`BehindTheEnd`].
pub(super) struct Gunzip<R: BufRead> {
    /// `None` once the text has ended.
    member: Option<GzDecoder<Packed<R>>>,
}

/// So many bytes behind the last member belong to none.
#[derive(Debug, thiserror::Error)]
#[error("{0} bytes behind the end")]
pub(super) struct BehindTheEnd(pub(super) u64);

impl<R: BufRead> Gunzip<R> {
    pub(super) fn new(packed: R) -> Self {
        Gunzip { member: Some(GzDecoder::new(Cursor::new(Vec::new()).chain(packed))) }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            let n = member.read(buf)?;
            if n > 0 {
                return Ok(n);
            }
            self.member = self.member.take().map(GzDecoder::into_inner).map_or(Ok(None), next)?;
        }
        Ok(0)
    }
}

/// The member that follows, `None` at the end.
fn next<R: BufRead>(mut packed: Packed<R>) -> io::Result<Option<GzDecoder<Packed<R>>>> {
    let mut first = Vec::with_capacity(MAGIC.len());
    packed.by_ref().take(MAGIC.len() as u64).read_to_end(&mut first)?;
    if first.is_empty() {
        return Ok(None);
    }
    if first != MAGIC {
        let rest = io::copy(&mut packed, &mut io::sink())?;
        return Err(io::Error::other(BehindTheEnd(first.len() as u64 + rest)));
    }
    // A member is longer than its first bytes: those looked at before are used up.
    let (_, packed) = packed.into_inner();
    Ok(Some(GzDecoder::new(Cursor::new(first).chain(packed))))
}
