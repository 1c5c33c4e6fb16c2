//! From the compile commands of a project to its IR, with what each phase cost.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use capture::{Database, FrontEnd, Unit};
use ir::Inst;
use project::{Links, Project, UnitIr};
use session::workers::{self, thread_cpu};

use super::database;
use super::numbers::Numbers;

/// Compiles, reads, lowers and verifies all units of a project and puts them together. `keep` is where bitcode is left for other tools.
pub(crate) fn load(
    project: &str,
    front_end: &FrontEnd,
    jobs: usize,
    keep: Option<&Path>,
) -> Result<(Project, Numbers)> {
    let path = database(project);
    let database = Database::load(&path)?;
    let mut sums = Numbers { clang: front_end.clang()?.version().to_string(), ..Numbers::default() };
    sums.failed.extend(database.rejected.iter().map(ToString::to_string));
    let mut units = Vec::new();
    let numbered: Vec<(usize, &Unit)> = database.units.iter().enumerate().collect();
    let work = |&(index, unit): &(usize, &Unit)| {
        let file = keep.map(|dir| dir.join(format!("{index:04}.bc")));
        translate(front_end, unit, file.as_deref())
    };
    workers::in_order(
        &numbered,
        jobs,
        || false,
        work,
        |(unit, numbers)| {
            units.extend(unit);
            sums.add(numbers);
        },
    )?;
    let started = thread_cpu();
    let linked = Project::new(units, &links(project));
    sums.cpu.linking = (thread_cpu() - started).as_secs_f64();
    Ok((linked, sums))
}

/// What the build of a project linked.
pub(crate) fn links(project: &str) -> Links {
    let dir = database(project);
    let dir = dir.parent().expect("invariant: a database lies in a directory");
    session::links(capture::Links::load(dir))
}

/// Compiles, reads, lowers and verifies a unit; a unit that fails is named in the numbers.
fn translate(front_end: &FrontEnd, unit: &Unit, keep: Option<&Path>) -> (Option<UnitIr>, Numbers) {
    let mut numbers = Numbers { units: 1, ..Numbers::default() };
    let lowered = lower(front_end, unit, keep, &mut numbers);
    let module =
        lowered.map_err(|error| numbers.failed.push(format!("{}: {error:#}", unit.path().display())));
    let unit = module.ok().map(|module| UnitIr {
        path: unit.path(),
        file: unit.path().display().to_string(),
        args: unit.args.clone(),
        outputs: unit.outputs.clone(),
        module,
    });
    (unit, numbers)
}

fn lower(
    front_end: &FrontEnd,
    unit: &Unit,
    keep: Option<&Path>,
    numbers: &mut Numbers,
) -> Result<ir::Module> {
    let compiled = front_end.compile(unit)?;
    numbers.cpu.clang = compiled.cpu.as_secs_f64();
    if let Some(file) = keep {
        fs::write(file, &compiled.bitcode)?;
    }
    let (module, reading) = timed(|| bitcode::read(&compiled.bitcode));
    let module = module?;
    let (lowered, lowering) = timed(|| lower::lower(&module));
    numbers.cpu.reading = reading.as_secs_f64();
    numbers.cpu.lowering = lowering.as_secs_f64();
    for unknown in &module.unknown {
        let place = format!("block {} code {:?}", unknown.block, unknown.code);
        *numbers.unknown.entry(place).or_default() += unknown.count as usize;
    }
    let file = unit.path().display().to_string();
    let name = |function| lowered.module.symbols.resolve(function);
    let skipped = lowered.skipped.iter().map(|it| format!("{file}: {}: {}", name(it.function), it.cause));
    numbers.skipped.extend(skipped);
    let violations = ir::verify::verify(&lowered.module);
    numbers.violations.extend(violations.iter().map(|it| format!("{file}: {:?}: {}", it.law, it.message)));
    count(&lowered.module, numbers);
    Ok(lowered.module)
}

fn count(module: &ir::Module, numbers: &mut Numbers) {
    for body in module.functions.iter().filter_map(|function| function.body.as_ref()) {
        for inst in body.blocks.iter().flat_map(|block| &block.insts) {
            numbers.instructions += 1;
            if let Inst::Nondet { reason } = body.insts[*inst].inst {
                let reason = module.reasons[reason];
                let detail = reason.detail.map_or("", |detail| module.symbols.resolve(detail));
                let what = format!("{} {detail}", reason.kind.word());
                *numbers.nondet.entry(what.trim().to_owned()).or_default() += 1;
            }
        }
    }
}

/// What `work` gives, and the processor time it took on this thread.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = thread_cpu();
    let result = work();
    (result, thread_cpu().saturating_sub(started))
}
