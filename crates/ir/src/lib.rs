//! The intermediate representation of C and C++: SSA with block parameters, scalars only, the user's names
//! and lines in it.
//!
//! Reading order: [`types`] (what a value can be), [`inst`] (what an instruction means), [`function`] and
//! [`module`] (how they are stored), [`source`] (the user's types); then [`print`](mod@print) and
//! [`parse`](mod@parse) (the text form), [`verify`](mod@verify) (the laws), [`names`] (what the user calls a
//! value); then [`cfg`](mod@cfg), [`dominators`], [`loops`], [`ssa`], [`split_nodes`](mod@split_nodes) and
//! [`compact`](mod@compact) (graphs and changes of bodies).
//!
//! Three decisions shape it.
//! * **Values are scalars**: integers of any width, pointers, floats. Struct and vector values of LLVM are
//!   flattened to their lanes, so a call may take and return several values for one C value; struct objects
//!   live in memory.
//! * **Names stay**: a promoted local variable keeps each of its assignments as [`Inst::Assign`], a read
//!   before any assignment as [`Inst::Uninit`], so a message can say `p` where the operand is a plain null.
//! * **One escape hatch**: whatever is not modeled is [`Inst::Nondet`] with a reason that is counted.

pub mod function;
pub mod inst;
pub mod module;
pub mod source;
pub mod types;

mod operands;
pub mod words;

// The text form, the laws, names.
pub mod names;
pub mod parse;
pub mod print;
pub mod verify;

mod bytes;

// Graphs, and changes of bodies.
pub mod cfg;
pub mod compact;
pub mod dominators;
pub mod loops;
pub mod scc;
pub mod split_nodes;
pub mod ssa;

pub use cfg::Cfg;
pub use compact::compact;
pub use dominators::Dominators;
pub use function::{
    Block, BlockId, Body, CallId, Function, InstData, InstId, Value, ValueDef, ValueId, Var, VarId, VarKind,
};
pub use inst::{
    Access, ArithFlags, AsmId, BinOp, Call, Callee, CastOp, CmpOp, Inst, Lifetime, Target, Terminator, UnOp,
    UnreachableCause,
};
pub use loops::{Loop, LoopId, Loops, is_reducible};
pub use module::{
    Alias, AllocKind, FileId, FnAttrs, FuncId, Global, GlobalId, Init, Linkage, Loc, LocId, MemoryEffects,
    ModRef, Module, ParamAttrs, Reason, ReasonId, ReasonKind, Reloc, SymbolRef, TargetInfo,
};
pub use parse::{ParseError, parse};
pub use print::{print, print_function, print_inst};
pub use source::{Member, SourceType, SourceTypeId, SourceTypes};
pub use split_nodes::{Split, split_nodes};
pub use types::{Const, ConstId, ConstPool, FloatKind, Operand, Signature, Type};
pub use verify::{Law, Position, Violation, verify, verify_function};
