//! One program out of many units: what is linked with what, which functions are one, what references mean,
//! who calls whom.
//!
//! [`Project`] is the result and the place to start reading. It is made of [`UnitIr`]s and [`Links`] in five
//! steps, a module each: [`symbols`] (the linker's names), [`programs`] (what is linked together, with
//! [`artifacts`] for the paths in link commands), [`merge`] (which functions are copies of one), [`resolve`]
//! and [`resolutions`] (which definition a reference means), [`callgraph`] (with [`indirect`] and [`fields`]
//! for calls through pointers, and [`order`]). [`notes`] are for the user; [`ambiguities`] finds them.
//!
//! [`lasting`] finds what is constant without saying so. [`suggest`](suggest()) says what the user could tell
//! of functions of which nothing is known.
//!
//! Nothing here prints, asks the file system, or fails; and nothing here knows how units are compiled or what
//! engines do.

mod links;
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

mod keys;

pub mod lasting;
mod suggest;

mod ambiguities;
pub mod notes;
mod paths;

pub use callgraph::{CallGraph, Edge, EdgeKind, Node, Site};
pub use keys::Keys;
pub use lasting::Lasting;
pub use links::{Artifact, ArtifactKind, Input, Links};
pub use notes::Note;
pub use programs::{Program, ProgramKind};
pub use project::{FnRef, Project};
pub use resolve::{Cause, Resolution, Target};
pub use suggest::{Gaps, Known, Lost, Proposal, suggest};
pub use unit::{FnId, ProgramId, UnitId, UnitIr};
