//! Arenas on the way to somewhere else: written as they are, and checked when they are read.
//!
//! Judgment: what is read is an arena that could have been built: operands are older than terms, widths fit,
//! each variable is one term. Whether a term is in normal form is not checked: that is what the mark of the
//! store is for, and costs sharing at most.

use base::{Id, Interner};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::arena::Terms;
use crate::kept::Kept;
use crate::node::{Binary, Extend, Node};
use crate::value::{WIDEST, Width};
use crate::var::Var;

#[derive(Serialize, Deserialize)]
struct Wire {
    names: Vec<String>,
    vars: Vec<Var>,
    wide: Vec<u128>,
    kept: Vec<Kept>,
}

impl Serialize for Terms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.names();
        let names = (0..names.len()).map(|at| names.resolve(Id::new(at)).to_owned()).collect();
        let vars = self.vars().map(|var| self.var(var)).collect();
        let (kept, wide) = self.raw();
        Wire { names, vars, wide: wide.to_vec(), kept: kept.to_vec() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Terms, D::Error> {
        let Wire { names, vars, wide, kept } = Wire::deserialize(deserializer)?;
        let mut interner = Interner::default();
        for name in &names {
            interner.intern(name);
        }
        if interner.len() != names.len() || vars.iter().any(|var| var.name.index() >= names.len()) {
            return Err(D::Error::custom("names of variables should be there once"));
        }
        let mut terms = Terms::of_raw(interner, wide);
        let mut vars = vars.into_iter();
        for kept in kept {
            let next = vars.clone().next();
            if !is_sound(&terms, kept, next) {
                return Err(D::Error::custom("a term should be made of older ones of fitting widths"));
            }
            if kept.is_var() {
                vars.next();
            }
            if !terms.push_raw(kept, next.filter(|_| kept.is_var())) {
                return Err(D::Error::custom("a term should be there once"));
            }
        }
        match vars.next() {
            Some(_) => Err(D::Error::custom("each variable should be a term")),
            None => Ok(terms),
        }
    }
}

/// Whether a term can stand behind all that were read; `next` is the next variable.
fn is_sound(terms: &Terms, kept: Kept, next: Option<Var>) -> bool {
    let width = kept.width();
    let (_, wide) = terms.raw();
    if !(1..=WIDEST).contains(&width) || !kept.is_readable(wide) {
        return false;
    }
    let node = kept.node(wide);
    let mut is_older = true;
    let _ = node.map(|operand| {
        is_older &= operand.index() < terms.len();
        operand
    });
    is_older && has_fitting_widths(terms, node, width, next)
}

fn has_fitting_widths(terms: &Terms, node: Node, width: Width, next: Option<Var>) -> bool {
    let of = |term| terms.width(term);
    match node {
        Node::Const(value) => value & !crate::value::mask(width) == 0,
        Node::Var(var) => var.index() == terms.vars().len() && next.is_some_and(|next| next.width == width),
        Node::Unary(_, a) => of(a) == width,
        Node::Binary(Binary::Concat, a, b) => of(a) + of(b) == width,
        Node::Binary(Binary::Eq | Binary::Ult | Binary::Slt, a, b) => width == 1 && of(a) == of(b),
        Node::Binary(_, a, b) => of(a) == width && of(b) == width,
        Node::Extend(Extend::Zero | Extend::Sign, a) => of(a) <= width,
        Node::Extract { from, low } => low.checked_add(width).is_some_and(|end| end <= of(from)),
        Node::Ite(a, b, c) => of(a) == 1 && of(b) == width && of(c) == width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::var::Origin;

    fn arena() -> Terms {
        let mut terms = Terms::new();
        let (p, n) = (terms.fresh(64, Origin::Parameter, "p"), terms.fresh(64, Origin::Input, "n"));
        let wide = terms.constant(128, u128::MAX - 7);
        let extended = terms.zext(p, 128);
        let _ = terms.add(extended, wide);
        let product = terms.mul(p, n);
        let is_small = terms.ult(product, n);
        let low = terms.trunc(p, 8);
        let high = terms.trunc(n, 8);
        let _ = terms.ite(is_small, low, high);
        terms
    }

    fn written(terms: &Terms) -> Vec<u8> {
        postcard::to_stdvec(terms).expect("an arena can be written")
    }

    #[test]
    fn an_arena_comes_back_as_it_was() {
        let terms = arena();
        let bytes = written(&terms);
        let back: Terms = postcard::from_bytes(&bytes).expect("it should be read");
        assert_eq!(back.len(), terms.len());
        for at in 0..terms.len() {
            let term = Id::new(at);
            assert_eq!((back.node(term), back.width(term)), (terms.node(term), terms.width(term)));
            assert_eq!(
                back.mentions(term, Origin::is_observable),
                terms.mentions(term, Origin::is_observable)
            );
        }
        assert_eq!(written(&back), bytes);
        // What is built of it is what would have been built before.
        let (mut back, mut terms) = (back, terms);
        let (a, b) = (back.var_term(Id::new(0)), back.var_term(Id::new(1)));
        assert_eq!(back.mul(a, b), terms.mul(a, b));
        assert_eq!(back.fresh(8, Origin::Input, "p"), terms.fresh(8, Origin::Input, "p"));
    }

    #[test]
    fn damaged_bytes_are_refused_or_harmless() {
        let bytes = written(&arena());
        for at in 0..bytes.len() {
            for change in [1, 0x10, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                if let Ok(terms) = postcard::from_bytes::<Terms>(&damaged) {
                    (0..terms.len()).for_each(|at| drop(terms.show(Id::new(at)).to_string()));
                }
            }
            assert!(postcard::from_bytes::<Terms>(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}
