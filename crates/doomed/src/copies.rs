//! The loop-free form: copies of blocks for the first, an arbitrary and the last iteration of each loop.
//!
//! ```text
//! before ─▶ first ──▶ arbitrary ──▶ last        each back edge goes on to a later copy of its header;
//!             │ └───────────────────▲ │         what the loop changes is forgotten on the way;
//!             ▼          ▼            ▼         the back edges of the last copy go nowhere
//!                      behind
//! ```
//!
//! Law: for every normally ending execution, and every block that it passes, there is a path here that agrees with the execution in all
//! that is not forgotten, ends normally, and passes a copy of that block. (Its iteration with the block is the arbitrary one, unless it is the first or the last.)
//! Source: Hoenicke et al., §5 (loop-free form by havoc of the loop targets) and §7 (first, arbitrary, last).
//! Departures: (1) the paper judges only the first block of an unrolled iteration; here the copies of a block are judged together, as one point, which is
//! sound by the law above and loses nothing. (2) Where copies would be too many, a loop is one havoced copy, whose back edges count as a normal end. (3) The back edges of the last copy are
//! *never taken* only for loops whose non-termination is an error ([`crate::endless`]); otherwise they, too, are a normal end.

use base::{Id, limits};
use ir::{BlockId, Body, Cfg, Dominators, LoopId, Loops};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Which iteration of a loop a copy stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Phase {
    First,
    Arbitrary,
    Last,
    /// The only copy: any iteration.
    Any,
}

/// One phase for each loop around a block, outermost first.
pub(crate) type Phases = SmallVec<[Phase; 4]>;

/// A copy of a block.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) block: BlockId,
    pub(crate) phases: Phases,
    /// Whether it is a header at which what its loop changes is forgotten.
    pub(crate) havoc: Option<LoopId>,
    pub(crate) ways: Vec<Way>,
    /// Who comes here: node, and position of the way in it.
    pub(crate) preds: Vec<(usize, usize)>,
}

/// A way out of a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The position among the targets of the terminator.
    pub(crate) target: usize,
    pub(crate) to: Dest,
    /// Two ways stand for one target; this one is taken if the choice of the node is so.
    pub(crate) choice: Option<bool>,
}

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dest {
    Node(usize),
    /// Into iterations that are not followed: anything may happen, a normal end included.
    Anything,
    /// Into an iteration after the last one.
    Never(LoopId),
}

/// The loop-free form of a body. Nodes are numbered in an order in which all ways go up.
#[derive(Debug)]
pub(crate) struct Copies {
    pub(crate) nodes: Vec<Node>,
    pub(crate) loops: Loops,
    pub(crate) cfg: Cfg,
    pub(crate) dominators: Dominators,
    /// By instruction: its block.
    pub(crate) blocks: Vec<BlockId>,
    index: FxHashMap<(BlockId, Phases), usize>,
}

impl Copies {
    /// None: the graph is not reducible, or too large.
    pub(crate) fn new(
        body: &Body,
        is_endless_error: &dyn Fn(&Loops, LoopId) -> bool,
        whole: bool,
    ) -> Option<Copies> {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        if !loops.irreducible().is_empty() || cfg.reverse_postorder().len() > limits::DOOMED_BLOCKS {
            return None;
        }
        let unrolled = if whole { unrolled(&cfg, &loops) } else { 0 };
        let mut builder = Builder {
            body,
            loops: &loops,
            unrolled,
            is_endless_error,
            nodes: Vec::new(),
            index: FxHashMap::default(),
        };
        let order = builder.build();
        let (nodes, index) = builder.renumbered(&order);
        let mut blocks = vec![Body::ENTRY; body.insts.len()];
        for (block, data) in body.blocks.iter_ids() {
            data.insts.iter().for_each(|inst| blocks[inst.index()] = block);
        }
        Some(Copies { nodes, loops, cfg, dominators, blocks, index })
    }

    /// The copy of `block` that every way to `node` passed last, if there is one for all ways.
    pub(crate) fn copy_before(&self, block: BlockId, node: usize) -> Option<usize> {
        let here = &self.nodes[node];
        if let Some(id) = self.loops.innermost(block)
            && !self.loops.contains(id, here.block)
        {
            return None;
        }
        let depth = self.loops.depth(block) as usize;
        self.index.get(&(block, here.phases[..depth].into())).copied()
    }
}

/// The depth of loops up to which they are unrolled: the greatest for which copies are not too many.
fn unrolled(cfg: &Cfg, loops: &Loops) -> u32 {
    let deepest = loops.iter().map(|(_, it)| it.depth).max().unwrap_or(0);
    let copies = |depth: u32| -> usize {
        cfg.reverse_postorder().iter().map(|&it| 3_usize.saturating_pow(loops.depth(it).min(depth))).sum()
    };
    (0..=deepest.min(3)).rev().find(|&depth| copies(depth) <= limits::DOOMED_COPIES).unwrap_or(0)
}

struct Builder<'b> {
    body: &'b Body,
    loops: &'b Loops,
    unrolled: u32,
    is_endless_error: &'b dyn Fn(&Loops, LoopId) -> bool,
    nodes: Vec<Node>,
    index: FxHashMap<(BlockId, Phases), usize>,
}

impl Builder<'_> {
    /// Makes all nodes that the entry reaches; returns them in reverse postorder.
    fn build(&mut self) -> Vec<usize> {
        let phases = self.entering(Body::ENTRY, &Phases::new());
        let entry = self.node(Body::ENTRY, phases).0;
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

    fn node(&mut self, block: BlockId, phases: Phases) -> (usize, bool) {
        if let Some(&known) = self.index.get(&(block, phases.clone())) {
            return (known, false);
        }
        let id = self.nodes.len();
        let header = self.loops.with_header(block);
        let havoc = header.filter(|_| phases.last() != Some(&Phase::First));
        self.index.insert((block, phases.clone()), id);
        self.nodes.push(Node { block, phases, havoc, ways: Vec::new(), preds: Vec::new() });
        (id, true)
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
                    let to = Dest::Node(self.node(to, entered).0);
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
            Way { target, to: Dest::Node(self.node(header, phases).0), choice }
        };
        match phases[depth - 1] {
            Phase::First => {
                ways.push(later(Phase::Arbitrary, Some(true)));
                ways.push(later(Phase::Last, Some(false)));
            }
            Phase::Arbitrary => ways.push(later(Phase::Last, None)),
            Phase::Last if (self.is_endless_error)(self.loops, id) => {
                ways.push(Way { target, to: Dest::Never(id), choice: None });
            }
            Phase::Last | Phase::Any => ways.push(Way { target, to: Dest::Anything, choice: None }),
        }
    }

    /// The nodes in that order, with who comes to each.
    fn renumbered(self, order: &[usize]) -> (Vec<Node>, FxHashMap<(BlockId, Phases), usize>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn copies(text: &str) -> (Copies, usize) {
        let module = ir::parse(text).expect("the test is IR");
        let body = module.functions[ir::FuncId::FIRST].body.as_ref().expect("the test has a body");
        let copies = Copies::new(body, &|_, _| true, true).expect("the graph is small");
        (copies, body.blocks.len())
    }

    const LOOP: &str = "func @f(i32) -> () {\nb0(v0: i32):\n  jump b1(v0)\nb1(v1: i32):\n  v2: i1 = cmp sgt v1, i32 0\n  \
                        branch v2 ? b2 : b3\nb2:\n  v3: i32 = sub v1, i32 1\n  jump b1(v3)\nb3:\n  return\n}\n";

    #[test]
    fn a_loop_has_three_copies_and_all_ways_go_up() {
        let (copies, n_blocks) = copies(LOOP);
        assert_eq!((n_blocks, copies.nodes.len()), (4, 2 + 3 * 2));
        for (at, node) in copies.nodes.iter().enumerate() {
            for way in &node.ways {
                assert!(!matches!(way.to, Dest::Node(to) if to <= at), "{node:?}");
            }
        }
        let nowhere =
            copies.nodes.iter().flat_map(|it| &it.ways).filter(|it| matches!(it.to, Dest::Never(_)));
        assert_eq!(nowhere.count(), 1, "only the last iteration cannot go on");
    }

    #[test]
    fn what_the_loop_changes_is_forgotten_after_the_first_iteration() {
        let (copies, _) = copies(LOOP);
        let havoced: Vec<Phase> =
            copies.nodes.iter().filter(|it| it.havoc.is_some()).map(|it| it.phases[0]).collect();
        assert_eq!(havoced, [Phase::Arbitrary, Phase::Last]);
    }
}
