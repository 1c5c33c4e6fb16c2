//! The runs of a program: once as it is, then once for each allocation of that run, which fails.

use std::panic::{self, AssertUnwindSafe};

use anyhow::{Result, bail};
use base::limits;
use interp::{AllocPolicy, Options, Program, Run, UnknownPolicy, run_main};

use crate::parallel;
use crate::run::notes::Notes;
use crate::stop;

/// A run, and what was chosen for it.
pub(crate) struct Execution {
    pub(crate) options: Options,
    pub(crate) run: Run,
}

impl Execution {
    /// Whether all allocations were allowed to succeed.
    pub(crate) fn is_undisturbed(&self) -> bool {
        self.options.alloc == AllocPolicy::Never
    }
}

/// Makes all runs of a program, in a fixed order: the undisturbed one, then by the number of the failing allocation.
pub(crate) fn all(program: &Program<'_>, jobs: usize, notes: &mut Notes) -> Result<Vec<Execution>> {
    let mut executions = Vec::new();
    each(program, jobs, vec![options(AllocPolicy::Never, limits::RUN_STEPS)], notes, &mut executions)?;
    let Some(first) = executions.first().map(|it| &it.run) else { return Ok(executions) };
    let affordable = (limits::FAILING_STEPS / first.steps.max(1)).max(1);
    let failing = first.allocations.min(limits::FAILING_RUNS).min(affordable);
    if failing < first.allocations {
        notes.add(format!("{} allocations; only the first {failing} were made to fail", first.allocations));
    }
    let steps = first.steps.saturating_mul(4).saturating_add(limits::RUN_STEPS / 100).min(limits::RUN_STEPS);
    let choices = (1..=failing).map(|n| options(AllocPolicy::Nth(n), steps)).collect();
    each(program, jobs, choices, notes, &mut executions)?;
    Ok(executions)
}

fn options(alloc: AllocPolicy, max_steps: u64) -> Options {
    let unknown = UnknownPolicy::Stop;
    Options { alloc, unknown, max_steps, max_memory: limits::RUN_MEMORY, ..Options::default() }
}

fn each(
    program: &Program<'_>,
    jobs: usize,
    choices: Vec<Options>,
    notes: &mut Notes,
    executions: &mut Vec<Execution>,
) -> Result<()> {
    let execute = |options: &Options| {
        let run = panic::catch_unwind(AssertUnwindSafe(|| run_main(program, options.clone()))).ok()?;
        Some(Execution { options: options.clone(), run })
    };
    parallel::in_order(&choices, jobs, stop::is_wanted, execute, |execution| match execution {
        Some(execution) => executions.push(execution),
        None => notes.add("internal error in the interpreter; please report it".to_owned()),
    })?;
    if stop::is_wanted() {
        bail!(stop::Interrupted);
    }
    Ok(())
}
