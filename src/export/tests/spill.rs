//! Sorting games by file with bounded memory.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::export::spill::Spill;

proptest! {
    #[test]
    fn files_hold_their_games_in_order_whatever_the_budget(
        games in prop::collection::vec((0..6u32, "[a-z]{0,40}"), 0..80),
        budget in 1..2000usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path(), budget);
        let mut expected: BTreeMap<u32, String> = BTreeMap::new();
        for (file, game) in &games {
            spill.push(*file, game.as_bytes()).unwrap();
            expected.entry(*file).or_default().push_str(game);
        }
        let mut sorted = spill.sorted();
        for file in 0..6 {
            let mut got = Vec::new();
            let fails_early = file == 3;
            let taken = sorted
                .take_file(file, |bytes| {
                    got.extend_from_slice(bytes);
                    if fails_early { Err("full") } else { Ok(()) }
                })
                .unwrap();
            let all = expected.get(&file).cloned().unwrap_or_default();
            if fails_early {
                prop_assert!(all.as_bytes().starts_with(&got));
            } else {
                prop_assert_eq!(taken, Ok(()));
                prop_assert_eq!(String::from_utf8(got).unwrap(), all);
            }
        }
        prop_assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "no trace");
    }
}
