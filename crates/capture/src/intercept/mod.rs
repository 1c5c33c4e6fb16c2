//! Interception: seeing what a build compiles, archives and links, while it runs.
//!
//! The build is started with our [preloaded library](Method::Preload), which puts this very executable in
//! front of every compiler, archiver and linker. Called that way, [`act`] starts the real tool, waits for it,
//! and writes down what it did if it succeeded. The build sees no difference: same output, same status, and
//! no path of ours that it could remember (CMake and configure write the compiler that they find on PATH into
//! their files, which is why wrapper executables on PATH are the second choice).
//!
//! Sources and headers that the build itself made may be gone when it ends, so units that may need them are
//! compiled to bitcode at once ([`generated`]); all others are compiled later, in parallel.
//!
//! Departures from `DESIGN.md` §3, which names wrapper executables first: see `docs/adr/002-interception.md`.
//! Not covered: static compilers that are called by absolute path from static programs; builds on other
//! machines (distcc is seen before it sends its work away); build servers that were running before.

mod capture;
mod child;
mod found;
mod generated;
mod preload;
mod session;
mod shims;
mod wrapper;

pub use capture::{Build, Captured, Ended, Method, Saved, capture};

pub use session::is_captured;
pub use wrapper::{act, shell_status};
