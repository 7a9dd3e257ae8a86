//! The archive on disk.

pub mod journal;
