//! Concrete execution of the IR: the oracle that all engines are tested against.
//!
//! Right rather than fast: memory is bytes with undefined bits and provenance, every error of the catalog
//! that a concrete run can show is found at the instruction that commits it, and undefined operations that do
//! not stop a machine are told. Everything that a real machine would ask of its environment is in
//! [`Options`]; the same program and options give the same run.
//!
//! Reading order: [`value`] (what a value holds), [`int`] and [`float`](mod@float) (how it is computed with),
//! [`memory`], [`program`] (linking: `link`, `image`), `machine`, `step` and `call` (execution), `libc` and
//! `cxx` (library models), `start` (whole programs), [`report`] (what comes out), [`replay`] (one function
//! from a state, for tests of the engines).
//!
//! ```no_run
//! # fn modules() -> Vec<ir::Module> { Vec::new() }
//! let modules = modules();
//! let program = interp::Program::link(&modules);
//! let run = interp::run_main(&program, interp::Options::default());
//! ```

pub mod value;
pub mod words;

pub mod int;

pub mod float;

pub mod memory;

pub mod program;

mod link;

mod image;

mod machine;

mod frame;

mod step;

mod call;

mod varargs;

mod unknown;

mod random;

mod libc;

mod cxx;

mod start;

mod diagnose;

mod script;

pub mod replay;

mod events;

pub mod options;
pub mod report;

pub use libc::library_functions;
pub use machine::Machine;
pub use memory::{AccessError, BlockKind, Family, Memory, Status};
pub use options::{AllocPolicy, Options, UndefinedPolicy, UnknownPolicy, VolatilePolicy};
pub use program::{FnRef, GlobalRef, Program};
pub use report::{
    BlockInfo, Budget, Bug, Event, EventKind, FailedAllocation, Fault, Outcome, Run, Spot, UnknownCall,
};
pub use start::run_main;
pub use value::{BlockRef, Value};
