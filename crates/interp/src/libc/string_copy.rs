//! `string.h` and `strings.h`: functions that copy and fill, with their checked variants.

use super::args::Args;
use super::{Answer, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::report::EventKind;
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("memcpy", memcpy),
    ("__memcpy_chk", memcpy),
    ("memmove", memmove),
    ("__memmove_chk", memmove),
    ("mempcpy", mempcpy),
    ("__mempcpy", mempcpy),
    ("__mempcpy_chk", mempcpy),
    ("memccpy", memccpy),
    ("bcopy", bcopy),
    ("memset", memset),
    ("__memset_chk", memset),
    ("bzero", bzero),
    ("explicit_bzero", bzero),
    ("strcpy", strcpy),
    ("__strcpy_chk", strcpy),
    ("stpcpy", stpcpy),
    ("__stpcpy_chk", stpcpy),
    ("strncpy", strncpy),
    ("__strncpy_chk", strncpy),
    ("stpncpy", stpncpy),
    ("strlcpy", strlcpy),
    ("strlcat", strlcat),
    ("strcat", strcat),
    ("__strcat_chk", strcat),
    ("strncat", strncat),
    ("__strncat_chk", strncat),
    ("strxfrm", strxfrm),
    ("swab", swab),
];

fn memcpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    copy_apart(machine, args)?;
    Ok(args.ptr(0).into())
}

fn mempcpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = copy_apart(machine, args)?;
    Ok(offset_by(&args.ptr(0), len).into())
}

/// Copies; the ranges should not overlap.
fn copy_apart(machine: &mut Machine<'_>, args: &Args<'_>) -> OrStop<u64> {
    let (to, from, len) = (args.ptr(0), args.ptr(1), machine.number(args, 2)?);
    machine.copy_bytes(&to, &from, len)?;
    if to.low() != from.low() && to.low().abs_diff(from.low()) < len {
        machine.note(EventKind::Overlap);
    }
    Ok(len)
}

fn memmove(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.number(args, 2)?;
    machine.copy_bytes(&args.ptr(0), &args.ptr(1), len)?;
    Ok(args.ptr(0).into())
}

fn bcopy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.number(args, 2)?;
    machine.copy_bytes(&args.ptr(1), &args.ptr(0), len)?;
    Ok(Answer::none())
}

fn memccpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (last, len) = (machine.c_int(args, 2)? as u8, machine.number(args, 3)?);
    for index in 0..len {
        let byte = machine.byte_at(&args.ptr(1), index)?;
        machine.write_bytes_at(&offset_by(&args.ptr(0), index), &[byte])?;
        if byte == last {
            return Ok(offset_by(&args.ptr(0), index + 1).into());
        }
    }
    Ok(Value::null().into())
}

fn memset(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (byte, len) = (crate::int::truncate(&args.get(1), 8), machine.number(args, 2)?);
    fill(machine, &args.ptr(0), &byte, len)?;
    Ok(args.ptr(0).into())
}

fn bzero(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.number(args, 1)?;
    fill(machine, &args.ptr(0), &Value::int(8, 0), len)?;
    Ok(Answer::none())
}

fn fill(machine: &mut Machine<'_>, to: &Value, byte: &Value, len: u64) -> OrStop {
    if len == 0 {
        return Ok(());
    }
    let (block, offset) = machine.locate(to, len, true)?;
    machine.work(len)?;
    machine.memory.fill(block, offset, len as usize, byte);
    Ok(())
}

fn strcpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    copy_string(machine, &args.ptr(0), &args.ptr(1))?;
    Ok(args.ptr(0).into())
}

fn stpcpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = copy_string(machine, &args.ptr(0), &args.ptr(1))?;
    Ok(offset_by(&args.ptr(0), len).into())
}

/// Copies a string with its final zero; its length.
fn copy_string(machine: &mut Machine<'_>, to: &Value, from: &Value) -> OrStop<u64> {
    let len = machine.string_at(from)?.len() as u64;
    machine.copy_bytes(to, from, len + 1)?;
    if to.low() != from.low() && to.low().abs_diff(from.low()) <= len {
        machine.note(EventKind::Overlap);
    }
    Ok(len)
}

fn strncpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    copy_filled(machine, args)?;
    Ok(args.ptr(0).into())
}

fn stpncpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = copy_filled(machine, args)?;
    Ok(offset_by(&args.ptr(0), len).into())
}

/// Copies at most `n` bytes of a string and fills up with zeros; the length of the string.
fn copy_filled(machine: &mut Machine<'_>, args: &Args<'_>) -> OrStop<u64> {
    let limit = machine.number(args, 2)?;
    let mut text = machine.string_up_to(&args.ptr(1), limit)?;
    let len = text.len() as u64;
    if limit > 0 {
        // The whole range is checked before it is made, so that an absurd limit costs nothing.
        machine.locate(&args.ptr(0), limit, true)?;
        machine.work(limit)?;
    }
    text.resize(limit as usize, 0);
    machine.write_bytes_at(&args.ptr(0), &text)?;
    Ok(len)
}

fn strlcpy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, size) = (machine.string(args, 1)?, machine.number(args, 2)?);
    if size > 0 {
        let kept = text.len().min(size as usize - 1);
        machine.write_string_at(&args.ptr(0), &text[..kept])?;
    }
    Ok(machine.long(text.len() as u64))
}

fn strlcat(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, size) = (machine.string(args, 1)?, machine.number(args, 2)?);
    let old = machine.string_up_to(&args.ptr(0), size)?.len() as u64;
    if old < size {
        let kept = text.len().min((size - old) as usize - 1);
        machine.write_string_at(&offset_by(&args.ptr(0), old), &text[..kept])?;
    }
    Ok(machine.long(old + text.len() as u64))
}

fn strcat(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let end = machine.string(args, 0)?.len() as u64;
    copy_string(machine, &offset_by(&args.ptr(0), end), &args.ptr(1))?;
    Ok(args.ptr(0).into())
}

fn strncat(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 2)?;
    let end = machine.string(args, 0)?.len() as u64;
    let text = machine.string_up_to(&args.ptr(1), limit)?;
    machine.write_string_at(&offset_by(&args.ptr(0), end), &text)?;
    Ok(args.ptr(0).into())
}

/// In the C locale a copy.
fn strxfrm(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, size) = (machine.string(args, 1)?, machine.number(args, 2)?);
    if (text.len() as u64) < size {
        machine.write_string_at(&args.ptr(0), &text)?;
    }
    Ok(machine.long(text.len() as u64))
}

fn swab(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.signed(args, 2)?.max(0) as u64 & !1;
    let mut bytes = machine.bytes_at(&args.ptr(0), len)?;
    for pair in bytes.chunks_exact_mut(2) {
        pair.swap(0, 1);
    }
    machine.write_bytes_at(&args.ptr(1), &bytes)?;
    Ok(Answer::none())
}
