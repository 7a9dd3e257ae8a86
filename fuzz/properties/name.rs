//! The rules on names (names.md §1–§4) as laws that hold for any name.

use gamekeeper::name::{FideId, Identity, Kind, fold, shown, tidy, usual_form, words};
use unicode_normalization::UnicodeNormalization;

use super::Dice;

/// Each line is a name; neighbours are held against each other too.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let names: Vec<&str> = text.split('\n').take(16).collect();
    for name in &names {
        one(name);
        respelled(name, &mut Dice::of(name.as_bytes()));
    }
    for pair in names.windows(2) {
        two(pair[0], pair[1]);
    }
}

fn player(name: &str) -> Identity {
    Identity::of(name, None)
}

fn one(name: &str) {
    let tidied = tidy(name);
    assert_eq!(tidy(&tidied), tidied, "{name:?}: tidied twice");
    let folded = fold(&tidied);
    assert_eq!(fold(&folded), folded, "{name:?}: folded twice");
    assert!(words(&folded).all(|word| !word.is_empty() && folded.contains(word)));

    // names.md §2: what a nickname is, said otherwise.
    let plain = |c: char| matches!(c, 'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-');
    let kind = match &*tidied {
        text if text.chars().all(|c| c == '?') => Kind::Unknown,
        text if text.chars().all(plain) => Kind::Nickname,
        _ => Kind::Person,
    };
    assert_eq!(Kind::of(name), kind, "{name:?}");
    let identity = player(name);
    assert_eq!(identity, player(&tidied), "{name:?}: blanks count");
    let right = matches!(
        (&identity, kind),
        (Identity::Unknown, Kind::Unknown)
            | (Identity::Nickname(_), Kind::Nickname)
            | (Identity::Person(_), Kind::Person)
    );
    assert!(right, "{name:?}: {identity:?}");

    // §4: what is shown is the same player, and its own form.
    let usual = usual_form(name);
    assert_eq!(player(&usual), identity, "{name:?} is shown as {usual:?}");
    assert_eq!(usual_form(&usual), usual, "{name:?}: usual form of a usual form");
    assert_eq!(shown(name, false), usual);
    let online = shown(name, true);
    assert_eq!(online, if kind == Kind::Unknown { "?" } else { &*tidied });

    // §3.1: an ID decides alone.
    let id = FideId::parse("0850012").unwrap();
    assert_eq!(Identity::of(name, Some(&id)), Identity::Fide(id));
    if let Some(id) = FideId::parse(name) {
        assert_eq!(FideId::parse(id.as_str()).as_ref(), Some(&id));
        assert!(name.trim().bytes().all(|byte| byte.is_ascii_digit()));
    }
}

/// Names that are the same player for certain (names.md §3.2).
fn respelled(name: &str, dice: &mut Dice) {
    let identity = player(name);
    let is_same = |other: &str| {
        if Kind::of(other) == Kind::of(name) {
            assert_eq!(player(other), identity, "{name:?} and {other:?}");
        }
    };
    is_same(&name.to_ascii_lowercase());
    is_same(&name.to_ascii_uppercase());
    let tidied = tidy(name);
    let forms: [String; 4] = [
        tidied.nfc().collect(),
        tidied.nfd().collect(),
        tidied.nfkc().collect(),
        tidied.nfkd().collect(),
    ];
    if Kind::of(name) != Kind::Person {
        return;
    }
    let folded = fold(&tidied).into_owned();
    let mut parts: Vec<&str> = words(&folded).collect();
    if parts.is_empty() {
        return;
    }
    forms.iter().for_each(|form| is_same(form));
    for at in (1..parts.len()).rev() {
        parts.swap(at, dice.below(at + 1));
    }
    let comma = parts.join(", ");
    is_same(&parts.join(" "));
    is_same(&comma);
    is_same(&format!(" {comma} ."));
    is_same(&parts.join("-"));
    // One word more is another player, and so is one that is missing.
    assert_ne!(player(&format!("{comma}, zzz")), identity, "{name:?}");
    if parts.len() > 2 {
        assert_ne!(player(&parts[1..].join(" ")), identity, "{name:?}");
    }
}

/// Equal identities are equal words, and a nickname is never a person (names.md §3.2, §3.3).
fn two(a: &str, b: &str) {
    let (left, right) = (player(a), player(b));
    assert_eq!(left == right, left.key() == right.key());
    let sorted = |name: &str| {
        let folded = fold(&tidy(name)).into_owned();
        let mut sorted: Vec<String> = words(&folded).map(str::to_owned).collect();
        sorted.sort();
        (sorted, folded)
    };
    let ((left_words, left_text), (right_words, right_text)) = (sorted(a), sorted(b));
    let same = match (Kind::of(a), Kind::of(b)) {
        (Kind::Unknown, Kind::Unknown) => true,
        (Kind::Nickname, Kind::Nickname) => left_text == right_text,
        (Kind::Person, Kind::Person) if left_words.is_empty() => left_text == right_text,
        (Kind::Person, Kind::Person) => left_words == right_words,
        _ => false,
    };
    assert_eq!(left == right, same, "{a:?} and {b:?}");
}
