//! What the heap cannot know by itself, and asks: the symbols of the project, and whether bits matter that
//! were never written.

use term::{TermId, VarId};
use world::{FnKey, GlobalKey};

use crate::arena::Arena;
use crate::block::{Content, Kind};
use crate::spec::VarRole;
use crate::state::State;

/// The global variables and functions of the project.
pub trait Symbols {
    /// How the program calls the address of a symbol.
    fn name(&self, role: VarRole) -> String;
    /// The block of a symbol.
    fn symbol(&self, role: VarRole) -> Symbol;
    /// What the initializer of a global variable has at some bytes: the first one, and how many (at most 16).
    fn image(&self, global: GlobalKey, at: i64, bytes: u32) -> Image;
    /// The function whose address a variable holds for ever at some byte.
    fn function_in(&self, global: GlobalKey, at: i64) -> Option<FnKey>;
}

/// The block of a global variable or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What kind of memory it is.
    pub kind: Kind,
    /// Bytes, if they are known.
    pub size: Option<u64>,
    /// What it holds when the function begins.
    pub rest: Content,
}

/// Some bytes of an initializer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// Their value, in the byte order of the machine.
    Number(u128),
    /// The address of a symbol, and a distance.
    Address(VarRole, i64),
    /// Something that is not expressible.
    NotFollowed,
}

/// What lies outside of a heap.
pub trait Outside: Symbols {
    /// Whether and when a term depends on bits that were never written.
    fn dependence(&mut self, arena: &mut Arena, state: &State, term: TermId) -> Dependence;
}

/// Whether a term depends on bits that were never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// It does not.
    None,
    /// On this variable, if the condition holds.
    On(VarId, TermId),
    /// Nobody can tell.
    Unknown,
}
