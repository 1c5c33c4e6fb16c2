//! Making the loop-free form: copies are made as the entry reaches them, and numbered when all are there.

use ir::{BlockId, Body, LoopId, Loops};

use crate::copies::{Dest, Index, Node, Phase, Phases, Way};

/// The copies of a body and their numbers. Loops that are nested deeper than `unrolled` are one copy.
pub(crate) fn build(
    body: &Body,
    loops: &Loops,
    unrolled: u32,
    must_leave: &dyn Fn(&Loops, LoopId) -> bool,
) -> (Vec<Node>, Index) {
    let (nodes, index) = (Vec::new(), Index::default());
    let mut builder = Builder { body, loops, unrolled, must_leave, nodes, index };
    let order = builder.build();
    builder.renumbered(&order)
}

struct Builder<'b> {
    body: &'b Body,
    loops: &'b Loops,
    unrolled: u32,
    must_leave: &'b dyn Fn(&Loops, LoopId) -> bool,
    nodes: Vec<Node>,
    index: Index,
}

impl Builder<'_> {
    /// Makes all nodes that the entry reaches; returns them in reverse postorder.
    fn build(&mut self) -> Vec<usize> {
        let phases = self.entering(Body::ENTRY, &Phases::new());
        let entry = self.node(Body::ENTRY, phases);
        let mut stack = vec![(entry, 0)];
        let mut order = Vec::new();
        while let Some((node, done)) = stack.last_mut() {
            let (node, at) = (*node, *done);
            *done += 1;
            if at == 0 {
                self.leave(node);
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
        order
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
        let havoc = header.filter(|_| phases.last() != Some(&Phase::First));
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
                None => {
                    // Loops that are left, then the loop that is entered, if any.
                    let around =
                        self.loops.depth(to) as usize - usize::from(self.loops.with_header(to).is_some());
                    let entered = self.entering(to, &phases[..around].into());
                    let to = Dest::Node(self.node(to, entered));
                    ways.push(Way { target, to, choice: None });
                }
            }
        }
        self.nodes[node].ways = ways;
    }

    /// A back edge of a loop.
    fn again(&mut self, id: LoopId, header: BlockId, target: usize, phases: &Phases, ways: &mut Vec<Way>) {
        let depth = self.loops.get(id).depth as usize;
        let mut later = |phase: Phase, choice: Option<bool>| {
            let mut phases: Phases = phases[..depth].into();
            phases[depth - 1] = phase;
            Way { target, to: Dest::Node(self.node(header, phases)), choice }
        };
        match phases[depth - 1] {
            Phase::First => {
                ways.push(later(Phase::Arbitrary, Some(true)));
                ways.push(later(Phase::Last, Some(false)));
            }
            Phase::Arbitrary => ways.push(later(Phase::Last, None)),
            Phase::Last if (self.must_leave)(self.loops, id) => {
                ways.push(Way { target, to: Dest::Never(id), choice: None });
            }
            Phase::Last | Phase::Any => ways.push(Way { target, to: Dest::Anything, choice: None }),
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
