//! The commands, one file each: a struct of options whose `run` does the work.

pub(crate) mod callgraph;
pub(crate) mod capture;
pub(crate) mod explain;
pub(crate) mod ir;
pub(crate) mod issues;
pub(crate) mod run;
pub(crate) mod stats;
pub(crate) mod suggest;

pub(crate) mod close;
