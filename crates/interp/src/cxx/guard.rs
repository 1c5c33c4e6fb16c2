//! Guards of static local variables.
//!
//! Source: *Itanium C++ ABI*, §3.3.3: the first byte of the guard says whether the variable is initialized.

use ir::Type;

use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::Machine;
use crate::value::Value;

pub(crate) const MODELS: Models =
    &[("__cxa_guard_acquire", acquire), ("__cxa_guard_release", release), ("__cxa_guard_abort", abort)];

fn acquire(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let first = machine.load_defined(&args.ptr(0), Type::Int(8))?;
    Ok(Value::int(32, u128::from(first.low() == 0)).into())
}

fn release(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    machine.store_at(&args.ptr(0), &Value::int(8, 1))?;
    Ok(Answer::none())
}

fn abort(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::none())
}
