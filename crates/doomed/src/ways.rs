//! Ways through a frame: when each is taken, and what comes together where they meet.
//!
//! Source: Hoenicke et al., §5. Departure: where ways meet, a value is an if-then-else over the decisions
//! since they parted, instead of a variable with one assumption per way.

use std::rc::Rc;

use ir::{BlockId, Terminator};
use term::{Origin, TermId};

use crate::definitions::{local, written_by};
use crate::frame::Frame;
use crate::memory::{Memory, choose};
use crate::passive::Passive;

impl<'w> Passive<'w> {
    /// Joins the ways that come to a node: conditions, parameters, memory.
    pub(crate) fn enter(&mut self, frame: &mut Frame<'w>, node: usize) -> Memory {
        let before = frame.order.before(node);
        let preds = frame.copies.nodes[node].preds.clone();
        let ways: Vec<TermId> =
            preds.iter().map(|&(pred, way)| self.way_taken(frame, before, pred, way)).collect();
        let any_ended = frame.ended.iter().any(Option::is_some);
        frame.rel[node] = if !any_ended && frame.order.is_certain(before, node) {
            self.terms.yes()
        } else {
            self.terms.disjunction(&ways)
        };
        frame.establish(&self.terms, frame.rel[node], node);
        let joined: Vec<Rc<Memory>> =
            preds.iter().filter_map(|&(pred, _)| frame.memory[pred].clone()).collect();
        let joined: Vec<(TermId, &Memory)> =
            ways.iter().copied().zip(joined.iter().map(Rc::as_ref)).collect();
        let mut memory = Memory::merge(&mut self.terms, &joined);
        if frame.copies.nodes[node].havoc.is_some() {
            self.forget(frame, node, &mut memory);
        }
        self.params(frame, node, &preds, &ways);
        memory
    }

    /// When a way is taken, given that `before` is reached, which all ways to its source pass.
    pub(crate) fn way_taken(
        &mut self,
        frame: &mut Frame<'w>,
        before: usize,
        pred: usize,
        way: usize,
    ) -> TermId {
        let mut condition = self.reached_from(frame, before, pred);
        if let Some(ended) = frame.ended[pred] {
            let goes_on = self.terms.not(ended);
            condition = self.terms.and(condition, goes_on);
        }
        self.terms.and(condition, frame.conds[pred][way])
    }

    /// When a node is reached, given that `from` is, which all ways to it pass.
    pub(crate) fn reached_from(&mut self, frame: &mut Frame<'w>, from: usize, node: usize) -> TermId {
        let mut chain = Vec::new();
        let mut at = node;
        let mut condition = loop {
            if at == from {
                break self.terms.yes();
            }
            if let Some(&known) = frame.between.get(&(from, at)) {
                break known;
            }
            chain.push(at);
            at = frame.order.before(at);
        };
        for &at in chain.iter().rev() {
            condition = self.terms.and(condition, frame.rel[at]);
            frame.between.insert((from, at), condition);
        }
        condition
    }

    /// The parameters of a block.
    fn params(&mut self, frame: &mut Frame<'w>, node: usize, preds: &[(usize, usize)], ways: &[TermId]) {
        let block = frame.copies.nodes[node].block;
        let havoc = frame.copies.nodes[node].havoc.is_some();
        let body = frame.body;
        for (at, &param) in body.blocks[block].params.iter().enumerate() {
            if havoc && frame.changes(block, at) {
                if let Some(term) = self.fresh(frame.body.values[param].ty, Origin::NotFollowed) {
                    frame.values.insert((node, param), term);
                }
                continue;
            }
            let args: Option<Vec<TermId>> = preds
                .iter()
                .map(|&(pred, way)| {
                    let target = frame.copies.nodes[pred].ways[way].target;
                    let source = frame.copies.nodes[pred].block;
                    let arg = body.blocks[source].term.targets().nth(target)?.args[at];
                    self.operand(frame, pred, arg)
                })
                .collect();
            let value = match args {
                Some(args) => Some(self.join(ways, &args)),
                None => self.fresh(body.values[param].ty, Origin::UnknownCall),
            };
            if let Some(value) = value {
                frame.values.insert((node, param), value);
            }
        }
    }

    /// The value of whichever way is taken. Pointers of one root stay pointers of that root.
    pub(crate) fn join(&mut self, ways: &[TermId], values: &[TermId]) -> TermId {
        let value = choose(&mut self.terms, ways.iter().copied().zip(values.iter().copied()));
        if values.iter().any(|&it| it != values[0]) {
            let origins: Vec<(TermId, TermId)> =
                values.iter().map(|&it| self.objects.origin(&mut self.terms, it)).collect();
            let root = origins[0].0;
            if origins.iter().all(|it| it.0 == root) {
                let offset = choose(&mut self.terms, ways.iter().copied().zip(origins.iter().map(|it| it.1)));
                self.objects.derive(&self.terms, value, root, offset);
            }
        }
        value
    }

    /// Forgets the memory that a loop may change. What others can reach is forgotten in any case: while a loop runs, they run, too.
    fn forget(&mut self, frame: &mut Frame<'w>, node: usize, memory: &mut Memory) {
        memory.write_anywhere(&self.objects);
        let Some(id) = frame.copies.nodes[node].havoc else { return };
        let blocks: Vec<BlockId> = frame.copies.loops.blocks(id).to_vec();
        for block in blocks {
            for &inst in &frame.body.blocks[block].insts {
                let Some(pointer) = written_by(&frame.body.insts[inst].inst) else { continue };
                // A private object is written only through its own address.
                let Some(alloca) = local(frame.body, pointer) else { continue };
                if let Some(root) = frame.alloca_term(node, alloca) {
                    memory.forget(root);
                }
            }
        }
    }

    /// When each way out of a node is taken.
    pub(crate) fn leave(&mut self, frame: &mut Frame<'w>, node: usize) {
        let block = frame.copies.nodes[node].block;
        let body = frame.body;
        let targets: Vec<TermId> = match &body.blocks[block].term {
            Terminator::Jump(_) => vec![self.terms.yes()],
            Terminator::Branch { cond, .. } => {
                let cond = self.operand(frame, node, *cond).unwrap_or_else(|| self.any(1));
                vec![cond, self.terms.not(cond)]
            }
            Terminator::Switch { value, cases, .. } => {
                let value = self.operand(frame, node, *value);
                let mut taken: Vec<TermId> = Vec::with_capacity(cases.len() + 1);
                for (case, _) in cases {
                    let case = self.constant(frame, &body.consts[*case]);
                    taken.push(match (value, case) {
                        (Some(value), Some(case)) => self.terms.eq(value, case),
                        _ => self.any(1),
                    });
                }
                let some = self.terms.disjunction(&taken);
                taken.push(self.terms.not(some));
                taken
            }
            Terminator::IndirectJump { targets, .. } => self.any_of(targets.len()),
            Terminator::Return { .. } | Terminator::Unreachable { .. } => Vec::new(),
        };
        let ways: Vec<(usize, Option<usize>)> =
            frame.copies.nodes[node].ways.iter().map(|it| (it.target, it.choice)).collect();
        let n_choices = ways.iter().filter_map(|it| it.1).max().map_or(0, |most| most + 1);
        let choices = self.any_of(n_choices);
        for (target, choice) in ways {
            let cond = targets[target];
            let cond = choice.map_or(cond, |choice| self.terms.and(cond, choices[choice]));
            frame.conds[node].push(cond);
        }
    }

    /// Conditions of which exactly one holds, any one.
    fn any_of(&mut self, len: usize) -> Vec<TermId> {
        let mut rest = self.terms.yes();
        let mut all = Vec::with_capacity(len);
        for at in 0..len {
            if at + 1 == len {
                all.push(rest);
            } else {
                let this = self.any(1);
                all.push(self.terms.and(rest, this));
                let not = self.terms.not(this);
                rest = self.terms.and(rest, not);
            }
        }
        all
    }

    /// What a call returns and leaves in memory, whichever return is taken.
    pub(crate) fn returned(&mut self, frame: &mut Frame<'w>) -> (Vec<Option<TermId>>, Memory) {
        let mut ways = Vec::new();
        let mut values: Vec<Vec<Option<TermId>>> = Vec::new();
        let mut memories = Vec::new();
        let body = frame.body;
        for node in 0..frame.copies.nodes.len() {
            let Terminator::Return { values: returned } = &body.blocks[frame.copies.nodes[node].block].term
            else {
                continue;
            };
            ways.push(self.reached_from(frame, 0, node));
            values.push(returned.iter().map(|&it| self.operand(frame, node, it)).collect());
            memories.push(frame.memory[node].clone().unwrap_or_default());
        }
        let n_results = values.first().map_or(0, Vec::len);
        let joined = (0..n_results)
            .map(|at| {
                let each: Option<Vec<TermId>> = values.iter().map(|it| it[at]).collect();
                each.map(|each| self.join(&ways, &each))
            })
            .collect();
        let pairs: Vec<(TermId, &Memory)> =
            ways.iter().copied().zip(memories.iter().map(Rc::as_ref)).collect();
        (joined, Memory::merge(&mut self.terms, &pairs))
    }

    /// When the program ends in a frame.
    pub(crate) fn frame_ended(&mut self, frame: &mut Frame<'w>) -> TermId {
        let mut any = self.terms.no();
        for node in 0..frame.copies.nodes.len() {
            let Some(ended) = frame.ended[node] else { continue };
            let here = self.reached_from(frame, 0, node);
            let here = self.terms.and(here, ended);
            any = self.terms.or(any, here);
        }
        any
    }
}
