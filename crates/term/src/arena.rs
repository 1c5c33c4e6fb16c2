//! The arena of a function's terms.

use base::{Id, IdVec, Interner, define_id};
use hashbrown::hash_table::Entry;
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

use crate::kept::{Kept, Note};
use crate::node::{Binary, Node};
use crate::value::{Width, mask};
use crate::var::{Origin, Origins, Var, VarId};

define_id! {
    /// A term of an arena. Two terms of one arena are equal if and only if their ids are.
    pub struct TermId = "t";
}

/// All terms of a function. Cheap to make by the thousand, dropped with the function; no locks, no global state.
///
/// Methods that build terms rewrite them: each rule stands as an equation above its code (modules `build::*`).
#[derive(Clone, Debug, Default)]
pub struct Terms {
    kept: IdVec<TermId, Kept>,
    /// Of the variables that occur in a term.
    origins: IdVec<TermId, Origins>,
    /// The ids of all terms, by the hash of what is kept.
    table: HashTable<TermId>,
    /// The values of more than 64 bits, and where they are.
    wide: Vec<u128>,
    wide_places: HashMap<u128, usize, FxBuildHasher>,
    vars: IdVec<VarId, Var>,
    /// The variables as terms.
    var_terms: IdVec<VarId, TermId>,
    names: Interner,
    /// How many rules are at work inside one another right now; see `limits::TERM_RULES`.
    pub(crate) nesting: u32,
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

    /// Bytes, about: a number that depends on nothing but what was built.
    pub fn bytes(&self) -> usize {
        // A table holds an id and a byte for each entry, and is at least seven eighths full half of the time.
        const TABLE_ENTRY: usize = 2 * (size_of::<TermId>() + 1);
        let per_term = size_of::<Kept>() + size_of::<Origins>() + TABLE_ENTRY;
        let per_var = size_of::<Var>() + size_of::<TermId>();
        self.kept.len() * per_term
            + self.vars.len() * per_var
            + self.wide.len() * 3 * size_of::<u128>()
            + self.names.bytes()
    }

    /// The outermost operation.
    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.kept[term].node(&self.wide)
    }

    /// The number of bits.
    #[inline]
    pub fn width(&self, term: TermId) -> Width {
        self.kept[term].width()
    }

    /// Its value, if it is a constant.
    #[inline]
    pub fn value(&self, term: TermId) -> Option<u128> {
        self.kept[term].as_value(&self.wide)
    }

    /// Whether it is a variable.
    #[inline]
    pub(crate) fn is_var(&self, term: TermId) -> bool {
        self.kept[term].is_var()
    }

    /// A new variable, different from all others.
    pub fn fresh(&mut self, width: Width, origin: Origin, name: &str) -> TermId {
        let name = self.names.intern(name);
        let var = self.vars.push(Var { width, origin, name });
        let term = self.insert(Node::Var(var), width);
        self.var_terms.push(term);
        term
    }

    /// A variable as a term.
    pub fn var_term(&self, var: VarId) -> TermId {
        self.var_terms[var]
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
    #[inline]
    pub fn constant(&mut self, width: Width, value: u128) -> TermId {
        let value = value & mask(width);
        let kept = match u64::try_from(value) {
            Ok(value) => Kept::value(value, width),
            Err(_) => Kept::wide_value(self.wide_place(value), width),
        };
        self.keep(kept)
    }

    fn wide_place(&mut self, value: u128) -> usize {
        *self.wide_places.entry(value).or_insert_with(|| {
            self.wide.push(value);
            self.wide.len() - 1
        })
    }

    /// The term with that node, which is not a value. Rewriting has been done.
    #[inline]
    pub(crate) fn insert(&mut self, node: Node, width: Width) -> TermId {
        self.keep(Kept::new(node, width, 0))
    }

    /// The same with a note, which is a function of the node.
    #[inline]
    pub(crate) fn insert_noted(&mut self, node: Node, width: Width, note: Note) -> TermId {
        self.keep(Kept::new(node, width, note))
    }

    /// What was noted of a term.
    #[inline]
    pub(crate) fn note(&self, term: TermId) -> Note {
        self.kept[term].note()
    }

    /// The operands, if the term is that operation.
    #[inline]
    pub(crate) fn as_binary(&self, op: Binary, term: TermId) -> Option<(TermId, TermId)> {
        self.kept[term].as_binary(op)
    }

    /// The operand, if the term is a negation.
    #[inline]
    pub(crate) fn as_not(&self, term: TermId) -> Option<TermId> {
        self.kept[term].as_not()
    }

    /// The only way a term is made.
    #[inline]
    fn keep(&mut self, kept: Kept) -> TermId {
        let entry = self.table.entry(kept.hash(), |&id| self.kept[id] == kept, |&id| self.kept[id].hash());
        match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                let id = self.kept.push(kept);
                place.insert(id);
                let origins = self.origins_of(kept.node(&self.wide));
                self.origins.push(origins);
                id
            }
        }
    }

    /// All names of variables.
    pub(crate) fn names(&self) -> &Interner {
        &self.names
    }

    /// All terms as they are kept, and the values that do not fit into them.
    pub(crate) fn raw(&self) -> (&[Kept], &[u128]) {
        (self.kept.as_slice(), &self.wide)
    }

    /// An arena without terms, but with the names of variables and the values that do not fit.
    pub(crate) fn of_raw(names: Interner, wide: Vec<u128>) -> Terms {
        let wide_places = wide.iter().enumerate().map(|(at, &value)| (value, at)).collect();
        Terms { names, wide, wide_places, ..Terms::default() }
    }

    /// Adds a term as it was kept; of a variable, with what is known of it. `false`: it is there already.
    pub(crate) fn push_raw(&mut self, kept: Kept, var: Option<Var>) -> bool {
        let before = self.len();
        if let Some(var) = var {
            self.vars.push(var);
        }
        let term = self.keep(kept);
        if var.is_some() {
            self.var_terms.push(term);
        }
        self.len() > before
    }

    fn origins_of(&self, node: Node) -> Origins {
        let of = |term: TermId| self.origins[term];
        match node {
            Node::Const(_) => Origins::default(),
            Node::Var(var) => Origins::of(self.vars[var].origin),
            Node::Unary(_, a) | Node::Extend(_, a) | Node::Extract { from: a, .. } => of(a),
            Node::Binary(_, a, b) => of(a).and(of(b)),
            Node::Ite(a, b, c) => of(a).and(of(b)).and(of(c)),
        }
    }

    /// Whether a variable of such an origin occurs in a term.
    #[inline]
    pub fn mentions(&self, term: TermId, is_meant: impl Fn(Origin) -> bool) -> bool {
        self.origins[term].any(is_meant)
    }
}
