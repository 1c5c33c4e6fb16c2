//! Time that passes only when somebody looks: every call is one second, or one tick, later than the one
//! before.

use super::args::{Args, int};
use super::{Models, Reply};
use crate::machine::Machine;
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("time", time),
    ("clock", clock),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("difftime", difftime),
];

/// The first of January 2024, in seconds since 1970.
const START: u64 = 1_704_067_200;

fn time(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    machine.library.ticks += 1;
    let now = Value::int(machine.long_bits(), (START + machine.library.ticks).into());
    let target = args.ptr(0);
    if !(target.is_defined() && target.low() == 0) {
        machine.store_at(&target, &now)?;
    }
    Ok(now.into())
}

fn clock(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    machine.library.ticks += 1;
    Ok(machine.long(machine.library.ticks))
}

fn gettimeofday(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    store_now(machine, &args.ptr(0))?;
    Ok(int(0))
}

fn clock_gettime(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    store_now(machine, &args.ptr(1))?;
    Ok(int(0))
}

/// Seconds, and a fraction of zero.
fn store_now(machine: &mut Machine<'_>, target: &Value) -> crate::machine::OrStop {
    machine.library.ticks += 1;
    let bits = machine.long_bits();
    machine.store_at(target, &Value::int(bits, (START + machine.library.ticks).into()))?;
    machine.store_at(&offset_by(target, u64::from(bits / 8)), &Value::int(bits, 0))
}

fn difftime(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (end, start) = (machine.signed(args, 0)?, machine.signed(args, 1)?);
    Ok(Value::f64(end.wrapping_sub(start) as f64).into())
}
