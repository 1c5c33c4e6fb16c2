//! What a compiler's command line compiles, and links in the same breath.
//!
//! Source: the manual of GCC 12, "Overall Options" (stages, `-x`, names of auxiliary and dump outputs);
//! clang's driver takes the same words.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::paths::absolute;
use super::{Compilation, Skipped, Understood, linker};
use crate::flags::{self, LANGUAGE, OUTPUT, Word, value_of};
use crate::links::{Artifact, ArtifactKind, Input};
use crate::unit::{self, InputKind, Language};

/// How far a command goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// It makes no code: it preprocesses, checks, prints, or makes a precompiled header.
    NoCode,
    Assembly,
    Object,
    Linked,
}

/// Options after which no code is made. `*` stands for any rest.
const NO_CODE: &[&[&str]] = &[
    &["-E", "--preprocess", "-M", "-MM", "--dependencies", "--user-dependencies", "-fsyntax-only", "-###"],
    &["--version", "--help*", "--target-help", "-dumpversion", "-dumpfullversion", "-dumpmachine"],
    &["-dumpspecs", "--dump*", "-print-*", "--print-*", "-cc1*", "-emit-ast", "-emit-pch", "--analyze"],
    &["--precompile", "-rewrite-*", "-fmodule-only", "-fmodule-header*", "-verify-pch", "--autocomplete*"],
];

/// What an input is.
enum Kind {
    /// C or C++.
    Source,
    /// A source in another language, or assembly.
    Skipped(InputKind),
    /// LLVM's code, which becomes an object without being a source of the program.
    Llvm,
    /// For the linker.
    Object,
    /// Nothing that is built: a header to be precompiled, a device, the standard input.
    Nothing,
}

struct Source<'a> {
    file: &'a str,
    /// The `-x` that holds at its place.
    language: Option<&'a str>,
    kind: Kind,
}

/// A command line, sorted.
struct Line<'a> {
    stage: Stage,
    output: Option<&'a str>,
    /// Whether LLVM's code is written instead of machine code.
    emits_llvm: bool,
    sources: Vec<Source<'a>>,
    /// The words that all sources share.
    shared: Vec<&'a str>,
    /// What the linker gets, in order.
    to_linker: Vec<ToLinker<'a>>,
}

enum ToLinker<'a> {
    /// Index of a source.
    Source(usize),
    Word(&'a str),
}

pub(super) fn understand(compiler: &str, args: &[String], dir: &Path) -> Understood {
    let line = read(args);
    let is_file = |source: &Source<'_>| !matches!(source.kind, Kind::Nothing);
    // Compilers refuse one output for several sources.
    let refused = line.stage < Stage::Linked
        && line.output.is_some()
        && line.sources.iter().filter(|source| is_source(source)).count() > 1;
    if line.stage == Stage::NoCode
        || line.output == Some("/dev/null")
        || refused
        || !line.sources.iter().any(is_file)
    {
        return Understood::default();
    }
    let outputs = outputs(&line, dir);
    let mut understood = Understood::default();
    for (source, output) in line.sources.iter().zip(&outputs) {
        match source.kind {
            Kind::Source => understood.compilations.push(Compilation {
                file: PathBuf::from(source.file),
                dir: dir.to_owned(),
                arguments: arguments(compiler, &line, source, output),
                output: output.clone(),
            }),
            Kind::Skipped(kind) => {
                understood.skipped.push(Skipped { file: PathBuf::from(source.file), kind })
            }
            Kind::Llvm | Kind::Object | Kind::Nothing => {}
        }
    }
    understood.artifact = match line.stage {
        Stage::Linked => linker::understand(&linker_words(&line, &outputs), dir),
        Stage::Object => assembled(&line, &outputs, dir),
        Stage::Assembly | Stage::NoCode => None,
    };
    understood
}

fn read(args: &[String]) -> Line<'_> {
    let mut line = Line {
        stage: Stage::Linked,
        output: None,
        emits_llvm: false,
        sources: Vec::new(),
        shared: Vec::new(),
        to_linker: Vec::new(),
    };
    let mut language = None;
    for word in flags::words(args) {
        match word {
            Word::Input(file) => {
                line.to_linker.push(ToLinker::Source(line.sources.len()));
                line.sources.push(Source { file, language, kind: kind(file, language) });
            }
            // The command ends where a value should be, and fails.
            Word::Option { value: None, action, .. } if action.takes_next() => line.stage = Stage::NoCode,
            Word::Option { name, value, action } => {
                if let Some(output) = value_of(name, value, OUTPUT) {
                    line.output = Some(output);
                } else if let Some(name) = value_of(name, value, LANGUAGE) {
                    language = (name != "none").then_some(name);
                } else if action.is_for_linker() {
                    line.to_linker.extend([name].into_iter().chain(value).map(ToLinker::Word));
                } else {
                    line.option(name, value);
                }
            }
        }
    }
    line
}

impl<'a> Line<'a> {
    fn option(&mut self, name: &'a str, value: Option<&'a str>) {
        let stage = match name {
            "-c" | "--compile" => Stage::Object,
            "-S" | "--assemble" => Stage::Assembly,
            _ if NO_CODE.iter().any(|row| is_one_of(name, row)) => Stage::NoCode,
            _ => Stage::Linked,
        };
        self.stage = self.stage.min(stage);
        self.emits_llvm |= name == "-emit-llvm";
        if !matches!(stage, Stage::Object | Stage::Assembly) {
            self.shared.push(name);
            self.shared.extend(value);
        }
    }
}

fn is_one_of(name: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == *pattern,
    })
}

fn kind(file: &str, language: Option<&str>) -> Kind {
    if file == "-" || file.starts_with("/dev/") || file.starts_with('@') {
        return Kind::Nothing;
    }
    match unit::language(Path::new(file), language) {
        Ok(Language::C | Language::Cxx) => Kind::Source,
        Ok(Language::LlvmText | Language::Bitcode) => Kind::Llvm,
        Err(InputKind::Header) => Kind::Nothing,
        Err(kind @ (InputKind::Assembly | InputKind::ObjectiveC | InputKind::OtherLanguage)) => {
            Kind::Skipped(kind)
        }
        // Compilers give what they do not know to the linker: objects, archives, scripts.
        Err(InputKind::Object | InputKind::Unknown | InputKind::Directory | InputKind::Special) => {
            Kind::Object
        }
    }
}

fn is_source(source: &Source<'_>) -> bool {
    matches!(source.kind, Kind::Source | Kind::Skipped(_) | Kind::Llvm)
}

/// What becomes of each source, absolute.
fn outputs(line: &Line<'_>, dir: &Path) -> Vec<PathBuf> {
    let mut names = Names::default();
    let mut name = |source: &Source<'_>| match (line.stage, line.output) {
        (Stage::Linked, output) => {
            names.unused(source.file, |number| inner_object(output, source.file, number, dir))
        }
        (_, Some(output)) => absolute(dir, Path::new(output)),
        (stage, None) => absolute(dir, &default_output(source.file, stage, line.emits_llvm)),
    };
    line.sources.iter().map(&mut name).collect()
}

/// Objects of one command: two sources of the same name have two.
#[derive(Default)]
struct Names {
    taken: BTreeSet<PathBuf>,
    /// How many sources of that name there were.
    numbers: BTreeMap<OsString, usize>,
}

impl Names {
    fn unused(&mut self, file: &str, name: impl Fn(usize) -> PathBuf) -> PathBuf {
        let number =
            self.numbers.entry(Path::new(file).file_stem().unwrap_or_default().to_owned()).or_default();
        loop {
            *number += 1;
            let path = name(*number);
            if self.taken.insert(path.clone()) {
                return path;
            }
        }
    }
}

/// `gcc -c x/a.c` writes `a.o` into the working directory.
fn default_output(file: &str, stage: Stage, emits_llvm: bool) -> PathBuf {
    let extension = match (stage, emits_llvm) {
        (Stage::Assembly, false) => "s",
        (Stage::Assembly, true) => "ll",
        (_, false) => "o",
        (_, true) => "bc",
    };
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// The object between source and program as `-save-temps` would call it: `gcc -o bin/prog x/a.c` makes `bin/prog-a.o`, and
/// without `-o` it is `a-a.o`.
fn inner_object(output: Option<&str>, file: &str, number: usize, dir: &Path) -> PathBuf {
    let output = output.unwrap_or("a.out");
    let base = Path::new(output).file_name().and_then(|name| name.to_str()).unwrap_or("a.out");
    let base = if base == "a.out" { "a" } else { base.strip_suffix(".exe").unwrap_or(base) };
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let name = match number {
        1 => format!("{base}-{stem}.o"),
        _ => format!("{base}-{stem}-{number}.o"),
    };
    absolute(dir, &Path::new(output).with_file_name(name))
}

fn arguments(compiler: &str, line: &Line<'_>, source: &Source<'_>, output: &Path) -> Vec<String> {
    let mut words = vec![compiler.to_owned()];
    words.extend(line.shared.iter().map(|word| String::from(*word)));
    words.push(if line.stage == Stage::Assembly { "-S" } else { "-c" }.to_owned());
    words.extend(source.language.into_iter().flat_map(|language| ["-x".to_owned(), language.to_owned()]));
    words.push(operand(source.file));
    words.extend(["-o".to_owned(), output.to_string_lossy().into_owned()]);
    words
}

/// A file called `-o.c`, which stood behind `--`, must not become an option.
fn operand(file: &str) -> String {
    let dot = if file.starts_with('-') { "./" } else { "" };
    format!("{dot}{file}")
}

fn linker_words(line: &Line<'_>, outputs: &[PathBuf]) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.to_linker.iter();
    while let Some(part) = rest.next() {
        match part {
            ToLinker::Source(index) => words.extend(linked_file(&line.sources[*index], &outputs[*index])),
            ToLinker::Word("-Xlinker" | "--for-linker") => {
                if let Some(ToLinker::Word(word)) = rest.next() {
                    words.push(String::from(*word));
                }
            }
            ToLinker::Word(word) => match word.strip_prefix("-Wl,").or(word.strip_prefix("--for-linker=")) {
                Some(packed) => words.extend(packed.split(',').map(String::from)),
                None => words.push(String::from(*word)),
            },
        }
    }
    words.extend(line.output.into_iter().flat_map(|output| ["-o".to_owned(), output.to_owned()]));
    words
}

/// What the linker gets of an input. A source that is not analyzed stands for its own object, because it may be the
/// assembly that another command made of a unit.
fn linked_file(source: &Source<'_>, output: &Path) -> Option<String> {
    match source.kind {
        Kind::Source => Some(output.to_string_lossy().into_owned()),
        Kind::Skipped(_) | Kind::Llvm | Kind::Object => Some(operand(source.file)),
        Kind::Nothing => None,
    }
}

/// The object of an assembly source, or of LLVM's code, that was compiled alone.
fn assembled(line: &Line<'_>, outputs: &[PathBuf], dir: &Path) -> Option<Artifact> {
    let is_assembled =
        |source: &Source<'_>| matches!(source.kind, Kind::Skipped(InputKind::Assembly) | Kind::Llvm);
    let index = line.sources.iter().position(is_assembled)?;
    let path = absolute(dir, Path::new(line.sources[index].file));
    Some(Artifact {
        path: outputs[index].clone(),
        kind: ArtifactKind::Relocatable,
        inputs: vec![Input::File { path, whole: false }],
    })
}
