//! The `scanf` family.
//!
//! Source: C17 §7.21.6.2. Not covered: wide conversions, `%m`.

use ir::{FloatKind, Type};

use super::args::{Args, int};
use super::ctype::is_space;
use super::float_text::{parse_float, parse_int};
use super::printf::long_double;
use super::variadic::Source;
use super::{Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("scanf", scanf),
    ("__isoc99_scanf", scanf),
    ("__isoc23_scanf", scanf),
    ("fscanf", fscanf),
    ("__isoc99_fscanf", fscanf),
    ("__isoc23_fscanf", fscanf),
    ("sscanf", sscanf),
    ("__isoc99_sscanf", sscanf),
    ("__isoc23_sscanf", sscanf),
    ("vsscanf", vsscanf),
    ("__isoc99_vsscanf", vsscanf),
    ("vfscanf", vfscanf),
    ("__isoc99_vfscanf", vfscanf),
    ("vscanf", vscanf),
    ("__isoc99_vscanf", vscanf),
];

fn scanf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let stdin = machine.standard_stream(0)?;
    scan(machine, args, Input::Stream(stdin), 0, Source::direct(args, 1))
}

fn fscanf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    scan(machine, args, Input::Stream(args.ptr(0)), 1, Source::direct(args, 2))
}

fn sscanf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = machine.string(args, 0)?;
    scan(machine, args, Input::Text { text, at: 0 }, 1, Source::direct(args, 2))
}

fn vsscanf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = machine.string(args, 0)?;
    scan(machine, args, Input::Text { text, at: 0 }, 1, Source::List(args.ptr(2)))
}

fn vfscanf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    scan(machine, args, Input::Stream(args.ptr(0)), 1, Source::List(args.ptr(2)))
}

fn vscanf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let stdin = machine.standard_stream(0)?;
    scan(machine, args, Input::Stream(stdin), 0, Source::List(args.ptr(1)))
}

/// What is scanned.
enum Input {
    Stream(Value),
    Text { text: Vec<u8>, at: usize },
}

impl Input {
    fn next(&mut self, machine: &mut Machine<'_>) -> OrStop<Option<u8>> {
        match self {
            Input::Stream(file) => machine.read_byte(file),
            Input::Text { text, at } => {
                *at += 1;
                Ok(text.get(*at - 1).copied())
            }
        }
    }

    fn put_back(&mut self, machine: &mut Machine<'_>, byte: Option<u8>) -> OrStop {
        match (self, byte) {
            (Input::Stream(file), Some(byte)) => machine.unread_byte(file, byte),
            (Input::Text { at, .. }, _) => {
                *at -= 1;
                Ok(())
            }
            (Input::Stream(_), None) => Ok(()),
        }
    }
}

fn scan(machine: &mut Machine<'_>, args: &Args<'_>, input: Input, format: usize, source: Source) -> Reply {
    let format = machine.string(args, format)?;
    let mut scanner = Scanner { input, source, taken: 0, stored: 0, at_end: false };
    scanner.run(machine, &format)?;
    let nothing = scanner.stored == 0 && scanner.at_end;
    Ok(int(if nothing { -1 } else { scanner.stored }))
}

struct Scanner {
    input: Input,
    source: Source,
    /// Bytes read so far.
    taken: u64,
    /// Conversions stored so far.
    stored: i32,
    /// Whether the input ended before the first conversion could begin.
    at_end: bool,
}

/// `%[*][width][length]conversion`.
#[derive(Default)]
struct Directive {
    discard: bool,
    width: Option<usize>,
    /// The bits of an integer, or of a float: 32 `float`, 64 `double`, 80 `long double`.
    bits: u32,
    is_long: bool,
    is_long_double: bool,
    conversion: u8,
    /// The characters of `%[…]`.
    set: Vec<bool>,
}

impl Scanner {
    fn run(&mut self, machine: &mut Machine<'_>, format: &[u8]) -> OrStop {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            at += 1;
            let matched = if is_space(byte) {
                self.skip_blanks(machine)?;
                true
            } else if byte != b'%' {
                self.literal(machine, byte)?
            } else {
                let directive = parse_directive(format, &mut at, machine.long_bits());
                self.convert(machine, &directive)?
            };
            if !matched {
                return Ok(());
            }
        }
        Ok(())
    }

    fn next(&mut self, machine: &mut Machine<'_>) -> OrStop<Option<u8>> {
        self.taken += 1;
        self.input.next(machine)
    }

    fn put_back(&mut self, machine: &mut Machine<'_>, byte: Option<u8>) -> OrStop {
        self.taken -= 1;
        self.input.put_back(machine, byte)
    }

    fn skip_blanks(&mut self, machine: &mut Machine<'_>) -> OrStop {
        loop {
            let byte = self.next(machine)?;
            if !byte.is_some_and(is_space) {
                return self.put_back(machine, byte);
            }
        }
    }

    fn literal(&mut self, machine: &mut Machine<'_>, wanted: u8) -> OrStop<bool> {
        let byte = self.next(machine)?;
        if byte == Some(wanted) {
            return Ok(true);
        }
        self.at_end |= byte.is_none();
        self.put_back(machine, byte)?;
        Ok(false)
    }

    fn convert(&mut self, machine: &mut Machine<'_>, directive: &Directive) -> OrStop<bool> {
        if !matches!(directive.conversion, b'c' | b'[' | b'n') {
            self.skip_blanks(machine)?;
        }
        match directive.conversion {
            b'%' => self.literal(machine, b'%'),
            b'n' => {
                let count = Value::int(directive.bits, self.taken.into());
                let target = self.source.next(machine, Type::Ptr)?;
                machine.store_at(&target, &count)?;
                Ok(true)
            }
            b'd' | b'u' | b'i' | b'x' | b'X' | b'o' | b'p' => self.integer(machine, directive),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(machine, directive),
            b's' => self.characters(machine, directive, |byte| !is_space(byte), true),
            b'[' => self.characters(machine, directive, |byte| directive.set[usize::from(byte)], true),
            b'c' => self.characters(machine, directive, |_| true, false),
            _ => Ok(false),
        }
    }

    /// Bytes that may belong to a field, at most `width`.
    fn field(
        &mut self,
        machine: &mut Machine<'_>,
        width: usize,
        accept: impl Fn(&[u8], u8) -> bool,
    ) -> OrStop<Vec<u8>> {
        let mut text = Vec::new();
        while text.len() < width {
            let byte = self.next(machine)?;
            match byte {
                Some(byte) if accept(&text, byte) => text.push(byte),
                _ => {
                    self.at_end |= byte.is_none() && text.is_empty();
                    self.put_back(machine, byte)?;
                    break;
                }
            }
        }
        Ok(text)
    }

    fn integer(&mut self, machine: &mut Machine<'_>, directive: &Directive) -> OrStop<bool> {
        let base = match directive.conversion {
            b'd' | b'u' => 10,
            b'x' | b'X' | b'p' => 16,
            b'o' => 8,
            _ => 0,
        };
        let text = self.field(machine, directive.width.unwrap_or(usize::MAX), |text, byte| {
            may_be_integer(text, byte, base)
        })?;
        let parsed = parse_int(&text, base);
        if parsed.len == 0 {
            return Ok(false);
        }
        let number = if parsed.negative { parsed.magnitude.wrapping_neg() } else { parsed.magnitude };
        let bits = if directive.conversion == b'p' { machine.long_bits() } else { directive.bits };
        self.store(machine, directive, &Value::int(bits, number.into()))
    }

    fn float(&mut self, machine: &mut Machine<'_>, directive: &Directive) -> OrStop<bool> {
        let kind = if directive.is_long_double {
            long_double(machine)
        } else if directive.is_long {
            FloatKind::Double
        } else {
            FloatKind::Single
        };
        let width = directive.width.unwrap_or(usize::MAX);
        let text = self.field(machine, width, may_be_float)?;
        let parsed = parse_float(&text, kind);
        if parsed.len == 0 {
            return Ok(false);
        }
        self.store(machine, directive, &Value::float(kind, parsed.bits))
    }

    fn characters(
        &mut self,
        machine: &mut Machine<'_>,
        directive: &Directive,
        accept: impl Fn(u8) -> bool,
        is_string: bool,
    ) -> OrStop<bool> {
        let default = if is_string { usize::MAX } else { 1 };
        let width = directive.width.unwrap_or(default);
        let text = self.field(machine, width, |_, byte| accept(byte))?;
        if text.is_empty() || !is_string && text.len() < width {
            return Ok(false);
        }
        if directive.discard {
            return Ok(true);
        }
        let target = self.source.next(machine, Type::Ptr)?;
        machine.write_bytes_at(&target, &text)?;
        if is_string {
            machine.write_bytes_at(&offset_by(&target, text.len() as u64), &[0])?;
        }
        self.stored += 1;
        Ok(true)
    }

    fn store(&mut self, machine: &mut Machine<'_>, directive: &Directive, value: &Value) -> OrStop<bool> {
        if directive.discard {
            return Ok(true);
        }
        let target = self.source.next(machine, Type::Ptr)?;
        machine.store_at(&target, value)?;
        self.stored += 1;
        Ok(true)
    }
}

fn parse_directive(format: &[u8], at: &mut usize, long_bits: u32) -> Directive {
    let peek = |at: usize| format.get(at).copied().unwrap_or(0);
    let mut directive = Directive { bits: 32, ..Directive::default() };
    if peek(*at) == b'*' {
        directive.discard = true;
        *at += 1;
    }
    while peek(*at).is_ascii_digit() {
        let digit = usize::from(peek(*at) - b'0');
        directive.width = Some((directive.width.unwrap_or(0) * 10 + digit).min(1 << 24));
        *at += 1;
    }
    loop {
        match peek(*at) {
            b'h' => directive.bits /= 2,
            b'l' => {
                directive.bits = if directive.is_long { 64 } else { long_bits };
                directive.is_long = true;
            }
            b'z' | b't' => directive.bits = long_bits,
            b'j' | b'q' => directive.bits = 64,
            b'L' => {
                directive.bits = 64;
                directive.is_long_double = true;
            }
            _ => break,
        }
        *at += 1;
    }
    directive.conversion = peek(*at);
    *at += 1;
    if directive.conversion == b'[' {
        directive.set = parse_set(format, at);
    }
    directive
}

/// The characters of `%[a-z]` or `%[^a-z]`; `]` may stand first.
fn parse_set(format: &[u8], at: &mut usize) -> Vec<bool> {
    let inverted = format.get(*at) == Some(&b'^');
    *at += usize::from(inverted);
    let mut set = vec![false; 256];
    let start = *at;
    while let Some(&byte) = format.get(*at) {
        if byte == b']' && *at > start {
            *at += 1;
            break;
        }
        match (format.get(*at + 1), format.get(*at + 2)) {
            (Some(b'-'), Some(&last)) if last != b']' => {
                for member in byte..=last {
                    set[usize::from(member)] = true;
                }
                *at += 3;
            }
            _ => {
                set[usize::from(byte)] = true;
                *at += 1;
            }
        }
    }
    set.into_iter().map(|member| member != inverted).collect()
}

fn may_be_integer(text: &[u8], byte: u8, base: u32) -> bool {
    let digits = match text.first() {
        Some(b'+' | b'-') => &text[1..],
        _ => text,
    };
    let prefixed = digits.len() >= 2 && digits[1].eq_ignore_ascii_case(&b'x');
    let base = match base {
        0 if prefixed => 16,
        0 if digits.first() == Some(&b'0') => 8,
        0 => 10,
        other => other,
    };
    match byte {
        b'+' | b'-' => text.is_empty(),
        b'x' | b'X' => digits == b"0" && (base == 16 || base == 8),
        _ => char::from(byte).is_digit(base),
    }
}

fn may_be_float(text: &[u8], byte: u8) -> bool {
    let last = text.last().copied().unwrap_or(0).to_ascii_lowercase();
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let is_hex = unsigned.len() >= 2 && unsigned[1].eq_ignore_ascii_case(&b'x');
    let exponent = if is_hex { b'p' } else { b'e' };
    let has_exponent = text.iter().any(|it| it.eq_ignore_ascii_case(&exponent));
    let word_so_far = |word: &[u8]| {
        let next = unsigned.len();
        next < word.len()
            && unsigned.eq_ignore_ascii_case(&word[..next])
            && byte.eq_ignore_ascii_case(&word[next])
    };
    match byte {
        b'+' | b'-' => text.is_empty() || last == exponent,
        b'.' => !text.contains(&b'.') && !has_exponent,
        b'0'..=b'9' => true,
        b'x' | b'X' if unsigned == b"0" => true,
        _ if word_so_far(b"infinity") || word_so_far(b"nan") => true,
        _ if byte.eq_ignore_ascii_case(&exponent) => !has_exponent && !unsigned.is_empty(),
        _ => is_hex && byte.is_ascii_hexdigit() && !has_exponent,
    }
}
