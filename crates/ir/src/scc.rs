//! Strongly connected components.
//!
//! Source: Tarjan, *Depth-First Search and Linear Graph Algorithms*, SIAM J. Comput. 1972; as a loop, without
//! recursion.

use base::Id;

/// A vertex that is being visited, with the successors still to be looked at.
struct Visit<V, I> {
    vertex: V,
    rest: I,
}

/// The strongly connected components that `roots` reach, each after those it reaches; vertices have ids below `n_vertices`.
pub fn strong_components<V, I>(n_vertices: usize, roots: &[V], successors: impl Fn(V) -> I) -> Vec<Vec<V>>
where
    V: Id,
    I: Iterator<Item = V>,
{
    let mut search =
        Search { number: vec![0; n_vertices], low: vec![0; n_vertices], next: 1, open: Vec::new() };
    let mut components = Vec::new();
    let mut visits: Vec<Visit<V, I>> = Vec::new();
    for &root in roots {
        if search.number[root.index()] == 0 {
            search.begin(root);
            visits.push(Visit { vertex: root, rest: successors(root) });
        }
        while let Some(visit) = visits.last_mut() {
            let vertex = visit.vertex;
            match visit.rest.next() {
                Some(next) if search.number[next.index()] == 0 => {
                    search.begin(next);
                    visits.push(Visit { vertex: next, rest: successors(next) });
                }
                Some(next) => search.lower(vertex, search.number[next.index()]),
                None => {
                    visits.pop();
                    components.extend(search.finish(vertex));
                    if let Some(above) = visits.last() {
                        search.lower(above.vertex, search.low[vertex.index()]);
                    }
                }
            }
        }
    }
    components
}

/// The number of vertices whose component is known: larger than all others, so that they lower nothing.
const DONE: u32 = u32::MAX;

struct Search<V> {
    /// By vertex: when it was first visited, from 1; 0 before, [`DONE`] when its component is known.
    number: Vec<u32>,
    /// By vertex: the smallest number it is known to reach.
    low: Vec<u32>,
    next: u32,
    /// The vertices whose component is not yet known, in order of visit.
    open: Vec<V>,
}

impl<V: Id> Search<V> {
    fn begin(&mut self, vertex: V) {
        self.number[vertex.index()] = self.next;
        self.low[vertex.index()] = self.next;
        self.next += 1;
        self.open.push(vertex);
    }

    fn lower(&mut self, vertex: V, number: u32) {
        let low = &mut self.low[vertex.index()];
        *low = (*low).min(number);
    }

    /// The component of `vertex`, if it is the first of its component that was visited.
    fn finish(&mut self, vertex: V) -> Option<Vec<V>> {
        if self.low[vertex.index()] != self.number[vertex.index()] {
            return None;
        }
        let start =
            self.open.iter().rposition(|&it| it == vertex).expect("invariant: a visited vertex is open");
        let component = self.open.split_off(start);
        for it in &component {
            (self.number[it.index()], self.low[it.index()]) = (DONE, DONE);
        }
        Some(component)
    }
}
