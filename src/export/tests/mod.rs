//! Exports in folders of their own.

mod atomic;
mod files;
mod slug;
mod spill;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    File::create(&path).unwrap().write_all(bytes).unwrap();
    path
}

/// Names in a folder, sorted.
fn listed(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
