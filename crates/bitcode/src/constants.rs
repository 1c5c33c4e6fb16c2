//! LLVM's constants.

use crate::function::{BinaryOp, CastOp, GepFlags, Predicate, UnaryOp};
use crate::module::{BlockId, ValueId};
use crate::types::TypeId;

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// Its content.
    pub kind: ConstantKind,
}

/// A half-open range of byte offsets: the width of the numbers, low and high as words.
pub type OffsetRange = (u32, Box<[u64]>, Box<[u64]>);

/// What a constant is.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstantKind {
    /// All zero: the number 0, the null pointer, a zeroed aggregate.
    Null,
    /// Any value, maybe another one at each use.
    Undef,
    /// The result of an operation whose promises were broken.
    Poison,
    /// An integer of at most 64 bits, sign-extended.
    Integer(i64),
    /// A wider integer: words, least significant first.
    WideInteger(Box<[u64]>),
    /// A float by its bits; least significant word first for formats wider than 64 bits.
    Float(Box<[u64]>),
    /// A struct, array or vector of constants.
    Aggregate(Box<[ValueId]>),
    /// An array of bytes, with its final zero if it has one.
    Bytes(Box<[u8]>),
    /// An array or vector of integers or floats of at most 64 bits, by their bits.
    Data(Box<[u64]>),
    /// `op(lhs, rhs)`.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Raw flags of the record.
        flags: u64,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// `op(arg)`.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Its operand.
        arg: ValueId,
    },
    /// A conversion.
    Cast {
        /// The conversion.
        op: CastOp,
        /// The type it converts from.
        from: TypeId,
        /// Its operand.
        arg: ValueId,
    },
    /// `getelementptr`.
    Gep {
        /// The type that the indices walk.
        source: TypeId,
        /// What is promised.
        flags: GepFlags,
        /// The range of bytes the result may be used for, if stated.
        in_range: Option<OffsetRange>,
        /// The pointer.
        base: ValueId,
        /// The indices.
        indices: Box<[ValueId]>,
    },
    /// `cond ? on_true : on_false`.
    Select {
        /// The condition.
        cond: ValueId,
        /// If it holds.
        on_true: ValueId,
        /// If it does not.
        on_false: ValueId,
    },
    /// A comparison.
    Compare {
        /// The comparison.
        predicate: Predicate,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// A lane of a vector.
    ExtractElement {
        /// The vector.
        vector: ValueId,
        /// Which lane.
        index: ValueId,
    },
    /// A vector with a lane replaced.
    InsertElement {
        /// The vector.
        vector: ValueId,
        /// The new lane.
        element: ValueId,
        /// Which lane.
        index: ValueId,
    },
    /// Lanes of two vectors.
    ShuffleVector {
        /// The first vector.
        lhs: ValueId,
        /// The second vector.
        rhs: ValueId,
        /// Which lanes.
        mask: ValueId,
    },
    /// The address of a block of a function.
    BlockAddress {
        /// The function.
        function: ValueId,
        /// The block.
        block: BlockId,
    },
    /// Inline assembly, as a callee.
    InlineAsm {
        /// Its function type, if the file says it.
        function_type: Option<TypeId>,
        /// Side effect (1), align stack (2), Intel dialect (4), may unwind (8).
        flags: u32,
        /// The text.
        text: Box<str>,
        /// The constraints.
        constraints: Box<str>,
    },
    /// The address of a function by way of this module's own linkage.
    DsoLocalEquivalent(ValueId),
    /// The address of a function without control-flow integrity.
    NoCfi(ValueId),
    /// A signed pointer: pointer, key, discriminator, address discriminator.
    PtrAuth(Box<[ValueId]>),
    /// A record that this reader does not know.
    Unknown {
        /// The record's code.
        code: u64,
    },
}
