//! Arguments → run → exit code.

fn main() {}
