//! What every source of games speaks (see `sources/README.md`).
