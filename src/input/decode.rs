//! Unpacking one stream, and what its errors mean.

use std::io::{self, BufRead, Read};

use bzip2::bufread::MultiBzDecoder;
use zip::result::ZipError;

use super::error::Problem;
use super::format::Format;
use super::gzip::{BehindTheEnd, Gunzip};
use super::limits::Limits;

/// A stream of plain bytes.
pub(super) type Plain<'a> = Box<dyn Read + Send + 'a>;

/// Unpacks `packed`; several frames, members or streams that follow each other are one text.
/// `Format::Zip` is no stream: [`super::archive`] opens it.
pub(super) fn decode<'a>(
    format: Format,
    packed: impl BufRead + Send + 'a,
    limits: &Limits,
) -> io::Result<Plain<'a>> {
    Ok(match format {
        Format::Plain | Format::Zip => Box::new(packed),
        Format::Gzip => Box::new(Gunzip::new(packed)),
        Format::Bzip2 => Box::new(MultiBzDecoder::new(packed)),
        Format::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
            decoder.window_log_max(limits.zstd_window_log)?;
            Box::new(decoder)
        }
    })
}

/// What a failed read of `format` data means, `at` bytes into the file.
pub(super) fn explain(error: io::Error, format: Format, at: u64, limits: &Limits) -> Problem {
    if error.raw_os_error().is_some() || format == Format::Plain {
        return Problem::from_io(error);
    }
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Problem::CutOff { format, at };
    }
    if let Some(&BehindTheEnd(bytes)) = error.get_ref().and_then(|e| e.downcast_ref()) {
        return Problem::BehindTheEnd { format, bytes };
    }
    let why = error.to_string();
    // The library has a number for this, but its error carries the text alone.
    if format == Format::Zstd && why.contains("too much memory") {
        return Problem::WindowTooLarge { mib: (1 << limits.zstd_window_log) >> 20 };
    }
    Problem::Damaged { format, at, why }
}

/// What a failed look into a zip archive means, `at` bytes into the file.
pub(super) fn explain_zip(error: ZipError, at: u64, limits: &Limits) -> Problem {
    let damaged = |why: String| Problem::Damaged { format: Format::Zip, at, why };
    match error {
        ZipError::Io(error) => explain(error, Format::Zip, at, limits),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Problem::Encrypted,
        ZipError::UnsupportedArchive(_) => {
            Problem::Unsupported("packed in a way of zip archives that is rare")
        }
        ZipError::InvalidArchive(why) => damaged(why.into_owned()),
        other => damaged(other.to_string()),
    }
}
