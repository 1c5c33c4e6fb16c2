//! What an engine may ask of the rest of the project while it works on one function, and what it is told.
//!
//! Judgment: what comes out of the analysis of a function is determined by its code and by the answers of its
//! [`World`]. So what an engine asked is what its result depends on ([`Recorder`](crate::Recorder)), and no
//! engine has another way to the rest of the project.

use std::sync::Arc;

use catalog::Issue;
use ir::{CallId, FuncId, GlobalId, Init, Module, SymbolRef};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::digest::Digest;
use crate::keys::{FamilyKey, FnKey, GlobalKey, UnitKey};

/// Functions that something may mean.
pub type Targets = SmallVec<[FnKey; 2]>;

/// The project around a function, as all engines see it.
///
/// Summaries and models are what the rooms make of them that know more than this one.
pub trait World {
    /// What callers know of a function.
    type Summary;
    /// How a library function behaves.
    type Model;

    /// The function under analysis.
    fn own(&self) -> FnKey;
    /// The unit that its code is in.
    fn unit(&self) -> UnitKey;
    /// The code of a unit of the project.
    fn module(&self, unit: UnitKey) -> &Module;

    /// The functions that a reference in a unit may mean: one, or several definitions of one name.
    fn function(&self, unit: UnitKey, func: FuncId) -> Targets;
    /// The global variable that a reference in a unit means.
    fn global(&self, unit: UnitKey, global: GlobalId) -> GlobalKey;
    /// What a symbol in the initializer of a global variable means.
    fn symbol(&self, global: GlobalKey, symbol: SymbolRef) -> Option<Symbol>;
    /// The functions that a call of the function under analysis through a pointer is known to reach, where the path does not tell.
    fn targets(&self, call: CallId) -> Targets;

    /// What is known of a function that is called.
    fn callee(&self, function: FnKey) -> Knowledge<'_, Self::Summary, Self::Model>;
    /// What is known of it in calls of a special shape, if that can be worked out.
    fn specialized(&self, function: FnKey, how: &Specialization) -> Option<Arc<Self::Summary>>;
    /// The model that takes the place of a function's body in a call that the analysis of the body does not cover.
    fn stand_in(&self, function: FnKey) -> Option<&Self::Model>;
    /// Whether the user promises that a function never returns null, whatever else is known of it.
    fn never_returns_null(&self, function: FnKey) -> bool;
    /// Where the code of a function is, if it has some that the project knows.
    fn code(&self, function: FnKey) -> Option<(UnitKey, FuncId)>;
    /// A digest of that code, without its places.
    fn digest_of_code(&self, function: FnKey) -> Option<Digest>;

    /// The name of a function, as the user knows it.
    fn name(&self, function: FnKey) -> String;
    /// What is known of a global variable.
    fn global_info(&self, global: GlobalKey) -> GlobalInfo<'_>;
    /// What is known of a family of allocation functions.
    fn family(&self, family: FamilyKey) -> Option<FamilyInfo<'_>>;
    /// Who calls the function under analysis.
    fn callers(&self) -> Callers;
}

/// What is known of a function that is called.
#[derive(Debug)]
pub enum Knowledge<'w, S, M> {
    /// What its analysis said.
    Summary(Arc<S>),
    /// How a library function behaves.
    Model(&'w M),
    /// Nothing.
    Unknown,
}

/// What a symbol means in the whole project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A global variable.
    Global(GlobalKey),
    /// A function.
    Function(FnKey),
}

/// What is known of a global variable.
#[derive(Clone, Copy, Debug)]
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

/// What is known of a family of allocation functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyInfo<'w> {
    /// What allocates its blocks, in words: `malloc`, `new[]`, `fopen`.
    pub words: &'w str,
    /// What is reported when a block of it is lost.
    pub leak: Issue,
}

/// Who calls the function under analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Callers {
    /// Whether the program begins with it.
    pub is_main: bool,
    /// Whether it does, and nothing of the project runs before it: global variables hold their initializers.
    pub begins_program: bool,
    /// Whether all calls of it are in the project: there are some, nobody else sees its name, and nobody takes its address.
    pub are_known: bool,
    /// Whether other functions of the project call it, be they all or not.
    pub is_called: bool,
}

/// What a caller knows of its arguments that the summary for all callers does not: a summary of its own is made for such calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Specialization {
    /// Parameters that are equal: `(later, earlier)`, ascending.
    pub equal: Vec<(u32, u32)>,
    /// Parameters that point into global variables: parameter, global, offset; ascending.
    pub globals: Vec<(u32, GlobalKey, i64)>,
    /// Parameters that are addresses of functions, or point to memory that holds one at this offset: parameter, offset, function; ascending.
    pub functions: Vec<(u32, Option<i64>, FnKey)>,
    /// Parameters that are numbers, or null: parameter, value; ascending.
    pub constants: Vec<(u32, u128)>,
}

impl Specialization {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        let Specialization { equal, globals, functions, constants } = self;
        equal.is_empty() && globals.is_empty() && functions.is_empty() && constants.is_empty()
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
            constants: union(&self.constants, &other.constants),
        }
    }
}
