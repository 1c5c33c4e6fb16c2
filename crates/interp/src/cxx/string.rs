//! The members of `std::string` that headers leave to the library.
//!
//! Layout: `{ char *data; size_t length; union { char local[16]; size_t capacity; }; }`; a string of at most
//! 15 characters is local. Capacities grow as libstdc++ lets them grow, since programs can see them.
//! Departures: positions beyond the end throw in the library and end the run here.

use ir::Type;

use super::throw::thrown;
use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::memory::{Bytes, Family};
use crate::report::{Budget, Outcome};
use crate::value::Value;
use crate::varargs::offset_by;

/// The mangled name of a member function.
macro_rules! member {
    ($name:literal) => {
        concat!("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE", $name)
    };
}

pub(crate) const MODELS: Models = &[
    (member!("9_M_createERmm"), create),
    (member!("12_M_constructEmc"), construct),
    (member!("9_M_assignERKS4_"), assign),
    (member!("9_M_mutateEmmPKcm"), mutate),
    (member!("9_M_appendEPKcm"), append),
    (member!("10_M_replaceEmmPKcm"), replace),
    (member!("14_M_replace_auxEmmmc"), replace_fill),
    (member!("8_M_eraseEmm"), erase),
    (member!("6resizeEmc"), resize),
    (member!("7reserveEm"), reserve),
    (member!("7reserveEv"), shrink),
    (member!("4swapERS4_"), swap),
];

const LENGTH: u64 = 8;
const LOCAL: u64 = 16;
const LOCAL_CAPACITY: u64 = 15;
/// The largest length that libstdc++ allows.
const LONGEST: u64 = 0x3fff_ffff_ffff_ffff;
/// A string in the program's memory, looked at.
pub(super) struct Text {
    this: Value,
    data: Value,
    pub(super) length: u64,
    capacity: u64,
}

impl Text {
    pub(super) fn load(machine: &Machine<'_>, this: &Value) -> OrStop<Text> {
        let data = machine.load_pointer(this, 0)?;
        let length = machine.load_defined(&offset_by(this, LENGTH), Type::Int(64))?.low();
        let is_local = data.low() == this.low().wrapping_add(LOCAL);
        let capacity = if is_local {
            LOCAL_CAPACITY
        } else {
            machine.load_defined(&offset_by(this, LOCAL), Type::Int(64))?.low()
        };
        Ok(Text { this: this.clone(), data, length, capacity })
    }

    fn is_local(&self) -> bool {
        self.data.low() == self.this.low().wrapping_add(LOCAL)
    }

    pub(super) fn at(&self, position: u64) -> Value {
        offset_by(&self.data, position)
    }

    /// The characters, which must be defined.
    pub(super) fn bytes(&self, machine: &mut Machine<'_>) -> OrStop<Vec<u8>> {
        machine.bytes_at(&self.data, self.length)
    }

    pub(super) fn check(&self, machine: &Machine<'_>, position: u64, name: &str) -> OrStop {
        if position <= self.length { Ok(()) } else { Err(thrown(machine, name)) }
    }

    fn set_length(&self, machine: &mut Machine<'_>, length: u64) -> OrStop {
        machine.store_at(&offset_by(&self.this, LENGTH), &Value::int(64, length.into()))?;
        machine.store_at(&self.at(length), &Value::int(8, 0))
    }

    /// Moves the content to a block of at least `capacity`, and frees the old one.
    fn grow(&mut self, machine: &mut Machine<'_>, capacity: u64, kept: u64) -> OrStop {
        let (block, capacity) = new_block(machine, capacity, self.capacity)?;
        machine.copy_bytes(&block, &self.data, kept)?;
        self.dispose(machine)?;
        machine.store_at(&self.this, &block)?;
        machine.store_at(&offset_by(&self.this, LOCAL), &Value::int(64, capacity.into()))?;
        (self.data, self.capacity) = (block, capacity);
        Ok(())
    }

    fn dispose(&self, machine: &mut Machine<'_>) -> OrStop {
        if !self.is_local()
            && let Some(block) = machine.releasable(&self.data, Family::New, "operator delete")?
        {
            machine.release(block);
        }
        Ok(())
    }

    /// Puts `middle` in the place of `removed` characters at `position`.
    fn splice(&mut self, machine: &mut Machine<'_>, position: u64, removed: u64, middle: &Bytes) -> OrStop {
        let removed = removed.min(self.length - position);
        let tail = take(machine, &self.at(position + removed), self.length - position - removed)?;
        let length = (self.length - removed).saturating_add(middle.len() as u64);
        if length > LONGEST {
            return Err(thrown(machine, "basic_string"));
        }
        if length > self.capacity {
            self.grow(machine, length, position)?;
        }
        put(machine, &self.at(position), middle)?;
        put(machine, &self.at(position + middle.len() as u64), &tail)?;
        self.set_length(machine, length)
    }
}

/// Sets a string to plain characters.
pub(super) fn set_text(machine: &mut Machine<'_>, this: &Value, bytes: &[u8]) -> OrStop {
    let mut text = Text::load(machine, this)?;
    let length = text.length;
    text.splice(machine, 0, length, &Bytes::plain(bytes))
}

/// Makes a string of raw memory.
pub(super) fn new_text(machine: &mut Machine<'_>, this: &Value, bytes: &[u8]) -> OrStop {
    machine.store_at(this, &offset_by(this, LOCAL))?;
    machine.store_at(&offset_by(this, LENGTH), &Value::int(64, 0))?;
    machine.store_at(&offset_by(this, LOCAL), &Value::int(8, 0))?;
    set_text(machine, this, bytes)
}

fn take(machine: &Machine<'_>, from: &Value, len: u64) -> OrStop<Bytes> {
    if len == 0 {
        return Ok(Bytes::plain(&[]));
    }
    let (block, offset) = machine.locate(from, len, false)?;
    Ok(machine.memory.take(block, offset, len as usize))
}

fn put(machine: &mut Machine<'_>, to: &Value, bytes: &Bytes) -> OrStop {
    if bytes.len() == 0 {
        return Ok(());
    }
    let (block, offset) = machine.locate(to, bytes.len() as u64, true)?;
    machine.work(bytes.len() as u64)?;
    machine.memory.put(block, offset, bytes);
    Ok(())
}

/// Room for `wanted` characters and a zero; a string that outgrows its block gets at least twice the room.
fn new_block(machine: &mut Machine<'_>, wanted: u64, old: u64) -> OrStop<(Value, u64)> {
    if wanted > LONGEST {
        return Err(thrown(machine, "basic_string::_M_create"));
    }
    let capacity = {
        let twice = old.saturating_mul(2);
        if wanted > old && wanted < twice { twice.min(LONGEST) } else { wanted }
    };
    let block = machine.allocate_heap(Family::New, capacity + 1, 16, false);
    Ok((block.ok_or(Outcome::OutOfBudget(Budget::Memory))?, capacity))
}

fn create(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let wanted = machine.load_defined(&args.ptr(1), Type::Int(64))?.low();
    let old = machine.number(args, 2)?;
    let (block, capacity) = new_block(machine, wanted, old)?;
    machine.store_at(&args.ptr(1), &Value::int(64, capacity.into()))?;
    Ok(block.into())
}

/// `_M_construct(n, c)` on a string whose data pointer is local but whose content is raw.
fn construct(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (this, count) = (args.ptr(0), machine.number(args, 1)?);
    let data = machine.load_pointer(&this, 0)?;
    let mut text = Text { this, data, length: 0, capacity: LOCAL_CAPACITY };
    if count > LOCAL_CAPACITY {
        let (block, capacity) = new_block(machine, count, 0)?;
        machine.store_at(&text.this, &block)?;
        machine.store_at(&offset_by(&text.this, LOCAL), &Value::int(64, capacity.into()))?;
        text.data = block;
    }
    let byte = crate::int::truncate(&args.get(2), 8);
    put(machine, &text.at(0), &Bytes::filled(&byte, count as usize))?;
    text.set_length(machine, count)?;
    Ok(Answer::none())
}

fn assign(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    if args.ptr(0).low() != args.ptr(1).low() {
        let (mut text, other) = (Text::load(machine, &args.ptr(0))?, Text::load(machine, &args.ptr(1))?);
        let content = take(machine, &other.data, other.length)?;
        let length = text.length;
        text.splice(machine, 0, length, &content)?;
    }
    Ok(Answer::none())
}

/// `_M_mutate(pos, n, s, m)`: always a new block; the length is left to the caller.
fn mutate(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (position, removed, added) =
        (machine.number(args, 1)?, machine.number(args, 2)?, machine.number(args, 4)?);
    let mut text = Text::load(machine, &args.ptr(0))?;
    if position.checked_add(removed).is_none_or(|end| end > text.length) || added > LONGEST {
        return Err(thrown(machine, args.name));
    }
    let source = args.ptr(3);
    let middle = if source.low() == 0 { Bytes::plain(&[]) } else { take(machine, &source, added)? };
    let tail = take(machine, &text.at(position + removed), text.length - position - removed)?;
    text.grow(machine, text.length - removed + added, position)?;
    put(machine, &text.at(position), &middle)?;
    put(machine, &text.at(position + added), &tail)?;
    Ok(Answer::none())
}

fn append(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let middle = take(machine, &args.ptr(1), machine.number(args, 2)?)?;
    let mut text = Text::load(machine, &args.ptr(0))?;
    let end = text.length;
    text.splice(machine, end, 0, &middle)?;
    Ok(args.ptr(0).into())
}

fn replace(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (position, removed) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let middle = take(machine, &args.ptr(3), machine.number(args, 4)?)?;
    let mut text = Text::load(machine, &args.ptr(0))?;
    text.check(machine, position, args.name)?;
    text.splice(machine, position, removed, &middle)?;
    Ok(args.ptr(0).into())
}

fn replace_fill(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (position, removed, count) =
        (machine.number(args, 1)?, machine.number(args, 2)?, machine.number(args, 3)?);
    let mut text = Text::load(machine, &args.ptr(0))?;
    text.check(machine, position, args.name)?;
    let fill = filled(machine, &args.get(4), count)?;
    text.splice(machine, position, removed, &fill)?;
    Ok(args.ptr(0).into())
}

/// A character many times, but not more often than memory has room for.
fn filled(machine: &mut Machine<'_>, character: &Value, count: u64) -> OrStop<Bytes> {
    if count > machine.options.max_memory {
        return Err(Outcome::OutOfBudget(Budget::Memory).into());
    }
    machine.work(count)?;
    Ok(Bytes::filled(&crate::int::truncate(character, 8), count as usize))
}

fn erase(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (position, removed) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let mut text = Text::load(machine, &args.ptr(0))?;
    text.check(machine, position, args.name)?;
    text.splice(machine, position, removed, &Bytes::plain(&[]))?;
    Ok(Answer::none())
}

fn resize(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let length = machine.number(args, 1)?;
    let mut text = Text::load(machine, &args.ptr(0))?;
    if length <= text.length {
        text.set_length(machine, length)?;
        return Ok(Answer::none());
    }
    let fill = filled(machine, &args.get(2), length - text.length)?;
    let end = text.length;
    text.splice(machine, end, 0, &fill)?;
    Ok(Answer::none())
}

fn reserve(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let capacity = machine.number(args, 1)?;
    let mut text = Text::load(machine, &args.ptr(0))?;
    if capacity > text.capacity {
        let kept = text.length.saturating_add(1);
        text.grow(machine, capacity, kept)?;
    }
    Ok(Answer::none())
}

/// `reserve()`: gives back what is not needed.
fn shrink(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let mut text = Text::load(machine, &args.ptr(0))?;
    if text.is_local() || text.length == text.capacity {
        return Ok(Answer::none());
    }
    if text.length > LOCAL_CAPACITY {
        let (capacity, kept) = (text.length, text.length.saturating_add(1));
        text.grow(machine, capacity, kept)?;
        return Ok(Answer::none());
    }
    let content = take(machine, &text.data, text.length + 1)?;
    text.dispose(machine)?;
    let local = offset_by(&text.this, LOCAL);
    machine.store_at(&text.this, &local)?;
    put(machine, &local, &content)?;
    Ok(Answer::none())
}

/// The content moves; a local one is copied.
fn swap(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (a, b) = (args.ptr(0), args.ptr(1));
    if a.low() == b.low() {
        return Ok(Answer::none());
    }
    let (first, second) = (Text::load(machine, &a)?, Text::load(machine, &b)?);
    let parts = |machine: &Machine<'_>, text: &Text| -> OrStop<(Value, Bytes)> {
        Ok((text.data.clone(), take(machine, &offset_by(&text.this, LOCAL), LOCAL)?))
    };
    let (first_parts, second_parts) = (parts(machine, &first)?, parts(machine, &second)?);
    for (this, other, (data, rest)) in [(&a, &second, second_parts), (&b, &first, first_parts)] {
        let data = if other.is_local() { offset_by(this, LOCAL) } else { data };
        machine.store_at(this, &data)?;
        machine.store_at(&offset_by(this, LENGTH), &Value::int(64, other.length.into()))?;
        put(machine, &offset_by(this, LOCAL), &rest)?;
    }
    Ok(Answer::none())
}
