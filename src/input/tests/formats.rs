//! Formats, faults and caps of single streams (reliability.md 13, 19, 23).

use std::time::Duration;

use super::*;
use crate::input::{Format, Problem};

#[test]
fn every_format_unpacks_to_the_same_bytes_whatever_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let plain = games(50_000);
    let packed = [
        ("plain", plain.clone()),
        ("zst", zstd(&plain)),
        ("gz", gzip(&plain)),
        ("bz2", bzip2(&plain)),
    ];
    for (right, bytes) in &packed {
        for name in [format!("games.pgn.{right}"), "no-ending".into(), "wrong.pgn.gz".into()] {
            let outcome = read(&put(folder.path(), &name, bytes));
            assert!(outcome.error.is_none(), "{right} as {name}: {outcome:?}");
            assert_eq!(outcome.bytes, plain, "{right} as {name}");
        }
    }
}

#[test]
fn frames_members_and_streams_that_follow_each_other_are_one_text() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (games(3_000), noise(700_000));
    let whole = [one.clone(), two.clone()].concat();
    // pzstd writes a frame to be skipped before each of its own.
    let skip = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4].to_vec();
    let pzstd = [skip.clone(), zstd(&one), skip, zstd(&two)].concat();
    for (name, bytes) in [
        ("a.pgn.zst", [zstd(&one), zstd(&two)].concat()),
        ("p.pgn.zst", pzstd),
        ("a.pgn.gz", [gzip(&one), gzip(&two)].concat()),
        ("a.pgn.bz2", [bzip2(&one), bzip2(&two)].concat()),
    ] {
        let outcome = read(&put(folder.path(), name, &bytes));
        assert!(outcome.error.is_none(), "{name}: {outcome:?}");
        assert!(outcome.bytes == whole, "{name}: {} bytes", outcome.bytes.len());
    }
}

#[test]
fn a_file_that_is_cut_off_gives_what_came_before_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let plain = noise(3_000_000);
    for (name, bytes) in
        [("a.pgn.zst", zstd(&plain)), ("a.pgn.gz", gzip(&plain)), ("a.pgn.bz2", bzip2(&plain))]
    {
        let cut = bytes.len() * 2 / 3;
        let outcome = read(&put(folder.path(), name, &bytes[..cut]));
        assert!(outcome.bytes.len() > 1_000_000, "{name}: {} bytes", outcome.bytes.len());
        assert!(plain.starts_with(&outcome.bytes), "{name}");
        let message = outcome.message();
        assert!(message.contains("cut off") && message.contains(name), "{message}");
        assert!(message.contains(&format!("at byte {cut} ")), "{message}");
    }
}

#[test]
fn every_cut_of_a_small_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let plain = games(20);
    for (name, bytes) in
        [("a.pgn.zst", zstd(&plain)), ("a.pgn.gz", gzip(&plain)), ("a.pgn.bz2", bzip2(&plain))]
    {
        for cut in 0..bytes.len() {
            let path = put(folder.path(), name, &bytes[..cut]);
            let told = match drain(&Found::Named(path), &Limits::default()) {
                Err(_) => true,
                // Fewer bytes than tell a packed file from a text are a text that is no game.
                Ok(outcomes) => {
                    let o = &outcomes[0];
                    assert!(o.error.is_some() || o.bytes == bytes[..cut], "{name} cut at {cut}");
                    o.error.is_some() || cut < 4
                }
            };
            assert!(told, "{name} cut at {cut} was taken for whole");
        }
    }
}

#[test]
fn a_flipped_byte_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let plain = noise(400_000);
    for (name, mut bytes) in
        [("a.pgn.zst", zstd(&plain)), ("a.pgn.gz", gzip(&plain)), ("a.pgn.bz2", bzip2(&plain))]
    {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        let outcome = read(&put(folder.path(), name, &bytes));
        let error = outcome.error.expect(name);
        assert!(matches!(error.problem, Problem::Damaged { at, .. } if at > 0), "{name}: {error}");
        assert!(error.to_string().contains("damaged before byte"), "{error}");
    }
}

#[test]
fn a_bomb_is_stopped_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { ratio_from: 4 << 20, ..Limits::default() };
    let bomb = vec![b' '; 64 << 20];
    for (name, bytes) in
        [("a.pgn.zst", zstd(&bomb)), ("a.pgn.gz", gzip(&bomb)), ("a.pgn.bz2", bzip2(&bomb))]
    {
        let outcome = read_with(&put(folder.path(), name, &bytes), &limits);
        assert!((4 << 20..32 << 20).contains(&outcome.bytes.len()), "{}", outcome.bytes.len());
        assert!(outcome.message().contains("decompression bomb"), "{name}: {}", outcome.message());
    }
    // Games pack well too, and are no bomb.
    let outcome = read_with(&put(folder.path(), "b.pgn.zst", &zstd(&games(100_000))), &limits);
    assert!(outcome.error.is_none(), "{}", outcome.message());
}

#[test]
fn the_absolute_cap_holds() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { total_bytes: 1 << 20, piece_bytes: 4096, ..Limits::default() };
    let outcome = read_with(&put(folder.path(), "a.pgn.gz", &gzip(&noise(2 << 20))), &limits);
    assert_eq!(outcome.bytes.len(), (1 << 20) + 4096);
    assert!(outcome.message().contains("more than 1048576 bytes"), "{}", outcome.message());
}

#[test]
fn a_long_zstd_window_is_refused_beyond_the_memory_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let pack = |log| {
        let mut out = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        out.window_log(log).unwrap();
        out.write_all(&games(10)).unwrap();
        out.finish().unwrap()
    };
    // `--long` is in, `--long=28` and more is out.
    assert_eq!(read(&put(folder.path(), "a.zst", &pack(27))).bytes, games(10));
    let outcome = read(&put(folder.path(), "b.zst", &pack(28)));
    assert!(outcome.message().contains("more than 128 MiB"), "{}", outcome.message());
}

#[test]
fn what_is_neither_text_nor_packed_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str, bytes: &[u8]| Found::Named(put(folder.path(), name, bytes));
    let told = refusal(&named("a.pgn.zst", &[0, 159, 146, 150, 1, 2]));
    assert!(told.contains("neither zstd nor text"), "{told}");
    let told = refusal(&named("a.pgn.gz", b""));
    assert!(told.contains("cut off"), "{told}");
    for (bytes, what) in [(&b"\xfd7zXZ\0.."[..], "xz"), (b"Rar!\x1a\x07\0", "rar")] {
        let told = refusal(&named("a.pgn", bytes));
        assert!(told.contains(what) && told.contains("hint: unpack it"), "{told}");
    }
}

#[test]
fn html_under_a_packed_name_reaches_the_reader_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let page = b"<!DOCTYPE html><title>Sign in</title>";
    assert_eq!(read(&put(folder.path(), "games.pgn.gz", page)).bytes, page);
}

#[test]
fn progress_runs_from_nothing_to_the_size_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in [noise(3 << 20), gzip(&noise(3 << 20))] {
        let path = put(folder.path(), "a", &bytes);
        let mut input = Input::open(&Found::Named(path), &Limits::default()).unwrap();
        let progress = input.progress();
        assert_eq!(progress.total(), Some(bytes.len() as u64));
        assert!(progress.read() <= 10, "at most a header");
        let mut text = input.next_text().unwrap().unwrap();
        let (mut piece, mut last) = (Vec::new(), 0);
        while text.next_piece(&mut piece).unwrap() > 0 {
            assert!(progress.read() > last, "moves on with every piece");
            last = progress.read();
        }
        assert_eq!(progress.read(), bytes.len() as u64);
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "a.pgn", &games(5));
    let open = || Input::open(&Found::Named(path.clone()), &Limits::default()).unwrap();
    let later = || std::thread::sleep(Duration::from_millis(20));

    let input = open();
    assert!(!input.changed_while_read());
    assert_eq!(input.identity().unwrap().size, games(5).len() as u64);
    later();
    put(folder.path(), "a.pgn", &games(6));
    assert!(input.changed_while_read(), "longer");

    let input = open();
    later();
    put(folder.path(), "a.pgn", &games(6).to_ascii_uppercase());
    assert!(input.changed_while_read(), "written to, of the same length");

    let input = open();
    let other = put(folder.path(), "b.pgn", &games(6));
    std::fs::rename(other, &path).unwrap();
    assert!(input.changed_while_read(), "replaced");

    let input = open();
    std::fs::remove_file(&path).unwrap();
    assert!(input.changed_while_read(), "gone");
}

#[test]
fn names_are_safe_to_print() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "a\u{1b}[2J\u{202e}ngp.exe", b"x");
    let outcome = read(&path);
    assert!(outcome.name.ends_with("a\\u{1b}[2J\\u{202e}ngp.exe"), "{}", outcome.name);
}

#[test]
fn listed_names_are_those_of_games() {
    for (name, format) in [
        ("a.pgn", Some(Format::Plain)),
        ("A.PGN", Some(Format::Plain)),
        ("a.b.Pgn.Zst", Some(Format::Zstd)),
        ("a.pgn.gz", Some(Format::Gzip)),
        ("a.pgn.bz2", Some(Format::Bzip2)),
        ("a.ZIP", Some(Format::Zip)),
        ("a.gz", None),
        ("a.tar.gz", None),
        ("pgn", None),
        ("a.pgn~", None),
        ("~$a.pgn", None),
        ("#a.pgn#", None),
        ("a.pgn.part", None),
        ("a.pgn.crdownload", None),
        (".a.pgn", None),
        ("a.txt", None),
    ] {
        assert_eq!(Format::of_listed_name(name.as_bytes()), format, "{name}");
    }
}

#[test]
fn what_stands_behind_whole_gzip_members_is_told_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let whole = [gzip(&games(3)), gzip(&games(4))].concat();
    let junk = noise(700_000);
    for junk in [&b"x"[..], b"\x1f", b"\x1f\x8c", b"\0\0\0", b"some words more", &junk] {
        let outcome = read(&put(folder.path(), "a.pgn.gz", &[&whole[..], junk].concat()));
        assert_eq!(outcome.bytes, [games(3), games(4)].concat());
        let told = format!("a.pgn.gz: {} bytes behind the end are no gzip", junk.len());
        assert!(outcome.message().contains(&told), "{}", outcome.message());
    }
    // What begins another member is one that is cut off.
    let outcome = read(&put(folder.path(), "a.pgn.gz", &[&whole[..], b"\x1f\x8b\x08"].concat()));
    assert_eq!(outcome.bytes, [games(3), games(4)].concat());
    assert!(outcome.message().contains("cut off"), "{}", outcome.message());
}

#[test]
fn no_two_files_are_called_alike() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let names: [(&[u8], &str); 9] = [
        (b"a\xfe.pgn", r"a\xfe.pgn"),
        (b"a\xff.pgn", r"a\xff.pgn"),
        (br"a\xff.pgn", r"a\\xff.pgn"),
        (br"a\\xff.pgn", r"a\\\\xff.pgn"),
        ("a\u{fffd}.pgn".as_bytes(), "a\u{fffd}.pgn"),
        (b"a\x1b.pgn", r"a\u{1b}.pgn"),
        (br"a\u{1b}.pgn", r"a\\u{1b}.pgn"),
        (b"a!b.pgn", r"a\!b.pgn"),
        (br"a\!b.pgn", r"a\\\!b.pgn"),
    ];
    for (name, shown) in names {
        let path = folder.path().join(OsStr::from_bytes(name));
        std::io::Write::write_all(&mut std::fs::File::create(&path).unwrap(), b"x").unwrap();
        let outcome = read(&path);
        assert_eq!(outcome.name.rsplit_once('/').unwrap().1, shown);
    }
}
