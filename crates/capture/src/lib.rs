//! From files and compilation databases to LLVM bitcode, by running clang.
//!
//! Purpose: find a usable clang, turn what the user names into translation units ([`Unit`]), and
//! compile each of them to bitcode with its own flags, cleaned of what changes only code generation.
//! Source: the JSON compilation database format of the LLVM project; the choice of flags was measured
//! (see `docs/ARCHITECTURE.md`, capture).
//! Not covered: interception of a build command; reading bitcode. This crate knows no IR.

mod clang;
mod compile;
mod database;
mod error;
mod flags;
mod links;
mod process;
mod unit;

pub use clang::{Clang, Version};
pub use compile::{Compiled, command_line, compile, read_bitcode};
pub use database::Database;
pub use error::Error;
pub use links::{Artifact, ArtifactKind, Input, Links};
pub use unit::{InputKind, Language, Unit, units_from_files};
