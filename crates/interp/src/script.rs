//! What a run is told to meet: the outcome of each allocation and the results of unknown code, in order of
//! execution.
//!
//! The two lists are separate: the same program, state and lists make the same run, so their interleaving
//! needs no telling. What a run asks beyond the lists comes from the seed, and is counted.

use ir::Type;
use smallvec::SmallVec;

use crate::machine::{Machine, OrStop};
use crate::memory::{BlockKind, Family, NewBlock};
use crate::program::GlobalRef;
use crate::replay::{STRIDE, allocation_address};
use crate::step::reinterpret;
use crate::value::{BlockRef, Value, width_of};

/// A concrete value that a state or a script contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concrete {
    /// A number of the type's width. As a pointer it is an address, and belongs to the block that lies there.
    Int(u128),
    /// So many bytes from the start of a block of the state.
    Block {
        /// Its position among the blocks of the state.
        index: usize,
        /// Bytes; may lead out of the block.
        offset: i64,
    },
    /// So many bytes from the start of a global variable.
    Global {
        /// The variable.
        global: GlobalRef,
        /// Bytes; may lead out of it.
        offset: i64,
    },
    /// Whatever the seed gives.
    Any,
}

/// What the environment does during a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// Whether each allocation of the `malloc` family succeeds.
    pub allocations: Vec<bool>,
    /// The results of unknown functions and of unmodeled effects.
    pub results: Vec<Concrete>,
}

/// How far a run is in its script.
#[derive(Clone, Debug)]
pub(crate) struct Playing {
    pub(crate) script: Script,
    /// The blocks of the state.
    pub(crate) blocks: Vec<BlockRef>,
    /// The block of each allocation asked for so far; none for those that failed.
    pub(crate) allocated: Vec<Option<BlockRef>>,
    /// The results asked for so far.
    pub(crate) n_results: usize,
    /// Allocations that should have succeeded and had no room.
    pub(crate) n_refused: usize,
}

impl Playing {
    pub(crate) fn new(script: Script, blocks: Vec<BlockRef>) -> Playing {
        Playing { script, blocks, allocated: Vec::new(), n_results: 0, n_refused: 0 }
    }
}

impl Machine<'_> {
    /// A heap block as the script says; none if it fails or has no room.
    pub(crate) fn scripted_allocation(&mut self, size: u64, align: u64, zeroed: bool) -> Option<Value> {
        let playing = self.playing.as_ref()?;
        let number = playing.allocated.len();
        let succeeds = playing.script.allocations.get(number).copied().unwrap_or(true);
        let kind = BlockKind::Heap { family: Family::Malloc, callers: self.call_stack_id() };
        let new = NewBlock { size, align, kind, made: self.site(), zeroed, writable: true };
        let address = allocation_address(number);
        let block = if succeeds { self.place_at(address, new) } else { None };
        let playing = self.playing.as_mut()?;
        playing.n_refused += usize::from(succeeds && block.is_none());
        playing.allocated.push(block);
        block.map(|block| self.pointer_to(block, 0))
    }

    /// A block at an address; none if it is larger than the distance between such addresses, or memory is full.
    pub(crate) fn place_at(&mut self, address: u64, new: NewBlock) -> Option<BlockRef> {
        if new.size >= STRIDE / 2 || !address.is_multiple_of(new.align.max(1)) {
            return None;
        }
        self.memory.skip_to(&new.kind, address)?;
        let block = self.memory.allocate(new).ok()?;
        (self.memory.block(block).address == address).then_some(block)
    }

    /// The result of unknown code: the script's next one, or one from the seed.
    pub(crate) fn chosen(&mut self, ty: Type) -> OrStop<Value> {
        let Some(playing) = &mut self.playing else { return self.fresh(ty) };
        let scripted = playing.script.results.get(playing.n_results).copied();
        playing.n_results += 1;
        match scripted {
            None | Some(Concrete::Any) => self.fresh(ty),
            Some(concrete) => Ok(self.value_of(concrete, ty)),
        }
    }

    /// A concrete value as one of a type. [`Concrete::Any`] is zero here.
    pub(crate) fn value_of(&self, concrete: Concrete, ty: Type) -> Value {
        let bits = self.memory.pointer_bits();
        let block_at = |block: BlockRef, offset: i64| {
            let address = self.memory.block(block).address.wrapping_add_signed(offset);
            Value::pointer(address, Some(block))
        };
        let value = match concrete {
            Concrete::Any => Value::int(bits, 0),
            Concrete::Block { index, offset } => {
                let blocks = self.playing.as_ref().map(|playing| &playing.blocks);
                match blocks.and_then(|blocks| blocks.get(index)) {
                    Some(block) => block_at(*block, offset),
                    None => Value::null(),
                }
            }
            Concrete::Global { global, offset } => block_at(self.program.image().globals[global], offset),
            Concrete::Int(number) => {
                let value = Value::int(width_of(ty, bits), number);
                // An address in a field of any type keeps its block, as it does when a program copies it.
                let is_address = value.as_narrow().is_some() && width_of(ty, bits) == bits;
                let block = if is_address { self.memory.find(value.low()) } else { None };
                value.with_prov(block)
            }
        };
        reinterpret(&value, ty, bits)
    }

    /// The results of an unknown call.
    pub(crate) fn chosen_results(&mut self, results: &[Type]) -> OrStop<SmallVec<[Value; 2]>> {
        results.iter().map(|ty| self.chosen(*ty)).collect()
    }
}
