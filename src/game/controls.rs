//! Control characters made visible, so that none reaches an export or a terminal (pgn.md).

use std::borrow::Cow;

/// `text` on one line: of control characters, those that are blanks become one, and the others
/// the pictures that Unicode has for them, so that no two values become one. Those of U+0080 to
/// U+009F have none: they become their equals of two characters, `ESC` and a letter. Also tells
/// whether there were any.
pub(super) fn without_controls(text: Cow<'_, str>) -> (Cow<'_, str>, bool) {
    // U+0080 to U+009F begin with this byte in UTF-8.
    let perhaps = |byte: u8| byte < b' ' || byte == 0x7F || byte == 0xC2;
    if !text.bytes().any(perhaps) || !text.contains(char::is_control) {
        return (text, false);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' => plain.push(' '),
            '\u{7f}' => plain.push('\u{2421}'),
            '\0'..='\u{1f}' => plain.push(character(0x2400 + c as u32)),
            '\u{80}'..='\u{9f}' => {
                plain.push('\u{241b}');
                plain.push(character(c as u32 - 0x40));
            }
            _ => plain.push(c),
        }
    }
    (Cow::Owned(plain), true)
}

fn character(code: u32) -> char {
    char::from_u32(code).expect("U+0040 to U+005F and U+2400 to U+241F are characters")
}

#[cfg(test)]
mod tests {
    use super::without_controls;

    /// names.md §5: a name never loses a letter to a control character.
    #[test]
    fn controls_are_told_apart() {
        let all: Vec<String> = ('\0'..='\u{9f}')
            .filter(|c| c.is_control())
            .map(|c| without_controls(format!("a{c}b").into()).0.into_owned())
            .collect();
        assert!(all.iter().all(|text| !text.contains(char::is_control)));
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        // Six are blanks.
        assert_eq!(distinct.len(), all.len() - 5);
        assert_eq!(without_controls("Müller Â".into()), ("Müller Â".into(), false));
    }
}
