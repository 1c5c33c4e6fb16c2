//! All budgets, each with the reason for its value.
//!
//! Budgets count steps or bytes, never seconds. Whoever hits one says so and is counted.

/// Blocks nested in a bitcode file. LLVM itself writes at most 4; the reader recurses once per level.
pub const BITCODE_DEPTH: u32 = 32;

/// Elements a constant or type may expand to when it is flattened (lanes of a vector, members of a struct value).
///
/// AVX-512 code has 64 byte lanes; structs that clang passes in registers have at most two.
pub const FLAT_LANES: usize = 128;

/// Nesting of types, constants and debug types that recursive walks follow.
///
/// Real code stays below 40; each level costs a stack frame.
pub const NESTING: u32 = 256;

/// Blocks that node splitting may add to one function, as a multiple of its size.
///
/// Each irreducible region at most doubles its loop; real functions (computed `goto` interpreters, Duff's device) need less than twice.
pub const SPLIT_FACTOR: usize = 4;

/// Bytes of initializer text that one global may carry; beyond it the content counts as unknown.
///
/// The largest table seen (Unicode data in SQLite and libgit2) has 300 KB.
pub const INIT_BYTES: u64 = 64 << 20;
