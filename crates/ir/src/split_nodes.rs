//! Node splitting: copies blocks until every loop has one entry.
//!
//! ```text
//! if (c) goto middle;            b0 → b1, b2        b0 → b1, b2'
//! do { first();                  b1 → b2            b1 → b2
//! middle: second();              b2 → b1, b3        b2 → b1, b3    b2' → b1, b3
//! } while (d);
//! ```
//!
//! A strongly connected region with entries `h, e…` keeps `h` as its only entry: the blocks that `e…` reach
//! in the region without passing `h` are copied, and who came from outside to an `e` now comes to its copy.
//! Then the region without `h`, and the copies, are looked at in the same way.
//! Source: Aho, Lam, Sethi, Ullman, *Compilers*, 2nd ed., §9.7.6 (node splitting); Janssen and Corporaal,
//! *Making Graphs Reducible with Controlled Node Splitting*, TOPLAS 1997 (that the choice of what is not
//! copied matters).
//! Departures: the header is the entry that needs the fewest copies, among the first
//! `limits::SPLIT_NODES_HEADERS`; targets of indirect jumps are not copied, since a label's address names one
//! block.

mod copy;

use base::{Id, define_id, limits};

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{BlockId, Body};
use crate::inst::Terminator;
use crate::loops::{is_reducible, retreating_edges};
use crate::scc::strong_components;

/// What node splitting did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// Every loop had one entry already.
    Reducible,
    /// Now every loop has one entry; so many blocks were added.
    Added(usize),
    /// Too many blocks would have been needed, or copies of targets of indirect jumps; the body is as it was.
    GaveUp,
}

/// Makes a body reducible, and keeps its laws. All its blocks should be reachable (law L11).
pub fn split_nodes(body: &mut Body) -> Split {
    let cfg = Cfg::new(body);
    if retreating_edges(&cfg).next().is_none() || is_reducible(&cfg, &Dominators::new(&cfg)) {
        return Split::Reducible;
    }
    let mut graph = Graph::new(body);
    let n_before = graph.nodes.len();
    match graph.make_reducible() {
        Err(GaveUp) => Split::GaveUp,
        Ok(()) => {
            copy::carry_out(body, &graph);
            Split::Added(graph.nodes.len() - n_before)
        }
    }
}

define_id! {
    /// A vertex of the region that is looked at.
    struct Local = "local";
}

/// The plan: blocks, and copies of blocks behind them.
struct Graph {
    nodes: Vec<Node>,
    /// The region that each node belongs to; larger numbers are newer.
    region: Vec<u32>,
    /// The index of each node in its region or component, while that is looked at.
    local: Vec<u32>,
    next_region: u32,
    limit: usize,
}

struct Node {
    /// The block it is or is a copy of.
    block: BlockId,
    /// Where the targets of the terminator go, in order.
    successors: Vec<usize>,
    /// Where it is reached from; as often as there are targets.
    predecessors: Vec<usize>,
    /// Whether it may be copied.
    copyable: bool,
}

/// The limit was reached.
struct GaveUp;

impl Graph {
    fn new(body: &Body) -> Self {
        let node = |(block, data): (BlockId, &crate::Block)| Node {
            block,
            successors: data.term.targets().map(|target| target.block.index()).collect(),
            predecessors: Vec::new(),
            copyable: true,
        };
        let mut nodes: Vec<Node> = body.blocks.iter_ids().map(node).collect();
        for source in 0..nodes.len() {
            for target in nodes[source].successors.clone() {
                nodes[target].predecessors.push(source);
            }
        }
        for block in body.blocks.iter() {
            if let Terminator::IndirectJump { targets, .. } = &block.term {
                targets.iter().for_each(|target| nodes[target.block.index()].copyable = false);
            }
        }
        let n = nodes.len();
        Self {
            nodes,
            region: vec![0; n],
            local: vec![0; n],
            next_region: 1,
            limit: n * (1 + limits::SPLIT_FACTOR),
        }
    }

    fn make_reducible(&mut self) -> Result<(), GaveUp> {
        let mut pending: Vec<Vec<usize>> = vec![(0..self.nodes.len()).collect()];
        while let Some(region) = pending.pop() {
            for component in self.components(&region).into_iter().filter(|it| it.len() > 1) {
                self.handle(component, &mut pending)?;
            }
        }
        Ok(())
    }

    /// Marks nodes as one region.
    fn mark(&mut self, nodes: &[usize]) -> u32 {
        let number = self.next_region;
        self.next_region += 1;
        for (local, &node) in nodes.iter().enumerate() {
            self.region[node] = number;
            self.local[node] = local as u32;
        }
        number
    }

    /// The strongly connected components of a region.
    fn components(&mut self, region: &[usize]) -> Vec<Vec<usize>> {
        let number = self.mark(region);
        let locals: Vec<Local> = (0..region.len()).map(Local::new).collect();
        let successors = |local: Local| {
            let inside = self.nodes[region[local.index()]].successors.iter();
            inside.filter(|&&it| self.region[it] == number).map(|&it| Local::new(self.local[it] as usize))
        };
        let components = strong_components(region.len(), &locals, successors);
        components.into_iter().map(|it| it.into_iter().map(|local| region[local.index()]).collect()).collect()
    }

    /// Gives a component one entry, and leaves what is in it to be looked at.
    fn handle(&mut self, mut component: Vec<usize>, pending: &mut Vec<Vec<usize>>) -> Result<(), GaveUp> {
        component.sort_unstable();
        let number = self.mark(&component);
        let is_outside = |node: &usize| self.region[*node] != number;
        let is_entry = |node: &usize| self.nodes[*node].predecessors.iter().any(is_outside);
        let entries: Vec<usize> = component.iter().copied().filter(is_entry).collect();
        let (header, copied) = self.choose_header(&component, &entries, number).ok_or(GaveUp)?;
        if !copied.is_empty() {
            let copies = self.copy(&copied, &entries, header, number)?;
            pending.push(copies);
        }
        component.retain(|&node| node != header);
        pending.push(component);
        Ok(())
    }

    /// The entry that needs the fewest copies, with the nodes to copy.
    fn choose_header(
        &self,
        component: &[usize],
        entries: &[usize],
        number: u32,
    ) -> Option<(usize, Vec<usize>)> {
        let candidates =
            entries.iter().filter(|&&entry| !self.nodes[entry].copyable).take(limits::SPLIT_NODES_HEADERS);
        let candidates = candidates.chain(entries.iter().take(limits::SPLIT_NODES_HEADERS));
        let plans = candidates.filter_map(|&header| {
            let others = entries.iter().copied().filter(|&entry| entry != header);
            let copied = self.reached_without(component, others, header, number)?;
            Some((header, copied))
        });
        plans.min_by_key(|(_, copied)| copied.len())
    }

    /// The nodes of the component that `from` reach without passing `header`; none if one must not be copied.
    fn reached_without(
        &self,
        component: &[usize],
        from: impl Iterator<Item = usize>,
        header: usize,
        number: u32,
    ) -> Option<Vec<usize>> {
        let mut seen = vec![false; component.len()];
        seen[self.local[header] as usize] = true;
        let mut reached = Vec::new();
        let mut pending: Vec<usize> = from.collect();
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[self.local[node] as usize], true) {
                continue;
            }
            if !self.nodes[node].copyable {
                return None;
            }
            reached.push(node);
            pending.extend(self.nodes[node].successors.iter().filter(|&&it| self.region[it] == number));
        }
        reached.sort_unstable();
        Some(reached)
    }

    /// Copies nodes, and leads those who come from outside to an entry other than the header to its copy.
    fn copy(
        &mut self,
        copied: &[usize],
        entries: &[usize],
        header: usize,
        number: u32,
    ) -> Result<Vec<usize>, GaveUp> {
        let first_copy = self.nodes.len();
        if first_copy + copied.len() > self.limit {
            return Err(GaveUp);
        }
        let copy_of = |node: usize| copied.binary_search(&node).ok().map(|position| first_copy + position);
        for (position, &node) in copied.iter().enumerate() {
            let successors: Vec<usize> =
                self.nodes[node].successors.iter().map(|&it| copy_of(it).unwrap_or(it)).collect();
            // Copies of later nodes do not exist yet: they get their predecessors below.
            for &target in successors.iter().filter(|&&it| it < first_copy) {
                self.nodes[target].predecessors.push(first_copy + position);
            }
            let block = self.nodes[node].block;
            self.nodes.push(Node { block, successors, predecessors: Vec::new(), copyable: true });
            self.region.push(0);
            self.local.push(0);
        }
        let copies: Vec<usize> = (first_copy..self.nodes.len()).collect();
        for &copy in &copies {
            for target in self.nodes[copy].successors.clone().into_iter().filter(|&it| it >= first_copy) {
                self.nodes[target].predecessors.push(copy);
            }
        }
        for &entry in entries.iter().filter(|&&entry| entry != header) {
            if let Some(copy) = copy_of(entry) {
                self.redirect(entry, copy, number);
            }
        }
        Ok(copies)
    }

    /// Leads those who come from outside the component to `entry` to `copy` instead.
    fn redirect(&mut self, entry: usize, copy: usize, number: u32) {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            self.nodes[entry].predecessors.iter().partition(|&&it| self.region[it] == number);
        // The copies themselves are outside, but go to copies already.
        for &source in &outside {
            self.nodes[source].successors.iter_mut().filter(|it| **it == entry).for_each(|it| *it = copy);
        }
        self.nodes[entry].predecessors = inside;
        self.nodes[copy].predecessors.extend(outside);
    }
}
