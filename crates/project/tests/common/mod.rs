//! Projects out of short texts, and what is known of them as text.

#![allow(dead_code, reason = "not every suite needs everything")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use base::Id;
use ir::SymbolRef;
use project::{
    Artifact, ArtifactKind, Cause, Edge, FnId, Input, Links, Node, ProgramId, ProgramKind, Project,
    Resolution, Target, UnitId, UnitIr,
};

/// Where the files of sketched projects are.
pub(crate) const ROOT: &str = "/p";

/// A project of sketched files and links.
///
/// A line `a.c: weak f -> g, h` defines a function that calls two others; `a.c: f` one that calls none. The object of `dir/a.c` is
/// `dir/a.o`. A line of links is `program tool = a.o libx.a`, with `archive`, `shared` or `relocatable` for other artifacts,
/// `-lx@dir` for a library in a directory, and `whole:libx.a` for all members.
pub(crate) fn sketch(files: &str, links: &str) -> Project {
    Project::new(units(files), &self::links(Path::new(ROOT), links))
}

pub(crate) fn units(files: &str) -> Vec<UnitIr> {
    let mut by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in lines(files) {
        let (file, function) = line.split_once(':').unwrap();
        by_file.entry(file).or_default().push(function.trim());
    }
    by_file.into_iter().map(|(file, functions)| unit(Path::new(ROOT), file, &ir_text(&functions))).collect()
}

/// A unit of IR in text form.
pub(crate) fn unit(root: &Path, file: &str, text: &str) -> UnitIr {
    let module = ir::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let path = root.join(file);
    UnitIr { file: file.to_owned(), args: Vec::new(), outputs: vec![path.with_extension("o")], path, module }
}

fn ir_text(functions: &[&str]) -> String {
    let mut text = String::from("target pointer 8\n");
    let mut defined = Vec::new();
    let mut called = Vec::new();
    for function in functions {
        let (head, callees) = function.split_once("->").unwrap_or((function, ""));
        let (linkage, name) = head.trim().rsplit_once(' ').unwrap_or(("", head.trim()));
        defined.push(name);
        writeln!(text, "func {linkage} @{name}() {{\nb0:").unwrap();
        for callee in callees.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            called.push(callee);
            writeln!(text, "  call @{callee}()").unwrap();
        }
        text.push_str("  return\n}\n");
    }
    called.sort_unstable();
    called.dedup();
    for name in called.into_iter().filter(|name| !defined.contains(name)) {
        writeln!(text, "func @{name}()").unwrap();
    }
    text
}

pub(crate) fn links(root: &Path, text: &str) -> Links {
    let artifact = |line: &str| {
        let (head, inputs) = line.split_once('=').unwrap();
        let (kind, path) = head.trim().split_once(' ').unwrap();
        let kind = match kind {
            "program" => ArtifactKind::Program,
            "shared" => ArtifactKind::Shared,
            "archive" => ArtifactKind::Archive,
            "relocatable" => ArtifactKind::Relocatable,
            _ => panic!("unknown kind {kind}"),
        };
        let inputs = inputs.split_whitespace().map(|it| input(root, it)).collect();
        Artifact { path: root.join(path), kind, inputs }
    };
    Links { artifacts: lines(text).map(artifact).collect() }
}

fn input(root: &Path, text: &str) -> Input {
    let (whole, text) = text.strip_prefix("whole:").map_or((false, text), |text| (true, text));
    match text.strip_prefix("-l") {
        Some(library) => {
            let (name, dir) =
                library.split_once('@').map_or((library, None), |(name, dir)| (name, Some(dir)));
            Input::Library {
                name: name.to_owned(),
                dirs: dir.iter().map(|dir| root.join(dir)).collect(),
                whole,
            }
        }
        None => Input::File { path: root.join(text), whole },
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A project of C and C++ files that clang compiles; `// file: dir/a.c` begins a file.
pub(crate) fn compile(text: &str, links: &str) -> Project {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for part in text.split("// file: ").skip(1) {
        let (file, content) = part.split_once('\n').unwrap();
        let path = root.join(file.trim());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        files.push((path, file.trim().to_owned()));
    }
    let clang = capture::Clang::find(None).unwrap();
    let flags = [format!("-I{}", root.display())];
    let sources = files.iter().filter(|(path, _)| path.extension().is_some_and(|it| it != "h"));
    let units = sources.map(|(path, file)| {
        let unit = capture::units_from_files(std::slice::from_ref(path), &flags).remove(0).unwrap();
        let bitcode = capture::compile(&clang, &unit).unwrap().bitcode;
        let module = lower::lower(&bitcode::read(&bitcode).unwrap()).module;
        let outputs = vec![path.with_extension("o")];
        UnitIr { path: path.clone(), file: file.clone(), args: Vec::new(), outputs, module }
    });
    Project::new(units.collect(), &self::links(&root, links))
}

/// `file:name` of a function.
pub(crate) fn label(project: &Project, function: FnId) -> String {
    let it = project.function(function);
    format!("{}:{}", project.units()[it.unit].file, it.pretty())
}

pub(crate) fn node(project: &Project, node: Node) -> String {
    match node {
        Node::Function(function) => label(project, function),
        Node::External(name) => project.name(name).to_owned(),
    }
}

/// All edges, one per line: `a.c:f -> b.c:g direct`.
pub(crate) fn calls(project: &Project) -> Vec<String> {
    project.call_graph().edges().iter().map(|edge| call(project, edge)).collect()
}

fn call(project: &Project, edge: &Edge) -> String {
    let several = if edge.several { " several" } else { "" };
    let (caller, callee) = (label(project, edge.caller), node(project, edge.callee));
    format!("{caller} -> {callee} {}{several}", edge.kind.word())
}

/// What `name` means in a file: `b.c:g`, several of them, or `undefined`.
pub(crate) fn meaning(project: &Project, file: &str, name: &str, program: Option<&str>) -> String {
    let program = program.map(|name| program_named(project, name));
    let unit = unit_of(project, file);
    let module = &project.units()[unit].module;
    let (id, _) =
        module.functions.iter_ids().find(|(_, it)| module.symbols.resolve(it.name) == name).unwrap();
    let resolution = project.resolve(unit, SymbolRef::Func(id), program);
    let targets: Vec<String> = resolution.targets().iter().map(|&it| target(project, it)).collect();
    match resolution {
        Resolution::Known(_) => targets.concat(),
        Resolution::Several(_, Cause::Programs) => format!("by program: {}", targets.join(", ")),
        Resolution::Several(_, Cause::Ambiguous) => format!("ambiguous: {}", targets.join(", ")),
        Resolution::Undefined => "undefined".to_owned(),
    }
}

fn target(project: &Project, target: Target) -> String {
    match target {
        Target::Function(function) => label(project, function),
        Target::Global { unit, global, offset } => {
            let unit = &project.units()[unit];
            let name = unit.module.symbols.resolve(unit.module.globals[global].name);
            format!("{}:{name}+{offset}", unit.file)
        }
    }
}

pub(crate) fn unit_of(project: &Project, file: &str) -> UnitId {
    let found = project.units().iter_ids().find(|(_, unit)| unit.file == file);
    found.unwrap_or_else(|| panic!("no unit {file}")).0
}

pub(crate) fn program_named(project: &Project, name: &str) -> ProgramId {
    let is_meant = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.ends_with(name));
    project.programs().iter_ids().find(|(_, it)| is_meant(&it.path)).unwrap().0
}

/// All programs, one per line: `tool = a.c b.c + libx.so`.
pub(crate) fn programs(project: &Project) -> Vec<String> {
    let name = |id: ProgramId| match &project.programs()[id].path {
        Some(path) => path.strip_prefix(ROOT).unwrap().display().to_string(),
        None => "rest".to_owned(),
    };
    let line = |id: ProgramId| {
        let program = &project.programs()[id];
        let mut line = format!("{} =", name(id));
        program.units.iter().for_each(|&unit| write!(line, " {}", project.units()[unit].file).unwrap());
        program.libraries.iter().for_each(|&library| write!(line, " + {}", name(library)).unwrap());
        assert_eq!(program.path.is_none(), program.kind == ProgramKind::Implicit);
        line
    };
    project.programs().ids().map(line).collect()
}

/// The functions of that name: the files of all copies of each.
pub(crate) fn copies(project: &Project, name: &str) -> Vec<String> {
    let files = |id: FnId| {
        let copies = project.copies(id).iter().map(|&(unit, _)| project.units()[unit].file.as_str());
        copies.collect::<Vec<_>>().join(" ")
    };
    project.functions_named(name).into_iter().map(files).collect()
}

/// The notes as text.
pub(crate) fn notes(project: &Project) -> Vec<String> {
    project.notes().iter().map(ToString::to_string).collect()
}

/// All components in order, each as `level: names`.
pub(crate) fn order(project: &Project) -> Vec<String> {
    let graph = project.call_graph();
    let line = |(component, level): (&Vec<FnId>, &u32)| {
        let names: Vec<&str> = component.iter().map(|&it| project.function(it).name()).collect();
        assert!(component.iter().all(|&it| graph.order()[graph.component_of(it)] == *component));
        assert!(component.iter().all(|it| it.index() < project.functions().len()));
        format!("{level}: {}", names.join(" "))
    };
    graph.order().iter().zip(graph.levels()).map(line).collect()
}
