//! What each instruction means.
//!
//! Memory is bytes in blocks (allocas, globals, heap). An access names an address; its width is the type's
//! [`store_bytes`](crate::Type::store_bytes); byte order is the module's.
//!
//! Undefined behavior is not hidden: flags on arithmetic ([`ArithFlags`]) say where C forbids overflow. What
//! an engine does with a violated flag is the engine's business; the interpreter goes on with the wrapped
//! value and tells.

use base::define_id;

use crate::function::{BlockId, CallId, VarId};
use crate::module::{FuncId, ParamAttrs, ReasonId};
use crate::types::{ConstId, Operand, Signature};

/// An instruction. Result types are those of the result values in [`InstData`](crate::InstData); an instruction has one result
/// unless its description says otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Inst {
    /// `x = value` for a local variable that was promoted to SSA. The result is `value`, and its name is the variable's.
    Assign {
        /// The variable that is assigned.
        var: VarId,
        /// The new content.
        value: Operand,
    },
    /// A read of a local variable that nothing was assigned to: any bits. Using them in a branch, an address or an output is an
    /// `uninit-read`.
    Uninit {
        /// The variable, if the user knows it by a name.
        var: Option<VarId>,
    },
    /// An effect that is not modeled. Any number of results, each any value of its type, chosen anew at each execution.
    Nondet {
        /// Why it is not modeled.
        reason: ReasonId,
    },
    /// `op arg`.
    Unary {
        /// The operation.
        op: UnOp,
        /// The argument; the result has its type.
        arg: Operand,
    },
    /// `lhs op rhs`, both of one type. The result has that type, or `i1` for the overflow tests.
    Binary {
        /// The operation.
        op: BinOp,
        /// What C leaves undefined here.
        flags: ArithFlags,
        /// The left operand.
        lhs: Operand,
        /// The right operand.
        rhs: Operand,
    },
    /// A funnel shift: the upper half of `high:low << amount % width` (left), or the lower half of `high:low >> amount % width`.
    Funnel {
        /// Whether it shifts left.
        left: bool,
        /// The upper word.
        high: Operand,
        /// The lower word.
        low: Operand,
        /// The distance, taken modulo the width.
        amount: Operand,
    },
    /// `lhs cmp rhs`; the result is `i1`. Pointers compare by address, unsigned.
    Compare {
        /// The comparison.
        op: CmpOp,
        /// The left operand.
        lhs: Operand,
        /// The right operand.
        rhs: Operand,
    },
    /// A conversion to the result's type.
    Cast {
        /// The conversion.
        op: CastOp,
        /// What is converted.
        arg: Operand,
    },
    /// `cond ? on_true : on_false`, without a branch.
    Select {
        /// An `i1`.
        cond: Operand,
        /// The result if it is 1.
        on_true: Operand,
        /// The result if it is 0.
        on_false: Operand,
    },
    /// `arg`, but undefined or poison bits become some fixed bits.
    Freeze {
        /// The argument.
        arg: Operand,
    },
    /// The address `base + index * scale`, with wrap-around; it points into the block that `base` points into.
    PtrAdd {
        /// A pointer.
        base: Operand,
        /// An integer of pointer width, signed.
        index: Operand,
        /// Bytes per step; 1 for constant member offsets.
        scale: u64,
        /// Whether C forbids leaving the object (one past the end is allowed) or the address space.
        inbounds: bool,
    },
    /// A new stack block, of unspecified content. It lives until the function returns, its [`Inst::StackRestore`] or its
    /// [`Lifetime::End`]. In the entry block with a constant size it is an ordinary local variable.
    Alloca {
        /// The variable it holds, if the user knows it by a name.
        var: Option<VarId>,
        /// Bytes, an integer of pointer width.
        size: Operand,
        /// Alignment of its start in bytes, a power of two.
        align: u32,
    },
    /// Begin or end of the scope of a local variable. No result.
    Lifetime {
        /// The address of an alloca.
        ptr: Operand,
        /// Begin or end.
        event: Lifetime,
    },
    /// Remembers the stack height; the result is a pointer that only [`Inst::StackRestore`] understands.
    StackSave,
    /// Ends all allocas made since the [`Inst::StackSave`] (variable-length arrays going out of scope). No result.
    StackRestore {
        /// The remembered height.
        saved: Operand,
    },
    /// Reads memory.
    Load {
        /// The address.
        ptr: Operand,
        /// How.
        access: Access,
    },
    /// Writes memory. No result.
    Store {
        /// The address.
        ptr: Operand,
        /// What is written.
        value: Operand,
        /// How.
        access: Access,
    },
    /// Copies `len` bytes, with whatever they hold (uninitialized bytes, pointers). No result.
    MemCopy {
        /// Destination address.
        dst: Operand,
        /// Source address.
        src: Operand,
        /// Bytes, an integer of pointer width. Nothing is accessed if zero.
        len: Operand,
        /// Whether the two may overlap (`memmove`).
        overlap: bool,
    },
    /// Sets `len` bytes. No result.
    MemSet {
        /// Destination address.
        dst: Operand,
        /// The byte, an `i8`.
        byte: Operand,
        /// Bytes, an integer of pointer width. Nothing is accessed if zero.
        len: Operand,
    },
    /// A call; as many results as the callee's signature says.
    Call {
        /// The particulars.
        call: CallId,
    },
    /// `va_start`: initializes the `va_list` behind `list` with this call's variadic arguments. No result.
    VaStart {
        /// Address of the `va_list`.
        list: Operand,
    },
    /// `va_end`. No result.
    VaEnd {
        /// Address of the `va_list`.
        list: Operand,
    },
    /// `va_copy`. No result.
    VaCopy {
        /// Address of the `va_list` that is initialized.
        dst: Operand,
        /// Address of the `va_list` that is copied.
        src: Operand,
    },
    /// A fact that the programmer or clang states (`__builtin_assume`). No result.
    Assume {
        /// An `i1` that is 1 here, or behavior is undefined.
        cond: Operand,
    },
}

/// Operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnOp {
    /// Negation of a float.
    FNeg,
    /// Absolute value of a float.
    FAbs,
    /// Square root.
    FSqrt,
    /// Rounding to minus infinity.
    FFloor,
    /// Rounding to plus infinity.
    FCeil,
    /// Rounding to zero.
    FTrunc,
    /// Rounding to the nearest integer, halves away from zero (`round`).
    FRound,
    /// Rounding to the nearest integer, halves to even (`rint`, `nearbyint` in the default mode).
    FRoundEven,
    /// Reversal of bytes.
    ByteSwap,
    /// Reversal of bits.
    BitReverse,
    /// The number of ones.
    PopCount,
    /// Leading zeros; the width for 0.
    LeadingZeros,
    /// Trailing zeros; the width for 0.
    TrailingZeros,
    /// Absolute value of a signed integer; the least value stays itself.
    Abs,
}

/// Operations with two operands of one type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinOp {
    /// Integer addition.
    Add,
    /// Integer subtraction.
    Sub,
    /// Integer multiplication.
    Mul,
    /// Unsigned division; by zero is an error.
    UDiv,
    /// Signed division to zero; by zero is an error, and least / -1 overflows.
    SDiv,
    /// Unsigned remainder; by zero is an error.
    URem,
    /// Signed remainder with the sign of the dividend; by zero is an error.
    SRem,
    /// Shift to the left; poison if the distance is not below the width.
    Shl,
    /// Shift to the right with zeros; poison if the distance is not below the width.
    LShr,
    /// Shift to the right with the sign; poison if the distance is not below the width.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller of two unsigned numbers.
    UMin,
    /// The larger of two unsigned numbers.
    UMax,
    /// The smaller of two signed numbers.
    SMin,
    /// The larger of two signed numbers.
    SMax,
    /// Unsigned addition that stops at the largest value.
    UAddSat,
    /// Signed addition that stops at the ends of the range.
    SAddSat,
    /// Unsigned subtraction that stops at zero.
    USubSat,
    /// Signed subtraction that stops at the ends of the range.
    SSubSat,
    /// Unsigned left shift that stops at the largest value.
    UShlSat,
    /// Signed left shift that stops at the ends of the range.
    SShlSat,
    /// Whether the unsigned sum does not fit; the result is `i1`.
    UAddOverflows,
    /// Whether the signed sum does not fit; the result is `i1`.
    SAddOverflows,
    /// Whether the unsigned difference does not fit; the result is `i1`.
    USubOverflows,
    /// Whether the signed difference does not fit; the result is `i1`.
    SSubOverflows,
    /// Whether the unsigned product does not fit; the result is `i1`.
    UMulOverflows,
    /// Whether the signed product does not fit; the result is `i1`.
    SMulOverflows,
    /// Float addition.
    FAdd,
    /// Float subtraction.
    FSub,
    /// Float multiplication.
    FMul,
    /// Float division.
    FDiv,
    /// Float remainder, as C's `fmod`.
    FRem,
    /// The smaller float; the other one if one is NaN (`fmin`).
    FMin,
    /// The larger float; the other one if one is NaN (`fmax`).
    FMax,
    /// The first with the sign of the second.
    FCopySign,
}

impl BinOp {
    /// Whether the result is `i1` whatever the operands' type.
    pub fn is_overflow_test(self) -> bool {
        use BinOp::{
            SAddOverflows, SMulOverflows, SSubOverflows, UAddOverflows, UMulOverflows, USubOverflows,
        };
        matches!(
            self,
            UAddOverflows | SAddOverflows | USubOverflows | SSubOverflows | UMulOverflows | SMulOverflows
        )
    }

    /// Whether it works on floats.
    pub fn is_float(self) -> bool {
        use BinOp::{FAdd, FCopySign, FDiv, FMax, FMin, FMul, FRem, FSub};
        matches!(self, FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign)
    }
}

/// What C (or clang on its behalf) leaves undefined of an integer operation; violated, the result is poison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ArithFlags {
    /// The unsigned result should fit.
    pub nuw: bool,
    /// The signed result should fit.
    pub nsw: bool,
    /// A division or right shift should lose no bits.
    pub exact: bool,
}

/// Comparisons. Float comparisons are ordered (false with NaN: `FO…`) or unordered (true with NaN: `FU…`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the standard ones of LLVM, explained above")]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    FFalse,
    FOeq,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
    FTrue,
}

impl CmpOp {
    /// Whether it compares floats.
    pub fn is_float(self) -> bool {
        self >= CmpOp::FFalse
    }
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastOp {
    /// The low bits of an integer.
    Trunc,
    /// An integer widened with zeros.
    ZExt,
    /// An integer widened with its sign.
    SExt,
    /// A float to an unsigned integer, to zero; poison if it does not fit.
    FToU,
    /// A float to a signed integer, to zero; poison if it does not fit.
    FToS,
    /// A float to an unsigned integer, to zero, stopping at the ends of the range; 0 for NaN.
    FToUSat,
    /// A float to a signed integer, to zero, stopping at the ends of the range; 0 for NaN.
    FToSSat,
    /// An unsigned integer to a float, rounded to nearest even.
    UToF,
    /// A signed integer to a float, rounded to nearest even.
    SToF,
    /// A float to another format, rounded to nearest even.
    FToF,
    /// A pointer's address, cut or widened with zeros.
    PtrToInt,
    /// An address, cut or widened with zeros to pointer width.
    IntToPtr,
    /// The same bits as another type of the same width (float and integer).
    Bits,
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The alignment that clang assumes, in bytes.
    pub align: u32,
    /// `volatile`: a read gives any value, a write is an output.
    pub volatile: bool,
    /// C11 atomic, of whatever order.
    pub atomic: bool,
}

/// Events in the life of a stack variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lifetime {
    /// The variable's scope is entered: its content is unspecified again.
    Start,
    /// The variable's scope is left: no access until the next start.
    End,
}

/// The particulars of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// Whom.
    pub callee: Callee,
    /// The arguments, flattened like the signature's parameters; variadic ones follow.
    pub args: Vec<Operand>,
    /// What is promised of each argument at this call, as many as `args`.
    pub arg_attrs: Vec<ParamAttrs>,
    /// The signature the caller assumes; the callee's own may differ (old C).
    pub signature: Signature,
    /// The call does not return.
    pub noreturn: bool,
}

/// Whom a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function of the module, declared or defined.
    Func(FuncId),
    /// Whatever function has this address.
    Ptr(Operand),
    /// Inline assembly: unknown results; it may write to memory it is given the address of.
    Asm(AsmId),
}

define_id! {
    /// A piece of inline assembly of a module.
    pub struct AsmId = "asm";
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Goes on at one block.
    Jump(Target),
    /// Goes on at one of two blocks.
    Branch {
        /// An `i1`.
        cond: Operand,
        /// Where to if it is 1.
        on_true: Target,
        /// Where to if it is 0.
        on_false: Target,
    },
    /// Goes on at the block of the equal case.
    Switch {
        /// An integer.
        value: Operand,
        /// Distinct integer constants of its type, with their targets.
        cases: Vec<(ConstId, Target)>,
        /// Where to if no case is equal.
        default: Target,
    },
    /// Goes on at the label with that address (`goto *p`); any other address is undefined behavior.
    IndirectJump {
        /// A pointer, made of [`Const::Block`](crate::Const::Block)s.
        address: Operand,
        /// The labels it may be, each block once.
        targets: Vec<Target>,
    },
    /// Returns to the caller.
    Return {
        /// One per result of the signature.
        values: Vec<Operand>,
    },
    /// Control does not come here, or goes no further.
    Unreachable {
        /// Why.
        cause: UnreachableCause,
    },
}

/// A block with the arguments for its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// Where to.
    pub block: BlockId,
    /// One per parameter of the block.
    pub args: Vec<Operand>,
}

/// Why control goes no further.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnreachableCause {
    /// The call before does not return.
    NoReturn,
    /// The program stops itself (`__builtin_trap`).
    Trap,
    /// Coming here is undefined behavior (`__builtin_unreachable`, the end of a C++ function without `return`).
    Undefined,
    /// Here an exception would be thrown on or caught; such paths are not followed.
    Unwind,
}
