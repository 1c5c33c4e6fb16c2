//! The kinds of errors, by the names that users give them.

use anyhow::{Result, anyhow};
use catalog::Issue;

use crate::close;

/// The kind of that id.
pub fn kind(id: &str) -> Result<Issue> {
    let known = || Issue::ALL.iter().map(|issue| issue.id());
    let unknown = || {
        let suggestion = close::suggestion(id, known());
        anyhow!("there is no kind `{id}`{suggestion} (`indict issues` lists them)")
    };
    Issue::from_id(id).ok_or_else(unknown)
}
