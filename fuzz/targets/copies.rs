//! The fuzz target of [`gamekeeper_fuzz::copies`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::copies::holds(data));
