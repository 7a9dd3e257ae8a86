//! What is refused, and positions that the journal does not have (design §3: a mismatch rebuilds
//! and says so).

use super::codec::checksum;
use super::*;

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let (dir, appended) = journal_of(&small(), 2);
    let path = segment_path(dir.path(), 1);
    let bytes = fs::read(&path).unwrap();
    let newer = |at: usize, length: usize| {
        let mut bytes = bytes.clone();
        bytes[at + 24] = 2;
        let sum = checksum(&bytes[at..at + length]).to_le_bytes();
        bytes[at + length..at + length + 8].copy_from_slice(&sum);
        bytes
    };
    for bytes in [newer(0, 56), newer(appended[0].after.offset as usize, 80)] {
        write(&path, &bytes);
        let refused = Journal::open(dir.path(), &small(), None).err().unwrap();
        assert!(matches!(refused, JournalError::Newer { found: 2, known: 1, .. }), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_segment_of_another_archive_is_refused() {
    let (dir, _) = journal_of(&many_segments(), 5);
    let (other, _) = journal_of(&many_segments(), 5);
    fs::copy(segment_path(other.path(), 2), segment_path(dir.path(), 2)).unwrap();
    let refused = Journal::open(dir.path(), &many_segments(), None).err().unwrap();
    assert!(
        matches!(&refused, JournalError::Foreign { path, .. } if path.ends_with("00000002.gkj"))
    );
    assert!(Reader::open(dir.path()).is_err());

    let expected = Options { archive: Some(ArchiveId([9; 16])), ..small() };
    let refused = Journal::open(other.path(), &expected, None).err().unwrap();
    assert!(matches!(refused, JournalError::Foreign { .. }));
}

#[test]
fn a_segment_under_another_name_is_refused() {
    let (dir, _) = journal_of(&small(), 1);
    fs::copy(segment_path(dir.path(), 1), segment_path(dir.path(), 2)).unwrap();
    let refused = Journal::open(dir.path(), &small(), None).err().unwrap();
    assert!(matches!(refused, JournalError::Misplaced { .. }));
    fs::remove_file(segment_path(dir.path(), 2)).unwrap();
    fs::create_dir(segment_path(dir.path(), 2)).unwrap();
    let refused = Journal::open(dir.path(), &small(), None).err().unwrap();
    assert!(matches!(refused, JournalError::Misplaced { .. }));
}

#[test]
fn every_position_is_known_again() {
    let (dir, appended) = journal_of(&many_segments(), 9);
    assert!(appended[8].frame.segment > 2);
    for place in &appended {
        let (journal, report) =
            Journal::open(dir.path(), &many_segments(), Some(place.after)).unwrap();
        assert!(!report.position_lost);
        assert_eq!((report.end, report.cut, report.damages), (appended[8].after, None, vec![]));
        let found = read(journal.reader(), place.after);
        assert!(found.whole.iter().copied().eq(place.after.seq + 1..=9));
    }
}

/// The journal was put back from an old copy: the index knows of more than there is.
#[test]
fn a_journal_that_ends_before_the_position_is_not_written_over() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    let known = appended[2].after;
    for length in [appended[1].after.offset, appended[1].after.offset + 100, 64] {
        let old = dir_with(&bytes[..length as usize]);
        let (mut journal, report) = Journal::open(old.path(), &small(), Some(known)).unwrap();
        assert!(report.position_lost);
        assert_eq!(report.cut, None);
        assert_eq!((report.end.segment, report.end.seq), (2, 3));
        journal.commit(&batch(4).0, &batch(4).1).unwrap();
        let found = read(journal.reader(), Position::START);
        let whole = appended.iter().filter(|place| place.after.offset <= length);
        assert!(found.whole.iter().copied().eq(whole.map(|place| place.after.seq).chain([4])));
        assert!(
            found
                .damages
                .iter()
                .any(|damage| matches!(damage.kind, DamageKind::MissingFrames { last: 3, .. }))
        );
        assert_eq!(fs::metadata(segment_path(old.path(), 1)).unwrap().len(), length);
        // It stays lost until what was derived from it is derived anew.
        let (_, report) = Journal::open(old.path(), &small(), Some(known)).unwrap();
        assert!(report.position_lost);
    }
}

#[test]
fn a_journal_lost_altogether_or_at_its_end_is_not_begun_anew_in_silence() {
    let (dir, appended) = journal_of(&many_segments(), 6);
    let known = appended[5].after;
    for number in (1..=known.segment).rev() {
        fs::remove_file(segment_path(dir.path(), number)).unwrap();
        let lost = tempfile::tempdir().unwrap();
        for kept in 1..number {
            fs::copy(segment_path(dir.path(), kept), segment_path(lost.path(), kept)).unwrap();
        }
        let (mut journal, report) =
            Journal::open(lost.path(), &many_segments(), Some(known)).unwrap();
        assert!(report.position_lost && !report.created);
        assert_eq!((report.end.segment, report.end.seq), (known.segment + 1, 6));
        let kind = DamageKind::MissingSegments { last: known.segment };
        assert_eq!(report.damages, [Damage { segment: number, from: 0, to: 0, kind }]);
        journal.commit(&batch(7).0, &batch(7).1).unwrap();
        let found = read(journal.reader(), Position::START);
        assert_eq!(found.whole.last(), Some(&7));
        assert_eq!(found.damages[0].kind, kind);
    }
}

/// A position that is no frame's end must not make whole frames look like a torn tail.
#[test]
fn a_position_within_a_frame_cuts_nothing() {
    let (dir, appended) = journal_of(&small(), 3);
    let bytes = fs::read(segment_path(dir.path(), 1)).unwrap();
    for offset in appended[0].after.offset + 1..bytes.len() as u64 {
        if offset == appended[1].after.offset {
            continue;
        }
        let wrong = Position { segment: 1, offset, seq: 2 };
        let (_, report) = Journal::open(dir.path(), &small(), Some(wrong)).unwrap();
        assert!(report.position_lost);
        assert_eq!((report.end, report.cut, report.damages), (appended[2].after, None, vec![]));
    }
    assert_eq!(fs::read(segment_path(dir.path(), 1)).unwrap(), bytes);
}

#[test]
fn a_last_segment_without_a_header_is_read_but_not_written_to() {
    let (dir, appended) = journal_of(&Options { segment_limit: 1, ..small() }, 3);
    let path = segment_path(dir.path(), 3);
    let bytes = fs::read(&path).unwrap();
    for kept in [bytes.len(), 64, 10, 0] {
        let mut damaged = bytes[..kept].to_vec();
        damaged.iter_mut().take(64).for_each(|byte| *byte ^= 0x55);
        write(&path, &damaged);
        let (mut journal, report) = Journal::open(dir.path(), &small(), None).unwrap();
        let seq = if kept == bytes.len() { 3 } else { 2 };
        assert_eq!((report.end.segment, report.end.seq), (4, seq), "{kept} bytes");
        assert!(report.damages.iter().any(|damage| damage.kind == DamageKind::SegmentHeader));
        journal.commit(&batch(seq + 1).0, &batch(seq + 1).1).unwrap();
        let found = read(journal.reader(), Position::START);
        assert!(found.whole.iter().copied().eq(1..=seq + 1));
        assert_eq!(fs::read(&path).unwrap(), damaged);
        fs::remove_file(segment_path(dir.path(), 4)).unwrap();
    }
    assert_eq!(appended[2].frame.segment, 3);
}
