//! What is linked in: licences that go with GPL-3.0-or-later, no banned crates, one place they
//! come from. `deny.toml` says the same to cargo-deny, which knows more but is not always there.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Licences that may be combined with GPL-3.0-or-later.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "GPL-3.0-or-later",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// Crates that must not come in, and why.
const BANNED: &[(&str, &str)] = &[
    ("openssl", "rustls is the TLS here"),
    ("openssl-sys", "rustls is the TLS here"),
    ("native-tls", "rustls is the TLS here"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// True when an SPDX expression can be met with `ALLOWED` alone.
fn allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any_of(&mut words);
    met && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut Words<'_>) -> bool {
    let mut met = all_of(words);
    while words.next_if_eq(&"OR").is_some() {
        met |= all_of(words);
    }
    met
}

fn all_of(words: &mut Words<'_>) -> bool {
    let mut met = one(words);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words);
    }
    met
}

fn one(words: &mut Words<'_>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = any_of(words);
        return words.next() == Some(")") && met;
    }
    let licence = words.next().unwrap_or_default();
    // An exception only adds permissions.
    if words.next_if_eq(&"WITH").is_some() {
        words.next();
    }
    ALLOWED.contains(&licence)
}

#[test]
fn expressions_are_understood() {
    assert!(allowed("MIT OR Apache-2.0 OR Proprietary"));
    assert!(allowed("(MIT OR GPL-2.0-only) AND Unicode-3.0"));
    assert!(allowed("Apache-2.0 WITH LLVM-exception"));
    assert!(allowed("Unlicense/MIT"));
    assert!(!allowed("(MIT OR Apache-2.0) AND Proprietary"));
    assert!(!allowed("GPL-2.0-only"));
    assert!(!allowed(""));
    assert!(!allowed("MIT )"));
}

#[test]
fn every_licence_goes_with_ours() {
    // Only what is built on this machine: the rest need not have been fetched.
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(["--filter-platform", host])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "cargo metadata gave {} packages", packages.len());
    let mut wrong = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        if !allowed(licence) {
            wrong.push(format!("{}: {licence:?}", package["name"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_banned_comes_in_and_all_from_one_place() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let lock: toml::Table = toml::from_str(&lock).unwrap();
    let packages = lock["package"].as_array().unwrap();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        if let Some((_, why)) = BANNED.iter().find(|(banned, _)| *banned == name) {
            panic!("{name} is banned: {why}");
        }
        let source = package.get("source").and_then(|source| source.as_str());
        assert!(source.is_none_or(|source| source.starts_with("registry+")), "{name}: {source:?}");
    }
    let mut places: Vec<_> = packages.iter().filter_map(|package| package.get("source")).collect();
    places.dedup();
    assert_eq!(places.len(), 1, "crates come from more than one place");
}
