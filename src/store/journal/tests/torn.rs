//! Power cuts: files cut back to any length (design §7, reliability.md 1).

use super::*;

#[test]
fn a_torn_last_frame_is_cut_off_at_every_length() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let second = appended[1].after;
    for length in second.offset..bytes.len() as u64 {
        let torn = dir_with(&bytes[..length as usize]);
        let unchanged = read(&Reader::open(torn.path()).unwrap(), Position::START);
        assert_eq!(unchanged.whole, [1, 2]);
        assert_eq!(unchanged.damages.len(), usize::from(length > second.offset));

        // The index stood behind the second frame, or nothing is known of it.
        let from = (length % 2 == 0).then_some(second);
        let (mut journal, report) = Journal::open(torn.path(), &small(), from).unwrap();
        assert_eq!((report.end, report.damages, report.position_lost), (second, vec![], false));
        let cut = report.cut.map(|cut| (cut.segment, cut.from, cut.bytes, cut.kept));
        let expected = (1, second.offset, length - second.offset, None);
        assert_eq!(cut, (length > second.offset).then_some(expected));

        let again = journal.commit(&batch(3).0, &batch(3).1).unwrap();
        assert_eq!(again, appended[2]);
        assert_eq!(fs::read(segment_path(torn.path(), 1)).unwrap(), bytes);
    }
}

#[test]
fn a_file_of_any_length_gives_what_it_holds() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    for length in 0..bytes.len() {
        let torn = dir_with(&bytes[..length]);
        let opened = Journal::open(torn.path(), &small(), None);
        if length < segment::HEADER {
            assert!(matches!(opened, Err(JournalError::Unreadable { .. })));
            assert_eq!(fs::read(segment_path(torn.path(), 1)).unwrap(), bytes[..length]);
            continue;
        }
        let (mut journal, _) = opened.unwrap();
        let whole = appended.iter().filter(|place| place.after.offset <= length as u64).count();
        journal.commit(&batch(whole as u64 + 1).0, &batch(whole as u64 + 1).1).unwrap();
        let read = read(journal.reader(), Position::START);
        assert!(read.whole.iter().copied().eq(1..=whole as u64 + 1));
        assert_eq!(read.damages, []);
    }
}

#[test]
fn zeros_behind_the_last_frame_are_cut_off() {
    let (dir, appended) = journal_of(&small(), 2);
    let mut bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    bytes.resize(bytes.len() + 5000, 0);
    let torn = dir_with(&bytes);
    let (_, report) = Journal::open(torn.path(), &small(), Some(appended[1].after)).unwrap();
    assert_eq!(report.end, appended[1].after);
    assert_eq!(report.cut.map(|cut| (cut.bytes, cut.kept)), Some((5000, None)));
}

/// Blocks of a file reach the disk in any order: the last frame has its length but not its bytes.
#[test]
fn a_last_frame_with_a_hole_is_cut_off_and_kept_aside() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let start = appended[1].after.offset as usize;
    for hole in [start..start + 88, start + 88..bytes.len(), bytes.len() - 20..bytes.len()] {
        let mut torn = bytes.clone();
        torn[hole].fill(0);
        let torn_dir = dir_with(&torn);
        let (mut journal, report) = Journal::open(torn_dir.path(), &small(), None).unwrap();
        assert_eq!((report.end, report.damages), (appended[1].after, vec![]));
        let cut = report.cut.unwrap();
        assert!(cut.to_string().contains("a copy is in"));
        assert_eq!(fs::read(cut.kept.unwrap()).unwrap(), torn[start..]);
        journal.commit(&batch(3).0, &batch(3).1).unwrap();
        assert_eq!(read(journal.reader(), Position::START).whole, [1, 2, 3]);
    }
}

/// Frames are synced one by one: of several damaged ones only the last may be a write that was cut
/// off. The others are told, nothing is cut, and writing goes on elsewhere.
#[test]
fn only_the_last_of_several_damaged_frames_may_be_torn() {
    let (dir, appended) = journal_of(&small(), 4);
    let mut bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    for place in &appended[1..] {
        bytes[place.after.offset as usize - 1] ^= 1;
    }
    for from in [None, Some(appended[0].after)] {
        let torn = dir_with(&bytes);
        let (mut journal, report) = Journal::open(torn.path(), &small(), from).unwrap();
        assert_eq!((report.cut, report.end.segment), (None, 2));
        let places =
            [&appended[1], &appended[2]].map(|place| place.frame.offset..place.after.offset);
        let [second, third] = &report.damages[..] else { panic!("{:?}", report.damages) };
        assert!(places[0].contains(&second.from) && places[1].contains(&third.from));
        journal.commit(&batch(5).0, &batch(5).1).unwrap();
        let (_, again) = Journal::open(torn.path(), &small(), Some(journal.end())).unwrap();
        assert_eq!((again.cut, again.position_lost), (None, false));
        assert_eq!(fs::read(segment_path(torn.path(), 1)).unwrap(), bytes);
    }
}

#[test]
fn a_segment_that_was_never_finished_is_swept() {
    let (dir, appended) = journal_of(&small(), 1);
    let unfinished = dir.path().join("00000002.gkj.new");
    write(&unfinished, b"half a hea");
    let (_, report) = Journal::open(dir.path(), &small(), None).unwrap();
    assert_eq!((report.end, report.damages), (appended[0].after, vec![]));
    assert!(!unfinished.exists());
}
