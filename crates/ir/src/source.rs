//! The user's types, from debug info: what is at which offset, and what it is called.

use base::{IdVec, Symbol, define_id};

define_id! {
    /// A type of the user's program.
    pub struct SourceTypeId = "t";
}

/// All types of a module.
pub type SourceTypes = IdVec<SourceTypeId, SourceType>;

/// A type as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceType {
    /// Not known, or not of a kind that names help with.
    Unknown,
    /// `void`.
    Void,
    /// `int`, `char`, `double`, `_Bool` …
    Base {
        /// Its name.
        name: Symbol,
        /// Bytes.
        size: u64,
        /// Whether it is signed.
        signed: bool,
        /// Whether it is a floating-point type.
        float: bool,
    },
    /// A pointer or reference.
    Pointer {
        /// What it points at.
        to: SourceTypeId,
        /// Whether it is a C++ reference, which is written without `*`.
        reference: bool,
    },
    /// An array; of arrays if it has several dimensions.
    Array {
        /// The element.
        element: SourceTypeId,
        /// The number of elements; none if it is not constant or not known (`a[n]`, `a[]`).
        count: Option<u64>,
    },
    /// A struct, union or class.
    Record {
        /// Its tag; none if anonymous.
        name: Option<Symbol>,
        /// Whether all members start at offset 0 and overlap.
        union: bool,
        /// Bytes; 0 if it is only declared.
        size: u64,
        /// Its members, ascending by offset for structs.
        members: Vec<Member>,
    },
    /// An enumeration.
    Enum {
        /// Its tag; none if anonymous.
        name: Option<Symbol>,
        /// Bytes.
        size: u64,
        /// Its constants.
        constants: Vec<(Symbol, i128)>,
    },
    /// Another name for a type.
    Typedef {
        /// The name.
        name: Symbol,
        /// The type.
        to: SourceTypeId,
    },
    /// `const`, `volatile`, `restrict` or `_Atomic`.
    Qualified {
        /// The type without it.
        to: SourceTypeId,
    },
    /// A function.
    Function {
        /// What it returns.
        result: SourceTypeId,
        /// Its parameters.
        params: Vec<SourceTypeId>,
        /// Whether `…` follows.
        variadic: bool,
    },
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; none for anonymous structs and unions and for base classes.
    pub name: Option<Symbol>,
    /// Bits from the start of the record.
    pub offset_bits: u64,
    /// Bits of the member (a bit-field's own width).
    pub size_bits: u64,
    /// Its type.
    pub ty: SourceTypeId,
    /// Whether it is a bit-field.
    pub bit_field: bool,
}
