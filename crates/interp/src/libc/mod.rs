//! Native models of library functions: one table of names per header, each row a function that does what the
//! real one does.
//!
//! A model looks at memory through the same checks as the program's own code, so `strlen` of a freed string
//! is a use after free at the call. Bytes that a function looks at must be defined; bytes that it merely
//! copies need not.
//! Source: C17 §7, POSIX.1-2017, and the glibc manual where they leave a choice; what is printed agrees with
//! glibc in the C locale.

mod alloc;
mod args;
mod assert;
mod calendar;
mod ctype;
mod errno;
mod float_text;
mod getopt;
mod math;
mod printf;
mod process;
mod pthread;
mod random;
mod scan;
mod setjmp;
mod sort;
mod stdio;
mod stdlib;
mod streams;
mod string;
mod string_copy;
mod time;
mod variadic;
mod wide;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::cxx;
use crate::machine::{Machine, OrStop};
use crate::memory::Site;
use crate::options::Options;
use crate::program::{FnRef, Program};
use crate::random::Random;
use crate::report::{EventKind, FailedAllocation};
use crate::value::{BlockRef, Value};

pub(crate) use args::{Args, int};
pub(crate) use ctype::is_space;
pub(crate) use float_text::{parse_float, parse_int};
pub(crate) use printf::{Spec, format_float, format_integer};
pub(crate) use setjmp::JumpPoint;

/// A library function.
pub(crate) type Model = for<'a, 'p> fn(&'a mut Machine<'p>, &'a Args<'a>) -> Reply;

/// What a library function does.
pub(crate) type Reply = OrStop<Answer>;

/// The results of a library function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    /// It returns these.
    Values(SmallVec<[Value; 2]>),
    /// It does not return here: the innermost frame says where execution goes on.
    Jumped,
}

impl Answer {
    /// No result.
    pub(crate) fn none() -> Answer {
        Answer::Values(SmallVec::new())
    }

    /// Two results: a struct in two registers.
    pub(crate) fn two(first: Value, second: Value) -> Answer {
        Answer::Values(SmallVec::from_iter([first, second]))
    }
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        Answer::Values(SmallVec::from_elem(value, 1))
    }
}

/// A table of models.
pub(crate) type Models = &'static [(&'static str, Model)];

/// All tables, in order of search.
const TABLES: &[Models] = &[
    alloc::MODELS,
    assert::MODELS,
    calendar::MODELS,
    ctype::MODELS,
    errno::MODELS,
    getopt::MODELS,
    math::EXACT_OF_TWO,
    math::MODELS,
    math::OF_TWO,
    math::ROUNDING,
    math::TRANSCENDENTAL,
    process::MODELS,
    pthread::MODELS,
    random::MODELS,
    scan::MODELS,
    setjmp::MODELS,
    sort::MODELS,
    stdio::MODELS,
    printf::MODELS,
    stdlib::MODELS,
    string::MODELS,
    string_copy::MODELS,
    time::MODELS,
    wide::MODELS,
];

/// The model of the function with that linker name.
pub(crate) fn model(name: &str) -> Option<Model> {
    let mut rows = TABLES.iter().chain(cxx::TABLES).flat_map(|table| table.iter());
    rows.find(|(known, _)| *known == name).map(|(_, model)| *model)
}

/// The linker's names of all functions that have a model.
pub fn library_functions() -> impl Iterator<Item = &'static str> {
    TABLES.iter().chain(cxx::TABLES).flat_map(|table| table.iter()).map(|(name, _)| *name)
}

/// What the library remembers between calls.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) streams: streams::Streams,
    /// Blocks that are made when first asked for: `errno`, character tables …
    pub(crate) named: FxHashMap<&'static str, BlockRef>,
    /// Globals that neither a module nor the library defines.
    pub(crate) undefined_globals: Vec<String>,
    pub(crate) exit_handlers: Vec<ExitHandler>,
    pub(crate) destructors_run: usize,
    pub(crate) quick_exit: bool,
    pub(crate) random: random::Generators,
    /// Where `strtok` goes on.
    pub(crate) strtok: Value,
    /// Allocations so far that policy may let fail.
    pub(crate) allocations: u64,
    pub(crate) failed_allocations: Vec<FailedAllocation>,
    /// The calls around the freeing of each freed heap block, in the machine's table.
    pub(crate) free_stacks: FxHashMap<BlockRef, u32>,
    pub(crate) alloc_random: Random,
    pub(crate) jumps: Vec<JumpPoint>,
    /// What `time` and `clock` count.
    pub(crate) ticks: u64,
    pub(crate) cxx_streams: cxx::Streams,
    pub(crate) threads: pthread::Threads,
    /// Bytes written to all streams.
    pub(crate) output_bytes: u64,
    /// Where `getopt` is within a word.
    pub(crate) getopt_position: usize,
}

/// A function that runs at the end.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ExitHandler {
    pub(crate) function: Value,
    pub(crate) args: Vec<Value>,
}

impl Library {
    pub(crate) fn new(options: &Options) -> Library {
        let alloc_seed = match options.alloc {
            crate::options::AllocPolicy::Seeded { seed, .. } => seed,
            _ => 0,
        };
        Library {
            streams: streams::Streams::new(options),
            named: FxHashMap::default(),
            undefined_globals: Vec::new(),
            exit_handlers: Vec::new(),
            destructors_run: 0,
            quick_exit: false,
            random: random::Generators::default(),
            strtok: Value::null(),
            allocations: 0,
            failed_allocations: Vec::new(),
            free_stacks: FxHashMap::default(),
            alloc_random: Random::new(alloc_seed),
            jumps: Vec::new(),
            ticks: 0,
            cxx_streams: cxx::Streams::default(),
            threads: pthread::Threads::default(),
            output_bytes: 0,
            getopt_position: 0,
        }
    }

    pub(crate) fn stdout(&self) -> &[u8] {
        self.streams.stdout()
    }

    pub(crate) fn stderr(&self) -> &[u8] {
        self.streams.stderr()
    }

    /// The values that the library holds for the program; what they point at is not lost.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        let handlers = self.exit_handlers.iter().flat_map(|handler| &handler.args);
        handlers.chain(self.threads.values()).chain([&self.strtok]).cloned()
    }

    /// Whether the program ended by `_exit`, which leaves no time to look for leaks.
    pub(crate) fn exited_at_once(&self) -> bool {
        self.quick_exit
    }

    pub(crate) fn pop_exit_handler(&mut self) -> Option<ExitHandler> {
        self.exit_handlers.pop()
    }

    pub(crate) fn next_destructor(&mut self, all: &[FnRef]) -> Option<FnRef> {
        let next = all.get(self.destructors_run).copied()?;
        self.destructors_run += 1;
        Some(next)
    }
}

impl Machine<'_> {
    /// Gives the globals that the library defines their content.
    pub(crate) fn set_up_library(&mut self) {
        let program: &Program<'_> = self.program;
        for (id, global) in program.globals().iter_ids() {
            if global.global.init.is_some() {
                continue;
            }
            let block = program.image().globals[id];
            self.memory.set_writable(block, true);
            let known = self.set_up_global(global.name, block);
            // Type information is only looked at when exceptions are thrown.
            if !known && !global.name.starts_with("_ZT") {
                self.events.record(EventKind::UndefinedGlobal, Site::NONE);
                self.library.undefined_globals.push(global.name.to_owned());
            }
        }
    }

    /// Whether the library knows the global.
    fn set_up_global(&mut self, name: &str, block: BlockRef) -> bool {
        self.set_up_stream(name, block)
            || getopt::set_up_global(self, name, block)
            || process::set_up_global(self, name, block)
            || cxx::set_up_global(self, name, block)
    }
}

#[cfg(test)]
mod tests {
    use super::library_functions;

    #[test]
    fn every_function_has_one_model() {
        let mut names: Vec<&str> = library_functions().collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
