//! One table of the config file, read key by key. Whatever cannot be taken as it stands is
//! reported, and reading goes on: one run tells everything.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Collector;

/// A value that is one of a few words.
pub(super) trait Choice: Copy + 'static {
    /// The words and what they stand for; the first is the default.
    const CHOICES: &'static [(&'static str, Self)];
}

/// A table of the file and the keys that may stand in it.
pub(super) struct Section<'t, 'i> {
    /// How messages call it: `[exports.all]`, or nothing for the top of the file.
    title: String,
    table: &'t DeTable<'i>,
    problems: &'t Collector<'i>,
}

impl<'t, 'i> Section<'t, 'i> {
    /// The top of the file. Keys that are not in `known` are reported at once.
    pub(super) fn top(
        table: &'t DeTable<'i>,
        known: &[&str],
        problems: &'t Collector<'i>,
    ) -> Section<'t, 'i> {
        Section::open(String::new(), table, known, problems)
    }

    fn open(
        title: String,
        table: &'t DeTable<'i>,
        known: &[&str],
        problems: &'t Collector<'i>,
    ) -> Section<'t, 'i> {
        let section = Section { title, table, problems };
        for (key, value) in table {
            if !known.contains(&key.get_ref().as_ref()) {
                let what = match value.get_ref() {
                    DeValue::Table(_) if section.title.is_empty() => {
                        format!("unknown section [{}]", key.get_ref())
                    }
                    _ => format!("unknown key `{}`{}", key.get_ref(), section.place()),
                };
                let choices = known.iter().copied();
                problems.report(&key.span(), what, did_you_mean(key.get_ref(), choices));
            }
        }
        section
    }

    /// True when the key stands here, whatever its value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Reports that a key which must stand in this section, whose header is at `header`, does not.
    pub(super) fn missing(&self, header: &Range<usize>, key: &str, example: &str) {
        let message = format!("{} has no `{key}`", self.title);
        self.problems.report(header, message, format!("add {key} = {example}"));
    }

    /// Text.
    pub(super) fn text(&self, key: &str) -> Option<Spanned<String>> {
        let value = self.table.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(Spanned::new(value.span(), text.to_string())),
            other => {
                self.wrong_type(key, value, "a string", &format!("{key} = \"{}\"", scalar(other)))
            }
        }
    }

    /// Text, or a whole number as its digits.
    pub(super) fn text_or_number(&self, key: &str) -> Option<Spanned<String>> {
        let value = self.table.get(key)?;
        match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => {
                Some(Spanned::new(value.span(), number.as_str().replace('_', "")))
            }
            DeValue::String(text) => Some(Spanned::new(value.span(), text.to_string())),
            _ => self.wrong_type(
                key,
                value,
                "a decimal number or a string",
                &format!("{key} = \"…\""),
            ),
        }
    }

    /// A list of texts; what is no text in it is left out and reported.
    pub(super) fn texts(&self, key: &str) -> Vec<Spanned<String>> {
        let Some(value) = self.table.get(key) else {
            return Vec::new();
        };
        let DeValue::Array(array) = value.get_ref() else {
            let example = format!("{key} = [\"{}\"]", scalar(value.get_ref()));
            return self.wrong_type(key, value, "a list of strings", &example).unwrap_or_default();
        };
        let mut texts = Vec::with_capacity(array.len());
        for item in array {
            match item.get_ref() {
                DeValue::String(text) => texts.push(Spanned::new(item.span(), text.to_string())),
                other => {
                    let example = format!("{key} = [\"{}\"]", scalar(other));
                    self.wrong_type::<()>(key, item, "a list of strings", &example);
                }
            }
        }
        texts
    }

    /// One of a few words.
    pub(super) fn choice<T: Choice>(&self, key: &str) -> Option<T> {
        let typed = self.text(key)?;
        if let Some((_, choice)) = T::CHOICES.iter().find(|(word, _)| word == typed.get_ref()) {
            return Some(*choice);
        }
        let message =
            format!("`{key}`{} cannot be {}", self.place(), quoted(typed.get_ref().as_str()));
        let words = T::CHOICES.iter().map(|(word, _)| *word);
        self.problems.report(&typed.span(), message, did_you_mean(typed.get_ref(), words));
        None
    }

    /// The section `[key]`.
    pub(super) fn section(&self, key: &str, known: &[&str]) -> Option<Section<'t, 'i>> {
        let value = self.table.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => {
                Some(Section::open(format!("[{key}]"), table, known, self.problems))
            }
            _ => self.wrong_type(key, value, "a section", &format!("[{key}]")),
        }
    }

    /// The sections `[key.NAME]` in the order of the file, each with its name.
    pub(super) fn named_sections(
        &self,
        key: &str,
        known: &[&str],
    ) -> Vec<(Spanned<String>, Section<'t, 'i>)> {
        let Some(value) = self.table.get(key) else {
            return Vec::new();
        };
        let DeValue::Table(table) = value.get_ref() else {
            let example = format!("[{key}.NAME]");
            return self.wrong_type(key, value, "a section", &example).unwrap_or_default();
        };
        let mut sections = Vec::with_capacity(table.len());
        for (name, value) in table {
            let title = format!("[{key}.{}]", name.get_ref());
            let DeValue::Table(inner) = value.get_ref() else {
                let message = format!("{title} must be a section");
                let hint = format!("each of the {key} has a name: write [{key}.NAME] above it");
                self.problems.report(&name.span(), message, hint);
                continue;
            };
            let typed = Spanned::new(name.span(), name.get_ref().to_string());
            sections.push((typed, Section::open(title, inner, known, self.problems)));
        }
        sections.sort_by_key(|(name, _)| name.span().start);
        sections
    }

    fn wrong_type<T>(
        &self,
        key: &str,
        value: &Spanned<DeValue<'i>>,
        wanted: &str,
        example: &str,
    ) -> Option<T> {
        let found = value.get_ref().type_str();
        let article = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        let message = format!("`{key}`{} must be {wanted}, not {article} {found}", self.place());
        self.problems.report(&value.span(), message, format!("write {example}"));
        None
    }

    /// ` in [owner]`, or nothing at the top of the file.
    fn place(&self) -> String {
        if self.title.is_empty() { String::new() } else { format!(" in {}", self.title) }
    }
}

/// A value as it may be put between quotes, for a hint.
fn scalar(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::String(text) => text.to_string(),
        DeValue::Array(_) | DeValue::Table(_) => "…".to_owned(),
    }
}

/// A typed value as messages show it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_debug())
}

/// The hint for a word that is none of `choices`.
fn did_you_mean<'c>(typed: &str, choices: impl Iterator<Item = &'c str> + Clone) -> String {
    let lower = typed.to_lowercase();
    let distance = |word: &str| strsim::damerau_levenshtein(&lower, word);
    match choices.clone().min_by_key(|word| distance(word)) {
        // A third of the letters may be wrong; more is another word.
        Some(best) if distance(best) <= best.len().div_ceil(3) => {
            format!("did you mean `{best}`?")
        }
        _ => format!("known here: {}", choices.collect::<Vec<_>>().join(", ")),
    }
}
