//! The loop-free form: copies of blocks for the first, an arbitrary and the last iteration of each loop.
//!
//! ```text
//! before ─▶ first ──▶ arbitrary ──▶ last        each back edge goes on to a later copy of its header;
//!             │ └───────────────────▲ │         what the loop changes is forgotten on the way;
//!             ▼          ▼            ▼         the back edges of the last copy go nowhere
//!                      behind
//! ```
//!
//! Law: for every normally ending execution, and every block that it passes, there is a path here that agrees
//! with the execution in all that is not forgotten, ends normally, and passes a copy of that block. (Its
//! iteration with the block is the arbitrary one, unless it is the first or the last.)
//! Source: Hoenicke et al., §5 (loop-free form by havoc of the loop targets) and §7 (first, arbitrary, last).
//! Departures: (1) the paper judges only the first block of an unrolled iteration; here all copies of a block
//! stand for that block, and are judged together, which is sound by the law above and loses nothing. (2)
//! Where copies would be too many, a loop is one havoced copy, whose back edges count as a normal end. (3)
//! The back edges of the last copy are *never taken* only for loops that must be left, of which the caller
//! knows that running for ever is no normal end; otherwise they, too, are a normal end.

use base::{Id, limits};
use ir::{BlockId, Body, Cfg, Dominators, InstId, LoopId, Loops};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::builder;

/// The loop-free form of a body.
///
/// Law: all ways go up, from a node to one with a greater number; the first node is the entry.
#[derive(Debug)]
pub struct Copies {
    /// The copies of blocks that the entry reaches.
    pub nodes: Vec<Node>,
    /// The loops of the body.
    pub loops: Loops,
    /// The control flow of the body.
    pub cfg: Cfg,
    /// The dominators of the body; those of its loop-free form are in [`Order`](crate::Order).
    pub dominators: Dominators,
    /// By instruction: its block.
    blocks: Vec<BlockId>,
    index: Index,
}

/// A copy of a block.
#[derive(Debug)]
pub struct Node {
    /// The block.
    pub block: BlockId,
    pub(crate) phases: Phases,
    /// The loop whose header this is, if what that loop changes is forgotten here.
    pub havoc: Option<LoopId>,
    /// The ways out of it, in the order of targets.
    pub ways: Vec<Way>,
    /// Who comes here: node, and position of the way in it.
    pub preds: Vec<(usize, usize)>,
}

/// A way out of a copy.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The position among the targets of the terminator.
    pub target: usize,
    /// Where it leads.
    pub to: Dest,
    /// Two ways stand for one target; this one is taken if the choice of the node is so.
    pub choice: Option<bool>,
}

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dest {
    /// To the node of that number.
    Node(usize),
    /// Into iterations that are not followed: anything may happen, a normal end included.
    Anything,
    /// Into an iteration after the last one.
    Never(LoopId),
}

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

/// The number of each copy.
pub(crate) type Index = FxHashMap<(BlockId, Phases), usize>;

impl Copies {
    /// The form with a first, an arbitrary and a last iteration of each loop, as far as copies are not too
    /// many.
    ///
    /// `must_leave` says for which loops the back edges of the last iteration are never taken.
    /// None: the graph is not reducible, or too large.
    pub fn of_three_rounds(body: &Body, must_leave: &dyn Fn(&Loops, LoopId) -> bool) -> Option<Copies> {
        Copies::new(body, must_leave, unrolled)
    }

    /// The form in which each loop is one copy that stands for any of its iterations.
    ///
    /// None: the graph is not reducible, or too large.
    pub fn of_one_round(body: &Body) -> Option<Copies> {
        Copies::new(body, &|_, _| false, |_, _| 0)
    }

    fn new(
        body: &Body,
        must_leave: &dyn Fn(&Loops, LoopId) -> bool,
        unrolled: fn(&Cfg, &Loops) -> u32,
    ) -> Option<Copies> {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        if !loops.irreducible().is_empty() || cfg.reverse_postorder().len() > limits::UNFOLDED_BLOCKS {
            return None;
        }
        let (nodes, index) = builder::build(body, &loops, unrolled(&cfg, &loops), must_leave);
        let mut blocks = vec![Body::ENTRY; body.insts.len()];
        for (block, data) in body.blocks.iter_ids() {
            data.insts.iter().for_each(|inst| blocks[inst.index()] = block);
        }
        Some(Copies { nodes, loops, cfg, dominators, blocks, index })
    }

    /// The block of an instruction.
    pub fn block_of(&self, inst: InstId) -> BlockId {
        self.blocks[inst.index()]
    }

    /// The copy of `block` that every way to `node` passed last, if there is one for all ways.
    pub fn copy_before(&self, block: BlockId, node: usize) -> Option<usize> {
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
    (0..=deepest.min(3)).rev().find(|&depth| copies(depth) <= limits::UNFOLDED_COPIES).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copies(text: &str, must_leave: bool) -> (Copies, usize) {
        let module = ir::parse(text).expect("the test is IR");
        let body = module.functions[ir::FuncId::FIRST].body.as_ref().expect("the test has a body");
        let copies = Copies::of_three_rounds(body, &|_, _| must_leave).expect("the graph is small");
        (copies, body.blocks.len())
    }

    const LOOP: &str = "func @f(i32) -> () {\nb0(v0: i32):\n  jump b1(v0)\nb1(v1: i32):\n  v2: i1 = cmp sgt v1, i32 0\n  \
                        branch v2 ? b2 : b3\nb2:\n  v3: i32 = sub v1, i32 1\n  jump b1(v3)\nb3:\n  return\n}\n";

    /// How many ways lead to such a place.
    fn n_ways(copies: &Copies, is_it: impl Fn(Dest) -> bool) -> usize {
        copies.nodes.iter().flat_map(|it| &it.ways).filter(|it| is_it(it.to)).count()
    }

    #[test]
    fn a_loop_has_three_copies_and_all_ways_go_up() {
        let (copies, n_blocks) = copies(LOOP, true);
        assert_eq!((n_blocks, copies.nodes.len()), (4, 2 + 3 * 2));
        for (at, node) in copies.nodes.iter().enumerate() {
            for way in &node.ways {
                assert!(!matches!(way.to, Dest::Node(to) if to <= at), "{node:?}");
            }
        }
        let nowhere = n_ways(&copies, |to| matches!(to, Dest::Never(_)));
        assert_eq!(nowhere, 1, "only the last iteration cannot go on");
    }

    #[test]
    fn what_the_loop_changes_is_forgotten_after_the_first_iteration() {
        let (copies, _) = copies(LOOP, true);
        let havoced: Vec<Phase> =
            copies.nodes.iter().filter(|it| it.havoc.is_some()).map(|it| it.phases[0]).collect();
        assert_eq!(havoced, [Phase::Arbitrary, Phase::Last]);
    }

    #[test]
    fn the_last_iteration_is_the_second_or_a_later_one() {
        let (copies, _) = copies(LOOP, true);
        let is_last = |it: &&Node| it.havoc.is_some() && it.phases[0] == Phase::Last;
        let last = copies.nodes.iter().find(is_last).expect("the loop has a last iteration");
        let before: Vec<Phase> = last.preds.iter().map(|it| copies.nodes[it.0].phases[0]).collect();
        assert_eq!(before, [Phase::First, Phase::Arbitrary]);
    }

    #[test]
    fn a_loop_that_need_not_be_left_may_run_on() {
        let (copies, _) = copies(LOOP, false);
        assert_eq!(n_ways(&copies, |to| matches!(to, Dest::Never(_))), 0);
        assert_eq!(n_ways(&copies, |to| to == Dest::Anything), 1);
    }

    #[test]
    fn in_one_round_nothing_is_copied() {
        let module = ir::parse(LOOP).expect("the test is IR");
        let body = module.functions[ir::FuncId::FIRST].body.as_ref().expect("the test has a body");
        let copies = Copies::of_one_round(body).expect("the graph is small");
        assert_eq!(copies.nodes.len(), body.blocks.len());
        assert_eq!(n_ways(&copies, |to| to == Dest::Anything), 1);
    }
}
