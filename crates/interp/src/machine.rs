//! The machine: all state of an execution, and the ways to set it up and to look at it.
//!
//! Frames are explicit, so recursion of the program needs no recursion here; only library functions that call
//! back (`qsort`, `atexit` handlers) nest the loop, at most [`INTERP_NESTING`](base::limits::INTERP_NESTING)
//! deep.

use std::collections::BTreeSet;

use ir::{BlockId, Type};
use rustc_hash::FxHashMap;

use crate::events::Events;
use crate::frame::Frame;
use crate::libc::Library;
use crate::memory::{AccessError, BlockKind, Memory, NewBlock, Site};
use crate::options::{Options, UndefinedPolicy};
use crate::program::{FnRef, Program};
use crate::random::Random;
use crate::report::{Budget, Event, Outcome, Spot, UnknownCall};
use crate::script::Playing;
use crate::value::{BlockRef, Value};

/// An execution of a program.
#[derive(Debug)]
pub struct Machine<'p> {
    pub(crate) program: &'p Program<'p>,
    pub(crate) options: Options,
    pub(crate) memory: Memory,
    pub(crate) frames: Vec<Frame<'p>>,
    /// The values of all frames. Those above the innermost frame are left over from earlier calls.
    pub(crate) registers: Vec<Value>,
    /// The stack slots of all frames, oldest first.
    pub(crate) slots: Vec<BlockRef>,
    pub(crate) steps: u64,
    pub(crate) nesting: usize,
    /// The number of frames below the innermost loop.
    pub(crate) floor: usize,
    pub(crate) next_serial: u64,
    pub(crate) random: Random,
    pub(crate) events: Events,
    pub(crate) library: Library,
    /// The calls around allocations, each list once.
    pub(crate) call_stacks: Vec<Box<[Site]>>,
    pub(crate) call_stack_ids: FxHashMap<Box<[Site]>, u32>,
    /// What the environment does, if a script says so.
    pub(crate) playing: Option<Playing>,
    /// The ways that control took: function, block, position of the target. Kept only if the options ask for it.
    pub(crate) taken: BTreeSet<(FnRef, BlockId, usize)>,
}

/// Why execution does not go on.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    /// It is over.
    Outcome(Box<Outcome>),
    /// `exit` was called: what was registered with `atexit` comes next.
    Exit(i32),
}

impl From<Outcome> for Stop {
    fn from(outcome: Outcome) -> Stop {
        Stop::Outcome(Box::new(outcome))
    }
}

/// The result of anything that may end the execution.
pub(crate) type OrStop<T = ()> = Result<T, Stop>;

impl<'p> Machine<'p> {
    /// A machine before its first instruction.
    pub fn new(program: &'p Program<'p>, options: Options) -> Machine<'p> {
        let mut memory = program.image().memory.clone();
        memory.set_budget(options.max_memory);
        match &options.undefined {
            UndefinedPolicy::Tracked => {}
            UndefinedPolicy::Chosen(seed) => memory.choose_leftovers(*seed, true),
            UndefinedPolicy::Watched { seed, .. } => memory.choose_leftovers(*seed, false),
        }
        let mut machine = Machine {
            program,
            random: Random::new(options.seed),
            library: Library::new(&options),
            options,
            memory,
            frames: Vec::new(),
            registers: Vec::new(),
            slots: Vec::new(),
            steps: 0,
            nesting: 0,
            floor: 0,
            next_serial: 0,
            events: Events::default(),
            call_stacks: Vec::new(),
            call_stack_ids: FxHashMap::default(),
            playing: None,
            taken: BTreeSet::new(),
        };
        machine.set_up_library();
        machine
    }

    /// Calls a function and runs until it returns. Constructors of globals are not run; [`run_main`](crate::run_main) does that.
    pub fn call(&mut self, function: FnRef, args: &[Value]) -> Outcome {
        match self.call_inside(function, args) {
            Ok(values) => Outcome::Returned(values),
            Err(Stop::Exit(status)) => Outcome::Exited(status),
            Err(Stop::Outcome(outcome)) => *outcome,
        }
    }

    /// A new block for a state to start in, of unspecified content; none if memory is full.
    pub fn allocate(&mut self, size: u64, align: u64) -> Option<Value> {
        self.allocate_as(BlockKind::Given, size, align)
    }

    /// A new block of any kind, e.g. a heap block that the program may free; none if memory is full.
    pub fn allocate_as(&mut self, kind: BlockKind, size: u64, align: u64) -> Option<Value> {
        let new = NewBlock { size, align, kind, made: Site::NONE, zeroed: false, writable: true };
        let block = self.memory.allocate(new).ok()?;
        Some(self.pointer_to(block, 0))
    }

    /// Writes a value at a pointer.
    pub fn write(&mut self, pointer: &Value, value: &Value) -> Result<(), AccessError> {
        let len = value.ty().store_bytes(self.memory.pointer_bytes());
        let (block, offset) = self.memory.locate(pointer, len, true)?;
        self.memory.write(block, offset, value);
        Ok(())
    }

    /// Reads a value at a pointer.
    pub fn read(&self, pointer: &Value, ty: Type) -> Result<Value, AccessError> {
        let len = ty.store_bytes(self.memory.pointer_bytes());
        let (block, offset) = self.memory.locate(pointer, len, false)?;
        Ok(self.memory.read(block, offset, ty))
    }

    /// The address of the global variable of that linker name.
    pub fn global(&self, name: &str) -> Option<Value> {
        let global = self.program.global(name)?;
        Some(self.pointer_to(self.program.image().globals[global], 0))
    }

    /// The address of a function.
    pub fn function_address(&self, function: FnRef) -> Value {
        self.pointer_to(self.program.image().functions[function], 0)
    }

    /// Memory, to look at.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Memory, to change between calls.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// What was written to the standard output so far.
    pub fn stdout(&self) -> &[u8] {
        self.library.stdout()
    }

    /// What was written to the standard error stream so far.
    pub fn stderr(&self) -> &[u8] {
        self.library.stderr()
    }

    /// The ways between blocks that control took so far: function, block, position of the target in its terminator. Nothing if the options do not ask for it.
    pub fn taken(&self) -> &BTreeSet<(FnRef, BlockId, usize)> {
        &self.taken
    }

    /// Instructions executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Undefined operations met so far.
    pub fn undefined(&self) -> Vec<Event> {
        self.events.list(self.program, true)
    }

    /// What was not modeled exactly so far.
    pub fn notes(&self) -> Vec<Event> {
        self.events.list(self.program, false)
    }

    /// Unknown functions called so far.
    pub fn unknown_calls(&self) -> Vec<UnknownCall> {
        self.events.unknown_calls(self.program)
    }

    /// Where the execution is, or was when it ended.
    pub fn place(&self) -> Spot {
        self.program.place(self.site())
    }

    pub(crate) fn pointer_to(&self, block: BlockRef, offset: u64) -> Value {
        Value::pointer(self.memory.block(block).address.wrapping_add(offset), Some(block))
    }

    pub(crate) fn site(&self) -> Site {
        self.frames.last().map_or(Site::NONE, Frame::site)
    }

    /// Counts an instruction.
    #[inline]
    pub(crate) fn tick(&mut self) -> OrStop {
        self.steps += 1;
        if self.steps > self.options.max_steps {
            Err(Outcome::OutOfBudget(Budget::Steps).into())
        } else {
            Ok(())
        }
    }

    /// Counts `amount` of work that a library function does, such as bytes copied.
    pub(crate) fn work(&mut self, amount: u64) -> OrStop {
        self.steps = self.steps.saturating_add(amount / 16);
        self.tick()
    }
}
