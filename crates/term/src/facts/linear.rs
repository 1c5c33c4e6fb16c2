//! Linear forms `k + Σ cᵢ·bᵢ` over the terms of one width, modulo 2ⁿ.
//!
//! The bases `bᵢ` are terms that are not sums themselves: variables and what the linear operations do not see through. Two terms
//! with the same form are equal; the converse needs Gauss's elimination, which is done by links (see `propagate`).

use smallvec::SmallVec;

use super::range::bits;
use crate::arena::TermId;
use crate::value::Width;

/// Bases that a form may have. `x - y + z` is what pointer arithmetic needs; more is rare and not worth the room.
pub(super) const PARTS: usize = 4;

/// A linear form.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Linear {
    pub(super) constant: u64,
    /// Bases with their factors, by ascending base; no factor is 0, no base has a link.
    pub(super) parts: SmallVec<[(TermId, u64); PARTS]>,
}

impl Linear {
    /// The form of a base.
    pub(super) fn base(term: TermId) -> Linear {
        let mut form = Linear::default();
        form.parts.push((term, 1));
        form
    }

    /// Adds `factor · base`; false if there is no room for another base.
    pub(super) fn add(&mut self, base: TermId, factor: u64, width: Width) -> bool {
        match self.parts.binary_search_by_key(&base, |part| part.0) {
            Ok(at) => {
                let sum = self.parts[at].1.wrapping_add(factor) & bits(width);
                if sum == 0 {
                    self.parts.remove(at);
                } else {
                    self.parts[at].1 = sum;
                }
                true
            }
            Err(_) if factor & bits(width) == 0 => true,
            Err(_) if self.parts.len() == PARTS => false,
            Err(at) => {
                self.parts.insert(at, (base, factor & bits(width)));
                true
            }
        }
    }

    /// Adds a number.
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
        for &(base, own) in &self.parts {
            // There is room: the product has no more bases than the form.
            product.add(base, own.wrapping_mul(factor), width);
        }
        product
    }
}
