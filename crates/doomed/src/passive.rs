//! The passive form: every value of the loop-free form as a term, every statement as a check or an assumption.
//!
//! A *frame* is the passive form of one function, or of one inlined call. Its nodes are evaluated in order. Values, and the ways that are taken, are functions of the variables of the arena
//! (parameters, what memory held, what unknown code returned, which iteration comes next …): one assignment of them is one execution.
//! Source: Hoenicke et al., §5 (single assignment, `x := e` as `assume x = e`), §7 (inlining). Departures: (1) the IR is in single assignment form already, and where ways meet a value is
//! an if-then-else over the decisions since they parted, instead of a variable with one assumption per way; (2) statements stand for
//! checks that C leaves to the programmer ([`Failure`]).

use std::rc::Rc;

use base::{Id, limits};
use ir::{Access, BlockId, Body, Const, InstId, LocId, Operand, Terminator, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use term::{Node as TermNode, Origin, TermId, Terms, VarId, Width};

use crate::copies::{Copies, Dest};
use crate::endless;
use crate::memory::{Kind, Memory, Object, Objects, choose};
use crate::order::Order;
use crate::world::Code;

/// A statement of the passive form.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `assert ok`.
    Check(Check),
    /// `assume condition`.
    Assume(TermId),
    /// The program ends here as its author wished, if the condition holds.
    Ends(TermId),
    /// An inlined call, by the number of its frame.
    Call(usize),
    /// A signed operation that C leaves undefined if it overflows. An execution is not taken for a proof that a point is reached if it does.
    Signed(ir::BinOp, TermId, TermId),
    /// Memory is freed, if the condition holds. For the story only: checks say what follows from it.
    Free(Freeing),
}

/// A call that frees memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freeing {
    pub(crate) root: TermId,
    pub(crate) when: TermId,
    pub(crate) loc: LocId,
}

/// Something that must hold, or the execution fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub(crate) ok: TermId,
    pub(crate) what: Failure,
    pub(crate) loc: LocId,
    /// The check is that this variable is not null, and nothing else.
    pub(crate) plain: Option<VarId>,
}

/// How an execution fails. The operand is the value to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    Null(Operand),
    /// With the root of what was freed.
    Freed(Operand, TermId),
    OutOfBounds(Operand),
    NegativeIndex(Operand),
    DivByZero(Operand),
    InvalidFree(Operand),
    Assertion,
}

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
    memory: Vec<Option<Rc<Memory>>>,
    /// Conditions between two nodes.
    between: FxHashMap<(usize, usize), TermId>,
    /// Conditions that hold behind a node, because they were decided or checked in it.
    established: FxHashMap<TermId, SmallVec<[usize; 2]>>,
    private: FxHashSet<InstId>,
    pub(crate) depth: u32,
}

/// What all frames of a function share.
#[derive(Debug, Default)]
pub(crate) struct Passive<'w> {
    pub(crate) terms: Terms,
    pub(crate) objects: Objects,
    /// Inlined calls, callees before callers; the function itself comes last.
    pub(crate) frames: Vec<Frame<'w>>,
    globals: FxHashMap<u32, TermId>,
    functions: FxHashMap<String, TermId>,
    /// Instructions inlined so far.
    pub(crate) inlined: usize,
    pub(crate) pointer_bits: Width,
}

/// What an inlined call leaves.
pub(crate) struct Returned {
    pub(crate) frame: usize,
    pub(crate) values: Vec<Option<TermId>>,
    pub(crate) memory: Memory,
    /// When the program ends in it.
    pub(crate) ended: TermId,
}

/// Too large, or not expressible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GaveUp;

impl<'w> Passive<'w> {
    /// Makes the passive form of a function, given its arguments; its frame is the last one then.
    pub(crate) fn evaluate(
        &mut self,
        code: Code<'w>,
        args: &[Option<TermId>],
        memory: Memory,
        depth: u32,
        callers: &[usize],
    ) -> Result<Returned, GaveUp> {
        let body = code.body().ok_or(GaveUp)?;
        let bits = pointer_bits(code);
        if depth > 0 && bits != self.pointer_bits {
            return Err(GaveUp);
        }
        self.pointer_bits = bits;
        let copies =
            Copies::new(body, &|loops, id| endless::is_error(body, loops, id), depth == 0).ok_or(GaveUp)?;
        let mut frame = Frame::new(code, body, copies, depth);
        for (at, &param) in body.blocks[Body::ENTRY].params.iter().enumerate() {
            if let Some(Some(arg)) = args.get(at) {
                frame.values.insert((0, param), *arg);
            }
        }
        frame.memory[0] = Some(Rc::new(memory));
        let own = (code.module as *const ir::Module as usize) ^ code.func.index();
        let callers: SmallVec<[usize; 4]> = callers.iter().copied().chain([own]).collect();
        for node in 0..frame.copies.nodes.len() {
            if self.terms.len() > limits::DOOMED_TERMS {
                return Err(GaveUp);
            }
            self.node(&mut frame, node, &callers)?;
        }
        let (values, memory) = self.returned(&mut frame);
        let ended = self.frame_ended(&mut frame);
        self.frames.push(frame);
        Ok(Returned { frame: self.frames.len() - 1, values, memory, ended })
    }

    fn node(&mut self, frame: &mut Frame<'w>, node: usize, callers: &[usize]) -> Result<(), GaveUp> {
        let mut memory = if node == 0 {
            frame.memory[0].take().map_or(Memory::default(), |it| Memory::clone(&it))
        } else {
            self.enter(frame, node)
        };
        let block = frame.copies.nodes[node].block;
        let body = frame.body;
        for &inst in &body.blocks[block].insts {
            self.step(frame, node, inst, &mut memory, callers)?;
        }
        self.leave(frame, node);
        frame.memory[node] = Some(Rc::new(memory));
        Ok(())
    }

    /// Joins the ways that come to a node: conditions, parameters, memory.
    fn enter(&mut self, frame: &mut Frame<'w>, node: usize) -> Memory {
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
    fn way_taken(&mut self, frame: &mut Frame<'w>, before: usize, pred: usize, way: usize) -> TermId {
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
                if let Some(term) = self.fresh(frame.body.values[param].ty, Origin::LoopHavoc) {
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
                let Some(pointer) = crate::step::written_by(&frame.body.insts[inst].inst) else { continue };
                // A private object is written only through its own address.
                let Some(alloca) = frame.local_root(pointer) else { continue };
                if let Some(root) = frame.alloca_term(node, alloca) {
                    memory.forget(root);
                }
            }
        }
    }

    /// When each way out of a node is taken.
    fn leave(&mut self, frame: &mut Frame<'w>, node: usize) {
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
        let mut choice = None;
        let ways: Vec<(usize, Option<bool>)> =
            frame.copies.nodes[node].ways.iter().map(|it| (it.target, it.choice)).collect();
        for (target, which) in ways {
            let mut cond = targets[target];
            if let Some(which) = which {
                let chosen = *choice.get_or_insert_with(|| self.terms.fresh(1, Origin::LoopHavoc, ""));
                let chosen = if which { chosen } else { self.terms.not(chosen) };
                cond = self.terms.and(cond, chosen);
            }
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
    fn returned(&mut self, frame: &mut Frame<'w>) -> (Vec<Option<TermId>>, Memory) {
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
    fn frame_ended(&mut self, frame: &mut Frame<'w>) -> TermId {
        let mut any = self.terms.no();
        for node in 0..frame.copies.nodes.len() {
            let Some(ended) = frame.ended[node] else { continue };
            let here = self.reached_from(frame, 0, node);
            let here = self.terms.and(here, ended);
            any = self.terms.or(any, here);
        }
        any
    }

    /// The value of an operand at a node; none if it has more bits than terms.
    pub(crate) fn operand(&mut self, frame: &mut Frame<'w>, node: usize, operand: Operand) -> Option<TermId> {
        match operand {
            Operand::Const(constant) => {
                let body = frame.body;
                self.constant(frame, &body.consts[constant])
            }
            Operand::Value(value) => self.value(frame, node, value),
        }
    }

    fn value(&mut self, frame: &mut Frame<'w>, node: usize, value: ValueId) -> Option<TermId> {
        if let Some(&known) = frame.values.get(&(node, value)) {
            return Some(known);
        }
        let block = frame.block_of(value);
        if block == frame.copies.nodes[node].block {
            return self.fresh(frame.body.values[value].ty, Origin::UnknownCall);
        }
        let found = match frame.copies.copy_before(block, node) {
            Some(copy) => frame.values.get(&(copy, value)).copied(),
            // It is defined in a loop that was left: which copy it is from depends on the way.
            None if !frame.is_left_at(block, node) => {
                let before = frame.order.before(node);
                self.value(frame, before, value)
            }
            None => {
                let before = frame.order.before(node);
                let preds = frame.copies.nodes[node].preds.clone();
                let ways: Vec<TermId> =
                    preds.iter().map(|&(pred, way)| self.way_taken(frame, before, pred, way)).collect();
                let values: Option<Vec<TermId>> =
                    preds.iter().map(|&(pred, _)| self.value(frame, pred, value)).collect();
                values.map(|values| self.join(&ways, &values))
            }
        };
        let found = match found {
            Some(found) => found,
            None => self.fresh(frame.body.values[value].ty, Origin::UnknownCall)?,
        };
        frame.values.insert((node, value), found);
        Some(found)
    }

    fn constant(&mut self, frame: &Frame<'w>, constant: &Const) -> Option<TermId> {
        let bits = pointer_bits(frame.code);
        Some(match *constant {
            Const::Int { width, value } => self.terms.constant(width, value),
            Const::Null => self.terms.constant(bits, 0),
            Const::Float { kind, bits } => self.terms.constant(kind.bits(), bits),
            Const::Global { global, offset } => {
                let root = self.global(frame, global, bits);
                let distance = self.terms.constant(bits, i128::from(offset) as u128);
                self.advance(root, distance)
            }
            Const::Func(func) => self.function(frame, func, bits),
            Const::Block(_) | Const::WideInt { .. } | Const::Undef(_) | Const::Poison(_) => {
                return self.fresh(constant.ty(), Origin::Uninit);
            }
        })
    }

    fn global(&mut self, frame: &Frame<'w>, global: ir::GlobalId, bits: Width) -> TermId {
        let number = frame.code.world.global(frame.code.unit, global);
        if let Some(&known) = self.globals.get(&number) {
            return known;
        }
        let data = &frame.code.module.globals[global];
        let root = self.terms.fresh(bits, Origin::InitialMemory, "");
        // Another unit may define it larger, and null if it is weak.
        let is_own =
            data.init.is_some() && matches!(data.linkage, ir::Linkage::External | ir::Linkage::Internal);
        let size = (is_own && data.size > 0).then(|| self.terms.constant(bits, data.size.into()));
        if data.linkage != ir::Linkage::ExternWeak {
            self.objects.add(root, Object { kind: Kind::Global, size });
        }
        self.globals.insert(number, root);
        root
    }

    fn function(&mut self, frame: &Frame<'w>, func: ir::FuncId, bits: Width) -> TermId {
        let data = &frame.code.module.functions[func];
        let name = frame.code.module.symbols.resolve(data.name);
        if let Some(&known) = self.functions.get(name) {
            return known;
        }
        let root = self.terms.fresh(bits, Origin::InitialMemory, "");
        if data.linkage != ir::Linkage::ExternWeak {
            self.objects.add(root, Object { kind: Kind::Function, size: None });
        }
        self.functions.insert(name.to_owned(), root);
        root
    }

    /// The pointer so many bytes behind another one.
    pub(crate) fn advance(&mut self, pointer: TermId, distance: TermId) -> TermId {
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        let advanced = self.terms.add(pointer, distance);
        if advanced != pointer {
            let offset = self.terms.add(offset, distance);
            self.objects.derive(&self.terms, advanced, root, offset);
        }
        advanced
    }

    /// Any value of a type.
    pub(crate) fn fresh(&mut self, ty: Type, origin: Origin) -> Option<TermId> {
        let width = match ty {
            Type::Int(width) => width,
            Type::Ptr => self.pointer_bits,
            Type::Float(kind) => kind.bits(),
        };
        (width <= term::MAX_WIDTH).then(|| self.terms.fresh(width, origin, ""))
    }

    /// Any number of that many bits.
    pub(crate) fn any(&mut self, width: Width) -> TermId {
        self.terms.fresh(width, Origin::UnknownCall, "")
    }

    /// Adds a check, unless it is known to hold.
    pub(crate) fn check(&mut self, frame: &mut Frame<'w>, node: usize, check: Check) {
        if self.terms.value(check.ok) == Some(1) || frame.is_established(check.ok, node) {
            return;
        }
        frame.establish(&self.terms, check.ok, node);
        frame.items[node].push(Item::Check(check));
    }

    /// Notes that the program ends in a node under a condition.
    pub(crate) fn ends(&mut self, frame: &mut Frame<'w>, node: usize, when: TermId) {
        let before = frame.ended[node].unwrap_or_else(|| self.terms.no());
        frame.ended[node] = Some(self.terms.or(before, when));
    }
}

impl<'w> Frame<'w> {
    fn new(code: Code<'w>, body: &'w Body, copies: Copies, depth: u32) -> Frame<'w> {
        let len = copies.nodes.len();
        let preds: Vec<Vec<usize>> =
            copies.nodes.iter().map(|it| it.preds.iter().map(|it| it.0).collect()).collect();
        let succs: Vec<Vec<usize>> = copies
            .nodes
            .iter()
            .map(|it| {
                let to = |dest: Dest| if let Dest::Node(node) = dest { node } else { len };
                it.ways.iter().map(|way| to(way.to)).collect()
            })
            .collect();
        Frame {
            code,
            body,
            order: Order::new(&preds, &succs),
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
            ValueDef::Result(inst, _) => self.copies_block(inst),
        }
    }

    fn copies_block(&self, inst: InstId) -> BlockId {
        self.copies.blocks[inst.index()]
    }

    /// Whether the loops around `block` that `node` is not in may be left between the node before it on all ways and itself: a value of theirs depends on the way then.
    fn is_left_at(&self, block: BlockId, node: usize) -> bool {
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
    fn changes(&self, header: BlockId, at: usize) -> bool {
        let own = Operand::Value(self.body.blocks[header].params[at]);
        let latches = self.copies.loops.with_header(header).map(|id| &self.copies.loops.get(id).latches);
        latches.into_iter().flatten().any(|&latch| {
            let mut back = self.body.blocks[latch].term.targets().filter(|it| it.block == header);
            back.any(|it| it.args[at] != own)
        })
    }

    /// The local variable that a pointer leads to, if it is visible where.
    pub(crate) fn local_root(&self, mut pointer: Operand) -> Option<InstId> {
        loop {
            let ValueDef::Result(inst, _) = self.body.values[pointer.value()?].def else { return None };
            match &self.body.insts[inst].inst {
                ir::Inst::Alloca { .. } => return Some(inst),
                ir::Inst::Assign { value, .. } => pointer = *value,
                ir::Inst::PtrAdd { base, .. } => pointer = *base,
                _ => return None,
            }
        }
    }

    /// The address of a local variable before a node.
    fn alloca_term(&self, node: usize, alloca: InstId) -> Option<TermId> {
        let value = self.body.insts[alloca].first_result;
        let copy = self.copies.copy_before(self.block_of(value), node)?;
        self.values.get(&(copy, value)).copied()
    }

    /// Notes that a condition holds in and behind a node; of a conjunction, its parts as well.
    fn establish(&mut self, terms: &Terms, condition: TermId, node: usize) {
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

/// The bits of a pointer.
pub(crate) fn pointer_bits(code: Code<'_>) -> Width {
    code.module.target.pointer_bytes * 8
}

/// Whether reads of this kind give any value, whatever was written.
pub(crate) fn is_unsteady(access: Access) -> bool {
    access.volatile || access.atomic
}
