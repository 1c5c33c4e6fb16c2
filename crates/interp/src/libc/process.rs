//! Ends of the program, the environment, and the few system calls that need an answer.

use super::args::{Args, int};
use super::{Answer, ExitHandler, Models, Reply};
use crate::machine::{Machine, Stop};
use crate::report::Outcome;
use crate::value::{BlockRef, Value};

pub(crate) const MODELS: Models = &[
    ("exit", exit),
    ("_exit", exit_at_once),
    ("_Exit", exit_at_once),
    ("quick_exit", exit_at_once),
    ("atexit", atexit),
    ("at_quick_exit", zero),
    ("on_exit", on_exit),
    ("__cxa_atexit", cxa_atexit),
    ("__cxa_thread_atexit", cxa_atexit),
    ("__cxa_thread_atexit_impl", cxa_atexit),
    ("__cxa_finalize", ignore),
    ("getenv", getenv),
    ("secure_getenv", getenv),
    ("getpid", getpid),
    ("signal", null),
    ("sigaction", zero),
    ("raise", raise),
    ("setlocale", setlocale),
    ("localeconv", localeconv),
    ("system", minus_one),
    ("sleep", zero),
    ("usleep", zero),
];

/// Gives `environ` its content; whether the global is known.
pub(crate) fn set_up_global(machine: &mut Machine<'_>, name: &str, block: BlockRef) -> bool {
    match name {
        "environ" | "__environ" => {
            let env: Vec<Vec<u8>> = machine
                .options
                .env
                .iter()
                .map(|(name, value)| format!("{name}={value}").into_bytes())
                .collect();
            if let Ok(array) = machine.string_array("environment", &env) {
                machine.memory.write(block, 0, &array);
            }
            true
        }
        "program_invocation_name" | "program_invocation_short_name" => {
            let name = machine.options.args.first().cloned().unwrap_or_default();
            if let Ok(array) = machine.string_array("name of the program", &[name])
                && let Ok(text) = machine.load_at(&array, ir::Type::Ptr)
            {
                machine.memory.write(block, 0, &text);
            }
            true
        }
        "__libc_single_threaded" => {
            machine.memory.write(block, 0, &Value::int(8, 1));
            true
        }
        "__dso_handle" => true,
        _ => false,
    }
}

fn exit(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Err(Stop::Exit(machine.c_int(args, 0)?))
}

fn exit_at_once(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let status = machine.c_int(args, 0)?;
    machine.library.quick_exit = true;
    Err(Outcome::Exited(status & 0xff).into())
}

fn atexit(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    machine.library.exit_handlers.push(ExitHandler { function: args.ptr(0), args: Vec::new() });
    Ok(int(0))
}

/// `on_exit(void (*function)(int, void *), void *arg)`; the status is not known yet and is passed as 0.
fn on_exit(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let args_later = vec![Value::int(32, 0), args.ptr(1)];
    machine.library.exit_handlers.push(ExitHandler { function: args.ptr(0), args: args_later });
    Ok(int(0))
}

/// `__cxa_atexit(void (*function)(void *), void *arg, void *dso)`.
fn cxa_atexit(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    machine.library.exit_handlers.push(ExitHandler { function: args.ptr(0), args: vec![args.ptr(1)] });
    Ok(int(0))
}

fn getenv(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let name = String::from_utf8_lossy(&machine.string(args, 0)?).into_owned();
    let found = machine.options.env.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    let Some(value) = found else { return Ok(Value::null().into()) };
    let block = machine.library_block("environment", value.len() as u64 + 1)?;
    machine.memory.write_bytes(block, 0, value.as_bytes());
    Ok(machine.pointer_to(block, 0).into())
}

fn getpid(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(int(4242))
}

/// Signals are never delivered, so a raised one ends the program as the default action does.
fn raise(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let signal = machine.c_int(args, 0)?;
    Err(Outcome::Aborted { what: format!("signal {signal}"), place: machine.place() }.into())
}

fn setlocale(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let block = machine.named_block("name of the locale", || b"C\0".to_vec())?;
    Ok(machine.pointer_to(block, 0).into())
}

/// Ten texts, of which only the decimal point is not empty, then numbers that are all unknown.
fn localeconv(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let step = u64::from(machine.memory.pointer_bytes());
    let texts = machine.named_block("texts of the locale", || b".\0\0".to_vec())?;
    let table = machine.named_block("conventions of the locale", || vec![127; 10 * step as usize + 16])?;
    for index in 0..10 {
        let text = machine.pointer_to(texts, if index == 0 { 0 } else { 1 });
        machine.memory.write(table, index as usize * step as usize, &text);
    }
    Ok(machine.pointer_to(table, 0).into())
}

fn ignore(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::none())
}

fn zero(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(int(0))
}

fn minus_one(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(int(-1))
}

fn null(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Value::null().into())
}
