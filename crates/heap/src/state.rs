//! States: the presumption so far, the heap now, the path condition.
//!
//! Judgment: a state is `(m, q)` at a point of a path; all of it is said under the one condition of that
//! path.
//! Source: Le et al. §4.1. Departures: (1) a block of the presumption keeps the accesses that made it grow,
//! in their order, since the error triples of those are implied; (2) what the environment chose, and what
//! unknown code got, is part of the state.

use std::ops::Range;
use std::sync::Arc;

use base::{Id, limits};
use serde::{Deserialize, Serialize};
use term::{Binary, Monomial, Node, TermId, Terms, Unary};
use world::FamilyKey;

use crate::block::{Block, BlockId, Cell, Kind};
use crate::path::{Condition, Path};
use crate::share;
use crate::site::Made;
use crate::spec::Choice;

/// What is known at a point of a path. Cheap to fork: everything is shared until it changes.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The heap now (`q`).
    blocks: Arc<Vec<Arc<Block>>>,
    /// What the caller must provide (`m`), in the order of discovery.
    pre: Arc<Vec<Arc<PreBlock>>>,
    /// When.
    pub path: Path,
    /// What the environment chose, in order of execution.
    pub choices: Arc<Vec<Choice>>,
    /// Pointers of the caller that unknown code got, and that this path has not followed.
    pub given: Arc<Vec<Given>>,
    /// Whether unknown code ran that may have written every global.
    pub exposed: bool,
}

/// A pointer that unknown code got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The pointer.
    pub pointer: TermId,
    /// Whether what is behind it may have been written, and by whom.
    pub written: Written,
    /// Whether it may have been kept.
    pub kept: bool,
}

/// Who may have written memory that a path lost sight of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Written {
    /// Nobody.
    No,
    /// Unknown code: what it leaves in a variable of the caller is a result like any other.
    Unknown,
    /// Code of the project that was not followed: what it leaves is nobody's choice.
    NotFollowed,
}

/// A block of the presumption: memory of the caller, as it was when the function began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreBlock {
    /// The block in the heap.
    pub block: BlockId,
    /// The pointer by which it was found.
    pub base: TermId,
    /// Its content when the function began, as far as it was read.
    pub cells: Vec<Cell>,
    /// The bytes that must exist, from the base: from, to.
    pub extent: (i64, i64),
    /// Accesses that made the presumption grow; the first one found the block.
    pub accesses: Vec<Access>,
    /// Whether it must be a heap block of a family that starts at this offset from the base, because it is freed there.
    pub freeable: Option<(FamilyKey, i64)>,
    /// `X ↦̸` instead of `X ↦`: the presumption asks for memory that was freed.
    pub negative: bool,
}

/// An access to memory of the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Where.
    pub made: Made,
    /// What was done.
    pub kind: AccessKind,
    /// Its number among all accesses that presumptions of the path noted.
    pub order: u32,
    /// How many conditions the path had then.
    pub n_conditions: usize,
    /// How many choices the path had then.
    pub n_choices: usize,
    /// How many blocks the presumption had before.
    pub n_pre: usize,
    /// The bytes of the block that it needed: from, to; behind `symbolic`.
    pub extent: (i64, i64),
    /// The part of the offset that is not constant.
    pub symbolic: Option<TermId>,
    /// The number of bytes from `extent.0` on, if it is not constant.
    pub len: Option<TermId>,
}

/// What is done with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccessKind {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Freed.
    Free,
    /// Called, as a function.
    Call,
}

impl Given {
    /// A pointer that somebody may have kept, no more.
    pub fn kept(pointer: TermId) -> Given {
        Given { pointer, written: Written::No, kept: true }
    }
}

impl State {
    /// The blocks, with their ids.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = (BlockId, &Block)> + ExactSizeIterator {
        self.blocks.iter().enumerate().map(|(at, block)| (BlockId::new(at), &**block))
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// A block, to be changed.
    pub fn block_mut(&mut self, id: BlockId) -> &mut Block {
        let blocks = Arc::make_mut(&mut self.blocks);
        Arc::make_mut(&mut blocks[id.index()])
    }

    /// A new block.
    pub fn add_block(&mut self, block: Block) -> BlockId {
        let blocks = Arc::make_mut(&mut self.blocks);
        blocks.push(Arc::new(block));
        BlockId::new(blocks.len() - 1)
    }

    /// Bytes, about; of what is shared with forks, its share.
    pub fn bytes(&self) -> usize {
        let State { blocks, pre, path, choices, given, exposed: _ } = self;
        let of_block = |block: &Arc<Block>| share(block, block.bytes());
        let of_pre = |pre: &Arc<PreBlock>| share(pre, pre.bytes());
        size_of::<State>()
            + share(blocks, blocks.iter().map(of_block).sum::<usize>() + size_of_val(&blocks[..]))
            + share(pre, pre.iter().map(of_pre).sum::<usize>() + size_of_val(&pre[..]))
            + share(choices, size_of_val(&choices[..]))
            + share(given, size_of_val(&given[..]))
            + path.bytes()
    }

    /// The number of blocks.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The presumption.
    pub fn pre(&self) -> impl ExactSizeIterator<Item = &PreBlock> {
        self.pre.iter().map(|pre| &**pre)
    }

    /// The part of the presumption about a block.
    pub fn pre_of(&self, block: BlockId) -> Option<&PreBlock> {
        self.pre.iter().find(|pre| pre.block == block).map(|pre| &**pre)
    }

    /// The part of the presumption about a block, to be changed.
    pub fn pre_mut(&mut self, block: BlockId) -> Option<&mut PreBlock> {
        let at = self.pre.iter().position(|pre| pre.block == block)?;
        let pre = Arc::make_mut(&mut self.pre);
        Some(Arc::make_mut(&mut pre[at]))
    }

    /// A new block of the presumption. It must be in the heap already.
    pub fn add_pre(&mut self, pre: PreBlock) {
        Arc::make_mut(&mut self.pre).push(Arc::new(pre));
    }

    /// A global variable becomes part of the presumption when it is first used. Its bytes exist anyway.
    pub fn presume_global(&mut self, block: BlockId, kind: AccessKind, made: Made) {
        if matches!(self.block(block).kind, Kind::Global(_)) && self.pre_of(block).is_none() {
            let access = self.access(made, kind, (0, 0));
            self.add_pre(PreBlock::new(block, self.block(block).base, access));
        }
    }

    /// An access to a block, as the presumption notes it.
    pub fn access(&self, made: Made, kind: AccessKind, extent: (i64, i64)) -> Access {
        Access {
            made,
            kind,
            order: self
                .pre
                .iter()
                .flat_map(|pre| &pre.accesses)
                .map(|access| access.order + 1)
                .max()
                .unwrap_or(0),
            n_conditions: self.path.conditions.len(),
            n_choices: self.choices.len(),
            n_pre: self.pre.len(),
            extent,
            symbolic: None,
            len: None,
        }
    }

    /// Assumes a condition. `false`: it contradicts the path, or what is known of addresses.
    #[must_use]
    pub fn assume(&mut self, terms: &mut Terms, condition: Condition) -> bool {
        let term = self.what_can_hold(terms, condition.term, limits::HEAP_ALTERNATIVES);
        self.path.assume(terms, Condition { term, ..condition })
    }

    /// A condition without the alternatives in it that cannot hold.
    fn what_can_hold(&self, terms: &mut Terms, condition: TermId, depth: u32) -> TermId {
        match terms.node(condition) {
            Node::Binary(op @ (Binary::Or | Binary::And), a, b)
                if depth > 0 && terms.width(condition) == 1 =>
            {
                let (a, b) =
                    (self.what_can_hold(terms, a, depth - 1), self.what_can_hold(terms, b, depth - 1));
                if op == Binary::Or { terms.or(a, b) } else { terms.and(a, b) }
            }
            Node::Unary(Unary::Not, inner) if terms.width(inner) == 1 && !self.can_hold(terms, inner) => {
                terms.yes()
            }
            _ if self.can_hold(terms, condition) => condition,
            _ => terms.no(),
        }
    }

    /// Whether a condition can hold, if it says where memory is: no offset, known or not, leads from it around to null.
    fn can_hold(&self, terms: &Terms, condition: TermId) -> bool {
        let Node::Binary(Binary::Eq, a, b) = terms.node(condition) else { return true };
        let (value, address) = match terms.value(a) {
            Some(value) => (Some(value), b),
            None => (terms.value(b), a),
        };
        let Some(value) = value else {
            return !self.is_older(terms, a, b) && !self.is_older(terms, b, a) && !self.are_apart(a, b);
        };
        let linear = terms.linear(address);
        let (bases, offsets): (Vec<&Monomial>, Vec<&Monomial>) =
            linear.monomials.iter().partition(|it| self.block_at(it.base).is_some());
        // `p - q` is no address.
        let is_address = matches!(bases.as_slice(), [only] if only.coefficient == 1)
            && offsets.iter().all(|it| it.coefficient >> (terms.width(address) - 1) == 0);
        if !is_address {
            return true;
        }
        let base = value.wrapping_sub(linear.constant) & term::mask(terms.width(address));
        (NULL_PAGE..ADDRESS_END).contains(&base)
    }

    /// Whether two addresses are those of different objects that the path made or knows by name.
    fn are_apart(&self, a: TermId, b: TermId) -> bool {
        let is_own = |block: &BlockId| {
            let block = self.block(*block);
            block.status.is_allocated() && !matches!(block.kind, Kind::Abduced | Kind::Unknown)
        };
        let (a, b) = (self.block_at(a).filter(is_own), self.block_at(b).filter(is_own));
        a.is_some() && b.is_some() && a != b
    }

    /// Whether an address of new memory is compared with a value that was there before: they are never equal.
    fn is_older(&self, terms: &Terms, new: TermId, value: TermId) -> bool {
        let linear = terms.linear(new);
        let [only] = linear.monomials.as_slice() else { return false };
        let Some(block) = self.block_at(only.base) else { return false };
        let is_new = matches!(self.block(block).kind, Kind::Heap(_) | Kind::Stack);
        let is_usable = self.block(block).status.is_allocated() && only.coefficient == 1;
        let is_old = terms.mentions(value, |_| true) && !terms.mentions(value, |it| !it.is_given());
        is_new && is_usable && is_old && linear.constant == 0
    }

    /// What only some forgotten values pointed to may be anywhere.
    pub fn lose(&mut self, terms: &Terms, values: &[TermId]) {
        for &value in values {
            let vars = terms.vars_of(value);
            let blocks: Vec<BlockId> =
                vars.iter().filter_map(|&var| self.block_at(terms.var_term(var))).collect();
            for &block in &blocks {
                self.block_mut(block).escaped = true;
            }
            let is_callers = !terms.mentions(value, |origin| !origin.is_given());
            let given = Given::kept(value);
            if blocks.is_empty() && !vars.is_empty() && is_callers && !self.given.contains(&given) {
                Arc::make_mut(&mut self.given).push(given);
            }
        }
    }

    /// Notes what the environment chose.
    pub fn choose(&mut self, choice: Choice) {
        Arc::make_mut(&mut self.choices).push(choice);
    }

    /// The block of that base, without asking what is equal to it.
    pub fn block_at(&self, base: TermId) -> Option<BlockId> {
        self.blocks.iter().position(|block| block.base == base).map(BlockId::new)
    }

    /// Whether two states are equal but for how they came about: heap, presumption, choices.
    pub fn same_memory(&self, other: &State) -> bool {
        self.has_same_blocks(other)
            && self.choices == other.choices
            && self.given == other.given
            && self.exposed == other.exposed
            && self.pre.iter().zip(other.pre.iter()).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
    }

    /// Whether two states have the same heap now, and presume equally many blocks.
    fn has_same_blocks(&self, other: &State) -> bool {
        let same = |a: &Arc<Block>, b: &Arc<Block>| Arc::ptr_eq(a, b) || a == b;
        self.blocks.len() == other.blocks.len()
            && self.pre.len() == other.pre.len()
            && self.blocks.iter().zip(other.blocks.iter()).all(|(a, b)| same(a, b))
    }

    /// What two states have different terms for although their paths know that it is the same constant: by block and cell. `None`: they differ in more.
    ///
    /// `if (flag) flag = 0;`: on one path the variable holds what it held, which is 0.
    pub fn agreed(&self, other: &State, terms: &Terms) -> Option<Vec<(usize, usize, TermId)>> {
        let mut agreed = Vec::new();
        if self.blocks.len() != other.blocks.len() || self.pre.len() != other.pre.len() {
            return None;
        }
        for (at, (a, b)) in self.blocks.iter().zip(other.blocks.iter()).enumerate() {
            if Arc::ptr_eq(a, b) {
                continue;
            }
            if !a.is_same_but_for_values(b) {
                return None;
            }
            for (cell, (of_a, of_b)) in a.cells.iter().zip(&b.cells).enumerate() {
                if of_a.value != of_b.value {
                    let paths = ((&self.path, of_a.value), (&other.path, of_b.value));
                    agreed.push((at, cell, agreed_value(terms, paths.0, paths.1)?));
                }
            }
        }
        Some(agreed)
    }

    /// The state with other terms in some cells.
    pub fn with_values(&self, values: &[(usize, usize, TermId)]) -> State {
        let mut state = self.clone();
        for &(block, cell, value) in values {
            Arc::make_mut(&mut Arc::make_mut(&mut state.blocks)[block]).cells[cell].value = value;
        }
        state
    }

    /// The state, with accesses counting as if a range of the conditions of the path had been replaced by some number of others. `None`: there was an access between them.
    pub fn with_conditions_replaced(&self, (range, n_others): (Range<usize>, usize)) -> Option<State> {
        let mut state = self.clone();
        for at in 0..state.pre.len() {
            let is_behind = |access: &Access| access.n_conditions > range.start;
            if !state.pre[at].accesses.iter().any(is_behind) {
                continue;
            }
            let pre = Arc::make_mut(&mut Arc::make_mut(&mut state.pre)[at]);
            for access in pre.accesses.iter_mut().filter(|it| is_behind(it)) {
                access.n_conditions = access.n_conditions.checked_sub(range.end)? + range.start + n_others;
            }
        }
        Some(state)
    }

    /// Laws about the addresses of blocks that matter to some terms: not null, in the lower half of the address space, apart from one another.
    ///
    /// `A` of the verdict: what holds because the memory exists. Only the bases among `vars` take part. That blocks of the caller are apart from one another holds on this path,
    /// but not for callers whose pointers lead to one of them in several ways: it is listed second.
    pub fn laws(
        &self,
        terms: &mut Terms,
        is_mentioned: &dyn Fn(TermId) -> bool,
    ) -> (Vec<TermId>, Vec<TermId>) {
        let (mut laws, mut apart) = (Vec::new(), Vec::new());
        let mentioned: Vec<&Block> =
            self.blocks.iter().map(|block| &**block).filter(|block| is_mentioned(block.base)).collect();
        for (at, block) in mentioned.iter().enumerate() {
            let (low, end) = self.bounds(terms, block);
            let least = terms.constant(terms.width(low), NULL_PAGE);
            let top = terms.constant(terms.width(low), ADDRESS_END);
            laws.push(terms.uge(low, least));
            laws.push(terms.ule(low, end));
            laws.push(terms.ule(end, top));
            // Dead stack slots and freed blocks may lie where others do.
            for other in mentioned[..at].iter().take(limits::HEAP_APART) {
                if block.status.is_allocated() && other.status.is_allocated() {
                    let (other_low, other_end) = self.bounds(terms, other);
                    let (below, above) = (terms.ult(end, other_low), terms.ult(other_end, low));
                    let is_callers = block.kind == Kind::Abduced && other.kind == Kind::Abduced;
                    let list = if is_callers { &mut apart } else { &mut laws };
                    list.push(terms.or(below, above));
                }
            }
        }
        (laws, apart)
    }

    /// The addresses between which a block lies.
    fn bounds(&self, terms: &mut Terms, block: &Block) -> (TermId, TermId) {
        let id = self.block_at(block.base);
        let extent = id.and_then(|id| self.pre_of(id)).map_or((0, 1), |pre| pre.extent);
        let width = terms.width(block.base);
        let low = terms.constant(width, i128::from(extent.0) as u128);
        let low = terms.add(block.base, low);
        let len = match block.size {
            Some(size) => size,
            None => terms.constant(width, i128::from(extent.1.max(1)) as u128),
        };
        let end = terms.add(block.base, len);
        (low, end)
    }
}

/// Addresses below are never those of objects.
pub const NULL_PAGE: u128 = 4096;
/// Where the addresses of objects end.
pub const ADDRESS_END: u128 = 1 << 47;

impl State {
    /// Notes an access to a block of the presumption, if it asks for more than is known.
    pub fn touch(&mut self, block: BlockId, access: &Access) {
        let Some(pre) = self.pre_of(block) else { return };
        let (from, to) = access.extent;
        let is_within = from >= pre.extent.0 && to <= pre.extent.1 || !access.is_constant();
        let is_known = is_within && access.kind != AccessKind::Free && !pre.accesses.is_empty();
        if is_known && access.is_constant() || pre.accesses.len() >= limits::HEAP_ACCESSES {
            return;
        }
        if pre.accesses.iter().any(|known| known.is_same(access)) {
            return;
        }
        let access = access.clone();
        if let Some(pre) = self.pre_mut(block) {
            if access.is_constant() {
                pre.extent = (pre.extent.0.min(from), pre.extent.1.max(to));
            }
            pre.accesses.push(access);
        }
    }
}

/// What a term of one path and a term of another both are: the same term, or a constant that is one of them.
pub fn agreed_value(
    terms: &Terms,
    (path_a, a): (&Path, TermId),
    (path_b, b): (&Path, TermId),
) -> Option<TermId> {
    if a == b {
        return Some(a);
    }
    let (constant, path, other) = match (terms.value(a), terms.value(b)) {
        (Some(_), None) => (a, path_b, b),
        (None, Some(_)) => (b, path_a, a),
        _ => return None,
    };
    let is_same = terms.width(a) == terms.width(b)
        && path.facts.range(terms, other).constant() == terms.value(constant);
    is_same.then_some(constant)
}

impl Access {
    /// Whether the bytes of the access are known.
    pub fn is_constant(&self) -> bool {
        self.symbolic.is_none() && self.len.is_none()
    }

    /// Whether both are one access: the same bytes at the same place of the program, on the same path.
    fn is_same(&self, other: &Access) -> bool {
        let what = |it: &Access| (it.kind, it.n_conditions, it.extent, it.symbolic, it.len);
        what(self) == what(other) && self.made == other.made
    }
}

impl PreBlock {
    /// Bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<PreBlock>() + size_of_val(&self.cells[..]) + size_of_val(&self.accesses[..])
    }

    /// A block that an access found.
    pub fn new(block: BlockId, base: TermId, access: Access) -> PreBlock {
        let extent = match access.symbolic {
            None => (access.extent.0.min(0), access.extent.1.max(0)),
            Some(_) => (0, 0),
        };
        PreBlock {
            block,
            base,
            cells: Vec::new(),
            extent,
            accesses: vec![access],
            freeable: None,
            negative: false,
        }
    }
}

impl AccessKind {
    /// Whether it may concern a part of an object. What is called is code, and what is freed is a whole block.
    pub fn is_at_part(self) -> bool {
        matches!(self, AccessKind::Read | AccessKind::Write)
    }

    /// The same, for people.
    pub fn as_use(self) -> catalog::Use {
        match self {
            AccessKind::Read => catalog::Use::Read,
            AccessKind::Write => catalog::Use::Write,
            AccessKind::Free => catalog::Use::Free,
            AccessKind::Call => catalog::Use::Call,
        }
    }
}
