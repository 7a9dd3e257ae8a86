//! Reading everything to see whether it is whole.

use super::{Damage, JournalError, Position, Reader};

/// What a full check of the journal found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Frames whose records are whole.
    pub frames: u64,
    /// Texts in them, damaged ones included.
    pub texts: u64,
    /// Every damaged place, in order.
    pub damages: Vec<Damage>,
}

impl Reader {
    /// Reads and checks every byte that the journal holds, in bounded memory.
    ///
    /// # Errors
    /// `Io`, `Newer`, `Foreign`, `Misplaced`. Damage is no error here but the result.
    pub fn verify(&self) -> Result<Verified, JournalError> {
        let mut verified = Verified::default();
        for frame in self.frames(Position::START)? {
            match frame {
                Ok(frame) => {
                    verified.frames += 1;
                    verified.texts += u64::from(frame.text_count());
                    verified.damages.append(&mut frame.check()?);
                }
                Err(JournalError::Damage(damage)) => verified.damages.push(damage),
                Err(error) => return Err(error),
            }
        }
        Ok(verified)
    }
}
