//! Metadata and debug info.
//!
//! Nodes are numbered as in the file: those of the module first, then those of the function body at hand.
//! Fields that change their place between LLVM versions are decoded by the reader; here they have names.

use base::{IdVec, define_id};

use crate::module::ValueId;
use crate::types::TypeId;

define_id! {
    /// A metadata node of a module (and, above them, of one body).
    pub struct MdId = "!";
}

/// The metadata of a module.
#[derive(Debug, Default)]
pub struct Metadata {
    /// All nodes of the module.
    pub nodes: IdVec<MdId, Node>,
    /// Named lists of nodes (`llvm.module.flags`, `llvm.dbg.cu`).
    pub named: Vec<(Box<str>, Vec<MdId>)>,
    /// Names of attachment kinds (`dbg`, `tbaa`), by the file's own numbers.
    pub kinds: Vec<(u32, Box<str>)>,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A string.
    String(Box<str>),
    /// A value as metadata.
    Value {
        /// Its type.
        ty: TypeId,
        /// Its number.
        value: ValueId,
    },
    /// A tuple.
    Tuple {
        /// Whether it is itself and no other.
        distinct: bool,
        /// Its elements.
        elements: Box<[Option<MdId>]>,
    },
    /// A place in the source.
    Location(Location),
    /// The range of an array's index.
    Subrange {
        /// The number of elements.
        count: Bound,
        /// The first index.
        lower: Bound,
        /// The last index.
        upper: Bound,
        /// Bytes from one to the next.
        stride: Bound,
    },
    /// A constant of an enumeration.
    Enumerator {
        /// Its name.
        name: Option<MdId>,
        /// Its value, as words, least significant first.
        value: Box<[u64]>,
        /// Whether the value is unsigned.
        unsigned: bool,
    },
    /// A type without parts.
    BasicType {
        /// DWARF's tag.
        tag: u32,
        /// Its name.
        name: Option<MdId>,
        /// Bits.
        size_bits: u64,
        /// Alignment in bits; 0 if natural.
        align_bits: u64,
        /// DWARF's encoding.
        encoding: u32,
    },
    /// A type made of another one: pointer, typedef, member, qualifier, base class.
    DerivedType(Box<DerivedType>),
    /// A type made of several: struct, union, class, enumeration, array.
    CompositeType(Box<CompositeType>),
    /// A function type.
    SubroutineType {
        /// Flags.
        flags: u32,
        /// A tuple: result (none for void), then parameters; a final none means variadic.
        types: Option<MdId>,
    },
    /// A file.
    File {
        /// Its name.
        name: Option<MdId>,
        /// Its directory.
        directory: Option<MdId>,
    },
    /// A compilation unit.
    CompileUnit {
        /// DWARF's code for the language.
        language: u32,
        /// The source file.
        file: Option<MdId>,
        /// The compiler.
        producer: Option<MdId>,
    },
    /// A function.
    Subprogram(Box<Subprogram>),
    /// A block in braces.
    LexicalBlock {
        /// The scope around it.
        scope: Option<MdId>,
        /// The file.
        file: Option<MdId>,
        /// The line.
        line: u32,
        /// The column.
        column: u32,
    },
    /// A change of file within a scope.
    LexicalBlockFile {
        /// The scope around it.
        scope: Option<MdId>,
        /// The file.
        file: Option<MdId>,
        /// Tells copies apart.
        discriminator: u32,
    },
    /// A namespace.
    Namespace {
        /// The scope around it.
        scope: Option<MdId>,
        /// Its name; none if anonymous.
        name: Option<MdId>,
    },
    /// A type parameter of a template.
    TemplateType {
        /// Its name.
        name: Option<MdId>,
        /// Its type.
        ty: Option<MdId>,
    },
    /// A value parameter of a template.
    TemplateValue {
        /// DWARF's tag.
        tag: u32,
        /// Its name.
        name: Option<MdId>,
        /// Its type.
        ty: Option<MdId>,
        /// Its value.
        value: Option<MdId>,
    },
    /// A global variable.
    GlobalVariable(Box<GlobalVariableInfo>),
    /// A local variable or parameter.
    LocalVariable(Box<LocalVariable>),
    /// A DWARF expression.
    Expression {
        /// Its words.
        ops: Box<[u64]>,
    },
    /// A global variable with the expression that computes it.
    GlobalVariableExpression {
        /// The variable.
        variable: Option<MdId>,
        /// The expression.
        expression: Option<MdId>,
    },
    /// A label.
    Label {
        /// Its scope.
        scope: Option<MdId>,
        /// Its name.
        name: Option<MdId>,
        /// Its file.
        file: Option<MdId>,
        /// Its line.
        line: u32,
    },
    /// Several values as metadata.
    ArgList {
        /// The values, as nodes.
        args: Box<[MdId]>,
    },
    /// Links stores to assignments of variables.
    AssignId,
    /// Any other node, undecoded.
    Other {
        /// The record's code.
        code: u64,
        /// The record's numbers.
        numbers: Box<[u64]>,
    },
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The scope.
    pub scope: Option<MdId>,
    /// Where the scope was inlined.
    pub inlined_at: Option<MdId>,
    /// Whether the code is not the user's.
    pub implicit: bool,
}

/// A number in debug info that may be computed by the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Not given.
    None,
    /// A constant.
    Int(i64),
    /// A variable, an expression or a constant as metadata.
    Node(MdId),
}

/// A type made of another one.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedType {
    /// DWARF's tag (`DW_TAG_pointer_type`, `DW_TAG_member` …).
    pub tag: u32,
    /// Its name.
    pub name: Option<MdId>,
    /// Its file.
    pub file: Option<MdId>,
    /// Its line.
    pub line: u32,
    /// The scope around it.
    pub scope: Option<MdId>,
    /// The other type.
    pub base: Option<MdId>,
    /// Bits.
    pub size_bits: u64,
    /// Alignment in bits; 0 if natural.
    pub align_bits: u64,
    /// Bits from the start of the enclosing type.
    pub offset_bits: u64,
    /// Flags.
    pub flags: u64,
    /// More, depending on the tag (a bit-field's storage offset, a static member's constant).
    pub extra: Option<MdId>,
}

/// A type made of several.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositeType {
    /// DWARF's tag (`DW_TAG_structure_type`, `DW_TAG_array_type` …).
    pub tag: u32,
    /// Its name.
    pub name: Option<MdId>,
    /// Its file.
    pub file: Option<MdId>,
    /// Its line.
    pub line: u32,
    /// The scope around it.
    pub scope: Option<MdId>,
    /// Element type of an array, underlying type of an enumeration.
    pub base: Option<MdId>,
    /// Bits.
    pub size_bits: u64,
    /// Alignment in bits; 0 if natural.
    pub align_bits: u64,
    /// Bits from the start of the enclosing type.
    pub offset_bits: u64,
    /// Flags.
    pub flags: u64,
    /// A tuple of members, enumerators or subranges.
    pub elements: Option<MdId>,
    /// A tuple of template parameters.
    pub template_params: Option<MdId>,
    /// A name that is unique in the program.
    pub identifier: Option<MdId>,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Subprogram {
    /// The scope around it.
    pub scope: Option<MdId>,
    /// Its name.
    pub name: Option<MdId>,
    /// The linker's name, if that is another one.
    pub linkage_name: Option<MdId>,
    /// Its file.
    pub file: Option<MdId>,
    /// Its line.
    pub line: u32,
    /// Its type, a subroutine type.
    pub ty: Option<MdId>,
    /// The line of its body.
    pub scope_line: u32,
    /// Flags.
    pub flags: u64,
    /// Flags of subprograms.
    pub subprogram_flags: u64,
    /// Its compilation unit.
    pub unit: Option<MdId>,
    /// A tuple of template parameters.
    pub template_params: Option<MdId>,
    /// Its declaration.
    pub declaration: Option<MdId>,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalVariableInfo {
    /// The scope around it.
    pub scope: Option<MdId>,
    /// Its name.
    pub name: Option<MdId>,
    /// The linker's name, if that is another one.
    pub linkage_name: Option<MdId>,
    /// Its file.
    pub file: Option<MdId>,
    /// Its line.
    pub line: u32,
    /// Its type.
    pub ty: Option<MdId>,
    /// Whether other units cannot see it.
    pub local: bool,
    /// Whether it is defined here.
    pub definition: bool,
}

/// A local variable or parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalVariable {
    /// The scope around it.
    pub scope: Option<MdId>,
    /// Its name.
    pub name: Option<MdId>,
    /// Its file.
    pub file: Option<MdId>,
    /// Its line.
    pub line: u32,
    /// Its type.
    pub ty: Option<MdId>,
    /// Its position among the parameters, from 1; 0 for locals.
    pub arg: u32,
    /// Flags.
    pub flags: u64,
    /// Alignment in bits; 0 if natural.
    pub align_bits: u64,
}
