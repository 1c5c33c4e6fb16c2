//! From LLVM's module to our IR.
//!
//! [`lower`] takes what the [`bitcode`] crate read and gives an [`ir::Module`] that means the same, with the
//! user's names and places. Reading order: [`passes`] (the steps, in order), [`layout`] and [`flat`] (what a
//! type is in memory and as values), [`declare`], [`aliases`] and [`globals`] (what has a name),
//! [`translate`] (bodies), [`intrinsics`], [`debug`] and [`source_types`] (names and places).
//!
//! A function that is damaged or breaks a budget costs that function: it becomes a declaration and is listed.
//! What is not modeled is `Nondet` with a reason. Nothing here panics on what the reader can produce of a
//! hostile file.
//!
//! Departures from LLVM: unwinding is not followed; address spaces are one memory; fences have no effect; a
//! load or store of an aggregate is one access per scalar.

mod passes;

mod flat;
mod layout;

mod aliases;
mod declare;
mod env;
mod globals;

mod address;
mod path;

mod intrinsics;
mod promote;
mod translate;

mod attributes;
mod debug;
mod names;
mod nodes;
mod source_types;

mod error;

pub use error::{Cause, Skipped};

/// The result of [`lower`].
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The module.
    pub module: ir::Module,
    /// The functions that were left out.
    pub skipped: Vec<Skipped>,
}

/// Lowers a module.
pub fn lower(module: &bitcode::Module) -> Lowered {
    passes::run(module)
}
