//! The one integration binary.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod licences;
