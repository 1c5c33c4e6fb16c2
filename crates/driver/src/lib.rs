//! One program out of many files: what is linked with what, which functions are one, what references mean, who calls whom.
//!
//! [`Project`] is the result and the place to start reading. It is made in five steps, a module each: [`symbols`] (the linker's
//! names), [`programs`] (what is linked together, with [`artifacts`] for the paths in link commands), [`merge`] (which functions
//! are copies of one), [`resolve`] and [`resolutions`] (which definition a reference means), [`callgraph`] (with [`indirect`] and
//! [`fields`] for calls through pointers, and [`order`]). [`notes`] are for the user; [`ambiguities`] finds them.
//!
//! [`lasting`] finds what is constant without saying so. [`analysis`] runs the engines over all functions, callees first; [`suggest`](suggest()) says what the user could tell it.
//!
//! Nothing here prints, or asks the file system; and nothing fails, but that a thread cannot be started ([`workers`]).

mod project;
mod unit;

mod symbols;

mod artifacts;
mod programs;

mod chains;
mod merge;
mod resolutions;
mod resolve;

mod callgraph;
mod fields;
mod indirect;
mod order;

mod lasting;

pub mod analysis;
mod suggest;
pub mod workers;

mod ambiguities;
pub mod notes;
mod paths;

pub use analysis::{Analysis, Doomed, Engines, Options, analyze, explain};
pub use callgraph::{CallGraph, Edge, EdgeKind, Node, Site};
pub use notes::Note;
pub use programs::{Program, ProgramKind};
pub use project::{FnRef, Project};
pub use resolve::{Cause, Resolution, Target};
pub use suggest::{Lost, Proposal, suggest};
pub use unit::{FnId, ProgramId, UnitId, UnitIr};
