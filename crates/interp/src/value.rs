//! What an SSA value holds at run time: bits, which of them are undefined, and which block an address belongs
//! to.
//!
//! One representation serves all types, so that loads, stores and reinterpretation lose nothing:
//! * **bits**: the number, the address, or the float in its format;
//! * **undefined bits**: a mask, one where nothing ever wrote. The bit itself still has *some* value (zero),
//!   so a run with undefined bits is one of the runs that a real machine could make; the mask is what a
//!   memory sanitizer keeps;
//! * **provenance**: the block that an address was made from. Integers keep it too, so that tagging and
//!   copying byte by byte work; wherever two provenances meet it is dropped, and an address without
//!   provenance finds its block by search.
//!
//! Source: Stepanov and Serebryany, *MemorySanitizer*, CGO 2015, §3 for the masks; the provenance follows
//! Memarian et al., *Exploring C Semantics and Pointer Provenance*, POPL 2019, §2.
//! Departures: (1) masks are exact where that is cheap, see [`crate::int`]; (2) a lost provenance never is an
//! error.

use std::num::NonZeroU32;

use ir::{FloatKind, Type};
use smallvec::SmallVec;

use crate::words::{Words, low_mask, words_for};

/// A block of memory; never used for another block again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockRef(NonZeroU32);

impl BlockRef {
    /// The `index`-th block.
    pub(crate) fn new(index: usize) -> BlockRef {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        BlockRef(number.expect("invariant: the budget of blocks fits 32 bits"))
    }

    /// The position of the block in memory's table.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The content of an SSA value.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    ty: Type,
    repr: Repr,
}

#[derive(Clone, PartialEq, Debug)]
enum Repr {
    // The fields stand here instead of a `Narrow` so that the tag fits beside `prov`.
    Narrow { bits: u64, undef: u64, prov: Option<BlockRef> },
    Wide(Box<Wide>),
}

/// At most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Narrow {
    /// The bits; those above the type's width are zero.
    pub bits: u64,
    /// One for each undefined bit.
    pub undef: u64,
    /// The block that an address belongs to.
    pub prov: Option<BlockRef>,
}

/// More than 64 bits.
#[derive(Clone, PartialEq, Debug)]
pub struct Wide {
    /// The bits; those above the type's width are zero.
    pub bits: Words,
    /// One for each undefined bit.
    pub undef: Words,
    /// The block that the address in each word belongs to.
    pub prov: SmallVec<[Option<BlockRef>; 2]>,
}

/// The bits of a type, with pointers of `pointer_bits`.
#[inline]
pub fn width_of(ty: Type, pointer_bits: u32) -> u32 {
    ty.bits(pointer_bits)
}

impl Value {
    /// An integer of at most 128 bits, cut to its width.
    pub fn int(width: u32, value: u128) -> Value {
        if width <= 64 {
            return Value::narrow(Type::Int(width), value as u64 & low_mask(width), 0, None);
        }
        Value::from_words(Type::Int(width), Words::from_u128(width, value), Words::zero(width))
    }

    /// A condition.
    pub fn bool(value: bool) -> Value {
        Value::int(1, u128::from(value))
    }

    /// A signed integer of at most 128 bits, cut to its width.
    pub fn signed(width: u32, value: i128) -> Value {
        let words = Words::from_u128(width.min(128), value as u128).sign_extended(width.min(128), width);
        Value::from_words(Type::Int(width), words, Words::zero(width))
    }

    /// The null pointer.
    pub fn null() -> Value {
        Value::pointer(0, None)
    }

    /// An address, with the block it belongs to if that is known.
    #[inline]
    pub fn pointer(address: u64, prov: Option<BlockRef>) -> Value {
        Value::narrow(Type::Ptr, address, 0, prov)
    }

    /// A `double`.
    pub fn f64(value: f64) -> Value {
        Value::narrow(Type::Float(FloatKind::Double), value.to_bits(), 0, None)
    }

    /// A `float`.
    pub fn f32(value: f32) -> Value {
        Value::narrow(Type::Float(FloatKind::Single), value.to_bits().into(), 0, None)
    }

    /// A float by its bits.
    pub fn float(kind: FloatKind, bits: u128) -> Value {
        if kind.bits() <= 64 {
            return Value::narrow(Type::Float(kind), bits as u64, 0, None);
        }
        let width = kind.bits();
        Value::from_words(Type::Float(kind), Words::from_u128(width, bits), Words::zero(width))
    }

    /// A value whose bits are all undefined.
    pub fn undefined(ty: Type, pointer_bits: u32) -> Value {
        let width = width_of(ty, pointer_bits);
        if width <= 64 {
            return Value::narrow(ty, 0, low_mask(width), None);
        }
        Value::from_words(ty, Words::zero(width), Words::ones(width))
    }

    /// A value of at most 64 bits by its parts, which obey the laws of [`Narrow`].
    #[inline]
    pub fn narrow(ty: Type, bits: u64, undef: u64, prov: Option<BlockRef>) -> Value {
        Value { ty, repr: Repr::Narrow { bits, undef, prov } }
    }

    /// A value by its bits and mask, without provenance.
    pub fn from_words(ty: Type, bits: Words, undef: Words) -> Value {
        let n_words = bits.as_slice().len();
        if n_words == 1 {
            return Value::narrow(ty, bits.low(), undef.low(), None);
        }
        Value::wide(ty, Wide { bits, undef, prov: SmallVec::from_elem(None, n_words) })
    }

    /// A value of more than 64 bits by its parts.
    pub fn wide(ty: Type, wide: Wide) -> Value {
        debug_assert!(words_for(width_of(ty, 64)) > 1, "wide values should have more than 64 bits");
        debug_assert_eq!(wide.bits.as_slice().len(), wide.prov.len(), "one provenance per word");
        Value { ty, repr: Repr::Wide(Box::new(wide)) }
    }

    /// The type.
    #[inline]
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The parts, if there are at most 64 bits.
    #[inline]
    pub fn as_narrow(&self) -> Option<Narrow> {
        match self.repr {
            Repr::Narrow { bits, undef, prov } => Some(Narrow { bits, undef, prov }),
            Repr::Wide(_) => None,
        }
    }

    /// The parts, if there are more than 64 bits.
    pub fn as_wide(&self) -> Option<&Wide> {
        match &self.repr {
            Repr::Narrow { .. } => None,
            Repr::Wide(wide) => Some(wide),
        }
    }

    /// The lowest 64 bits: the number, the address, the float.
    #[inline]
    pub fn low(&self) -> u64 {
        match &self.repr {
            Repr::Narrow { bits, .. } => *bits,
            Repr::Wide(wide) => wide.bits.low(),
        }
    }

    /// The lowest 128 bits.
    pub fn low128(&self) -> u128 {
        match &self.repr {
            Repr::Narrow { bits, .. } => (*bits).into(),
            Repr::Wide(wide) => wide.bits.low128(),
        }
    }

    /// The number as a signed one, of integers of at most 64 bits.
    pub fn as_i64(&self) -> i64 {
        let width = width_of(self.ty, 64).min(64);
        ((self.low() << (64 - width)) as i64) >> (64 - width)
    }

    /// The number as a `double`; the value is of that type.
    pub fn as_f64(&self) -> f64 {
        f64::from_bits(self.low())
    }

    /// The number as a `float`; the value is of that type.
    pub fn as_f32(&self) -> f32 {
        f32::from_bits(self.low() as u32)
    }

    /// All bits.
    pub fn words(&self) -> Words {
        match &self.repr {
            Repr::Narrow { bits, .. } => Words::from_u64(64, *bits),
            Repr::Wide(wide) => wide.bits.clone(),
        }
    }

    /// One for each undefined bit.
    pub fn undef_words(&self) -> Words {
        match &self.repr {
            Repr::Narrow { undef, .. } => Words::from_u64(64, *undef),
            Repr::Wide(wide) => wide.undef.clone(),
        }
    }

    /// Whether every bit is defined.
    #[inline]
    pub fn is_defined(&self) -> bool {
        match &self.repr {
            Repr::Narrow { undef, .. } => *undef == 0,
            Repr::Wide(wide) => wide.undef.is_zero(),
        }
    }

    /// The block that the address belongs to, as far as the value knows.
    #[inline]
    pub fn prov(&self) -> Option<BlockRef> {
        match &self.repr {
            Repr::Narrow { prov, .. } => *prov,
            Repr::Wide(wide) => wide.prov[0],
        }
    }

    /// The block that the address in the `word`-th 64 bits belongs to.
    pub fn prov_of_word(&self, word: usize) -> Option<BlockRef> {
        match &self.repr {
            Repr::Narrow { prov, .. } => prov.filter(|_| word == 0),
            Repr::Wide(wide) => wide.prov.get(word).copied().flatten(),
        }
    }

    /// The same with the provenance of an address in its lowest word.
    pub fn with_prov(mut self, prov: Option<BlockRef>) -> Value {
        match &mut self.repr {
            Repr::Narrow { prov: old, .. } => *old = prov,
            Repr::Wide(wide) => wide.prov[0] = prov,
        }
        self
    }

    /// The same bits, all of them defined.
    pub fn frozen(&self) -> Value {
        let mut value = self.clone();
        match &mut value.repr {
            Repr::Narrow { undef, .. } => *undef = 0,
            Repr::Wide(wide) => wide.undef = Words::zero(64 * wide.prov.len() as u32),
        }
        value
    }

    /// The same bits as another type of the same width.
    pub fn with_type(mut self, ty: Type) -> Value {
        self.ty = ty;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_small() {
        assert_eq!(std::mem::size_of::<Value>(), 32);
    }

    #[test]
    fn signed_numbers_fill_every_width() {
        for width in [1, 7, 64, 65, 128, 200] {
            let minus_one = Value::signed(width, -1);
            assert_eq!(minus_one.words().resized(width), Words::ones(width));
            assert!(minus_one.is_defined());
        }
        assert_eq!(Value::signed(7, -5).as_i64(), -5);
    }

    #[test]
    fn freezing_keeps_bits_and_provenance() {
        let block = BlockRef::new(3);
        let value = Value::narrow(Type::Ptr, 0x40, 0xff, Some(block));
        assert!(!value.is_defined());
        assert_eq!(value.frozen(), Value::pointer(0x40, Some(block)));
        assert!(Value::undefined(Type::Int(300), 64).frozen().is_defined());
    }
}
