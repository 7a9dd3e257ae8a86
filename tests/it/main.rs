//! The one integration binary: the real program from outside, and the source tree itself.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod archive;
mod bench;
mod config;
mod crash;
mod damaged_index;
mod damaged_journal;
mod doctor;
mod files;
mod formats;
mod fuzz;
mod licences;
mod memory;
#[path = "../../fuzz/properties/mod.rs"]
mod properties;
mod reading;
mod replay;
mod roundtrip;
mod store;
mod tidy;
mod writing;
