//! The heap: `malloc` and its relatives.

use base::limits;
use catalog::Issue;
use ir::Type;

use super::args::{Args, int};
use super::{Answer, Models, Reply, errno};
use crate::machine::{Machine, OrStop};
use crate::memory::{BlockKind, Family, NewBlock, Status};
use crate::options::AllocPolicy;
use crate::report::{BlockInfo, FailedAllocation};
use crate::value::{BlockRef, Value};

pub(crate) const MODELS: Models = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("posix_memalign", posix_memalign),
    ("valloc", valloc),
    ("strdup", strdup),
    ("__strdup", strdup),
    ("strndup", strndup),
    ("__strndup", strndup),
    ("malloc_usable_size", malloc_usable_size),
];

fn malloc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let size = machine.number(args, 0)?;
    Ok(machine.try_allocate(size, 16, false)?.into())
}

fn calloc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (count, size) = (machine.number(args, 0)?, machine.number(args, 1)?);
    // A product that does not fit is more than there is.
    Ok(machine.try_allocate(count.saturating_mul(size), 16, true)?.into())
}

fn realloc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let size = machine.number(args, 1)?;
    reallocate(machine, &args.ptr(0), size)
}

fn reallocarray(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (count, size) = (machine.number(args, 1)?, machine.number(args, 2)?);
    reallocate(machine, &args.ptr(0), count.saturating_mul(size))
}

/// The block always moves, so that a stale pointer to the old one is found out.
fn reallocate(machine: &mut Machine<'_>, old: &Value, size: u64) -> Reply {
    if old.is_defined() && old.low() == 0 {
        return Ok(machine.try_allocate(size, 16, false)?.into());
    }
    let Some(block) = machine.releasable(old, Family::Malloc, "realloc")? else {
        return Ok(Value::null().into());
    };
    if size == 0 {
        // glibc frees the block and returns null.
        machine.release(block);
        return Ok(Value::null().into());
    }
    let new = machine.try_allocate(size, 16, false)?;
    if new.low() != 0 {
        let kept = machine.memory.block(block).size.min(size);
        machine.copy_bytes(&new, old, kept)?;
        machine.release(block);
    }
    Ok(new.into())
}

fn free(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    if let Some(block) = machine.releasable(&args.ptr(0), Family::Malloc, "free")? {
        machine.release(block);
    }
    Ok(Answer::none())
}

fn aligned_alloc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (align, size) = (machine.number(args, 0)?, machine.number(args, 1)?);
    if !align.is_power_of_two() {
        machine.set_errno(errno::EINVAL)?;
        return Ok(Value::null().into());
    }
    Ok(machine.try_allocate(size, align, false)?.into())
}

fn posix_memalign(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (align, size) = (machine.number(args, 1)?, machine.number(args, 2)?);
    if !align.is_power_of_two() || align < Type::Ptr.store_bytes(machine.memory.pointer_bytes()) {
        return Ok(int(errno::EINVAL));
    }
    let pointer = machine.try_allocate(size, align, false)?;
    if pointer.low() == 0 {
        return Ok(int(errno::ENOMEM));
    }
    machine.store_at(&args.ptr(0), &pointer)?;
    Ok(int(0))
}

fn valloc(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let size = machine.number(args, 0)?;
    Ok(machine.try_allocate(size, 4096, false)?.into())
}

fn strdup(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = machine.string(args, 0)?;
    Ok(machine.heap_string(&text)?.into())
}

fn strndup(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let limit = machine.number(args, 1)?;
    let text = machine.string_up_to(&args.ptr(0), limit)?;
    Ok(machine.heap_string(&text)?.into())
}

fn malloc_usable_size(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let pointer = args.ptr(0);
    if pointer.is_defined() && pointer.low() == 0 {
        return Ok(machine.long(0));
    }
    let (block, _) = machine.locate(&pointer, 0, false)?;
    Ok(machine.long(machine.memory.block(block).size))
}

impl Machine<'_> {
    /// A heap block of the `malloc` family, or null if the policy or the budget says so.
    pub(crate) fn try_allocate(&mut self, size: u64, align: u64, zeroed: bool) -> OrStop<Value> {
        self.library.allocations += 1;
        let refused = match self.options.alloc {
            AllocPolicy::Never => false,
            AllocPolicy::Nth(n) => self.library.allocations == n,
            AllocPolicy::Seeded { one_in, .. } => {
                let number = self.library.alloc_random.next();
                number.checked_rem(one_in) == Some(0)
            }
        };
        let pointer = if self.playing.is_some() {
            self.scripted_allocation(size, align, zeroed)
        } else if refused {
            None
        } else {
            self.allocate_heap(Family::Malloc, size, align, zeroed)
        };
        if pointer.is_none() {
            self.remember_failure();
            self.set_errno(errno::ENOMEM)?;
        }
        Ok(pointer.unwrap_or_else(Value::null))
    }

    /// Remembers where an allocation failed, for the first few.
    fn remember_failure(&mut self) {
        if self.library.failed_allocations.len() < limits::INTERP_FAILURES {
            let (place, callers, n_blocks) = (self.place(), self.callers(), self.memory.block_count());
            self.library.failed_allocations.push(FailedAllocation { place, callers, n_blocks });
        }
    }

    /// A heap block, or none if memory is full.
    pub(crate) fn allocate_heap(
        &mut self,
        family: Family,
        size: u64,
        align: u64,
        zeroed: bool,
    ) -> Option<Value> {
        let callers = self.call_stack_id();
        let kind = BlockKind::Heap { family, callers };
        let new = NewBlock { size, align, kind, made: self.site(), zeroed, writable: true };
        let block = self.memory.allocate(new).ok()?;
        Some(self.pointer_to(block, 0))
    }

    /// A heap block that holds a string, or null.
    pub(crate) fn heap_string(&mut self, text: &[u8]) -> OrStop<Value> {
        let pointer = self.try_allocate(text.len() as u64 + 1, 16, false)?;
        if pointer.low() != 0 {
            self.write_string_at(&pointer, text)?;
        }
        Ok(pointer)
    }

    /// The block that a pointer given to a deallocator stands for; none for null. Everything else is an error.
    pub(crate) fn releasable(&self, pointer: &Value, family: Family, by: &str) -> OrStop<Option<BlockRef>> {
        if !pointer.is_defined() {
            let message = format!("a pointer that was never written is given to `{by}`");
            return Err(self.bug(Issue::UninitRead, message, None));
        }
        let address = pointer.low();
        if address == 0 {
            return Ok(None);
        }
        let block = pointer.prov().or_else(|| self.memory.find(address));
        let Some(block) = block else {
            let message = format!("`{by}` is given the address {address:#x}, where no object is");
            return Err(self.bug(Issue::InvalidFree, message, None));
        };
        match self.release_error(block, address, family, by) {
            None => Ok(Some(block)),
            Some((issue, message)) => Err(self.bug(issue, message, Some((block, address)))),
        }
    }

    /// Ends the life of a heap block at the present place.
    pub(crate) fn release(&mut self, block: BlockRef) {
        let (site, callers) = (self.site(), self.call_stack_id());
        self.library.free_stacks.insert(block, callers);
        self.memory.kill(block, Status::Freed(site));
    }

    /// Why a block must not be given to a deallocator at this address.
    fn release_error(
        &self,
        block: BlockRef,
        address: u64,
        family: Family,
        by: &str,
    ) -> Option<(Issue, String)> {
        let entry = self.memory.block(block);
        let BlockInfo { what, size, offset, .. } = self.block_info(block, address);
        match entry.kind {
            BlockKind::Heap { .. } | BlockKind::Unknown if offset != 0 => {
                let message =
                    format!("`{by}` is given an address {offset} bytes into a {what} of {size} bytes");
                Some((Issue::InvalidFree, message))
            }
            BlockKind::Heap { .. } | BlockKind::Unknown if !entry.is_alive() => {
                Some((Issue::DoubleFree, format!("`{by}` is given a {what} that was freed before")))
            }
            BlockKind::Heap { family: own, .. } if own != family => {
                let right = own.deallocator();
                Some((Issue::InvalidFree, format!("`{by}` is given a {what}, which `{right}` should free")))
            }
            BlockKind::Heap { .. } | BlockKind::Unknown => None,
            _ => Some((Issue::InvalidFree, format!("`{by}` is given {what}, which is not on the heap"))),
        }
    }

    /// The number under which the present calls are kept, for reports about the block.
    pub(crate) fn call_stack_id(&mut self) -> u32 {
        let sites = self.caller_sites().into_boxed_slice();
        if let Some(known) = self.call_stack_ids.get(&sites) {
            return *known;
        }
        let id = self.call_stacks.len() as u32;
        self.call_stacks.push(sites.clone());
        self.call_stack_ids.insert(sites, id);
        id
    }
}
