//! Amounts of disk space: `"256 MiB"`.

use toml::Spanned;

use super::problem::Collector;
use super::section::quoted;

const UNITS: [(&str, u32); 5] = [("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];

/// Bytes from a whole number and a unit; a number alone is bytes.
pub(super) fn check(typed: &Spanned<String>, problems: &Collector<'_>) -> Option<u64> {
    let bytes = parse(typed.get_ref().trim());
    if bytes.is_none() {
        let message = format!("{} is no amount of space", quoted(typed.get_ref()));
        let hint = "write a whole number and a unit: \"256 MiB\" (B, KiB, MiB, GiB, TiB)";
        problems.report(&typed.span(), message, hint);
    }
    bytes
}

fn parse(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = if unit.is_empty() { "B" } else { unit.trim_start() };
    let (_, shift) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn units_are_powers_of_1024() {
        assert_eq!(parse("256 MiB"), Some(268_435_456));
        assert_eq!(parse("1gib"), Some(1 << 30));
        assert_eq!(parse("4096"), Some(4096));
        assert_eq!(parse("0"), Some(0));
        for wrong in ["", "MiB", "1 MB", "-1 MiB", "1.5 GiB", "99999999 TiB", "1 MiB x"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
