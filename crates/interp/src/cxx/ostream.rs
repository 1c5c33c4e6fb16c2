//! Output to C++ streams: numbers, characters and strings, formatted as the stream's flags say.
//!
//! Source: C++17, chapter facet.num.put.virtuals, which defines the formats by `printf`'s.

use ir::{FloatKind, Type};

use super::streams::{FILL, FLAGS, PRECISION, WIDTH, field, ios_of, write};
use crate::libc::{Args, Models, Reply, Spec, format_float, format_integer};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("_ZNSolsEs", integer),
    ("_ZNSolsEt", unsigned),
    ("_ZNSolsEi", integer),
    ("_ZNSolsEj", unsigned),
    ("_ZNSolsEl", integer),
    ("_ZNSolsEm", unsigned),
    ("_ZNSolsEx", integer),
    ("_ZNSolsEy", unsigned),
    ("_ZNSolsEf", float),
    ("_ZNSolsEd", float),
    ("_ZNSolsEe", float),
    ("_ZNSolsEb", boolean),
    ("_ZNSolsEPKv", pointer),
    ("_ZNSo9_M_insertIbEERSoT_", boolean),
    ("_ZNSo9_M_insertIlEERSoT_", integer),
    ("_ZNSo9_M_insertImEERSoT_", unsigned),
    ("_ZNSo9_M_insertIxEERSoT_", integer),
    ("_ZNSo9_M_insertIyEERSoT_", unsigned),
    ("_ZNSo9_M_insertIdEERSoT_", float),
    ("_ZNSo9_M_insertIeEERSoT_", float),
    ("_ZNSo9_M_insertIPKvEERSoT_", pointer),
    ("_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", text),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", c_string),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", character),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a", character),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h", character),
    ("_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_c", character),
    ("_ZNSo3putEc", put),
    ("_ZNSo5writeEPKcl", write_bytes),
    ("_ZNSo5flushEv", same),
    ("_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", end_line),
    ("_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", same),
    ("_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", end_string),
];

const BOOL_ALPHA: u64 = 1;
const FIXED: u64 = 4;
const HEX: u64 = 8;
const INTERNAL: u64 = 0x10;
const LEFT: u64 = 0x20;
const OCT: u64 = 0x40;
const SCIENTIFIC: u64 = 0x100;
const SHOW_BASE: u64 = 0x200;
const SHOW_POINT: u64 = 0x400;
const SHOW_POS: u64 = 0x800;
const UPPERCASE: u64 = 0x4000;

/// A stream and how it formats.
struct Format {
    ios: Value,
    flags: u64,
}

impl Format {
    fn of(machine: &Machine<'_>, stream: &Value) -> OrStop<Format> {
        let ios = ios_of(machine, stream)?;
        let flags = field(machine, &ios, FLAGS, 32)?;
        Ok(Format { ios, flags })
    }

    fn has(&self, flag: u64) -> bool {
        self.flags & flag == flag
    }

    /// The conversion of `printf` for an integer, or for a float.
    fn spec(&self, machine: &Machine<'_>, is_float: bool, signed: bool) -> OrStop<Spec> {
        let conversion = match (is_float, self.has(FIXED), self.has(SCIENTIFIC)) {
            (true, true, true) => b'a',
            (true, true, false) => b'f',
            (true, false, true) => b'e',
            (true, false, false) => b'g',
            (false, ..) if self.has(HEX) => b'x',
            (false, ..) if self.has(OCT) => b'o',
            (false, ..) if signed => b'd',
            (false, ..) => b'u',
        };
        let precision = field(machine, &self.ios, PRECISION, 64)?;
        let upper = self.has(UPPERCASE) && conversion != b'd' && conversion != b'u' && conversion != b'o';
        Ok(Spec {
            conversion: if upper { conversion.to_ascii_uppercase() } else { conversion },
            plus: self.has(SHOW_POS),
            alternate: self.has(if is_float { SHOW_POINT } else { SHOW_BASE }),
            precision: (is_float && conversion != b'a').then_some(precision.min(1 << 20) as usize),
            ..Spec::default()
        })
    }

    /// Writes a text filled up to the width; `prefix` bytes of a number come before the filling if it is internal.
    fn emit(&self, machine: &mut Machine<'_>, text: Vec<u8>, prefix: usize) -> OrStop {
        let width = field(machine, &self.ios, WIDTH, 64)?;
        let missing = (width as i64).clamp(0, 1 << 24) as usize;
        let missing = missing.saturating_sub(text.len());
        let fill = field(machine, &self.ios, FILL, 8)? as u8;
        let at = if self.has(LEFT) {
            text.len()
        } else if self.has(INTERNAL) {
            prefix
        } else {
            0
        };
        let (before, after) = text.split_at(at);
        let filled = [before, &vec![fill; missing], after].concat();
        machine.store_at(&offset_by(&self.ios, WIDTH), &Value::int(64, 0))?;
        write(machine, &self.ios, &filled)
    }
}

fn integer(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print_integer(machine, args, true)
}

fn unsigned(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print_integer(machine, args, false)
}

fn print_integer(machine: &mut Machine<'_>, args: &Args<'_>, signed: bool) -> Reply {
    let format = Format::of(machine, &args.ptr(0))?;
    let spec = format.spec(machine, false, signed)?;
    let value = machine.number(args, 1)?;
    let number = args.get(1).as_i64();
    // In base 8 and 16 the bits are shown.
    let text = if spec.conversion == b'd' {
        format_integer(&spec, number < 0, number.unsigned_abs())
    } else {
        format_integer(&spec, false, value)
    };
    print_number(machine, args, &format, text)
}

fn float(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = args.get(1);
    machine.require_defined(args, 1, &value)?;
    let value = match value.ty() {
        Type::Float(FloatKind::Single) => crate::float::resize(&value, FloatKind::Double),
        _ => value,
    };
    let format = Format::of(machine, &args.ptr(0))?;
    let spec = format.spec(machine, true, true)?;
    let text = format_float(&spec, crate::float::kind_of(value.ty()), value.low128());
    print_number(machine, args, &format, text)
}

/// A number: what stands before the digits is no place for filling.
fn print_number(machine: &mut Machine<'_>, args: &Args<'_>, format: &Format, text: Vec<u8>) -> Reply {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let rest = &text[sign..];
    let base = if rest.starts_with(b"0x") || rest.starts_with(b"0X") { 2 } else { 0 };
    format.emit(machine, text, sign + base)?;
    Ok(args.ptr(0).into())
}

fn boolean(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = machine.number(args, 1)? & 1;
    let format = Format::of(machine, &args.ptr(0))?;
    let text = match (format.has(BOOL_ALPHA), value) {
        (true, 0) => b"false".to_vec(),
        (true, _) => b"true".to_vec(),
        (false, _) => format_integer(&format.spec(machine, false, true)?, false, value),
    };
    print_number(machine, args, &format, text)
}

fn pointer(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let address = machine.number(args, 1)?;
    let spec = Spec { conversion: b'x', alternate: true, ..Spec::default() };
    let format = Format::of(machine, &args.ptr(0))?;
    let text = format_integer(&spec, false, address);
    print_number(machine, args, &format, text)
}

/// `__ostream_insert(stream, text, n)`.
fn text(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let bytes = machine.bytes_at(&args.ptr(1), machine.number(args, 2)?)?;
    Format::of(machine, &args.ptr(0))?.emit(machine, bytes, 0)?;
    Ok(args.ptr(0).into())
}

fn c_string(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let bytes = machine.string(args, 1)?;
    Format::of(machine, &args.ptr(0))?.emit(machine, bytes, 0)?;
    Ok(args.ptr(0).into())
}

fn character(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let byte = machine.number(args, 1)? as u8;
    Format::of(machine, &args.ptr(0))?.emit(machine, vec![byte], 0)?;
    Ok(args.ptr(0).into())
}

fn put(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let byte = machine.number(args, 1)? as u8;
    unformatted(machine, args, &[byte])
}

fn write_bytes(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let bytes = machine.bytes_at(&args.ptr(1), machine.number(args, 2)?)?;
    unformatted(machine, args, &bytes)
}

fn end_line(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    unformatted(machine, args, b"\n")
}

fn end_string(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    unformatted(machine, args, b"\0")
}

fn unformatted(machine: &mut Machine<'_>, args: &Args<'_>, bytes: &[u8]) -> Reply {
    let ios = ios_of(machine, &args.ptr(0))?;
    write(machine, &ios, bytes)?;
    Ok(args.ptr(0).into())
}

fn same(_: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(args.ptr(0).into())
}
