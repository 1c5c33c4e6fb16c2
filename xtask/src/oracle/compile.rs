//! Makes bitcode from sources, the way the product does and optimized.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use capture::{Database, FrontEnd, Trust};

use super::output_dir;

/// Much like what `capture` adds to a unit's own flags.
const CAPTURE_FLAGS: [&str; 8] = [
    "-w",
    "-g",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-U__OPTIMIZE__",
    "-U_FORTIFY_SOURCE",
    "-fno-discard-value-names",
];
/// The optimizer makes inlined scopes, vectors and attributes that clang alone does not.
const OPTIMIZED_FLAGS: [&str; 3] = ["-w", "-g", "-O2"];
/// Debug intrinsics instead of debug records, as LLVM wrote before 19; later versions cannot.
const INTRINSICS_FLAGS: [&str; 5] = ["-w", "-g", "-O2", "-mllvm", "-experimental-debuginfo-iterators=false"];

/// One way to get a bitcode file.
pub(super) enum Job {
    /// It is there.
    Bitcode(PathBuf),
    /// By clang, with these flags.
    Clang { source: PathBuf, major: u32, way: &'static str, flags: Vec<String> },
    /// By rustc, at an optimization level.
    Rustc { source: PathBuf, level: u8 },
    /// As the product compiles a unit of a build.
    Captured { unit: capture::Unit, major: u32 },
}

/// A bitcode file and the major of the LLVM that is to read it.
pub(super) struct Prepared {
    /// The file.
    pub(super) bitcode: PathBuf,
    /// The LLVM to compare with.
    pub(super) major: u32,
}

/// Why there is nothing to compare.
pub(super) enum Failure {
    /// The compiler rejects the source, which tells nothing about our reader.
    NotCompiled(anyhow::Error),
    /// Anything else.
    Broken(anyhow::Error),
}

/// The jobs of one file given by the user: bitcode as it is, sources once per way of compiling them.
pub(super) fn jobs_of_file(file: &Path, majors: &[u32], own_flags: &[String]) -> Result<Vec<Job>> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("bc") => Ok(vec![Job::Bitcode(file.into())]),
        Some("rs") => Ok([0, 3].map(|level| Job::Rustc { source: file.into(), level }).into()),
        Some("c" | "cc" | "cpp" | "cxx" | "C") => Ok(clang_jobs(file, majors, own_flags)),
        _ => bail!("{}: neither bitcode (.bc) nor C, C++ or Rust source", file.display()),
    }
}

/// The jobs of every `every`-th unit of a compilation database.
pub(super) fn jobs_of_database(path: &Path, majors: &[u32], every: usize) -> Result<Vec<Job>> {
    let units = Database::load(path)?.units.into_iter().step_by(every.max(1));
    Ok(units
        .flat_map(|unit| majors.iter().map(move |&major| Job::Captured { unit: unit.clone(), major }))
        .collect())
}

fn clang_jobs(file: &Path, majors: &[u32], own_flags: &[String]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &major in majors {
        let mut ways = vec![("captured", &CAPTURE_FLAGS[..]), ("O2", &OPTIMIZED_FLAGS[..])];
        if major == 19 {
            ways.push(("O2-intrinsics", &INTRINSICS_FLAGS[..]));
        }
        for (way, flags) in ways {
            let flags = own_flags.iter().cloned().chain(flags.iter().map(ToString::to_string)).collect();
            jobs.push(Job::Clang { source: file.into(), major, way, flags });
        }
    }
    jobs
}

impl Job {
    /// What to call it in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Job::Bitcode(file) => file.display().to_string(),
            Job::Clang { source, major, way, .. } => format!("{} [clang-{major} {way}]", source.display()),
            Job::Rustc { source, level } => format!("{} [rustc opt-level={level}]", source.display()),
            Job::Captured { unit, major } => format!("{} [clang-{major} of a build]", unit.file.display()),
        }
    }

    /// Makes the bitcode.
    pub(super) fn prepare(&self, majors: &[u32]) -> Result<Prepared, Failure> {
        match self {
            Job::Bitcode(file) => prepare_bitcode(file, majors).map_err(Failure::Broken),
            Job::Clang { source, major, flags, .. } => {
                let mut command = Command::new(format!("clang-{major}"));
                command.args(flags).args(["-emit-llvm", "-c"]).arg(source).arg("-o");
                self.compile(command, *major)
            }
            Job::Rustc { source, level } => {
                let mut command = Command::new("rustc");
                command.args(["--edition", "2024", "--crate-type", "lib", "-g", "--emit=llvm-bc"]);
                command.arg("-Ccodegen-units=1").arg(format!("-Copt-level={level}")).arg(source).arg("-o");
                // The newest LLVM reads what rustc writes.
                self.compile(command, 22)
            }
            Job::Captured { unit, major } => self.capture(unit, *major),
        }
    }

    fn compile(&self, mut command: Command, major: u32) -> Result<Prepared, Failure> {
        let bitcode = self.output_path().map_err(Failure::Broken)?;
        let output =
            command.arg(&bitcode).output().with_context(|| format!("no {}", command.get_program().display()));
        let output = output.map_err(Failure::Broken)?;
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr);
            let first = messages.lines().find(|line| line.contains("error")).unwrap_or("no message");
            return Err(Failure::NotCompiled(anyhow::Error::msg(first.to_string())));
        }
        Ok(Prepared { bitcode, major })
    }

    fn capture(&self, unit: &capture::Unit, major: u32) -> Result<Prepared, Failure> {
        let name = format!("clang-{major}");
        let front_end = FrontEnd::new(Some(Path::new(&name)), None, Trust::Build);
        front_end.clang().map_err(|error| Failure::Broken(error.into()))?;
        let compiled = front_end.compile(unit).map_err(|error| Failure::NotCompiled(error.into()))?;
        let bitcode = self.output_path().map_err(Failure::Broken)?;
        std::fs::write(&bitcode, compiled.bitcode).map_err(|error| Failure::Broken(error.into()))?;
        Ok(Prepared { bitcode, major })
    }

    /// Sources of the same name in several directories do not meet in one output file.
    fn output_path(&self) -> Result<PathBuf> {
        let letter = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
        let name: String = self.name().chars().map(letter).collect();
        Ok(output_dir()?.join(format!("{name}.bc")))
    }

    /// Removes what [`Job::prepare`] made; the user's own files stay.
    pub(super) fn clean(&self, prepared: &Prepared) -> Result<()> {
        match self {
            Job::Bitcode(_) => Ok(()),
            _ => std::fs::remove_file(&prepared.bitcode).context("while removing bitcode"),
        }
    }
}

/// Bitcode is compared with the LLVM that wrote it, as its identification block says, or the next one that we have.
///
/// A later LLVM upgrades what it reads (attributes, intrinsics); differences may be just that.
fn prepare_bitcode(file: &Path, majors: &[u32]) -> Result<Prepared> {
    let bytes = std::fs::read(file)?;
    let producer = bitcode::read(&bytes)?.producer;
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = producer.trim_start_matches(|c| !is_digit(c)).split(|c| !is_digit(c)).next();
    let writer: Option<u32> = digits.and_then(|digits| digits.parse().ok());
    let writer = writer.with_context(|| format!("no version in {producer:?}"))?;
    let Some(&major) = majors.iter().find(|&&major| major >= writer) else {
        bail!("written by {producer}, which none of LLVM {majors:?} reads");
    };
    Ok(Prepared { bitcode: file.into(), major })
}
