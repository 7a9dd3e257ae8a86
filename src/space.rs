//! Is there no room left? One answer for every part that writes (reliability.md 17).

use std::io::{self, ErrorKind};

/// True when the disk is full, a quota is used up, or a file has reached its size limit.
pub fn is_no_space(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}
