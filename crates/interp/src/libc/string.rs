//! `string.h` and `strings.h`: functions that look at memory.
//!
//! Comparisons look only at the bytes up to the decision, as the real ones do: what lies behind may be
//! undefined or missing.

use super::args::{Args, int};
use super::{Answer, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcmp", strcmp),
    ("strncmp", strncmp),
    ("strcoll", strcmp),
    ("strcasecmp", strcasecmp),
    ("strncasecmp", strncasecmp),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("__memcmpeq", memcmp),
    ("strchr", strchr),
    ("index", strchr),
    ("__rawmemchr", rawmemchr),
    ("rawmemchr", rawmemchr),
    ("strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("memchr", memchr),
    ("memrchr", memrchr),
    ("strstr", strstr),
    ("strcasestr", strcasestr),
    ("strnstr", strnstr),
    ("memmem", memmem),
    ("strspn", strspn),
    ("strcspn", strcspn),
    ("strpbrk", strpbrk),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
    ("basename", basename),
    ("__xpg_basename", basename),
    ("ffs", ffs),
    ("ffsl", ffs),
    ("ffsll", ffs),
];

fn strlen(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.string(args, 0)?.len() as u64;
    Ok(machine.long(len))
}

fn strnlen(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 1)?;
    let len = machine.string_up_to(&args.ptr(0), limit)?.len() as u64;
    Ok(machine.long(len))
}

fn strcmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    compare(machine, args, u64::MAX, true, |byte| byte)
}

fn strncmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 2)?;
    compare(machine, args, limit, true, |byte| byte)
}

fn strcasecmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    compare(machine, args, u64::MAX, true, |byte| byte.to_ascii_lowercase())
}

fn strncasecmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 2)?;
    compare(machine, args, limit, true, |byte| byte.to_ascii_lowercase())
}

fn memcmp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let len = machine.number(args, 2)?;
    if len > 0 {
        machine.locate(&args.ptr(0), len, false)?;
        machine.locate(&args.ptr(1), len, false)?;
    }
    compare(machine, args, len, false, |byte| byte)
}

/// The difference of the first bytes that differ; strings end at zeros that are equal.
fn compare(
    machine: &mut Machine<'_>,
    args: &Args<'_>,
    limit: u64,
    is_string: bool,
    fold: fn(u8) -> u8,
) -> Reply {
    let (a, b) = (args.ptr(0), args.ptr(1));
    for index in 0..limit {
        let (x, y) = (machine.byte_at(&a, index)?, machine.byte_at(&b, index)?);
        if fold(x) != fold(y) {
            return Ok(int(i32::from(fold(x)) - i32::from(fold(y))));
        }
        if is_string && x == 0 {
            break;
        }
    }
    Ok(int(0))
}

fn strchr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (found, end) = search(machine, args)?;
    Ok(found.or(end.1.then_some(end.0)).map_or_else(Value::null, |at| offset_by(&args.ptr(0), at)).into())
}

fn strchrnul(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (found, (end, _)) = search(machine, args)?;
    Ok(offset_by(&args.ptr(0), found.unwrap_or(end)).into())
}

/// The first place of a character before the end of a string; the end, and whether it is what was searched.
fn search(machine: &mut Machine<'_>, args: &Args<'_>) -> OrStop<(Option<u64>, (u64, bool))> {
    let wanted = machine.c_int(args, 1)? as u8;
    let start = args.ptr(0);
    for index in 0.. {
        let byte = machine.byte_at(&start, index)?;
        if byte == wanted && byte != 0 {
            return Ok((Some(index), (index, false)));
        }
        if byte == 0 {
            return Ok((None, (index, wanted == 0)));
        }
    }
    unreachable!("invariant: memory ends before 2^64 bytes")
}

fn rawmemchr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let wanted = machine.c_int(args, 1)? as u8;
    let start = args.ptr(0);
    let mut index = 0;
    while machine.byte_at(&start, index)? != wanted {
        index += 1;
    }
    Ok(offset_by(&start, index).into())
}

fn strrchr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let wanted = machine.c_int(args, 1)? as u8;
    let mut text = machine.string(args, 0)?;
    text.push(0);
    let found = text.iter().rposition(|byte| *byte == wanted);
    Ok(found_at(&args.ptr(0), found))
}

fn memchr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (wanted, len) = (machine.c_int(args, 1)? as u8, machine.number(args, 2)?);
    let start = args.ptr(0);
    for index in 0..len {
        if machine.byte_at(&start, index)? == wanted {
            return Ok(offset_by(&start, index).into());
        }
    }
    Ok(Value::null().into())
}

fn memrchr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (wanted, len) = (machine.c_int(args, 1)? as u8, machine.number(args, 2)?);
    let bytes = machine.bytes_at(&args.ptr(0), len)?;
    Ok(found_at(&args.ptr(0), bytes.iter().rposition(|byte| *byte == wanted)))
}

fn strstr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, wanted) = (machine.string(args, 0)?, machine.string(args, 1)?);
    machine.work(text.len() as u64)?;
    Ok(found_at(&args.ptr(0), find(&text, &wanted)))
}

fn strcasestr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, wanted) = (machine.string(args, 0)?, machine.string(args, 1)?);
    Ok(found_at(&args.ptr(0), find(&text.to_ascii_lowercase(), &wanted.to_ascii_lowercase())))
}

fn strnstr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 2)?;
    let (text, wanted) = (machine.string_up_to(&args.ptr(0), limit)?, machine.string(args, 1)?);
    Ok(found_at(&args.ptr(0), find(&text, &wanted)))
}

fn memmem(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (len, wanted_len) = (machine.number(args, 1)?, machine.number(args, 3)?);
    let (text, wanted) = (machine.bytes_at(&args.ptr(0), len)?, machine.bytes_at(&args.ptr(2), wanted_len)?);
    Ok(found_at(&args.ptr(0), find(&text, &wanted)))
}

fn strspn(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, set) = (machine.string(args, 0)?, machine.string(args, 1)?);
    Ok(machine.long(text.iter().take_while(|byte| set.contains(byte)).count() as u64))
}

fn strcspn(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, set) = (machine.string(args, 0)?, machine.string(args, 1)?);
    Ok(machine.long(text.iter().take_while(|byte| !set.contains(byte)).count() as u64))
}

fn strpbrk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, set) = (machine.string(args, 0)?, machine.string(args, 1)?);
    Ok(found_at(&args.ptr(0), text.iter().position(|byte| set.contains(byte))))
}

fn strtok(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let start = args.ptr(0);
    let start = if start.is_defined() && start.low() == 0 { machine.library.strtok.clone() } else { start };
    let set = machine.string(args, 1)?;
    let (token, rest) = next_token(machine, &start, &set)?;
    machine.library.strtok = rest;
    Ok(token.into())
}

fn strtok_r(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (start, save) = (args.ptr(0), args.ptr(2));
    let is_first = !(start.is_defined() && start.low() == 0);
    let start = if is_first { start } else { machine.load_pointer(&save, 0)? };
    let set = machine.string(args, 1)?;
    let (token, rest) = next_token(machine, &start, &set)?;
    machine.store_at(&save, &rest)?;
    Ok(token.into())
}

/// The next token and where to go on; both null at the end.
fn next_token(machine: &mut Machine<'_>, start: &Value, set: &[u8]) -> OrStop<(Value, Value)> {
    if start.is_defined() && start.low() == 0 {
        return Ok((Value::null(), Value::null()));
    }
    let text = machine.string_at(start)?;
    let Some(begin) = text.iter().position(|byte| !set.contains(byte)) else {
        return Ok((Value::null(), offset_by(start, text.len() as u64)));
    };
    let token = offset_by(start, begin as u64);
    match text[begin..].iter().position(|byte| set.contains(byte)) {
        Some(len) => {
            machine.write_bytes_at(&offset_by(&token, len as u64), &[0])?;
            Ok((token.clone(), offset_by(&token, len as u64 + 1)))
        }
        None => Ok((token, offset_by(start, text.len() as u64))),
    }
}

fn strsep(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let place = args.ptr(0);
    let start = machine.load_pointer(&place, 0)?;
    if start.low() == 0 {
        return Ok(Value::null().into());
    }
    let (text, set) = (machine.string_at(&start)?, machine.string(args, 1)?);
    let rest = match text.iter().position(|byte| set.contains(byte)) {
        Some(len) => {
            machine.write_bytes_at(&offset_by(&start, len as u64), &[0])?;
            offset_by(&start, len as u64 + 1)
        }
        None => Value::null(),
    };
    machine.store_at(&place, &rest)?;
    Ok(start.into())
}

/// The GNU one, which changes nothing.
fn basename(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = machine.string(args, 0)?;
    let start = text.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    Ok(offset_by(&args.ptr(0), start as u64).into())
}

fn ffs(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let number = machine.number(args, 0)?;
    Ok(int(if number == 0 { 0 } else { number.trailing_zeros() as i32 + 1 }))
}

/// The first place of `wanted` in `text`.
fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    if wanted.is_empty() {
        return Some(0);
    }
    text.windows(wanted.len()).position(|window| window == wanted)
}

fn found_at(start: &Value, index: Option<usize>) -> Answer {
    index.map_or_else(Value::null, |index| offset_by(start, index as u64)).into()
}

impl Machine<'_> {
    /// A byte that the library looks at.
    pub(crate) fn byte_at(&mut self, start: &Value, index: u64) -> OrStop<u8> {
        self.tick()?;
        let pointer = offset_by(start, index);
        // The offset of an undefined pointer is undefined, too.
        let pointer = if start.is_defined() { pointer } else { start.clone() };
        let (block, offset) = self.locate(&pointer, 1, false)?;
        match self.memory.bytes(block, offset, 1) {
            Ok(bytes) => Ok(bytes[0]),
            Err(error) => Err(self.bad_library_access(error, &pointer, (1, "read"))),
        }
    }
}
