//! The corpus of the fuzz targets through their properties, on the stable toolchain (`fuzz/`).

use std::path::Path;

use crate::properties;

#[track_caller]
fn holds(target: &str, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let data = std::fs::read(&path).unwrap();
        // What panics within says why; this says on what.
        let result = std::panic::catch_unwind(|| property(&data));
        assert!(result.is_ok(), "{} breaks a property of {target}", path.display());
        files += 1;
    }
    assert!(files > 0, "{} is empty", folder.display());
}

macro_rules! targets {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            holds(stringify!($target), properties::$target::holds);
        })*

        /// Each target has its file, and its corpus is taken here.
        #[test]
        fn every_target_is_here() {
            let mut targets: Vec<String> =
                std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/targets"))
                    .unwrap()
                    .map(|entry| entry.unwrap().path())
                    .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
                    .collect();
            targets.sort();
            assert_eq!(targets, [$(stringify!($target)),*]);
        }
    };
}

targets!(config copies date game journal name record split);
