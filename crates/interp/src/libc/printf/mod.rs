//! The `printf` family.
//!
//! Source: C17 §7.21.6.1; glibc for `%m`, `(nil)`, `(null)` and the shape of `%a`.
//! Departures: the locale is "C"; wide characters print as UTF-8.

mod float;
mod integer;
mod spec;

use base::limits;
use catalog::Issue;
use ir::{FloatKind, Type};

use super::args::{Args, int};
use super::variadic::Source;
use super::{Models, Reply, errno};
use crate::machine::{Machine, OrStop};
use crate::report::{Budget, Outcome};
use crate::value::Value;

pub(crate) use float::format_float;
pub(crate) use integer::format_integer;
pub(crate) use spec::Spec;
use spec::{Amount, Length, Piece, parse};

pub(crate) const MODELS: Models = &[
    ("printf", printf),
    ("fprintf", fprintf),
    ("sprintf", sprintf),
    ("snprintf", snprintf),
    ("dprintf", dprintf),
    ("asprintf", asprintf),
    ("vprintf", vprintf),
    ("vfprintf", vfprintf),
    ("vsprintf", vsprintf),
    ("vsnprintf", vsnprintf),
    ("vdprintf", vdprintf),
    ("vasprintf", vasprintf),
    ("__printf_chk", printf_chk),
    ("__fprintf_chk", fprintf_chk),
    ("__sprintf_chk", sprintf_chk),
    ("__snprintf_chk", snprintf_chk),
    ("__vprintf_chk", vprintf_chk),
    ("__vfprintf_chk", vfprintf_chk),
    ("__vsprintf_chk", vsprintf_chk),
    ("__vsnprintf_chk", vsnprintf_chk),
];

/// Where the text goes.
enum Sink {
    Stream(Value),
    Descriptor(i32),
    /// A buffer without, or with, a limit.
    Buffer(Value, Option<u64>),
    /// A new heap block whose address is stored here.
    Heap(Value),
}

fn printf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Descriptor(1), 0, Source::direct(args, 1))
}

fn fprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Stream(args.ptr(0)), 1, Source::direct(args, 2))
}

fn sprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Buffer(args.ptr(0), None), 1, Source::direct(args, 2))
}

fn snprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 1)?;
    print(machine, args, Sink::Buffer(args.ptr(0), Some(limit)), 2, Source::direct(args, 3))
}

fn dprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let descriptor = machine.c_int(args, 0)?;
    print(machine, args, Sink::Descriptor(descriptor), 1, Source::direct(args, 2))
}

fn asprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Heap(args.ptr(0)), 1, Source::direct(args, 2))
}

fn vprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Descriptor(1), 0, Source::List(args.ptr(1)))
}

fn vfprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Stream(args.ptr(0)), 1, Source::List(args.ptr(2)))
}

fn vsprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Buffer(args.ptr(0), None), 1, Source::List(args.ptr(2)))
}

fn vsnprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 1)?;
    print(machine, args, Sink::Buffer(args.ptr(0), Some(limit)), 2, Source::List(args.ptr(3)))
}

fn vdprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let descriptor = machine.c_int(args, 0)?;
    print(machine, args, Sink::Descriptor(descriptor), 1, Source::List(args.ptr(2)))
}

fn vasprintf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Heap(args.ptr(0)), 1, Source::List(args.ptr(2)))
}

fn printf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Descriptor(1), 1, Source::direct(args, 2))
}

fn fprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Stream(args.ptr(0)), 2, Source::direct(args, 3))
}

fn sprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Buffer(args.ptr(0), None), 3, Source::direct(args, 4))
}

fn snprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 1)?;
    print(machine, args, Sink::Buffer(args.ptr(0), Some(limit)), 4, Source::direct(args, 5))
}

fn vprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Descriptor(1), 1, Source::List(args.ptr(2)))
}

fn vfprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Stream(args.ptr(0)), 2, Source::List(args.ptr(3)))
}

fn vsprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    print(machine, args, Sink::Buffer(args.ptr(0), None), 3, Source::List(args.ptr(4)))
}

fn vsnprintf_chk(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 1)?;
    print(machine, args, Sink::Buffer(args.ptr(0), Some(limit)), 4, Source::List(args.ptr(5)))
}

fn print(machine: &mut Machine<'_>, args: &Args<'_>, sink: Sink, format: usize, source: Source) -> Reply {
    let format = machine.string(args, format)?;
    let text = format_text(machine, args.name, &format, source)?;
    let written = i32::try_from(text.len()).unwrap_or(-1);
    match sink {
        Sink::Stream(stream) => {
            return Ok(int(machine.write_stream(&stream, &text)?.map_or(-1, |_| written)));
        }
        Sink::Descriptor(descriptor) => {
            let is_open = machine.write_descriptor(descriptor, &text)?;
            return Ok(int(if is_open { written } else { -1 }));
        }
        Sink::Buffer(buffer, None) => machine.write_string_at(&buffer, &text)?,
        Sink::Buffer(_, Some(0)) => {}
        Sink::Buffer(buffer, Some(limit)) => {
            let kept = text.len().min(usize::try_from(limit - 1).unwrap_or(usize::MAX));
            machine.write_string_at(&buffer, &text[..kept])?;
        }
        Sink::Heap(result) => {
            let block = machine.heap_string(&text)?;
            machine.store_at(&result, &block)?;
            if block.low() == 0 {
                return Ok(int(-1));
            }
        }
    }
    Ok(int(written))
}

/// The text that a format makes of its arguments; `name` is the function, for messages.
pub(crate) fn format_text(
    machine: &mut Machine<'_>,
    name: &str,
    format: &[u8],
    source: Source,
) -> OrStop<Vec<u8>> {
    let mut printer = Printer { name, source, positional: Vec::new(), out: Vec::new() };
    for piece in parse(format) {
        match piece {
            Piece::Text(text) => printer.out.extend_from_slice(text),
            Piece::Conversion(spec) => printer.convert(machine, spec)?,
        }
    }
    Ok(printer.out)
}

struct Printer<'a> {
    name: &'a str,
    source: Source,
    /// All arguments, once `%1$d` asked for one by position.
    positional: Vec<Value>,
    out: Vec<u8>,
}

impl Printer<'_> {
    fn convert(&mut self, machine: &mut Machine<'_>, mut spec: Spec) -> OrStop {
        self.take_amounts(machine, &mut spec)?;
        let is_text = matches!(spec.conversion, b's' | b'S' | b'c' | b'C');
        if spec.width >= limits::INTERP_PRECISION
            || !is_text && spec.precision.is_some_and(|it| it >= limits::INTERP_PRECISION)
        {
            return Err(Outcome::OutOfBudget(Budget::Memory).into());
        }
        let text = match spec.conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'b' | b'B' => {
                let signed = matches!(spec.conversion, b'd' | b'i');
                let (negative, magnitude) = self.integer(machine, &spec, signed)?;
                format_integer(&spec, negative, magnitude)
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(machine, &spec)?,
            b'c' | b'C' => self.character(machine, &spec)?,
            b's' | b'S' => self.text(machine, &spec)?,
            b'p' => self.pointer(machine, &spec)?,
            b'n' => {
                let target = self.next(machine, &spec, Type::Ptr)?;
                let count = Value::int(length_bits(machine, &spec), self.out.len() as u128);
                return machine.store_at(&target, &count);
            }
            b'm' => spec.pad(errno::message(machine.errno()?).into_bytes()),
            b'%' => b"%".to_vec(),
            _ => spec.source.clone(),
        };
        self.out.extend_from_slice(&text);
        Ok(())
    }

    /// Width and precision that are arguments themselves.
    fn take_amounts(&mut self, machine: &mut Machine<'_>, spec: &mut Spec) -> OrStop {
        if let Some(Amount::Argument(position)) = spec.width_source {
            let width = self.amount(machine, position)?;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        }
        if let Some(Amount::Argument(position)) = spec.precision_source {
            let precision = self.amount(machine, position)?;
            spec.precision = usize::try_from(precision).ok();
        }
        Ok(())
    }

    fn amount(&mut self, machine: &mut Machine<'_>, position: Option<usize>) -> OrStop<i64> {
        let value = self.fetch(machine, position, Type::Int(32))?;
        self.require(machine, &value)?;
        Ok(value.as_i64())
    }

    fn next(&mut self, machine: &mut Machine<'_>, spec: &Spec, ty: Type) -> OrStop<Value> {
        self.fetch(machine, spec.position, ty)
    }

    /// The next argument, or the one at a position from 1 on.
    fn fetch(&mut self, machine: &mut Machine<'_>, position: Option<usize>, ty: Type) -> OrStop<Value> {
        let Some(position) = position else { return self.source.next(machine, ty) };
        if let Source::Direct { values, next } = &self.source {
            let mut source = Source::Direct { values: values.clone(), next: next + position - 1 };
            return source.next(machine, ty);
        }
        // In a `va_list` the types before a position are not known; those used so far are taken for equal to this one.
        while self.positional.len() < position {
            let value = self.source.next(machine, ty)?;
            self.positional.push(value);
        }
        Ok(self.positional[position - 1].clone())
    }

    fn require(&self, machine: &Machine<'_>, value: &Value) -> OrStop {
        if value.is_defined() {
            return Ok(());
        }
        let message = format!("a value that was never written is printed by `{}`", self.name);
        Err(machine.bug(Issue::UninitRead, message, None))
    }

    fn integer(&mut self, machine: &mut Machine<'_>, spec: &Spec, signed: bool) -> OrStop<(bool, u64)> {
        let bits = length_bits(machine, spec);
        // Narrow types arrive as `int`.
        let value = self.next(machine, spec, Type::Int(bits.max(32)))?;
        let value = crate::int::truncate(&value, bits);
        self.require(machine, &value)?;
        let number = value.as_i64();
        Ok(if signed { (number < 0, number.unsigned_abs()) } else { (false, value.low()) })
    }

    fn float(&mut self, machine: &mut Machine<'_>, spec: &Spec) -> OrStop<Vec<u8>> {
        let kind = if spec.length == Length::LongDouble { long_double(machine) } else { FloatKind::Double };
        let value = self.next(machine, spec, Type::Float(kind))?;
        self.require(machine, &value)?;
        Ok(format_float(spec, kind, value.low128()))
    }

    fn character(&mut self, machine: &mut Machine<'_>, spec: &Spec) -> OrStop<Vec<u8>> {
        let value = self.next(machine, spec, Type::Int(32))?;
        let is_wide = spec.conversion == b'C' || spec.length == Length::Long;
        let value = if is_wide { value } else { crate::int::truncate(&value, 8) };
        self.require(machine, &value)?;
        let wide = char::from_u32(value.low() as u32).filter(|_| is_wide);
        let text = wide.map_or_else(|| vec![value.low() as u8], |wide| wide.to_string().into_bytes());
        Ok(spec.pad(text))
    }

    fn text(&mut self, machine: &mut Machine<'_>, spec: &Spec) -> OrStop<Vec<u8>> {
        let pointer = self.next(machine, spec, Type::Ptr)?;
        self.require(machine, &pointer)?;
        let limit = spec.precision.map_or(u64::MAX, |precision| precision as u64);
        if pointer.low() == 0 {
            // glibc prints this if it fits, and nothing otherwise.
            return Ok(spec.pad(if limit >= 6 { b"(null)".to_vec() } else { Vec::new() }));
        }
        if spec.conversion == b'S' || spec.length == Length::Long {
            let wide = machine.wide_string_at(&pointer)?;
            let mut text: Vec<u8> = wide.into_iter().collect::<String>().into_bytes();
            text.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            return Ok(spec.pad(text));
        }
        Ok(spec.pad(machine.string_up_to(&pointer, limit)?))
    }

    fn pointer(&mut self, machine: &mut Machine<'_>, spec: &Spec) -> OrStop<Vec<u8>> {
        let pointer = self.next(machine, spec, Type::Ptr)?;
        self.require(machine, &pointer)?;
        if pointer.low() == 0 {
            return Ok(spec.pad(b"(nil)".to_vec()));
        }
        let hex = Spec { conversion: b'x', alternate: true, ..spec.clone() };
        Ok(format_integer(&hex, false, pointer.low()))
    }
}

/// The bits of the integer that a conversion takes.
fn length_bits(machine: &Machine<'_>, spec: &Spec) -> u32 {
    match spec.length {
        Length::None => 32,
        Length::Char => 8,
        Length::Short => 16,
        Length::Long => machine.long_bits(),
        Length::LongLong | Length::LongDouble => 64,
    }
}

/// The format of `long double`.
pub(crate) fn long_double(machine: &Machine<'_>) -> FloatKind {
    let triple = machine.program.triple();
    if triple.is_empty() || triple.starts_with("x86") || triple.starts_with('i') {
        FloatKind::X87
    } else if triple.starts_with("aarch64") || triple.starts_with("riscv") {
        FloatKind::Quad
    } else {
        FloatKind::Double
    }
}
