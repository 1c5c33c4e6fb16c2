//! `indict callgraph`: who calls whom, as text or for graphviz.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use base::{Id, visible};
use project::{Edge, EdgeKind, FnId, Node, Project, Site};

use crate::commands::close;
use crate::inputs::Inputs;
use crate::output;
use crate::paths::Here;
use crate::pipeline;
use crate::status::Status;
use crate::table::{Align, columns};

const EXAMPLES: &str = "\
Examples:
  indict callgraph -p build/                                  all functions with their callees
  indict callgraph main.c list.c --function push --depth 2    what push calls, and what that calls
  indict callgraph -- make --function malloc --callers        who calls malloc, directly or not
  indict callgraph main.c --format dot | dot -Tsvg -o calls.svg

A callee is known because the call names it (direct); or for a call through a pointer, because its address reaches the call inside
the function (value), is in a constant table that the call reads (table), or is put into the member or variable that the call
reads by something in the program (field). `of several` marks one of several definitions: programs of the build
have their own, or the build does not say which one is meant.";

/// Prints who calls whom.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Callgraph {
    /// How the graph is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// A paragraph for each function.
    Text,
    /// The language of graphviz.
    Dot,
}

/// Which part of the graph is shown.
#[derive(clap::Args, Default)]
pub(crate) struct Part {
    /// Only this function and what it reaches, by the name in the source or the linker's name.
    #[arg(short, long, value_name = "NAME")]
    function: Option<String>,

    /// What reaches the function, instead.
    #[arg(long, requires = "function")]
    callers: bool,

    /// At most so many calls away from the function.
    #[arg(long, value_name = "N", requires = "function")]
    depth: Option<u32>,
}

impl Callgraph {
    pub(crate) fn run(&self) -> Result<Status> {
        let here = Here::find();
        let (project, loaded) = pipeline::project(self.inputs.prepare(&here)?, &here)?;
        if loaded.units == 0 {
            return Ok(Status::Failed);
        }
        output::print(&render(&project, &self.part, self.format, &here)?)?;
        Ok(Status::Clean)
    }
}

/// The call graph of a project as text.
pub(crate) fn render(project: &Project, part: &Part, format: Format, here: &Here) -> Result<String> {
    let shown = Shown::of(project, part)?;
    let labels = Labels::of(project);
    Ok(match format {
        Format::Text => text(project, &shown, &labels, here),
        Format::Dot => dot(project, &shown, &labels),
    })
}

/// The part of the graph that is shown.
struct Shown {
    /// Those whose calls (or callers) are shown.
    expanded: BTreeSet<Node>,
    callers: bool,
    /// Whether it is all there is.
    whole: bool,
}

impl Shown {
    fn of(project: &Project, part: &Part) -> Result<Shown> {
        let Some(name) = &part.function else {
            let expanded = project.functions().map(Node::Function).collect();
            return Ok(Shown { expanded, callers: false, whole: true });
        };
        let mut frontier = project.nodes_named(name);
        if frontier.is_empty() {
            let known = project.functions().map(|id| project.function(id).pretty());
            bail!("there is no function `{name}`{}", close::suggestion(name, known));
        }
        let mut shown = Shown { expanded: BTreeSet::new(), callers: part.callers, whole: false };
        let mut left = part.depth.unwrap_or(u32::MAX);
        while left > 0 && !frontier.is_empty() {
            left -= 1;
            let new: Vec<Node> = frontier.drain(..).filter(|&node| shown.expanded.insert(node)).collect();
            frontier = new
                .iter()
                .flat_map(|&node| shown.edges(project, node))
                .map(|edge| shown.far_end(edge))
                .collect();
        }
        Ok(shown)
    }

    /// The calls of a node, or those to it.
    fn edges<'p>(&self, project: &'p Project, node: Node) -> Vec<&'p Edge> {
        let graph = project.call_graph();
        match node {
            _ if self.callers => graph.callers(node).collect(),
            Node::Function(function) => graph.callees(function).iter().collect(),
            Node::External(_) => Vec::new(),
        }
    }

    /// The end of an edge that is not the node it was found at.
    fn far_end(&self, edge: &Edge) -> Node {
        if self.callers { Node::Function(edge.caller) } else { edge.callee }
    }
}

/// What nodes are called: by name, and by file where the name does not tell.
struct Labels {
    /// Names that several functions have.
    ambiguous: BTreeSet<String>,
}

impl Labels {
    fn of(project: &Project) -> Labels {
        let mut count: BTreeMap<&str, u32> = BTreeMap::new();
        project.functions().for_each(|id| *count.entry(project.function(id).pretty()).or_default() += 1);
        let ambiguous = count.into_iter().filter(|(_, count)| *count > 1);
        Labels { ambiguous: ambiguous.map(|(name, _)| name.to_owned()).collect() }
    }

    fn label(&self, project: &Project, node: Node) -> String {
        match node {
            Node::External(name) => visible::line(project.name(name)),
            Node::Function(id) => {
                let function = project.function(id);
                let name = visible::line(function.pretty());
                match self.ambiguous.contains(function.pretty()) {
                    true => format!("{name} ({})", project.units()[function.unit].file),
                    false => name,
                }
            }
        }
    }
}

/// A paragraph for each function, sorted by name: its callees, or its callers, by name and place.
fn text(project: &Project, shown: &Shown, labels: &Labels, here: &Here) -> String {
    let mut heads: Vec<(String, Node)> =
        shown.expanded.iter().map(|&node| (labels.label(project, node), node)).collect();
    heads.sort();
    let mut text = String::new();
    for (label, node) in heads {
        let gap = if text.is_empty() { "" } else { "\n" };
        let place = match node {
            Node::Function(id) => place(project, id, project.function(id).function.loc, here),
            Node::External(_) => "external".to_owned(),
        };
        text.push_str(&format!("{gap}{}\n", format!("{label}  {place}").trim_end()));
        text.push_str(&columns(&[Align::Left; 4], &rows(project, shown, labels, node, here)));
    }
    if shown.whole {
        text.push_str(&summary(project));
    }
    text
}

/// The lines of a paragraph: name, how it is known, place of the call.
fn rows(project: &Project, shown: &Shown, labels: &Labels, node: Node, here: &Here) -> Vec<Vec<String>> {
    let graph = project.call_graph();
    let row = |edge: &Edge| {
        let site = graph.sites()[edge.site as usize];
        let kind = match edge.several {
            true => format!("{}, of several", edge.kind.word()),
            false => edge.kind.word().to_owned(),
        };
        (labels.label(project, shown.far_end(edge)), kind, position(project, &site), site)
    };
    let mut rows: Vec<(String, String, (u32, u32), Site)> =
        shown.edges(project, node).into_iter().map(row).collect();
    if let (Node::Function(id), false) = (node, shown.callers) {
        let unknown = graph.unresolved_in(id).iter().map(|&at| graph.sites()[at as usize]);
        rows.extend(
            unknown.map(|site| ("?".to_owned(), "unknown".to_owned(), position(project, &site), site)),
        );
    }
    rows.sort_by(|a, b| (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2)));
    let cells = |(label, kind, _, site): (String, String, (u32, u32), Site)| {
        vec![String::new(), label, kind, place(project, site.caller, site.loc, here)]
    };
    rows.into_iter().map(cells).collect()
}

/// Line and column of a call.
fn position(project: &Project, site: &Site) -> (u32, u32) {
    project.function(site.caller).place(site.loc).map_or((0, 0), |(_, line, column)| (line, column))
}

/// `src/a.c:12:5`; empty if it is not known.
fn place(project: &Project, function: FnId, loc: ir::LocId, here: &Here) -> String {
    match project.function(function).place(loc) {
        Some((file, line, 0)) => format!("{}:{line}", here.shorten(Path::new(file))),
        Some((file, line, column)) => format!("{}:{line}:{column}", here.shorten(Path::new(file))),
        None => String::new(),
    }
}

/// What there is in numbers.
fn summary(project: &Project) -> String {
    let graph = project.call_graph();
    let functions = project.functions().len();
    let indirect = graph.sites().iter().filter(|site| site.indirect).count();
    let direct = graph.sites().len() - indirect;
    format!(
        "\n{}, {}, {} through pointers ({} without a known callee), {}\n",
        output::counted(functions, "function"),
        output::counted(direct, "direct call"),
        indirect,
        graph.unresolved().len(),
        output::counted(graph.order().len(), "component"),
    )
}

/// The language of graphviz: functions are boxes, external names plain; calls through pointers are dashed.
fn dot(project: &Project, shown: &Shown, labels: &Labels) -> String {
    let mut nodes: BTreeSet<Node> = shown.expanded.clone();
    // Many calls between two functions are one arrow.
    let mut arrows: BTreeSet<(Node, Node, EdgeKind)> = BTreeSet::new();
    for edge in shown.expanded.iter().flat_map(|&node| shown.edges(project, node)) {
        nodes.extend([Node::Function(edge.caller), edge.callee]);
        arrows.insert((Node::Function(edge.caller), edge.callee, edge.kind));
    }
    let mut text = String::from("digraph calls {\n  node [shape=box];\n");
    for node in nodes {
        let shape = if node.function().is_some() { "" } else { ", shape=plaintext" };
        let label = quoted(&labels.label(project, node));
        writeln!(text, "  {} [label={label}{shape}];", dot_id(node))
            .expect("invariant: a string takes all text");
    }
    for (caller, callee, kind) in arrows {
        let style = match kind {
            EdgeKind::Direct => String::new(),
            _ => format!(" [style=dashed, label={}]", quoted(kind.word())),
        };
        writeln!(text, "  {} -> {}{style};", dot_id(caller), dot_id(callee))
            .expect("invariant: a string takes all text");
    }
    text.push_str("}\n");
    text
}

fn dot_id(node: Node) -> String {
    match node {
        Node::Function(function) => format!("f{}", function.index()),
        Node::External(name) => format!("x{}", name.index()),
    }
}

/// A string of graphviz, in which only quotes and backslashes mean something; labels have no line ends.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use project::{Links, UnitIr};

    use super::*;

    const MAIN: &str = r#"
        target pointer 8
        file file0 "/nowhere/main.c"
        global internal @table size 16 align 8 constant = { 0: @help, 8: @push }
        func @main(i64) !file0:3:5 {
        b0(v0: i64):
          call @push() !4:3
          v1: ptr = ptradd @table, v0 * 8 !5:3
          v2: ptr = load v1 align 8 !5:3
          call v2() !5:3
          v3: ptr = inttoptr v0 !6:3
          call v3() !6:3
          return !7:1
        }
        func internal @help() !file0:9:5 {
        b0:
          call @puts() !10:3
          return !11:1
        }
        func @push()
        func @puts()
    "#;

    const LIST: &str = r#"
        target pointer 8
        file file0 "/nowhere/list.c"
        func internal @help() !file0:1:5 {
        b0:
          return !1:10
        }
        func @push() pretty "a \"quoted\" name" !file0:2:5 {
        b0:
          call @help() !3:3
          call @push() !4:3
          return !5:1
        }
    "#;

    fn shown(part: &Part, format: Format) -> String {
        let unit = |file: &str, text: &str| UnitIr {
            path: Path::new("/nowhere").join(file),
            file: file.to_owned(),
            args: Vec::new(),
            outputs: Vec::new(),
            module: ir::parse(text).unwrap_or_else(|error| panic!("{error}")),
        };
        let project = Project::new(vec![unit("main.c", MAIN), unit("list.c", LIST)], &Links::default());
        match render(&project, part, format, &Here::find()) {
            Ok(text) => text,
            Err(error) => format!("{error:#}"),
        }
    }

    fn part(function: &str, callers: bool, depth: Option<u32>) -> Part {
        Part { function: Some(function.to_owned()), callers, depth }
    }

    #[test]
    fn the_whole_graph_as_text() {
        let expected = "\
a \"quoted\" name  /nowhere/list.c:2:5
  a \"quoted\" name  direct  /nowhere/list.c:4:3
  help (list.c)    direct  /nowhere/list.c:3:3

help (list.c)  /nowhere/list.c:1:5

help (main.c)  /nowhere/main.c:9:5
  puts  direct  /nowhere/main.c:10:3

main  /nowhere/main.c:3:5
  ?                unknown  /nowhere/main.c:6:3
  a \"quoted\" name  direct   /nowhere/main.c:4:3
  a \"quoted\" name  table    /nowhere/main.c:5:3
  help (main.c)    table    /nowhere/main.c:5:3

4 functions, 4 direct calls, 2 through pointers (1 without a known callee), 4 components
";
        assert_eq!(shown(&Part::default(), Format::Text), expected);
    }

    #[test]
    fn a_part_of_the_graph_for_graphviz() {
        let expected = r#"digraph calls {
  node [shape=box];
  f1 [label="a \"quoted\" name"];
  f2 [label="main"];
  f3 [label="help (main.c)"];
  f2 -> f1;
  f2 -> f1 [style=dashed, label="table"];
  f2 -> f3 [style=dashed, label="table"];
}
"#;
        assert_eq!(shown(&part("main", false, Some(1)), Format::Dot), expected);
        assert!(
            shown(&part("main", false, None), Format::Dot).contains("[label=\"puts\", shape=plaintext];")
        );
    }

    #[test]
    fn callers_of_external_names_are_found() {
        let expected = "\
help (main.c)  /nowhere/main.c:9:5
  main  table  /nowhere/main.c:5:3

main  /nowhere/main.c:3:5

puts  external
  help (main.c)  direct  /nowhere/main.c:10:3
";
        assert_eq!(shown(&part("puts", true, None), Format::Text), expected);
    }

    #[test]
    fn an_unknown_name_is_told() {
        assert_eq!(
            shown(&part("mian", false, None), Format::Text),
            "there is no function `mian`; did you mean `main`?"
        );
    }
}
