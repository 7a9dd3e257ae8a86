//! The fuzz target of [`gamekeeper_fuzz::journal`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::journal::holds(data));
