//! How the tool ends.

use std::process::ExitCode;

use crate::stop;

/// The exit status, for scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// The job was done, and nothing was found.
    Clean,
    /// The job was done, and there are findings.
    Findings,
    /// Nothing could be analyzed; the cause was told.
    Failed,
    /// The user stopped the work.
    Interrupted,
    /// The status of the build that was captured.
    Build(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Clean => 0,
            Status::Findings => 1,
            Status::Failed => 2,
            Status::Interrupted => stop::status(),
            Status::Build(status) => status,
        })
    }
}
