//! What can be said of an error, as data: what goes wrong, and what led to it.
//!
//! Engines fill this in, summaries keep it, and `report` alone makes sentences of it.

use serde::{Deserialize, Serialize};

use crate::condition::Condition;

/// How the program calls a value (`exc->next`); none if it has no name for it.
pub type Name = Option<String>;

/// What is done with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Use {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Freed.
    Free,
    /// Called, as a function.
    Call,
    /// One of these; nobody said which.
    Any,
}

/// What a value is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Need {
    /// To decide where to go on.
    Condition,
    /// To select a case.
    Switch,
    /// To access memory there.
    Address,
    /// To call a function there.
    Function,
    /// To be passed to a function that looks at it.
    Argument,
    /// To be looked at by a library function.
    Library,
    /// To divide by it.
    Divisor,
    /// To be the size of a block.
    BlockSize,
    /// To be the size of an array.
    ArraySize,
    /// To be a number of bytes.
    Length,
}

/// An object, as the user knows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Object {
    /// A block of the heap.
    Heap,
    /// A local variable.
    Local(String),
    /// A global variable.
    Global(String),
    /// A string literal.
    Literal,
    /// A function.
    Function(String),
    /// What a pointer of the caller leads to.
    Behind(String),
    /// Nobody knows.
    Unknown,
}

/// Why something cannot be freed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unfreeable {
    /// It lies in the middle of its object.
    Inner,
    /// Its object was never allocated.
    NotAllocated,
    /// It is freed by a function that goes with another allocator.
    Family {
        /// What frees it.
        by: String,
        /// What allocated it.
        made_by: String,
    },
}

/// Where bytes lie that are outside of their object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Offset {
    /// So many bytes behind its start: a number or an expression.
    At(String),
    /// Nobody knows.
    Unknown,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum What {
    /// A pointer is null and is used, here or in a function that gets it.
    Null {
        /// The pointer.
        pointer: Name,
        /// What is done with it.
        used: Use,
        /// The function that gets it.
        to: Option<String>,
    },
    /// A pointer leads to memory that was freed.
    Freed {
        /// The pointer.
        pointer: Name,
        /// What is done with it.
        used: Use,
        /// The function that gets it.
        to: Option<String>,
    },
    /// A pointer leads to a variable whose scope has ended.
    ScopeEnded {
        /// The pointer.
        pointer: Name,
        /// The variable.
        object: Option<Object>,
        /// What is done with it.
        used: Use,
        /// The function that gets it.
        to: Option<String>,
    },
    /// Bytes are accessed that do not belong to the object.
    OutOfBounds {
        /// The object.
        object: Object,
        /// How many bytes it has: a number or an expression.
        size: Option<String>,
        /// What is done with them.
        used: Use,
        /// How many.
        bytes: u64,
        /// Where they begin.
        offset: Offset,
    },
    /// A function accesses bytes outside of the object that it gets.
    OutOfBoundsIn {
        /// The pointer that is passed.
        pointer: Name,
        /// The function.
        to: String,
        /// The byte up to which it accesses the object, if that is a number.
        up_to: Option<i64>,
    },
    /// An index is negative.
    NegativeIndex {
        /// The array.
        array: Name,
    },
    /// Something is freed that cannot be.
    NotFreeable {
        /// The pointer.
        pointer: Name,
        /// What it leads to.
        object: Option<Object>,
        /// Why.
        why: Unfreeable,
    },
    /// Something is passed to a function that frees it, and cannot be freed.
    NotFreeableIn {
        /// The pointer.
        pointer: Name,
        /// The function.
        to: String,
        /// What allocated it, if anything did.
        made_by: Option<String>,
    },
    /// A divisor is zero.
    DivisionByZero {
        /// The divisor.
        divisor: Name,
    },
    /// A value is used that was never written.
    Unwritten {
        /// The value.
        value: Name,
        /// What for.
        need: Need,
    },
    /// An assertion fails.
    Assertion,
    /// A function is called that fails an assertion whatever it is given.
    MustNotBeCalled,
    /// The address of a local variable is returned.
    AddressReturned {
        /// The variable.
        object: Object,
    },
    /// Memory becomes unreachable.
    Leak {
        /// The function that allocated it, if it is another one.
        by: Option<String>,
    },
    /// Memory that a callee allocates becomes unreachable in it.
    LeakIn {
        /// The callee.
        callee: String,
    },
    /// A caller may pass null.
    MayBeNull {
        /// The pointer.
        pointer: String,
        /// What is done with it.
        used: Use,
    },
    /// A caller may pass a pointer to freed memory.
    MayBeFreed {
        /// The pointer.
        pointer: String,
        /// What is done with it.
        used: Use,
    },
    /// A loop never ends.
    Endless {
        /// What its tests read, if the loop changes nothing of it.
        unchanged: Vec<String>,
        /// Else what its tests find in every iteration; empty if that has no words.
        holds: Vec<Condition>,
    },
    /// Nothing comes here.
    Dead,
}

/// Whom a doomed failure concerns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Extent {
    /// Every execution that comes to the failing line.
    ThisLine,
    /// Every execution that comes to another line.
    Line(u32),
}

/// Where a value comes from that somebody chose.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// A function that nobody knows returns it.
    Returned(String),
    /// A function of a library returns it, of which it is known what it may return.
    Library(String),
    /// A function returns it, which fails: it is null.
    Failed(String),
    /// A function allocates it.
    Allocated(String),
    /// It is the address of a local variable.
    Local,
}

/// Something that led to an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Event {
    /// The pointer comes from somewhere.
    Pointer(Origin),
    /// A function returns null.
    ReturnsNull(String),
    /// A variable is set to null.
    SetToNull(String),
    /// A variable is set to zero.
    SetToZero(String),
    /// The block is allocated.
    Allocated,
    /// The block is freed.
    Freed,
    /// The scope of the variable ends.
    ScopeEnds,
    /// An allocation fails.
    Fails(String),
    /// The path takes a branch.
    Branch(Condition),
    /// The path takes a branch on a value that is not followed.
    UnknownBranch,
    /// On other paths the same error happens here.
    OtherPaths,
    /// The function returns, and nothing points to the block.
    LostAtReturn,
    /// From here on nothing points to the block.
    LostHere,
    /// The pointer is passed here.
    Passed,
    /// The call makes a function fail.
    CallFails(String),
    /// The call makes a function lose memory.
    CallLoses(String),
    /// A function is called.
    Calls(String),
    /// The error itself.
    Error(What),
}
