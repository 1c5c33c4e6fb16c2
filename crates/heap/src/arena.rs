//! Terms, and what is known of them: the room in which all states of one function are written.
//!
//! A [`State`] is a value; what its terms mean stands here and only ever grows: what variables stand for,
//! where their values come from, which terms are pointers, and which variable is the content of which bytes.
//! A copy of an arena is a world of its own, in which something can be tried out.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use base::IdVec;
use serde::{Deserialize, Serialize};
use term::{Binary, Node, Origin, TermId, Terms, VarId, Width};

use crate::block::{Block, BlockId, Content, Epoch, Place};
use crate::bytes::Order;
use crate::outside::Symbols;
use crate::path::Condition;
use crate::site::{Calls, Made};
use crate::spec::VarRole;
use crate::state::State;

/// How the machine lays out memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The bits of a pointer.
    pub pointer_bits: Width,
    /// The order of bytes.
    pub order: Order,
}

/// Terms, and what is known of them.
#[derive(Clone, Debug)]
pub struct Arena {
    /// The terms.
    pub terms: Terms,
    /// The machine that the program is for.
    pub machine: Machine,
    /// The calls whose callees' triples were applied.
    pub calls: Calls,
    /// What variables stand for.
    roles: IdVec<VarId, VarRole>,
    /// Where their values come from.
    sources: IdVec<VarId, Option<Source>>,
    /// Terms that are pointers.
    pointers: HashSet<TermId>,
    /// The addresses of global variables and functions.
    symbols: HashMap<VarRole, TermId>,
    pub(crate) contents: Contents,
    /// Whether anything was read that was never written.
    has_uninit: bool,
}

/// Which variable is the content of which bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// First content of memory of the caller that was read: by base of its block, place and bytes.
    pub(crate) initial: HashMap<(TermId, Place, u32), TermId>,
    /// Content that is not known, as far as it was read: by base of its block, epoch, place and bytes.
    pub(crate) unknown: HashMap<(TermId, u32, Place, u32), TermId>,
    /// By first content: the base of the block that it was read from.
    pub(crate) found_in: HashMap<TermId, TermId>,
    /// By content of the memory of unknown code: the base of the block that it was read from.
    pub(crate) holders: HashMap<TermId, TermId>,
    /// The latest epoch.
    pub(crate) epoch: Epoch,
}

/// Where a value comes from that somebody chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Where it was made.
    pub made: Made,
    /// What it is.
    pub origin: catalog::Origin,
}

impl Arena {
    /// An empty one.
    pub fn new(machine: Machine) -> Arena {
        Arena {
            terms: Terms::new(),
            machine,
            calls: Calls::default(),
            roles: IdVec::from_vec(Vec::new()),
            sources: IdVec::from_vec(Vec::new()),
            pointers: HashSet::new(),
            symbols: HashMap::new(),
            contents: Contents::default(),
            has_uninit: false,
        }
    }

    /// The bits of a pointer.
    pub fn pointer_bits(&self) -> Width {
        self.machine.pointer_bits
    }

    /// What variables stand for.
    pub fn roles(&self) -> &IdVec<VarId, VarRole> {
        &self.roles
    }

    /// Where the values of variables come from.
    pub fn sources(&self) -> &IdVec<VarId, Option<Source>> {
        &self.sources
    }

    /// Terms that are pointers.
    pub fn pointers(&self) -> &HashSet<TermId> {
        &self.pointers
    }

    /// The addresses of global variables and functions that were met.
    pub fn symbols(&self) -> &HashMap<VarRole, TermId> {
        &self.symbols
    }

    /// Whether anything was read that was never written.
    pub fn has_uninit(&self) -> bool {
        self.has_uninit
    }

    /// What memory of the caller held when the function began, as far as it was read: base of the block, content.
    pub fn initial_contents(&self) -> impl Iterator<Item = (TermId, TermId)> {
        self.contents.initial.iter().map(|((base, _, _), content)| (*base, *content))
    }

    /// The block of unknown code that a value was read from: its base.
    pub fn holder_of(&self, content: TermId) -> Option<TermId> {
        self.contents.holders.get(&content).copied()
    }

    /// A new variable.
    pub fn fresh(
        &mut self,
        width: Width,
        origin: Origin,
        name: &str,
        role: VarRole,
        source: Option<Source>,
    ) -> TermId {
        let term = self.terms.fresh(width, origin, name);
        self.roles.push(role);
        self.sources.push(source);
        self.has_uninit |= origin == Origin::Uninit;
        term
    }

    /// A new variable that stands for nothing that callers know.
    pub fn local(&mut self, width: Width, origin: Origin, name: &str) -> TermId {
        self.fresh(width, origin, name, VarRole::Local, None)
    }

    /// A value that the program computes, but that is not followed: nothing may rest on it.
    pub fn not_followed(&mut self, state: &mut State, width: Width) -> TermId {
        state.choose(crate::spec::Choice::Opaque);
        self.local(width, Origin::NotFollowed, "")
    }

    /// When content is forgotten that is forgotten now.
    pub fn begin_epoch(&mut self) -> Epoch {
        self.contents.epoch.begin()
    }

    /// Notes that a term is a pointer.
    pub fn note_pointer(&mut self, term: TermId) {
        self.pointers.insert(term);
    }

    /// Notes that a variable is a pointer. What a computed address leads to is known by its parts.
    pub fn note_pointer_variable(&mut self, term: TermId) {
        if self.as_var(term).is_some() {
            self.pointers.insert(term);
        }
    }

    /// Whether a term is known to be a pointer.
    pub fn is_pointer(&self, term: TermId) -> bool {
        self.pointers.contains(&term)
    }

    /// Whether a variable is no pointer, as far as the types of the program tell.
    pub fn is_number(&self, base: TermId) -> bool {
        self.as_var(base).is_some() && !self.pointers.contains(&base)
    }

    /// The variable that a term is.
    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        match self.terms.node(term) {
            Node::Var(var) => Some(var),
            _ => None,
        }
    }

    /// What a variable stands for, if the term is one.
    pub fn role_of(&self, term: TermId) -> Option<VarRole> {
        self.as_var(term).map(|var| self.roles[var])
    }

    /// Whether a term mentions a value that was not followed.
    pub fn mentions_not_followed(&self, term: TermId) -> bool {
        self.terms.mentions(term, |origin| origin == Origin::NotFollowed)
    }

    /// A number of pointer width.
    pub fn number(&mut self, value: i64) -> TermId {
        self.terms.constant(self.machine.pointer_bits, i128::from(value) as u128)
    }

    /// `base + offset`.
    pub fn plus(&mut self, base: TermId, offset: i64) -> TermId {
        let offset = self.number(offset);
        self.terms.add(base, offset)
    }

    /// A value of any width as a number of pointer width, unsigned.
    pub fn as_size(&mut self, term: TermId) -> TermId {
        self.resized(term, self.machine.pointer_bits)
    }

    /// The low bits, or more zeros.
    pub fn resized(&mut self, term: TermId, width: Width) -> TermId {
        match self.terms.width(term).cmp(&width) {
            Ordering::Less => self.terms.zext(term, width),
            Ordering::Equal => term,
            Ordering::Greater => self.terms.trunc(term, width),
        }
    }

    /// The address of a global variable or function, whose block is in the state afterwards.
    pub fn symbol(&mut self, symbols: &dyn Symbols, state: &mut State, role: VarRole) -> TermId {
        let base = match self.symbols.get(&role) {
            Some(&base) => base,
            None => {
                let name = symbols.name(role);
                let base = self.fresh(self.machine.pointer_bits, Origin::InitialMemory, &name, role, None);
                self.pointers.insert(base);
                self.symbols.insert(role, base);
                base
            }
        };
        if state.block_at(base).is_none() {
            self.place_symbol(symbols, state, (role, base));
        }
        base
    }

    fn place_symbol(&mut self, symbols: &dyn Symbols, state: &mut State, (role, base): (VarRole, TermId)) {
        let _ = state.path.know_nonnull(&mut self.terms, base);
        let symbol = symbols.symbol(role);
        let size = symbol.size.map(|size| self.terms.constant(self.machine.pointer_bits, size.into()));
        // Unknown code that ran before the variable was met may have written it.
        let is_written = state.exposed && matches!(role, VarRole::Global(_)) && symbol.kind.is_writable();
        let rest = if is_written { Content::NotFollowed } else { symbol.rest };
        state.add_block(Block::new(base, size, symbol.kind, rest));
    }

    /// Assumes a condition. `false`: it contradicts the path, or what is known of addresses.
    #[must_use]
    pub fn assume(&mut self, state: &mut State, condition: Condition) -> bool {
        let term = condition.term;
        state.assume(&mut self.terms, condition) && self.is_apart(state, term)
    }

    /// Two addresses of different blocks are not equal: the path cannot say so.
    fn is_apart(&self, state: &State, term: TermId) -> bool {
        let Node::Binary(Binary::Eq, a, b) = self.terms.node(term) else { return true };
        if self.terms.width(a) != self.machine.pointer_bits {
            return true;
        }
        let block = |term: TermId| {
            let linear = self.terms.linear(term);
            let base = linear.monomials.iter().find_map(|it| state.block_at(it.base))?;
            (linear.monomials.len() == 1).then_some((base, linear.constant as i64))
        };
        let (Some((a, at_a)), Some((b, at_b))) = (block(a), block(b)) else { return true };
        a == b || !self.is_inside(state, a, at_a) || !self.is_inside(state, b, at_b)
    }

    fn is_inside(&self, state: &State, block: BlockId, offset: i64) -> bool {
        let data = state.block(block);
        let end = match (data.size.and_then(|size| self.terms.value(size)), state.pre_of(block)) {
            (Some(size), _) => size as i64,
            (None, Some(pre)) => pre.extent.1,
            (None, None) => 1,
        };
        data.status.is_allocated() && offset >= 0 && offset < end.max(1)
    }
}
