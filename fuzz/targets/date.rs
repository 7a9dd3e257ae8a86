//! The fuzz target of [`gamekeeper_fuzz::date`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::date::holds(data));
