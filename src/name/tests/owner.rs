//! Own games (names.md §6), beside their table.

use proptest::prelude::*;

use super::texts;
use crate::name::{FideId, Identity, Kind, Owner};

#[test]
fn an_unknown_player_is_never_own() {
    let nobody = Owner::new("", "", None, ["?", ""]);
    assert!(!nobody.owns("?", None));
    assert!(!nobody.owns("", None));
    // An ID makes him known.
    let owner = Owner::new("", "", FideId::parse("850012"), ["?"]);
    assert!(owner.owns("?", FideId::parse("850012").as_ref()));
    assert!(!owner.owns("?", None));
}

#[test]
fn the_name_counts_in_any_order() {
    let owner = Owner::new("Maria Anna", "De Rossi", None, ["…", "Bianchi, Anna"]);
    for own in ["De Rossi, Maria Anna", "ANNA MARIA DE ROSSI", "...", "Anna Bianchi"] {
        assert!(owner.owns(own, None), "{own}");
    }
    for other in ["De Rossi, Maria", "De Rossi, Anna Maria Anna", "anna-bianchi", "…."] {
        assert!(!owner.owns(other, None), "{other}");
    }
    // Half a name is a name like any other.
    assert!(Owner::new("", "Rossi", None, [""]).owns("rossi", None));
    assert!(!Owner::new("", "Rossi", None, [""]).owns("Rossi,", None));
}

proptest! {
    #[test]
    fn an_alias_counts_by_its_own_rule(alias in texts(), name in texts()) {
        let owner = Owner::new("", "", None, [&alias]);
        prop_assert_eq!(owner.owns(&alias, None), Kind::of(&alias) != Kind::Unknown);
        let same = Identity::of(&alias, None) == Identity::of(&name, None);
        prop_assert_eq!(owner.owns(&name, None), same && Kind::of(&name) != Kind::Unknown);
    }
}
