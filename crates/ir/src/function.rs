//! Functions: blocks, instructions, values, variables.

use base::{IdVec, Symbol, define_id};

use crate::inst::{Call, Inst, Terminator};
use crate::module::{FnAttrs, Linkage, LocId, ParamAttrs};
use crate::source::SourceTypeId;
use crate::types::{ConstPool, Operand, Signature, Type};

define_id! {
    /// A basic block of a function.
    pub struct BlockId = "b";
    /// An instruction of a function.
    pub struct InstId = "i";
    /// An SSA value of a function.
    pub struct ValueId = "v";
    /// A variable of a function: parameter or local.
    pub struct VarId = "x";
    /// A call of a function.
    pub struct CallId = "call";
}

/// A function, declared or defined.
#[derive(Clone, Debug)]
pub struct Function {
    /// The linker's name.
    pub name: Symbol,
    /// The name the user knows it by: demangled C++, otherwise as `name`.
    pub pretty: Symbol,
    /// Who sees it.
    pub linkage: Linkage,
    /// What it takes and returns.
    pub signature: Signature,
    /// What is promised of each parameter, as many as `signature.params`.
    pub param_attrs: Vec<ParamAttrs>,
    /// What is promised of each result, as many as `signature.results`.
    pub result_attrs: Vec<ParamAttrs>,
    /// What is promised of the function.
    pub attrs: FnAttrs,
    /// The function type in the user's program.
    pub source_type: Option<SourceTypeId>,
    /// Where it is defined or declared; unknown without debug info.
    pub loc: LocId,
    /// The body, if it is defined here.
    pub body: Option<Body>,
}

/// What a function does. The laws of a body are listed in `verify.rs`.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The blocks; the first is the entry, its parameters are the function's.
    pub blocks: IdVec<BlockId, Block>,
    /// The instructions of all blocks.
    pub insts: IdVec<InstId, InstData>,
    /// The SSA values of all instructions and block parameters.
    pub values: IdVec<ValueId, Value>,
    /// The constants.
    pub consts: ConstPool,
    /// The calls.
    pub calls: IdVec<CallId, Call>,
    /// The variables that the user wrote.
    pub vars: IdVec<VarId, Var>,
}

/// A straight piece of code with one entry and one end.
#[derive(Clone, Debug)]
pub struct Block {
    /// The values that predecessors hand over.
    pub params: Vec<ValueId>,
    /// What is done, in order.
    pub insts: Vec<InstId>,
    /// How it ends.
    pub term: Terminator,
    /// Where the end stands in the source.
    pub term_loc: LocId,
}

/// An instruction with its place and results.
#[derive(Clone, Debug)]
pub struct InstData {
    /// What it does.
    pub inst: Inst,
    /// Where it stands in the source.
    pub loc: LocId,
    /// Its first result; further ones have the following ids. Meaningless if there is none.
    pub first_result: ValueId,
    /// The number of its results.
    pub n_results: u32,
}

/// An SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// What defines it.
    pub def: ValueDef,
    /// The variable it is a version of: a block parameter that merges the versions of `p`, an assignment to it, or its `Uninit`.
    pub var: Option<VarId>,
}

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// A parameter of a block, by position.
    Param(BlockId, u32),
    /// A result of an instruction, by position.
    Result(InstId, u32),
}

/// A variable of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its name in the source.
    pub name: Symbol,
    /// Its type in the source.
    pub source_type: Option<SourceTypeId>,
    /// Where it is declared.
    pub loc: LocId,
    /// Parameter or local.
    pub kind: VarKind,
}

/// Kinds of variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VarKind {
    /// The n-th parameter in the source, from 0.
    Param(u32),
    /// A local variable.
    Local,
    /// Made by the compiler for an expression; it has a name only in messages about the compiler's doing.
    Temp,
}

impl Body {
    /// The entry block.
    pub const ENTRY: BlockId = BlockId::FIRST;

    /// The type of an operand.
    pub fn ty(&self, operand: Operand) -> Type {
        match operand {
            Operand::Value(value) => self.values[value].ty,
            Operand::Const(constant) => self.consts[constant].ty(),
        }
    }

    /// The results of an instruction.
    pub fn results(&self, inst: InstId) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        let data = &self.insts[inst];
        let first = base::Id::index(data.first_result);
        (first..first + data.n_results as usize).map(base::Id::new)
    }

    /// Appends an instruction to the arena (not to a block) with results of the given types.
    pub fn add_inst(&mut self, inst: Inst, loc: LocId, results: &[Type]) -> InstId {
        let id = self.insts.next_id();
        let first_result = self.values.next_id();
        for (position, &ty) in results.iter().enumerate() {
            self.values.push(Value { ty, def: ValueDef::Result(id, position as u32), var: None });
        }
        if let Inst::Assign { var, .. } = inst {
            self.values[first_result].var = Some(var);
        }
        self.insts.push(InstData { inst, loc, first_result, n_results: results.len() as u32 })
    }

    /// Appends a parameter to a block.
    pub fn add_param(&mut self, block: BlockId, ty: Type, var: Option<VarId>) -> ValueId {
        let position = self.blocks[block].params.len() as u32;
        let value = self.values.push(Value { ty, def: ValueDef::Param(block, position), var });
        self.blocks[block].params.push(value);
        value
    }
}
