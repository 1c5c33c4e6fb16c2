//! Flattening: a first-class value of LLVM becomes the list of its scalar lanes, depth first.
//!
//! Judgment: `lanes({ i8, [2 x ptr], <2 x float> }) = i8, ptr, ptr, single, single`;
//! `lanes({}) = lanes(void) = ` nothing. Every value of the type (parameter, result, phi, operand) is that
//! many values of our IR, and memory of the type is that many accesses at the offsets of the [`Part`]s.
//! Departures: types with more than [`limits::FLAT_LANES`] lanes, scalable vectors, tokens, target types, MMX
//! and AMX registers are not modeled: values of them have no lanes, and what computes with them is `Nondet`.

use base::limits;
use base::{Id, IdVec};
use bitcode::{FloatType, TypeId};
use ir::{FloatKind, ReasonKind, Type};

use crate::layout::Layout;

/// What the values of a type are in our IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One value, stored as it is.
    Scalar(Type),
    /// Some values, none for `void`.
    Lanes(Flat),
    /// Not modeled.
    Unmodeled(Unmodeled),
}

/// Why a type is not modeled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unmodeled {
    /// The kind of the reason.
    pub kind: ReasonKind,
    /// The type, in a word.
    pub detail: Box<str>,
}

/// The lanes of a type and where they lie in memory.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Flat {
    /// The types of the lanes.
    pub lanes: Vec<Type>,
    /// Their places in memory, in order of the lanes.
    pub parts: Vec<Part>,
}

/// A piece of memory that holds one lane, or several packed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Bytes from the start of the value.
    pub offset: u64,
    /// How it holds them.
    pub kind: PartKind,
}

/// How memory holds lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// One lane, as it is.
    Plain,
    /// `count` integer lanes of `width` bits side by side in one integer, as vectors of `i1` are.
    Packed {
        /// Bits of a lane.
        width: u32,
        /// How many.
        count: u32,
    },
    /// One pointer lane as an address of `bits`, which is not the module's pointer width.
    Address {
        /// Bits of the address.
        bits: u32,
    },
}

impl Shape {
    /// The types of the lanes; none for what is not modeled.
    pub(crate) fn lanes(&self) -> &[Type] {
        match self {
            Shape::Scalar(ty) => std::slice::from_ref(ty),
            Shape::Lanes(flat) => &flat.lanes,
            Shape::Unmodeled(_) => &[],
        }
    }
}

/// The shapes of all types of a module.
pub(crate) fn shapes(types: &IdVec<TypeId, bitcode::Type>, layout: &Layout) -> IdVec<TypeId, Shape> {
    let mut builder = Builder { types, layout, done: vec![None; types.len()], budget: limits::MODULE_LANES };
    for ty in types.ids() {
        builder.visit(ty, 0);
    }
    let unknown = || unmodeled(ReasonKind::Type, "recursive type");
    builder.done.into_iter().map(|shape| shape.unwrap_or_else(unknown)).collect()
}

/// Our format for a float type of LLVM.
pub(crate) fn float_kind(float: FloatType) -> FloatKind {
    match float {
        FloatType::Half => FloatKind::Half,
        FloatType::BFloat => FloatKind::BFloat,
        FloatType::Float => FloatKind::Single,
        FloatType::Double => FloatKind::Double,
        FloatType::X86Fp80 => FloatKind::X87,
        FloatType::Fp128 => FloatKind::Quad,
        FloatType::PpcFp128 => FloatKind::DoubleDouble,
    }
}

fn unmodeled(kind: ReasonKind, detail: &str) -> Shape {
    Shape::Unmodeled(Unmodeled { kind, detail: detail.into() })
}

fn too_wide() -> Shape {
    unmodeled(ReasonKind::TooWide, "value with too many lanes")
}

struct Builder<'a> {
    types: &'a IdVec<TypeId, bitcode::Type>,
    layout: &'a Layout,
    done: Vec<Option<Shape>>,
    /// Lanes that may still be made.
    budget: usize,
}

impl Builder<'_> {
    fn visit(&mut self, ty: TypeId, depth: u32) -> Shape {
        match self.done.get(ty.index()) {
            None => return unmodeled(ReasonKind::Type, "unknown type"),
            Some(Some(shape)) => return shape.clone(),
            // A type without layout may hold itself; it is not followed.
            Some(None) if depth > limits::NESTING => return unmodeled(ReasonKind::Type, "nested type"),
            Some(None) => {}
        }
        let shape = self.compute(ty, depth);
        self.budget = self.budget.saturating_sub(shape.lanes().len());
        let shape = if self.budget == 0 { too_wide() } else { shape };
        self.done[ty.index()] = Some(shape.clone());
        shape
    }

    fn compute(&mut self, ty: TypeId, depth: u32) -> Shape {
        use bitcode::Type as Llvm;
        match &self.types[ty] {
            Llvm::Void => Shape::Lanes(Flat::default()),
            &Llvm::Integer(width) if (1..=limits::INT_BITS).contains(&width) => {
                Shape::Scalar(Type::Int(width))
            }
            Llvm::Integer(_) => unmodeled(ReasonKind::TooWide, "wide integer"),
            &Llvm::Float(float) => Shape::Scalar(Type::Float(float_kind(float))),
            &Llvm::Pointer { address_space } => self.pointer(address_space),
            Llvm::Struct { fields, .. } => self.structure(ty, fields, depth),
            &Llvm::Array { element, count } => self.array(element, count, depth),
            &Llvm::Vector { element, count, scalable: false } => self.vector(element, count, depth),
            Llvm::Vector { .. } => unmodeled(ReasonKind::Type, "scalable vector"),
            Llvm::Target { name, .. } => unmodeled(ReasonKind::Type, name),
            Llvm::Token => unmodeled(ReasonKind::Type, "token"),
            Llvm::X86Mmx => unmodeled(ReasonKind::Type, "x86_mmx"),
            Llvm::X86Amx => unmodeled(ReasonKind::Type, "x86_amx"),
            Llvm::Function { .. } | Llvm::Opaque { .. } | Llvm::Label | Llvm::Metadata => {
                unmodeled(ReasonKind::Type, "type without values")
            }
            Llvm::Unknown { .. } => unmodeled(ReasonKind::Type, "unknown type"),
        }
    }

    fn pointer(&self, address_space: u32) -> Shape {
        let bits = self.layout.spec.pointer(address_space).bits;
        if bits == self.layout.spec.pointer(0).bits {
            return Shape::Scalar(Type::Ptr);
        }
        let part = Part { offset: 0, kind: PartKind::Address { bits } };
        Shape::Lanes(Flat { lanes: vec![Type::Ptr], parts: vec![part] })
    }

    fn structure(&mut self, ty: TypeId, fields: &[TypeId], depth: u32) -> Shape {
        let Some(layout) = self.layout.get(ty) else {
            return unmodeled(ReasonKind::Type, "struct without size");
        };
        if fields.len() > limits::FLAT_FIELDS {
            return too_wide();
        }
        let mut flat = Flat::default();
        for (&field, &offset) in fields.iter().zip(&layout.offsets) {
            let shape = self.visit(field, depth + 1);
            if let Err(shape) = append(&mut flat, &shape, offset) {
                return shape;
            }
        }
        Shape::Lanes(flat)
    }

    fn array(&mut self, element: TypeId, count: u64, depth: u32) -> Shape {
        let Some(stride) = self.layout.alloc_size(element) else {
            return unmodeled(ReasonKind::Type, "array without size");
        };
        let shape = self.visit(element, depth + 1);
        let mut flat = Flat::default();
        let n_lanes = shape.lanes().len() as u64;
        if n_lanes.saturating_mul(count) > limits::FLAT_LANES as u64 {
            return too_wide();
        }
        // An element that is not modeled is refused by the first `append`; one without lanes adds nothing however often.
        for index in 0..if n_lanes == 0 { count.min(1) } else { count } {
            if let Err(shape) = append(&mut flat, &shape, index * stride) {
                return shape;
            }
        }
        Shape::Lanes(flat)
    }

    fn vector(&mut self, element: TypeId, count: u64, depth: u32) -> Shape {
        let lane = match self.visit(element, depth + 1) {
            Shape::Scalar(lane) => lane,
            Shape::Unmodeled(why) => return Shape::Unmodeled(why),
            Shape::Lanes(_) => return unmodeled(ReasonKind::Type, "vector of aggregates"),
        };
        let bits = self.layout.get(element).map_or(0, |it| it.bits);
        if count > limits::FLAT_LANES as u64 || bits.saturating_mul(count) > u64::from(limits::INT_BITS) {
            return too_wide();
        }
        let parts = match lane {
            Type::Int(width) if !width.is_multiple_of(8) && count > 0 => {
                vec![Part { offset: 0, kind: PartKind::Packed { width, count: count as u32 } }]
            }
            _ => (0..count).map(|it| Part { offset: it * (bits / 8), kind: PartKind::Plain }).collect(),
        };
        Shape::Lanes(Flat { lanes: vec![lane; count as usize], parts })
    }
}

/// Appends the lanes of a member at `offset`; the shape of the whole if that is not possible.
fn append(flat: &mut Flat, member: &Shape, offset: u64) -> Result<(), Shape> {
    match member {
        Shape::Scalar(ty) => {
            flat.lanes.push(*ty);
            flat.parts.push(Part { offset, kind: PartKind::Plain });
        }
        Shape::Lanes(inner) => {
            flat.lanes.extend_from_slice(&inner.lanes);
            flat.parts.extend(inner.parts.iter().map(|it| Part { offset: offset + it.offset, ..*it }));
        }
        Shape::Unmodeled(why) => return Err(Shape::Unmodeled(why.clone())),
    }
    if flat.lanes.len() > limits::FLAT_LANES { Err(too_wide()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::DataLayout;
    use bitcode::Type as Llvm;

    fn shape_of(types: Vec<Llvm>) -> Shape {
        let types: IdVec<TypeId, Llvm> = IdVec::from_vec(types);
        let layout = Layout::new(DataLayout::parse("e-p270:32:32-i64:64"), &types);
        let last = TypeId::new(types.len() - 1);
        shapes(&types, &layout)[last].clone()
    }

    fn id(index: usize) -> TypeId {
        TypeId::new(index)
    }

    #[test]
    fn aggregates_flatten_depth_first() {
        let shape = shape_of(vec![
            Llvm::Integer(8),
            Llvm::Pointer { address_space: 0 },
            Llvm::Array { element: id(1), count: 2 },
            Llvm::Struct { name: None, packed: false, fields: [].into() },
            Llvm::Struct { name: None, packed: false, fields: [id(0), id(2), id(3)].into() },
        ]);
        let Shape::Lanes(flat) = shape else { panic!("{shape:?}") };
        assert_eq!(flat.lanes, [Type::Int(8), Type::Ptr, Type::Ptr]);
        assert_eq!(flat.parts.iter().map(|it| it.offset).collect::<Vec<_>>(), [0, 8, 16]);
    }

    #[test]
    fn vectors_of_bits_are_packed() {
        let bits =
            shape_of(vec![Llvm::Integer(1), Llvm::Vector { element: id(0), count: 12, scalable: false }]);
        let Shape::Lanes(flat) = bits else { panic!("{bits:?}") };
        assert_eq!(flat.parts, [Part { offset: 0, kind: PartKind::Packed { width: 1, count: 12 } }]);
        assert_eq!(flat.lanes.len(), 12);
    }

    #[test]
    fn what_is_too_wide_or_strange_is_not_modeled() {
        let wide = |count| shape_of(vec![Llvm::Integer(8), Llvm::Array { element: id(0), count }]);
        assert_eq!(wide(limits::FLAT_LANES as u64).lanes().len(), limits::FLAT_LANES);
        assert_eq!(wide(limits::FLAT_LANES as u64 + 1), too_wide());
        let own = shape_of(vec![Llvm::Struct { name: None, packed: false, fields: [id(0)].into() }]);
        assert!(matches!(own, Shape::Unmodeled(_)));
        let scalable =
            shape_of(vec![Llvm::Integer(8), Llvm::Vector { element: id(0), count: 4, scalable: true }]);
        assert!(matches!(scalable, Shape::Unmodeled(_)));
    }

    #[test]
    fn empty_elements_cost_nothing() {
        let empty = Llvm::Struct { name: None, packed: false, fields: [].into() };
        let shape = shape_of(vec![empty, Llvm::Array { element: id(0), count: 1 << 40 }]);
        assert_eq!(shape, Shape::Lanes(Flat::default()));
    }

    #[test]
    fn pointers_of_other_widths_are_kept_apart() {
        let shape = shape_of(vec![Llvm::Pointer { address_space: 270 }]);
        let Shape::Lanes(flat) = shape else { panic!("{shape:?}") };
        assert_eq!(flat.parts[0].kind, PartKind::Address { bits: 32 });
    }
}
