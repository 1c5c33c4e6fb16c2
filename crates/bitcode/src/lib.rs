//! LLVM bitcode, read in pure Rust: the only crate that knows the format.
//!
//! [`read`] turns the bytes of a file into a [`Module`]: what LLVM's own reader would see, under our names.
//! It reads the bitcode of LLVM 15 to 22 (opaque pointers). It panics on no input, does not recurse, and
//! allocates in proportion to the file's size; what it does not know it passes over and lists in
//! [`Module::unknown`].
//!
//! Source: LLVM's documentation *LLVM Bitcode File Format*, and the record codes in the `llvm-bitcode` crate.
//! Departures: value use-lists, summaries of link-time optimization and the symbol table for linkers are
//! skipped.

mod bitstream;
mod error;
mod reader;

pub mod attributes;
pub mod constants;
pub mod function;
pub mod metadata;
pub mod module;
pub mod types;

pub use attributes::{
    Attribute, AttributeGroup, AttributeKind, AttributeListId, AttributeLists, AttributePlace,
};
pub use error::Error;
pub use reader::read;

pub use constants::{Constant, ConstantKind};
pub use function::{
    BinaryFlags, BinaryOp, Block, Body, Call, CastOp, DebugLoc, DebugRecord, DebugRecordKind, GepFlags, Inst,
    LocId, MemoryAccess, Op, Predicate, RecordValue, RmwOp, UnaryOp,
};
pub use metadata::{
    Bound, CompositeType, DerivedType, GlobalVariableInfo, LocalVariable, Location, MdId, Metadata, Node,
    Subprogram,
};
pub use module::{
    Alias, AliasId, BlockId, Def, Function, FunctionId, GlobalId, GlobalValue, GlobalVariable, Ifunc,
    IfuncId, InstId, Linkage, Module, Unknown, ValueId,
};
pub use types::{FloatType, Type, TypeId};
