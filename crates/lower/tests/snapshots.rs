//! One small C or C++ file per construct in `tests/lower` (LLVM's text where C has no words for it), and beside it the IR that it
//! becomes.
//!
//! A file may start with `// args: …` for clang. `BLESS=1` writes the IR; read the difference before you commit it.

mod common;

use std::path::{Path, PathBuf};

use common::compile;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let trials = sources().into_iter().map(|path| {
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        Trial::test(name, move || check(&path))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn sources() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lower");
    let entries = std::fs::read_dir(&directory).expect("the directory of snapshots");
    let mut sources: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| path.extension().is_some_and(|it| it == "c" || it == "cpp" || it == "ll"))
        .collect();
    sources.sort();
    sources
}

fn check(source: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(source)?;
    let args = text.lines().next().and_then(|it| it.strip_prefix("// args: ")).unwrap_or("");
    let args: Vec<&str> = args.split_whitespace().collect();
    let module = lower_verified(&compile(source, &args)?)?;
    let actual = ir::print(&module);
    let snapshot = source.with_extension("ir");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&snapshot, &actual)?;
        return Ok(());
    }
    let expected = std::fs::read_to_string(&snapshot).unwrap_or_default();
    if actual == expected { Ok(()) } else { Err(difference(&expected, &actual).into()) }
}

/// Reads and lowers bitcode; every function should be there and keep the laws.
fn lower_verified(bytes: &[u8]) -> Result<ir::Module, String> {
    let module = bitcode::read(bytes).map_err(|error| error.to_string())?;
    let lowered = lower::lower(&module);
    if let Some(skipped) = lowered.skipped.first() {
        let name = lowered.module.symbols.resolve(skipped.function);
        return Err(format!("{name} was left out: {}", skipped.cause));
    }
    match ir::verify(&lowered.module).first() {
        Some(violation) => Err(violation.describe(&lowered.module)),
        None => Ok(lowered.module),
    }
}

/// The first line that differs, with some lines around it.
fn difference(expected: &str, actual: &str) -> String {
    let first = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let lines: Vec<&str> = text.lines().skip(first.saturating_sub(3)).take(10).collect();
        lines.join("\n")
    };
    format!(
        "line {} differs (BLESS=1 accepts)\n--- expected\n{}\n--- actual\n{}",
        first + 1,
        around(expected),
        around(actual)
    )
}
