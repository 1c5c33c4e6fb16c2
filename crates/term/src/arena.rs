//! The arena of a function's terms.

use base::{Id, IdVec, Interner, define_id};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

use crate::node::Node;
use crate::value::{Width, mask};
use crate::var::{Origin, Var, VarId};

define_id! {
    /// A term of an arena. Two terms of one arena are equal if and only if their ids are.
    pub struct TermId = "t";
}

/// A term as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    node: Node,
    width: Width,
}

/// All terms of a function. Cheap to make by the thousand, dropped with the function; no locks, no global state.
///
/// Methods that build terms rewrite them: each rule stands as an equation above its code (modules `build::*`).
#[derive(Clone, Debug, Default)]
pub struct Terms {
    kept: IdVec<TermId, Kept>,
    /// The ids of all terms, by the hash of what is kept.
    table: HashTable<TermId>,
    vars: IdVec<VarId, Var>,
    names: Interner,
}

impl Terms {
    /// An arena without terms.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The outermost operation.
    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.kept[term].node
    }

    /// The number of bits.
    #[inline]
    pub fn width(&self, term: TermId) -> Width {
        self.kept[term].width
    }

    /// Its value, if it is a constant.
    #[inline]
    pub fn value(&self, term: TermId) -> Option<u128> {
        match self.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// A new variable, different from all others.
    pub fn fresh(&mut self, width: Width, origin: Origin, name: &str) -> TermId {
        let name = self.names.intern(name);
        let var = self.vars.push(Var { width, origin, name });
        self.insert(Node::Var(var), width)
    }

    /// What is known of a variable.
    pub fn var(&self, var: VarId) -> Var {
        self.vars[var]
    }

    /// How the user knows a variable.
    pub fn name(&self, var: VarId) -> &str {
        self.names.resolve(self.vars[var].name)
    }

    /// All variables, in the order in which they were made.
    pub fn vars(&self) -> impl ExactSizeIterator<Item = VarId> + use<> {
        (0..self.vars.len()).map(VarId::new)
    }

    /// A value; bits above the width are cut off.
    pub fn constant(&mut self, width: Width, value: u128) -> TermId {
        self.insert(Node::Const(value & mask(width)), width)
    }

    /// The term with that node; the only way a term is made. Rewriting has been done.
    pub(crate) fn insert(&mut self, node: Node, width: Width) -> TermId {
        let kept = Kept { node, width };
        let hash = hash(&kept);
        let entry = self.table.entry(hash, |&id| self.kept[id] == kept, |&id| hash_of(&self.kept, id));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let id = self.kept.push(kept);
                place.insert(id);
                id
            }
        }
    }
}

fn hash_of(kept: &IdVec<TermId, Kept>, id: TermId) -> u64 {
    hash(&kept[id])
}

fn hash(kept: &Kept) -> u64 {
    let mut hasher = FxHasher::default();
    kept.node.hash(&mut hasher);
    kept.width.hash(&mut hasher);
    hasher.finish()
}
