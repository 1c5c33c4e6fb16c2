//! Operations of the IR as terms.
//!
//! What C leaves undefined wraps (the design, §4): a doomed point must be doomed whatever the machine does
//! there, so nothing is concluded from `nsw`. Where machines do not agree on what comes out it is any value,
//! and so is what no check is ever about: none.

use ir::{BinOp, UnOp};
use term::{TermId, Terms};

pub(crate) fn binary(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
    let is_known = match op {
        // An oversized distance leaves any value.
        BinOp::Shl | BinOp::LShr | BinOp::AShr => terms.value(b)? < u128::from(terms.width(a)),
        BinOp::UShlSat | BinOp::SShlSat | BinOp::FCopySign => false,
        _ => true,
    };
    if is_known { operations::binary(terms, op, a, b) } else { None }
}

pub(crate) fn unary(terms: &mut Terms, op: UnOp, a: TermId) -> Option<TermId> {
    if matches!(op, UnOp::FNeg | UnOp::FAbs) { None } else { operations::unary(terms, op, a) }
}
