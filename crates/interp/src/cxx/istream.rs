//! Input from C++ streams.
//!
//! Source: C++17, chapter istream. Departures: numbers are read in base 10, whatever the flags.

use ir::FloatKind;

use super::streams::{AT_END, FAILED, STATE, field, ios_of, next, set_state, store_text};
use crate::libc::{Args, Models, Reply, int, is_space, parse_float, parse_int};
use crate::machine::{Machine, OrStop};
use crate::value::Value;

pub(crate) const MODELS: Models = &[
    ("_ZNSirsERs", |m, a| integer(m, a, 16, true)),
    ("_ZNSirsERt", |m, a| integer(m, a, 16, false)),
    ("_ZNSirsERi", |m, a| integer(m, a, 32, true)),
    ("_ZNSirsERj", |m, a| integer(m, a, 32, false)),
    ("_ZNSirsERl", |m, a| integer(m, a, 64, true)),
    ("_ZNSirsERm", |m, a| integer(m, a, 64, false)),
    ("_ZNSirsERx", |m, a| integer(m, a, 64, true)),
    ("_ZNSirsERy", |m, a| integer(m, a, 64, false)),
    ("_ZNSi10_M_extractIlEERSiRT_", |m, a| integer(m, a, 64, true)),
    ("_ZNSi10_M_extractImEERSiRT_", |m, a| integer(m, a, 64, false)),
    ("_ZNSi10_M_extractIjEERSiRT_", |m, a| integer(m, a, 32, false)),
    ("_ZNSirsERf", |m, a| float(m, a, FloatKind::Single)),
    ("_ZNSirsERd", |m, a| float(m, a, FloatKind::Double)),
    ("_ZNSi10_M_extractIfEERSiRT_", |m, a| float(m, a, FloatKind::Single)),
    ("_ZNSi10_M_extractIdEERSiRT_", |m, a| float(m, a, FloatKind::Double)),
    ("_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_", character),
    (
        "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
        word,
    ),
    (
        "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
        line,
    ),
    (
        "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_",
        line,
    ),
    ("_ZNSi3getEv", get),
    ("_ZNSi3getERc", get_into),
    ("_ZNSi4peekEv", peek),
    ("_ZNSi6ignoreEv", ignore),
    ("_ZNSi6ignoreEl", ignore),
    ("_ZNSi6ignoreEli", ignore),
];

/// What `get` and `peek` return at the end.
const END: i32 = -1;

/// The stream's `std::ios`, ready to read: nothing failed before, and blanks are behind. None if there is nothing to read.
fn ready(machine: &mut Machine<'_>, stream: &Value, skip: bool) -> OrStop<Option<Value>> {
    let ios = ios_of(machine, stream)?;
    if field(machine, &ios, STATE, 32)? != 0 {
        set_state(machine, &ios, FAILED)?;
        return Ok(None);
    }
    if !skip {
        return Ok(Some(ios));
    }
    loop {
        match next(machine, &ios, true)? {
            Some(byte) if is_space(byte) => next(machine, &ios, false)?,
            Some(_) => return Ok(Some(ios)),
            None => {
                set_state(machine, &ios, AT_END | FAILED)?;
                return Ok(None);
            }
        };
    }
}

/// Characters as long as they are accepted; says so in the state if the stream ends.
fn take_while(machine: &mut Machine<'_>, ios: &Value, accept: impl Fn(&[u8], u8) -> bool) -> OrStop<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        match next(machine, ios, true)? {
            Some(byte) if accept(&text, byte) => {
                next(machine, ios, false)?;
                text.push(byte);
            }
            Some(_) => return Ok(text),
            None => {
                set_state(machine, ios, AT_END)?;
                return Ok(text);
            }
        }
    }
}

fn integer(machine: &mut Machine<'_>, args: &Args<'_>, bits: u32, signed: bool) -> Reply {
    let Some(ios) = ready(machine, &args.ptr(0), true)? else { return Ok(args.ptr(0).into()) };
    let accept =
        |text: &[u8], byte: u8| byte.is_ascii_digit() || text.is_empty() && matches!(byte, b'+' | b'-');
    let text = take_while(machine, &ios, accept)?;
    let parsed = parse_int(&text, 10);
    let largest = u64::MAX >> (64 - bits);
    let limit = match (signed, parsed.negative) {
        (true, true) => (largest >> 1) + 1,
        (true, false) => largest >> 1,
        (false, _) => largest,
    };
    let overflows = parsed.overflows || parsed.magnitude > limit;
    if parsed.len == 0 || overflows {
        set_state(machine, &ios, FAILED)?;
    }
    let magnitude = if parsed.len == 0 { 0 } else { parsed.magnitude.min(limit) };
    let number = if parsed.negative && (signed || !overflows) { magnitude.wrapping_neg() } else { magnitude };
    machine.store_at(&args.ptr(1), &Value::int(bits, number.into()))?;
    Ok(args.ptr(0).into())
}

fn float(machine: &mut Machine<'_>, args: &Args<'_>, kind: FloatKind) -> Reply {
    let Some(ios) = ready(machine, &args.ptr(0), true)? else { return Ok(args.ptr(0).into()) };
    let accept = |text: &[u8], byte: u8| {
        let after_exponent = matches!(text.last(), Some(b'e' | b'E'));
        match byte {
            b'0'..=b'9' => true,
            b'+' | b'-' => text.is_empty() || after_exponent,
            b'.' => !text.contains(&b'.') && !text.contains(&b'e'),
            b'e' | b'E' => !text.is_empty() && !text.contains(&b'e') && !text.contains(&b'E'),
            _ => false,
        }
    };
    let text = take_while(machine, &ios, accept)?;
    let parsed = parse_float(&text, kind);
    if parsed.len == 0 || parsed.len < text.len() {
        set_state(machine, &ios, FAILED)?;
    }
    machine.store_at(&args.ptr(1), &Value::float(kind, parsed.bits))?;
    Ok(args.ptr(0).into())
}

fn character(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    if let Some(ios) = ready(machine, &args.ptr(0), true)?
        && let Some(byte) = next(machine, &ios, false)?
    {
        machine.store_at(&args.ptr(1), &Value::int(8, byte.into()))?;
    }
    Ok(args.ptr(0).into())
}

fn word(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    if let Some(ios) = ready(machine, &args.ptr(0), true)? {
        let text = take_while(machine, &ios, |_, byte| !is_space(byte))?;
        store_text(machine, &args.ptr(1), &text)?;
    }
    Ok(args.ptr(0).into())
}

/// `getline(stream, string)` or `getline(stream, string, delimiter)`.
fn line(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let delimiter = if args.values.len() > 2 { machine.number(args, 2)? as u8 } else { b'\n' };
    let Some(ios) = ready(machine, &args.ptr(0), false)? else { return Ok(args.ptr(0).into()) };
    let text = take_while(machine, &ios, |_, byte| byte != delimiter)?;
    let found = next(machine, &ios, false)?.is_some();
    if !found && text.is_empty() {
        set_state(machine, &ios, FAILED)?;
    }
    store_text(machine, &args.ptr(1), &text)?;
    Ok(args.ptr(0).into())
}

fn get(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(read(machine, &args.ptr(0), false)?.map_or(END, i32::from)))
}

fn get_into(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    if let Some(byte) = read(machine, &args.ptr(0), false)? {
        machine.store_at(&args.ptr(1), &Value::int(8, byte.into()))?;
    }
    Ok(args.ptr(0).into())
}

fn peek(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(read(machine, &args.ptr(0), true)?.map_or(END, i32::from)))
}

fn read(machine: &mut Machine<'_>, stream: &Value, keep: bool) -> OrStop<Option<u8>> {
    let Some(ios) = ready(machine, stream, false)? else { return Ok(None) };
    let byte = next(machine, &ios, keep)?;
    if byte.is_none() {
        set_state(machine, &ios, if keep { AT_END } else { AT_END | FAILED })?;
    }
    Ok(byte)
}

/// `ignore()`, `ignore(n)` or `ignore(n, delimiter)`.
fn ignore(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let count = if args.values.len() > 1 { machine.signed(args, 1)? } else { 1 };
    let delimiter = if args.values.len() > 2 { Some(machine.c_int(args, 2)?) } else { None };
    let Some(ios) = ready(machine, &args.ptr(0), false)? else { return Ok(args.ptr(0).into()) };
    for _ in 0..count {
        match next(machine, &ios, false)? {
            Some(byte) if delimiter == Some(byte.into()) => break,
            Some(_) => {}
            None => {
                set_state(machine, &ios, AT_END)?;
                break;
            }
        }
    }
    Ok(args.ptr(0).into())
}
