//! The tables of cases of names.md.

use super::rows;
use crate::name::{FideId, Identity, Kind, Owner, shown};

#[test]
fn kinds_of_names() {
    // names.md §2.
    for [name, kind] in rows(include_str!("../../../tests/cases/kind.tsv")) {
        assert_eq!(Kind::of(&name).as_str(), kind, "{name:?}");
    }
}

#[test]
fn same_players() {
    // names.md §3.
    for [name_a, fide_a, name_b, fide_b, same] in
        rows(include_str!("../../../tests/cases/same-player.tsv"))
    {
        let a = Identity::of(&name_a, FideId::parse(&fide_a).as_ref());
        let b = Identity::of(&name_b, FideId::parse(&fide_b).as_ref());
        assert_eq!(
            a == b,
            same == "yes",
            "{name_a:?} {fide_a:?} = {a}, {name_b:?} {fide_b:?} = {b}"
        );
    }
}

#[test]
fn shown_names() {
    // names.md §4.
    for [name, online, expected] in rows(include_str!("../../../tests/cases/shown-name.tsv")) {
        assert_eq!(shown(&name, online == "yes"), expected, "{name:?}");
    }
}

#[test]
fn own_games() {
    // names.md §6.
    for [first, last, fide, aliases, player, player_fide, own] in
        rows(include_str!("../../../tests/cases/own-games.tsv"))
    {
        let owner = Owner::new(&first, &last, FideId::parse(&fide), aliases.split('|'));
        let owns = owner.owns(&player, FideId::parse(&player_fide).as_ref());
        assert_eq!(owns, own == "yes", "{player:?} {player_fide:?}, profile ID {fide:?}");
    }
}
