//! From units to IR, on several threads, and all of them put together.

use anyhow::{Context, Result};
use base::{counted, limits};
use capture::{Language, Unit};
use project::{Project, UnitIr};

use crate::links::links;
use crate::lowered::Lowered;
use crate::notice::Notice;
use crate::paths::Here;
use crate::tally::Tally;
use crate::trust;
use crate::units::{LeftOut, Work};
use crate::watch::{Event, Phase, Watch};
use crate::workers;

/// What became of the inputs as a whole.
#[derive(Default)]
pub(crate) struct Loaded {
    /// Units that are lowered.
    pub(crate) units: usize,
    /// Inputs that are not, each with the reason.
    pub(crate) left_out: Vec<String>,
    /// How many went which way.
    tally: Tally,
    /// Functions that could not be lowered.
    pub(crate) skipped: usize,
    /// What was not believed, not handed on or not run of what came with the code.
    pub(crate) notes: Vec<String>,
}

impl Loaded {
    fn leave_out(&mut self, left_out: LeftOut, watch: &Watch<'_>) {
        self.tally.add_failed(left_out.reason);
        self.left_out.push(left_out.message.clone());
        watch.notice(&Notice::LeftOut(left_out.message));
    }
}

/// How units are worked on.
#[derive(Clone, Copy)]
pub(crate) struct How<'h> {
    /// Threads.
    pub(crate) jobs: usize,
    pub(crate) here: &'h Here,
}

/// Lowers all units and hands them, or what `work` makes of each on its thread, to `sink` in order.
///
/// What is wrong with a unit is told at once; the others go on.
pub(crate) fn load<R: Send>(
    mut inputs: Work,
    how: How<'_>,
    work: impl Fn(Lowered) -> R + Sync,
    mut sink: impl FnMut(R),
    watch: &Watch<'_>,
) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    let begun = watch.begin(Phase::Units, inputs.units.len());
    inputs.rejected.drain(..).for_each(|it| loaded.leave_out(it, watch));
    inputs.skipped.drain(..).for_each(|kind| loaded.tally.add_skipped(kind.word()));
    let needs_clang = |unit: &Unit| unit.language != Language::Bitcode;
    if inputs.units.iter().any(needs_clang)
        && let Err(error) = inputs.front_end.clang()
    {
        // Said once, not for each of a thousand units.
        loaded.leave_out(LeftOut { message: error.to_string(), reason: error.reason() }, watch);
        inputs.units.retain(|unit| !needs_clang(unit));
    }
    let lowered = |unit: &Unit| {
        watch.tell(Event::At(&unit.file.to_string_lossy()));
        Lowered::of(&inputs.front_end, unit, how.here).map(|lowered| (lowered.origin, work(lowered)))
    };
    let is_unwanted = || watch.cancel().is_wanted();
    workers::in_order(&inputs.units, how.jobs, is_unwanted, lowered, |result| {
        watch.tell(Event::UnitDone);
        match result {
            Ok((origin, result)) => {
                loaded.units += 1;
                loaded.tally.add(origin);
                sink(result);
            }
            // A signal reached clang, too; its death is no fault of the unit.
            Err(_) if is_unwanted() => {}
            Err(left_out) => loaded.leave_out(left_out, watch),
        }
    })
    .context("while starting a thread")?;
    drop(begun);
    watch.cancel().check()?;
    if inputs.is_project {
        watch.notice(&Notice::Loaded(loaded.tally.clone()));
    }
    loaded.notes = trust::notes(&inputs.units, &inputs.front_end.doubts(), how.here);
    loaded.notes.iter().for_each(|note| watch.notice(&Notice::Doubt(note.clone())));
    Ok(loaded)
}

/// Lowers all units and puts them together as their build does.
pub(crate) fn project(mut inputs: Work, how: How<'_>, watch: &Watch<'_>) -> Result<(Project, Loaded)> {
    let built = std::mem::take(&mut inputs.links);
    let mut units: Vec<UnitIr> = Vec::new();
    let mut skipped = 0;
    let mut code = Code::new(limits::RUN_BYTES);
    let keep = |mut unit: Lowered| {
        skipped += unit.skipped.len() + code.keep(&mut unit.module);
        units.push(unit.into());
    };
    let mut loaded = load(inputs, how, |unit| unit, keep, watch)?;
    loaded.skipped = skipped;
    if let Some(message) = code.message() {
        watch.notice(&Notice::LeftOut(message.clone()));
        loaded.left_out.push(message);
    }
    Ok((Project::new(units, &links(built)), loaded))
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
        let functions = counted(self.dropped, "function");
        let limit = self.limit >> 20;
        (self.dropped > 0).then(|| format!("{functions} given up: the code of a run may take {limit} MB"))
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
