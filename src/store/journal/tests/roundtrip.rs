//! What goes in comes out: design §3.

use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;

use super::*;

fn batches() -> impl Strategy<Value = Vec<(Batch, bool)>> {
    let bytes = |most| prop::collection::vec(any::<u8>(), 0..most);
    let one = (bytes(400), prop::collection::vec(bytes(200), 0..12));
    prop::collection::vec((one, any::<bool>()), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Random batches, block sizes and segment limits, reopened at random.
    #[test]
    fn batches_come_back(
        batches in batches(),
        block_size in 1_usize..600,
        segment_limit in 100_u64..4000,
        level in 1..4,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let options = Options { block_size, segment_limit, level, archive: None, ..small() };
        let (mut journal, report) = Journal::open(dir.path(), &options, None).unwrap();
        prop_assert!(report.created);
        let mut places = Vec::new();
        for ((records, texts), reopen) in &batches {
            if *reopen {
                let end = journal.end();
                drop(journal);
                let from = (places.len() % 2 == 0).then_some(end);
                let opened = Journal::open(dir.path(), &options, from).unwrap();
                journal = opened.0;
                prop_assert_eq!(opened.1.end, end);
                prop_assert_eq!(opened.1.cut, None);
                prop_assert_eq!(opened.1.damages, vec![]);
                prop_assert!(!opened.1.position_lost && !opened.1.created);
            }
            places.push(journal.commit(records, texts).unwrap());
        }
        for reader in [journal.reader().clone(), Reader::open(dir.path()).unwrap()] {
            let frames = reader.frames(Position::START).unwrap().collect::<Result<Vec<_>, _>>();
            let frames = frames.unwrap();
            prop_assert_eq!(frames.len(), batches.len());
            for ((frame, place), ((records, texts), _)) in frames.iter().zip(&places).zip(&batches) {
                prop_assert_eq!(&frame.records, records);
                prop_assert_eq!((frame.at, frame.after), (place.frame, place.after));
                let found = frame.texts().map(|text| text.unwrap().to_vec());
                prop_assert_eq!(&found.collect::<Vec<_>>(), texts);
                for (index, text) in texts.iter().enumerate().rev() {
                    let at = TextRef::from_bytes(place.frame.text(index as u32).to_bytes());
                    prop_assert_eq!(&*reader.text(at).unwrap(), text.as_slice());
                }
                let beyond = place.frame.text(texts.len() as u32);
                prop_assert!(matches!(reader.text(beyond), Err(JournalError::NoSuchText(_))));
                let rest = reader.frames(place.after).unwrap().next().transpose().unwrap();
                prop_assert_eq!(
                    rest.map(|frame| frame.after.seq),
                    (place.after.seq < batches.len() as u64).then_some(place.after.seq + 1)
                );
            }
            prop_assert_eq!(reader.verify().unwrap().damages, vec![]);
        }
    }
}

#[test]
fn a_new_segment_begins_at_the_limit_and_a_bigger_frame_has_its_own() {
    let options = Options { segment_limit: 1, ..small() };
    let (dir, appended) = journal_of(&options, 3);
    let segments: Vec<_> = appended.iter().map(|place| place.frame.segment).collect();
    assert_eq!(segments, [1, 2, 3]);
    assert_eq!(read(&Reader::open(dir.path()).unwrap(), Position::START).whole, [1, 2, 3]);
}

#[test]
fn references_sort_as_their_bytes_do() {
    let mut places = Vec::new();
    for segment in [0, 1, 256, u32::MAX] {
        for offset in [0, 255, 256, 1 << 40, u64::MAX] {
            for index in [0, 1, 256, u32::MAX] {
                places.push(TextRef { segment, offset, index });
            }
        }
    }
    assert!(places.is_sorted());
    assert!(places.is_sorted_by_key(|place| place.to_bytes()));
    for place in places {
        assert_eq!(TextRef::from_bytes(place.to_bytes()), place);
    }
    let packed = postcard::to_stdvec(&TextRef { segment: 3, offset: 200 << 20, index: 999 });
    assert_eq!(packed.unwrap().len(), 7);
}

#[test]
fn files_are_for_their_owner_only() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("state/journal");
    let (mut journal, _) = Journal::open(&dir, &many_segments(), None).unwrap();
    for seq in 1..5 {
        journal.commit(&batch(seq).0, &batch(seq).1).unwrap();
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    let files: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 1);
    assert!(files.iter().all(|path| mode(path) == 0o600));
}

#[test]
fn readers_work_while_the_writer_appends() {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(dir.path(), &many_segments(), None).unwrap();
    let reader = journal.reader().clone();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let reader = reader.clone();
                scope.spawn(move || {
                    let mut seen = 0;
                    while seen < 60 {
                        let read = read(&reader, Position::START);
                        assert_eq!(read.damages, []);
                        assert!(read.partly.is_empty(), "{:?}", read.partly);
                        assert!(read.whole.len() >= seen, "what was seen stays");
                        assert!(read.whole.iter().copied().eq(1..=read.whole.len() as u64));
                        seen = read.whole.len();
                    }
                })
            })
            .collect();
        for seq in 1..=60 {
            let (records, texts) = batch(seq);
            journal.commit(&records, &texts).unwrap();
        }
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}

#[test]
fn frames_are_seen_when_they_are_synced_and_texts_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(dir.path(), &small(), None).unwrap();
    let (records, texts) = batch(1);
    let appended = journal.append(&records, &texts).unwrap();
    assert_eq!(read(journal.reader(), Position::START), Read::default());
    assert_eq!(&*journal.reader().text(appended.frame.text(1)).unwrap(), texts[1].as_slice());
    journal.sync().unwrap();
    assert_eq!(read(journal.reader(), Position::START).whole, [1]);
    assert_eq!(journal.end(), appended.after);
}

#[test]
fn a_batch_packed_on_another_thread_is_the_same_batch() {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(dir.path(), &small(), None).unwrap();
    let mut encoder = journal.encoder().unwrap();
    let (first, second) = (batch(1), batch(2));
    let packed = std::thread::spawn(move || encoder.encode(&first.0, &first.1).unwrap());
    let mut packed = packed.join().unwrap();
    journal.append_encoded(&mut packed).unwrap();
    journal.commit(&second.0, &second.1).unwrap();
    assert_eq!(read(journal.reader(), Position::START).whole, [1, 2]);
}

#[test]
fn a_batch_over_a_limit_is_refused_and_the_next_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(dir.path(), &small(), None).unwrap();
    let refused = journal.commit(b"", &[vec![b' '; MAX_TEXT + 1]]);
    assert!(matches!(refused, Err(JournalError::TooBig { what: "a text", .. })));
    let refused = journal.commit(&vec![0; MAX_RECORDS + 1], &[b""]);
    assert!(matches!(refused, Err(JournalError::TooBig { what: "records", .. })));
    let refused = journal.commit(b"", &vec![b""; MAX_TEXTS + 1]);
    assert!(matches!(refused, Err(JournalError::TooBig { what: "a number of texts", .. })));
    let big = journal.commit(b"", &[vec![b' '; MAX_TEXT]]).unwrap();
    assert_eq!(journal.reader().text(big.frame.text(0)).unwrap().len(), MAX_TEXT);
}
