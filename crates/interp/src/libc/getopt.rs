//! `getopt`, for programs that look at their command line.
//!
//! Source: POSIX.1-2017. Departures: arguments are not reordered; long options are not known.

use ir::Type;

use super::args::{Args, int};
use super::{Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::{BlockRef, Value};
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[("getopt", getopt)];

/// Gives `optind` and its companions their content; whether the global is one of them.
pub(crate) fn set_up_global(machine: &mut Machine<'_>, name: &str, block: BlockRef) -> bool {
    match name {
        "optind" | "opterr" => {
            machine.memory.write(block, 0, &Value::int(32, 1));
            true
        }
        "optopt" | "optarg" => true,
        _ => false,
    }
}

fn getopt(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (argc, argv, options) = (machine.c_int(args, 0)?, args.ptr(1), machine.string(args, 2)?);
    let index = read_global(machine, "optind")?.unwrap_or(1);
    if index >= i64::from(argc) {
        return Ok(int(-1));
    }
    let word_at = |machine: &Machine<'_>, index: i64| {
        let step = u64::from(machine.memory.pointer_bytes());
        machine.load_pointer(&argv, step * index as u64)
    };
    let word = word_at(machine, index)?;
    let text = machine.string_at(&word)?;
    if text.len() < 2 || text[0] != b'-' || text == b"--" {
        if text == b"--" {
            write_global(machine, "optind", &Value::signed(32, (index + 1).into()))?;
        }
        return Ok(int(-1));
    }
    let at = machine.library.getopt_position.max(1);
    let letter = text[at];
    let is_last = at + 1 >= text.len();
    machine.library.getopt_position = if is_last { 0 } else { at + 1 };
    let next_index = index + i64::from(is_last);
    let known = options.iter().position(|option| *option == letter && letter != b':');
    let Some(known) = known else {
        write_global(machine, "optind", &Value::signed(32, next_index.into()))?;
        write_global(machine, "optopt", &Value::int(32, letter.into()))?;
        return Ok(int(b'?'.into()));
    };
    if options.get(known + 1) != Some(&b':') {
        write_global(machine, "optind", &Value::signed(32, next_index.into()))?;
        return Ok(int(letter.into()));
    }
    machine.library.getopt_position = 0;
    if !is_last {
        write_global(machine, "optarg", &offset_by(&word, at as u64 + 1))?;
        write_global(machine, "optind", &Value::signed(32, (index + 1).into()))?;
        return Ok(int(letter.into()));
    }
    write_global(machine, "optind", &Value::signed(32, (index + 2).into()))?;
    if index + 1 >= i64::from(argc) {
        return Ok(int(b'?'.into()));
    }
    let argument = word_at(machine, index + 1)?;
    write_global(machine, "optarg", &argument)?;
    Ok(int(letter.into()))
}

fn read_global(machine: &Machine<'_>, name: &str) -> OrStop<Option<i64>> {
    let Some(place) = machine.global(name) else { return Ok(None) };
    Ok(Some(machine.load_defined(&place, Type::Int(32))?.as_i64()))
}

fn write_global(machine: &mut Machine<'_>, name: &str, value: &Value) -> OrStop {
    match machine.global(name) {
        Some(place) => machine.store_at(&place, value),
        None => Ok(()),
    }
}
