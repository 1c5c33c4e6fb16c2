//! `setjmp` and `longjmp`.
//!
//! The buffer holds a number; the place to return to is kept here. A local variable keeps the content it has
//! when `longjmp` is called, which C allows for all and demands for volatile ones.

use ir::{BlockId, InstId, Type};

use super::args::{Args, int};
use super::{Answer, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::memory::Status;
use crate::value::Value;

pub(crate) const MODELS: Models = &[
    ("setjmp", setjmp),
    ("_setjmp", setjmp),
    ("__sigsetjmp", setjmp),
    ("sigsetjmp", setjmp),
    ("longjmp", longjmp),
    ("_longjmp", longjmp),
    ("siglongjmp", longjmp),
    ("__longjmp_chk", longjmp),
];

/// A place that `longjmp` can return to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JumpPoint {
    /// The address of the buffer that was filled.
    buffer: u64,
    /// The activation, by position and serial number.
    depth: usize,
    serial: u64,
    block: BlockId,
    next: usize,
    inst: InstId,
}

fn setjmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let Some((frame, inst)) = machine.frames.last().and_then(|frame| Some((frame, frame.current()?))) else {
        return machine.unsupported("setjmp from outside");
    };
    let point = JumpPoint {
        buffer: args.ptr(0).low(),
        depth: machine.frames.len(),
        serial: frame.serial,
        block: frame.block,
        next: frame.next,
        inst,
    };
    let number = slot(machine, &args.ptr(0))?;
    match machine.library.jumps.get_mut(number - 1) {
        Some(old) => *old = point,
        None => machine.library.jumps.push(point),
    }
    machine.store_at(&args.ptr(0), &Value::int(64, number as u128))?;
    Ok(int(0))
}

/// The number for a buffer: the one it has, if no other buffer shares it, or a new one.
fn slot(machine: &Machine<'_>, buffer: &Value) -> OrStop<usize> {
    let held = machine.load_at(buffer, Type::Int(64))?;
    let old = (held.low() as usize).checked_sub(1).and_then(|index| machine.library.jumps.get(index));
    let is_own = held.is_defined() && old.is_some_and(|point| point.buffer == buffer.low());
    Ok(if is_own { held.low() as usize } else { machine.library.jumps.len() + 1 })
}

fn longjmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let number = machine.load_defined(&args.ptr(0), Type::Int(64))?.low() as usize;
    let value = machine.c_int(args, 1)?;
    let point = number.checked_sub(1).and_then(|index| machine.library.jumps.get(index)).copied();
    let Some(point) = point else { return machine.unsupported("longjmp to a place that setjmp never saw") };
    let is_alive = machine.frames.get(point.depth - 1).is_some_and(|frame| frame.serial == point.serial);
    if !is_alive {
        return machine.unsupported("longjmp to a function that has returned");
    }
    if point.depth <= machine.floor {
        return machine.unsupported("longjmp out of a function that a library function called");
    }
    if let Some(dropped) = machine.frames.get(point.depth) {
        let (mark, site) = (dropped.stack_mark, machine.site());
        machine.drop_slots(mark, |_| Status::Returned(site));
    }
    machine.frames.truncate(point.depth);
    let frame = machine.top_mut();
    (frame.block, frame.next) = (point.block, point.next);
    let cx = machine.cx();
    machine.deliver(cx, point.inst, &[Value::signed(32, if value == 0 { 1 } else { value }.into())]);
    Ok(Answer::Jumped)
}
