//! Random states to start functions in, and the errors that runs from them meet.

use std::collections::BTreeMap;
use std::fmt;

use catalog::Issue;
use interp::replay::{
    Cell, Concrete, Fill, PreBlock, PreKind, PreState, Replayed, Script, function_address, replay,
};
use interp::{Bug, Family, FnRef, Options, Outcome, Program};

use super::generate::{Generated, Shape, Signature};
use super::types::{To, Ty, UNKNOWN_HOOK};

/// Instructions that a run of a random program may take.
const STEPS: u64 = 20_000;

/// Calls within calls in a run of a random program.
const DEPTH: usize = 100;

/// Allocations and unknown results that a script tells; later ones come from the seed.
const SCRIPTED: usize = 32;

/// What is special about a state; engines treat these differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Class {
    /// Two pointers of it are equal.
    pub(crate) aliased: bool,
    /// It contains a pointer to a freed block.
    pub(crate) freed: bool,
    /// Unknown code returned null.
    pub(crate) unknown_null: bool,
    /// Unknown code ran that may write.
    pub(crate) is_behind: bool,
}

/// An error that some run met.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    pub(crate) bug: Bug,
    pub(crate) class: Class,
    pub(crate) state: PreState,
    pub(crate) script: Script,
    /// The seed of everything else.
    pub(crate) seed: u64,
    /// How many runs met it.
    pub(crate) count: u64,
    /// Whether the run did something undefined before that stopped nothing.
    pub(crate) is_undefined: bool,
}

/// Errors by kind and line; of each the one from the plainest state.
pub(crate) type Errors = BTreeMap<(&'static str, u32), Met>;

/// What runs of a function came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sampled {
    pub(crate) errors: Errors,
    pub(crate) runs: u64,
    pub(crate) returned: u64,
    /// Runs that a limit stopped.
    pub(crate) cut: u64,
}

/// Options for a run of a random program.
pub(crate) fn options(seed: u64) -> Options {
    Options { seed, max_steps: STEPS, max_depth: DEPTH, max_memory: 64 << 20, ..Options::default() }
}

/// Runs a function from random states.
pub(crate) fn sample(
    program: &Program<'_>,
    generated: &Generated,
    (function, signature): (FnRef, &Signature),
    runs: u64,
) -> Option<Sampled> {
    let mut sampled = Sampled::default();
    for run in 0..runs {
        let seed = generated.seed.wrapping_mul(1_000_003).wrapping_add(run);
        let mut drawer = Drawer::new(seed, program);
        drawer.draw(generated, signature);
        let (state, script, class) = (drawer.state, drawer.script, drawer.class);
        let replayed = replay(program, function, &state, script.clone(), options(seed)).ok()?;
        let is_behind = generated.has_writing_unknown_code() && replayed.n_results > 0;
        sampled.add(&replayed, (&state, &script, seed), Class { is_behind, ..class });
    }
    Some(sampled)
}

impl Sampled {
    fn add(
        &mut self,
        replayed: &Replayed<'_>,
        (state, script, seed): (&PreState, &Script, u64),
        class: Class,
    ) {
        self.runs += 1;
        self.returned += u64::from(matches!(replayed.outcome, Outcome::Returned(_)));
        self.cut += u64::from(matches!(replayed.outcome, Outcome::OutOfBudget(_)));
        for bug in replayed.outcome.bug().into_iter().chain(&replayed.leaks) {
            let met = Met {
                bug: bug.clone(),
                class,
                state: state.clone(),
                script: script.clone(),
                seed,
                count: 1,
                is_undefined: !replayed.undefined.is_empty(),
            };
            let key = (bug.issue.id(), bug.place.line);
            let old = self.errors.remove(&key);
            let count = old.as_ref().map_or(0, |old| old.count) + 1;
            let rank = |met: &Met| (met.is_undefined, met.class);
            let plainest = old.into_iter().chain([met]).min_by_key(rank);
            self.errors.extend(plainest.map(|plainest| (key, Met { count, ..plainest })));
        }
    }
}

impl Met {
    /// Whether the error is gone if unknown code returns something else: pointers that are not null, other numbers.
    ///
    /// What such code returns is not checked by the program; that it may be null or zero is nobody's error.
    pub(crate) fn is_about_unknown_code(&self, program: &Program<'_>, function: FnRef) -> bool {
        if !matches!(self.bug.issue, Issue::NullDeref | Issue::DivByZero) {
            return false;
        }
        let mut script = self.script.clone();
        script.results = vec![Concrete::Any; script.results.len()];
        let again = replay(program, function, &self.state, script, options(self.seed));
        let same = |bug: &Bug| bug.issue == self.bug.issue && bug.place.line == self.bug.place.line;
        again.is_ok_and(|again| !again.outcome.bug().is_some_and(same))
    }
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}: {}\n  for example from {:?}\n  with {:?}",
            self.class, self.bug, self.state, self.script
        )
    }
}

/// A random state and script for a function.
pub(crate) fn draw_state(
    program: &Program<'_>,
    generated: &Generated,
    signature: &Signature,
    seed: u64,
) -> (PreState, Script) {
    let mut drawer = Drawer::new(seed, program);
    drawer.draw(generated, signature);
    (drawer.state, drawer.script)
}

/// Draws a state.
struct Drawer<'p> {
    rng: fastrand::Rng,
    program: &'p Program<'p>,
    state: PreState,
    script: Script,
    class: Class,
    /// What each block was made for.
    made_for: Vec<To>,
    /// The functions that hooks may be.
    hooks: Vec<FnRef>,
}

impl<'p> Drawer<'p> {
    fn new(seed: u64, program: &'p Program<'p>) -> Drawer<'p> {
        let rng = fastrand::Rng::with_seed(seed ^ 0x1234_5678);
        let (state, script) = (PreState::default(), Script::default());
        Drawer {
            rng,
            program,
            state,
            script,
            class: Class::default(),
            made_for: Vec::new(),
            hooks: Vec::new(),
        }
    }

    fn draw(&mut self, generated: &Generated, signature: &Signature) {
        let own = ["h", "k"].map(|letter| self.program.function(&format!("t{}_{letter}", generated.seed)));
        self.hooks = own.into_iter().chain([self.program.function(UNKNOWN_HOOK)]).flatten().collect();
        for ty in &signature.params {
            let arg = self.value(*ty, 3);
            self.state.args.push(arg);
        }
        // Where the program begins, its variables hold what they are initialized with.
        let globals = if signature.name == "main" { &[] } else { generated.globals.as_slice() };
        for (name, shape) in globals {
            let cells = match *shape {
                Shape::Scalar(ty) => vec![self.cell(ty, 0, 2)],
                Shape::Array(int, len) => {
                    (0..len).map(|index| self.cell(Ty::Int(int), u64::from(index * int.bytes), 0)).collect()
                }
                Shape::Struct(to) => self.cells(to, 2),
                Shape::Inner => Vec::new(),
            };
            if let Some(global) = self.program.global(name) {
                self.state.globals.push((global, cells));
            }
        }
        let failing = if self.rng.bool() { 4 } else { 30 };
        self.script.allocations = (0..SCRIPTED).map(|_| self.rng.u32(0..failing) != 0).collect();
        for _ in 0..SCRIPTED {
            // A small number is null or close to it if a pointer is asked for.
            let result = match self.rng.u32(0..4) {
                0 => Concrete::Int(0),
                _ => Concrete::Any,
            };
            self.script.results.push(result);
        }
        self.class.unknown_null = self.script.results[..4].contains(&Concrete::Int(0));
    }

    fn value(&mut self, ty: Ty, depth: u32) -> Concrete {
        match ty {
            Ty::Int(int) => Concrete::Int(self.number() & (u128::MAX >> (128 - 8 * int.bytes))),
            Ty::Inner => Concrete::Int(u128::from(self.rng.u64(..))),
            Ty::Ptr(to) => self.pointer(to, depth),
            Ty::Hook => self.hook(),
        }
    }

    /// A function of the program, an unknown one, or null.
    fn hook(&mut self) -> Concrete {
        let hooks = self.hooks.clone();
        match self.rng.usize(0..hooks.len() + 1) {
            0 => Concrete::Int(0),
            at => Concrete::Int(function_address(self.program, hooks[at - 1]).into()),
        }
    }

    fn number(&mut self) -> u128 {
        match self.rng.u32(0..10) {
            0..=5 => self.rng.u32(0..9).into(),
            6 => u128::MAX - u128::from(self.rng.u32(0..3)),
            7 => self.rng.u8(..).into(),
            8 => [100, 255, 256, 0x7fff_ffff, 0x8000_0000][self.rng.usize(0..5)],
            _ => self.rng.u64(..).into(),
        }
    }

    fn pointer(&mut self, to: To, depth: u32) -> Concrete {
        let same: Vec<usize> = (0..self.made_for.len()).filter(|index| self.made_for[*index] == to).collect();
        match self.rng.u32(0..20) {
            0..=2 => Concrete::Int(0),
            3 if !same.is_empty() => {
                self.class.aliased = true;
                Concrete::Block { index: same[self.rng.usize(0..same.len())], offset: 0 }
            }
            _ if depth == 0 => Concrete::Int(0),
            choice => {
                let index = self.state.blocks.len();
                let is_freed = choice == 4 && self.rng.u32(0..3) == 0;
                self.class.freed |= is_freed;
                let family = Family::Malloc;
                let kind = if is_freed { PreKind::Freed(family) } else { PreKind::Heap(family) };
                // A caller's block may be larger than what is asked for: only sizes that the function knows are its business.
                let size = to.size() + 32;
                self.state.blocks.push(PreBlock { size, kind, cells: Vec::new(), fill: Fill::Seeded });
                self.made_for.push(to);
                let cells = self.cells(to, depth - 1);
                self.state.blocks[index].cells = cells;
                Concrete::Block { index, offset: 0 }
            }
        }
    }

    fn cells(&mut self, to: To, depth: u32) -> Vec<Cell> {
        match to.value() {
            Some(ty) => vec![self.cell(ty, 0, depth)],
            None => to.fields().iter().map(|field| self.cell(field.ty, field.offset, depth)).collect(),
        }
    }

    fn cell(&mut self, ty: Ty, offset: u64, depth: u32) -> Cell {
        let bytes = match ty {
            Ty::Int(int) => int.bytes,
            Ty::Ptr(_) | Ty::Inner | Ty::Hook => 8,
        };
        Cell { offset, bytes, value: self.value(ty, depth) }
    }
}
