//! Programs as the machine runs them: compiled by clang with checks of each access, and run over all small inputs.
//!
//! The run time (`harness.c`) tries every combination of small integers and of pointers that are null, valid
//! or aliases, and each of the first allocations failing or not; where that is too much, a sample. A run is
//! cut after so many lines or calls; it ends with an error, or as [`Run::end`] says. What it passed, where it
//! failed and which blocks it lost is known by line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use super::generate::writer::{Kind, native};
use super::generate::{Program, RUN_TIME, TYPES};

/// The compiler of what is run.
const CLANG: &str = "clang-19";

/// Flags of what is run: its accesses call the run time, what C leaves undefined otherwise is a trap.
const FLAGS: [&str; 22] = [
    "-O0",
    "-g0",
    "-w",
    "-fno-builtin",
    "-fsanitize=kernel-address,integer-divide-by-zero,signed-integer-overflow,shift,array-bounds",
    "-fsanitize-trap=integer-divide-by-zero,signed-integer-overflow,shift,array-bounds",
    "-fno-omit-frame-pointer",
    "-c",
    "-mllvm",
    "-asan-mapping-offset=0x7fff8000",
    "-mllvm",
    "-asan-stack=1",
    "-mllvm",
    "-asan-globals=1",
    "-mllvm",
    "-asan-instrumentation-with-call-threshold=0",
    "-mllvm",
    "-asan-kernel-mem-intrinsic-prefix=1",
    "-mllvm",
    "-asan-use-after-scope=1",
    "-mllvm",
    "-asan-use-stack-safety=0",
];

/// How much is tried of a function.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Inputs, if there are more.
    pub(super) inputs: u32,
    /// Runs from large and odd values.
    pub(super) wide: u32,
}

/// How a run went; many runs go the same way.
#[derive(Debug)]
pub(super) struct Run {
    /// The id of the error, or `returned`, `exited`, `aborted`, `cut` (too long) or `undefined` (what no kind is about).
    pub(super) end: String,
    /// The lines of the error: that of the failure, and those of the calls around it.
    pub(super) at: Vec<u32>,
    /// The lines that it passed, ascending.
    passed: Vec<u32>,
    /// For each block that was lost: the lines of its allocation, and of the calls around it.
    lost: Vec<Vec<u32>>,
    /// Whether it asked for more memory than the run time has.
    pub(super) is_huge: bool,
}

impl Run {
    /// Whether nothing went wrong.
    pub(super) fn is_normal(&self) -> bool {
        self.end == "returned" || self.end == "exited"
    }

    pub(super) fn has_passed(&self, line: u32) -> bool {
        self.passed.binary_search(&line).is_ok()
    }

    /// Whether a block was lost that was allocated there.
    pub(super) fn has_lost(&self, lines: &[u32]) -> bool {
        self.lost.iter().flatten().any(|line| lines.contains(line))
    }
}

/// What a function was given, and what came of it.
#[derive(Debug)]
pub(super) struct Input {
    /// For each parameter the number of its value.
    modes: Vec<u8>,
    /// Whether all pointers are valid and different, and there is as much memory as can be wished.
    pub(super) is_full: bool,
    /// For each choice of failing allocations (`o`: succeeds, `x`: fails) the number of the way it went.
    pub(super) runs: Vec<(usize, String)>,
}

/// All runs of a function.
#[derive(Default, Debug)]
pub(super) struct Runs {
    pub(super) ways: Vec<Run>,
    pub(super) inputs: Vec<Input>,
    /// The ways of runs from large and odd values.
    wide: Vec<usize>,
    /// Whether all small inputs were tried, and each run is known.
    pub(super) is_complete: bool,
    kinds: String,
}

impl Runs {
    /// How many.
    pub(super) fn count(&self) -> u64 {
        (self.inputs.iter().map(|it| it.runs.len()).sum::<usize>() + self.wide.len()) as u64
    }

    /// An input and the choices that lead to a way, as a reader would write them.
    pub(super) fn example(&self, is_wanted: impl Fn(&Run) -> bool) -> Option<String> {
        for input in &self.inputs {
            for (way, choices) in &input.runs {
                if self.ways.get(*way).is_some_and(&is_wanted) {
                    return Some(self.tell(input, choices));
                }
            }
        }
        let is_wide = self.wide.iter().any(|way| self.ways.get(*way).is_some_and(&is_wanted));
        is_wide.then(|| "(large values)".to_owned())
    }

    /// An input, and which allocations fail.
    pub(super) fn tell(&self, input: &Input, choices: &str) -> String {
        let n_ints = self.kinds.chars().filter(|it| *it == 'i').count();
        let values: Vec<String> =
            self.kinds.chars().zip(&input.modes).map(|(kind, mode)| value(kind, *mode, n_ints)).collect();
        let failing = if choices.contains('x') { format!("; allocations {choices}") } else { String::new() };
        format!("({}{failing})", values.join(", "))
    }
}

/// The same order as in `harness.c`.
const VALUES: [i32; 20] = [0, 1, 2, -1, 3, 4, 5, -2, 6, 8, 7, -3, 9, 12, -4, 17, 10, 64, 100, -100];

fn value(kind: char, mode: u8, n_ints: usize) -> String {
    let words: &[&str] = match kind {
        'i' => {
            debug_assert!(n_ints > 0, "there should be an integer");
            return VALUES.get(usize::from(mode)).map_or("?".to_owned(), i32::to_string);
        }
        'p' => &["null", "int[24]{0, 0, …}", "int[24]{1, 2, …}", "int[1]{2}", "alias"],
        'n' => &["null", "list 0,1,2,3", "list 3,4,5,6", "list 1", "alias", "ring 2"],
        'b' => &["null", "buf 0/24", "buf 2/24", "buf 3/3", "buf without data", "alias"],
        'o' => &["null", "&(int *)0", "&int[24]{1, 1, …}"],
        _ => &["return 0", "return 1", "return x", "return x > 0 ? x - 1 : -1", "null"],
    };
    words.get(usize::from(mode)).map_or("?", |it| it).to_owned()
}

/// A place where programs are compiled and run.
pub(super) struct Machine {
    directory: TempDir,
}

/// What runs natively, beside the programs.
const HARNESS: &str = include_str!("harness.c");

impl Machine {
    pub(super) fn new() -> Result<Machine> {
        let directory = tempfile::tempdir().context("while making a temporary directory")?;
        let (source, object) = (directory.path().join("harness.c"), directory.path().join("harness.o"));
        std::fs::write(&source, HARNESS)?;
        clang(&["-O2", "-w", "-c"], &source, &object)?;
        Ok(Machine { directory })
    }

    /// Runs functions of programs, each given by the position of its program and its name.
    pub(super) fn run(
        &self,
        programs: &[&Program],
        functions: &[String],
        effort: Effort,
    ) -> Result<BTreeMap<String, Runs>> {
        if functions.is_empty() {
            return Ok(BTreeMap::new());
        }
        let path = |name: &str| self.directory.path().join(name);
        let (source, object, program) = (path("p.c"), path("p.o"), path("p"));
        std::fs::write(&source, text(programs))?;
        clang(&FLAGS, &source, &object)?;
        let linked = Command::new(CLANG)
            .arg(&object)
            .arg(path("harness.o"))
            .arg("-o")
            .arg(&program)
            .output()
            .context("while linking")?;
        ensure!(linked.status.success(), "linking failed: {}", String::from_utf8_lossy(&linked.stderr));
        let mut command = Command::new(&program);
        for function in functions {
            command.args([&effort.inputs.to_string(), &effort.wide.to_string(), function]);
        }
        let output = command.stdin(Stdio::null()).output().context("while running programs")?;
        let all = String::from_utf8_lossy(&output.stdout);
        if !all.ends_with("END\n") {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("native programs ended with {}: {said}", output.status);
        }
        parse(&all)
    }
}

fn clang(flags: &[&str], source: &Path, object: &Path) -> Result<()> {
    let output = Command::new(CLANG)
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(object)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("while starting {CLANG}; scripts/setup installs it"))?;
    ensure!(
        output.status.success(),
        "{CLANG} rejects a program:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// What is compiled: the programs, and a function for each of theirs that hands over what the run time makes.
fn text(programs: &[&Program]) -> String {
    let mut text = format!("{TYPES}{RUN_TIME}");
    let mut table = String::new();
    let mut count = 0;
    for program in programs {
        let _ = writeln!(text, "#line 1 \"n{}.c\"", program.seed);
        for (at, line) in program.lines.iter().enumerate() {
            let _ = writeln!(text, "{}", native(line, at + 1));
        }
        for function in &program.functions {
            let _ = writeln!(text, "static void try_{}(void) {{", function.name);
            let mut letters = String::new();
            for (at, kind) in function.params.iter().enumerate() {
                let _ = writeln!(text, "{} = {}({at});", kind.declare(&format!("a{at}")), maker(*kind));
                letters.push(kind.letter());
            }
            for (at, (kind, name)) in program.globals.iter().enumerate() {
                let dim = function.params.len() + at;
                let _ = writeln!(text, "{name} = {}({dim}); h_root(&{name}, sizeof {name});", maker(*kind));
                letters.push(kind.letter());
            }
            let args: Vec<String> = (0..function.params.len()).map(|at| format!("a{at}")).collect();
            let call = format!("{}({})", function.name, args.join(", "));
            let _ = match function.result {
                Kind::Ints | Kind::Node => writeln!(text, "h_result({call}); }}"),
                _ => writeln!(text, "{call}; }}"),
            };
            let _ = writeln!(table, "{{ \"{0}\", try_{0}, \"{letters}\" }},", function.name);
            count += 1;
        }
    }
    let _ = writeln!(text, "struct h_fn {{ const char *name; void (*call)(void); const char *kinds; }};");
    let _ = writeln!(
        text,
        "const struct h_fn h_functions[] = {{\n{table}}};\nconst int h_n_functions = {count};"
    );
    text
}

fn maker(kind: Kind) -> &'static str {
    match kind {
        Kind::Int | Kind::Void => "h_int",
        Kind::Ints => "h_ints",
        Kind::Node => "h_node",
        Kind::Buf => "h_buf",
        Kind::Out => "h_out",
        Kind::Hook => "h_hook",
    }
}

/// The output of the run time: see `describe` and `try_choices` there.
fn parse(text: &str) -> Result<BTreeMap<String, Runs>> {
    let mut all = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["F", function, kinds, is_complete] => {
                name = (*function).to_owned();
                let runs =
                    Runs { kinds: (*kinds).to_owned(), is_complete: *is_complete == "1", ..Runs::default() };
                all.insert(name.clone(), runs);
            }
            ["END"] => {}
            ["C"] => all.get_mut(&name).context("a function should come first")?.is_complete = false,
            words => {
                let runs = all.get_mut(&name).context("a function should come first")?;
                parse_line(words, runs).with_context(|| format!("in `{line}`"))?;
            }
        }
    }
    Ok(all)
}

fn parse_line(words: &[&str], runs: &mut Runs) -> Result<()> {
    match words {
        ["R", end, rest @ ..] => {
            let (end, is_huge) = ((*end).to_owned(), rest.contains(&"!"));
            let mut run = Run { end, is_huge, at: Vec::new(), passed: Vec::new(), lost: Vec::new() };
            for word in rest {
                match word.split_at(1) {
                    ("@", lines) => run.at = numbers(lines)?,
                    ("+", lines) => run.passed = numbers(lines)?,
                    ("!", _) => {}
                    (_, lines) => run.lost.push(numbers(lines)?),
                }
            }
            runs.ways.push(run);
        }
        ["I", modes, is_full, rest @ ..] => {
            let mut input = Input { modes: numbers(modes)?, is_full: *is_full == "1", runs: Vec::new() };
            for word in rest {
                let (way, choices) = word.split_once(':').context("a run should have choices")?;
                match way.parse() {
                    Ok(way) => input.runs.push((way, choices.to_owned())),
                    Err(_) => runs.is_complete = false,
                }
            }
            runs.inputs.push(input);
        }
        ["W", way] => runs.wide.extend(way.parse::<usize>()),
        _ => bail!("nobody knows such a line"),
    }
    Ok(())
}

fn numbers<T: std::str::FromStr>(text: &str) -> Result<Vec<T>> {
    let words = text.split(',').filter(|it| !it.is_empty());
    words.map(|it| it.parse().ok().context("a number should stand there")).collect()
}
