//! The worklist: Eval of Fig. 5 over the blocks of a body.
//!
//! `Eval(p, C₁; C₂)`: the states behind one instruction are those before the next; an error ends its path (short-circuit).
//! `Eval(p, C₁ + C₂)`: a branch forks. `Eval(p, C*)`: a path goes back to the head of a loop at most `unroll` times.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use base::{Id, IdVec, limits};
use heap::bytes::Order;
use heap::path::Reason;
use heap::{Condition, Made, Site, State, VarRole};
use ir::{
    BlockId, Body, Const, FuncId, Function, Inst, InstId, LocId, Module, Operand, Target, Terminator,
    UnreachableCause,
};
use solver::Solver;
use summary::{Ended, How, Source};
use term::{Origin, TermId, Terms, VarId, Width};

use crate::errors::ErrorPath;
use crate::finish::Analysis;
use crate::flow::{Flow, Round};
use crate::graph::Graph;
use crate::memory::{Memory, Pending};
use crate::select;
use crate::world::{Options, Specialization, Stopped, World};

/// Everything about the analysis of one function.
pub(crate) struct Engine<'a> {
    pub(crate) world: &'a dyn World,
    pub(crate) module: &'a Module,
    pub(crate) function: &'a Function,
    pub(crate) body: &'a Body,
    pub(crate) options: &'a Options,
    pub(crate) how: &'a Specialization,
    pub(crate) key: u32,
    pub(crate) pointer_bits: Width,
    pub(crate) order: Order,
    pub(crate) graph: Graph,
    pub(crate) terms: Terms,
    pub(crate) solver: Solver,
    /// What variables stand for, and where their values come from.
    pub(crate) roles: IdVec<VarId, VarRole>,
    pub(crate) sources: IdVec<VarId, Option<Source>>,
    /// By term: the operations in it, as far as somebody asked; 0 if nobody did.
    pub(crate) weights: Vec<u32>,
    /// Terms that are pointers.
    pub(crate) pointers: HashSet<TermId>,
    pub(crate) symbols: HashMap<VarRole, TermId>,
    /// First content of memory of the caller that was read: by base of its block, place and bytes.
    pub(crate) initial: HashMap<(TermId, heap::Place, u32), TermId>,
    /// Content that is not known, as far as it was read: by base of its block, epoch, place and bytes.
    pub(crate) unknown: HashMap<(TermId, u32, heap::Place, u32), TermId>,
    /// The latest epoch.
    pub(crate) epoch: heap::Epoch,
    /// By such content: the base of the block that it was read from.
    pub(crate) found_in: HashMap<TermId, TermId>,
    /// By result of unknown code that writes nothing: what was called, and with what.
    pub(crate) answers: HashMap<TermId, (ir::FuncId, Vec<TermId>)>,
    /// Whether anything was read that was never written.
    pub(crate) has_uninit: bool,
    /// Whether the body has constants that are the result of undefined operations.
    has_poison: bool,
    /// Paths that have come to a normal end.
    pub(crate) ended: Vec<Ended>,
    /// Paths that were not followed further; a few.
    pub(crate) given_up: Vec<Ended>,
    /// Paths that end in an error.
    pub(crate) errors: Vec<ErrorPath>,
    /// Paths on which a block was lost; see [`lost`](crate::lost).
    pub(crate) lost: Vec<ErrorPath>,
    /// By block: whether control can come from it to a return; worked out when somebody asks.
    pub(crate) returning: OnceCell<Vec<bool>>,
    /// The calls whose callees' triples were applied.
    pub(crate) calls: heap::Calls,
    /// What was not followed, with how often.
    pub(crate) stopped: BTreeMap<Stopped, u32>,
    /// By function of which nothing is known: how often a path went through it.
    pub(crate) unknown_calls: BTreeMap<u32, u32>,
    /// Ways out of loops before their end, and whether it is the environment that decides about them.
    pub(crate) ways_out: HashMap<(BlockId, BlockId), bool>,
    pub(crate) steps: usize,
    pub(crate) memory: Memory,
    /// The number of steps when paths under way were last counted.
    pub(crate) weighed_at: usize,
    /// The place of the block under way in the order of work.
    place: usize,
    /// States behind a call that one path may come to.
    pub(crate) share: usize,
    /// Whether a callee was called of which not all paths are known.
    pub(crate) knows_callees_in_part: bool,
    /// Questions whether an error is forced.
    pub(crate) forced_queries: usize,
    /// The instruction under way.
    pub(crate) at: Site,
}

/// Sides of a branch that are made without a look at the budget of memory.
const FEW_SIDES: usize = 64;

impl<'a> Engine<'a> {
    pub(crate) fn new(
        world: &'a dyn World,
        module: &'a Module,
        func: FuncId,
        options: &'a Options,
        how: &'a Specialization,
    ) -> Engine<'a> {
        let function = &module.functions[func];
        let body = function.body.as_ref().expect("invariant: only functions with a body are analyzed");
        Engine {
            world,
            module,
            function,
            body,
            options,
            how,
            key: world.own(),
            pointer_bits: module.target.pointer_bytes * 8,
            order: if module.target.big_endian { Order::Big } else { Order::Little },
            graph: Graph::new(body),
            terms: Terms::new(),
            solver: Solver::with(solver::Options {
                conflicts: limits::SPLIT_CONFLICTS,
                hard_conflicts: 0,
                ..solver::Options::default()
            }),
            roles: IdVec::from_vec(Vec::new()),
            sources: IdVec::from_vec(Vec::new()),
            weights: Vec::new(),
            pointers: HashSet::new(),
            symbols: HashMap::new(),
            initial: HashMap::new(),
            unknown: HashMap::new(),
            epoch: heap::Epoch::default(),
            found_in: HashMap::new(),
            answers: HashMap::new(),
            has_uninit: false,
            has_poison: body.consts.iter().any(|constant| matches!(constant, Const::Poison(_))),
            ended: Vec::new(),
            given_up: Vec::new(),
            errors: Vec::new(),
            lost: Vec::new(),
            returning: OnceCell::new(),
            calls: heap::Calls::default(),
            stopped: BTreeMap::new(),
            unknown_calls: BTreeMap::new(),
            ways_out: HashMap::new(),
            steps: 0,
            memory: Memory::default(),
            weighed_at: 0,
            place: 0,
            share: 1,
            knows_callees_in_part: false,
            forced_queries: 0,
            at: Site { function: world.own(), place: 0 },
        }
    }

    /// Follows all paths, and sums them up.
    pub(crate) fn analyze(mut self) -> Analysis {
        let too_wide = |ty: ir::Type| matches!(ty, ir::Type::Int(width) if width > term::MAX_WIDTH);
        if self.body.values.iter().any(|value| too_wide(value.ty)) {
            self.stop(Stopped::Unsupported);
            return self.finish(true);
        }
        let mut pending = Pending::default();
        self.memory.code = self.body.bytes() + self.graph.bytes();
        if self.has_room(&pending) {
            let start = self.start();
            pending.push((0, Body::ENTRY), start);
            self.work(&mut pending);
        }
        drop(pending);
        let is_cut = self.stopped.contains_key(&Stopped::Steps) && self.ended.is_empty();
        let gave_up = is_cut || self.memory.is_full;
        self.finish(gave_up)
    }

    /// The beginning of every path: parameters are what the caller passes.
    fn start(&mut self) -> Flow {
        let mut flow = Flow::new(self.body.values.len());
        let params = self.body.blocks[Body::ENTRY].params.clone();
        for (at, &param) in params.iter().enumerate() {
            let value = self.body.values[param];
            let name = value.var.map(|var| self.body.vars[var].name);
            let name = name.map_or(format!("arg{at}"), |name| self.module.symbols.resolve(name).to_owned());
            let equal = self.how.equal.iter().find(|(later, _)| *later == at as u32);
            let global = self.how.globals.iter().find(|it| it.0 == at as u32);
            let function = self.how.functions.iter().find(|it| (it.0, it.1) == (at as u32, None));
            let term = if let Some(&(_, earlier)) = equal {
                let earlier = params[earlier as usize];
                flow.get(earlier).expect("invariant: earlier parameters come first")
            } else if let Some(&(_, global, offset)) = global {
                let base = self.symbol(&mut flow.state, VarRole::Global(global));
                let offset = self.terms.constant(self.pointer_bits, i128::from(offset) as u128);
                self.terms.add(base, offset)
            } else if let Some(&(_, _, function)) = function {
                self.symbol(&mut flow.state, VarRole::Function(function))
            } else {
                let width = self.width(value.ty);
                self.fresh(width, Origin::Parameter, &name, VarRole::Param(at as u32), None)
            };
            if value.ty == ir::Type::Ptr && self.as_var(term).is_some() {
                self.pointers.insert(term);
            }
            flow.set(param, term);
        }
        if let (true, Some(&argc)) = (self.world.is_main(), params.first()) {
            // `argc` is not negative: C17 5.1.2.2.1.
            let argc = self.operand(&mut flow, Operand::Value(argc));
            let zero = self.terms.constant(self.terms.width(argc), 0);
            let counts = self.terms.sle(zero, argc);
            flow.state.path.define(&self.terms, counts);
            let _ = flow.state.path.know(&mut self.terms, counts);
        }
        self.presume_tables(&mut flow);
        flow
    }

    /// Memory of the caller that holds addresses of functions, if it is known to.
    fn presume_tables(&mut self, flow: &mut Flow) {
        let params = self.body.blocks[Body::ENTRY].params.clone();
        for &(param, offset, function) in &self.how.functions {
            let (Some(offset), Some(&param)) = (offset, params.get(param as usize)) else { continue };
            let base = self.operand(flow, Operand::Value(param));
            let bytes = self.pointer_bits / 8;
            let extent = (offset, offset + i64::from(bytes));
            let access = flow.state.access(self.here(), heap::AccessKind::Read, extent);
            let block = match flow.state.block_at(base) {
                Some(block) => Some(block),
                None => self.abduce_block(&mut flow.state, base, &access),
            };
            let Some(block) = block else { continue };
            let value = self.symbol(&mut flow.state, VarRole::Function(function));
            let cell = heap::Cell { place: heap::Place::at(offset), bytes, value };
            flow.state.touch(block, &access);
            flow.state.block_mut(block).cells.push(cell);
            flow.state.block_mut(block).cells.sort_by_key(|cell| cell.place);
            if let Some(pre) = flow.state.pre_mut(block) {
                pre.cells.push(cell);
            }
        }
    }

    fn work(&mut self, pending: &mut Pending) {
        while let Some(((place, block), flows)) = pending.pop_first() {
            self.place = place;
            self.weigh(&flows);
            if !self.has_room(pending) {
                flows.into_iter().for_each(|flow| self.keep_beginning(flow.state));
                return;
            }
            let flows = select::merge(self, block, flows);
            let mut flows = self.leave_loop(block, flows);
            for flow in &mut flows {
                self.check_lost(flow, block);
            }
            if flows.len() > self.n_followed() {
                flows = select::merge_visible(self, block, flows);
            }
            // A path that ends here costs nothing more.
            let ends = matches!(self.body.blocks[block].term, ir::Terminator::Return { .. })
                && self.body.blocks[block].insts.is_empty();
            let flows = if ends { flows } else { self.limit(flows) };
            self.block(block, flows, pending);
        }
    }

    /// How many paths are followed: fewer when the budget shrinks, because it is better to follow some to their end than many halfway.
    /// Half of the budget is released on the way to the end, lest a loop at the beginning takes all.
    fn n_followed(&self) -> usize {
        let last = self.graph.cfg.reverse_postorder().len().max(2) - 1;
        let released = limits::SPLIT_STEPS / 2 * (last + self.place.min(last)) / last;
        match self.steps * 8 / released {
            0 | 1 => self.options.width,
            2 | 3 => self.options.width.min(8),
            4 | 5 => self.options.width.min(3),
            _ => 1,
        }
    }

    /// At most as many paths as are followed.
    pub(crate) fn limit(&mut self, flows: Vec<Flow>) -> Vec<Flow> {
        let width = self.n_followed();
        if flows.len() <= width {
            return flows;
        }
        self.stop(Stopped::Width);
        select::most_different(self, flows, width)
    }

    /// Executes a block on all paths that have come to it.
    fn block(&mut self, block: BlockId, mut flows: Vec<Flow>, pending: &mut Pending) {
        let body = self.body;
        for &inst in &body.blocks[block].insts {
            self.go_to(body.insts[inst].loc);
            flows = self.inst(flows, inst);
            self.weigh(&flows);
            if flows.is_empty() {
                return;
            }
            if !self.has_room(pending) {
                return flows.into_iter().for_each(|flow| self.keep_beginning(flow.state));
            }
        }
        self.go_to(body.blocks[block].term_loc);
        for flow in flows {
            self.terminator(block, flow, pending);
        }
    }

    fn inst(&mut self, flows: Vec<Flow>, inst: InstId) -> Vec<Flow> {
        if self.has_poison && self.uses_poison(inst) {
            flows.into_iter().for_each(|flow| self.keep_beginning(flow.state));
            return Vec::new();
        }
        let mut next = Vec::with_capacity(flows.len());
        // Twice as many as can stay, so that there is something to choose from. When only one can, the first is taken.
        self.share = match self.n_followed() {
            1 => 1,
            width => (2 * width).div_ceil(flows.len()).max(2),
        };
        for flow in flows {
            self.steps += 1;
            if self.steps > limits::SPLIT_STEPS {
                self.give_up(flow.state, Stopped::Steps);
                continue;
            }
            self.step(flow, inst, &mut next);
        }
        self.limit(next)
    }

    /// Whether an instruction computes with the result of an undefined operation: C says nothing about the path from here on.
    fn uses_poison(&self, inst: InstId) -> bool {
        let mut uses = false;
        self.body.each_operand(inst, |operand| uses |= self.is_poison(operand));
        uses && !matches!(self.body.insts[inst].inst, Inst::Assign { .. })
    }

    fn is_poison(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Const(it) if matches!(self.body.consts[it], Const::Poison(_)))
    }

    fn terminator(&mut self, block: BlockId, mut flow: Flow, pending: &mut Pending) {
        let body = self.body;
        if let Terminator::Branch { cond: tested, .. } | Terminator::Switch { value: tested, .. } =
            &body.blocks[block].term
            && self.is_poison(*tested)
        {
            return self.keep_beginning(flow.state);
        }
        match &body.blocks[block].term {
            Terminator::Jump(target) => self.go(block, flow, target, pending),
            Terminator::Branch { cond, on_true, on_false } => {
                let term = self.operand(&mut flow, *cond);
                let made = self.here();
                if !self.check_defined(&flow.state, term, &made, "in a condition") {
                    return;
                }
                let negation = self.terms.not(term);
                let sides = [(term, on_true), (negation, on_false)];
                match self.unasked(&flow, block, (term, sides)) {
                    Some(side) => self.fork(block, flow, &[side], pending),
                    None => self.fork(block, flow, &sides, pending),
                }
            }
            Terminator::Switch { value, cases, default } => {
                let term = self.operand(&mut flow, *value);
                let made = self.here();
                if !self.check_defined(&flow.state, term, &made, "in a switch") {
                    return;
                }
                let mut none = self.terms.yes();
                let mut sides = Vec::with_capacity(cases.len() + 1);
                for (constant, target) in cases {
                    let constant = self.operand(&mut flow, Operand::Const(*constant));
                    let equal = self.terms.eq(term, constant);
                    let differs = self.terms.not(equal);
                    none = self.terms.and(none, differs);
                    sides.push((equal, target));
                }
                sides.push((none, default));
                self.fork(block, flow, &sides, pending);
            }
            Terminator::IndirectJump { address, targets } => {
                self.jump(block, flow, (*address, targets), pending)
            }
            Terminator::Return { values } => {
                let results = values.iter().map(|&value| self.operand(&mut flow, value)).collect();
                self.returned(flow, results);
            }
            Terminator::Unreachable { cause } => match cause {
                UnreachableCause::NoReturn | UnreachableCause::Trap => self.end_program(flow),
                // Coming here is undefined, or an exception: no claim is made.
                UnreachableCause::Undefined | UnreachableCause::Unwind => self.keep_beginning(flow.state),
            },
        }
    }

    /// All sides of a branch that are possible. If only one is, nothing is decided.
    fn fork(&mut self, from: BlockId, flow: Flow, sides: &[(TermId, &Target)], pending: &mut Pending) {
        let mut possible: Vec<(Flow, &Target)> = Vec::with_capacity(sides.len().min(FEW_SIDES));
        for &(term, target) in sides {
            self.note_way_out(from, target.block, term);
            if self.terms.value(term) == Some(0) {
                continue;
            }
            let mut side = flow.clone();
            side.tested = Some(term);
            let reason = self.reason(&side, (from, target.block), term);
            if self.assume(&mut side, term, reason) {
                possible.push((side, target));
            }
            if possible.len() % FEW_SIDES == FEW_SIDES - 1 && !self.has_room_for(&possible, pending) {
                return self.keep_beginning(flow.state);
            }
        }
        if let [(side, target)] = &possible[..] {
            let mut only = flow;
            only.tested = side.tested;
            return self.go(from, only, target, pending);
        }
        for (side, target) in possible {
            self.go(from, side, target, pending);
        }
    }

    /// Assumes a condition at the present place. `false`: the path ends, because it contradicts.
    pub(crate) fn assume(&mut self, flow: &mut Flow, term: TermId, reason: Reason) -> bool {
        let condition = Condition { term, made: self.here(), reason };
        flow.state.assume(&mut self.terms, condition) && self.is_apart(&flow.state, term)
    }

    /// Two addresses of different blocks are not equal: the path cannot say so.
    fn is_apart(&mut self, state: &heap::State, term: TermId) -> bool {
        let term::Node::Binary(term::Binary::Eq, a, b) = self.terms.node(term) else { return true };
        if self.terms.width(a) != self.pointer_bits {
            return true;
        }
        let block = |engine: &Engine<'_>, term: TermId| {
            let linear = engine.terms.linear(term);
            let base = linear.monomials.iter().find_map(|it| state.block_at(it.base))?;
            (linear.monomials.len() == 1).then_some((base, linear.constant as i64))
        };
        let (Some((a, at_a)), Some((b, at_b))) = (block(self, a), block(self, b)) else { return true };
        a == b || !self.is_inside(state, a, at_a) || !self.is_inside(state, b, at_b)
    }

    fn is_inside(&self, state: &heap::State, block: heap::BlockId, offset: i64) -> bool {
        let data = state.block(block);
        let end = match (data.size.and_then(|size| self.terms.value(size)), state.pre_of(block)) {
            (Some(size), _) => size as i64,
            (None, Some(pre)) => pre.extent.1,
            (None, None) => 1,
        };
        data.status.is_allocated() && offset >= 0 && offset < end.max(1)
    }

    fn jump(
        &mut self,
        block: BlockId,
        mut flow: Flow,
        (address, targets): (Operand, &[Target]),
        pending: &mut Pending,
    ) {
        let term = self.operand(&mut flow, address);
        let mut sides = Vec::with_capacity(targets.len());
        for target in targets {
            let label = self.label(target.block);
            sides.push((self.terms.eq(term, label), target));
        }
        self.fork(block, flow, &sides, pending);
    }

    /// Goes on at a block.
    fn go(&mut self, from: BlockId, mut flow: Flow, target: &Target, pending: &mut Pending) {
        let to = target.block;
        let args: Vec<TermId> = target.args.iter().map(|&arg| self.operand(&mut flow, arg)).collect();
        for (&param, term) in self.body.blocks[to].params.iter().zip(args) {
            flow.set(param, term);
            if self.body.values[param].ty == ir::Type::Ptr && self.as_var(term).is_some() {
                self.pointers.insert(term);
            }
        }
        let position = (self.graph.position(to), to);
        if self.goes_round_for_certain(from, to, &mut flow) {
            return pending.push(position, flow);
        }
        if flow.round(to).is_none() && self.graph.back_edge(from, to).is_some() {
            let mut over = flow.clone();
            over.set_round(to, Round::Over);
            pending.push(position, over);
        }
        if self.count_round(from, to, &mut flow) {
            pending.push(position, flow);
        }
    }

    /// Whether a path goes back to the head of a loop after a round in which nothing was decided: no other way is possible, so it is followed further.
    fn goes_round_for_certain(&self, from: BlockId, to: BlockId, flow: &mut Flow) -> bool {
        if !self.graph.goes_back(from, to) || matches!(flow.round(to), Some(Round::Over | Round::Last)) {
            return false;
        }
        let n_conditions = flow.state.path.conditions.len();
        let lap = flow.lap(to);
        let is_certain = lap.n_conditions == n_conditions
            && lap.n_certain < limits::SPLIT_CERTAIN_ROUNDS
            && self.steps < limits::SPLIT_STEPS / 2;
        lap.n_conditions = n_conditions;
        lap.n_certain += u32::from(is_certain);
        is_certain
    }

    /// Counts how often the path went back to the head of a loop. `false`: often enough.
    fn count_round(&mut self, from: BlockId, to: BlockId, flow: &mut Flow) -> bool {
        if !self.graph.goes_back(from, to) {
            flow.laps.retain(|lap| {
                self.graph.loops.with_header(lap.header).is_none_or(|id| self.graph.loops.contains(id, to))
                    && lap.header != to
            });
            if self.graph.loops.with_header(to).is_some() {
                flow.lap(to);
            }
            return true;
        }
        let number = match flow.round(to) {
            None => 1,
            Some(Round::Number(number)) => number + 1,
            Some(Round::Over | Round::Last) => u32::MAX,
        };
        if number > self.options.unroll {
            self.stop(Stopped::Unroll);
            return false;
        }
        flow.set_round(to, Round::Number(number));
        true
    }

    /// The program ends here, as it should.
    pub(crate) fn end_program(&mut self, flow: Flow) {
        if self.ended.iter().filter(|it| matches!(it.how, How::NoReturn)).count() >= limits::SPLIT_CUTS {
            return;
        }
        self.ended.push(Ended { state: flow.state, results: Vec::new(), how: How::NoReturn });
    }

    /// A path is not followed further.
    pub(crate) fn give_up(&mut self, state: State, why: Stopped) {
        self.stop(why);
        self.keep_beginning(state);
    }

    /// Nothing is said about the end of a path. What it needed so far is kept: callers that do not provide it fail.
    pub(crate) fn keep_beginning(&mut self, state: State) {
        if self.given_up.len() < limits::SPLIT_CUTS && state.pre().len() > 0 {
            self.given_up.push(Ended { state, results: Vec::new(), how: How::Cut });
        }
    }

    /// Works with an arena that was taken out while triples are applied.
    pub(crate) fn with_arena<R>(&mut self, terms: &mut Terms, work: impl FnOnce(&mut Self) -> R) -> R {
        std::mem::swap(terms, &mut self.terms);
        let result = work(self);
        std::mem::swap(terms, &mut self.terms);
        result
    }

    pub(crate) fn stop(&mut self, why: Stopped) {
        *self.stopped.entry(why).or_default() += 1;
    }

    pub(crate) fn go_to(&mut self, loc: LocId) {
        self.at = Site { function: self.key, place: loc.index() as u32 };
    }

    /// The present place.
    pub(crate) fn here(&self) -> Made {
        Made::here(self.at)
    }
}
