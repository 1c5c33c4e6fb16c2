//! Concrete execution of the IR: the oracle that all engines are tested against.
//!
//! Right rather than fast: memory is bytes with undefined bits and provenance, every error of the catalog that a concrete run
//! can show is found at the instruction that commits it, and undefined operations that do not stop a machine are told.
//! Everything that a real machine would ask of its environment is in [`Options`]; the same program and options give the same run.
//!
//! Reading order: [`value`] (what a value holds), [`int`] and [`float`](mod@float) (how it is computed with), [`memory`], [`program`]
//! (linking), `step` and `call` (execution), `libc` and `cxx` (library models), [`report`] (what comes out).
//!
//! ```no_run
//! # fn modules() -> Vec<ir::Module> { Vec::new() }
//! let modules = modules();
//! let program = interp::Program::link(&modules);
//! let run = interp::run_main(&program, interp::Options::default());
//! ```

mod call;
mod cxx;
mod diagnose;
mod events;
pub mod float;
mod frame;
mod image;
pub mod int;
mod libc;
mod machine;
pub mod memory;
pub mod options;
pub mod program;
mod random;
pub mod report;
mod start;
mod step;
mod unknown;
pub mod value;
mod varargs;
pub mod words;

pub use machine::Machine;
pub use memory::{AccessError, BlockKind, Family, Memory, Status};
pub use options::{AllocPolicy, Options, UnknownPolicy, VolatilePolicy};
pub use program::{FnRef, GlobalRef, Program};
pub use report::{
    BlockInfo, Budget, Bug, Event, EventKind, FailedAllocation, Fault, Outcome, Place, Run, UnknownCall,
};
pub use start::run_main;
pub use value::{BlockRef, Value};
