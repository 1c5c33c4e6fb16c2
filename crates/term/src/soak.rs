//! Long tests of terms against their definitions; `cargo x soak` runs them at full number, `cargo test` at a
//! reduced one.
//!
//! The definitions ([`operation`]) are written bit by bit and know nothing of [`Terms`], so a wrong rule and
//! a wrong evaluation are both caught. Everything is a function of count and seed.

mod definition;
mod mix;
mod nested;
mod operation;
mod random;

pub use mix::Mix;
pub use nested::{exhaustive, nested, single};
pub use random::random;

use crate::arena::{TermId, Terms};
use crate::print::parse;
use base::Id;

/// What a long test has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many terms were asked for by an operation.
    pub built: u64,
    /// How many terms the arenas had in the end, parts and constants included.
    pub kept: u64,
    /// How many values were compared with the definition.
    pub values: u64,
    /// How many terms were printed and read back.
    pub printed: u64,
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.built += other.built;
        self.kept += other.kept;
        self.values += other.values;
        self.printed += other.printed;
    }
}

/// Checks law (4) of `build` on all terms from `first` on: built again from its own operands, a term is the same.
fn check_stable(terms: &mut Terms, first: usize) -> Result<(), String> {
    for index in first..terms.len() {
        let term = TermId::new(index);
        let again = terms.build(terms.node(term), terms.width(term));
        if again != term {
            let (node, new) = (terms.node(term), terms.node(again));
            return Err(format!(
                "built again, {term} = {node:?} = `{}` becomes {again} = {new:?} = `{}`",
                terms.show(term),
                terms.show(again)
            ));
        }
    }
    Ok(())
}

/// Checks that a term's text, read back, is the term; tells whether the text is whole.
fn check_printed(terms: &mut Terms, term: TermId) -> Result<bool, String> {
    let text = terms.show(term).to_string();
    if text.contains("...") {
        return Ok(false);
    }
    let declared: Vec<TermId> = terms.vars().map(|var| terms.var_term(var)).collect();
    let again = parse(terms, &text, &declared)
        .map_err(|error| format!("`{text}` of {:?} is not read: {error}", terms.node(term)))?;
    if again != term {
        let (node, new) = (terms.node(term), terms.node(again));
        return Err(format!("`{text}` of {node:?} is read as {new:?} = `{}`", terms.show(again)));
    }
    Ok(true)
}
