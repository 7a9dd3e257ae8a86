//! The fuzz target of [`gamekeeper_fuzz::game`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamekeeper_fuzz::game::holds(data));
