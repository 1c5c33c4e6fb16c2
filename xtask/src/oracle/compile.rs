//! Makes bitcode from sources, the way the product does and optimized.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::output_dir;

/// What `capture` adds to a unit's own flags.
const CAPTURE_FLAGS: [&str; 7] =
    ["-w", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-U_FORTIFY_SOURCE"];
/// Debug intrinsics instead of debug records, as LLVM wrote before 19; later versions cannot.
const INTRINSICS_FLAGS: [&str; 5] = ["-w", "-g", "-O2", "-mllvm", "-experimental-debuginfo-iterators=false"];
/// The optimizer makes inlined scopes, vectors and attributes that clang alone does not.
const OPTIMIZED_FLAGS: [&str; 3] = ["-w", "-g", "-O2"];

/// A bitcode file and the major of the LLVM that is to read it.
pub(super) struct Unit {
    /// What to call it in messages.
    pub(super) name: String,
    /// The file.
    pub(super) bitcode: PathBuf,
    /// The LLVM to compare with.
    pub(super) major: u32,
}

/// The units of one file given by the user: bitcode as it is, sources once per way of compiling them.
pub(super) fn units(file: &Path, majors: &[u32], own_flags: &[String]) -> Result<Vec<Unit>> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("bc") => bitcode_units(file, majors),
        Some("rs") => rust_units(file),
        Some("c" | "cc" | "cpp" | "cxx" | "C") => clang_units(file, majors, own_flags),
        _ => bail!("{}: neither bitcode (.bc) nor C, C++ or Rust source", file.display()),
    }
}

/// Bitcode is compared with the LLVM that wrote it, as its identification block says, or the next one that we have.
///
/// A later LLVM upgrades what it reads (attributes, intrinsics); differences may be just that.
fn bitcode_units(file: &Path, majors: &[u32]) -> Result<Vec<Unit>> {
    let bytes = std::fs::read(file).with_context(|| format!("while reading {}", file.display()))?;
    let producer = bitcode::read(&bytes)?.producer;
    let digits = producer
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .split(|c: char| !c.is_ascii_digit())
        .next();
    let writer: u32 = digits
        .and_then(|digits| digits.parse().ok())
        .with_context(|| format!("no version in {producer:?}"))?;
    let Some(&major) = majors.iter().find(|&&major| major >= writer) else {
        bail!("written by {producer}, which none of LLVM {majors:?} reads");
    };
    Ok(vec![Unit { name: format!("{} [{producer}]", file.display()), bitcode: file.into(), major }])
}

fn clang_units(file: &Path, majors: &[u32], own_flags: &[String]) -> Result<Vec<Unit>> {
    let mut units = Vec::new();
    for &major in majors {
        let mut ways = vec![("captured", &CAPTURE_FLAGS[..]), ("O2", &OPTIMIZED_FLAGS[..])];
        if major == 19 {
            ways.push(("O2 intrinsics", &INTRINSICS_FLAGS[..]));
        }
        for (label, flags) in ways {
            let output = output_path(file, &format!("{major}.{}", label.replace(' ', "-")))?;
            let mut command = Command::new(format!("clang-{major}"));
            command.args(own_flags).args(flags).args(["-emit-llvm", "-c"]).arg(file).arg("-o").arg(&output);
            compile(command)?;
            units.push(Unit {
                name: format!("{} [clang-{major} {label}]", file.display()),
                bitcode: output,
                major,
            });
        }
    }
    Ok(units)
}

/// The newest LLVM reads what rustc writes.
fn rust_units(file: &Path) -> Result<Vec<Unit>> {
    let mut units = Vec::new();
    for (label, level) in [("debug", "opt-level=0"), ("release", "opt-level=3")] {
        let output = output_path(file, &format!("rustc.{label}"))?;
        let mut command = Command::new("rustc");
        command.args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "-g",
            "--emit=llvm-bc",
            "-C",
            "codegen-units=1",
            "-C",
        ]);
        command.arg(level).arg(file).arg("-o").arg(&output);
        compile(command)?;
        units.push(Unit { name: format!("{} [rustc {label}]", file.display()), bitcode: output, major: 22 });
    }
    Ok(units)
}

fn compile(mut command: Command) -> Result<()> {
    let output =
        command.output().with_context(|| format!("while running {}", command.get_program().display()))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Sources of the same name in several directories do not meet in one output file.
fn output_path(file: &Path, label: &str) -> Result<PathBuf> {
    let name = file.display().to_string().replace(['/', '\\'], "_");
    Ok(output_dir()?.join(format!("{name}.{label}.bc")))
}
