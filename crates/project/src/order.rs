//! Callees before callers: strongly connected components, bottom-up, and levels for workers.
//!
//! Two rounds. The components of all edges are put in order first. Then each is cut into the components of
//! its certain edges, again in order. So an edge that is only likely has its say where it can, but never
//! makes a component: functions that are registered in tables and call back into what calls them would
//! otherwise all be one.

use base::IdVec;
use ir::scc::strong_components;

use crate::callgraph::{CallGraph, EdgeKind};
use crate::unit::FnId;

/// The order in which functions are looked at.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// Callees before callers; members ascending.
    pub(crate) components: Vec<Vec<FnId>>,
    /// By component: the longest way down.
    pub(crate) levels: Vec<u32>,
    /// By function: its component.
    pub(crate) of: IdVec<FnId, u32>,
}

impl Order {
    pub(crate) fn of(graph: &CallGraph, n_functions: usize) -> Order {
        let roots: Vec<FnId> = (0..n_functions).map(base::Id::new).collect();
        let callees = |function: FnId| graph.callees(function).iter();
        let all = |function| callees(function).filter_map(|edge| edge.callee.function());
        let (coarse, coarse_of) = numbered(strong_components(n_functions, &roots, all), n_functions);
        let coarse_of = &coarse_of;
        let certain = |function: FnId| {
            let edges = callees(function).filter(|edge| edge.kind != EdgeKind::Field);
            let functions = edges.filter_map(|edge| edge.callee.function());
            functions.filter(move |&callee| coarse_of[callee] == coarse_of[function])
        };
        // The components come out in the order of their roots, since no edge leaves a coarse component.
        let roots = coarse.concat();
        let (components, of) = numbered(strong_components(n_functions, &roots, certain), n_functions);
        let mut levels: Vec<u32> = Vec::with_capacity(components.len());
        for (number, component) in (0..).zip(&components) {
            let below = component.iter().flat_map(|&function| all(function)).map(|callee| of[callee]);
            let level = below.filter(|&it| it < number).map(|it| levels[it as usize] + 1).max();
            levels.push(level.unwrap_or(0));
        }
        Order { components, levels, of }
    }
}

/// Components with sorted members, and the component of each function.
fn numbered(mut components: Vec<Vec<FnId>>, n_functions: usize) -> (Vec<Vec<FnId>>, IdVec<FnId, u32>) {
    let mut of = IdVec::from_vec(vec![0; n_functions]);
    for (number, component) in (0..).zip(&mut components) {
        component.sort_unstable();
        component.iter().for_each(|&function| of[function] = number);
    }
    (components, of)
}
