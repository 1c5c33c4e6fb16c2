//! From units to IR: compile, read, lower, on several threads. A bad unit costs only itself.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base::limits;
use bitcode::Unknown;
use capture::{FrontEnd, Language, Unit};
use project::{Project, UnitIr};
use session::workers;

use crate::inputs::{LeftOut, Work};
use crate::output;
use crate::paths::Here;
use crate::progress::Progress;
use crate::stop;
use crate::tally::{Origin, Tally};
use crate::trust;

/// A unit in our own representation.
pub(crate) struct Lowered {
    /// Its file, as the user reads it.
    pub(crate) file: String,
    /// Its file, independent of the working directory.
    pub(crate) path: PathBuf,
    /// The flags it was compiled by.
    pub(crate) args: Vec<String>,
    /// The objects that the build made of it.
    pub(crate) outputs: Vec<PathBuf>,
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
#[derive(Default)]
pub(crate) struct Loaded {
    /// Units that are lowered.
    pub(crate) units: usize,
    /// Inputs that are not, each with the reason.
    pub(crate) left_out: Vec<String>,
    /// How many went which way.
    pub(crate) tally: Tally,
    /// Functions that could not be lowered.
    pub(crate) skipped: usize,
    /// What was not believed, not handed on or not run of what came with the code.
    pub(crate) notes: Vec<String>,
}

/// Lowers all units and hands them, or what `work` makes of each on its thread, to `sink` in order.
///
/// What is wrong with a unit is told at once; the others go on.
pub(crate) fn load<R: Send>(
    mut inputs: Work,
    here: &Here,
    work: impl Fn(Lowered) -> R + Sync,
    mut sink: impl FnMut(R),
) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    let progress = Progress::of("units", inputs.units.len());
    let leave_out = |loaded: &mut Loaded, left_out: LeftOut| {
        progress.aside(|| output::complain(&left_out.message));
        loaded.tally.add_failed(left_out.reason);
        loaded.left_out.push(left_out.message);
    };
    inputs.rejected.drain(..).for_each(|it| leave_out(&mut loaded, it));
    inputs.skipped.drain(..).for_each(|kind| loaded.tally.add_skipped(kind.word()));
    let needs_clang = |unit: &Unit| unit.language != Language::Bitcode;
    if inputs.units.iter().any(needs_clang)
        && let Err(error) = inputs.front_end.clang()
    {
        // Said once, not for each of a thousand units.
        leave_out(&mut loaded, LeftOut { message: error.to_string(), reason: error.reason() });
        inputs.units.retain(|unit| !needs_clang(unit));
    }
    let lowered = |unit: &Unit| {
        progress.say(unit.file.to_string_lossy().into_owned());
        lower_unit(&inputs.front_end, unit, here).map(|lowered| (lowered.origin, work(lowered)))
    };
    workers::in_order(&inputs.units, inputs.jobs, stop::is_wanted, lowered, |result| {
        progress.step();
        match result {
            Ok((origin, result)) => {
                loaded.units += 1;
                loaded.tally.add(origin);
                sink(result);
            }
            // The signal reached clang, too; its death is no fault of the unit.
            Err(_) if stop::is_wanted() => {}
            Err(left_out) => leave_out(&mut loaded, left_out),
        }
    })
    .context("while starting a thread")?;
    drop(progress);
    if stop::is_wanted() {
        bail!(stop::Interrupted);
    }
    if inputs.is_project {
        output::complain(&loaded.tally.line());
    }
    loaded.notes = trust::notes(&inputs.units, &inputs.front_end.doubts(), here);
    loaded.notes.iter().for_each(|note| output::complain(note));
    Ok(loaded)
}

/// Lowers all units and puts them together as their build does.
pub(crate) fn project(mut inputs: Work, here: &Here) -> Result<(Project, Loaded)> {
    let links = std::mem::take(&mut inputs.links);
    let mut units = Vec::new();
    let mut skipped = 0;
    let mut code = Code::new(limits::RUN_BYTES);
    let mut loaded = load(
        inputs,
        here,
        |unit| unit,
        |mut unit| {
            skipped += unit.skipped.len() + code.keep(&mut unit.module);
            units.push(unit.into());
        },
    )?;
    loaded.skipped = skipped;
    if let Some(message) = code.message() {
        output::complain(&message);
        loaded.left_out.push(message);
    }
    Ok((Project::new(units, &session::links(links)), loaded))
}

/// How much code is kept of a budget.
struct Code {
    limit: usize,
    bytes: usize,
    /// Functions that there was no room for.
    dropped: usize,
}

impl Code {
    fn new(limit: usize) -> Code {
        Code { limit, bytes: 0, dropped: 0 }
    }

    /// Keeps the bodies of a unit if there is room for them; says how many it drops.
    fn keep(&mut self, module: &mut ir::Module) -> usize {
        let bytes = module.bytes();
        if self.bytes + bytes <= self.limit {
            self.bytes += bytes;
            return 0;
        }
        let bodies = module.functions.iter_mut().filter_map(|function| function.body.take());
        let dropped = bodies.count();
        self.bytes += module.bytes();
        self.dropped += dropped;
        dropped
    }

    fn message(&self) -> Option<String> {
        let functions = output::counted(self.dropped, "function");
        let limit = self.limit >> 20;
        (self.dropped > 0).then(|| format!("{functions} given up: the code of a run may take {limit} MB"))
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

/// Lowers one unit, or says why not.
fn lower_unit(front_end: &FrontEnd, unit: &Unit, here: &Here) -> Result<Lowered, LeftOut> {
    let file = here.shorten(&unit.path());
    let whole = || translate(front_end, unit, here, &file);
    // An error of ours must not take the other units with it.
    panic::catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| {
        let message = format!("{file}: internal error; please report it with the message above");
        Err(LeftOut { message, reason: "internal error" })
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_go_when_there_is_no_room_for_them() {
        let module = || ir::parse("func @f(i32) -> (i32) {\nb0(v0: i32):\n  return v0\n}\n").unwrap();
        let bytes = module().bytes();
        let mut code = Code::new(2 * bytes);
        assert_eq!([0, 0, 1, 1], std::array::from_fn(|_| code.keep(&mut module())));
        assert_eq!(code.message().as_deref(), Some("2 functions given up: the code of a run may take 0 MB"));
        let mut code = Code::new(bytes);
        assert_eq!((code.keep(&mut module()), code.message()), (0, None));
    }
}
