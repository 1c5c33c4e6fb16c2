//! What every model needs: its arguments, memory with checks, and results.

use catalog::Issue;
use ir::Type;

use super::Answer;
use crate::machine::{Machine, OrStop};
use crate::memory::AccessError;
use crate::value::{BlockRef, Value};
use crate::varargs::offset_by;

/// The arguments of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Args<'a> {
    /// The linker's name of the function that is called.
    pub(crate) name: &'a str,
    /// The arguments.
    pub(crate) values: &'a [Value],
}

impl Args<'_> {
    /// The `index`-th argument; null and undefined if the call has fewer.
    pub(crate) fn get(&self, index: usize) -> Value {
        self.values.get(index).cloned().unwrap_or_else(|| Value::undefined(Type::Int(64), 64))
    }

    /// The `index`-th argument as a pointer.
    pub(crate) fn ptr(&self, index: usize) -> Value {
        match self.values.get(index) {
            Some(value) if value.ty() == Type::Ptr => value.clone(),
            other => {
                let narrow = other.and_then(Value::as_narrow);
                narrow.map_or_else(
                    || Value::undefined(Type::Ptr, 64),
                    |it| Value::narrow(Type::Ptr, it.bits, it.undef, it.prov),
                )
            }
        }
    }
}

impl Machine<'_> {
    /// The `index`-th argument as an unsigned number; its bits matter, so they must be defined.
    pub(crate) fn number(&self, args: &Args<'_>, index: usize) -> OrStop<u64> {
        let value = args.get(index);
        self.require_defined(args, index, &value)?;
        Ok(value.low())
    }

    /// The `index`-th argument as a signed number of its own width.
    pub(crate) fn signed(&self, args: &Args<'_>, index: usize) -> OrStop<i64> {
        let value = args.get(index);
        self.require_defined(args, index, &value)?;
        Ok(value.as_i64())
    }

    /// The `index`-th argument as a C `int`, whatever wider type it came as.
    pub(crate) fn c_int(&self, args: &Args<'_>, index: usize) -> OrStop<i32> {
        let value = args.get(index);
        let low = crate::int::resize(&value, Type::Int(32), 32);
        self.require_defined(args, index, &low)?;
        Ok(value.low() as i32)
    }

    /// The `index`-th argument as a C string.
    pub(crate) fn string(&mut self, args: &Args<'_>, index: usize) -> OrStop<Vec<u8>> {
        self.string_at(&args.ptr(index))
    }

    pub(crate) fn require_defined(&self, args: &Args<'_>, index: usize, value: &Value) -> OrStop {
        if value.is_defined() || !self.is_watched() {
            return Ok(());
        }
        let message = format!("argument {} of `{}` was never written", index + 1, args.name);
        Err(self.bug(Issue::UninitRead, message, None))
    }

    /// The C string at a pointer.
    pub(crate) fn string_at(&mut self, pointer: &Value) -> OrStop<Vec<u8>> {
        self.string_up_to(pointer, u64::MAX)
    }

    /// The C string at a pointer, or its first `limit` bytes.
    pub(crate) fn string_up_to(&mut self, pointer: &Value, limit: u64) -> OrStop<Vec<u8>> {
        let text = self.memory.c_string_up_to(pointer, limit);
        let text = text.map_err(|error| self.string_error(error, pointer))?;
        self.work(text.len() as u64)?;
        Ok(text)
    }

    /// Bytes that the library looks at.
    pub(crate) fn bytes_at(&mut self, pointer: &Value, len: u64) -> OrStop<Vec<u8>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (block, offset) = self.locate(pointer, len, false)?;
        self.work(len)?;
        let bytes = self.memory.bytes(block, offset, len as usize);
        bytes.map(<[u8]>::to_vec).map_err(|error| self.bad_library_access(error, pointer, (len, "read")))
    }

    /// Writes bytes at a pointer.
    pub(crate) fn write_bytes_at(&mut self, pointer: &Value, bytes: &[u8]) -> OrStop {
        if bytes.is_empty() {
            return Ok(());
        }
        let (block, offset) = self.locate(pointer, bytes.len() as u64, true)?;
        self.memory.write_bytes(block, offset, bytes);
        Ok(())
    }

    /// Writes bytes and a final zero at a pointer.
    pub(crate) fn write_string_at(&mut self, pointer: &Value, bytes: &[u8]) -> OrStop {
        let mut terminated = bytes.to_vec();
        terminated.push(0);
        self.write_bytes_at(pointer, &terminated)
    }

    /// Writes a value at a pointer.
    pub(crate) fn store_at(&mut self, pointer: &Value, value: &Value) -> OrStop {
        let len = value.ty().store_bytes(self.memory.pointer_bytes());
        let (block, offset) = self.locate(pointer, len, true)?;
        self.memory.write(block, offset, value);
        Ok(())
    }

    /// Reads a value at a pointer, undefined bits included.
    pub(crate) fn load_at(&self, pointer: &Value, ty: Type) -> OrStop<Value> {
        let len = ty.store_bytes(self.memory.pointer_bytes());
        let (block, offset) = self.locate(pointer, len, false)?;
        Ok(self.memory.read(block, offset, ty))
    }

    /// Reads a value whose bits matter.
    pub(crate) fn load_defined(&self, pointer: &Value, ty: Type) -> OrStop<Value> {
        let value = self.load_at(pointer, ty)?;
        if value.is_defined() {
            return Ok(value);
        }
        let len = ty.store_bytes(self.memory.pointer_bytes());
        let (block, offset) = self.locate(pointer, len, false)?;
        match self.memory.bytes(block, offset, len as usize) {
            Ok(_) => Ok(value),
            Err(error) => Err(self.bad_library_access(error, pointer, (len, "read"))),
        }
    }

    /// Reads a pointer at so many bytes from a pointer.
    pub(crate) fn load_pointer(&self, pointer: &Value, offset: u64) -> OrStop<Value> {
        self.load_defined(&offset_by(pointer, offset), Type::Ptr)
    }

    /// Copies bytes with whatever they hold; the two may overlap.
    pub(crate) fn copy_bytes(&mut self, to: &Value, from: &Value, len: u64) -> OrStop {
        if len == 0 {
            return Ok(());
        }
        let (block, offset) = self.locate(from, len, false)?;
        let (to_block, to_offset) = self.locate(to, len, true)?;
        self.work(len)?;
        let bytes = self.memory.take(block, offset, len as usize);
        self.memory.put(to_block, to_offset, &bytes);
        Ok(())
    }

    /// The block and offset of bytes that a library function accesses.
    pub(crate) fn locate(&self, pointer: &Value, len: u64, write: bool) -> OrStop<(BlockRef, usize)> {
        let what = if write { "written" } else { "read" };
        self.memory
            .locate(pointer, len, write)
            .map_err(|error| self.bad_library_access(error, pointer, (len, what)))
    }

    /// The block that the library keeps under a name; it holds `content` at first.
    pub(crate) fn named_block(
        &mut self,
        name: &'static str,
        content: impl FnOnce() -> Vec<u8>,
    ) -> OrStop<BlockRef> {
        if let Some(known) = self.library.named.get(name) {
            return Ok(*known);
        }
        let content = content();
        let block = self.library_block(name, content.len() as u64)?;
        self.memory.write_bytes(block, 0, &content);
        self.library.named.insert(name, block);
        Ok(block)
    }

    /// The bits of a C `long`, `size_t` and the like.
    pub(crate) fn long_bits(&self) -> u32 {
        self.memory.pointer_bits()
    }

    /// A C `long` or `size_t` as a result.
    pub(crate) fn long(&self, value: u64) -> Answer {
        Value::int(self.long_bits(), value.into()).into()
    }

    fn string_error(&self, error: AccessError, pointer: &Value) -> crate::machine::Stop {
        // The byte that is missing stands behind the end of the block.
        let len = match error {
            AccessError::OutOfBounds(block) => {
                let entry = self.memory.block(block);
                entry.size.saturating_sub(entry.offset_of(pointer.low()) as u64) + 1
            }
            _ => 1,
        };
        self.bad_library_access(error, pointer, (len, "read"))
    }
}

/// A C `int` as a result.
pub(crate) fn int(value: i32) -> Answer {
    Value::signed(32, value.into()).into()
}
