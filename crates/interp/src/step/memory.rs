//! Instructions that touch memory.

use ir::{Access, Lifetime, Operand, Type, ValueId, VarId};

use super::Cx;
use crate::machine::{Machine, OrStop};
use crate::memory::{AccessError, BlockKind, NewBlock, Status};
use crate::options::VolatilePolicy;
use crate::report::{Budget, EventKind, Outcome};
use crate::value::{BlockRef, Value};

impl<'p> Machine<'p> {
    pub(super) fn alloca(
        &mut self,
        cx: Cx<'p>,
        result: ValueId,
        var: Option<VarId>,
        size: Operand,
        align: u32,
    ) -> OrStop {
        let bytes = self.get(cx, size);
        if !bytes.is_defined() && self.is_watched() {
            return Err(self.uninit_use(cx, size, "as the size of an array"));
        }
        let new = NewBlock {
            size: bytes.low(),
            align: u64::from(align).max(1).next_power_of_two(),
            kind: BlockKind::Stack { function: cx.function, var },
            made: self.site(),
            zeroed: false,
            writable: true,
        };
        let block = self.new_slot(new)?;
        let pointer = self.pointer_to(block, 0);
        self.set(cx, result, pointer);
        Ok(())
    }

    /// A new stack slot of the innermost frame.
    pub(crate) fn new_slot(&mut self, new: NewBlock) -> OrStop<BlockRef> {
        let block = self.memory.allocate(new).map_err(|_| Outcome::OutOfBudget(Budget::Memory))?;
        self.slots.push(block);
        Ok(block)
    }

    pub(super) fn lifetime(&mut self, cx: Cx<'p>, ptr: Operand, event: Lifetime) {
        let site = self.site();
        let Some(block) = self.get(cx, ptr).prov() else { return };
        let is_slot = matches!(self.memory.block(block).kind, BlockKind::Stack { .. });
        let is_gone = matches!(self.memory.block(block).status, Status::Returned(_));
        if !is_slot || is_gone {
            return;
        }
        match event {
            Lifetime::Start => self.memory.revive(block),
            Lifetime::End => self.memory.kill(block, Status::ScopeEnded(site)),
        }
    }

    /// The remembered height is the number of slots, dressed as a pointer.
    pub(super) fn stack_save(&mut self, cx: Cx<'p>, result: ValueId) {
        let height = Value::pointer(self.slots.len() as u64, None);
        self.set(cx, result, height);
    }

    pub(super) fn stack_restore(&mut self, cx: Cx<'p>, saved: Operand) {
        let height = self.get(cx, saved).low() as usize;
        let site = self.site();
        let mark = self.top().stack_mark;
        self.drop_slots(height.max(mark), |_| Status::ScopeEnded(site));
    }

    /// Ends the stack slots from `height` on.
    pub(crate) fn drop_slots(&mut self, height: usize, status: impl Fn(BlockRef) -> Status) {
        while self.slots.len() > height {
            if let Some(slot) = self.slots.pop() {
                self.memory.kill(slot, status(slot));
            }
        }
    }

    #[inline]
    pub(super) fn load(&mut self, cx: Cx<'p>, result: ValueId, ptr: Operand, access: Access) -> OrStop {
        let ty = cx.body.values[result].ty;
        let pointer = self.get(cx, ptr);
        let len = ty.store_bytes(self.memory.pointer_bytes());
        let is_aligned = is_aligned(pointer, access);
        let content = match self.locate_watched(pointer, len, false) {
            Ok((block, offset)) => self.memory.read(block, offset, ty),
            Err(error) => return Err(self.bad_access(cx, ptr, error, (len, "read"))),
        };
        let content = if access.volatile { self.volatile_read(content)? } else { content };
        self.set(cx, result, content);
        if !is_aligned {
            self.note(EventKind::Misaligned);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn store(&mut self, cx: Cx<'p>, ptr: Operand, value: Operand, access: Access) -> OrStop {
        let pointer = self.get(cx, ptr);
        let ty = self.get(cx, value).ty();
        let len = ty.store_bytes(self.memory.pointer_bytes());
        let is_aligned = is_aligned(pointer, access);
        match self.locate_watched(pointer, len, true) {
            Ok((block, offset)) => {
                let content = match value {
                    Operand::Value(value) => &self.registers[cx.base + base::Id::index(value)],
                    Operand::Const(constant) => &cx.consts[base::Id::index(constant)],
                };
                self.memory.write(block, offset, content);
            }
            Err(error) => return Err(self.bad_access(cx, ptr, error, (len, "written"))),
        }
        if !is_aligned {
            self.note(EventKind::Misaligned);
        }
        Ok(())
    }

    pub(super) fn mem_copy(&mut self, cx: Cx<'p>, [dst, src, len]: [Operand; 3], overlap: bool) -> OrStop {
        let n_bytes = self.length(cx, len)?;
        if n_bytes == 0 {
            return Ok(());
        }
        let (to, from) = (self.get(cx, dst).clone(), self.get(cx, src).clone());
        let (block, offset) = match self.locate_watched(&from, n_bytes, false) {
            Ok(found) => found,
            Err(error) => return Err(self.bad_access(cx, src, error, (n_bytes, "read"))),
        };
        let (to_block, to_offset) = match self.locate_watched(&to, n_bytes, true) {
            Ok(found) => found,
            Err(error) => return Err(self.bad_access(cx, dst, error, (n_bytes, "written"))),
        };
        let is_same = block == to_block && offset == to_offset;
        let touches = block == to_block && offset.abs_diff(to_offset) < n_bytes as usize;
        // Copying a struct onto itself is what compilers do for `*p = *p`; everybody allows it.
        if touches && !overlap && !is_same {
            self.note(EventKind::Overlap);
        }
        self.work(n_bytes)?;
        let bytes = self.memory.take(block, offset, n_bytes as usize);
        self.memory.put(to_block, to_offset, &bytes);
        Ok(())
    }

    pub(super) fn mem_set(&mut self, cx: Cx<'p>, [dst, byte, len]: [Operand; 3]) -> OrStop {
        let n_bytes = self.length(cx, len)?;
        if n_bytes == 0 {
            return Ok(());
        }
        let byte = self.get(cx, byte).clone();
        match self.locate_watched(self.get(cx, dst), n_bytes, true) {
            Ok((block, offset)) => {
                self.work(n_bytes)?;
                self.memory.fill(block, offset, n_bytes as usize, &byte);
                Ok(())
            }
            Err(error) => Err(self.bad_access(cx, dst, error, (n_bytes, "written"))),
        }
    }

    /// Where a pointer points. Undefined bits of it are an error only where they are watched.
    fn locate_watched(
        &self,
        pointer: &Value,
        len: u64,
        is_write: bool,
    ) -> Result<(BlockRef, usize), AccessError> {
        match self.memory.locate(pointer, len, is_write) {
            Err(AccessError::Undefined) if !self.is_watched() => {
                self.memory.locate(&pointer.frozen(), len, is_write)
            }
            located => located,
        }
    }

    fn length(&mut self, cx: Cx<'p>, len: Operand) -> OrStop<u64> {
        let value = self.get(cx, len);
        match value.is_defined() || !self.is_watched() {
            true => Ok(value.low()),
            false => Err(self.uninit_use(cx, len, "as a length")),
        }
    }

    fn volatile_read(&mut self, content: Value) -> OrStop<Value> {
        match self.options.volatile {
            VolatilePolicy::Memory => Ok(content),
            VolatilePolicy::Seeded if content.ty() == Type::Ptr => Ok(content),
            VolatilePolicy::Seeded => self.fresh(content.ty()),
        }
    }
}

#[inline]
fn is_aligned(pointer: &Value, access: Access) -> bool {
    access.align <= 1 || pointer.low() & u64::from(access.align - 1) == 0
}
