//! The date of a game (names.md §5): read for certain or left as its text.

use gamekeeper::game::{RawGame, read};

pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // A line break or a quote would be a matter of the tag, not of the date.
    let text: String = text.chars().filter(|c| !c.is_control() && !"\"\\[]".contains(*c)).collect();
    let date = date_of(&text);
    if text.trim().is_empty() {
        assert_eq!(date, "????.??.??");
        return;
    }
    assert_eq!(date_of(&date), date, "{text:?} is read otherwise the second time");
    if date == text.trim() {
        return;
    }
    // What was respelled has the form of the standard, and the numbers that stood there.
    let parts: Vec<&str> = date.split('.').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    assert_eq!(lengths, [4, 2, 2], "{text:?} is read as {date:?}");
    let mut given = text.trim().split(['.', '-', '/']);
    for part in parts {
        let given = given.next().unwrap_or("?").trim_start_matches('0');
        let known = part.bytes().all(|byte| byte.is_ascii_digit());
        match known {
            true => assert_eq!(part.trim_start_matches('0'), given, "{text:?}: {date:?}"),
            false => assert!(given.bytes().chain(part.bytes()).all(|byte| byte == b'?')),
        }
    }
    assert_eq!(given.next(), None, "{text:?} is read as {date:?}");
}

fn date_of(text: &str) -> String {
    let bytes = format!("[Event \"x\"]\n[Date \"{text}\"]\n\n1. e4 *\n").into_bytes();
    let raw = RawGame { bytes, offset: 0, line: 1, complete: true, oversize: None };
    read(&raw, None).unwrap().date.to_string()
}
