//! Threads that run one after the other: a new thread runs to its end before its creator goes on.
//!
//! That is one of the schedules that a real machine may choose, unless the program waits for its creator;
//! then it never ends here.

use ir::Type;

use super::args::{Args, int};
use super::{Answer, Models, Reply};
use crate::machine::Machine;
use crate::report::EventKind;
use crate::value::Value;

pub(crate) const MODELS: Models = &[
    ("pthread_create", create),
    ("pthread_join", join),
    ("pthread_detach", zero),
    ("pthread_self", own_number),
    ("pthread_equal", equal),
    ("pthread_once", once),
    ("pthread_mutex_init", zero),
    ("pthread_mutex_destroy", zero),
    ("pthread_mutex_lock", zero),
    ("pthread_mutex_trylock", zero),
    ("pthread_mutex_unlock", zero),
    ("pthread_mutexattr_init", zero),
    ("pthread_mutexattr_settype", zero),
    ("pthread_mutexattr_destroy", zero),
    ("pthread_rwlock_init", zero),
    ("pthread_rwlock_destroy", zero),
    ("pthread_rwlock_rdlock", zero),
    ("pthread_rwlock_wrlock", zero),
    ("pthread_rwlock_unlock", zero),
    ("pthread_cond_init", zero),
    ("pthread_cond_destroy", zero),
    ("pthread_cond_signal", zero),
    ("pthread_cond_broadcast", zero),
    ("pthread_attr_init", zero),
    ("pthread_attr_destroy", zero),
    ("pthread_attr_setstacksize", zero),
    ("sched_yield", zero),
    ("pthread_key_create", key_create),
    ("pthread_key_delete", zero),
    ("pthread_getspecific", get_specific),
    ("pthread_setspecific", set_specific),
];

/// What is known of threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// What each thread returned; the first thread has number 1.
    results: Vec<Value>,
    /// The value of each key.
    specific: Vec<Value>,
}

impl Threads {
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.results.iter().chain(&self.specific)
    }
}

/// `pthread_create(thread, attributes, function, argument)`.
fn create(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    machine.note(EventKind::Approximation);
    let number = machine.library.threads.results.len() + 1;
    machine.library.threads.results.push(Value::null());
    let id = Value::int(machine.long_bits(), number as u128);
    machine.store_at(&args.ptr(0), &id)?;
    let results = machine.call_back(&args.ptr(2), &[args.ptr(3)])?;
    if let Some(result) = results.first() {
        machine.library.threads.results[number - 1] = result.clone();
    }
    Ok(int(0))
}

/// `pthread_join(thread, result)`.
fn join(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    const ESRCH: i32 = 3;
    let number = machine.number(args, 0)? as usize;
    let result = number.checked_sub(1).and_then(|index| machine.library.threads.results.get(index)).cloned();
    let Some(result) = result else { return Ok(int(ESRCH)) };
    let target = args.ptr(1);
    if !(target.is_defined() && target.low() == 0) {
        machine.store_at(&target, &result)?;
    }
    Ok(int(0))
}

/// All threads think that they are the first one.
fn own_number(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(machine.long(4242))
}

fn equal(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int((machine.number(args, 0)? == machine.number(args, 1)?).into()))
}

/// `pthread_once(control, function)`: the control is zero at first.
fn once(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let control = args.ptr(0);
    if machine.load_defined(&control, Type::Int(32))?.low() == 0 {
        machine.store_at(&control, &Value::int(32, 2))?;
        machine.call_back(&args.ptr(1), &[])?;
    }
    Ok(int(0))
}

fn key_create(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let key = machine.library.threads.specific.len();
    machine.library.threads.specific.push(Value::null());
    machine.store_at(&args.ptr(0), &Value::int(32, key as u128))?;
    Ok(int(0))
}

fn get_specific(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let key = machine.number(args, 0)? as usize;
    let value = machine.library.threads.specific.get(key).cloned();
    Ok(value.unwrap_or_else(Value::null).into())
}

fn set_specific(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    const EINVAL: i32 = super::errno::EINVAL;
    let key = machine.number(args, 0)? as usize;
    match machine.library.threads.specific.get_mut(key) {
        Some(slot) => *slot = args.ptr(1),
        None => return Ok(int(EINVAL)),
    }
    Ok(int(0))
}

fn zero(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::from(Value::int(32, 0)))
}
