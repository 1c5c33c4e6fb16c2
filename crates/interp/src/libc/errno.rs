//! `errno` and its messages.

use super::args::Args;
use super::{Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use ir::Type;

pub(crate) const ENOENT: i32 = 2;
pub(crate) const EBADF: i32 = 9;
pub(crate) const ENOMEM: i32 = 12;
pub(crate) const EINVAL: i32 = 22;
pub(crate) const ERANGE: i32 = 34;

pub(crate) const MODELS: Models = &[
    ("__errno_location", errno_location),
    ("strerror", strerror),
    ("__xpg_strerror_r", strerror_r),
    ("strerror_r", strerror_r_gnu),
];

/// The messages of Linux from 0 on.
const MESSAGES: &[&str] = &[
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
];

/// The message of an error number.
pub(crate) fn message(number: i32) -> String {
    let known = usize::try_from(number).ok().and_then(|index| MESSAGES.get(index));
    known.map_or_else(|| format!("Unknown error {number}"), |text| (*text).to_owned())
}

fn errno_location(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(machine.errno_address()?.into())
}

fn strerror(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = message(machine.c_int(args, 0)?);
    let block = machine.named_block("buffer of strerror", || vec![0; 64])?;
    let pointer = machine.pointer_to(block, 0);
    machine.write_string_at(&pointer, text.as_bytes())?;
    Ok(pointer.into())
}

/// The POSIX one: it fills the buffer and returns an error number.
fn strerror_r(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, size) = (message(machine.c_int(args, 0)?), machine.number(args, 2)?);
    if text.len() as u64 >= size {
        return Ok(super::args::int(ERANGE));
    }
    machine.write_string_at(&args.ptr(1), text.as_bytes())?;
    Ok(super::args::int(0))
}

/// The GNU one: it returns the text.
fn strerror_r_gnu(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    strerror(machine, args)
}

impl Machine<'_> {
    pub(crate) fn errno(&mut self) -> OrStop<i32> {
        let address = self.errno_address()?;
        Ok(self.load_at(&address, Type::Int(32))?.low() as i32)
    }

    pub(crate) fn set_errno(&mut self, number: i32) -> OrStop {
        let address = self.errno_address()?;
        self.store_at(&address, &Value::signed(32, number.into()))
    }

    fn errno_address(&mut self) -> OrStop<Value> {
        let block = self.named_block("errno", || vec![0; 4])?;
        Ok(self.pointer_to(block, 0))
    }
}
