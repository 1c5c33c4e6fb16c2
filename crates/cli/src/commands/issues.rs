//! `indict issues`: the catalog of errors.

use anyhow::Result;
use catalog::Issue;

use crate::output;
use crate::status::Status;
use crate::table::{Align, columns};

const EXAMPLES: &str = "\
Examples:
  indict issues              all kinds, one line each
  indict issues null-deref   what this kind finds, why it matters, an example, and when it stays silent";

/// Lists the kinds of errors, or explains one of them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Issues {
    /// The kind to explain.
    kind: Option<String>,
}

impl Issues {
    pub(crate) fn run(&self) -> Result<Status> {
        match &self.kind {
            None => output::print(&list())?,
            Some(kind) => output::print(session::kind(kind)?.doc())?,
        }
        Ok(Status::Clean)
    }
}

fn list() -> String {
    let header = ["kind", "severity", "CWE", "status", "what happens"].map(String::from).to_vec();
    let row = |issue: &Issue| {
        let (severity, cwe) = (issue.severity().id().to_owned(), issue.cwe().to_string());
        vec![issue.id().to_owned(), severity, cwe, issue.status().id().to_owned(), issue.summary().to_owned()]
    };
    let rows: Vec<Vec<String>> = [header].into_iter().chain(Issue::ALL.iter().map(row)).collect();
    let kinds = columns(&[Align::Left, Align::Left, Align::Right, Align::Left, Align::Left], &rows);
    format!("{kinds}\n`doomed` is no kind but a verdict: --only doomed selects all findings that have it.\n")
}
