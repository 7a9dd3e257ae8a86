//! The fuzz target of [`gamekeeper_fuzz::name`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::name::holds(data));
