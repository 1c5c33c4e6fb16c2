//! Making the loop-free form: copies are made as the entry reaches them, and numbered when all are there.

use base::Id;
use ir::{BlockId, Body, Inst, LoopId, Loops};
use rustc_hash::FxHashMap;

use crate::copies::{Dest, Index, Node, Phase, Phases, Way};

/// The copies of a body and their numbers. Loops that are nested deeper than `unrolled` are one copy.
///
/// None: they are more than `most`.
pub(crate) fn build(
    body: &Body,
    loops: &Loops,
    unrolled: u32,
    must_leave: &dyn Fn(&Loops, LoopId) -> bool,
    most: usize,
) -> Option<(Vec<Node>, Index)> {
    let loop_of = |(id, _)| Leaving::new(body, loops, id, must_leave);
    let leaving = loops.iter().map(|it| (it.0, loop_of(it))).collect();
    let (nodes, index) = (Vec::new(), Index::default());
    let mut builder = Builder { body, loops, unrolled, leaving, most, nodes, index };
    let order = builder.build()?;
    Some(builder.renumbered(&order))
}

/// How a loop is left.
struct Leaving {
    /// Whether running for ever in it is no normal end.
    is_must: bool,
    /// By block of the body: whether it is in the loop, and an execution may leave the loop from there, or
    /// end or stay there for ever as is meant, without beginning another iteration.
    may: Vec<bool>,
}

impl Leaving {
    fn new(body: &Body, loops: &Loops, id: LoopId, must_leave: &dyn Fn(&Loops, LoopId) -> bool) -> Leaving {
        let is_call = |block: BlockId| {
            let mut insts = body.blocks[block].insts.iter();
            insts.any(|&inst| matches!(body.insts[inst].inst, Inst::Call { .. }))
        };
        let inner = |block: BlockId, to: BlockId| {
            loops.with_header(to).filter(|&it| it != id && loops.contains(it, block))
        };
        let header = loops.get(id).header;
        let mut may = vec![false; body.blocks.len()];
        loop {
            let mut is_new = false;
            for &block in loops.blocks(id).iter().filter(|it| !may[it.index()]).collect::<Vec<_>>() {
                let mut targets = body.blocks[block].term.targets().map(|it| it.block);
                let leads = |to: BlockId| {
                    !loops.contains(id, to)
                        || to != header && may[to.index()]
                        || inner(block, to).is_some_and(|it| !must_leave(loops, it))
                };
                if is_call(block) || targets.any(leads) {
                    may[block.index()] = true;
                    is_new = true;
                }
            }
            if !is_new {
                return Leaving { is_must: must_leave(loops, id), may };
            }
        }
    }
}

struct Builder<'b> {
    body: &'b Body,
    loops: &'b Loops,
    unrolled: u32,
    leaving: FxHashMap<LoopId, Leaving>,
    /// Copies that there may be.
    most: usize,
    nodes: Vec<Node>,
    index: Index,
}

impl Builder<'_> {
    /// Makes all nodes that the entry reaches; returns them in reverse postorder.
    fn build(&mut self) -> Option<Vec<usize>> {
        let phases = self.entering(Body::ENTRY, &Phases::new());
        let entry = self.node(Body::ENTRY, phases);
        let mut stack = vec![(entry, 0)];
        let mut order = Vec::new();
        while let Some((node, done)) = stack.last_mut() {
            let (node, at) = (*node, *done);
            *done += 1;
            if at == 0 {
                self.leave(node);
                if self.nodes.len() > self.most {
                    return None;
                }
            }
            match self.nodes[node].ways.get(at) {
                None => {
                    order.push(node);
                    stack.pop();
                }
                Some(&Way { to: Dest::Node(next), .. }) if !self.is_begun(next) => {
                    self.nodes[next].preds.push((usize::MAX, 0));
                    stack.push((next, 0));
                }
                Some(_) => {}
            }
        }
        order.reverse();
        Some(order)
    }

    /// Whether a node is on the stack or done. Until the end, that is what `preds` says.
    fn is_begun(&self, node: usize) -> bool {
        !self.nodes[node].preds.is_empty()
    }

    fn node(&mut self, block: BlockId, phases: Phases) -> usize {
        if let Some(&known) = self.index.get(&(block, phases.clone())) {
            return known;
        }
        let id = self.nodes.len();
        let header = self.loops.with_header(block);
        let is_exact = matches!(phases.last(), Some(Phase::First | Phase::Exit));
        let havoc = header.filter(|_| !is_exact);
        self.index.insert((block, phases.clone()), id);
        self.nodes.push(Node { block, phases, havoc, ways: Vec::new(), preds: Vec::new() });
        id
    }

    /// The phases at a block that is entered with these phases around it.
    fn entering(&self, block: BlockId, around: &Phases) -> Phases {
        let mut phases = around.clone();
        if let Some(id) = self.loops.with_header(block) {
            let is_unrolled = self.loops.get(id).depth <= self.unrolled;
            phases.push(if is_unrolled { Phase::First } else { Phase::Any });
        }
        phases
    }

    /// Makes the ways out of a node.
    fn leave(&mut self, node: usize) {
        let (block, phases) = (self.nodes[node].block, self.nodes[node].phases.clone());
        let targets: Vec<BlockId> = self.body.blocks[block].term.targets().map(|it| it.block).collect();
        let mut ways = Vec::new();
        for (target, to) in targets.into_iter().enumerate() {
            let back = self.loops.with_header(to).filter(|&id| self.loops.contains(id, block));
            match back {
                Some(id) => self.again(id, to, target, &phases, &mut ways),
                None if self.is_left_too_early(block, to, &phases) => {}
                None => {
                    let to = match self.is_too_late(block, to, &phases) {
                        Some(id) => self.after_last(id),
                        None => Dest::Node(self.enter(to, &phases)),
                    };
                    ways.push(Way { target, to, choice: None });
                }
            }
        }
        self.nodes[node].ways = ways;
    }

    /// The copy of a block that is entered from a copy in these phases: loops are left, and then one may be entered.
    fn enter(&mut self, to: BlockId, phases: &Phases) -> usize {
        let around = self.loops.depth(to) as usize - usize::from(self.loops.with_header(to).is_some());
        let entered = self.entering(to, &phases[..around].into());
        self.node(to, entered)
    }

    /// Whether a way leaves a loop in an iteration behind which another one comes.
    fn is_left_too_early(&self, block: BlockId, to: BlockId, phases: &Phases) -> bool {
        let mut around = self.loops.innermost(block);
        while let Some(id) = around.filter(|&id| !self.loops.contains(id, to)) {
            let data = self.loops.get(id);
            if matches!(phases[data.depth as usize - 1], Phase::Arbitrary | Phase::Last) {
                return true;
            }
            around = data.parent;
        }
        false
    }

    /// The loop that is not left any more from a block in these phases, though this is the iteration in which it is left.
    fn is_too_late(&self, block: BlockId, to: BlockId, phases: &Phases) -> Option<LoopId> {
        let mut around = self.loops.innermost(to);
        while let Some(id) = around {
            let data = self.loops.get(id);
            let is_exit = self.loops.contains(id, block) && phases[data.depth as usize - 1] == Phase::Exit;
            if is_exit && !self.leaving[&id].may[to.index()] {
                return Some(id);
            }
            around = data.parent;
        }
        None
    }

    /// Where it leads to begin another iteration after the last one.
    fn after_last(&self, id: LoopId) -> Dest {
        if self.leaving[&id].is_must { Dest::Never(id) } else { Dest::Anything }
    }

    /// A back edge of a loop.
    fn again(&mut self, id: LoopId, header: BlockId, target: usize, phases: &Phases, ways: &mut Vec<Way>) {
        let depth = self.loops.get(id).depth as usize;
        let mut later = |phase: Phase, choice: Option<usize>| {
            let mut phases: Phases = phases[..depth].into();
            phases[depth - 1] = phase;
            Way { target, to: Dest::Node(self.node(header, phases)), choice }
        };
        match phases[depth - 1] {
            Phase::First => {
                ways.push(later(Phase::Arbitrary, Some(0)));
                ways.push(later(Phase::Last, Some(1)));
                ways.push(later(Phase::Exit, Some(2)));
            }
            Phase::Arbitrary => ways.push(later(Phase::Last, None)),
            Phase::Last => ways.push(later(Phase::Exit, None)),
            Phase::Exit => ways.push(Way { target, to: self.after_last(id), choice: None }),
            Phase::Any => ways.push(Way { target, to: Dest::Anything, choice: None }),
        }
    }

    /// The nodes in that order, with who comes to each.
    fn renumbered(self, order: &[usize]) -> (Vec<Node>, Index) {
        let mut new = vec![usize::MAX; self.nodes.len()];
        order.iter().enumerate().for_each(|(at, &old)| new[old] = at);
        let mut old: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        let mut nodes: Vec<Node> = order.iter().filter_map(|&at| old[at].take()).collect();
        let mut preds = vec![Vec::new(); nodes.len()];
        for (at, node) in nodes.iter_mut().enumerate() {
            for (number, way) in node.ways.iter_mut().enumerate() {
                if let Dest::Node(to) = &mut way.to {
                    *to = new[*to];
                    preds[*to].push((at, number));
                }
            }
        }
        for (node, preds) in nodes.iter_mut().zip(preds) {
            node.preds = preds;
        }
        let index = nodes.iter().enumerate().map(|(at, it)| ((it.block, it.phases.clone()), at)).collect();
        (nodes, index)
    }
}
