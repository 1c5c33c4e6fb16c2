//! Running one function from a concrete state: what the theorem tests need.
//!
//! Judgment: a triple `[p] f [ε: q]` promises a run of `f` from every state in `q` that starts in some state
//! of `p`. A test draws a state of `p` from a model, builds it here as a [`PreState`], lets the environment
//! behave as the path says ([`Script`]), runs `f`, and compares how the run ended and what memory holds then.
//!
//! Addresses are known before anything is built: the `n`-th block of a state lies at [`block_address`], the
//! `n`-th allocation of the run at [`allocation_address`], whatever their sizes. So a solver may be asked for
//! a model with these very addresses. Only machines with 64-bit pointers have room for that.

use ir::Type;

use crate::machine::Machine;
use crate::memory::{BlockKind, Family, NewBlock, Roots, Site, Status};
use crate::options::Options;
use crate::program::{FnRef, GlobalRef, Program};
use crate::report::{Bug, Event, Outcome};
use crate::script::Playing;
pub use crate::script::{Concrete, Script};
use crate::value::{BlockRef, Value};

/// The distance of two blocks. Blocks of half of it or more are not made.
pub const STRIDE: u64 = 1 << 24;

/// Blocks of the state lie from here on, in the middle of where the heap is.
const STATE: u64 = 0x6100_0000_0000;

/// Allocations of the run lie from here on.
const ALLOCATIONS: u64 = 0x6800_0000_0000;

/// The address of the `index`-th block of a state.
pub fn block_address(index: usize) -> u64 {
    STATE + index as u64 * STRIDE
}

/// The address of what the `number`-th allocation of a run returns unless it fails.
pub fn allocation_address(number: usize) -> u64 {
    ALLOCATIONS + number as u64 * STRIDE
}

/// Memory and arguments before the call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreState {
    /// The blocks that exist besides globals.
    pub blocks: Vec<PreBlock>,
    /// What globals hold instead of their initializers.
    pub globals: Vec<(GlobalRef, Vec<Cell>)>,
    /// The arguments of the call.
    pub args: Vec<Concrete>,
}

/// A block of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreBlock {
    /// Its bytes; fewer than half of [`STRIDE`].
    pub size: u64,
    /// What it is.
    pub kind: PreKind,
    /// What it holds, later cells over earlier ones. A freed block holds nothing.
    pub cells: Vec<Cell>,
    /// What its other bytes hold.
    pub fill: Fill,
}

/// What a block of a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PreKind {
    /// A heap block that the function may free.
    Heap(Family),
    /// A heap block that was freed before the call.
    Freed(Family),
    /// Memory of the caller that must not be freed: a local variable, a part of something larger.
    Caller,
    /// Memory that unknown code hands out.
    Unknown,
}

/// Bytes of a block that no cell covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Are defined and come from the seed.
    Seeded,
    /// Are all this one.
    Byte(u8),
    /// Were never written.
    Undefined,
}

/// A value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Bytes from the start of the block.
    pub offset: u64,
    /// Its bytes, at most 16.
    pub bytes: u32,
    /// The value.
    pub value: Concrete,
}

/// A block that can be looked at after a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// A block of the state.
    State(usize),
    /// A global variable.
    Global(GlobalRef),
    /// What the n-th allocation of the run returned, counted from 0.
    Allocation(usize),
}

/// Why a state cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A block is too large, or all of them together are.
    Size(usize),
    /// A cell lies outside of its block, or its width is none.
    Cell(Where),
    /// The machine's pointers are no 64-bit ones.
    Pointers,
}

/// A run that is over, with the memory it left.
#[derive(Debug)]
pub struct Replayed<'p> {
    /// How it ended.
    pub outcome: Outcome,
    /// After a return: heap blocks allocated by the run that neither results, nor the state's blocks, nor globals reach.
    pub leaks: Vec<Bug>,
    /// Operations that C leaves undefined and that stop no machine.
    pub undefined: Vec<Event>,
    /// What was not modeled exactly.
    pub notes: Vec<Event>,
    /// Allocations that the run asked for.
    pub n_allocations: usize,
    /// Results of unknown code that the run asked for.
    pub n_results: usize,
    /// Allocations that should have succeeded and had no room: the run is not the one that was scripted.
    pub n_refused: usize,
    machine: Machine<'p>,
}

/// The address of a global variable, the same in every run.
pub fn global_address(program: &Program<'_>, global: GlobalRef) -> u64 {
    let image = program.image();
    image.memory.block(image.globals[global]).address
}

/// The address of a function, the same in every run.
pub fn function_address(program: &Program<'_>, function: FnRef) -> u64 {
    let image = program.image();
    image.memory.block(image.functions[function]).address
}

/// Builds a state, calls a function in it, and runs to the end.
pub fn replay<'p>(
    program: &'p Program<'p>,
    function: FnRef,
    state: &PreState,
    script: Script,
    options: Options,
) -> Result<Replayed<'p>, Unfit> {
    let mut machine = prepare(program, state, script, options)?;
    let params = &program.functions()[function].function.signature.params;
    let typed = state.args.iter().zip(params);
    let args: Vec<Value> = typed.map(|(arg, ty)| machine.value_of(*arg, *ty)).collect();
    let outcome = machine.call(function, &args);
    Ok(finish(machine, outcome))
}

/// A machine in the state, before the call.
fn prepare<'p>(
    program: &'p Program<'p>,
    state: &PreState,
    script: Script,
    options: Options,
) -> Result<Machine<'p>, Unfit> {
    let mut machine = Machine::new(program, options);
    if machine.memory.pointer_bytes() != 8 {
        return Err(Unfit::Pointers);
    }
    let mut blocks = Vec::new();
    for (index, block) in state.blocks.iter().enumerate() {
        blocks.push(machine.state_block(index, block).ok_or(Unfit::Size(index))?);
    }
    machine.playing = Some(Playing::new(script, blocks.clone()));
    // Cells come after all blocks, since they may point at any of them.
    for (index, block) in state.blocks.iter().enumerate() {
        let is_freed = matches!(block.kind, PreKind::Freed(_));
        let cells: &[Cell] = if is_freed { &[] } else { &block.cells };
        machine.write_cells(blocks[index], cells).ok_or(Unfit::Cell(Where::State(index)))?;
        if is_freed {
            machine.memory.kill(blocks[index], Status::Freed(Site::NONE));
        }
    }
    for (global, cells) in &state.globals {
        let block = program.image().globals[*global];
        machine.write_cells(block, cells).ok_or(Unfit::Cell(Where::Global(*global)))?;
    }
    Ok(machine)
}

fn finish<'p>(machine: Machine<'p>, outcome: Outcome) -> Replayed<'p> {
    let leaks = match &outcome {
        Outcome::Returned(results) => machine.leaks_at_return(results),
        _ => Vec::new(),
    };
    let playing = machine.playing.as_ref();
    Replayed {
        leaks,
        undefined: machine.undefined(),
        notes: machine.notes(),
        n_allocations: playing.map_or(0, |playing| playing.allocated.len()),
        n_results: playing.map_or(0, |playing| playing.n_results),
        n_refused: playing.map_or(0, |playing| playing.n_refused),
        outcome,
        machine,
    }
}

impl Replayed<'_> {
    /// Reads `bytes` bytes as a number; none if the block does not live or is shorter.
    pub fn read(&self, place: Where, offset: u64, bytes: u32) -> Option<Value> {
        let block = self.block(place)?;
        let entry = self.machine.memory.block(block);
        let end = offset.checked_add(bytes.into())?;
        let fits = entry.is_alive() && end <= entry.size;
        fits.then(|| self.machine.memory.read(block, offset as usize, Type::Int(bytes * 8)))
    }

    /// Whether a block was freed.
    pub fn is_freed(&self, place: Where) -> bool {
        let status = self.block(place).map(|block| self.machine.memory.block(block).status);
        matches!(status, Some(Status::Freed(_)))
    }

    /// The bytes of a block; none if there is no such block.
    pub fn size(&self, place: Where) -> Option<u64> {
        Some(self.machine.memory.block(self.block(place)?).size)
    }

    /// However the run ended: heap blocks that it made, and that neither the state's blocks, nor globals, nor local variables in memory reach.
    pub fn lost(&self) -> Vec<Bug> {
        self.machine.leaks_at_return(&[])
    }

    /// The machine after the run.
    pub fn machine(&self) -> &Machine<'_> {
        &self.machine
    }

    fn block(&self, place: Where) -> Option<BlockRef> {
        let playing = self.machine.playing.as_ref()?;
        match place {
            Where::State(index) => playing.blocks.get(index).copied(),
            Where::Global(global) => Some(self.machine.program.image().globals[global]),
            Where::Allocation(number) => playing.allocated.get(number).copied().flatten(),
        }
    }
}

impl Machine<'_> {
    /// Makes a block of the state, alive for now.
    fn state_block(&mut self, index: usize, block: &PreBlock) -> Option<BlockRef> {
        let kind = match block.kind {
            // Nobody's calls are around the allocation.
            PreKind::Heap(family) | PreKind::Freed(family) => BlockKind::Heap { family, callers: u32::MAX },
            PreKind::Caller => BlockKind::Given,
            PreKind::Unknown => BlockKind::Unknown,
        };
        let size = block.size;
        let new = NewBlock { size, align: 16, kind, made: Site::NONE, zeroed: false, writable: true };
        let made = self.place_at(block_address(index), new)?;
        match block.fill {
            Fill::Undefined => {}
            Fill::Byte(byte) => self.memory.write_bytes(made, 0, &vec![byte; size as usize]),
            Fill::Seeded => {
                let random = &mut self.random;
                let bytes: Vec<u8> = (0..size).map(|_| random.byte()).collect();
                self.memory.write_bytes(made, 0, &bytes);
            }
        }
        Some(made)
    }

    fn write_cells(&mut self, block: BlockRef, cells: &[Cell]) -> Option<()> {
        let size = self.memory.block(block).size;
        for cell in cells {
            let end = cell.offset.checked_add(cell.bytes.into())?;
            if end > size || !(1..=16).contains(&cell.bytes) {
                return None;
            }
            let value = self.value_of(cell.value, Type::Int(cell.bytes * 8));
            self.memory.write(block, cell.offset as usize, &value);
        }
        Some(())
    }

    /// Heap blocks that the run made and nothing of the caller reaches.
    fn leaks_at_return(&self, results: &[Value]) -> Vec<Bug> {
        let Some(playing) = &self.playing else { return Vec::new() };
        let mut roots = Roots { values: results.to_vec() };
        roots.values.extend(playing.blocks.iter().map(|block| self.pointer_to(*block, 0)));
        roots.values.extend(self.library.values());
        self.memory.unreachable_heap(&roots).into_iter().map(|block| self.leak(block)).collect()
    }
}
