//! Gamekeeper keeps a chess archive clean: it recognises players, removes duplicate games, and
//! writes standard PGN.
//!
//! `docs/ARCHITECTURE.md` is the map. Arrows point one way:
//! `commands → pipeline, store, export → dedup → name → game`; `game`, `name` and `dedup` are
//! pure (no I/O, no clock, no async), and `tests/it/tidy.rs` holds them to it.

pub mod cli;
pub mod commands;
pub mod config;
pub mod dedup;
pub mod exit;
pub mod export;
pub mod failure;
pub mod game;
pub mod input;
pub mod name;
pub mod pipeline;
pub mod space;
pub mod store;
