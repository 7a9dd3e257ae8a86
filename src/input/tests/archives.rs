//! Zip archives: members, faults and bombs (reliability.md 19).

use std::io::Cursor;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

fn zip_with(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(method);
        if name.ends_with('/') {
            out.add_directory(*name, options).unwrap();
        } else {
            out.start_file(*name, options).unwrap();
            out.write_all(bytes).unwrap();
        }
    }
    out.finish().unwrap().into_inner()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(members, CompressionMethod::Deflated)
}

#[test]
fn each_member_of_games_is_a_text_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let members: [(&str, &[u8]); 9] = [
        ("b.pgn", &games(2)),
        ("d/", b""),
        ("d/a.PGN", &games(3)),
        ("packed.pgn.gz", &gzip(&games(4))),
        ("packed.pgn.zst", &zstd(&games(5))),
        ("readme.txt", b"no games"),
        ("__MACOSX/._b.pgn", b"\0\x05\x16\x07"),
        (".hidden.pgn", b"x"),
        ("../../etc/evil.pgn", &games(1)),
    ];
    for method in [CompressionMethod::Deflated, CompressionMethod::Stored, CompressionMethod::Zstd]
    {
        let path = put(folder.path(), "a.zip", &zip_with(&members, method));
        let outcomes = drain(&Found::InFolder(path), &Limits::default()).unwrap();
        let shown: Vec<_> = outcomes
            .iter()
            .map(|o| (o.name.rsplit_once("a.zip!").unwrap().1, o.bytes.clone(), o.message()))
            .collect();
        let expected = [
            ("b.pgn", games(2)),
            ("d/a.PGN", games(3)),
            ("packed.pgn.gz", games(4)),
            ("packed.pgn.zst", games(5)),
            ("../../etc/evil.pgn", games(1)),
        ]
        .map(|(name, bytes)| (name, bytes, String::new()));
        assert_eq!(shown, expected);
    }
}

#[test]
fn a_bad_member_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let plain = noise(300_000);
    let mut bytes = zip_with(
        &[
            ("a.pgn", &plain),
            ("inner.zip", &zip(&[("x.pgn", b"x")])),
            ("cut.pgn.gz", &gzip(&plain)[..50_000]),
            ("z.pgn", b"z"),
        ],
        CompressionMethod::Stored,
    );
    bytes[150_000] ^= 1;
    let path = put(folder.path(), "a.zip", &bytes);
    let outcomes = drain(&Found::Named(path), &Limits::default()).unwrap();
    assert_eq!(outcomes.len(), 4);
    let told: Vec<_> = outcomes.iter().map(Outcome::message).collect();
    assert!(told[0].contains("a.zip!a.pgn: its zip data is damaged"), "{told:?}");
    assert_eq!(outcomes[0].bytes.len(), plain.len(), "what came is handed out");
    assert!(told[1].contains("a.zip!inner.zip: an archive within an archive"), "{told:?}");
    assert!(told[2].contains("a.zip!cut.pgn.gz: the file is cut off"), "{told:?}");
    assert!(plain.starts_with(&outcomes[2].bytes) && outcomes[2].bytes.len() > 10_000);
    assert_eq!((&outcomes[3].bytes[..], told[3].as_str()), (&b"z"[..], ""));
}

#[test]
fn an_archive_without_games_is_a_problem_only_where_it_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "a.zip", &zip(&[("a.txt", b""), ("b.txt", b"")]));
    let told = refusal(&Found::Named(path.clone()));
    assert!(told.contains("none of its 2 members"), "{told}");
    assert!(drain(&Found::InFolder(path), &Limits::default()).unwrap().is_empty());
}

#[test]
fn an_archive_that_is_cut_off_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = zip(&[("a.pgn", &games(1000))]);
    for cut in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        let told = refusal(&Found::Named(put(folder.path(), "a.zip", &bytes[..cut])));
        assert!(told.contains("a.zip: ") && told.contains("zip"), "cut at {cut}: {told}");
    }
}

#[test]
fn bombs_are_weighed_by_the_whole_archive() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { ratio_from: 4 << 20, ..Limits::default() };
    let bomb = vec![b' '; 8 << 20];
    // Each member alone stays within the ratio's beginning; together they do not.
    let members: Vec<String> = (0..8).map(|i| format!("{i}.pgn")).collect();
    let small = &bomb[..2 << 20];
    let many: Vec<_> = members.iter().map(|name| (name.as_str(), small)).collect();
    for bytes in [zip(&[("a.pgn", &bomb)]), zip(&many), zip(&[("a.pgn.gz", &gzip(&bomb))])] {
        let path = put(folder.path(), "a.zip", &bytes);
        let outcomes = drain(&Found::Named(path), &limits).unwrap();
        let last = outcomes.last().unwrap().message();
        assert!(last.contains("decompression bomb"), "{last}");
        let out: usize = outcomes.iter().map(|o| o.bytes.len()).sum();
        assert!(out < 14 << 20, "{out} bytes came out");
    }
}

#[test]
fn a_directory_that_asks_for_much_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..3000).map(|i| format!("{i:060}.pgn")).collect();
    let members: Vec<_> = names.iter().map(|n| (n.as_str(), &b"x"[..])).collect();
    let found = Found::Named(put(folder.path(), "a.zip", &zip(&members)));
    let limits = Limits { zip_directory_bytes: 200_000, ..Limits::default() };
    let told = Input::open(&found, &limits).err().unwrap().to_string();
    assert!(told.contains("more members than are read here"), "{told}");
    assert_eq!(drain(&found, &Limits::default()).unwrap().len(), 3000);
}

#[test]
fn an_encrypted_member_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = zip(&[("a.pgn", b"x")]);
    // The flag of encryption in both headers of the member.
    bytes[6] |= 1;
    let directory = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    bytes[directory + 8] |= 1;
    let path = put(folder.path(), "a.zip", &bytes);
    let outcomes = drain(&Found::Named(path), &Limits::default()).unwrap();
    assert!(outcomes[0].message().contains("a.zip!a.pgn: is encrypted"), "{outcomes:?}");
}

/// `bytes` with every `from` replaced by `to`, of the same length.
fn renamed(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    bytes
}

#[test]
fn members_of_one_name_are_never_lost_silently() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = zip(&[("a.pgn", &games(1)), ("b.pgn", &games(2)), ("c.pgn", &games(3))]);
    let path = put(folder.path(), "a.zip", &renamed(bytes.clone(), b"b.pgn", b"a.pgn"));
    for found in [Found::Named(path.clone()), Found::InFolder(path)] {
        let outcomes = drain(&found, &Limits::default()).unwrap();
        let told = outcomes[0].message();
        assert!(told.contains("a.zip: lists 3 members, but only 2 can be told apart"), "{told}");
        let read: Vec<_> = outcomes[1..].iter().map(|o| o.bytes.clone()).collect();
        assert_eq!(read, [games(2), games(3)]);
    }
    // A count that fell short, as that of 65539 members does where it is kept in 16 bits.
    let end = bytes.len() - 22;
    let mut short = bytes;
    short[end + 8] = 2;
    short[end + 10] = 2;
    let path = put(folder.path(), "short.zip", &short);
    let told = drain(&Found::Named(path), &Limits::default()).unwrap()[0].message();
    assert!(told.contains("lists 3 members, but only 2"), "{told}");
}

#[test]
fn members_whose_names_are_not_utf_8_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    // The library marks the name as UTF-8, because it is not ASCII.
    let bytes = zip(&[("a\u{e9}.pgn", b"x"), ("a\\xc3\\xff.pgn", b"x")]);
    for last in [0xa9, 0xfe, 0xff] {
        let bytes = renamed(bytes.clone(), "\u{e9}.pgn".as_bytes(), &[0xc3, last]);
        let path = put(folder.path(), "a.zip", &bytes);
        let outcomes = drain(&Found::Named(path), &Limits::default()).unwrap();
        assert!(outcomes.iter().all(|o| o.error.is_none()), "{outcomes:?}");
        names.extend(outcomes.iter().map(|o| o.name.rsplit_once('!').unwrap().1.to_owned()));
    }
    let literal = r"a\\xc3\\xff.pgn";
    assert_eq!(
        names,
        ["a\u{e9}.pgn", literal, r"a\xc3\xfe.pgn", literal, r"a\xc3\xff.pgn", literal]
    );
}

#[test]
fn an_archive_without_a_directory_is_not_said_to_have_been_read() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = zip(&[("a.pgn", &games(1000))]);
    for cut in [4, bytes.len() / 2] {
        let told = refusal(&Found::Named(put(folder.path(), "a.zip", &bytes[..cut])));
        assert!(told.contains("so nothing of it was\nhint: fetch"), "{told}");
        assert!(!told.contains("what came before"), "{told}");
    }
}
