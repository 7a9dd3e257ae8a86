//! Failing writes and syncs (reliability.md 6, 16, 17): fail the n-th operation, for n = 0, 1, 2…

use super::output::Fault;
use super::*;

const EIO: i32 = 5;
const EFBIG: i32 = 27;
const ENOSPC: i32 = 28;
const EDQUOT: i32 = 122;

#[test]
fn whichever_operation_fails_what_was_acknowledged_stays_and_nothing_else() {
    for errno in [EIO, EFBIG, ENOSPC, EDQUOT] {
        for part in [0, 30, 100_000] {
            let mut after = 0;
            while fail_nth(Fault { after, errno, part }) {
                after += 1;
            }
            assert_eq!(after, 12, "six batches, a write and a sync each");
        }
    }
}

/// Six batches over several segments; whether the fault struck.
fn fail_nth(fault: Fault) -> bool {
    let dir = tempfile::tempdir().unwrap();
    let options = many_segments();
    let (mut journal, _) = Journal::open(dir.path(), &options, None).unwrap();
    options.faults.arm(fault);
    let mut acknowledged = Vec::new();
    let mut failed = None;
    for seq in 1..=6 {
        match journal.commit(&batch(seq).0, &batch(seq).1) {
            Ok(appended) => acknowledged.push(appended.after),
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    let Some(error) = failed else { return false };
    assert_eq!(error.is_no_space(), fault.errno != EIO);
    assert!(error.to_string().contains(".gkj"), "{error}");
    // The disk may be fine again, but what it kept of the failed batch nobody knows.
    let refused = journal.commit(&batch(9).0, &batch(9).1).err().unwrap();
    assert!(matches!(&refused, JournalError::Stopped { cause, .. } if *cause == error.to_string()));
    assert_eq!(refused.is_no_space(), error.is_no_space());
    assert!(matches!(journal.sync(), Err(JournalError::Stopped { .. })));
    // Reading goes on.
    let seen = |reader: &Reader| read(reader, Position::START);
    let expected: Vec<_> = acknowledged.iter().map(|after| after.seq).collect();
    assert_eq!(seen(journal.reader()).whole, expected);
    assert_eq!(seen(journal.reader()).damages, []);
    drop(journal);

    let from = acknowledged.last().copied();
    let (mut journal, report) = Journal::open(dir.path(), &options, from).unwrap();
    assert_eq!((report.cut, report.damages, report.position_lost), (None, vec![], false));
    assert_eq!(seen(journal.reader()).whole, expected);
    let next = expected.len() as u64 + 1;
    journal.commit(&batch(next).0, &batch(next).1).unwrap();
    assert_eq!(seen(journal.reader()).whole.len() as u64, next);
    true
}

#[test]
fn batches_appended_but_not_synced_go_with_the_one_that_fails() {
    let dir = tempfile::tempdir().unwrap();
    let options = small();
    let (mut journal, _) = Journal::open(dir.path(), &options, None).unwrap();
    journal.commit(&batch(1).0, &batch(1).1).unwrap();
    let end = journal.end();
    journal.append(&batch(2).0, &batch(2).1).unwrap();
    options.faults.arm(Fault { after: 0, errno: ENOSPC, part: 10 });
    assert!(journal.append(&batch(3).0, &batch(3).1).is_err());
    assert_eq!(journal.end(), end);
    let (_, report) = Journal::open(dir.path(), &options, None).unwrap();
    assert_eq!((report.end, report.cut), (end, None));
}
