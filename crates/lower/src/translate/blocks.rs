//! Which blocks of a body are translated, and in which order.
//!
//! Reverse postorder from the entry: a block that dominates another comes first, so a value is defined before
//! it is used. Unwinding edges are not followed: landing pads and what only they reach vanish. A call that
//! does not return, and a trap, end their block whatever follows.

use std::ops::Range;

use base::Id;
use bitcode::{Block, Body, ConstantKind, InstId, Op, ValueId};
use ir::{BlockId, Cfg, Dominators, UnreachableCause};

use crate::address::Labels;
use crate::env::Env;
use crate::error::Cause;
use crate::intrinsics::Intrinsic;

/// The plan of a body.
pub(super) struct Plan {
    /// The blocks in the order of translation; the first is the entry.
    pub(super) order: Vec<bitcode::BlockId>,
    /// Our ids of LLVM's blocks, in LLVM's order; none for those that are not reached.
    pub(super) blocks: Vec<Option<BlockId>>,
    /// LLVM's numbers of our blocks.
    pub(super) sources: Vec<bitcode::BlockId>,
    /// What the `phi`s of all blocks take over, ascending by edge and position.
    pub(super) phis: Vec<Incoming>,
    /// The successors of all reached blocks, one block after the other.
    edges: Vec<bitcode::BlockId>,
    /// Where the successors of LLVM's blocks are among them.
    edge_ranges: Vec<Range<u32>>,
    /// Which blocks dominate which, by their positions in `order`.
    ///
    /// LLVM's own files define a value before they use it; a damaged file may not, and whoever reads our IR relies on it.
    dominators: Dominators,
    /// The positions of our blocks in `order`.
    positions: Vec<u32>,
    /// Where blocks end before their last instruction: the number of their instructions, and why.
    cuts: Vec<Option<(u32, UnreachableCause)>>,
}

/// What a `phi` takes over on an edge.
#[derive(Clone, Copy)]
pub(super) struct Incoming {
    /// The edge: from where to where.
    edge: (bitcode::BlockId, bitcode::BlockId),
    /// The position of the `phi` in its block.
    position: u32,
    /// The value.
    pub(super) value: ValueId,
}

impl Plan {
    /// Finds the blocks that are reached from the entry.
    pub(super) fn new(env: &Env<'_>, body: &Body) -> Result<Self, Cause> {
        let cuts: Vec<_> = body.blocks.iter().map(|it| cut(env, body, it)).collect();
        let mut plan = Self {
            order: Vec::new(),
            blocks: vec![None; body.blocks.len()],
            sources: Vec::new(),
            phis: Vec::new(),
            edges: Vec::new(),
            edge_ranges: vec![0..0; body.blocks.len()],
            dominators: Dominators::new(&Cfg::from_edges(0, &[])),
            positions: Vec::new(),
            cuts,
        };
        plan.order = plan.reverse_postorder(body)?;
        let mut position_of = vec![None; body.blocks.len()];
        for (position, block) in plan.order.iter().enumerate() {
            position_of[block.index()] = Some(position as u32);
        }
        for (block, position) in body.blocks.ids().zip(&position_of) {
            if let Some(position) = position {
                plan.blocks[block.index()] = Some(BlockId::new(plan.sources.len()));
                plan.sources.push(block);
                plan.positions.push(*position);
            }
        }
        plan.dominators = plan.find_dominators(&position_of);
        plan.phis = plan.collect_phis(body);
        Ok(plan)
    }

    fn find_dominators(&self, position_of: &[Option<u32>]) -> Dominators {
        let mut edges = Vec::new();
        for (from, block) in self.order.iter().enumerate() {
            let positions = self.successors(*block).iter().filter_map(|it| position_of[it.index()]);
            edges.extend(positions.map(|to| (BlockId::new(from), BlockId::new(to as usize))));
        }
        edges.sort_unstable();
        edges.dedup();
        Dominators::new(&Cfg::from_edges(self.order.len(), &edges))
    }

    fn successors(&self, block: bitcode::BlockId) -> &[bitcode::BlockId] {
        let Range { start, end } = self.edge_ranges[block.index()].clone();
        &self.edges[start as usize..end as usize]
    }

    /// Whether what is defined in the one block may be used in the other.
    pub(super) fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let position = |block: BlockId| BlockId::new(self.positions[block.index()] as usize);
        above == below
            || above == BlockId::FIRST
            || self.dominators.dominates(position(above), position(below))
    }

    fn collect_phis(&self, body: &Body) -> Vec<Incoming> {
        let mut phis = Vec::new();
        for &block in &self.sources {
            for (position, id) in self.insts(body, block).enumerate() {
                let Some(Op::Phi { incoming, .. }) = body.insts.get(id).map(|it| &it.op) else { break };
                phis.extend(incoming.iter().map(|&(value, from)| Incoming {
                    edge: (from, block),
                    position: position as u32,
                    value,
                }));
            }
        }
        phis.sort_by_key(|it| (it.edge, it.position));
        // A predecessor with two edges to the block (a switch) is listed twice, with one value.
        phis.dedup_by_key(|it| (it.edge, it.position));
        phis
    }

    /// The entries of [`Self::phis`] for an edge.
    pub(super) fn incoming(&self, from: bitcode::BlockId, to: bitcode::BlockId) -> Range<usize> {
        let start = self.phis.partition_point(|it| it.edge < (from, to));
        let len = self.phis[start..].iter().take_while(|it| it.edge == (from, to)).count();
        start..start + len
    }

    /// The instructions of a block that are translated.
    pub(super) fn insts(
        &self,
        body: &Body,
        block: bitcode::BlockId,
    ) -> impl Iterator<Item = InstId> + Clone + use<> {
        let Block { first, len } = body.blocks[block];
        let len = self.cuts[block.index()].map_or(len, |(len, _)| len);
        (first.index()..first.index() + len as usize).map(InstId::new)
    }

    /// Why a block ends before its last instruction, if it does.
    pub(super) fn cut(&self, block: bitcode::BlockId) -> Option<UnreachableCause> {
        self.cuts[block.index()].map(|(_, cause)| cause)
    }

    /// Whether a block is translated.
    pub(super) fn is_reached(&self, block: bitcode::BlockId) -> bool {
        matches!(self.blocks.get(block.index()), Some(Some(_)))
    }

    fn reverse_postorder(&mut self, body: &Body) -> Result<Vec<bitcode::BlockId>, Cause> {
        let entry = bitcode::BlockId::FIRST;
        if body.blocks.is_empty() {
            return Err(Cause::NoBlock(entry));
        }
        let mut seen = vec![false; body.blocks.len()];
        let mut order = Vec::with_capacity(body.blocks.len());
        // The path from the entry, each block with the number of its successors that are still to be visited. The last is
        // visited first, so the first comes first in the reverse postorder.
        let mut path = vec![(entry, self.find_successors(body, entry)?)];
        seen[0] = true;
        while let Some((block, pending)) = path.last_mut() {
            if *pending == 0 {
                order.push(*block);
                path.pop();
                continue;
            }
            *pending -= 1;
            let next = self.successors(*block)[*pending];
            match seen.get_mut(next.index()) {
                None => return Err(Cause::NoBlock(next)),
                Some(true) => {}
                Some(seen) => {
                    *seen = true;
                    path.push((next, self.find_successors(body, next)?));
                }
            }
        }
        order.reverse();
        Ok(order)
    }

    /// Notes the blocks where control may go on after `block`; their number.
    fn find_successors(&mut self, body: &Body, block: bitcode::BlockId) -> Result<usize, Cause> {
        let start = self.edges.len();
        if self.cut(block).is_none() {
            let last = self.insts(body, block).last().and_then(|it| body.insts.get(it));
            let op = last.map(|it| &it.op).ok_or(Cause::NoBlock(block))?;
            match op {
                Op::Branch { target } => self.edges.push(*target),
                Op::CondBranch { on_true, on_false, .. } => self.edges.extend([*on_true, *on_false]),
                Op::Switch { default, cases, .. } => {
                    self.edges.extend(cases.iter().map(|(_, target)| *target).chain([*default]));
                }
                Op::IndirectBranch { targets, .. } => self.edges.extend_from_slice(targets),
                Op::Invoke { normal, .. } => self.edges.push(*normal),
                Op::CallBr { fallthrough, indirect, .. } => {
                    self.edges.extend(indirect.iter().copied().chain([*fallthrough]));
                }
                Op::Return { .. }
                | Op::Unreachable
                | Op::Resume { .. }
                | Op::CatchSwitch { .. }
                | Op::CatchRet { .. }
                | Op::CleanupRet { .. } => {}
                // A record we do not know may have been the end.
                Op::Unknown { .. } => {}
                _ => return Err(Cause::NoBlock(block)),
            }
        }
        self.edge_ranges[block.index()] = start as u32..self.edges.len() as u32;
        Ok(self.edges.len() - start)
    }
}

/// Where a block ends before its last instruction, and why.
fn cut(env: &Env<'_>, body: &Body, block: &Block) -> Option<(u32, UnreachableCause)> {
    for position in 0..block.len {
        let inst = body.insts.get(InstId::new(block.first.index() + position as usize))?;
        let (Op::Call(call) | Op::Invoke { call, .. }) = &inst.op else { continue };
        let callee = match env.module.values.get(call.callee) {
            Some(bitcode::GlobalValue::Function(id)) => Some(*id),
            _ => None,
        };
        if let Some(intrinsic) = callee.and_then(|it| env.symbols.intrinsic(it)) {
            if intrinsic == Intrinsic::Trap {
                return Some((position + 1, UnreachableCause::Trap));
            }
            continue;
        }
        let declared = callee.and_then(|it| env.module.functions.get(it)).map(|it| it.attributes);
        if env.attributes.noreturn(call.attributes) || declared.is_some_and(|it| env.attributes.noreturn(it))
        {
            return Some((position + 1, UnreachableCause::NoReturn));
        }
    }
    None
}

/// The functions with labels whose address is taken in a constant of the module, without the places of the labels.
pub(super) fn address_taken(env: &Env<'_>) -> Labels {
    let mut labels = Labels::default();
    for constant in &env.module.constants {
        let ConstantKind::BlockAddress { function, .. } = constant.kind else { continue };
        let Some(bitcode::GlobalValue::Function(id)) = env.module.values.get(function) else { continue };
        if let Some(func) = env.symbols.function(*id) {
            labels.insert(func, Vec::new());
        }
    }
    labels
}
