//! Dominators of the loop-free form: who comes before a node on all ways, and who comes after it.
//!
//! Judgment: `a` dominates `b` if all ways from the entry to `b` pass `a`; `b` is certain behind `a` if all
//! ways on from `a` pass `b`.
//! Source: Cooper, Harvey, Kennedy, *A Simple, Fast Dominance Algorithm*, 2001 (the nearest common ancestor
//! of the predecessors).
//! Departure: all edges go up, so that one pass is enough.

use crate::copies::{Copies, Dest};

/// For each node, the nearest one that all ways from the start, or to the end, pass.
#[derive(Debug)]
pub struct Order {
    /// By node: the nearest one before it on all ways; itself for the first.
    before: Vec<usize>,
    /// By node: the nearest one behind it on all ways; `len` if that is the end.
    after: Vec<usize>,
    /// By node: when a walk over the tree of `before` enters and leaves it.
    span: Vec<(u32, u32)>,
}

impl Order {
    /// The order of the nodes of a loop-free form. A way that leads to no node leads to the end.
    pub fn of(copies: &Copies) -> Order {
        let len = copies.nodes.len();
        let to = |dest: Dest| if let Dest::Node(node) = dest { node } else { len };
        let preds: Vec<Vec<usize>> =
            copies.nodes.iter().map(|it| it.preds.iter().map(|it| it.0).collect()).collect();
        let succs: Vec<Vec<usize>> =
            copies.nodes.iter().map(|it| it.ways.iter().map(|way| to(way.to)).collect()).collect();
        Order::new(&preds, &succs)
    }

    /// `preds` of each node but the first, and `succs` with `len` for the end.
    fn new(preds: &[Vec<usize>], succs: &[Vec<usize>]) -> Order {
        let len = preds.len();
        let mut before = vec![0; len];
        for node in 1..len {
            let meet = |a: usize, b: usize| meet(a, b, |it| before[it], |a, b| a > b);
            before[node] = preds[node].iter().copied().reduce(meet).unwrap_or(0);
        }
        let mut after = vec![len; len + 1];
        for node in (0..len).rev() {
            let meet = |a: usize, b: usize| meet(a, b, |it| after[it], |a, b| a < b);
            after[node] = succs[node].iter().copied().reduce(meet).unwrap_or(len);
        }
        let span = spans(&before);
        Order { before, after, span }
    }

    /// The nearest node that all ways to a node pass; itself for the first.
    pub fn before(&self, node: usize) -> usize {
        self.before[node]
    }

    /// Whether all ways from `above` come to `below`, where all ways to `below` pass `above`.
    pub fn is_certain(&self, above: usize, below: usize) -> bool {
        let mut at = self.after[above];
        while at < below {
            at = self.after[at];
        }
        at == below
    }

    /// Whether all ways to `below` pass `above`, which may be itself.
    pub fn dominates(&self, above: usize, below: usize) -> bool {
        self.span[above].0 <= self.span[below].0 && self.span[below].1 <= self.span[above].1
    }
}

/// The nearest common ancestor, where `is_far` tells which of two nodes is farther from the root.
fn meet(
    mut a: usize,
    mut b: usize,
    up: impl Fn(usize) -> usize,
    is_far: impl Fn(usize, usize) -> bool,
) -> usize {
    while a != b {
        if is_far(a, b) {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

/// When a walk over a tree enters and leaves each node; parents have smaller numbers.
fn spans(parent: &[usize]) -> Vec<(u32, u32)> {
    let mut size = vec![1_u32; parent.len()];
    for node in (1..parent.len()).rev() {
        size[parent[node]] += size[node];
    }
    let mut span = vec![(0, 0); parent.len()];
    let mut next = vec![0_u32; parent.len()];
    for node in 0..parent.len() {
        let start = if node == 0 { 0 } else { next[parent[node]] };
        if node > 0 {
            next[parent[node]] += size[node];
        }
        span[node] = (start, start + size[node] - 1);
        next[node] = start + 1;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_meets_again() {
        // 0 → 1, 2; both → 3 → 4 or the end.
        let preds = vec![vec![], vec![0], vec![0], vec![1, 2], vec![3]];
        let succs = vec![vec![1, 2], vec![3], vec![3], vec![4, 5], vec![5]];
        let order = Order::new(&preds, &succs);
        assert_eq!([order.before(1), order.before(2), order.before(3), order.before(4)], [0, 0, 0, 3]);
        assert!(order.is_certain(0, 3) && !order.is_certain(3, 4) && !order.is_certain(0, 1));
        assert!(order.dominates(0, 4) && order.dominates(3, 4) && !order.dominates(1, 3));
    }
}
