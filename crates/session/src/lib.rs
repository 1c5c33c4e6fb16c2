//! The library behind all faces: load a program, analyze it, stop, tell progress, and answer questions about
//! it. It prints nothing.
//!
//! ```no_run
//! use session::{Request, Session, Source, Watch};
//!
//! # fn main() -> anyhow::Result<()> {
//! let request = Request { source: Source::Database("build".into()), ..Request::default() };
//! let watch = Watch::nobody();
//! let program = Session::open(&request, &watch)?.load(&watch)?;
//! let mut analysis = program.analyze(&program.options(), &watch)?;
//! let found = std::mem::take(&mut analysis.report);
//! let report = program.selection().of(program.report(found));
//! # let _ = report;
//! # Ok(())
//! # }
//! ```
//!
//! A [`Request`] says in plain data what a user wants. [`Session::open`] finds the units that it means,
//! [`Session::load`] makes a [`Program`] of them, [`Program::analyze`] an [`Analysis`]. A [`Watch`] hears of
//! progress and of what the user should know ([`Event`], [`Notice`]), and can stop the work ([`Cancel`]).
//! What comes out is data or text, the same for any number of threads.
//!
//! Reading order: [`request`], [`watch`], [`session`]; on the way to units [`config`], [`store`], [`build`],
//! [`units`]; from there to IR [`lowered`], [`load`]; then [`program`] with [`analysis`] (the engines), and
//! what is asked of it: [`calls`], [`explain`](mod@explain), [`suggest`](mod@suggest), [`stats`], [`text`].
//!
//! Not covered: what is kept of an analysis from run to run; a working directory other than that of the
//! process.

mod cancel;
mod notice;
mod request;
mod watch;

mod session;

mod build;
mod config;
mod store;
mod trust;
mod units;

mod links;
mod load;
mod lowered;
mod tally;

mod program;

pub mod analysis;
pub mod calls;
mod explain;
mod stats;
mod suggest;
mod text;

pub mod close;
mod kinds;
mod paths;
mod roots;
mod shown;
pub mod workers;

use std::process::ExitCode;
use std::time::Duration;

pub use analysis::{Analysis, Doomed, Engines, Options, analyze};
pub use build::{Built, capture_build};
pub use calls::Calls;
pub use cancel::{Cancel, Interrupted};
pub use capture::{InputKind, Method};
pub use config::Mistakes;
pub use kinds::kind;
pub use links::links;
pub use lowered::{Cost, Spent};
pub use notice::Notice;
pub use paths::{Here, SourceFiles};
pub use program::Program;
pub use project::{EdgeKind, FnId, Links, Lost, Node, Project, Proposal, UnitIr};
pub use request::{
    BuildRequest, Compiling, Effort, Order, Request, SettingsChoice, SettingsFile, Shown, Source, StoreChoice,
};
pub use session::Session;
pub use shown::{Selection, named};
pub use stats::{Counts, Stats};
pub use tally::Tally;
pub use text::{Texts, UnitText};
pub use watch::{Event, Phase, Watch};

/// Does the work of a compiler if this executable was started in the place of one, by a build that is being
/// watched. The first thing that a face must do.
pub fn act_as_compiler() -> Option<ExitCode> {
    capture::act()
}

/// Ends all processes that were started, at most for `limit`, and deletes all directories that go with us:
/// for a process that is about to end without going back to those who work.
pub fn abandon(limit: Duration) {
    capture::end_all(limit);
    capture::Scratch::delete_all();
}
