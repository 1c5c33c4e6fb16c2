//! Function bodies: blocks, instructions, places, debug records.

use base::{IdVec, define_id};

use crate::attributes::AttributeListId;
use crate::constants::Constant;
use crate::metadata::{MdId, Node};
use crate::module::{BlockId, InstId, ValueId};
use crate::types::TypeId;

define_id! {
    /// A place in the source, of one body.
    pub struct LocId = "loc";
}

/// The body of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The types of the arguments.
    pub arguments: Vec<TypeId>,
    /// The body's own constants.
    pub constants: Vec<Constant>,
    /// Blocks in order; the first is the entry.
    pub blocks: IdVec<BlockId, Block>,
    /// Instructions in order.
    pub insts: IdVec<InstId, Inst>,
    /// The instructions that have a result, in order of their value numbers.
    pub results: Vec<InstId>,
    /// Places of instructions.
    pub locs: IdVec<LocId, DebugLoc>,
    /// Debug records, ascending by the instruction they stand before.
    pub records: Vec<DebugRecord>,
    /// The body's own metadata; their numbers follow the module's.
    pub metadata: Vec<Node>,
    /// Metadata attachments of the function: kind and node.
    pub attachments: Vec<(u32, MdId)>,
    /// Metadata attachments of instructions, ascending: instruction, kind and node.
    pub inst_attachments: Vec<(InstId, u32, MdId)>,
    /// Names of arguments and instructions, where the file has them, ascending by number.
    pub value_names: Vec<(ValueId, Box<str>)>,
}

/// A block: a run of instructions, the last of which says where to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its first instruction.
    pub first: InstId,
    /// The number of its instructions.
    pub len: u32,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The type of its result (void if it has none).
    pub ty: TypeId,
    /// Where it stands in the source, if known.
    pub loc: Option<LocId>,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugLoc {
    /// Line, from 1; 0 if the compiler made it.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The scope: a subprogram or lexical block.
    pub scope: Option<MdId>,
    /// Where the scope was inlined: a location node.
    pub inlined_at: Option<MdId>,
    /// Whether the code is not the user's.
    pub implicit: bool,
}

/// What is known of a variable at a point; LLVM 19 and later write it beside the instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugRecord {
    /// The instruction before which it holds.
    pub before: InstId,
    /// A `DILocation` node.
    pub location: Option<MdId>,
    /// The content.
    pub kind: DebugRecordKind,
}

/// Kinds of debug records.
#[derive(Clone, Debug, PartialEq)]
pub enum DebugRecordKind {
    /// The variable lives at an address.
    Declare {
        /// A local variable node.
        variable: Option<MdId>,
        /// An expression node.
        expression: Option<MdId>,
        /// The address, as metadata.
        address: Option<MdId>,
    },
    /// Like `Declare` with a value for coroutines (LLVM 22).
    DeclareValue {
        /// A local variable node.
        variable: Option<MdId>,
        /// An expression node.
        expression: Option<MdId>,
        /// The value, as metadata.
        value: Option<MdId>,
    },
    /// The variable has a value from here on.
    Value {
        /// A local variable node.
        variable: Option<MdId>,
        /// An expression node.
        expression: Option<MdId>,
        /// The value: metadata, or a value number directly.
        value: RecordValue,
    },
    /// The variable is assigned, in memory and as a value.
    Assign {
        /// A local variable node.
        variable: Option<MdId>,
        /// An expression node.
        expression: Option<MdId>,
        /// The value, as metadata.
        value: Option<MdId>,
        /// Links stores to it.
        assign_id: Option<MdId>,
        /// Expression for the address.
        address_expression: Option<MdId>,
        /// The address, as metadata.
        address: Option<MdId>,
    },
    /// A label of the user's.
    Label {
        /// A label node.
        label: Option<MdId>,
    },
}

/// The value of a `Value` record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordValue {
    /// By way of metadata.
    Metadata(Option<MdId>),
    /// A value number.
    Value(ValueId),
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Op {
    /// `fneg`.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Fast-math flags.
        fast_math: u32,
        /// Its operand.
        arg: ValueId,
    },
    /// Arithmetic.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// What is promised.
        flags: BinaryFlags,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// A conversion to the result's type.
    Cast {
        /// The conversion.
        op: CastOp,
        /// Raw flags of the record (`nneg`, `nuw`, `nsw`, fast-math).
        flags: u32,
        /// Its operand.
        arg: ValueId,
    },
    /// A comparison.
    Compare {
        /// The comparison.
        predicate: Predicate,
        /// Raw flags of the record (fast-math, `samesign`).
        flags: u32,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// `select`.
    Select {
        /// The condition, or a vector of them.
        cond: ValueId,
        /// If it holds.
        on_true: ValueId,
        /// If it does not.
        on_false: ValueId,
        /// Fast-math flags.
        fast_math: u32,
    },
    /// `getelementptr`.
    Gep {
        /// The type that the indices walk.
        source: TypeId,
        /// What is promised.
        flags: GepFlags,
        /// The pointer.
        base: ValueId,
        /// The indices.
        indices: Box<[ValueId]>,
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
        /// Which lanes: a constant vector.
        mask: ValueId,
    },
    /// A member of a struct or array value.
    ExtractValue {
        /// The value.
        aggregate: ValueId,
        /// The way to the member.
        indices: Box<[u32]>,
    },
    /// A struct or array value with a member replaced.
    InsertValue {
        /// The value.
        aggregate: ValueId,
        /// The new member.
        element: ValueId,
        /// The way to the member.
        indices: Box<[u32]>,
    },
    /// `phi`.
    Phi {
        /// A value per predecessor.
        incoming: Box<[(ValueId, BlockId)]>,
        /// Fast-math flags.
        fast_math: u32,
    },
    /// A stack slot.
    Alloca {
        /// The type of an element.
        allocated: TypeId,
        /// The number of elements.
        count: ValueId,
        /// Alignment in bytes; 0 if the type's.
        align: u64,
        /// Used as an `inalloca` argument.
        inalloca: bool,
        /// A Swift error slot.
        swift_error: bool,
        /// Address space.
        address_space: u32,
    },
    /// `load`.
    Load {
        /// The address.
        pointer: ValueId,
        /// How.
        access: MemoryAccess,
    },
    /// `store`.
    Store {
        /// The address.
        pointer: ValueId,
        /// The value.
        value: ValueId,
        /// How.
        access: MemoryAccess,
    },
    /// `cmpxchg`; the result is a pair of the old value and whether it was equal.
    CompareExchange {
        /// The address.
        pointer: ValueId,
        /// What is expected.
        expected: ValueId,
        /// What is stored if it is there.
        new: ValueId,
        /// How; the order is that of success.
        access: MemoryAccess,
        /// The order on failure.
        failure_order: u8,
        /// Whether it may fail without cause.
        weak: bool,
    },
    /// `atomicrmw`; the result is the old value.
    AtomicRmw {
        /// The operation, by its number in bitcode.
        op: RmwOp,
        /// The address.
        pointer: ValueId,
        /// The operand.
        value: ValueId,
        /// How.
        access: MemoryAccess,
    },
    /// `fence`.
    Fence {
        /// Ordering.
        order: u8,
        /// Synchronization scope.
        scope: u8,
    },
    /// `call`.
    Call(Box<Call>),
    /// `invoke`: a call that goes on at one of two blocks.
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Where to if it returns.
        normal: BlockId,
        /// Where to if it throws.
        unwind: BlockId,
    },
    /// `callbr`: inline assembly with labels.
    CallBr {
        /// The call.
        call: Box<Call>,
        /// Where to if it falls through.
        fallthrough: BlockId,
        /// The labels.
        indirect: Box<[BlockId]>,
    },
    /// `va_arg`.
    VaArg {
        /// The list's address.
        list: ValueId,
    },
    /// `freeze`.
    Freeze {
        /// Its operand.
        arg: ValueId,
    },
    /// `landingpad`.
    LandingPad {
        /// Whether it is a cleanup.
        cleanup: bool,
        /// Clauses: whether it is a filter, and its value.
        clauses: Box<[(bool, ValueId)]>,
    },
    /// `catchpad` or `cleanuppad`.
    FuncletPad {
        /// Whether it is a catchpad.
        catch: bool,
        /// The parent pad.
        parent: ValueId,
        /// The arguments.
        args: Box<[ValueId]>,
    },
    /// `catchswitch`.
    CatchSwitch {
        /// The parent pad.
        parent: ValueId,
        /// The handlers.
        handlers: Box<[BlockId]>,
        /// Where unhandled exceptions go; none for the caller.
        unwind: Option<BlockId>,
    },
    /// `catchret`.
    CatchRet {
        /// The pad.
        pad: ValueId,
        /// Where to.
        target: BlockId,
    },
    /// `cleanupret`.
    CleanupRet {
        /// The pad.
        pad: ValueId,
        /// Where to; none for the caller.
        unwind: Option<BlockId>,
    },
    /// `resume`.
    Resume {
        /// The exception.
        value: ValueId,
    },
    /// `ret`.
    Return {
        /// The value, if any.
        value: Option<ValueId>,
    },
    /// `br` without condition.
    Branch {
        /// Where to.
        target: BlockId,
    },
    /// `br` with a condition.
    CondBranch {
        /// The condition.
        cond: ValueId,
        /// Where to if it holds.
        on_true: BlockId,
        /// Where to if it does not.
        on_false: BlockId,
    },
    /// `switch`.
    Switch {
        /// The value.
        value: ValueId,
        /// Where to if no case is equal.
        default: BlockId,
        /// Constants and targets.
        cases: Box<[(ValueId, BlockId)]>,
    },
    /// `indirectbr`.
    IndirectBranch {
        /// The address.
        address: ValueId,
        /// The possible blocks.
        targets: Box<[BlockId]>,
    },
    /// `unreachable`.
    Unreachable,
    /// A record that this reader does not know. It has no result.
    Unknown {
        /// The record's code.
        code: u64,
    },
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Whom: a function, a pointer or inline assembly.
    pub callee: ValueId,
    /// The function type it is called with.
    pub function_type: TypeId,
    /// The arguments. For a parameter of metadata type the number is that of a metadata node, see [`Call::metadata_arg`].
    pub args: Box<[ValueId]>,
    /// Attributes.
    pub attributes: AttributeListId,
    /// Calling convention.
    pub calling_convention: u32,
    /// `tail` (1), `musttail` (2), `notail` (3) or nothing (0).
    pub tail: u8,
    /// Fast-math flags.
    pub fast_math: u32,
    /// Operand bundles: tag and values.
    pub bundles: Box<[(u32, Box<[ValueId]>)]>,
}

impl Body {
    /// Gives back memory that was reserved while the size was not known.
    pub(crate) fn shrink(&mut self) {
        self.constants.shrink_to_fit();
        self.insts.shrink_to_fit();
        self.results.shrink_to_fit();
        self.locs.shrink_to_fit();
        self.records.shrink_to_fit();
        self.inst_attachments.shrink_to_fit();
    }
}

impl Call {
    /// The metadata node of an argument whose parameter has metadata type.
    pub fn metadata_arg(&self, position: usize) -> Option<MdId> {
        self.args.get(position).map(|&value| base::Id::new(base::Id::index(value)))
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// Alignment in bytes; 0 if the file does not say.
    pub align: u32,
    /// Whether it is volatile.
    pub volatile: bool,
    /// Atomic order: 0 for none, 1 unordered … 6 sequentially consistent.
    pub order: u8,
    /// Synchronization scope.
    pub scope: u8,
}

/// What is promised of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BinaryFlags {
    /// No unsigned wrap.
    pub nuw: bool,
    /// No signed wrap.
    pub nsw: bool,
    /// Nothing is lost.
    pub exact: bool,
    /// No bits in common (`or`).
    pub disjoint: bool,
    /// Fast-math flags.
    pub fast_math: u32,
}

/// What is promised of `getelementptr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct GepFlags {
    /// It stays in the object.
    pub inbounds: bool,
    /// No unsigned-signed wrap.
    pub nusw: bool,
    /// No unsigned wrap.
    pub nuw: bool,
}

/// `fneg` is the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "LLVM's own name")]
pub enum UnaryOp {
    FNeg,
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum BinaryOp {
    Add,
    FAdd,
    Sub,
    FSub,
    Mul,
    FMul,
    UDiv,
    SDiv,
    FDiv,
    URem,
    SRem,
    FRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    FpTrunc,
    FpExt,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
    PtrToAddr,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum Predicate {
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
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Operations of `atomicrmw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
    USubCond,
    USubSat,
    FMaximum,
    FMinimum,
    Unknown(u64),
}
