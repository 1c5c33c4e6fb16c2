//! From builds, files and compilation databases to LLVM bitcode, by running clang.
//!
//! Purpose: watch a build, find a usable clang, turn what the user names into translation units ([`Unit`]),
//! and compile each of them to bitcode with its own flags, cleaned of what changes only code generation.
//! Source: the JSON compilation database format of the LLVM project; the choice of flags was measured
//! (see `docs/ARCHITECTURE.md`, capture).
//! Not covered: reading bitcode. This crate knows no IR.

mod cache;
mod clang;
mod command;
mod compile;
mod database;
mod elf;
mod error;
mod family;
mod flags;
mod front_end;
mod intercept;
mod links;
mod process;
mod response;
mod sandbox;
mod scratch;
mod secret;
mod store_dir;
mod toolchain;
mod unit;

pub use clang::{Clang, Version};
pub use command::{Compilation, Skipped, Understood, is_probe, tool_names, understand, unknown_compiler};
pub use compile::{Compiled, command_line, compile, read_bitcode};
pub use database::Database;
pub use error::Error;
pub use family::end_all;
pub use front_end::{Doubts, FrontEnd};
pub use intercept::{Build, Captured, Ended, Method, Saved, act, capture, is_captured, shell_status};
pub use links::{Artifact, ArtifactKind, Input, Links};
pub use response::expand_response_files;
pub use sandbox::{Sandbox, has_landlock, is_hidden};
pub use scratch::Scratch;
pub use store_dir::{Lock, StoreDir};
pub use toolchain::{Toolchains, Trust};
pub use unit::{InputKind, Language, Unit, units_from_files};
