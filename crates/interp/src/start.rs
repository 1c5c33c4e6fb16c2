//! Running a whole program: constructors, `main`, handlers and destructors, and the search for leaks at the
//! end.

use catalog::Issue;
use ir::Type;

use crate::machine::{Machine, OrStop, Stop};
use crate::memory::{BlockKind, NewBlock, Roots, Site};
use crate::options::Options;
use crate::program::Program;
use crate::report::{Budget, Bug, Outcome, Run};
use crate::value::{BlockRef, Value};

/// Runs `main` of a program.
pub fn run_main(program: &Program<'_>, options: Options) -> Run {
    let mut machine = Machine::new(program, options);
    let outcome = machine.run_program();
    let is_normal = matches!(outcome, Outcome::Exited(_));
    let leaks = if is_normal && machine.options.leaks && !machine.library.exited_at_once() {
        machine.leaks()
    } else {
        Vec::new()
    };
    Run {
        outcome,
        leaks,
        stdout: machine.stdout().to_vec(),
        stderr: machine.stderr().to_vec(),
        undefined: machine.undefined(),
        unknown_calls: machine.unknown_calls(),
        undefined_globals: machine.library.undefined_globals.clone(),
        notes: machine.notes(),
        steps: machine.steps,
        allocations: machine.library.allocations,
        end: machine.place(),
        failed_allocations: machine.library.failed_allocations,
    }
}

impl Machine<'_> {
    /// Runs constructors, `main` and all that is registered for the end.
    pub fn run_program(&mut self) -> Outcome {
        let mut ended = self.run_startup();
        // Handlers may call `exit` again; the rest of them still run, as they do in glibc.
        loop {
            match ended {
                Ok(status) | Err(Stop::Exit(status)) => match self.run_handlers() {
                    Ok(()) => return Outcome::Exited(status & 0xff),
                    Err(stop) => ended = Err(stop),
                },
                Err(Stop::Outcome(outcome)) => return *outcome,
            }
        }
    }

    /// Heap blocks that nothing reaches now.
    pub fn leaks(&self) -> Vec<Bug> {
        let end = self.frames.last().map_or(0, |frame| frame.base + frame.body.values.len());
        let mut roots = Roots { values: self.registers[..end].to_vec() };
        roots.values.extend(self.library.values());
        self.memory.unreachable_heap(&roots).into_iter().map(|block| self.leak(block)).collect()
    }

    pub(crate) fn leak(&self, block: BlockRef) -> Bug {
        let entry = self.memory.block(block);
        let info = self.block_info(block, entry.address);
        let message = format!("{} of {} bytes is never freed", info.what, info.size);
        Bug {
            issue: Issue::MemoryLeak,
            message,
            place: info.allocated.clone(),
            callers: info.allocated_callers.clone(),
            block: Some(info),
        }
    }

    fn run_startup(&mut self) -> OrStop<i32> {
        for constructor in self.program.constructors() {
            self.call_inside(constructor, &[])?;
        }
        let Some(main) = self.program.function("main") else {
            return self.unsupported("a program without `main`");
        };
        let args = self.main_arguments()?;
        let n_params = self.program.functions()[main].function.signature.params.len();
        let values = self.call_inside(main, &args[..n_params.min(args.len())])?;
        Ok(values.first().map_or(0, |value| value.low() as i32))
    }

    /// Runs and forgets the handlers, last registered first, then the destructors.
    fn run_handlers(&mut self) -> OrStop {
        while let Some(handler) = self.library.pop_exit_handler() {
            self.call_back(&handler.function, &handler.args)?;
        }
        while let Some(destructor) = self.library.next_destructor(&self.program.destructors()) {
            self.call_inside(destructor, &[])?;
        }
        Ok(())
    }

    /// `argc`, `argv` and `envp`.
    fn main_arguments(&mut self) -> OrStop<[Value; 3]> {
        let words = self.options.args.clone();
        let env: Vec<Vec<u8>> =
            self.options.env.iter().map(|(name, value)| format!("{name}={value}").into_bytes()).collect();
        let argv = self.string_array("words of the command line", &words)?;
        let envp = self.string_array("environment", &env)?;
        Ok([Value::int(32, words.len() as u128), argv, envp])
    }

    /// An array of pointers to strings that ends with a null pointer.
    pub(crate) fn string_array(&mut self, what: &'static str, strings: &[Vec<u8>]) -> OrStop<Value> {
        let step = Type::Ptr.store_bytes(self.memory.pointer_bytes());
        let array = self.library_block(what, step * (strings.len() as u64 + 1))?;
        for (index, string) in strings.iter().enumerate() {
            let mut bytes = string.clone();
            bytes.push(0);
            let block = self.library_block(what, bytes.len() as u64)?;
            self.memory.write_bytes(block, 0, &bytes);
            let pointer = self.pointer_to(block, 0);
            self.memory.write(array, index * step as usize, &pointer);
        }
        Ok(self.pointer_to(array, 0))
    }

    /// A zeroed block that belongs to the library.
    pub(crate) fn library_block(&mut self, what: &'static str, size: u64) -> OrStop<BlockRef> {
        let kind = BlockKind::Library(what);
        let new = NewBlock { size, align: 16, kind, made: Site::NONE, zeroed: true, writable: true };
        self.memory.allocate(new).map_err(|_| Outcome::OutOfBudget(Budget::Memory).into())
    }
}
