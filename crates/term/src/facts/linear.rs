//! Linear forms `k + Σ cᵢ·bᵢ` over the terms of one width, modulo 2ⁿ.
//!
//! The bases `bᵢ` are terms that are not sums themselves: variables and what the linear operations do not see
//! through. Two terms with the same form are equal; the converse needs Gauss's elimination, which is done by
//! links (see `propagate`).

use std::ops::Deref;

use base::limits;

use super::range::bits;
use crate::arena::TermId;
use crate::value::Width;

/// A linear form.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Linear {
    pub(super) constant: u64,
    /// Bases with their factors, by ascending base; no factor is 0.
    pub(super) parts: Parts,
}

/// A base with its factor.
pub(super) type Part = (TermId, u64);

/// The bases of a form, with their factors.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    len: usize,
    /// Those beyond `len` have no meaning.
    items: [Part; limits::FACTS_BASES],
}

impl Linear {
    /// The form of a base.
    pub(super) fn base(term: TermId) -> Linear {
        Linear { constant: 0, parts: Parts { len: 1, items: [(term, 1); limits::FACTS_BASES] } }
    }

    /// Adds `factor · base`; false if there is no room for another base.
    #[inline]
    pub(super) fn add(&mut self, base: TermId, factor: u64, width: Width) -> bool {
        let factor = factor & bits(width);
        let at = self.parts.iter().position(|part| part.0 >= base).unwrap_or(self.parts.len);
        match self.parts.get(at) {
            Some(&(found, own)) if found == base => {
                match own.wrapping_add(factor) & bits(width) {
                    0 => self.parts.remove(at),
                    sum => self.parts.items[at].1 = sum,
                }
                true
            }
            _ if factor == 0 => true,
            _ => self.parts.insert(at, (base, factor)),
        }
    }

    /// Adds a number.
    #[inline]
    pub(super) fn add_constant(&mut self, value: u64, width: Width) {
        self.constant = self.constant.wrapping_add(value) & bits(width);
    }

    /// `self - other`, if it has few enough bases.
    pub(super) fn minus(&self, other: &Linear, width: Width) -> Option<Linear> {
        let mut difference = self.clone();
        difference.add_constant(other.constant.wrapping_neg(), width);
        let fits =
            other.parts.iter().all(|&(base, factor)| difference.add(base, factor.wrapping_neg(), width));
        fits.then_some(difference)
    }

    /// `self · factor`.
    pub(super) fn times(&self, factor: u64, width: Width) -> Linear {
        let mut product =
            Linear { constant: self.constant.wrapping_mul(factor) & bits(width), ..Linear::default() };
        for &(base, own) in self.parts.iter() {
            // There is room: the product has no more bases than the form.
            product.add(base, own.wrapping_mul(factor), width);
        }
        product
    }

    /// The form without one of its parts.
    pub(super) fn without(&self, at: usize) -> Linear {
        let mut rest = self.clone();
        rest.parts.remove(at);
        rest
    }
}

impl Parts {
    fn insert(&mut self, at: usize, part: Part) -> bool {
        if self.len == limits::FACTS_BASES {
            return false;
        }
        self.items.copy_within(at..self.len, at + 1);
        self.items[at] = part;
        self.len += 1;
        true
    }

    fn remove(&mut self, at: usize) {
        self.items.copy_within(at + 1..self.len, at);
        self.len -= 1;
    }
}

impl Deref for Parts {
    type Target = [Part];

    #[inline]
    fn deref(&self) -> &[Part] {
        &self.items[..self.len]
    }
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { len: 0, items: [(TermId::FIRST, 0); limits::FACTS_BASES] }
    }
}

impl PartialEq for Parts {
    fn eq(&self, other: &Parts) -> bool {
        **self == **other
    }
}

impl Eq for Parts {}
