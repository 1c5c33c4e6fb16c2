//! LLVM's types.

use base::define_id;

define_id! {
    /// A type of a module.
    pub struct TypeId = "t";
}

/// A type as LLVM has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// A floating-point number.
    Float(FloatType),
    /// An integer of this width.
    Integer(u32),
    /// An opaque pointer.
    Pointer {
        /// Its address space.
        address_space: u32,
    },
    /// A function.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        params: Box<[TypeId]>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
    /// A struct.
    Struct {
        /// Its name; none for literal structs.
        name: Option<Box<str>>,
        /// Whether there is no padding.
        packed: bool,
        /// Its fields.
        fields: Box<[TypeId]>,
    },
    /// A named struct without a body.
    Opaque {
        /// Its name.
        name: Box<str>,
    },
    /// An array.
    Array {
        /// The element.
        element: TypeId,
        /// How many.
        count: u64,
    },
    /// A vector.
    Vector {
        /// The lane.
        element: TypeId,
        /// How many (at least, if scalable).
        count: u64,
        /// Whether the hardware decides on a multiple.
        scalable: bool,
    },
    /// A target's own type.
    Target {
        /// Its name.
        name: Box<str>,
        /// Type parameters.
        types: Box<[TypeId]>,
        /// Integer parameters.
        ints: Box<[u32]>,
    },
    /// A label.
    Label,
    /// Metadata as an operand.
    Metadata,
    /// A token.
    Token,
    /// An x86 MMX register.
    X86Mmx,
    /// An x86 AMX register.
    X86Amx,
    /// A type record that this reader does not know.
    Unknown {
        /// The record's code.
        code: u64,
    },
}

/// Formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum FloatType {
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
}
