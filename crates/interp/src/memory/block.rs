//! Blocks: what they are, whether they live, and what they hold.

use ir::{LocId, VarId};

use crate::program::{FnRef, GlobalRef};
use crate::value::BlockRef;

/// A piece of memory with its own address. Nothing overlaps it, ever.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its first address.
    pub address: u64,
    /// Its bytes.
    pub size: u64,
    /// What it is.
    pub kind: BlockKind,
    /// Whether it lives.
    pub status: Status,
    /// Where it was made.
    pub made: Site,
    /// Whether it may be written.
    pub writable: bool,
    /// Where its content is kept while it lives.
    pub(super) content: u32,
}

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// A global variable or string literal.
    Global(GlobalRef),
    /// The code of a function; the bytes after the first stand for its labels.
    Function(FnRef),
    /// A stack slot of a function.
    Stack {
        /// The function.
        function: FnRef,
        /// The variable it holds, if it has a name.
        var: Option<VarId>,
    },
    /// A heap block.
    Heap {
        /// Who must free it.
        family: Family,
        /// The calls around its allocation, in the machine's table.
        callers: u32,
    },
    /// Made by the library: `errno`, a `FILE`, the words of the command line.
    Library(&'static str),
    /// Made by a call of an unknown function.
    Unknown,
    /// Made by whoever drives the machine, as part of a state to start in.
    Given,
}

/// Families of allocation functions: a block is freed by the family that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// `malloc`, `calloc`, `strdup` … and `free`, `realloc`.
    Malloc,
    /// `new` and `delete`.
    New,
    /// `new[]` and `delete[]`.
    NewArray,
}

impl Family {
    /// The function that makes such blocks.
    pub fn allocator(self) -> &'static str {
        match self {
            Family::Malloc => "malloc",
            Family::New => "operator new",
            Family::NewArray => "operator new[]",
        }
    }

    /// The function that frees such blocks.
    pub fn deallocator(self) -> &'static str {
        match self {
            Family::Malloc => "free",
            Family::New => "operator delete",
            Family::NewArray => "operator delete[]",
        }
    }
}

/// Whether a block lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Represents: memory that exists. Allows: every access in bounds. Affected by: `free`, the end of the scope, return.
    Alive,
    /// Represents: a heap block after `free`. Rejects: every access, and another `free`.
    Freed(Site),
    /// Represents: a stack slot whose scope was left. Allows: another start of the scope. Rejects: every access.
    ScopeEnded(Site),
    /// Represents: a stack slot whose function returned. Rejects: every access.
    Returned(Site),
}

/// A place in the program, small enough to keep one per block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// The function, if any.
    pub function: Option<FnRef>,
    /// The place in its module.
    pub loc: LocId,
}

impl Site {
    /// No place at all.
    pub const NONE: Site = Site { function: None, loc: LocId::FIRST };
}

impl Block {
    /// Whether `address` lies in it. An empty block holds its own address.
    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.address) < self.size.max(1)
    }

    /// Bytes from its start to `address`.
    pub fn offset_of(&self, address: u64) -> i64 {
        address.wrapping_sub(self.address) as i64
    }

    /// Whether it is alive.
    pub fn is_alive(&self) -> bool {
        self.status == Status::Alive
    }

    /// Whether it is a heap block that lives.
    pub fn is_live_heap(&self) -> bool {
        self.is_alive() && matches!(self.kind, BlockKind::Heap { .. })
    }
}

/// What a block holds, byte by byte.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    /// The bytes; zero where nothing was written, unless leftovers are chosen.
    pub(super) data: Vec<u8>,
    /// Which bits were written.
    pub(super) defined: Defined,
    /// One mask per byte, a one for each bit that was written; only valid if `defined` is `Mixed`.
    pub(super) mask: Vec<u8>,
    /// The block that each byte's address belongs to; empty if no byte is part of an address.
    pub(super) provs: Vec<Option<BlockRef>>,
}

/// A summary of which bits of a block were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Defined {
    /// All of them.
    All,
    /// None of them.
    #[default]
    None,
    /// As the mask says.
    Mixed,
}

impl Content {
    /// Makes it hold `size` zero bytes, all defined or all undefined.
    pub(super) fn reset(&mut self, size: usize, defined: bool) {
        self.data.clear();
        if size > self.data.capacity() {
            // A fresh zeroed vector costs nothing until it is touched.
            self.data = vec![0; size];
        } else {
            self.data.resize(size, 0);
        }
        self.defined = if defined { Defined::All } else { Defined::None };
        self.mask.clear();
        self.provs.clear();
    }

    /// Makes sure that every byte has its own mask.
    pub(super) fn mixed(&mut self) -> &mut [u8] {
        let fill = match self.defined {
            Defined::Mixed => return &mut self.mask,
            Defined::All => 0xff,
            Defined::None => 0,
        };
        self.mask.clear();
        if fill == 0 && self.data.len() > self.mask.capacity() {
            self.mask = vec![0; self.data.len()];
        } else {
            self.mask.resize(self.data.len(), fill);
        }
        self.defined = Defined::Mixed;
        &mut self.mask
    }

    /// Declares bytes defined.
    pub(super) fn define(&mut self, start: usize, len: usize) {
        match self.defined {
            Defined::All => {}
            Defined::None if start == 0 && len == self.data.len() => self.defined = Defined::All,
            _ => self.mixed()[start..start + len].fill(0xff),
        }
    }

    /// The bytes that count against the budget: the content itself and its provenance.
    pub(super) fn footprint(&self) -> u64 {
        (self.data.len() + 4 * self.provs.len()) as u64
    }
}
