//! Opening what `import` is given: paths, folders, archives and stdin become plain bytes.
//!
//! It knows nothing of games: it finds files in a stable order ([`walk()`]), tells their format,
//! unpacks them and hands the bytes out in bounded pieces ([`Input`], [`Text`]). Memory stays
//! bounded whatever a file unpacks to.
//!
//! It must never block on something that is no file, never write anything, and never drop bytes
//! in silence: what was read before a fault is handed out, then the fault is told with the file
//! and the byte ([`InputError`]). One bad file never stops the others.

mod archive;
mod decode;
mod error;
mod format;
mod gzip;
mod identity;
mod limits;
mod open;
mod progress;
mod text;
mod walk;

#[cfg(test)]
mod tests;

pub use error::{InputError, Problem};
pub use format::Format;
pub use identity::FileIdentity;
pub use limits::Limits;
pub use open::Input;
pub use progress::Progress;
pub use text::Text;
pub use walk::{Found, Walk, walk};
