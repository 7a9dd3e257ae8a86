//! The fuzz target of [`gamekeeper_fuzz::config`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::config::holds(data));
