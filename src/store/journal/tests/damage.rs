//! Damage in the middle costs its own place only, and is said (design §3, reliability.md 7).

use super::*;

/// What is wrong, as kinds only.
fn kinds(damages: &[Damage]) -> Vec<DamageKind> {
    damages.iter().map(|damage| damage.kind).collect()
}

#[test]
fn a_flipped_byte_anywhere_costs_its_frame_and_is_reported() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    for at in 0..bytes.len() {
        for flip in [0xff, 1 << (at % 8)] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let dir = dir_with(&damaged);
            let reader = Reader::open(dir.path()).unwrap();
            let found = read(&reader, Position::START);
            let hit = appended.iter().find(|place| (at as u64) < place.after.offset).unwrap();
            let hit = (at >= segment::HEADER).then_some(hit.after.seq);
            let others: Vec<_> = (1..=3).filter(|&seq| Some(seq) != hit).collect();
            assert_eq!(found.whole, others, "byte {at}");
            assert!(!reader.verify().unwrap().damages.is_empty(), "byte {at} goes unnoticed");

            if flip != 0xff {
                continue;
            }
            let (mut journal, report) = Journal::open(dir.path(), &small(), None).unwrap();
            let verified = journal.reader().verify().unwrap();
            assert!(report.cut.is_some() == (hit == Some(3)), "byte {at}: {report:?}");
            assert!(report.cut.is_some() || verified.damages == reader.verify().unwrap().damages);
            let next = journal.end().seq + 1;
            journal.commit(&batch(next).0, &batch(next).1).unwrap();
            let mut expected: Vec<_> = others;
            expected.push(next);
            assert_eq!(read(journal.reader(), Position::START).whole, expected, "byte {at}");
        }
    }
}

#[test]
fn the_index_need_not_lose_a_last_frame_that_it_has_read() {
    let (dir, appended) = journal_of(&small(), 3);
    let mut bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    write(&segment_path(dir.path(), 1), &bytes);
    let (journal, report) = Journal::open(dir.path(), &small(), Some(appended[2].after)).unwrap();
    assert_eq!((report.cut, report.end), (None, appended[2].after));
    let found = read(journal.reader(), Position::START);
    assert_eq!((found.whole, found.partly), (vec![1, 2], vec![3]));
}

#[test]
fn bytes_put_in_or_lost_between_and_within_frames_cost_one_frame_at_most() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let (_, foreign) = journal_of(&small(), 1);
    assert_eq!(foreign[0].frame.offset, 64);
    let first = appended[0].after.offset as usize;
    let second = appended[1].after.offset as usize;
    for length in [1, 57, 88, 5_000, 300_000] {
        // Pieces of a marker, so that the search has something to trip over.
        let garbage: Vec<u8> = frame::MAGIC.iter().copied().cycle().take(length).collect();
        for (at, lost) in
            [(64, vec![]), (first, vec![]), (first + 40, vec![2]), (second - 3, vec![2])]
        {
            let put_in = [&bytes[..at], &garbage, &bytes[at..]].concat();
            let dir = dir_with(&put_in);
            let found = read(&Reader::open(dir.path()).unwrap(), Position::START);
            let expected: Vec<_> = (1..=3).filter(|seq| !lost.contains(seq)).collect();
            assert_eq!(found.whole, expected, "{length} bytes at {at}");
            assert!(kinds(&found.damages).contains(&DamageKind::Stretch));
            // Opening finds the end all the same and goes on behind it.
            let (journal, report) = Journal::open(dir.path(), &small(), None).unwrap();
            assert_eq!(report.end.offset, put_in.len() as u64);
            assert!(!report.damages.is_empty());
            assert_eq!(journal.end().seq, 3);
        }
    }
    for (from, to, whole) in [
        (first, first + 1, vec![1, 3]),
        (first + 100, first + 110, vec![1, 3]),
        (second - 7, second, vec![1, 3]),
        (second - 7, second + 1, vec![1]),
        (first, second, vec![1, 3]),
        (64, first, vec![2, 3]),
    ] {
        let lost = [&bytes[..from], &bytes[to..]].concat();
        let dir = dir_with(&lost);
        let found = read(&Reader::open(dir.path()).unwrap(), Position::START);
        assert_eq!(found.whole, whole, "{from} to {to} lost");
        assert!(!found.damages.is_empty());
    }
}

#[test]
fn a_marker_across_the_border_of_two_reads_is_found() {
    let (dir, _) = journal_of(&small(), 1);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let chunk = 256 << 10;
    for before in 0..40 {
        let garbage = vec![b'x'; chunk - before];
        let dir = dir_with(&[&bytes[..64], &garbage, &bytes[64..]].concat());
        let found = read(&Reader::open(dir.path()).unwrap(), Position::START);
        assert_eq!(found.whole, [1]);
    }
}

#[test]
fn a_frame_that_stands_twice_is_read_once() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let first = appended[0].after.offset as usize;
    let dir = dir_with(&[&bytes, &bytes[64..first]].concat());
    let found = read(&Reader::open(dir.path()).unwrap(), Position::START);
    assert_eq!(found.whole, [1, 2, 3]);
    assert_eq!(kinds(&found.damages), [DamageKind::Repeated { seq: 1 }]);
}

#[test]
fn a_frame_of_another_archive_is_none() {
    let (dir, appended) = journal_of(&small(), 2);
    let (other, _) = journal_of(&small(), 2);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let other = fs::read(segment_path(other.path(), 1)).unwrap();
    let first = appended[0].after.offset as usize;
    let dir = dir_with(&[&bytes[..first], &other[first..], &bytes[first..]].concat());
    let found = read(&Reader::open(dir.path()).unwrap(), Position::START);
    assert_eq!(found.whole, [1, 2]);
    assert_eq!(kinds(&found.damages), [DamageKind::Stretch]);
}

/// Found by fuzzing: the number of a damaged frame is taken, or the frame written next would bear it
/// too and be passed over.
#[test]
fn what_is_written_behind_a_damaged_frame_without_a_segment_header_is_read() {
    let (dir, appended) = journal_of(&small(), 3);
    let path = segment_path(dir.path(), 1);
    let mut bytes = fs::read(&path).unwrap();
    bytes[10] ^= 1;
    for last in [appended[2].after.offset as usize - 1, appended[2].frame.offset as usize + 90] {
        let mut bytes = bytes.clone();
        bytes[last] ^= 1;
        let dir = dir_with(&bytes);
        let (mut journal, report) = Journal::open(dir.path(), &small(), None).unwrap();
        assert_eq!((report.end.segment, report.end.seq), (2, 3));
        journal.commit(&batch(4).0, &batch(4).1).unwrap();
        let found = read(journal.reader(), Position::START);
        assert_eq!(found.whole, [1, 2, 4], "byte {last}");
    }
}

#[test]
fn lost_segments_are_reported_with_what_they_cost() {
    let options = Options { segment_limit: 1, ..small() };
    let (dir, appended) = journal_of(&options, 6);
    for number in [3, 4] {
        fs::remove_file(segment_path(dir.path(), number)).unwrap();
    }
    let (journal, report) = Journal::open(dir.path(), &options, Some(appended[4].after)).unwrap();
    assert_eq!(report.end, appended[5].after);
    assert_eq!(kinds(&report.damages), [DamageKind::MissingSegments { last: 4 }]);
    assert_eq!(
        report.damages[0].to_string(),
        "journal segments 00000003.gkj to 00000004.gkj are missing"
    );
    let found = read(journal.reader(), Position::START);
    assert_eq!(found.whole, [1, 2, 5, 6]);
    assert_eq!(
        kinds(&found.damages),
        [DamageKind::MissingSegments { last: 4 }, DamageKind::MissingFrames { first: 3, last: 4 }]
    );
    assert!(matches!(
        journal.reader().text(appended[2].frame.text(0)),
        Err(JournalError::Io { .. })
    ));
    // Behind the gap nobody is told of it again.
    assert_eq!(read(journal.reader(), appended[4].after).damages, []);
}

/// Sound checksums over lengths that are not true: what somebody made, not what a disk does.
#[test]
fn lengths_that_lie_are_damage_and_unpack_to_no_more_than_they_say() {
    let archive = ArchiveId([7; 16]);
    let segment = segment::SegmentHeader { archive, number: 1, first_seq: 1 }.to_bytes();
    let bomb = zstd::bulk::compress(&vec![0; 4 << 20], 1).unwrap();
    let stored = bomb.len() as u32;
    let entry = |texts, length| {
        let mut table = [0; frame::ENTRY];
        let sum = codec::checksum(&bomb);
        frame::BlockEntry { first: 0, texts, at: 0, length, stored, sum }.write(&mut table);
        table.to_vec()
    };
    let header = |table: &[u8], texts, records| frame::Header {
        seq: 1,
        length: (frame::HEADER + table.len() + bomb.len() * 2) as u64,
        blocks: (table.len() / frame::ENTRY) as u32,
        texts,
        records,
        records_stored: stored,
        table_sum: codec::checksum(table),
        records_sum: codec::checksum(&bomb),
    };
    let records = 4 << 20;
    let few = entry(1, 1000);
    let many = entry(5 << 20, 4 << 20);
    let whole = header(&few, 1, records);
    let max = u32::MAX;
    for (table, header, kind) in [
        (&few, header(&few, 1, 1000), Some(DamageKind::Records { seq: 1 })),
        (&few, header(&few, 2, records), Some(DamageKind::BlockTable { seq: 1 })),
        (&few, whole, Some(DamageKind::Texts { seq: 1, first: 0, count: 1 })),
        (&many, header(&many, 5 << 20, records), Some(DamageKind::Stretch)),
        (&few, frame::Header { length: u64::MAX, ..whole }, Some(DamageKind::Unfinished)),
        (&few, frame::Header { blocks: max, texts: max, ..whole }, Some(DamageKind::Stretch)),
        (&few, frame::Header { records_stored: max, ..whole }, Some(DamageKind::Stretch)),
        (&few, frame::Header { records: max, ..whole }, Some(DamageKind::Stretch)),
    ] {
        let bytes = [&segment, header.to_bytes(archive).as_slice(), table, &bomb, &bomb].concat();
        let dir = dir_with(&bytes);
        let verified = Reader::open(dir.path()).unwrap().verify().unwrap();
        assert_eq!(verified.damages.first().map(|damage| damage.kind), kind, "{header:?}");
    }
}
