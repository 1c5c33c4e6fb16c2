//! Wide strings, as far as test programs use them; `wchar_t` has 32 bits.

use ir::Type;

use super::args::{Args, int};
use super::{Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("wcslen", wcslen),
    ("wcscmp", wcscmp),
    ("wcscpy", wcscpy),
    ("wmemcpy", wmemcpy),
    ("wmemset", wmemset),
    ("wcschr", wcschr),
    ("btowc", btowc),
    ("towlower", towlower),
    ("towupper", towupper),
];

fn wcslen(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.wide_units_at(&args.ptr(0))?.len() as u64;
    Ok(machine.long(len))
}

fn wcscmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (a, b) = (machine.wide_units_at(&args.ptr(0))?, machine.wide_units_at(&args.ptr(1))?);
    Ok(int(a.cmp(&b) as i32))
}

fn wcscpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.wide_units_at(&args.ptr(1))?.len() as u64;
    machine.copy_bytes(&args.ptr(0), &args.ptr(1), 4 * (len + 1))?;
    Ok(args.ptr(0).into())
}

fn wmemcpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.number(args, 2)?;
    machine.copy_bytes(&args.ptr(0), &args.ptr(1), len.saturating_mul(4))?;
    Ok(args.ptr(0).into())
}

fn wmemset(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (unit, len) = (crate::int::resize(&args.get(1), Type::Int(32), 32), machine.number(args, 2)?);
    for index in 0..len {
        machine.store_at(&offset_by(&args.ptr(0), 4 * index), &unit)?;
    }
    Ok(args.ptr(0).into())
}

fn wcschr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let wanted = machine.c_int(args, 1)? as u32;
    let mut units = machine.wide_units_at(&args.ptr(0))?;
    units.push(0);
    let found = units.iter().position(|unit| *unit == wanted);
    Ok(found.map_or_else(Value::null, |index| offset_by(&args.ptr(0), 4 * index as u64)).into())
}

fn btowc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let byte = machine.c_int(args, 0)?;
    Ok(int(if (0..128).contains(&byte) { byte } else { -1 }))
}

fn towlower(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let unit = machine.c_int(args, 0)?;
    Ok(int(u8::try_from(unit).map_or(unit, |byte| byte.to_ascii_lowercase().into())))
}

fn towupper(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let unit = machine.c_int(args, 0)?;
    Ok(int(u8::try_from(unit).map_or(unit, |byte| byte.to_ascii_uppercase().into())))
}

impl Machine<'_> {
    /// The wide string at a pointer, as characters; what is none becomes a question mark.
    pub(crate) fn wide_string_at(&self, pointer: &Value) -> OrStop<Vec<char>> {
        let units = self.wide_units_at(pointer)?;
        Ok(units.into_iter().map(|unit| char::from_u32(unit).unwrap_or('?')).collect())
    }

    fn wide_units_at(&self, pointer: &Value) -> OrStop<Vec<u32>> {
        let mut units = Vec::new();
        loop {
            let unit = self.load_defined(&offset_by(pointer, 4 * units.len() as u64), Type::Int(32))?.low();
            if unit == 0 {
                return Ok(units);
            }
            units.push(unit as u32);
        }
    }
}
