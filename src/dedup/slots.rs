//! Movetext seen from its main line: what stands beside each ply.

use crate::game::{Token, tokens};

/// What stands after one ply of the main line, or before the first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Slot {
    /// The move itself; empty in the slot before the first move.
    pub(super) san: String,
    /// NAGs, `$n`.
    pub(super) nags: Vec<String>,
    /// Comments without their braces.
    pub(super) comments: Vec<String>,
    /// Side lines as clean text without their outer parentheses.
    pub(super) lines: Vec<String>,
}

/// Cuts clean movetext ([`crate::game::Movetext::clean`]) into slots: one before the first move and
/// one for each ply of the main line.
pub(super) fn slots(clean: &str) -> Vec<Slot> {
    let mut slots = vec![Slot::default()];
    let mut depth = 0usize;
    let mut line = String::new();
    for token in tokens(clean) {
        if depth > 0 {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                last(&mut slots).lines.push(std::mem::take(&mut line));
            } else {
                push_token(&mut line, token);
            }
            continue;
        }
        match token {
            Token::Open => depth = 1,
            Token::Close => {}
            Token::Move(san) => slots.push(Slot { san: san.to_owned(), ..Slot::default() }),
            Token::Nag(nag) => last(&mut slots).nags.push(nag.to_owned()),
            Token::Comment(text) => last(&mut slots).comments.push(text.to_owned()),
        }
    }
    slots
}

/// Clean movetext again. What stands beside a ply comes in the order NAGs, comments, side lines.
pub(super) fn clean(slots: &[Slot]) -> String {
    let mut out = String::new();
    for slot in slots {
        if !slot.san.is_empty() {
            push_token(&mut out, Token::Move(&slot.san));
        }
        for nag in &slot.nags {
            push_token(&mut out, Token::Nag(nag));
        }
        for comment in &slot.comments {
            push_token(&mut out, Token::Comment(comment));
        }
        for line in &slot.lines {
            push_token(&mut out, Token::Open);
            push_word(&mut out, line);
            push_token(&mut out, Token::Close);
        }
    }
    out
}

fn last(slots: &mut [Slot]) -> &mut Slot {
    slots.last_mut().expect("there is always the slot before the first move")
}

fn push_token(out: &mut String, token: Token<'_>) {
    match token {
        Token::Move(text) | Token::Nag(text) => push_word(out, text),
        Token::Open => push_word(out, "("),
        Token::Close => push_word(out, ")"),
        Token::Comment(text) => {
            push_word(out, "{");
            out.push_str(text);
            out.push('}');
        }
    }
}

fn push_word(out: &mut String, word: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}
