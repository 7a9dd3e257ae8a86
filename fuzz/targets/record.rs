//! The fuzz target of [`gamekeeper_fuzz::record`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::record::holds(data));
