//! One file, whole or not at all (reliability.md 8, 9, 17).

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use proptest::prelude::*;

use super::{listed, put};
use crate::export::{
    AtomicFile, EXPORT_MODE, Existing, ExportError, Outcome, create_folder, sweep,
};

fn write(path: &Path, bytes: &[u8], existing: Existing) -> Result<Outcome, ExportError> {
    let mut file = AtomicFile::create(path, EXPORT_MODE, existing)?;
    file.write_all(bytes).map_err(|e| ExportError::of_write(path, e))?;
    file.commit()
}

fn replace(path: &Path, bytes: &[u8]) -> Result<Outcome, ExportError> {
    write(path, bytes, Existing::Replace)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn a_file_is_written_replaced_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.pgn");
    assert_eq!(replace(&path, b"one").unwrap(), Outcome::Written);
    assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"one".to_vec(), 0o640));
    let before = fs::metadata(&path).unwrap();
    assert_eq!(replace(&path, b"one").unwrap(), Outcome::Unchanged);
    let after = fs::metadata(&path).unwrap();
    assert_eq!(
        (before.ino(), before.mtime_nsec(), before.ctime_nsec()),
        (after.ino(), after.mtime_nsec(), after.ctime_nsec())
    );
    for new in [&b"one more"[..], b"on", b"", b"x", b"y"] {
        assert_eq!(replace(&path, new).unwrap(), Outcome::Written, "{new:?}");
        assert_eq!(fs::read(&path).unwrap(), new);
    }
    assert_eq!(listed(folder.path()), ["all.pgn"]);
}

#[test]
fn a_file_that_was_made_readable_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "all.pgn", b"old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).unwrap();
    replace(&path, b"new").unwrap();
    assert_eq!(mode(&path), 0o604);
}

#[test]
fn nothing_is_written_before_the_first_difference_nor_left_without_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let old = vec![b'a'; 1 << 20];
    let path = put(folder.path(), "all.pgn", &old);
    let mut file = AtomicFile::create(&path, EXPORT_MODE, Existing::Replace).unwrap();
    file.write_all(&old).unwrap();
    assert_eq!(listed(folder.path()), ["all.pgn"], "equal so far");
    file.write_all(b"b").unwrap();
    assert_eq!(listed(folder.path()).len(), 2, "a temporary file beside it");
    assert_eq!(fs::read(&path).unwrap(), old);
    drop(file);
    assert_eq!(listed(folder.path()), ["all.pgn"]);
    assert_eq!(fs::read(&path).unwrap(), old);
}

#[test]
fn links_folders_and_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let real = put(folder.path(), "real.pgn", b"real");
    let link = folder.path().join("link.pgn");
    symlink(&real, &link).unwrap();
    let told = replace(&link, b"new").unwrap_err().to_string();
    assert!(told.contains("link.pgn: is a symbolic link"), "{told}");
    let told = replace(folder.path(), b"new").unwrap_err().to_string();
    assert!(told.contains("is a folder, not a file"), "{told}");
    let told = replace(Path::new("/dev/null"), b"new").unwrap_err().to_string();
    assert!(told.contains("replaces files only"), "{told}");
    assert_eq!(fs::read(&real).unwrap(), b"real");
}

#[test]
fn a_folder_that_is_missing_or_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let told = replace(&folder.path().join("no/all.pgn"), b"x").unwrap_err().to_string();
    assert!(told.contains("/no: cannot be written to: "), "{told}");
    // Not even root may make a file there.
    let told = replace(Path::new("/proc/all.pgn"), b"x").unwrap_err().to_string();
    assert!(told.contains("/proc: cannot be written to: "), "{told}");
}

#[test]
fn a_lack_of_room_is_told_from_other_faults() {
    let told = |errno| {
        let error = std::io::Error::from_raw_os_error(errno);
        ExportError::of_write(Path::new("all.pgn"), error).is_no_space()
    };
    let [full, too_large, quota, denied] = [28, 27, 122, 13];
    assert!(told(full) && told(too_large) && told(quota) && !told(denied));
}

/// A file system of one MiB, for as long as it lives.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_and_no_trace() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: a small disk cannot be mounted here");
        return;
    };
    let path = put(disk.0.path(), "all.pgn", &[b'a'; 400_000]);
    // Once the new content is another from the start, once only later on.
    for new in [vec![b'b'; 1 << 20], vec![b'a'; 1 << 20]] {
        let error = replace(&path, &new).unwrap_err();
        assert!(error.is_no_space(), "{error}");
        assert!(error.to_string().contains("all.pgn: cannot be written"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), [b'a'; 400_000]);
        assert_eq!(listed(disk.0.path()), ["all.pgn"]);
    }
}

#[test]
fn what_is_somebody_elses_is_kept_but_may_be_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "2023.pgn", b"mine");
    for other in [&b"other"[..], b"mine and more", b"min", b""] {
        let error = write(&path, other, Existing::Keep).unwrap_err();
        assert!(matches!(error, ExportError::SomebodyElses { .. }), "{error}");
        assert!(error.to_string().contains("hint: move it away"), "{error}");
    }
    assert_eq!(write(&path, b"mine", Existing::Keep).unwrap(), Outcome::Unchanged);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    // One that appears while a new file is written is not replaced either.
    let path = folder.path().join("2024.pgn");
    let file = AtomicFile::create(&path, EXPORT_MODE, Existing::Keep).unwrap();
    put(folder.path(), "2024.pgn", b"mine");
    let error = file.commit().unwrap_err();
    assert!(matches!(error, ExportError::SomebodyElses { .. }), "{error}");
    assert_eq!(listed(folder.path()), ["2023.pgn", "2024.pgn"]);
}

#[test]
fn a_file_that_changes_while_it_is_compared_is_not_mixed_with() {
    let folder = tempfile::tempdir().unwrap();
    let old = vec![b'a'; 1 << 20];
    let path = put(folder.path(), "all.pgn", &old);
    for then in [&b"aaa"[..], b"b"] {
        let mut file = AtomicFile::create(&path, EXPORT_MODE, Existing::Replace).unwrap();
        file.write_all(&old[..1 << 19]).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        put(folder.path(), "all.pgn", &vec![b'c'; 1 << 20]);
        let error = match file.write_all(then) {
            Ok(()) => file.commit().unwrap_err(),
            Err(error) => ExportError::of_write(&path, error),
        };
        assert!(matches!(error, ExportError::ChangedMeanwhile { .. }), "{error}");
        put(folder.path(), "all.pgn", &old);
    }
    assert_eq!(listed(folder.path()), ["all.pgn"]);
}

#[test]
fn readers_see_whole_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "all.pgn", &vec![b'a'; 300_000]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // All files share their beginning, so the comparing is in the way as well.
            for i in 0..60_u8 {
                let mut new = vec![b'a'; 300_000];
                new.resize(300_000 + usize::from(i) * 1000, b'b' + i % 20);
                replace(&path, &new).unwrap();
            }
            done.store(true, Relaxed);
        });
        while !done.load(Relaxed) {
            let seen = fs::read(&path).unwrap();
            let rest = &seen[300_000..];
            assert!(seen[..300_000].iter().all(|&b| b == b'a'));
            assert!(rest.len().is_multiple_of(1000) && rest.iter().all(|b| *b == rest[0]));
        }
    });
    assert_eq!(listed(folder.path()), ["all.pgn"]);
}

#[test]
fn sweeping_takes_what_the_dead_left_and_nothing_of_the_living() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.pgn");
    let mut file = AtomicFile::create(&path, EXPORT_MODE, Existing::Replace).unwrap();
    put(folder.path(), ".gamekeeper-dead1.tmp", b"x");
    put(folder.path(), ".gamekeeper-dead2.tmp", b"x");
    put(folder.path(), ".somebody-elses.tmp", b"x");
    symlink("all.pgn", folder.path().join(".gamekeeper-link.tmp")).unwrap();
    assert_eq!(sweep(folder.path()).unwrap(), 2);
    assert_eq!(listed(folder.path()).len(), 3);
    file.write_all(b"alive").unwrap();
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"alive");
}

#[test]
fn folders_are_made_such_that_readers_of_the_files_get_there() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    create_folder(&deep, 0o640).unwrap();
    assert_eq!((mode(&deep), mode(&folder.path().join("a"))), (0o750, 0o750));
    create_folder(&deep, 0o600).unwrap();
    assert_eq!(mode(&deep), 0o750, "what is there stays");
    create_folder(&folder.path().join("c"), 0o600).unwrap();
    assert_eq!(mode(&folder.path().join("c")), 0o700);
    put(folder.path(), "file", b"");
    let told = create_folder(&folder.path().join("file"), 0o640).unwrap_err().to_string();
    assert!(told.contains("is no folder"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_content_is_what_was_written_whatever_was_there(
        old in prop::option::of("[ab]{0,30}"),
        new in prop::collection::vec("[ab]{0,8}", 0..6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        if let Some(old) = &old {
            put(folder.path(), "x", old.as_bytes());
        }
        let mut file = AtomicFile::create(&path, EXPORT_MODE, Existing::Replace).unwrap();
        for piece in &new {
            file.write_all(piece.as_bytes()).unwrap();
        }
        let outcome = file.commit().unwrap();
        let new = new.concat();
        prop_assert_eq!(outcome == Outcome::Unchanged, old.as_ref() == Some(&new));
        prop_assert_eq!(fs::read_to_string(&path).unwrap(), new);
    }
}
