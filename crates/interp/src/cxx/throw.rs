//! Exceptions: paths that throw are not followed, so a throw ends the run.

use crate::libc::{Args, Models, Reply};
use crate::machine::{Machine, Stop};
use crate::report::Outcome;

pub(crate) const MODELS: Models = &[
    ("__cxa_throw", throw),
    ("__cxa_rethrow", throw),
    ("__cxa_bad_cast", throw),
    ("__cxa_bad_typeid", throw),
    ("__cxa_throw_bad_array_new_length", throw),
    ("_ZSt17__throw_bad_allocv", throw),
    ("_ZSt28__throw_bad_array_new_lengthv", throw),
    ("_ZSt20__throw_length_errorPKc", throw),
    ("_ZSt19__throw_logic_errorPKc", throw),
    ("_ZSt20__throw_out_of_rangePKc", throw),
    ("_ZSt24__throw_out_of_range_fmtPKcz", throw),
    ("_ZSt24__throw_invalid_argumentPKc", throw),
    ("_ZSt20__throw_domain_errorPKc", throw),
    ("_ZSt19__throw_range_errorPKc", throw),
    ("_ZSt21__throw_runtime_errorPKc", throw),
    ("_ZSt22__throw_overflow_errorPKc", throw),
    ("_ZSt16__throw_bad_castv", throw),
    ("_ZSt18__throw_bad_typeidv", throw),
    ("_ZSt21__throw_bad_exceptionv", throw),
    ("_ZSt25__throw_bad_function_callv", throw),
    ("_ZSt26__throw_bad_variant_accessPKc", throw),
    ("_ZSt20__throw_system_errori", throw),
    ("_ZSt9terminatev", terminate),
    ("__cxa_pure_virtual", terminate),
    ("__cxa_deleted_virtual", terminate),
    ("__cxa_call_unexpected", terminate),
    ("_Unwind_Resume", throw),
    ("__clang_call_terminate", terminate),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", terminate),
];

fn throw(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Err(thrown(machine, args.name))
}

/// The end of a run by an exception.
pub(super) fn thrown(machine: &Machine<'_>, by: &str) -> Stop {
    let what = format!("an exception, thrown by `{by}`");
    Outcome::Unsupported { what, place: machine.place() }.into()
}

fn terminate(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Err(Outcome::Aborted { what: args.name.to_owned(), place: machine.place() }.into())
}
