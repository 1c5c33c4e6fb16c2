//! A frame: the passive form of one function, or of one inlined call.

use std::rc::Rc;

use ir::{BlockId, Body, InstId, Operand, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use term::{Node as TermNode, TermId, Terms};
use unfold::{Copies, Order};

use crate::code::Code;
use crate::memory::Memory;
use crate::passive::Item;

/// The passive form of a function or of an inlined call.
#[derive(Debug)]
pub(crate) struct Frame<'w> {
    pub(crate) code: Code<'w>,
    pub(crate) body: &'w Body,
    pub(crate) copies: Copies,
    pub(crate) order: Order,
    /// By node.
    pub(crate) items: Vec<Vec<Item>>,
    /// By node and way: when it is taken from that node.
    pub(crate) conds: Vec<Vec<TermId>>,
    /// By node: when it is reached from the node before it on all ways.
    pub(crate) rel: Vec<TermId>,
    /// By node: when the program ends in it.
    pub(crate) ended: Vec<Option<TermId>>,
    pub(crate) values: FxHashMap<(usize, ValueId), TermId>,
    pub(crate) memory: Vec<Option<Rc<Memory>>>,
    /// Conditions between two nodes.
    pub(crate) between: FxHashMap<(usize, usize), TermId>,
    /// Conditions that hold behind a node, because they were decided or checked in it.
    established: FxHashMap<TermId, SmallVec<[usize; 2]>>,
    private: FxHashSet<InstId>,
    pub(crate) depth: u32,
}

impl<'w> Frame<'w> {
    pub(crate) fn new(code: Code<'w>, body: &'w Body, copies: Copies, depth: u32) -> Frame<'w> {
        let len = copies.nodes.len();
        Frame {
            code,
            body,
            order: Order::of(&copies),
            copies,
            items: vec![Vec::new(); len],
            conds: vec![Vec::new(); len],
            rel: vec![TermId::FIRST; len],
            ended: vec![None; len],
            values: FxHashMap::default(),
            memory: vec![None; len],
            between: FxHashMap::default(),
            established: FxHashMap::default(),
            private: crate::private::objects(body),
            depth,
        }
    }

    pub(crate) fn is_private(&self, alloca: InstId) -> bool {
        self.private.contains(&alloca)
    }

    /// The block in which a value is defined.
    pub(crate) fn block_of(&self, value: ValueId) -> BlockId {
        match self.body.values[value].def {
            ValueDef::Param(block, _) => block,
            ValueDef::Result(inst, _) => self.copies.block_of(inst),
        }
    }

    /// Whether the loops around `block` that `node` is not in may be left between the node before it on all ways and itself: a value of theirs depends on the way then.
    pub(crate) fn is_left_at(&self, block: BlockId, node: usize) -> bool {
        let loops = &self.copies.loops;
        let (here, before) =
            (self.copies.nodes[node].block, self.copies.nodes[self.order.before(node)].block);
        let mut around = loops.innermost(block);
        while let Some(id) = around.filter(|&id| !loops.contains(id, here)) {
            if loops.contains(id, before) {
                return true;
            }
            around = loops.get(id).parent;
        }
        false
    }

    /// Whether a parameter of a header may have another value in the next iteration.
    pub(crate) fn changes(&self, header: BlockId, at: usize) -> bool {
        let own = Operand::Value(self.body.blocks[header].params[at]);
        let latches = self.copies.loops.with_header(header).map(|id| &self.copies.loops.get(id).latches);
        latches.into_iter().flatten().any(|&latch| {
            let mut back = self.body.blocks[latch].term.targets().filter(|it| it.block == header);
            back.any(|it| it.args[at] != own)
        })
    }

    /// The address of a local variable before a node.
    pub(crate) fn alloca_term(&self, node: usize, alloca: InstId) -> Option<TermId> {
        let value = self.body.insts[alloca].first_result;
        let copy = self.copies.copy_before(self.block_of(value), node)?;
        self.values.get(&(copy, value)).copied()
    }

    /// Notes that a condition holds in and behind a node; of a conjunction, its parts as well.
    pub(crate) fn establish(&mut self, terms: &Terms, condition: TermId, node: usize) {
        let mut todo: SmallVec<[TermId; 8]> = smallvec::smallvec![condition];
        for _ in 0..16 {
            let Some(next) = todo.pop() else { return };
            self.established.entry(next).or_default().push(node);
            if let TermNode::Binary(term::Binary::And, a, b) = terms.node(next) {
                todo.extend([a, b]);
            }
        }
    }

    pub(crate) fn is_established(&self, condition: TermId, node: usize) -> bool {
        let Some(nodes) = self.established.get(&condition) else { return false };
        nodes.iter().any(|&it| self.order.dominates(it, node))
    }
}
