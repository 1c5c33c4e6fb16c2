//! Which blocks every path to a block passes: a value may be used only where its definition is one of them.
//!
//! LLVM's own files keep that law; a damaged file may not, and whoever reads our IR relies on it.
//! Source: Cooper, Harvey, Kennedy, *A Simple, Fast Dominance Algorithm*, 2001, Fig. 3.

/// Dominance among the blocks of a graph, by their positions in a reverse postorder.
#[derive(Default)]
pub(super) struct Dominance {
    /// By position: the first and last number of the subtree below it, in preorder of the dominator tree.
    subtrees: Vec<(u32, u32)>,
}

impl Dominance {
    /// From the edges of a graph of `n_blocks`; all positions in a reverse postorder, which starts with the entry.
    pub(super) fn new(n_blocks: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        // The predecessors of all blocks, one block after the other.
        let mut starts = vec![0; n_blocks + 1];
        edges.clone().for_each(|(_, to)| starts[to as usize + 1] += 1);
        (0..n_blocks).for_each(|block| starts[block + 1] += starts[block]);
        let mut next = starts.clone();
        let mut predecessors = vec![0; starts[n_blocks]];
        for (from, to) in edges {
            predecessors[next[to as usize]] = from;
            next[to as usize] += 1;
        }
        let mut above = vec![u32::MAX; n_blocks];
        if let Some(entry) = above.first_mut() {
            *entry = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..n_blocks {
                let predecessors = predecessors[starts[block]..starts[block + 1]].iter().copied();
                let known = predecessors.filter(|&it| above[it as usize] != u32::MAX);
                let Some(new) = known.reduce(|a, b| intersect(&above, a, b)) else { continue };
                if above[block] != new {
                    above[block] = new;
                    changed = true;
                }
            }
        }
        Self { subtrees: number(&above) }
    }

    /// Whether every path from the entry to `below` passes `above`.
    pub(super) fn dominates(&self, above: u32, below: u32) -> bool {
        let (first, last) = self.subtrees[above as usize];
        (first..=last).contains(&self.subtrees[below as usize].0)
    }
}

fn intersect(above: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = above[a as usize];
        }
        while b > a {
            b = above[b as usize];
        }
    }
    a
}

/// Numbers of the dominator tree in preorder. A block comes after the one above it, so sizes add up from the end, and starts are
/// handed down from the beginning.
fn number(above: &[u32]) -> Vec<(u32, u32)> {
    let mut sizes = vec![1; above.len()];
    for block in (1..above.len()).rev() {
        sizes[above[block] as usize] += sizes[block];
    }
    let mut subtrees = vec![(0, 0); above.len()];
    let mut next = vec![1; above.len()];
    for block in 0..above.len() {
        let start = if block == 0 { 0 } else { next[above[block] as usize] };
        if block > 0 {
            next[above[block] as usize] += sizes[block];
        }
        next[block] = start + 1;
        subtrees[block] = (start, start + sizes[block] - 1);
    }
    subtrees
}

#[cfg(test)]
mod tests {
    use super::Dominance;

    #[test]
    fn a_diamond_in_a_loop() {
        // 0 → 1 → 2, 3 → 4 → 1, 5
        let edges = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)];
        let dominance = Dominance::new(6, edges.into_iter());
        for (above, below, expected) in [
            (0, 5, true),
            (1, 4, true),
            (2, 4, false),
            (4, 5, true),
            (5, 4, false),
            (3, 3, true),
            (2, 3, false),
        ] {
            assert_eq!(dominance.dominates(above, below), expected, "{above} {below}");
        }
    }
}
