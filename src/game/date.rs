//! The date of a game, as it is compared (names.md §5).
//!
//! It is never guessed: what could be read in two ways stays as its text.

use compact_str::{CompactString, format_compact};

use super::Tags;

/// The date of a game that has none.
const UNKNOWN: &str = "????.??.??";

/// The date of a game: the Date tag, else UTCDate; a message where it was respelled or stays as text.
///
/// *(reading)* A Date tag that is there counts, `????.??.??` too: UTCDate may be the day on which
/// a file was made. An empty one is as none.
pub(super) fn date(tags: &Tags) -> (CompactString, Option<String>) {
    let given = |name| tags.get(name).map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = given("Date").or_else(|| given("UTCDate")) else {
        return (UNKNOWN.into(), None);
    };
    match normal(text) {
        Some(date) if date == text => (date, None),
        Some(date) => {
            let message = format!("date {text} is read as {date}");
            (date, Some(message))
        }
        None => (
            text.into(),
            Some(format!("date {text} cannot be read with certainty and is compared as it stands")),
        ),
    }
}

/// `2013.05.01` of year, month and day in this order with one kind of separator, each of the
/// right number of digits or unknown; `None` of anything else, and of days that no calendar has.
///
/// *(reading)* `1982` is the year alone, with month and day unknown: it can be read in no other way.
fn normal(text: &str) -> Option<CompactString> {
    if text.bytes().all(|byte| byte == b'?') {
        return Some(UNKNOWN.into());
    }
    let separator = text.chars().find(|c| matches!(c, '.' | '-' | '/')).unwrap_or('.');
    let mut parts = text.split(separator);
    let [year, month, day] = match [parts.next(), parts.next(), parts.next(), parts.next()] {
        [Some(year), None, ..] => [year, "??", "??"],
        [Some(year), Some(month), Some(day), None] => [year, month, day],
        _ => return None,
    };
    let year = match year {
        "????" => None,
        _ if year.len() == 4 => Some(number(year)?).filter(|&year| year > 0).map(Some)?,
        _ => return None,
    };
    let month = month_or_day(month)?;
    let day = month_or_day(day)?;
    if !month.is_none_or(|month| (1..=12).contains(&month))
        || !day.is_none_or(|day| (1..=days(year, month)).contains(&day))
    {
        return None;
    }
    let two = |part: Option<u16>| {
        part.map_or(CompactString::const_new("??"), |part| format_compact!("{part:02}"))
    };
    let year = year.map_or(CompactString::const_new("????"), |year| format_compact!("{year:04}"));
    Some(format_compact!("{year}.{}.{}", two(month), two(day)))
}

/// One or two digits, or an unknown part.
fn month_or_day(text: &str) -> Option<Option<u16>> {
    match text {
        "?" | "??" => Some(None),
        _ if text.len() <= 2 => number(text).map(Some),
        _ => None,
    }
}

fn number(digits: &str) -> Option<u16> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The number of days in a month, the greatest possible where it is not known which.
fn days(year: Option<u16>, month: Option<u16>) -> u16 {
    let leap = year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    match month {
        Some(2) => 28 + u16::from(leap),
        Some(4 | 6 | 9 | 11) => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Tag;

    fn of(tags: &[(&str, &str)]) -> (String, bool) {
        let tag = |&(name, value): &(&str, &str)| Tag::new(name, value);
        let (date, message) = date(&Tags(tags.iter().map(tag).collect()));
        (date.to_string(), message.is_some())
    }

    /// names.md §5 and faults-pgn B28: the forms that can be read in one way only.
    #[test]
    fn certain_dates_are_normalised() {
        let cases = [
            ("2013.05.01", "2013.05.01"),
            ("2013-05-01", "2013.05.01"),
            ("2013/5/1", "2013.05.01"),
            ("2013.5.1", "2013.05.01"),
            (" 2013.05.01 ", "2013.05.01"),
            ("2013.??.??", "2013.??.??"),
            ("2013.05.??", "2013.05.??"),
            ("2013-??-??", "2013.??.??"),
            ("2013.?.?", "2013.??.??"),
            ("????.05.01", "????.05.01"),
            ("????.??.??", "????.??.??"),
            ("1982", "1982.??.??"),
            ("?", "????.??.??"),
            ("????", "????.??.??"),
            ("2024.02.29", "2024.02.29"),
            ("2000.2.29", "2000.02.29"),
            ("????.02.29", "????.02.29"),
            ("2013.??.31", "2013.??.31"),
            ("0987.01.01", "0987.01.01"),
        ];
        for (text, expected) in cases {
            assert_eq!(
                of(&[("Date", text)]),
                (expected.to_owned(), expected != text.trim()),
                "{text}"
            );
        }
    }

    /// names.md §5 and faults-pgn B28, B29: what cannot be read stays as text, and a note says so.
    #[test]
    fn other_dates_stay_as_text() {
        let texts = [
            "01.05.2013",
            "1/5/2013",
            "31.05.2013",
            "Sun Jul 09 2023",
            "YYYY-MM-DD",
            "2013.13.45",
            "2013.02.30",
            "2023.02.29",
            "1900.02.29",
            "2013.04.31",
            "2013.00.00",
            "0000.00.00",
            "0000.05.01",
            "0000",
            "82",
            "1982?",
            "2013.05",
            "2013.05.01.02",
            "2013.05-01",
            "13.05.01",
            "2013.005.01",
            "+213.05.01",
            "2013.+5.01",
            "20130501",
            "2013.05.01 12:00",
            "19??.??.??",
            "2013..",
            "2013.05.",
            "２０１３.05.01",
            "٢٠١٣.05.01",
        ];
        for text in texts {
            assert_eq!(of(&[("Date", text)]), (text.to_owned(), true), "{text}");
        }
    }

    /// names.md §5: “the Date tag, else UTCDate”.
    #[test]
    fn utc_date_stands_in_for_no_date() {
        assert_eq!(of(&[]), ("????.??.??".to_owned(), false));
        assert_eq!(of(&[("UTCDate", "2013.05.01")]).0, "2013.05.01");
        assert_eq!(of(&[("Date", ""), ("UTCDate", "2013.05.01")]).0, "2013.05.01");
        assert_eq!(of(&[("Date", "????.??.??"), ("UTCDate", "2013.05.01")]).0, "????.??.??");
        assert_eq!(of(&[("UTCDate", "2013.05.02"), ("Date", "2013.05.01")]).0, "2013.05.01");
    }
}
