//! `stdio.h` without the formats.

use ir::Type;

use super::args::{Args, int};
use super::streams::{Stream, Target};
use super::{Answer, Models, Reply, errno};
use crate::machine::{Machine, OrStop};
use crate::value::Value;

const EOF: i32 = -1;

pub(crate) const MODELS: Models = &[
    ("puts", puts),
    ("putchar", putchar),
    ("putchar_unlocked", putchar),
    ("fputc", fputc),
    ("putc", fputc),
    ("_IO_putc", fputc),
    ("putc_unlocked", fputc),
    ("fputc_unlocked", fputc),
    ("fputs", fputs),
    ("fputs_unlocked", fputs),
    ("fwrite", fwrite),
    ("fwrite_unlocked", fwrite),
    ("fread", fread),
    ("fread_unlocked", fread),
    ("getchar", getchar),
    ("getchar_unlocked", getchar),
    ("fgetc", fgetc),
    ("getc", fgetc),
    ("_IO_getc", fgetc),
    ("getc_unlocked", fgetc),
    ("fgetc_unlocked", fgetc),
    ("ungetc", ungetc),
    ("fgets", fgets),
    ("gets", gets),
    ("getline", getline),
    ("getdelim", getdelim),
    ("__getdelim", getdelim),
    ("fflush", fflush),
    ("fopen", fopen),
    ("fopen64", fopen),
    ("freopen", freopen),
    ("fclose", fclose),
    ("tmpfile", tmpfile),
    ("tmpfile64", tmpfile),
    ("tmpnam", tmpnam),
    ("freopen64", freopen),
    ("fseeko64", fseek),
    ("ftello64", ftell),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("ftell", ftell),
    ("ftello", ftell),
    ("rewind", rewind),
    ("feof", feof),
    ("feof_unlocked", feof),
    ("ferror", ferror),
    ("ferror_unlocked", ferror),
    ("clearerr", clearerr),
    ("setbuf", ignore),
    ("setvbuf", zero),
    ("setlinebuf", ignore),
    ("flockfile", ignore),
    ("funlockfile", ignore),
    ("fileno", fileno),
    ("isatty", zero),
    ("perror", perror),
    ("remove", remove),
    ("unlink", remove),
    ("rename", rename),
    ("write", write),
    ("read", read),
    ("access", access),
];

fn puts(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let mut text = machine.string(args, 0)?;
    text.push(b'\n');
    machine.write_descriptor(1, &text)?;
    Ok(int(text.len() as i32))
}

fn putchar(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let byte = machine.c_int(args, 0)? as u8;
    machine.write_descriptor(1, &[byte])?;
    Ok(int(byte.into()))
}

fn fputc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let byte = machine.c_int(args, 0)? as u8;
    let written = machine.write_stream(&args.ptr(1), &[byte])?;
    Ok(int(written.map_or(EOF, |()| byte.into())))
}

fn fputs(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = machine.string(args, 0)?;
    let written = machine.write_stream(&args.ptr(1), &text)?;
    Ok(int(written.map_or(EOF, |()| 1)))
}

fn fwrite(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (size, count) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let bytes = machine.bytes_at(&args.ptr(0), size.saturating_mul(count))?;
    let written = machine.write_stream(&args.ptr(3), &bytes)?;
    Ok(machine.long(if written.is_some() && size > 0 { count } else { 0 }))
}

fn fread(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (size, count) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let wanted = size.saturating_mul(count);
    if wanted == 0 {
        return Ok(machine.long(0));
    }
    machine.locate(&args.ptr(0), wanted, true)?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < wanted {
        match machine.read_byte(&args.ptr(3))? {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    machine.work(bytes.len() as u64)?;
    machine.write_bytes_at(&args.ptr(0), &bytes)?;
    Ok(machine.long(bytes.len() as u64 / size))
}

fn getchar(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let stdin = machine.standard_stream(0)?;
    Ok(int(machine.read_byte(&stdin)?.map_or(EOF, i32::from)))
}

fn fgetc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(machine.read_byte(&args.ptr(0))?.map_or(EOF, i32::from)))
}

fn ungetc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let character = machine.c_int(args, 0)?;
    if character != EOF {
        machine.unread_byte(&args.ptr(1), character as u8)?;
    }
    Ok(int(character))
}

fn fgets(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let size = machine.c_int(args, 1)?;
    let line = read_line(machine, &args.ptr(2), b'\n', u64::try_from(size - 1).unwrap_or(0))?;
    if line.is_empty() {
        return Ok(Value::null().into());
    }
    machine.write_string_at(&args.ptr(0), &line)?;
    Ok(args.ptr(0).into())
}

fn gets(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let stdin = machine.standard_stream(0)?;
    let mut line = read_line(machine, &stdin, b'\n', u64::MAX)?;
    if line.is_empty() {
        return Ok(Value::null().into());
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    machine.write_string_at(&args.ptr(0), &line)?;
    Ok(args.ptr(0).into())
}

/// Bytes up to and with the delimiter, at most `limit`.
fn read_line(machine: &mut Machine<'_>, file: &Value, delimiter: u8, limit: u64) -> OrStop<Vec<u8>> {
    let mut line = Vec::new();
    while (line.len() as u64) < limit {
        let Some(byte) = machine.read_byte(file)? else { break };
        line.push(byte);
        if byte == delimiter {
            break;
        }
    }
    machine.work(line.len() as u64)?;
    Ok(line)
}

fn getline(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    grow_line(machine, args, b'\n', &args.ptr(2))
}

fn getdelim(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let delimiter = machine.c_int(args, 2)? as u8;
    grow_line(machine, args, delimiter, &args.ptr(3))
}

/// Reads a line into a heap block that grows: `(char **line, size_t *size, …)`.
fn grow_line(machine: &mut Machine<'_>, args: &Args<'_>, delimiter: u8, file: &Value) -> Reply {
    let line = read_line(machine, file, delimiter, u64::MAX)?;
    if line.is_empty() {
        return Ok(Value::signed(machine.long_bits(), -1).into());
    }
    let size_ty = Type::Int(machine.long_bits());
    let (buffer_at, size_at) = (args.ptr(0), args.ptr(1));
    let mut buffer = machine.load_pointer(&buffer_at, 0)?;
    let has_room = buffer.low() != 0 && machine.load_defined(&size_at, size_ty)?.low() > line.len() as u64;
    if !has_room {
        let size = (line.len() as u64 + 1).max(120);
        if let Some(old) = machine.releasable(&buffer, crate::memory::Family::Malloc, args.name)? {
            machine.release(old);
        }
        buffer = machine.try_allocate(size, 16, false)?;
        if buffer.low() == 0 {
            return Ok(Value::signed(machine.long_bits(), -1).into());
        }
        machine.store_at(&buffer_at, &buffer)?;
        let size = Value::int(machine.long_bits(), size.into());
        machine.store_at(&size_at, &size)?;
    }
    machine.write_string_at(&buffer, &line)?;
    Ok(machine.long(line.len() as u64))
}

fn fflush(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let file = args.ptr(0);
    if !(file.is_defined() && file.low() == 0) {
        machine.stream(&file)?;
    }
    Ok(int(0))
}

fn fopen(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (path, mode) = (path(machine, args, 0)?, machine.string(args, 1)?);
    match machine.open_file(&path, &mode)? {
        Some(file) => Ok(file.into()),
        None => {
            machine.set_errno(errno::ENOENT)?;
            Ok(Value::null().into())
        }
    }
}

fn freopen(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (path, mode) = (path(machine, args, 0)?, machine.string(args, 1)?);
    let reopened = machine.reopen_stream(&args.ptr(2), &path, &mode)?;
    Ok(if reopened { args.ptr(2) } else { Value::null() }.into())
}

fn fclose(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    machine.close_stream(&args.ptr(0))?;
    Ok(int(0))
}

fn tmpfile(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let path = machine.library.streams.temporary_path();
    Ok(machine.open_stream(Stream::new(Target::File(path), true, true))?.into())
}

fn tmpnam(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let path = machine.library.streams.temporary_path();
    let mut target = args.ptr(0);
    if target.is_defined() && target.low() == 0 {
        let block = machine.named_block("text of tmpnam", || vec![0; 64])?;
        target = machine.pointer_to(block, 0);
    }
    machine.write_string_at(&target, path.as_bytes())?;
    Ok(target.into())
}

fn fseek(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (offset, whence) = (machine.signed(args, 1)?, machine.c_int(args, 2)?);
    let stream = machine.stream(&args.ptr(0))?.clone();
    let base = match whence {
        0 => 0,
        1 => stream.position as i64 - stream.pushed.len() as i64,
        _ => machine.library.streams.content(&stream.target).len() as i64,
    };
    let Ok(position) = usize::try_from(base.saturating_add(offset)) else {
        machine.set_errno(errno::EINVAL)?;
        return Ok(int(-1));
    };
    let stream = machine.stream(&args.ptr(0))?;
    stream.position = position;
    stream.at_end = false;
    stream.pushed.clear();
    Ok(int(0))
}

fn ftell(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let stream = machine.stream(&args.ptr(0))?;
    let position = stream.position.saturating_sub(stream.pushed.len()) as u64;
    Ok(machine.long(position))
}

fn rewind(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let stream = machine.stream(&args.ptr(0))?;
    stream.position = 0;
    stream.at_end = false;
    stream.failed = false;
    stream.pushed.clear();
    Ok(Answer::none())
}

fn feof(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(machine.stream(&args.ptr(0))?.at_end.into()))
}

fn ferror(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(machine.stream(&args.ptr(0))?.failed.into()))
}

fn clearerr(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let stream = machine.stream(&args.ptr(0))?;
    (stream.at_end, stream.failed) = (false, false);
    Ok(Answer::none())
}

fn ignore(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::none())
}

fn zero(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(int(0))
}

fn fileno(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(match machine.stream(&args.ptr(0))?.target {
        Target::Stdin => 0,
        Target::Output(index) => index as i32 + 1,
        Target::File(_) => 3,
    }))
}

fn perror(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let message = errno::message(machine.errno()?);
    let pointer = args.ptr(0);
    let is_null = pointer.is_defined() && pointer.low() == 0;
    let mut text = if is_null { Vec::new() } else { machine.string_at(&pointer)? };
    if !text.is_empty() {
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(message.as_bytes());
    text.push(b'\n');
    machine.write_descriptor(2, &text)?;
    Ok(Answer::none())
}

fn remove(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let path = path(machine, args, 0)?;
    let removed = machine.library.streams.remove(&path);
    found_or_errno(machine, removed)
}

fn rename(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (from, to) = (path(machine, args, 0)?, path(machine, args, 1)?);
    let renamed = machine.library.streams.rename(&from, &to);
    found_or_errno(machine, renamed)
}

fn access(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let path = path(machine, args, 0)?;
    let exists = machine.library.streams.exists(&path);
    found_or_errno(machine, exists)
}

fn found_or_errno(machine: &mut Machine<'_>, found: bool) -> Reply {
    if !found {
        machine.set_errno(errno::ENOENT)?;
    }
    Ok(int(if found { 0 } else { -1 }))
}

fn write(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (descriptor, len) = (machine.c_int(args, 0)?, machine.number(args, 2)?);
    let bytes = machine.bytes_at(&args.ptr(1), len)?;
    if machine.write_descriptor(descriptor, &bytes)? {
        return Ok(machine.long(len));
    }
    machine.set_errno(errno::EBADF)?;
    Ok(Value::signed(machine.long_bits(), -1).into())
}

fn read(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (descriptor, len) = (machine.c_int(args, 0)?, machine.number(args, 2)?);
    if descriptor != 0 {
        machine.set_errno(errno::EBADF)?;
        return Ok(Value::signed(machine.long_bits(), -1).into());
    }
    let stdin = machine.standard_stream(0)?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < len {
        match machine.read_byte(&stdin)? {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    machine.write_bytes_at(&args.ptr(1), &bytes)?;
    Ok(machine.long(bytes.len() as u64))
}

fn path(machine: &mut Machine<'_>, args: &Args<'_>, index: usize) -> OrStop<String> {
    Ok(String::from_utf8_lossy(&machine.string(args, index)?).into_owned())
}
