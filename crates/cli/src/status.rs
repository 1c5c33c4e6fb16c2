//! How the tool ends.

use std::process::ExitCode;

/// The exit status, for scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// The job was done, and nothing was found.
    Clean,
    /// The job was done, and there are findings.
    Findings,
    /// Nothing could be analyzed; the cause was told.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Clean => 0,
            Status::Findings => 1,
            Status::Failed => 2,
        })
    }
}
