//! Modules: one translation unit with its globals, functions, places and promises.

use base::{IdVec, Interner, Symbol, define_id};

use crate::function::Function;
use crate::inst::AsmId;
use crate::source::{SourceTypeId, SourceTypes};

define_id! {
    /// A global variable of a module.
    pub struct GlobalId = "g";
    /// A function of a module.
    pub struct FuncId = "f";
    /// A source file of a module.
    pub struct FileId = "file";
    /// A place in the source.
    pub struct LocId = "loc";
    /// Why something is not modeled.
    pub struct ReasonId = "reason";
}

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The strings behind all symbols.
    pub symbols: Interner,
    /// The source file it was compiled from, as the compiler was told.
    pub source: Option<Symbol>,
    /// The machine it is compiled for.
    pub target: TargetInfo,
    /// Source files by path, as debug info gives them (directory joined).
    pub files: IdVec<FileId, Symbol>,
    /// Places; the first one is the unknown place.
    pub locs: IdVec<LocId, Loc>,
    /// The user's types.
    pub types: SourceTypes,
    /// Global variables.
    pub globals: IdVec<GlobalId, Global>,
    /// Functions, declared and defined.
    pub functions: IdVec<FuncId, Function>,
    /// Further names for globals and functions.
    pub aliases: Vec<Alias>,
    /// Functions that run before `main`, with priorities, in order of execution.
    pub constructors: Vec<(u32, FuncId)>,
    /// Functions that run after `main`, with priorities, in order of execution.
    pub destructors: Vec<(u32, FuncId)>,
    /// Inline assembly texts.
    pub asm: IdVec<AsmId, Symbol>,
    /// Why things are not modeled.
    pub reasons: IdVec<ReasonId, Reason>,
}

/// The machine a module is compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetInfo {
    /// The target triple.
    pub triple: Option<Symbol>,
    /// Bytes of a pointer.
    pub pointer_bytes: u32,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
}

impl Default for TargetInfo {
    fn default() -> Self {
        Self { triple: None, pointer_bytes: 8, big_endian: false }
    }
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Loc {
    /// The file; none if the place is unknown.
    pub file: Option<FileId>,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function it stands in, by its name in the source, if that is not the function of the IR (inlined code).
    pub function: Option<Symbol>,
    /// Where the code was inlined, if it was.
    pub inlined_at: Option<LocId>,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// The linker's name.
    pub name: Symbol,
    /// The name the user knows it by; `name` for string literals and the like.
    pub pretty: Symbol,
    /// Who sees it.
    pub linkage: Linkage,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Whether it is never written (`const`, string literals).
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Its first content; none if it is defined elsewhere.
    pub init: Option<Init>,
    /// Its type in the source.
    pub source_type: Option<SourceTypeId>,
    /// Where it is declared.
    pub loc: LocId,
}

/// The first content of a global: zero but for the pieces listed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Init {
    /// Pieces of bytes by offset, ascending, not overlapping, inside the global.
    pub pieces: Vec<(u64, Vec<u8>)>,
    /// Addresses, ascending by offset; the bytes beneath are zero.
    pub relocs: Vec<Reloc>,
    /// Whether some content could not be expressed and is unknown.
    pub partial: bool,
}

impl Init {
    /// The byte at an offset, if no address covers it.
    pub fn byte(&self, at: u64) -> u8 {
        let piece = self.pieces.iter().find(|(from, bytes)| *from <= at && at < from + bytes.len() as u64);
        piece.map_or(0, |(from, bytes)| bytes[(at - from) as usize])
    }
}

/// An address in an initializer: `address(plus) - address(minus) + addend`, cut to `bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// Where in the global.
    pub offset: u64,
    /// How many bytes of the result are stored.
    pub bytes: u32,
    /// The address.
    pub plus: SymbolRef,
    /// An address to subtract (jump tables, relative vtables).
    pub minus: Option<SymbolRef>,
    /// Bytes to add.
    pub addend: i64,
}

/// What an address can be the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolRef {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// A label in a function (`&&label`).
    Block(FuncId, crate::function::BlockId),
}

/// A further name for a global or function.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// The linker's name.
    pub name: Symbol,
    /// Who sees it.
    pub linkage: Linkage,
    /// What it stands for.
    pub target: SymbolRef,
    /// Bytes from the start of the target.
    pub offset: i64,
}

/// Who sees a definition and whether another one may take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Linkage {
    /// Seen by all units; the only definition.
    External,
    /// Seen in this unit only (`static`).
    Internal,
    /// Seen by all units; gives way to an external one (`weak`, `common`).
    Weak,
    /// An inline function or template: all definitions are equal, any may be taken.
    LinkOnce,
    /// A copy for inspection; the real definition is elsewhere (`inline` of C99, `extern template`).
    AvailableExternally,
    /// A declaration whose address may be null.
    ExternWeak,
}

/// What is promised of a function.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FnAttrs {
    /// It never returns.
    pub noreturn: bool,
    /// It always returns.
    pub willreturn: bool,
    /// It throws no exception.
    pub nounwind: bool,
    /// It is rarely called: error handling.
    pub cold: bool,
    /// It may return twice (`setjmp`).
    pub returns_twice: bool,
    /// It frees no memory.
    pub nofree: bool,
    /// Which memory it may read and write.
    pub memory: MemoryEffects,
    /// The parameters whose product is the size of the returned block (`alloc_size`).
    pub alloc_size: Option<(u32, Option<u32>)>,
    /// What kind of allocation function it is, if clang says so.
    pub alloc_kind: AllocKind,
    /// The family of allocation functions it belongs to (`malloc`, `_Znwm`).
    pub alloc_family: Option<Symbol>,
}

/// What an allocation function does, as clang's `allockind` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[expect(missing_docs, reason = "each flag is the word of the attribute")]
pub struct AllocKind {
    pub alloc: bool,
    pub realloc: bool,
    pub free: bool,
    pub uninitialized: bool,
    pub zeroed: bool,
    pub aligned: bool,
}

/// Which memory a function may access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryEffects {
    /// Memory behind pointer arguments.
    pub args: ModRef,
    /// Memory that this module cannot see.
    pub inaccessible: ModRef,
    /// All other memory.
    pub other: ModRef,
}

impl MemoryEffects {
    /// Whether no memory is written.
    pub fn writes_nothing(self) -> bool {
        ![self.args, self.inaccessible, self.other].iter().any(|it| it.write)
    }

    /// Whether no memory is read.
    pub fn reads_nothing(self) -> bool {
        ![self.args, self.inaccessible, self.other].iter().any(|it| it.read)
    }
}

impl Default for MemoryEffects {
    fn default() -> Self {
        Self { args: ModRef::BOTH, inaccessible: ModRef::BOTH, other: ModRef::BOTH }
    }
}

/// Reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModRef {
    /// May read.
    pub read: bool,
    /// May write.
    pub write: bool,
}

impl ModRef {
    /// May do both.
    pub const BOTH: ModRef = ModRef { read: true, write: true };
    /// May do neither.
    pub const NONE: ModRef = ModRef { read: false, write: false };
}

/// What is promised of a parameter, argument or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ParamAttrs {
    /// Not null.
    pub nonnull: bool,
    /// Fully initialized.
    pub noundef: bool,
    /// No other pointer leads to its memory (for a result: a new block).
    pub noalias: bool,
    /// The function keeps no copy of the pointer.
    pub nocapture: bool,
    /// The function only reads through it.
    pub readonly: bool,
    /// The function only writes through it.
    pub writeonly: bool,
    /// The function returns this argument.
    pub returned: bool,
    /// It points at the memory that receives a returned struct.
    pub sret: bool,
    /// It points at a copy of a struct made for the call (by the caller, as an alloca and a copy before it); the bytes of the struct.
    pub byval: Option<u32>,
    /// At least so many bytes can be accessed; 0 if nothing is known.
    pub dereferenceable: u64,
    /// Null, or at least so many bytes can be accessed; 0 if nothing is known.
    pub dereferenceable_or_null: u64,
    /// Alignment of the address; 0 if nothing is known.
    pub align: u32,
    /// The pointer that an allocation function frees or resizes.
    pub alloc_ptr: bool,
}

/// Why something is not modeled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reason {
    /// The kind.
    pub kind: ReasonKind,
    /// The particular thing, e.g. the name of the intrinsic.
    pub detail: Option<Symbol>,
}

/// Kinds of what is not modeled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReasonKind {
    /// An intrinsic function of LLVM.
    Intrinsic,
    /// An instruction of LLVM.
    Instruction,
    /// A type of LLVM (scalable vectors, tokens, target types).
    Type,
    /// A constant of LLVM.
    Constant,
    /// A value that flattens to more lanes than we follow.
    TooWide,
    /// Where control goes after inline assembly with labels.
    AsmGoto,
    /// Landing pads and other values of exception handling.
    Exception,
}

impl ReasonKind {
    /// The word for it in statistics and in the text form.
    pub fn word(self) -> &'static str {
        match self {
            ReasonKind::Intrinsic => "intrinsic",
            ReasonKind::Instruction => "instruction",
            ReasonKind::Type => "type",
            ReasonKind::Constant => "constant",
            ReasonKind::TooWide => "too-wide",
            ReasonKind::AsmGoto => "asm-goto",
            ReasonKind::Exception => "exception",
        }
    }

    /// All kinds, for parsing.
    pub const ALL: [ReasonKind; 7] = [
        ReasonKind::Intrinsic,
        ReasonKind::Instruction,
        ReasonKind::Type,
        ReasonKind::Constant,
        ReasonKind::TooWide,
        ReasonKind::AsmGoto,
        ReasonKind::Exception,
    ];
}

impl Module {
    /// An empty module whose only place is the unknown one.
    pub fn new() -> Self {
        let mut module = Self::default();
        module.locs.push(Loc::default());
        module
    }

    /// The id of a reason, new or known.
    pub fn reason(&mut self, kind: ReasonKind, detail: Option<Symbol>) -> ReasonId {
        let reason = Reason { kind, detail };
        let known = self.reasons.iter_ids().find(|(_, it)| **it == reason).map(|(id, _)| id);
        known.unwrap_or_else(|| self.reasons.push(reason))
    }
}
