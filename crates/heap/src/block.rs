//! Blocks: what memory is made of.
//!
//! Judgment: `X ↦ V` of the papers is a block that is allocated, `X ↦̸` one that is not ([`Status`]).
//! Source: Le et al. Fig. 1; Raad et al. Fig. 4 (negative heaps). Departures: (1) a block has bytes and a
//! size; its cells are the bytes that are known; (2) what the rest of it holds is one of a few kinds of
//! [`Content`]; (3) a block has a [`Kind`]: who owns it, and who may free it.

use base::define_id;
use serde::{Deserialize, Serialize};
use term::TermId;
use world::{FamilyKey, FnKey, GlobalKey};

use crate::site::Made;

define_id! {
    /// A block of a state. Ids are given in the order in which a path meets its blocks.
    pub struct BlockId = "b";
}

/// A piece of memory that was allocated as one: a heap block, a local variable, a global, or memory of the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The address of its first byte; for [`Kind::Abduced`] and [`Kind::Unknown`] ones, the pointer by which they were found, which may point into the
    /// middle.
    pub base: TermId,
    /// Bytes, of pointer width; none if nobody knows.
    pub size: Option<TermId>,
    /// What kind of memory it is.
    pub kind: Kind,
    /// Whether it can be used.
    pub status: Status,
    /// What those bytes hold that no cell covers.
    pub rest: Content,
    /// When that became so.
    pub epoch: Epoch,
    /// Known content; cells with the same symbolic part of the offset do not overlap, sorted by `(symbolic, offset)`.
    pub cells: Vec<Cell>,
    /// Whether code that we do not know may have a pointer to it: it is not reported as leaked.
    pub escaped: bool,
    /// Whether its content, also what this path has not met, may have been copied to a place that is not followed: what only it points to is not leaked with
    /// it.
    pub copied: bool,
    /// Where it was allocated or declared.
    pub made: Option<Made>,
}

/// Kinds of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// From an allocation function of that family.
    Heap(FamilyKey),
    /// A local variable of the function under analysis.
    Stack,
    /// A global variable of the project.
    Global(GlobalKey),
    /// A global that nobody writes: string literals, `const` tables.
    Constant(GlobalKey),
    /// Code of a function of the project: can be called, not accessed.
    Function(FnKey),
    /// It belongs to the caller: abduced.
    Abduced,
    /// Behind a pointer that unknown code made: valid as long as nothing says otherwise.
    Unknown,
}

impl Kind {
    /// Whether the block exists before the function begins and may be seen by its caller.
    pub fn is_outside(self) -> bool {
        matches!(self, Kind::Global(_) | Kind::Constant(_) | Kind::Function(_) | Kind::Abduced)
    }

    /// Whether somebody can write it.
    pub fn is_writable(self) -> bool {
        !matches!(self, Kind::Constant(_) | Kind::Function(_))
    }
}

/// Whether a block can be used: the positive and the negative heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// `X ↦ …`
    Allocated,
    /// `X ↦̸`: it was freed.
    Freed(Made),
    /// `X ↦̸`: the scope of the variable has ended, or its function has returned.
    ScopeEnded(Made),
}

impl Status {
    /// Whether it can be used.
    pub fn is_allocated(&self) -> bool {
        matches!(self, Status::Allocated)
    }
}

/// What bytes hold that nothing was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Content {
    /// Never written: using it is an error.
    Undefined,
    /// Zeros.
    Zero,
    /// What the caller left there; read, it becomes part of the presumption.
    Initial,
    /// What unknown code left there.
    Unknown,
    /// Something that was computed, but is not followed: nothing may rest on it.
    NotFollowed,
    /// The initializer of a constant.
    Image,
}

/// Tells contents apart that a block had one after the other without anybody knowing them: what is read of one of them is the same on all paths.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Epoch(u32);

impl Epoch {
    /// Another one than all before.
    pub fn begin(&mut self) -> Epoch {
        self.0 += 1;
        *self
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Contents of which nothing is known are alike.
impl PartialEq for Epoch {
    fn eq(&self, _: &Epoch) -> bool {
        true
    }
}

impl Eq for Epoch {}

/// Where in a block: `symbolic + offset` bytes from its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The part of the offset that is not constant, of pointer width; none if it is zero.
    pub symbolic: Option<TermId>,
    /// The constant part.
    pub offset: i64,
}

impl Place {
    /// A constant offset.
    pub fn at(offset: i64) -> Place {
        Place { symbolic: None, offset }
    }

    /// Some bytes further.
    pub fn plus(self, bytes: i64) -> Place {
        Place { offset: self.offset.wrapping_add(bytes), ..self }
    }

    /// Whether it is known to be behind the base.
    pub fn is_inside(self) -> bool {
        self.symbolic.is_none() && self.offset > 0
    }
}

/// Some bytes of a block with their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Where it begins.
    pub place: Place,
    /// How many bytes, at most 16.
    pub bytes: u32,
    /// What they hold, in the byte order of the machine; eight bits per byte.
    pub value: TermId,
}

impl Cell {
    /// Where it ends, if the symbolic part is the same.
    pub fn end(&self) -> i64 {
        self.place.offset.wrapping_add(i64::from(self.bytes))
    }
}

impl Block {
    /// A block of new memory.
    pub fn new(base: TermId, size: Option<TermId>, kind: Kind, rest: Content) -> Block {
        Block {
            base,
            size,
            kind,
            status: Status::Allocated,
            rest,
            epoch: Epoch::default(),
            cells: Vec::new(),
            escaped: false,
            copied: false,
            made: None,
        }
    }

    /// Whether the block is new memory of this path, which a leak can be of.
    pub fn is_heap(&self) -> bool {
        matches!(self.kind, Kind::Heap(_))
    }

    /// Bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Block>() + size_of_val(&self.cells[..])
    }

    /// Whether something was written to it at an index that is not known.
    pub fn has_symbolic(&self) -> bool {
        self.cells.iter().any(|cell| cell.place.symbolic.is_some())
    }

    /// What its cells hold.
    pub fn values(&self) -> Vec<TermId> {
        self.cells.iter().map(|cell| cell.value).collect()
    }

    /// Whether two blocks differ in the values of their cells only.
    pub fn is_same_but_for_values(&self, other: &Block) -> bool {
        let place = |cell: &Cell| (cell.place, cell.bytes);
        let Block { base, size, kind, status, rest, epoch, cells, escaped, copied, made } = self;
        (base, size, kind, status, rest)
            == (&other.base, &other.size, &other.kind, &other.status, &other.rest)
            && (epoch, escaped, copied, made) == (&other.epoch, &other.escaped, &other.copied, &other.made)
            && cells.iter().map(place).eq(other.cells.iter().map(place))
    }

    /// Forgets all content: what is read from now on is `rest`.
    pub fn forget(&mut self, rest: Content, epoch: Epoch) {
        // Who overwrites something without our knowing may have kept it.
        self.copied |= matches!(rest, Content::Unknown | Content::NotFollowed);
        self.cells.clear();
        self.rest = rest;
        self.epoch = epoch;
    }
}
