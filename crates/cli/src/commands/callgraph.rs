//! `indict callgraph`: who calls whom, as text or for graphviz.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Result;
use base::{Id, counted};
use session::calls::{self, Call, Calls, Listed, Spot, Totals};
use session::{EdgeKind, Node, Order, Session, Watch};

use crate::options::Inputs;
use crate::output;
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
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        let program = Session::open(&self.inputs.request(Order::AsNamed), watch)?.load(watch)?;
        if program.is_empty() {
            return Ok(Status::Failed);
        }
        let calls = program.calls(&self.part.wanted())?;
        output::print(&render(&calls, self.format))?;
        Ok(Status::Clean)
    }
}

impl Part {
    fn wanted(&self) -> calls::Part {
        calls::Part { function: self.function.clone(), callers: self.callers, depth: self.depth }
    }
}

fn render(calls: &Calls, format: Format) -> String {
    match format {
        Format::Text => text(calls),
        Format::Dot => dot(calls),
    }
}

/// A paragraph for each function, sorted by name: its callees, or its callers, by name and place.
fn text(calls: &Calls) -> String {
    let mut nodes: Vec<&Listed> = calls.nodes.iter().collect();
    nodes.sort_by_key(|listed| (&listed.label, listed.node));
    let mut text = String::new();
    for listed in nodes {
        let gap = if text.is_empty() { "" } else { "\n" };
        let place = match listed.node {
            Node::Function(_) => place(listed.place.as_ref()),
            Node::External(_) => "external".to_owned(),
        };
        text.push_str(&format!("{gap}{}\n", format!("{}  {place}", listed.label).trim_end()));
        text.push_str(&columns(&[Align::Left; 4], &rows(&listed.calls)));
    }
    if let Some(totals) = &calls.totals {
        text.push_str(&summary(totals));
    }
    text
}

/// The lines of a paragraph: name, how it is known, place of the call.
fn rows(calls: &[Call]) -> Vec<Vec<String>> {
    let mut rows: Vec<(&str, String, (u32, u32), &Call)> =
        calls.iter().map(|call| (label(call), how_known(call), position(call), call)).collect();
    rows.sort_by(|a, b| (a.0, &a.1, a.2).cmp(&(b.0, &b.1, b.2)));
    let cells = |(label, how, _, call): (&str, String, (u32, u32), &Call)| {
        vec![String::new(), label.to_owned(), how, place(call.place.as_ref())]
    };
    rows.into_iter().map(cells).collect()
}

fn label(call: &Call) -> &str {
    call.end.as_ref().map_or("?", |end| &end.label)
}

fn how_known(call: &Call) -> String {
    match &call.end {
        None => "unknown".to_owned(),
        Some(end) if end.several => format!("{}, of several", end.kind.word()),
        Some(end) => end.kind.word().to_owned(),
    }
}

/// Line and column of a call.
fn position(call: &Call) -> (u32, u32) {
    call.place.as_ref().map_or((0, 0), |place| (place.line, place.column))
}

/// `src/a.c:12:5`; empty if it is not known.
fn place(place: Option<&Spot>) -> String {
    match place {
        Some(Spot { file, line, column: 0 }) => format!("{file}:{line}"),
        Some(Spot { file, line, column }) => format!("{file}:{line}:{column}"),
        None => String::new(),
    }
}

/// What there is in numbers.
fn summary(totals: &Totals) -> String {
    format!(
        "\n{}, {}, {} through pointers ({} without a known callee), {}\n",
        counted(totals.functions, "function"),
        counted(totals.direct, "direct call"),
        totals.indirect,
        totals.unknown,
        counted(totals.components, "component"),
    )
}

/// The language of graphviz: functions are boxes, external names plain; calls through pointers are dashed.
fn dot(calls: &Calls) -> String {
    let mut nodes: BTreeMap<Node, &str> =
        calls.nodes.iter().map(|listed| (listed.node, listed.label.as_str())).collect();
    // Many calls between two functions are one arrow.
    let mut arrows: BTreeSet<(Node, Node, EdgeKind)> = BTreeSet::new();
    for listed in &calls.nodes {
        for end in listed.calls.iter().filter_map(|call| call.end.as_ref()) {
            nodes.insert(end.node, &end.label);
            let (caller, callee) =
                if calls.callers { (end.node, listed.node) } else { (listed.node, end.node) };
            arrows.insert((caller, callee, end.kind));
        }
    }
    let mut text = String::from("digraph calls {\n  node [shape=box];\n");
    for (node, label) in nodes {
        let shape = if node.function().is_some() { "" } else { ", shape=plaintext" };
        writeln!(text, "  {} [label={}{shape}];", dot_id(node), quoted(label))
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
    use std::path::Path;

    use session::{Here, Links, Project, UnitIr};

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
        match Calls::of(&project, &part.wanted(), &Here::find()) {
            Ok(calls) => render(&calls, format),
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
