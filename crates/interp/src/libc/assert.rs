//! Failing assertions and other deliberate ends.

use catalog::Issue;

use super::args::Args;
use super::{Models, Reply};
use crate::machine::Machine;
use crate::report::Outcome;

pub(crate) const MODELS: Models = &[
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__assert_rtn", assert_rtn),
    ("__assert_perror_fail", assert_fail),
    ("__stack_chk_fail", abort_by_name),
    ("__chk_fail", abort_by_name),
    ("abort", abort_by_name),
];

/// `__assert_fail(expression, file, line, function)`.
fn assert_fail(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    failed(machine, args, 0)
}

/// `__assert_rtn(function, file, line, expression)`.
fn assert_rtn(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    failed(machine, args, 3)
}

fn failed(machine: &mut Machine<'_>, args: &Args<'_>, expression: usize) -> Reply {
    let text = machine.memory.c_string(&args.ptr(expression)).unwrap_or_default();
    let message = format!("the assertion `{}` fails", String::from_utf8_lossy(&text));
    Err(machine.bug(Issue::AssertFailure, message, None))
}

fn abort_by_name(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Err(Outcome::Aborted { what: args.name.to_owned(), place: machine.place() }.into())
}
