//! Figures for a release build: `cargo test --release journal::tests::speed -- --ignored --nocapture`.

use super::*;

/// Seconds that this thread has had of a processor: other work on the machine does not count, and
/// waiting for the disk does not either.
fn processor_seconds() -> f64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    times.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

/// The corpus twice over, cut into games.
fn games() -> Option<Vec<Vec<u8>>> {
    let shared = std::env::var("GAMEKEEPER_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let file = fs::File::open(Path::new(&shared).join("corpus/games.pgn.zst")).ok()?;
    let bytes = zstd::stream::decode_all(file).unwrap();
    let mut starts: Vec<_> = memchr::memmem::find_iter(&bytes, "\n[Event ").collect();
    starts.push(bytes.len());
    let cut = || starts.windows(2).map(|pair| bytes[pair[0]..pair[1]].to_vec());
    Some(cut().chain(cut()).collect())
}

#[test]
#[ignore = "takes a minute and gigabytes; for figures only"]
fn append_and_read() {
    let Some(games) = games() else {
        println!("no corpus: nothing measured");
        return;
    };
    let megabytes = games.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    println!("{} games, {megabytes:.0} MB", games.len());
    for (level, block_size, size) in [
        (1, 32 << 10, 1000),
        (1, 64 << 10, 1000),
        (1, 128 << 10, 1000),
        (1, 256 << 10, 1000),
        (3, 64 << 10, 1000),
        (3, 128 << 10, 1000),
        (-1, 64 << 10, 1000),
        (-3, 64 << 10, 1000),
        (1, 64 << 10, 1),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let options = Options { level, block_size, ..Options::default() };
        let (mut journal, _) = Journal::open(dir.path(), &options, None).unwrap();
        let mut places = Vec::new();
        let some = if size == 1 { &games[..20_000] } else { &games[..] };
        let megabytes = some.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
        let start = processor_seconds();
        for batch in some.chunks(size) {
            let done = if size == 1 {
                journal.append(b"record", batch).unwrap()
            } else {
                journal.commit(b"record", batch).unwrap()
            };
            places.extend((0..batch.len()).map(|index| done.frame.text(index as u32)));
        }
        journal.sync().unwrap();
        let append = processor_seconds() - start;
        let stored = journal.end().offset as f64 / 1e6;
        let reader = journal.reader();

        let start = processor_seconds();
        assert!(
            places.iter().zip(some).all(|(at, game)| reader.text(*at).unwrap().len() == game.len())
        );
        let in_order = processor_seconds() - start;
        let start = processor_seconds();
        let random = (0..20_000).map(|n| places[n * 7919 * 31 % places.len()]);
        let length: usize = random.map(|at| reader.text(at).unwrap().len()).sum();
        let at_random = (processor_seconds() - start) / 20_000.0;
        let start = processor_seconds();
        assert_eq!(reader.verify().unwrap().texts, some.len() as u64);
        let verify = processor_seconds() - start;
        let start = processor_seconds();
        Journal::open(dir.path(), &options, Some(journal.end())).unwrap();
        let open = processor_seconds() - start;
        let start = processor_seconds();
        Journal::open(dir.path(), &options, None).unwrap();
        let open_all = processor_seconds() - start;
        println!(
            "level {level}, block {} KiB, {size} a batch: append {:.0} MB/s, {stored:.1} MB stored ({:.1} %), \
             in order {:.0} MB/s, at random {:.1} us a text ({length}), verify {:.0} MB/s, open {:.2} ms, from nothing {:.0} ms",
            block_size >> 10,
            megabytes / append,
            stored / megabytes * 100.0,
            megabytes / in_order,
            at_random * 1e6,
            megabytes / verify,
            open * 1e3,
            open_all * 1e3,
        );
    }
}
