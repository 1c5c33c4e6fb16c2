//! `operator new` and `operator delete` in all their variants. They never fail, unless memory is full.

use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::Machine;
use crate::memory::Family;
use crate::report::{Budget, Outcome};

pub(crate) const MODELS: Models = &[
    // operator new(unsigned long), with nothrow, with alignment, with both.
    ("_Znwm", |machine, args| allocate(machine, args, Family::New, None)),
    ("_Znwj", |machine, args| allocate(machine, args, Family::New, None)),
    ("_ZnwmRKSt9nothrow_t", |machine, args| allocate(machine, args, Family::New, None)),
    ("_ZnwmSt11align_val_t", |machine, args| allocate(machine, args, Family::New, Some(1))),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", |machine, args| allocate(machine, args, Family::New, Some(1))),
    // operator new[].
    ("_Znam", |machine, args| allocate(machine, args, Family::NewArray, None)),
    ("_Znaj", |machine, args| allocate(machine, args, Family::NewArray, None)),
    ("_ZnamRKSt9nothrow_t", |machine, args| allocate(machine, args, Family::NewArray, None)),
    ("_ZnamSt11align_val_t", |machine, args| allocate(machine, args, Family::NewArray, Some(1))),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", |machine, args| {
        allocate(machine, args, Family::NewArray, Some(1))
    }),
    // operator delete(void *), with size, with alignment, with both, with nothrow.
    ("_ZdlPv", |machine, args| release(machine, args, Family::New)),
    ("_ZdlPvm", |machine, args| release(machine, args, Family::New)),
    ("_ZdlPvj", |machine, args| release(machine, args, Family::New)),
    ("_ZdlPvSt11align_val_t", |machine, args| release(machine, args, Family::New)),
    ("_ZdlPvmSt11align_val_t", |machine, args| release(machine, args, Family::New)),
    ("_ZdlPvRKSt9nothrow_t", |machine, args| release(machine, args, Family::New)),
    ("_ZdlPvSt11align_val_tRKSt9nothrow_t", |machine, args| release(machine, args, Family::New)),
    // operator delete[].
    ("_ZdaPv", |machine, args| release(machine, args, Family::NewArray)),
    ("_ZdaPvm", |machine, args| release(machine, args, Family::NewArray)),
    ("_ZdaPvj", |machine, args| release(machine, args, Family::NewArray)),
    ("_ZdaPvSt11align_val_t", |machine, args| release(machine, args, Family::NewArray)),
    ("_ZdaPvmSt11align_val_t", |machine, args| release(machine, args, Family::NewArray)),
    ("_ZdaPvRKSt9nothrow_t", |machine, args| release(machine, args, Family::NewArray)),
    ("_ZdaPvSt11align_val_tRKSt9nothrow_t", |machine, args| release(machine, args, Family::NewArray)),
];

fn allocate(machine: &mut Machine<'_>, args: &Args<'_>, family: Family, align: Option<usize>) -> Reply {
    let size = machine.number(args, 0)?;
    let align = match align {
        Some(index) => machine.number(args, index)?,
        None => 16,
    };
    let align = if align.is_power_of_two() { align } else { 16 };
    match machine.allocate_heap(family, size, align, false) {
        Some(pointer) => Ok(pointer.into()),
        None => Err(Outcome::OutOfBudget(Budget::Memory).into()),
    }
}

fn release(machine: &mut Machine<'_>, args: &Args<'_>, family: Family) -> Reply {
    if let Some(block) = machine.releasable(&args.ptr(0), family, family.deallocator())? {
        machine.release(block);
    }
    Ok(Answer::none())
}
