//! Who calls whom.
//!
//! Nodes are the functions of the project and the names that no unit defines. Every call in the code is a
//! *site*; a site has an edge to each function that it is known to call. A direct call has one, unless the
//! callee is one of several definitions. A call through a pointer has those that
//! [`indirect`](crate::indirect) finds, maybe none: then it is counted.
//!
//! For a function with several copies, the edges of all copies are joined: the same header function may reach
//! another `app_malloc` from each file that includes it.

use base::{IdVec, Symbol, limits};
use ir::{Body, Callee, Const, Inst, InstId, LocId, Operand, SymbolRef};

use crate::chains::chains;
use crate::fields::Fields;
use crate::indirect::{Flow, Linked};
use crate::order::Order;
use crate::resolve::{Resolution, Target};
use crate::unit::{FnId, UnitId};

/// A node of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A function of the project.
    Function(FnId),
    /// A name that no unit defines, of [`Project::name`](crate::Project::name).
    External(Symbol),
}

/// How a callee is known. In the order of certainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// The call names it.
    Direct,
    /// Its address reaches the call through copies, selections and merges inside the function.
    Value,
    /// Its address is in a constant table that the call reads.
    Table,
    /// Something in the project puts its address into the member or variable that the call reads.
    Field,
}

impl EdgeKind {
    /// All kinds, in the order of certainty.
    pub const ALL: [EdgeKind; 4] = [EdgeKind::Direct, EdgeKind::Value, EdgeKind::Table, EdgeKind::Field];

    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            EdgeKind::Direct => "direct",
            EdgeKind::Value => "value",
            EdgeKind::Table => "table",
            EdgeKind::Field => "field",
        }
    }
}

/// A call in the code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function it is in.
    pub caller: FnId,
    /// The instruction, in the function that stands for all copies.
    pub inst: InstId,
    /// Its place in the source.
    pub loc: LocId,
    /// Whether it is a call through a pointer.
    pub indirect: bool,
}

/// A call with a callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Who calls.
    pub caller: FnId,
    /// Which of all [`sites`](CallGraph::sites).
    pub site: u32,
    /// Who is called.
    pub callee: Node,
    /// How that is known.
    pub kind: EdgeKind,
    /// Whether the callee is one of several definitions of the same name.
    pub several: bool,
}

/// Who calls whom. See the [module](self).
#[derive(Debug, Default)]
pub struct CallGraph {
    sites: Vec<Site>,
    /// Sorted.
    edges: Vec<Edge>,
    /// Positions in `edges`, sorted by callee.
    by_callee: Vec<u32>,
    /// Sites of calls through pointers without an edge, ascending.
    unresolved: Vec<u32>,
    /// Sorted pairs: the code of the function takes the address of the node.
    references: Vec<(FnId, Node)>,
    /// Whether its address is taken in code or in an initializer.
    address_taken: IdVec<FnId, bool>,
    order: Order,
}

impl CallGraph {
    /// All calls: those of one function together, in the order of its blocks.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// All edges, by caller and site.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges from a function, in the order of its calls.
    pub fn callees(&self, caller: FnId) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.caller < caller);
        let len = self.edges[start..].partition_point(|edge| edge.caller == caller);
        &self.edges[start..start + len]
    }

    /// The edges of a call.
    pub fn callees_at(&self, site: u32) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.site < site);
        let len = self.edges[start..].partition_point(|edge| edge.site == site);
        &self.edges[start..start + len]
    }

    /// The edges to a function or external name, by caller.
    pub fn callers(&self, callee: Node) -> impl Iterator<Item = &Edge> {
        let edge = |at: &u32| &self.edges[*at as usize];
        let start = self.by_callee.partition_point(|at| edge(at).callee < callee);
        self.by_callee[start..].iter().map(edge).take_while(move |edge| edge.callee == callee)
    }

    /// Calls through pointers of which no callee is known, as positions of [`sites`](Self::sites).
    pub fn unresolved(&self) -> &[u32] {
        &self.unresolved
    }

    /// Those of one function.
    pub fn unresolved_in(&self, function: FnId) -> &[u32] {
        let caller = |at: &u32| self.sites[*at as usize].caller;
        let start = self.unresolved.partition_point(|at| caller(at) < function);
        let len = self.unresolved[start..].partition_point(|at| caller(at) == function);
        &self.unresolved[start..start + len]
    }

    /// What the code of a function takes the address of, without calling it there.
    pub fn references(&self, function: FnId) -> impl Iterator<Item = Node> {
        let start = self.references.partition_point(|(from, _)| *from < function);
        self.references[start..].iter().take_while(move |(from, _)| *from == function).map(|(_, node)| *node)
    }

    /// Whether some code or initializer takes the address of a function.
    pub fn is_address_taken(&self, function: FnId) -> bool {
        self.address_taken.get(function).copied().unwrap_or(false)
    }

    /// The strongly connected components, callees before callers; members ascending.
    ///
    /// A component of one function is that function, recursive or not. Edges of kind [`Field`](EdgeKind::Field) do not make
    /// components: they are more than really happen, and would join a fifth of SQLite. They decide about the order only where they
    /// close no circle; in a circle, a callee can come after its caller.
    pub fn order(&self) -> &[Vec<FnId>] {
        &self.order.components
    }

    /// By component of [`order`](Self::order): the longest way down to a component that calls no other that comes before it.
    /// Workers can take all components of one level at once.
    pub fn levels(&self) -> &[u32] {
        &self.order.levels
    }

    /// The position of a function's component in [`order`](Self::order).
    pub fn component_of(&self, function: FnId) -> usize {
        self.order.of[function] as usize
    }
}

/// Builds the call graph.
pub(crate) fn build(linked: Linked<'_>) -> CallGraph {
    let functions = linked.cx.functions;
    let fields = collect_fields(linked);
    let mut builder = Builder {
        linked,
        fields: &fields,
        graph: CallGraph {
            address_taken: IdVec::from_vec(vec![false; functions.items.len()]),
            ..CallGraph::default()
        },
    };
    for unit in linked.cx.units.ids() {
        builder.initializers(unit);
    }
    for (id, merged) in functions.items.iter_ids() {
        for &(unit, func) in &merged.copies {
            if let Some(body) = &linked.module(unit).functions[func].body {
                builder.function(id, unit, body);
            }
        }
    }
    builder.finish()
}

fn collect_fields<'p>(linked: Linked<'p>) -> Fields<'p> {
    let mut fields = Fields::default();
    for (unit, data) in linked.cx.units.iter_ids() {
        linked.put_initializers(unit, &mut fields);
        for body in data.module.functions.iter().filter_map(|function| function.body.as_ref()) {
            let mut flow = Flow::new(linked, unit, body, None);
            body.insts.iter().for_each(|inst| flow.put(&inst.inst, &mut fields));
        }
    }
    fields.finish()
}

struct Builder<'f, 'p> {
    linked: Linked<'p>,
    fields: &'f Fields<'p>,
    graph: CallGraph,
}

impl<'p> Builder<'_, 'p> {
    /// Notes whose address initializers take.
    fn initializers(&mut self, unit: UnitId) {
        let module = self.linked.module(unit);
        for reloc in module.globals.iter().filter_map(|it| it.init.as_ref()).flat_map(|it| &it.relocs) {
            self.note_taken(&self.linked.resolve(unit, reloc.plus));
        }
    }

    fn note_taken(&mut self, resolution: &Resolution) {
        for target in resolution.targets() {
            if let Target::Function(function) = *target {
                self.graph.address_taken[function] = true;
            }
        }
    }

    /// Adds the calls of a copy of a function. The first copy makes the sites; further ones have the same calls in the same order.
    fn function(&mut self, id: FnId, unit: UnitId, body: &'p Body) {
        let mut flow = Flow::new(self.linked, unit, body, Some(self.fields));
        let mut next = self.graph.sites.partition_point(|site| site.caller < id);
        for block in chains(body).into_iter().flatten().map(|block| &body.blocks[block]) {
            for &inst in &block.insts {
                let data = &body.insts[inst];
                let Inst::Call { call } = data.inst else {
                    body.each_operand(inst, |operand| self.reference(id, unit, body, operand));
                    continue;
                };
                let call = &body.calls[call];
                call.args.iter().for_each(|&operand| self.reference(id, unit, body, operand));
                let indirect = match call.callee {
                    Callee::Func(_) => false,
                    Callee::Ptr(_) => true,
                    Callee::Asm(_) => continue,
                };
                if self.graph.sites.len() == next {
                    self.graph.sites.push(Site { caller: id, inst, loc: data.loc, indirect });
                }
                let site = next as u32;
                let edges = self.callees(&mut flow, unit, call.callee).into_iter();
                let edges =
                    edges.map(|(callee, kind, several)| Edge { caller: id, site, callee, kind, several });
                self.graph.edges.extend(edges);
                next += 1;
            }
            block.term.each_operand(|operand| self.reference(id, unit, body, operand));
        }
    }

    /// Whom a call calls, how that is known, and whether it is one of several definitions.
    fn callees(&self, flow: &mut Flow<'_, 'p>, unit: UnitId, callee: Callee) -> Vec<(Node, EdgeKind, bool)> {
        match callee {
            Callee::Func(function) => {
                let (nodes, several) = self.nodes(unit, SymbolRef::Func(function));
                nodes.into_iter().map(|node| (node, EdgeKind::Direct, several)).collect()
            }
            Callee::Ptr(address) => {
                let mut functions = flow.functions(address);
                if functions.len() > limits::CALLEES {
                    functions.clear();
                }
                functions.into_iter().map(|(node, kind)| (node, kind, false)).collect()
            }
            Callee::Asm(_) => Vec::new(),
        }
    }

    fn reference(&mut self, id: FnId, unit: UnitId, body: &Body, operand: Operand) {
        let Operand::Const(constant) = operand else { return };
        let Const::Func(function) = body.consts[constant] else { return };
        let symbol = SymbolRef::Func(function);
        self.note_taken(&self.linked.resolve(unit, symbol));
        let (nodes, _) = self.nodes(unit, symbol);
        self.graph.references.extend(nodes.into_iter().map(|node| (id, node)));
    }

    /// What a function reference means, and whether that is one of several.
    fn nodes(&self, unit: UnitId, symbol: SymbolRef) -> (Vec<Node>, bool) {
        let resolution = self.linked.resolve(unit, symbol);
        let nodes: Vec<Node> = resolution.targets().iter().copied().filter_map(node).collect();
        match self.linked.cx.symbols.units[unit].name(symbol) {
            Some(name) if nodes.is_empty() => (vec![Node::External(name)], false),
            _ => (nodes, resolution.is_several()),
        }
    }

    fn finish(self) -> CallGraph {
        let mut graph = self.graph;
        graph.edges.sort_unstable();
        // Copies may find the same callee in several ways; the surest one counts.
        graph.edges.dedup_by(|next, first| {
            let same = (next.site, next.callee) == (first.site, first.callee);
            first.several |= same && next.several;
            same
        });
        mark_disagreeing_copies(&mut graph);
        graph.references.sort_unstable();
        graph.references.dedup();
        graph.by_callee = (0..graph.edges.len() as u32).collect();
        graph.by_callee.sort_by_key(|&at| graph.edges[at as usize].callee);
        let sites = (0..).zip(&graph.sites).filter(|(_, site)| site.indirect);
        graph.unresolved = sites.map(|(at, _)| at).filter(|&at| graph.callees_at(at).is_empty()).collect();
        graph.order = Order::of(&graph, graph.address_taken.len());
        graph
    }
}

/// A direct call that means different functions in different copies has several callees as well.
fn mark_disagreeing_copies(graph: &mut CallGraph) {
    let same_site = |a: &Edge, b: &Edge| a.site == b.site;
    for edges in graph.edges.chunk_by_mut(same_site) {
        if edges.len() > 1 {
            edges.iter_mut().for_each(|edge| edge.several |= edge.kind == EdgeKind::Direct);
        }
    }
}

fn node(target: Target) -> Option<Node> {
    match target {
        Target::Function(function) => Some(Node::Function(function)),
        Target::Global { .. } => None,
    }
}

impl Node {
    /// The function, if it is one of the project.
    pub fn function(self) -> Option<FnId> {
        match self {
            Node::Function(function) => Some(function),
            Node::External(_) => None,
        }
    }
}
