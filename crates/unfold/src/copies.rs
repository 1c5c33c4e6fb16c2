//! The loop-free form: copies of blocks for the first, an arbitrary and the last iteration of each loop, and
//! for the pass in which it is left.
//!
//! ```text
//! before ─▶ first ──▶ arbitrary ──▶ last ──▶ exit     each back edge goes on to a later copy of its header;
//!             │ ├───────────────────▲ │        ▲ │     on the way to an arbitrary and to the last iteration,
//!             │ └─────────────────────┼────────┘ │     what the loop changes is forgotten; the back edges of
//!             ▼                       └── ∅      ▼     the exit go nowhere
//!                                      behind
//! ```
//!
//! An iteration begins at the header and ends with a back edge; whoever leaves the loop does so in a pass
//! that does not end with one. In `for (i = 0; i <= 10; i++) a[i] = i;` that is the test alone, and what it
//! sees is what the last iteration made: *body, then exit test*. In `do … while` it is the body and the test.
//! Loops are left from the first pass and from the exit only.
//!
//! Law: for every normally ending execution, and every block that it passes, there is a path here that agrees
//! with the execution in all that is not forgotten, ends normally, and passes a copy of that block. (Its
//! iteration with the block is the arbitrary one, unless it is the first, the one before the exit, or the
//! exit. An execution that does not leave the loop, because it ends or stays for ever in a loop inside,
//! does so in the first pass or in the exit.)
//! Source: Hoenicke et al., §5 (loop-free form by havoc of the loop targets) and §7 (first, arbitrary, last).
//! Departures: (1) the paper judges only the first block of an unrolled iteration; here all copies of a block
//! stand for that block, and are judged together, which is sound by the law above and loses nothing. (2)
//! Where copies would be too many, a loop is one havoced copy, whose back edges count as a normal end. (3)
//! The back edges of the exit are *never taken* only for loops that must be left, of which the caller
//! knows that running for ever is no normal end; otherwise they, too, are a normal end. (4) Of the exit, only
//! blocks are copied from which the loop can still be left.

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
    /// Several ways stand for one target; this one is taken if the choice of the node is this number.
    pub choice: Option<usize>,
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
    /// The last one that ends with a back edge.
    Last,
    /// The pass in which the loop is left, unless that is the first.
    Exit,
    /// The only copy: any iteration.
    Any,
}

/// One phase for each loop around a block, outermost first.
pub(crate) type Phases = SmallVec<[Phase; 4]>;

/// The number of each copy.
pub(crate) type Index = FxHashMap<(BlockId, Phases), usize>;

impl Copies {
    /// The form with a first, an arbitrary and a last iteration of each loop, and the pass in which it is
    /// left, as far as copies are not too many.
    ///
    /// `must_leave` says for which loops the back edges of that pass are never taken.
    /// None: the graph is not reducible, or too large.
    pub fn of_three_rounds(body: &Body, must_leave: &dyn Fn(&Loops, LoopId) -> bool) -> Option<Copies> {
        Copies::new(body, must_leave, UNROLLED)
    }

    /// The form in which each loop is one copy that stands for any of its iterations.
    ///
    /// None: the graph is not reducible, or too large.
    pub fn of_one_round(body: &Body) -> Option<Copies> {
        Copies::new(body, &|_, _| false, 0)
    }

    fn new(body: &Body, must_leave: &dyn Fn(&Loops, LoopId) -> bool, unrolled: u32) -> Option<Copies> {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        if !loops.irreducible().is_empty() || cfg.reverse_postorder().len() > limits::UNFOLDED_BLOCKS {
            return None;
        }
        let deepest = loops.iter().map(|(_, it)| it.depth).max().unwrap_or(0).min(unrolled);
        let build = |depth: u32| {
            // One copy of each block is what it takes at least.
            let most = if depth == 0 { usize::MAX } else { limits::UNFOLDED_COPIES };
            builder::build(body, &loops, depth, must_leave, most)
        };
        let (nodes, index) = (0..=deepest).rev().find_map(build)?;
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

/// The depth up to which nested loops are unrolled, if copies are not too many.
const UNROLLED: u32 = 3;

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
    fn a_loop_has_three_iterations_and_an_exit_and_all_ways_go_up() {
        let (copies, n_blocks) = copies(LOOP, true);
        // The exit is the header alone: from the body, the loop is not left any more.
        assert_eq!((n_blocks, copies.nodes.len()), (4, 2 + 3 * 2 + 1));
        for (at, node) in copies.nodes.iter().enumerate() {
            for way in &node.ways {
                assert!(!matches!(way.to, Dest::Node(to) if to <= at), "{node:?}");
            }
        }
        let nowhere = n_ways(&copies, |to| matches!(to, Dest::Never(_)));
        assert_eq!(nowhere, 1, "only the exit cannot go on");
    }

    #[test]
    fn what_the_loop_changes_is_forgotten_before_an_arbitrary_iteration_and_the_last_one() {
        let (copies, _) = copies(LOOP, true);
        let havoced: Vec<Phase> =
            copies.nodes.iter().filter(|it| it.havoc.is_some()).map(|it| it.phases[0]).collect();
        assert_eq!(havoced, [Phase::Arbitrary, Phase::Last]);
    }

    /// The phases from which that copy of the header is come to.
    fn before(copies: &Copies, phase: Phase) -> Vec<Phase> {
        let header = copies.loops.iter().next().expect("there is a loop").1.header;
        let is_it = |it: &&Node| it.block == header && it.phases[0] == phase;
        let node = copies.nodes.iter().find(is_it).expect("the header has such a copy");
        node.preds.iter().map(|it| copies.nodes[it.0].phases[0]).collect()
    }

    #[test]
    fn the_loop_is_left_from_the_first_pass_and_behind_a_last_iteration() {
        let (copies, _) = copies(LOOP, true);
        assert_eq!(before(&copies, Phase::Last), [Phase::First, Phase::Arbitrary]);
        assert_eq!(before(&copies, Phase::Exit), [Phase::First, Phase::Last]);
        let behind = copies.nodes.iter().find(|it| it.block.index() == 3).expect("there is a block behind");
        let left: Vec<Phase> = behind.preds.iter().map(|it| copies.nodes[it.0].phases[0]).collect();
        assert_eq!(left, [Phase::First, Phase::Exit]);
    }

    #[test]
    fn where_the_test_comes_last_the_exit_is_the_whole_body() {
        let text = "func @f(i32) -> () {\nb0(v0: i32):\n  jump b1(v0)\nb1(v1: i32):\n  v2: i32 = sub v1, i32 1\n  jump b2\n\
                    b2:\n  v3: i1 = cmp sgt v2, i32 0\n  branch v3 ? b1(v2) : b3\nb3:\n  return\n}\n";
        let (copies, _) = copies(text, true);
        assert_eq!(copies.nodes.len(), 2 + 4 * 2);
        assert_eq!(before(&copies, Phase::Exit), [Phase::First, Phase::Last]);
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
