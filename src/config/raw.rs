//! The config file as it was typed: the right types, each value with its place, nothing checked
//! for its meaning yet.

use toml::Spanned;
use toml::de::DeTable;

use super::problem::Collector;
use super::section::Section;
use super::{Names, OnDuplicate, Split};

const TOP: &[&str] = &["owner", "exports", "on_duplicate", "min_free_space"];
const OWNER: &[&str] = &["first_name", "last_name", "fide_id", "aliases"];
const EXPORT: &[&str] = &["path", "split", "names"];

/// The whole file.
#[derive(Debug, Default)]
pub(super) struct RawConfig {
    pub(super) owner: RawOwner,
    pub(super) exports: Vec<RawExport>,
    pub(super) on_duplicate: Option<OnDuplicate>,
    pub(super) min_free_space: Option<Spanned<String>>,
}

/// `[owner]`
#[derive(Debug, Default)]
pub(super) struct RawOwner {
    pub(super) first_name: Option<Spanned<String>>,
    pub(super) last_name: Option<Spanned<String>>,
    pub(super) fide_id: Option<Spanned<String>>,
    pub(super) aliases: Vec<Spanned<String>>,
}

/// `[exports.NAME]`
#[derive(Debug)]
pub(super) struct RawExport {
    pub(super) name: Spanned<String>,
    pub(super) path: Option<Spanned<String>>,
    pub(super) split: Option<Split>,
    pub(super) names: Option<Names>,
}

impl RawConfig {
    /// Reads the text of a file. What is not TOML, is unknown or has the wrong type is reported.
    pub(super) fn read<'i>(text: &'i str, problems: &Collector<'i>) -> RawConfig {
        let (table, errors) = DeTable::parse_recoverable(text);
        // A key that stands twice leaves a table worth checking; other damage does not, and would
        // only add errors that are none.
        let twice = |error: &toml::de::Error| error.message().starts_with("duplicate key");
        let sound = errors.iter().all(twice);
        for error in &errors {
            let span = error.span().unwrap_or(text.len()..text.len());
            if twice(error) {
                let message = format!(
                    "`{}` stands there twice",
                    text.get(span.clone()).unwrap_or("a key").trim()
                );
                problems.report(&span, message, "keep one of the two");
            } else {
                let hint = "the file must be TOML: key = \"text\", key = 1, [section]";
                problems.report(&span, error.message(), hint);
            }
        }
        if !sound {
            return RawConfig::default();
        }
        let top = Section::top(table.get_ref(), TOP, problems);
        RawConfig {
            owner: top.section("owner", OWNER).map(RawOwner::read).unwrap_or_default(),
            exports: top
                .named_sections("exports", EXPORT)
                .into_iter()
                .map(|(name, section)| RawExport::read(name, &section))
                .collect(),
            on_duplicate: top.choice("on_duplicate"),
            min_free_space: top.text_or_number("min_free_space"),
        }
    }
}

impl RawOwner {
    fn read(section: Section<'_, '_>) -> RawOwner {
        RawOwner {
            first_name: section.text("first_name"),
            last_name: section.text("last_name"),
            fide_id: section.text_or_number("fide_id"),
            aliases: section.texts("aliases"),
        }
    }
}

impl RawExport {
    fn read(name: Spanned<String>, section: &Section<'_, '_>) -> RawExport {
        if !section.has("path") {
            section.missing(&name.span(), "path", "\"~/chess/clean/all.pgn\"");
        }
        RawExport {
            path: section.text("path"),
            split: section.choice("split"),
            names: section.choice("names"),
            name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// reliability.md 25: the example shows every option there is.
    #[test]
    fn the_example_names_every_key() {
        for key in [TOP, OWNER, EXPORT].concat() {
            let shown = crate::config::EXAMPLE.lines().any(|line| {
                let line = line.trim_start_matches(['#', ' ', '[']);
                line.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', ']', '.']))
            });
            assert!(shown, "config.example.toml does not show `{key}`");
        }
    }
}
