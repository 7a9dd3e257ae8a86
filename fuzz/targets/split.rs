//! The fuzz target of [`gamekeeper_fuzz::split`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::split::holds(data));
