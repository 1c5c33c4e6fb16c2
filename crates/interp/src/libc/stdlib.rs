//! `stdlib.h`: numbers from text and integer arithmetic.

use ir::FloatKind;

use super::args::{Args, int};
use super::float_text::{parse_float, parse_int};
use super::printf::long_double;
use super::{Answer, Models, Reply, errno};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("atoi", atoi),
    ("atol", atol),
    ("atoll", atoll),
    ("atof", atof),
    ("strtol", strtol),
    ("__isoc23_strtol", strtol),
    ("__strtol_internal", strtol),
    ("strtoll", strtoll),
    ("strtoq", strtoll),
    ("strtoimax", strtoll),
    ("__isoc23_strtoll", strtoll),
    ("strtoul", strtoul),
    ("__isoc23_strtoul", strtoul),
    ("strtoull", strtoull),
    ("strtouq", strtoull),
    ("strtoumax", strtoull),
    ("__isoc23_strtoull", strtoull),
    ("strtod", strtod),
    ("strtof", strtof),
    ("strtold", strtold),
    ("abs", abs),
    ("labs", labs),
    ("llabs", llabs),
    ("imaxabs", llabs),
    ("div", div),
    ("ldiv", ldiv),
    ("lldiv", ldiv),
];

fn atoi(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(decimal(machine, args)? as i32))
}

fn atol(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let number = decimal(machine, args)?;
    Ok(machine.long(number as u64))
}

fn atoll(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(Value::signed(64, decimal(machine, args)?.into()).into())
}

fn decimal(machine: &mut Machine<'_>, args: &Args<'_>) -> OrStop<i64> {
    let text = number_text(machine, &args.ptr(0))?;
    Ok(clamped(&text, 10, 64, true).0 as i64)
}

fn atof(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = number_text(machine, &args.ptr(0))?;
    Ok(Value::float(FloatKind::Double, parse_float(&text, FloatKind::Double).bits).into())
}

fn strtol(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let bits = machine.long_bits();
    string_to_int(machine, args, bits, true)
}

fn strtoul(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let bits = machine.long_bits();
    string_to_int(machine, args, bits, false)
}

fn strtoll(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    string_to_int(machine, args, 64, true)
}

fn strtoull(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    string_to_int(machine, args, 64, false)
}

fn string_to_int(machine: &mut Machine<'_>, args: &Args<'_>, bits: u32, signed: bool) -> Reply {
    let (text, base) = (number_text(machine, &args.ptr(0))?, machine.c_int(args, 2)?);
    if base == 1 || !(0..=36).contains(&base) {
        machine.set_errno(errno::EINVAL)?;
        store_end(machine, args, 0)?;
        return Ok(Value::int(bits, 0).into());
    }
    let (number, overflows) = clamped(&text, base as u32, bits, signed);
    if overflows {
        machine.set_errno(errno::ERANGE)?;
    }
    store_end(machine, args, parse_int(&text, base as u32).len)?;
    Ok(Value::int(bits, number.into()).into())
}

/// The number as bits, stopping at the ends of the range, and whether it had to.
fn clamped(text: &[u8], base: u32, bits: u32, signed: bool) -> (u64, bool) {
    let parsed = parse_int(text, base);
    let largest = u64::MAX >> (64 - bits);
    let limit = match (signed, parsed.negative) {
        (false, _) => largest,
        (true, false) => largest >> 1,
        (true, true) => (largest >> 1) + 1,
    };
    let overflows = parsed.overflows || parsed.magnitude > limit;
    if overflows && !signed {
        return (largest, true);
    }
    let magnitude = parsed.magnitude.min(limit);
    (if parsed.negative { magnitude.wrapping_neg() } else { magnitude }, overflows)
}

fn strtod(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    string_to_float(machine, args, FloatKind::Double)
}

fn strtof(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    string_to_float(machine, args, FloatKind::Single)
}

fn strtold(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let kind = long_double(machine);
    string_to_float(machine, args, kind)
}

fn string_to_float(machine: &mut Machine<'_>, args: &Args<'_>, kind: FloatKind) -> Reply {
    let text = number_text(machine, &args.ptr(0))?;
    let parsed = parse_float(&text, kind);
    if parsed.overflows || parsed.underflows {
        machine.set_errno(errno::ERANGE)?;
    }
    store_end(machine, args, parsed.len)?;
    Ok(Value::float(kind, parsed.bits).into())
}

/// Stores where the number ends, if the caller wants to know.
fn store_end(machine: &mut Machine<'_>, args: &Args<'_>, len: usize) -> OrStop {
    let end = args.ptr(1);
    if end.is_defined() && end.low() == 0 {
        return Ok(());
    }
    machine.store_at(&end, &offset_by(&args.ptr(0), len as u64))
}

/// The text up to its end. A number may stand at the end of a buffer without a final zero; what lies behind the first byte that
/// cannot belong to a number is not looked at.
fn number_text(machine: &mut Machine<'_>, start: &Value) -> OrStop<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        let byte = machine.byte_at(start, text.len() as u64)?;
        let is_blank = super::ctype::is_space(byte) && text.iter().all(|byte| super::ctype::is_space(*byte));
        let is_part = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'(' | b')' | b'_');
        if !is_blank && !is_part {
            return Ok(text);
        }
        text.push(byte);
    }
}

fn abs(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(machine.c_int(args, 0)?.wrapping_abs()))
}

fn labs(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let number = machine.signed(args, 0)?;
    Ok(machine.long(number.wrapping_abs() as u64))
}

fn llabs(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(Value::signed(64, machine.signed(args, 0)?.wrapping_abs().into()).into())
}

/// The struct of two `int`s comes back in one register.
fn div(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (a, b) = (machine.c_int(args, 0)?, machine.c_int(args, 1)?);
    if b == 0 {
        return Err(division_by_zero(machine));
    }
    let (quotient, remainder) = (a.wrapping_div(b) as u32, a.wrapping_rem(b) as u32);
    Ok(Value::int(64, u128::from(quotient) | u128::from(remainder) << 32).into())
}

/// The struct of two `long`s comes back in two registers.
fn ldiv(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (a, b) = (machine.signed(args, 0)?, machine.signed(args, 1)?);
    if b == 0 {
        return Err(division_by_zero(machine));
    }
    let number = |value: i64| Value::signed(64, value.into());
    Ok(Answer::two(number(a.wrapping_div(b)), number(a.wrapping_rem(b))))
}

fn division_by_zero(machine: &Machine<'_>) -> crate::machine::Stop {
    machine.bug(catalog::Issue::DivByZero, "division by zero".to_owned(), None)
}
