//! What a value can be: types, constants, operands, signatures.

use base::define_id;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::function::{BlockId, ValueId};
use crate::module::{FuncId, GlobalId};

/// The type of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A bit vector of this width (1 for conditions). Signedness is in the operations.
    Int(u32),
    /// A pointer of the module's pointer width.
    Ptr,
    /// A floating-point number.
    Float(FloatKind),
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Type = Type::Int(1);

    /// The bits of a value, with pointers of `pointer_bits`.
    #[inline]
    pub fn bits(self, pointer_bits: u32) -> u32 {
        match self {
            Type::Int(width) => width,
            Type::Ptr => pointer_bits,
            Type::Float(kind) => kind.bits(),
        }
    }

    /// The bytes that a load or store of this type touches. `pointer_bytes` is the module's.
    pub fn store_bytes(self, pointer_bytes: u32) -> u64 {
        match self {
            Type::Int(width) => u64::from(width.div_ceil(8)),
            Type::Ptr => u64::from(pointer_bytes),
            Type::Float(kind) => u64::from(kind.bits() / 8),
        }
    }
}

/// The floating-point formats of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16, `_Float16`.
    Half,
    /// bfloat16.
    BFloat,
    /// IEEE binary32, `float`.
    Single,
    /// IEEE binary64, `double`.
    Double,
    /// The 80-bit format of x87, `long double` on x86.
    X87,
    /// IEEE binary128.
    Quad,
    /// A pair of doubles, `long double` on PowerPC.
    DoubleDouble,
}

impl FloatKind {
    /// The bits of the format itself, without padding in memory.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad | FloatKind::DoubleDouble => 128,
        }
    }
}

define_id! {
    /// A constant of a function's [`ConstPool`].
    pub struct ConstId = "c";
}

/// A constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// An integer of at most 128 bits; bits above `width` are zero.
    Int {
        /// The width in bits, 1 to 128.
        width: u32,
        /// The bits, zero-extended.
        value: u128,
    },
    /// An integer wider than 128 bits; least significant word first, `width.div_ceil(64)` words, bits above `width` zero.
    WideInt {
        /// The width in bits, above 128.
        width: u32,
        /// The words.
        words: Box<[u64]>,
    },
    /// The null pointer.
    Null,
    /// A float by its bits in the format.
    Float {
        /// The format.
        kind: FloatKind,
        /// The bits, zero-extended.
        bits: u128,
    },
    /// The address of a global variable plus a byte offset (`&table[3].name`).
    Global {
        /// The variable.
        global: GlobalId,
        /// Bytes from its start; may lie outside.
        offset: i64,
    },
    /// The address of a function.
    Func(FuncId),
    /// The address of a label of this function (`&&label`).
    Block(BlockId),
    /// LLVM's `undef`: any value, maybe another one at each use.
    Undef(Type),
    /// LLVM's `poison`: the result of an operation whose flags were violated.
    Poison(Type),
}

impl Const {
    /// The type of the constant.
    pub fn ty(&self) -> Type {
        match *self {
            Const::Int { width, .. } | Const::WideInt { width, .. } => Type::Int(width),
            Const::Null | Const::Global { .. } | Const::Func(_) | Const::Block(_) => Type::Ptr,
            Const::Float { kind, .. } => Type::Float(kind),
            Const::Undef(ty) | Const::Poison(ty) => ty,
        }
    }

    /// An integer constant; `value` is cut to `width` (at most 128) bits.
    pub fn int(width: u32, value: u128) -> Const {
        debug_assert!((1..=128).contains(&width), "narrow integers should have 1 to 128 bits");
        Const::Int { width, value: value & (u128::MAX >> (128 - width)) }
    }
}

/// The constants of one function, each once.
#[derive(Clone, Default, Debug)]
pub struct ConstPool {
    items: IndexSet<Const, FxBuildHasher>,
}

impl ConstPool {
    /// The id of `constant`, new or known.
    pub fn insert(&mut self, constant: Const) -> ConstId {
        base::Id::new(self.items.insert_full(constant).0)
    }

    /// The constant of `id`, if it is in range.
    pub fn get(&self, id: ConstId) -> Option<&Const> {
        self.items.get_index(base::Id::index(id))
    }

    /// All constants, in order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Const> {
        self.items.iter()
    }

    /// The number of constants.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl std::ops::Index<ConstId> for ConstPool {
    type Output = Const;
    fn index(&self, id: ConstId) -> &Const {
        &self.items[base::Id::index(id)]
    }
}

/// What an instruction uses: an SSA value or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// The result of an instruction or a block parameter.
    Value(ValueId),
    /// A constant of the function's pool.
    Const(ConstId),
}

impl Operand {
    /// The SSA value, if it is one.
    pub fn value(self) -> Option<ValueId> {
        match self {
            Operand::Value(value) => Some(value),
            Operand::Const(_) => None,
        }
    }
}

impl From<ValueId> for Operand {
    fn from(value: ValueId) -> Operand {
        Operand::Value(value)
    }
}

impl From<ConstId> for Operand {
    fn from(constant: ConstId) -> Operand {
        Operand::Const(constant)
    }
}

/// What a function takes and returns, flattened to scalars.
///
/// `struct { double d; long n; } f(struct { float x, y; } p)` is, on x86-64, `(single, single) -> (double, i64)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// The fixed parameters.
    pub params: Vec<Type>,
    /// The results; none for `void`.
    pub results: Vec<Type>,
    /// Whether further arguments may follow (`…`).
    pub variadic: bool,
}
