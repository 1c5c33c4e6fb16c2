//! What the engine is told about everything outside of the function under analysis.

use std::sync::Arc;

use heap::VarRole;
use ir::{CallId, FuncId, GlobalId, Init, SymbolRef};
use models::{Library, Model};
use smallvec::SmallVec;
use summary::Summary;

/// The project around a function. Functions and global variables have numbers that hold in the whole project.
pub trait World {
    /// The number of the function under analysis.
    fn own(&self) -> u32;
    /// The functions that a reference of the module may mean: one, or several definitions of one name.
    fn function(&self, func: FuncId) -> SmallVec<[u32; 1]>;
    /// What is known of a function.
    fn callee(&self, function: u32) -> Callee<'_>;
    /// Whether the user promises that a function never returns null, whatever else is known of it.
    fn never_returns_null(&self, function: u32) -> bool;
    /// The name of a function, as the user knows it.
    fn name(&self, function: u32) -> String;
    /// The global variable that a reference of the module means.
    fn global(&self, global: GlobalId) -> u32;
    /// What is known of a global variable.
    fn global_info(&self, global: u32) -> GlobalInfo<'_>;
    /// What a symbol in the initializer of a global variable means.
    fn symbol(&self, global: u32, symbol: SymbolRef) -> Option<VarRole>;
    /// The summaries of a function for calls of a special shape, if they can be made.
    fn specialized(&self, function: u32, how: &Specialization) -> Option<Arc<Summary>>;
    /// The functions that a call through a pointer is known to reach in the project, where the path does not tell.
    fn targets(&self, call: CallId) -> SmallVec<[u32; 4]>;
    /// The models of library functions.
    fn library(&self) -> &Library;
    /// The model that takes the place of a function's body in a call that the analysis of the body does not cover.
    fn stand_in(&self, function: u32) -> Option<&Model>;
    /// Whether the function under analysis is where the program begins.
    fn is_main(&self) -> bool;
    /// Whether it is, and nothing of the project runs before it: global variables hold their initializers.
    fn begins_program(&self) -> bool;
    /// Whether all calls of the function under analysis are in the project: there are some, nobody else sees its name, and nobody takes its address.
    fn has_known_callers(&self) -> bool;
    /// Whether other functions of the project call the function, be they all or not.
    fn is_called(&self) -> bool;
}

/// What is known of a function that is called.
pub enum Callee<'w> {
    /// Its triples.
    Summary(Arc<Summary>),
    /// How a library function behaves.
    Model(&'w Model),
    /// Nothing.
    Unknown,
}

/// What is known of a global variable.
pub struct GlobalInfo<'w> {
    /// Its name, as the user knows it.
    pub name: &'w str,
    /// Bytes.
    pub size: u64,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether it may be written, but keeps the functions whose addresses its first content has, unless users of the project put others there.
    pub keeps_functions: bool,
    /// Its first content.
    pub init: Option<&'w Init>,
}

/// How far paths are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How often a path may go back to the head of a loop.
    pub unroll: u32,
    /// How many paths are kept at each point.
    pub width: usize,
    /// Whether summaries keep all that a test needs to replay their paths.
    pub replay: bool,
    /// Whether errors are listed that follow from an access to the caller's memory alone.
    pub latent: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { unroll: 3, width: 20, replay: false, latent: false }
    }
}

/// What a caller knows of its arguments that the summary for all callers does not: a summary of its own is made for such calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specialization {
    /// Parameters that are equal: `(later, earlier)`, ascending.
    pub equal: Vec<(u32, u32)>,
    /// Parameters that point into global variables: parameter, global, offset; ascending.
    pub globals: Vec<(u32, u32, i64)>,
    /// Parameters that are addresses of functions, or point to memory that holds one at this offset: parameter, offset, function; ascending.
    pub functions: Vec<(u32, Option<i64>, u32)>,
}

impl Specialization {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.equal.is_empty() && self.globals.is_empty() && self.functions.is_empty()
    }

    /// What both say.
    pub fn and(&self, other: &Specialization) -> Specialization {
        fn union<T: Clone + Ord>(a: &[T], b: &[T]) -> Vec<T> {
            let all: std::collections::BTreeSet<&T> = a.iter().chain(b).collect();
            all.into_iter().cloned().collect()
        }
        Specialization {
            equal: union(&self.equal, &other.equal),
            globals: union(&self.globals, &other.globals),
            functions: union(&self.functions, &other.functions),
        }
    }
}

/// Why a path was not followed to its end, or a function not at all. Counted and told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stopped {
    /// There were more paths than `width`.
    Width,
    /// A loop was not followed further.
    Unroll,
    /// The budget of steps of the function ran out.
    Steps,
    /// The budget of memory of the function ran out.
    Memory,
    /// The budget of memory of the run ran out before it was begun.
    RunMemory,
    /// Something that is not modeled: integers of more than 128 bits, computed jumps.
    Unsupported,
    /// A call, none of whose triples could be applied.
    Call,
    /// Aliasing that was not resolved.
    Alias,
    /// The solver could not tell whether a value that was never written matters.
    Undecided,
}
