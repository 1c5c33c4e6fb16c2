//! A module as LLVM has it: globals, functions, constants, attributes.
//!
//! **Value numbers.** As in the file: globals, functions, aliases and ifuncs in order of their records, then
//! module constants; inside a function body its arguments follow, then its own constants, then the
//! instructions that have a result. An operand is such a number ([`ValueId`]); [`Module::def`] says what it
//! is.

use base::{Id, IdVec, define_id};

use crate::attributes::{AttributeGroup, AttributeListId, AttributeLists};
use crate::constants::Constant;
use crate::function::Body;
use crate::metadata::{MdId, Metadata, Node};
use crate::types::{Type, TypeId};

define_id! {
    /// The number of a value in its function (or module).
    pub struct ValueId = "%";
    /// A global variable of a module.
    pub struct GlobalId = "global";
    /// A function of a module.
    pub struct FunctionId = "function";
    /// An alias of a module.
    pub struct AliasId = "alias";
    /// An ifunc of a module.
    pub struct IfuncId = "ifunc";
    /// A basic block of a function.
    pub struct BlockId = "bb";
    /// An instruction of a function.
    pub struct InstId = "i";
}

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    /// Who wrote the file, e.g. `LLVM19.1.7`.
    pub producer: String,
    /// The target triple.
    pub triple: String,
    /// LLVM's data layout string.
    pub data_layout: String,
    /// The source file as the compiler was told.
    pub source_filename: String,
    /// Module-level assembly.
    pub asm: String,
    /// Types.
    pub types: IdVec<TypeId, Type>,
    /// Attribute groups in order of their records.
    pub attribute_groups: Vec<AttributeGroup>,
    /// Attribute lists of functions and calls.
    pub attribute_lists: AttributeLists,
    /// Names of sections, by index.
    pub sections: Vec<String>,
    /// Global variables.
    pub globals: IdVec<GlobalId, GlobalVariable>,
    /// Functions.
    pub functions: IdVec<FunctionId, Function>,
    /// Aliases.
    pub aliases: IdVec<AliasId, Alias>,
    /// Indirect functions.
    pub ifuncs: IdVec<IfuncId, Ifunc>,
    /// What each module-level value number is.
    pub values: IdVec<ValueId, GlobalValue>,
    /// Module-level constants in order of their records.
    pub constants: Vec<Constant>,
    /// Metadata.
    pub metadata: Metadata,
    /// Names of operand bundle tags, by number.
    pub bundle_tags: Vec<String>,
    /// What the reader met and does not know, counted by kind.
    pub unknown: Vec<Unknown>,
}

/// What a module-level value number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalValue {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// An alias.
    Alias(AliasId),
    /// An ifunc.
    Ifunc(IfuncId),
    /// A constant, by position in [`Module::constants`].
    Constant(u32),
}

/// What a value number is, seen from a body or from the module.
#[derive(Clone, Copy, Debug)]
pub enum Def<'a> {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// An alias.
    Alias(AliasId),
    /// An ifunc.
    Ifunc(IfuncId),
    /// A constant of the module or the body.
    Constant(&'a Constant),
    /// The n-th argument of the function.
    Argument(u32),
    /// The result of an instruction.
    Instruction(InstId),
}

/// Something the reader does not know and has passed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// In which kind of block of the file it stands.
    pub block: u32,
    /// The code of the record, or none if the whole block is unknown.
    pub code: Option<u64>,
    /// How often.
    pub count: u32,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct GlobalVariable {
    /// Its name.
    pub name: Box<str>,
    /// The type of its content.
    pub ty: TypeId,
    /// Its address space.
    pub address_space: u32,
    /// Whether it is never written.
    pub constant: bool,
    /// Its first content; none if it is only declared.
    pub initializer: Option<ValueId>,
    /// Who sees it.
    pub linkage: Linkage,
    /// Its alignment in bytes; 0 if the type's.
    pub align: u64,
    /// The section, by index from 1; 0 if none.
    pub section: u32,
    /// Visibility: default, hidden, protected.
    pub visibility: u32,
    /// How it is thread-local; 0 if it is not.
    pub thread_local: u32,
    /// Whether its address matters: 0 yes, 1 no, 2 not in this module.
    pub unnamed_addr: u32,
    /// Attributes.
    pub attributes: AttributeListId,
    /// Metadata attachments: kind and node.
    pub attachments: Vec<(u32, MdId)>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Box<str>,
    /// Its function type.
    pub ty: TypeId,
    /// Its address space.
    pub address_space: u32,
    /// Its calling convention.
    pub calling_convention: u32,
    /// Who sees it.
    pub linkage: Linkage,
    /// Attributes of the function, its parameters and its result.
    pub attributes: AttributeListId,
    /// Its alignment in bytes; 0 if the target's.
    pub align: u64,
    /// The section, by index from 1; 0 if none.
    pub section: u32,
    /// Visibility: default, hidden, protected.
    pub visibility: u32,
    /// Whether its address matters: 0 yes, 1 no, 2 not in this module.
    pub unnamed_addr: u32,
    /// The personality function for exceptions.
    pub personality: Option<ValueId>,
    /// Metadata attachments of a declaration: kind and node. Those of a definition are in its body.
    pub attachments: Vec<(u32, MdId)>,
    /// Whether the file has a body for it.
    pub defined: bool,
    /// The body. A body that could not be read is none, with the cause in `broken`.
    pub body: Option<Body>,
    /// Why the body could not be read.
    pub broken: Option<String>,
}

/// An alias.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its name.
    pub name: Box<str>,
    /// The type of what it stands for.
    pub ty: TypeId,
    /// Its address space.
    pub address_space: u32,
    /// What it stands for: a global, a function or a constant expression.
    pub target: ValueId,
    /// Who sees it.
    pub linkage: Linkage,
    /// Visibility: default, hidden, protected.
    pub visibility: u32,
    /// How it is thread-local; 0 if it is not.
    pub thread_local: u32,
}

/// An indirect function: a resolver chooses the target when the program is loaded.
#[derive(Clone, Debug)]
pub struct Ifunc {
    /// Its name.
    pub name: Box<str>,
    /// The function type.
    pub ty: TypeId,
    /// Its address space.
    pub address_space: u32,
    /// The resolver.
    pub resolver: ValueId,
    /// Who sees it.
    pub linkage: Linkage,
    /// Visibility: default, hidden, protected.
    pub visibility: u32,
}

/// Who sees a definition, and what may replace it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum Linkage {
    External,
    AvailableExternally,
    LinkOnceAny,
    LinkOnceOdr,
    WeakAny,
    WeakOdr,
    Appending,
    Internal,
    Private,
    ExternalWeak,
    Common,
}

impl Module {
    /// What `value` is, seen from `body` (none: from the module).
    pub fn def<'a>(&'a self, body: Option<&'a Body>, value: ValueId) -> Option<Def<'a>> {
        if let Some(&global) = self.values.get(value) {
            return Some(match global {
                GlobalValue::Global(id) => Def::Global(id),
                GlobalValue::Function(id) => Def::Function(id),
                GlobalValue::Alias(id) => Def::Alias(id),
                GlobalValue::Ifunc(id) => Def::Ifunc(id),
                GlobalValue::Constant(index) => Def::Constant(&self.constants[index as usize]),
            });
        }
        let body = body?;
        let local = value.index() - self.values.len();
        let n_args = body.arguments.len();
        if local < n_args {
            return Some(Def::Argument(local as u32));
        }
        if let Some(constant) = body.constants.get(local - n_args) {
            return Some(Def::Constant(constant));
        }
        body.results.get(local - n_args - body.constants.len()).map(|&inst| Def::Instruction(inst))
    }

    /// The type of `value`, seen from `body`. Globals and functions are pointers; for them it is none.
    pub fn value_type(&self, body: Option<&Body>, value: ValueId) -> Option<TypeId> {
        match self.def(body, value)? {
            Def::Constant(constant) => Some(constant.ty),
            Def::Argument(index) => Some(body?.arguments[index as usize]),
            Def::Instruction(inst) => Some(body?.insts[inst].ty),
            Def::Global(_) | Def::Function(_) | Def::Alias(_) | Def::Ifunc(_) => None,
        }
    }

    /// A metadata node, seen from `body`.
    pub fn node<'a>(&'a self, body: Option<&'a Body>, id: MdId) -> Option<&'a Node> {
        match self.metadata.nodes.get(id) {
            Some(node) => Some(node),
            None => body?.metadata.get(id.index() - self.metadata.nodes.len()),
        }
    }

    /// The text of a metadata string of the module.
    pub fn text(&self, id: Option<MdId>) -> Option<&str> {
        match self.metadata.nodes.get(id?)? {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number of the `position`-th argument of any function of this module.
    pub fn argument(&self, position: u32) -> ValueId {
        ValueId::new(self.values.len() + position as usize)
    }
}
