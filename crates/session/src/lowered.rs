//! One unit in our own representation: compiled, read and lowered, with what that cost. A bad unit costs only
//! itself.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bitcode::Unknown;
use capture::{FrontEnd, Language, Unit};
use project::UnitIr;

use crate::paths::Here;
use crate::tally::Origin;
use crate::units::LeftOut;
use crate::workers;

/// A unit in our own representation.
pub(crate) struct Lowered {
    /// Its file, as the user reads it.
    pub(crate) file: String,
    /// Its file, independent of the working directory.
    path: PathBuf,
    /// The flags it was compiled by.
    args: Vec<String>,
    /// The objects that the build made of it.
    outputs: Vec<PathBuf>,
    /// Where its bitcode came from.
    pub(crate) origin: Origin,
    /// Its IR.
    pub(crate) module: ir::Module,
    /// Functions that could not be lowered, each with the reason.
    pub(crate) skipped: Vec<String>,
    /// What the bitcode reader passed over.
    pub(crate) unknown: Vec<Unknown>,
    /// What it cost.
    pub(crate) cost: Cost,
}

/// What the phases cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Compiling.
    pub clang: Spent,
    /// Reading bitcode.
    pub read: Spent,
    /// From bitcode to IR.
    pub lower: Spent,
}

/// Time on the clock and time of a processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// On the clock.
    pub wall: Duration,
    /// Of a processor.
    pub cpu: Duration,
}

impl Lowered {
    /// Lowers one unit, or says why not.
    pub(crate) fn of(front_end: &FrontEnd, unit: &Unit, here: &Here) -> Result<Lowered, LeftOut> {
        let file = here.shorten(&unit.path());
        let whole = || translate(front_end, unit, here, &file);
        // An error of ours must not take the other units with it.
        panic::catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| {
            let message = format!("{file}: internal error; please report it with the message above");
            Err(LeftOut { message, reason: "internal error" })
        })
    }
}

impl From<Lowered> for UnitIr {
    fn from(unit: Lowered) -> UnitIr {
        UnitIr {
            path: unit.path,
            file: unit.file,
            args: unit.args,
            outputs: unit.outputs,
            module: unit.module,
        }
    }
}

fn translate(front_end: &FrontEnd, unit: &Unit, here: &Here, file: &str) -> Result<Lowered, LeftOut> {
    let mut cost = Cost::default();
    let started = Instant::now();
    let compiled = front_end.compile(unit).map_err(|error| LeftOut::of(&error, &unit.dir, here))?;
    // What was reused cost nothing this time.
    let cpu = if compiled.reused { Duration::ZERO } else { compiled.cpu };
    cost.clang = Spent { wall: started.elapsed(), cpu };
    let origin = match (unit.language, compiled.reused) {
        (Language::Bitcode, _) => Origin::Given,
        (_, true) => Origin::Reused,
        (_, false) => Origin::Compiled,
    };
    let module = timed(&mut cost.read, || bitcode::read(&compiled.bitcode));
    let module = module
        .map_err(|error| LeftOut { message: format!("{file}: {error}"), reason: "unreadable bitcode" })?;
    drop(compiled);
    let lowered = timed(&mut cost.lower, || lower::lower(&module));
    let skipped = lowered.skipped.iter().map(|skipped| {
        let name = lowered.module.symbols.resolve(skipped.function);
        let line = lowered.module.locs[skipped.loc].line;
        format!("`{name}` (line {line}): {}", skipped.cause)
    });
    Ok(Lowered {
        file: file.to_owned(),
        path: unit.path(),
        args: unit.args.clone(),
        outputs: unit.outputs.clone(),
        origin,
        skipped: skipped.collect(),
        module: lowered.module,
        unknown: module.unknown,
        cost,
    })
}

/// Does `work` and says what it cost.
fn timed<T>(spent: &mut Spent, work: impl FnOnce() -> T) -> T {
    let (wall, cpu) = (Instant::now(), workers::thread_cpu());
    let result = work();
    *spent = Spent { wall: wall.elapsed(), cpu: workers::thread_cpu().saturating_sub(cpu) };
    result
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.clang += other.clang;
        self.read += other.read;
        self.lower += other.lower;
    }
}
