//! What the caller of the interpreter may choose. Everything that a real machine would ask of its environment
//! is here.

use base::limits;

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where unknown results, `Nondet` and the like come from; the same seed gives the same run.
    pub seed: u64,
    /// Whether allocations of the `malloc` family fail.
    pub alloc: AllocPolicy,
    /// What a call of a function does that has neither a body nor a model.
    pub unknown: UnknownPolicy,
    /// What a volatile read gives.
    pub volatile: VolatilePolicy,
    /// What bits are that nothing ever wrote.
    pub undefined: UndefinedPolicy,
    /// Whether heap blocks that nothing reaches at the end are looked for.
    pub leaks: bool,
    /// Whether the ways that control takes between blocks are kept, for [`Machine::taken`](crate::Machine::taken).
    pub record_ways: bool,
    /// Instructions to execute at most.
    pub max_steps: u64,
    /// Calls within calls at most.
    pub max_depth: usize,
    /// Bytes that all live blocks may take together, with what the interpreter keeps about them.
    pub max_memory: u64,
    /// The words of the command line; the first is the program's name.
    pub args: Vec<Vec<u8>>,
    /// The environment variables.
    pub env: Vec<(String, String)>,
    /// What is read from the standard input.
    pub stdin: Vec<u8>,
    /// The files that can be opened, by path.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Whether allocations fail. `new` and `new[]` never do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocPolicy {
    /// They succeed, unless they ask for more than the budget.
    Never,
    /// Only the n-th one fails, counted from 1.
    Nth(u64),
    /// About one in `one_in` fails.
    Seeded {
        /// The seed of the choice.
        seed: u64,
        /// How rarely; 0 stands for never.
        one_in: u64,
    },
}

/// What a call of an unknown function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownPolicy {
    /// It returns something made from the seed and gives undefined bytes behind its pointer arguments some content.
    Seeded,
    /// It ends the run.
    Stop,
}

/// What a volatile read gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VolatilePolicy {
    /// What memory holds, as in a program whose memory nobody else changes.
    Memory,
    /// Something made from the seed.
    Seeded,
}

/// What bits are that nothing ever wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UndefinedPolicy {
    /// Known as such: using them where they matter is an error.
    Tracked,
    /// Chosen with this seed, as a real machine finds something in fresh memory: using them is no error. Constants that are
    /// themselves undefined stay so.
    Chosen(u64),
    /// Both: chosen with a seed, and known as undefined. Where control, a size or a divisor depends on them, that is an error at one
    /// place only; elsewhere the run goes where the chosen bits lead.
    Watched {
        /// The seed of the choice.
        seed: u64,
        /// The line of the place.
        line: u32,
        /// The lines of the calls around it, the innermost first.
        calls: Vec<u32>,
    },
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            alloc: AllocPolicy::Never,
            unknown: UnknownPolicy::Seeded,
            volatile: VolatilePolicy::Memory,
            undefined: UndefinedPolicy::Tracked,
            record_ways: false,
            leaks: true,
            max_steps: limits::INTERP_STEPS,
            max_depth: limits::INTERP_DEPTH,
            max_memory: limits::INTERP_MEMORY,
            args: vec![b"program".to_vec()],
            env: Vec::new(),
            stdin: Vec::new(),
            files: Vec::new(),
        }
    }
}
