//! The commands, one file each: a struct of options whose `run` does the work.

pub(crate) mod callgraph;
pub(crate) mod capture;
pub(crate) mod explain;
pub(crate) mod ir;
pub(crate) mod issues;
pub(crate) mod run;
pub(crate) mod stats;
pub(crate) mod suggest;

use crate::output;
use crate::status::Status;

/// There is no unit that could be analyzed.
fn nothing() -> Status {
    output::complain("nothing could be analyzed");
    Status::Failed
}
