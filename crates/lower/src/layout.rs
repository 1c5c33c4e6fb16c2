//! Sizes, alignments and member offsets of LLVM's types.
//!
//! Judgment: `size(T)`, `align(T)`, `offset(struct, n)` are those that LLVM computes from the module's data
//! layout string, so that an address in our IR means the same byte as in the compiled program.
//! Source: LLVM's *Language Reference*, "Data Layout", and the documented behavior of its `DataLayout` class.
//! Departures: a type that holds itself by value, or is larger than 2^60 bits, has no size (LLVM asserts).

mod spec;

use base::limits;
use base::limits::NESTING;
use base::{Id, IdVec};
use bitcode::{FloatType, Type, TypeId};

pub(crate) use spec::DataLayout;

/// The layout of every type of a module.
#[derive(Debug)]
pub(crate) struct Layout {
    /// What the data layout string says.
    pub spec: DataLayout,
    types: IdVec<TypeId, Option<TypeLayout>>,
}

/// The layout of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeLayout {
    /// Its size in bits, without padding behind it.
    pub bits: u64,
    /// Its ABI alignment in bytes, a power of two.
    pub align: u32,
    /// The byte offsets of a struct's members; empty for other types.
    pub offsets: Box<[u64]>,
}

impl TypeLayout {
    fn scalar(bits: u64, align: u32) -> Self {
        Self { bits, align, offsets: Box::default() }
    }

    /// The bytes that a load or store touches.
    pub(crate) fn store_size(&self) -> u64 {
        self.bits.div_ceil(8)
    }

    /// The bytes from one element of an array to the next.
    pub(crate) fn alloc_size(&self) -> u64 {
        self.store_size().next_multiple_of(u64::from(self.align))
    }
}

impl Layout {
    /// Computes the layout of all `types`.
    pub(crate) fn new(spec: DataLayout, types: &IdVec<TypeId, Type>) -> Self {
        let mut builder = Builder { spec: &spec, types, done: types.iter().map(|_| Slot::New).collect() };
        // Members come before what they are members of, except in hostile files, so this seldom recurses.
        for ty in types.ids() {
            builder.visit(ty, 0);
        }
        let done = builder.done.into_iter();
        let types = done.map(|slot| if let Slot::Done(layout) = slot { layout } else { None }).collect();
        Self { spec, types }
    }

    /// The layout of a type; none if it has no size.
    pub(crate) fn get(&self, ty: TypeId) -> Option<&TypeLayout> {
        self.types.get(ty)?.as_ref()
    }

    /// The bytes from one element of an array to the next.
    pub(crate) fn alloc_size(&self, ty: TypeId) -> Option<u64> {
        self.get(ty).map(TypeLayout::alloc_size)
    }

    /// The byte offset of a struct's member.
    pub(crate) fn offset(&self, ty: TypeId, member: usize) -> Option<u64> {
        self.get(ty)?.offsets.get(member).copied()
    }
}

enum Slot {
    New,
    /// Being computed: meeting it again means that the type holds itself.
    Open,
    Done(Option<TypeLayout>),
}

struct Builder<'a> {
    spec: &'a DataLayout,
    types: &'a IdVec<TypeId, Type>,
    done: Vec<Slot>,
}

impl Builder<'_> {
    /// Bits and alignment of a type, computed on first use.
    fn visit(&mut self, ty: TypeId, depth: u32) -> Option<(u64, u32)> {
        match self.done.get(ty.index())? {
            Slot::Done(layout) => return layout.as_ref().map(|it| (it.bits, it.align)),
            Slot::Open => return None,
            Slot::New if depth > NESTING => return None,
            Slot::New => self.done[ty.index()] = Slot::Open,
        }
        let layout = self.compute(ty, depth).filter(|it| it.bits <= limits::LAYOUT_BITS);
        let result = layout.as_ref().map(|it| (it.bits, it.align));
        self.done[ty.index()] = Slot::Done(layout);
        result
    }

    fn compute(&mut self, ty: TypeId, depth: u32) -> Option<TypeLayout> {
        match &self.types[ty] {
            Type::Integer(0) => None,
            &Type::Integer(width) => {
                Some(TypeLayout::scalar(u64::from(width), self.spec.integer_align(width)))
            }
            &Type::Float(float) => {
                let bits = float_bits(float);
                Some(TypeLayout::scalar(u64::from(bits), self.spec.float_align(bits)))
            }
            &Type::Pointer { address_space } => {
                let pointer = self.spec.pointer(address_space);
                Some(TypeLayout::scalar(u64::from(pointer.bits), pointer.align))
            }
            Type::X86Mmx => Some(TypeLayout::scalar(64, 8)),
            Type::X86Amx => Some(TypeLayout::scalar(8192, 64)),
            &Type::Array { element, count } => self.array(element, count, depth),
            &Type::Vector { element, count, scalable: false } => self.vector(element, count, depth),
            Type::Struct { packed, fields, .. } => self.structure(*packed, fields, depth),
            Type::Void
            | Type::Function { .. }
            | Type::Opaque { .. }
            | Type::Vector { .. }
            | Type::Target { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Unknown { .. } => None,
        }
    }

    fn array(&mut self, element: TypeId, count: u64, depth: u32) -> Option<TypeLayout> {
        let (bits, align) = self.visit(element, depth + 1)?;
        let stride = bits.div_ceil(8).next_multiple_of(u64::from(align));
        Some(TypeLayout::scalar(stride.checked_mul(8)?.checked_mul(count)?, align))
    }

    fn vector(&mut self, element: TypeId, count: u64, depth: u32) -> Option<TypeLayout> {
        let (bits, _) = self.visit(element, depth + 1)?;
        let bits = bits.checked_mul(count)?;
        Some(TypeLayout::scalar(bits, self.spec.vector_align(bits)))
    }

    fn structure(&mut self, packed: bool, fields: &[TypeId], depth: u32) -> Option<TypeLayout> {
        let mut end = 0u64;
        let mut align = if packed { 1 } else { self.spec.aggregate_align };
        let mut offsets = Vec::with_capacity(fields.len());
        for &field in fields {
            let (bits, field_align) = self.visit(field, depth + 1)?;
            let size = bits.div_ceil(8).next_multiple_of(u64::from(field_align));
            if !packed {
                end = end.checked_next_multiple_of(u64::from(field_align))?;
                align = align.max(field_align);
            }
            offsets.push(end);
            end = end.checked_add(size).filter(|&it| it <= limits::LAYOUT_BITS / 8)?;
        }
        let size = end.next_multiple_of(u64::from(align));
        Some(TypeLayout { bits: size * 8, align, offsets: offsets.into() })
    }
}

/// The bits of a float format, without padding.
pub(crate) fn float_bits(float: FloatType) -> u32 {
    match float {
        FloatType::Half | FloatType::BFloat => 16,
        FloatType::Float => 32,
        FloatType::Double => 64,
        FloatType::X86Fp80 => 80,
        FloatType::Fp128 | FloatType::PpcFp128 => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    struct Types(IdVec<TypeId, Type>);

    impl Types {
        fn add(&mut self, ty: Type) -> TypeId {
            self.0.push(ty)
        }

        fn structure(&mut self, packed: bool, fields: &[TypeId]) -> TypeId {
            self.add(Type::Struct { name: None, packed, fields: fields.into() })
        }
    }

    fn summary(spec: &str, types: &Types, ty: TypeId) -> Option<(u64, u64, u32)> {
        let layout = Layout::new(DataLayout::parse(spec), &types.0);
        layout.get(ty).map(|it| (it.store_size(), it.alloc_size(), it.align))
    }

    #[test]
    fn scalars_have_the_sizes_of_x86_64() {
        let mut types = Types(IdVec::new());
        let cases = [
            (Type::Integer(1), (1, 1, 1)),
            (Type::Integer(24), (3, 4, 4)),
            (Type::Integer(64), (8, 8, 8)),
            (Type::Integer(128), (16, 16, 16)),
            (Type::Integer(129), (17, 32, 16)),
            (Type::Float(FloatType::X86Fp80), (10, 16, 16)),
            (Type::Pointer { address_space: 0 }, (8, 8, 8)),
            (Type::Pointer { address_space: 270 }, (4, 4, 4)),
        ];
        for (ty, expected) in cases {
            let id = types.add(ty.clone());
            assert_eq!(summary(X86_64, &types, id), Some(expected), "{ty:?}");
        }
    }

    #[test]
    fn i128_follows_the_string_of_its_llvm() {
        let mut types = Types(IdVec::new());
        let wide = types.add(Type::Integer(128));
        assert_eq!(summary("e-m:e-i64:64-f80:128-n8:16:32:64-S128", &types, wide), Some((16, 16, 8)));
    }

    #[test]
    fn structs_are_padded_unless_packed() {
        let mut types = Types(IdVec::new());
        let byte = types.add(Type::Integer(8));
        let word = types.add(Type::Integer(32));
        let long = types.add(Type::Integer(64));
        let plain = types.structure(false, &[byte, word, byte, long, byte]);
        let packed = types.structure(true, &[byte, word, byte, long, byte]);
        let layout = Layout::new(DataLayout::parse(X86_64), &types.0);
        let offsets = |ty| layout.get(ty).map(|it| (it.offsets.to_vec(), it.alloc_size()));
        assert_eq!(offsets(plain), Some((vec![0, 4, 8, 16, 24], 32)));
        assert_eq!(offsets(packed), Some((vec![0, 1, 5, 6, 14], 15)));
    }

    #[test]
    fn vectors_align_to_their_size_and_pack_bits() {
        let mut types = Types(IdVec::new());
        let float = types.add(Type::Float(FloatType::Float));
        let bit = types.add(Type::Integer(1));
        let three = types.add(Type::Vector { element: float, count: 3, scalable: false });
        let mask = types.add(Type::Vector { element: bit, count: 12, scalable: false });
        assert_eq!(summary(X86_64, &types, three), Some((12, 16, 16)));
        assert_eq!(summary(X86_64, &types, mask), Some((2, 2, 2)));
    }

    #[test]
    fn a_type_that_holds_itself_has_no_size() {
        let mut types = Types(IdVec::new());
        let own = TypeId::new(0);
        types.structure(false, &[own]);
        let huge = types.add(Type::Array { element: TypeId::new(2), count: u64::MAX });
        types.add(Type::Integer(64));
        assert_eq!(summary(X86_64, &types, own), None);
        assert_eq!(summary(X86_64, &types, huge), None);
    }
}
