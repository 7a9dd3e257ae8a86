//! Damage to the index that shows while it is in use.
//!
//! sled returns errors for some damage and panics on other. A panic of sled is caught here and
//! becomes an error in words; the index is then marked, so that the next start makes it anew
//! instead of running into the same place again. Never: to hide a panic of anything but sled.

use std::backtrace::Backtrace;
use std::fs::{self, File};
use std::io::Write;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

use super::StoreError;

/// The file that says that the index must be made anew, and why.
const MARK: &str = "index-damaged";

/// What sled said when it panicked last, in whatever thread.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Does something with the index; a panic of sled becomes [`StoreError::IndexDamaged`].
///
/// # Errors
/// sled panicked.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, StoreError> {
    hear_sled();
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match sled_panicked() {
        Some(error) => error,
        None => resume_unwind(panic),
    })
}

/// The last panic of sled, told once: one of its own threads may have ended with it unseen.
pub fn sled_panicked() -> Option<StoreError> {
    let said = LAST.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    Some(StoreError::IndexDamaged(format!("sled failed ({said})")))
}

/// Marks the index of the archive in `dir`: the next start makes it anew.
///
/// # Errors
/// The mark cannot be written.
pub fn mark_index(dir: &Path, why: &str) -> std::io::Result<()> {
    let mut file = File::create(dir.join(MARK))?;
    writeln!(file, "{why}")?;
    file.sync_all()
}

/// Why the index is marked, if it is.
pub(super) fn mark_of(dir: &Path) -> Option<String> {
    let bytes = fs::read(dir.join(MARK)).ok()?;
    let why = String::from_utf8_lossy(&bytes);
    Some(why.lines().next().unwrap_or("it was found damaged").to_owned())
}

/// Takes the mark away.
pub(super) fn unmark(dir: &Path) -> Result<(), StoreError> {
    let path = dir.join(MARK);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::Io { path, source })
        }
        _ => Ok(()),
    }
}

/// From now on sled's panics are kept for [`guarded`] instead of being printed.
fn hear_sled() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if is_of_sled(info) {
                let said = said(info);
                tracing::debug!("sled panicked: {said}");
                *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
            } else {
                others(info);
            }
        }));
    });
}

fn is_of_sled(info: &PanicHookInfo<'_>) -> bool {
    info.location().is_some_and(|place| place.file().contains("/sled-"))
        || Backtrace::force_capture().to_string().contains(" sled::")
}

/// The message in one line.
fn said(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    let line: Vec<&str> = message.split_whitespace().collect();
    line.join(" ").chars().take(200).collect()
}
