//! How terms are kept: 16 bytes each, so that comparing and hashing one is two words of work.
//!
//! [`Node`] is the view of it that everybody else sees. A value of more than 64 bits is kept beside the
//! terms, and its place in the term.

use base::Id;
use serde::{Deserialize, Serialize};

use crate::arena::TermId;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::Width;
use crate::var::VarId;

/// What a sum or product knows of itself; see `build::linear`.
pub(crate) type Note = u16;

/// A term as it is kept. The three words are the operands, or the value, or what the operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    code: u8,
    width: u8,
    note: Note,
    words: [u32; 3],
}

const VALUE: u8 = 0;
const WIDE_VALUE: u8 = 1;
const VARIABLE: u8 = 2;
const EXTRACT: u8 = 3;
const ITE: u8 = 4;
/// Extensions from here on, in the order of [`Extend`].
const EXTEND: u8 = 5;
/// Operations on one term from here on, in the order of [`Unary`].
const UNARY: u8 = 8;
/// Operations on two terms from here on, in the order of [`Binary`].
const BINARY: u8 = 16;

impl Kept {
    /// A node that is not a value.
    #[inline]
    pub(crate) fn new(node: Node, width: Width, note: Note) -> Kept {
        let (code, words) = match node {
            Node::Const(value) => (VALUE, low_words(value as u64)),
            Node::Var(var) => (VARIABLE, [var.index() as u32, 0, 0]),
            Node::Unary(op, a) => (UNARY + op as u8, [word(a), 0, 0]),
            Node::Binary(op, a, b) => (BINARY + op as u8, [word(a), word(b), 0]),
            Node::Extend(op, a) => (EXTEND + op as u8, [word(a), 0, 0]),
            Node::Extract { from, low } => (EXTRACT, [word(from), low, 0]),
            Node::Ite(a, b, c) => (ITE, [word(a), word(b), word(c)]),
        };
        Kept { code, width: width as u8, note, words }
    }

    /// A value of at most 64 bits.
    #[inline]
    pub(crate) fn value(value: u64, width: Width) -> Kept {
        Kept { code: VALUE, width: width as u8, note: 0, words: low_words(value) }
    }

    /// A value that does not fit, at its place.
    pub(crate) fn wide_value(place: usize, width: Width) -> Kept {
        Kept { code: WIDE_VALUE, width: width as u8, note: 0, words: [place as u32, 0, 0] }
    }

    #[inline]
    pub(crate) fn width(self) -> Width {
        Width::from(self.width)
    }

    #[inline]
    pub(crate) fn note(self) -> Note {
        self.note
    }

    /// The view of it; `wide` are the values that do not fit.
    #[inline]
    pub(crate) fn node(self, wide: &[u128]) -> Node {
        let [a, b, c] = self.words;
        match self.code {
            VALUE | WIDE_VALUE => Node::Const(self.as_value(wide).unwrap_or(0)),
            VARIABLE => Node::Var(VarId::new(a as usize)),
            EXTRACT => Node::Extract { from: term(a), low: b },
            ITE => Node::Ite(term(a), term(b), term(c)),
            code if code >= BINARY => Node::Binary(BINARIES[usize::from(code & 15)], term(a), term(b)),
            code if code >= UNARY => Node::Unary(UNARIES[usize::from(code & 3)], term(a)),
            code => {
                let op = if code == EXTEND { Extend::Zero } else { Extend::Sign };
                Node::Extend(op, term(a))
            }
        }
    }

    /// Whether there is an operation of that code, and a value at that place.
    pub(crate) fn is_readable(self, wide: &[u128]) -> bool {
        match self.code {
            WIDE_VALUE => (self.words[0] as usize) < wide.len(),
            code if code >= BINARY => usize::from(code - BINARY) < BINARIES.len(),
            code if code >= UNARY => usize::from(code - UNARY) < UNARIES.len(),
            code => code < EXTEND + 2,
        }
    }

    /// Its value, if it is one.
    #[inline]
    pub(crate) fn as_value(self, wide: &[u128]) -> Option<u128> {
        match self.code {
            VALUE => Some(u128::from(self.words[0]) | u128::from(self.words[1]) << 32),
            WIDE_VALUE => Some(wide[self.words[0] as usize]),
            _ => None,
        }
    }

    /// Whether it is a variable.
    #[inline]
    pub(crate) fn is_var(self) -> bool {
        self.code == VARIABLE
    }

    /// Its operands, if it is that operation.
    #[inline]
    pub(crate) fn as_binary(self, op: Binary) -> Option<(TermId, TermId)> {
        (self.code == BINARY + op as u8).then(|| (term(self.words[0]), term(self.words[1])))
    }

    /// Its operand, if it is a negation.
    #[inline]
    pub(crate) fn as_not(self) -> Option<TermId> {
        (self.code == UNARY + Unary::Not as u8).then(|| term(self.words[0]))
    }

    /// A hash of all its bits: one multiplication of two words, folded.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        let head = u64::from(self.code) | u64::from(self.width) << 8 | u64::from(self.words[0]) << 32;
        let tail = u64::from(self.words[1]) | u64::from(self.words[2]) << 32;
        let product = u128::from(head ^ 0x9e37_79b9_7f4a_7c15) * u128::from(tail ^ 0xd1b5_4a32_d192_ed03);
        (product as u64) ^ (product >> 64) as u64
    }
}

#[inline]
fn word(term: TermId) -> u32 {
    term.index() as u32
}

#[inline]
fn term(word: u32) -> TermId {
    TermId::new(word as usize)
}

#[inline]
fn low_words(value: u64) -> [u32; 3] {
    [value as u32, (value >> 32) as u32, 0]
}

/// All operations on one term, in their order.
const UNARIES: [Unary; 4] = [Unary::Not, Unary::Popcount, Unary::LeadingZeros, Unary::TrailingZeros];

/// All operations on two terms, in their order.
const BINARIES: [Binary; 16] = [
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Add,
    Binary::Mul,
    Binary::Udiv,
    Binary::Urem,
    Binary::Sdiv,
    Binary::Srem,
    Binary::Shl,
    Binary::Lshr,
    Binary::Ashr,
    Binary::Concat,
    Binary::Eq,
    Binary::Ult,
    Binary::Slt,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_small_and_read_back() {
        assert_eq!(size_of::<Kept>(), 16);
        let (a, b, c) = (TermId::new(3), TermId::new(5), TermId::new(8));
        let mut nodes = vec![Node::Const(u128::from(u64::MAX)), Node::Var(VarId::new(7)), Node::Ite(a, b, c)];
        nodes.extend(UNARIES.map(|op| Node::Unary(op, a)));
        nodes.extend(BINARIES.map(|op| Node::Binary(op, b, c)));
        nodes.extend([Extend::Zero, Extend::Sign].map(|op| Node::Extend(op, c)));
        nodes.push(Node::Extract { from: b, low: 127 });
        for node in nodes {
            assert_eq!(Kept::new(node, 128, 0).node(&[]), node);
        }
        assert_eq!(Kept::wide_value(1, 128).node(&[0, u128::MAX]), Node::Const(u128::MAX));
    }
}
