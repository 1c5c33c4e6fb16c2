//! The words of the text of a term.

use std::fmt;

use super::expression::{OPERATORS, Operator};
use super::name::{is_identifier, name};
use crate::arena::{TermId, Terms};
use crate::node::Node;

/// Why a text is no term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The byte of the text at which it was noticed.
    pub position: usize,
    /// What was wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.position, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The text that is left, and the names in it.
pub(super) struct Scanner<'a> {
    text: &'a str,
    position: usize,
    /// The declared variables as they are written, the longest first.
    names: Vec<(String, TermId)>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(terms: &Terms, text: &'a str, declared: &[TermId]) -> Scanner<'a> {
        let named = declared.iter().filter_map(|&term| match terms.node(term) {
            Node::Var(var) => Some((name(terms, var), term)),
            _ => None,
        });
        let mut names: Vec<(String, TermId)> = named.collect();
        names.sort_by_key(|(name, term)| (std::cmp::Reverse(name.len()), *term));
        Scanner { text, position: 0, names }
    }

    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.position..].trim_start();
        self.position = self.text.len() - rest.len();
        rest
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// Takes a sign, if it is next.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.position += sign.len();
        }
        found
    }

    /// Takes the name of a declared variable, if it is next: the longest that fits.
    pub(super) fn variable(&mut self) -> Option<TermId> {
        let rest = self.rest();
        let ends = |name: &str| {
            let mut after = rest[name.len()..].chars();
            let next = after.next();
            // `x'2` is another variable than `x`.
            let numbered = next == Some('\'') && after.next().is_some_and(|c| c.is_ascii_digit());
            let longer = name.ends_with(is_identifier) && next.is_some_and(is_identifier);
            !numbered && !longer
        };
        let (name, term) =
            self.names.iter().find(|(name, _)| rest.starts_with(name.as_str()) && ends(name))?;
        self.position += name.len();
        Some(*term)
    }

    /// Takes a word, if one is next.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(|c| !is_identifier(c)).unwrap_or(rest.len());
        self.position += end;
        (end > 0).then(|| &rest[..end])
    }

    /// The operator that is next, and its length.
    pub(super) fn operator(&mut self) -> Option<(Operator, usize)> {
        let rest = self.rest();
        let (operator, text, _) = OPERATORS.into_iter().find(|(_, text, _)| rest.starts_with(text))?;
        Some((operator, text.len()))
    }

    pub(super) fn skip(&mut self, length: usize) {
        self.position += length;
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn back_to(&mut self, position: usize) {
        self.position = position;
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { position: self.position, message: message.into() }
    }
}
