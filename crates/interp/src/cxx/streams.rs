//! The stream objects of C++: `std::cout` and its siblings, string streams.
//!
//! Headers reach into stream objects: they read the offset of the virtual base `std::ios` from the virtual
//! table and the format flags, width, precision, fill character and state from that base. Those are therefore
//! real, at libstdc++'s offsets; what a stream writes to or reads from is kept here, by the address of its
//! `std::ios`.
//! Not covered: file streams, stream buffers, locales, exceptions of streams, moving streams.

use ir::Type;
use rustc_hash::FxHashMap;

use super::string::{Text, new_text, set_text};
use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::{BlockRef, Value};
use crate::varargs::offset_by;

/// The names of the members of one class of string streams, with where its `std::ios` lies.
macro_rules! string_stream {
    ($class:literal, $ios:expr, $inner:expr) => {
        [
            (concat!("_ZNSt7__cxx11", $class, "IcSt11char_traitsIcESaIcEEC1Ev"), |m, a| {
                construct(m, a, $ios, $inner, false)
            }),
            (concat!("_ZNSt7__cxx11", $class, "IcSt11char_traitsIcESaIcEEC1ESt13_Ios_Openmode"), |m, a| {
                construct(m, a, $ios, $inner, false)
            }),
            (
                concat!(
                    "_ZNSt7__cxx11",
                    $class,
                    "IcSt11char_traitsIcESaIcEEC1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode"
                ),
                |m, a| construct(m, a, $ios, $inner, true),
            ),
            (concat!("_ZNSt7__cxx11", $class, "IcSt11char_traitsIcESaIcEED1Ev"), destroy),
            (concat!("_ZNKSt7__cxx11", $class, "IcSt11char_traitsIcESaIcEE3strEv"), text_of),
            (
                concat!(
                    "_ZNSt7__cxx11",
                    $class,
                    "IcSt11char_traitsIcESaIcEE3strERKNS_12basic_stringIcS2_S3_EE"
                ),
                set_text_of,
            ),
        ]
    };
}

pub(crate) const MODELS: Models = &[
    ("_ZNSt8ios_base4InitC1Ev", ignore),
    ("_ZNSt8ios_base4InitD1Ev", ignore),
    ("_ZNSt8ios_base15sync_with_stdioEb", ignore),
    ("_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate", clear),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE5widenEc", widen),
];

pub(crate) const OUTPUT_STRINGS: Models = &string_stream!("19basic_ostringstream", 112, None);
pub(crate) const INPUT_STRINGS: Models = &string_stream!("19basic_istringstream", 120, None);
pub(crate) const STRINGS: Models = &string_stream!("18basic_stringstream", 128, Some(16));

/// Offsets in `std::ios`.
pub(super) const PRECISION: u64 = 8;
pub(super) const WIDTH: u64 = 16;
pub(super) const FLAGS: u64 = 24;
pub(super) const STATE: u64 = 32;
pub(super) const FILL: u64 = 224;
const FILL_IS_SET: u64 = 225;
const BUFFER: u64 = 232;

/// Flags that are set at first: `skipws | dec`.
const FIRST_FLAGS: u128 = 0x1002;

/// Bits of the state.
pub(super) const AT_END: u64 = 2;
pub(super) const FAILED: u64 = 4;

/// What streams there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    by_ios: FxHashMap<u64, Stream>,
}

/// What a stream writes to and reads from.
#[derive(Clone, Debug)]
pub(super) enum Stream {
    /// The standard input.
    Input,
    /// A standard output, by file descriptor.
    Output(i32),
    /// A string, and the position of the next character to read.
    String(Vec<u8>, usize),
}

/// Gives `std::cout` and its siblings their content; whether the global is one of them.
pub(crate) fn set_up_global(machine: &mut Machine<'_>, name: &str, block: BlockRef) -> bool {
    let (stream, ios) = match name {
        "_ZSt4cout" => (Stream::Output(1), 8),
        "_ZSt4cerr" | "_ZSt4clog" => (Stream::Output(2), 8),
        "_ZSt3cin" => (Stream::Input, 16),
        _ => return false,
    };
    let object = machine.pointer_to(block, 0);
    set_up(machine, &object, ios, stream).is_ok()
}

/// Makes a stream object whose `std::ios` lies at an offset.
fn set_up(machine: &mut Machine<'_>, object: &Value, ios: u64, stream: Stream) -> OrStop {
    let table = virtual_table(machine, ios)?;
    machine.store_at(object, &table)?;
    let base = offset_by(object, ios);
    for (offset, bits, content) in [
        (0, 64, 0),
        (PRECISION, 64, 6),
        (WIDTH, 64, 0),
        (FLAGS, 32, FIRST_FLAGS),
        (28, 32, 0),
        (STATE, 32, 0),
        (216, 64, 0),
        (FILL, 8, u128::from(b' ')),
        (FILL_IS_SET, 8, 1),
        (240, 64, 0),
        (248, 64, 0),
        (256, 64, 0),
    ] {
        machine.store_at(&offset_by(&base, offset), &Value::int(bits, content))?;
    }
    // Headers only test whether there is a buffer.
    machine.store_at(&offset_by(&base, BUFFER), &table)?;
    machine.library.cxx_streams.by_ios.insert(base.low(), stream);
    Ok(())
}

/// A virtual table that tells where `std::ios` is; it has no functions.
fn virtual_table(machine: &mut Machine<'_>, ios: u64) -> OrStop<Value> {
    let block = machine.library_block("virtual table of a stream", 64)?;
    machine.memory.write(block, 0, &Value::int(64, ios.into()));
    Ok(machine.pointer_to(block, 24))
}

/// The `std::ios` of a stream.
pub(super) fn ios_of(machine: &Machine<'_>, stream: &Value) -> OrStop<Value> {
    let table = machine.load_pointer(stream, 0)?;
    let offset = machine.load_defined(&offset_by(&table, 24u64.wrapping_neg()), Type::Int(64))?;
    Ok(offset_by(stream, offset.low()))
}

/// A number in `std::ios`.
pub(super) fn field(machine: &Machine<'_>, ios: &Value, offset: u64, bits: u32) -> OrStop<u64> {
    Ok(machine.load_defined(&offset_by(ios, offset), Type::Int(bits))?.low())
}

/// Sets bits of the state.
pub(super) fn set_state(machine: &mut Machine<'_>, ios: &Value, bits: u64) -> OrStop {
    let state = field(machine, ios, STATE, 32)? | bits;
    machine.store_at(&offset_by(ios, STATE), &Value::int(32, state.into()))
}

/// Writes characters to a stream as they are.
pub(super) fn write(machine: &mut Machine<'_>, ios: &Value, bytes: &[u8]) -> OrStop {
    match machine.library.cxx_streams.by_ios.get_mut(&ios.low()) {
        Some(Stream::String(text, _)) => {
            text.extend_from_slice(bytes);
            machine.count_output(bytes.len())?;
        }
        Some(Stream::Output(descriptor)) => {
            let descriptor = *descriptor;
            machine.write_descriptor(descriptor, bytes)?;
        }
        Some(Stream::Input) => set_state(machine, ios, FAILED)?,
        None => return machine.unsupported("output to a stream of another kind"),
    }
    Ok(())
}

/// The next character of a stream; none at its end. `keep` leaves it there.
pub(super) fn next(machine: &mut Machine<'_>, ios: &Value, keep: bool) -> OrStop<Option<u8>> {
    machine.tick()?;
    match machine.library.cxx_streams.by_ios.get_mut(&ios.low()) {
        Some(Stream::String(text, position)) => {
            let byte = text.get(*position).copied();
            *position += usize::from(byte.is_some() && !keep);
            Ok(byte)
        }
        Some(Stream::Input) => {
            let stdin = machine.standard_stream(0)?;
            let byte = machine.read_byte(&stdin)?;
            if let (Some(byte), true) = (byte, keep) {
                machine.unread_byte(&stdin, byte)?;
            }
            Ok(byte)
        }
        Some(Stream::Output(_)) => Ok(None),
        None => machine.unsupported("input from a stream of another kind"),
    }
}

/// A string stream: `(this)`, `(this, mode)` or `(this, string, mode)`. Its second table, of the output part, is at `inner`.
fn construct(
    machine: &mut Machine<'_>,
    args: &Args<'_>,
    ios: u64,
    inner: Option<u64>,
    has_text: bool,
) -> Reply {
    let text = if has_text { Text::load(machine, &args.ptr(1))?.bytes(machine)? } else { Vec::new() };
    set_up(machine, &args.ptr(0), ios, Stream::String(text, 0))?;
    if let Some(offset) = inner {
        let table = virtual_table(machine, ios - offset)?;
        machine.store_at(&offset_by(&args.ptr(0), offset), &table)?;
    }
    Ok(Answer::none())
}

fn destroy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let ios = ios_of(machine, &args.ptr(0))?;
    machine.library.cxx_streams.by_ios.remove(&ios.low());
    Ok(Answer::none())
}

/// `str()`: the string is made in the memory that the first argument points at.
fn text_of(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let ios = ios_of(machine, &args.ptr(1))?;
    let text = match machine.library.cxx_streams.by_ios.get(&ios.low()) {
        Some(Stream::String(text, _)) => text.clone(),
        _ => return machine.unsupported("the text of a stream of another kind"),
    };
    new_text(machine, &args.ptr(0), &text)?;
    Ok(Answer::none())
}

fn set_text_of(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let ios = ios_of(machine, &args.ptr(0))?;
    let text = Text::load(machine, &args.ptr(1))?.bytes(machine)?;
    machine.library.cxx_streams.by_ios.insert(ios.low(), Stream::String(text, 0));
    Ok(Answer::none())
}

/// Stores characters that were read into a string.
pub(super) fn store_text(machine: &mut Machine<'_>, string: &Value, bytes: &[u8]) -> OrStop {
    set_text(machine, string, bytes)
}

fn clear(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let state = machine.number(args, 1)?;
    machine.store_at(&offset_by(&args.ptr(0), STATE), &Value::int(32, (state & 0xffff_ffff).into()))?;
    Ok(Answer::none())
}

fn widen(_: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(args.get(1).into())
}

fn ignore(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::from(Value::bool(true)))
}
