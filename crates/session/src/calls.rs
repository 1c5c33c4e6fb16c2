//! Who calls whom, all of it or what a function reaches, with names and places for people.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail};
use base::visible;
use ir::LocId;
use project::{Edge, EdgeKind, FnId, Node, Project, Site};

use crate::close;
use crate::paths::Here;

/// Which part of the call graph is wanted.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Only this function and what it reaches, by the name in the source or the linker's name.
    pub function: Option<String>,
    /// What reaches the function, instead.
    pub callers: bool,
    /// At most so many calls away from the function.
    pub depth: Option<u32>,
}

/// A part of the call graph.
#[derive(Clone, Debug)]
pub struct Calls {
    /// Whether calls are listed where they lead to, not where they are.
    pub callers: bool,
    /// Functions, and names that no unit defines, in the order of the project.
    pub nodes: Vec<Listed>,
    /// What there is in numbers, if it is the whole graph.
    pub totals: Option<Totals>,
}

/// A function, or a name that no unit defines.
#[derive(Clone, Debug)]
pub struct Listed {
    /// What it is in the project.
    pub node: Node,
    /// Its name, with the file where the name does not tell.
    pub label: String,
    /// Where it is defined, if that is known.
    pub place: Option<Spot>,
    /// Its calls, or those to it.
    pub calls: Vec<Call>,
}

/// A call as it is listed.
#[derive(Clone, Debug)]
pub struct Call {
    /// Whom it calls, or who calls; none if that is not known.
    pub end: Option<End>,
    /// Where it is, if that is known.
    pub place: Option<Spot>,
}

/// The other end of a call.
#[derive(Clone, Debug)]
pub struct End {
    /// What it is in the project.
    pub node: Node,
    /// Its name, with the file where the name does not tell.
    pub label: String,
    /// How it is known.
    pub kind: EdgeKind,
    /// Whether it is one of several definitions of the same name.
    pub several: bool,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// As the user reads it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 if it is not known.
    pub column: u32,
}

/// What there is in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Functions with a body.
    pub functions: usize,
    /// Calls that name their callee.
    pub direct: usize,
    /// Calls through pointers.
    pub indirect: usize,
    /// Calls through pointers of which no callee is known.
    pub unknown: usize,
    /// Strongly connected components.
    pub components: usize,
}

impl Calls {
    /// A part of a project's call graph. An error proposes similar names if there is no such function.
    pub fn of(project: &Project, part: &Part, here: &Here) -> Result<Calls> {
        let wanted = reached(project, part)?;
        let cx = Cx { project, here, callers: part.callers, ambiguous: ambiguous(project) };
        let nodes = wanted.into_iter().map(|node| cx.listed(node)).collect();
        let totals = part.function.is_none().then(|| Totals::of(project));
        Ok(Calls { callers: part.callers, nodes, totals })
    }
}

/// The nodes whose calls are wanted.
fn reached(project: &Project, part: &Part) -> Result<BTreeSet<Node>> {
    let Some(name) = &part.function else { return Ok(project.functions().map(Node::Function).collect()) };
    let mut frontier = project.nodes_named(name);
    if frontier.is_empty() {
        let known = project.functions().map(|id| project.function(id).pretty());
        bail!("there is no function `{name}`{}", close::suggestion(name, known));
    }
    let mut reached = BTreeSet::new();
    let mut left = part.depth.unwrap_or(u32::MAX);
    while left > 0 && !frontier.is_empty() {
        left -= 1;
        let new: Vec<Node> = frontier.drain(..).filter(|&node| reached.insert(node)).collect();
        let edges = new.iter().flat_map(|&node| edges(project, node, part.callers));
        frontier = edges.map(|edge| far_end(edge, part.callers)).collect();
    }
    Ok(reached)
}

/// The calls of a node, or those to it.
fn edges(project: &Project, node: Node, callers: bool) -> Vec<&Edge> {
    let graph = project.call_graph();
    match node {
        _ if callers => graph.callers(node).collect(),
        Node::Function(function) => graph.callees(function).iter().collect(),
        Node::External(_) => Vec::new(),
    }
}

/// The end of an edge that is not the node it was found at.
fn far_end(edge: &Edge, callers: bool) -> Node {
    if callers { Node::Function(edge.caller) } else { edge.callee }
}

/// Names that several functions have.
fn ambiguous(project: &Project) -> BTreeSet<&str> {
    let mut count: BTreeMap<&str, u32> = BTreeMap::new();
    project.functions().for_each(|id| *count.entry(project.function(id).pretty()).or_default() += 1);
    count.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect()
}

/// What names and places are made from.
struct Cx<'c> {
    project: &'c Project,
    here: &'c Here,
    callers: bool,
    /// Names that several functions have.
    ambiguous: BTreeSet<&'c str>,
}

impl Cx<'_> {
    fn listed(&self, node: Node) -> Listed {
        let graph = self.project.call_graph();
        let site = |at: u32| graph.sites()[at as usize];
        let mut calls: Vec<Call> = edges(self.project, node, self.callers)
            .into_iter()
            .map(|edge| Call { end: Some(self.end(edge)), place: self.place_of(site(edge.site)) })
            .collect();
        if let (Node::Function(id), false) = (node, self.callers) {
            let unknown = graph.unresolved_in(id).iter();
            calls.extend(unknown.map(|&at| Call { end: None, place: self.place_of(site(at)) }));
        }
        let place = node.function().and_then(|id| self.place(id, self.project.function(id).function.loc));
        Listed { node, label: self.label(node), place, calls }
    }

    fn end(&self, edge: &Edge) -> End {
        let node = far_end(edge, self.callers);
        End { node, label: self.label(node), kind: edge.kind, several: edge.several }
    }

    /// What a node is called: by name, and by file where the name does not tell.
    fn label(&self, node: Node) -> String {
        match node {
            Node::External(name) => visible::line(self.project.name(name)),
            Node::Function(id) => {
                let function = self.project.function(id);
                let name = visible::line(function.pretty());
                match self.ambiguous.contains(function.pretty()) {
                    true => format!("{name} ({})", self.project.units()[function.unit].file),
                    false => name,
                }
            }
        }
    }

    fn place_of(&self, site: Site) -> Option<Spot> {
        self.place(site.caller, site.loc)
    }

    fn place(&self, function: FnId, loc: LocId) -> Option<Spot> {
        let (file, line, column) = self.project.function(function).place(loc)?;
        Some(Spot { file: self.here.shorten(Path::new(file)), line, column })
    }
}

impl Totals {
    fn of(project: &Project) -> Totals {
        let graph = project.call_graph();
        let indirect = graph.sites().iter().filter(|site| site.indirect).count();
        Totals {
            functions: project.functions().len(),
            direct: graph.sites().len() - indirect,
            indirect,
            unknown: graph.unresolved().len(),
            components: graph.order().len(),
        }
    }
}
