//! From units to IR: compile, read, lower, on several threads. A bad unit costs only itself.

use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use anyhow::Result;
use bitcode::Unknown;
use capture::{Clang, Language, Unit};
use rustix::time::{ClockId, clock_gettime};

use crate::inputs::{self, Inputs, Named};
use crate::output;
use crate::parallel;
use crate::paths::Here;

/// A unit in our own representation.
pub(crate) struct Lowered {
    /// Its file, as the user reads it.
    pub(crate) file: String,
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
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) clang: Spent,
    pub(crate) read: Spent,
    pub(crate) lower: Spent,
}

/// Time on the clock and time of a processor.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

/// What became of the inputs as a whole.
pub(crate) struct Loaded {
    /// Units that are lowered.
    pub(crate) units: usize,
    /// Inputs that are not, each with the reason.
    pub(crate) left_out: Vec<String>,
}

/// Lowers all units and hands them, or what `work` makes of each on its thread, to `sink` in order.
///
/// What is wrong with a unit is told at once; the others go on.
pub(crate) fn load<R: Send>(
    inputs: &Inputs,
    named: Named,
    here: &Here,
    work: impl Fn(Lowered) -> R + Sync,
    mut sink: impl FnMut(R),
) -> Result<Loaded> {
    let mut loaded = Loaded { units: 0, left_out: Vec::new() };
    let mut leave_out = |message: String| {
        output::complain(&message);
        loaded.left_out.push(message);
    };
    named.rejected.into_iter().for_each(&mut leave_out);
    let mut units = named.units;
    let needs_clang = |unit: &Unit| unit.language != Language::Bitcode;
    let clang =
        if units.iter().any(needs_clang) { Clang::find(inputs.clang.as_deref()).map(Some) } else { Ok(None) };
    let clang = clang.unwrap_or_else(|error| {
        // Said once, not for each of a thousand units.
        leave_out(error.to_string());
        units.retain(|unit| !needs_clang(unit));
        None
    });
    let lowered = |unit: &Unit| lower_unit(clang.as_ref(), unit, here).map(&work);
    parallel::in_order(&units, inputs.jobs(), lowered, |result| match result {
        Ok(result) => {
            loaded.units += 1;
            sink(result);
        }
        Err(message) => leave_out(message),
    })?;
    Ok(loaded)
}

/// Lowers one unit, or says why not. There is a clang if the unit is not bitcode already.
fn lower_unit(clang: Option<&Clang>, unit: &Unit, here: &Here) -> Result<Lowered, String> {
    let file = here.shorten(&unit.path());
    let whole = || translate(clang, unit, here, &file);
    // An error of ours must not take the other units with it.
    panic::catch_unwind(AssertUnwindSafe(whole))
        .unwrap_or_else(|_| Err(format!("{file}: internal error; please report it with the message above")))
}

fn translate(clang: Option<&Clang>, unit: &Unit, here: &Here, file: &str) -> Result<Lowered, String> {
    let mut cost = Cost::default();
    let started = Instant::now();
    let compiled = match clang {
        Some(clang) => capture::compile(clang, unit),
        None => capture::read_bitcode(unit),
    };
    let compiled = compiled.map_err(|error| inputs::describe(&error, &unit.dir, here))?;
    cost.clang = Spent { wall: started.elapsed(), cpu: compiled.cpu };
    let module = timed(&mut cost.read, || bitcode::read(&compiled.bitcode));
    let module = module.map_err(|error| format!("{file}: {error}"))?;
    drop(compiled);
    let lowered = timed(&mut cost.lower, || lower::lower(&module));
    let skipped = lowered.skipped.iter().map(|skipped| {
        let name = lowered.module.symbols.resolve(skipped.function);
        let line = lowered.module.locs[skipped.loc].line;
        format!("`{name}` (line {line}): {}", skipped.cause)
    });
    Ok(Lowered {
        file: file.to_owned(),
        skipped: skipped.collect(),
        module: lowered.module,
        unknown: module.unknown,
        cost,
    })
}

/// Does `work` and says what it cost.
fn timed<T>(spent: &mut Spent, work: impl FnOnce() -> T) -> T {
    let (wall, cpu) = (Instant::now(), thread_cpu());
    let result = work();
    *spent = Spent { wall: wall.elapsed(), cpu: thread_cpu().saturating_sub(cpu) };
    result
}

/// Processor time of this thread.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
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
