//! Variadic arguments of models: handed over directly, or taken from a `va_list` in memory.

use ir::{FloatKind, Type};

use super::args::Args;
use crate::machine::{Machine, OrStop};
use crate::report::EventKind;
use crate::value::Value;
use crate::varargs::offset_by;

/// Where variadic arguments come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The call itself.
    Direct {
        /// All arguments.
        values: Vec<Value>,
        /// The next one.
        next: usize,
    },
    /// The `va_list` at this address.
    List(Value),
}

impl Source {
    /// The arguments of a call from the `first`-th on.
    pub(crate) fn direct(args: &Args<'_>, first: usize) -> Source {
        Source::Direct { values: args.values.to_vec(), next: first }
    }

    /// The next argument, read as type `ty`.
    pub(crate) fn next(&mut self, machine: &mut Machine<'_>, ty: Type) -> OrStop<Value> {
        match self {
            Source::Direct { values, next } => {
                *next += 1;
                match values.get(*next - 1) {
                    Some(value) => Ok(converted(machine, value, ty)),
                    None => {
                        machine.note(EventKind::CallMismatch);
                        Ok(Value::undefined(ty, machine.memory.pointer_bits()))
                    }
                }
            }
            Source::List(list) => next_in_list(machine, list, ty),
        }
    }
}

/// An argument as a model reads it. An `int` read as a `long` is wrong but works on all machines: the rest is zero.
fn converted(machine: &mut Machine<'_>, value: &Value, ty: Type) -> Value {
    if value.ty() == ty {
        return value.clone();
    }
    let is_float = |ty: Type| matches!(ty, Type::Float(_));
    let bits = machine.memory.pointer_bits();
    if is_float(ty) || is_float(value.ty()) {
        machine.note(EventKind::CallMismatch);
        return Value::undefined(ty, bits);
    }
    crate::int::resize(value, ty, crate::value::width_of(ty, bits))
}

/// `va_arg(list, ty)` as the System V ABI describes it.
fn next_in_list(machine: &mut Machine<'_>, list: &Value, ty: Type) -> OrStop<Value> {
    if !machine.has_sysv_varargs() {
        return machine.unsupported("va_arg on a target other than x86-64 System V");
    }
    let (offset_at, limit, step) = match ty {
        Type::Float(FloatKind::X87) => return next_in_memory(machine, list, ty, 16),
        Type::Float(_) => (4, 176, 16),
        _ => (0, 48, 8),
    };
    let offset_at = offset_by(list, offset_at);
    let offset = machine.load_defined(&offset_at, Type::Int(32))?.low();
    if offset + step > limit {
        return next_in_memory(machine, list, ty, 8);
    }
    let area = machine.load_pointer(list, 16)?;
    let value = machine.load_at(&offset_by(&area, offset), ty)?;
    machine.store_at(&offset_at, &Value::int(32, (offset + step).into()))?;
    Ok(value)
}

fn next_in_memory(machine: &mut Machine<'_>, list: &Value, ty: Type, size: u64) -> OrStop<Value> {
    let at = offset_by(list, 8);
    let mut area = machine.load_defined(&at, Type::Ptr)?;
    if size == 16 {
        area = Value::pointer(area.low().next_multiple_of(16), area.prov());
    }
    let value = machine.load_at(&area, ty)?;
    machine.store_at(&at, &offset_by(&area, size))?;
    Ok(value)
}
