//! What users want to see, by the names that they give it.

use anyhow::{Result, anyhow};
use catalog::Choice;

use crate::close;

/// The kind of that id, or `doomed` for all that is.
pub fn kind(id: &str) -> Result<Choice> {
    let known = || Choice::all().map(Choice::id);
    let unknown = || {
        let suggestion = close::suggestion(id, known());
        anyhow!("there is no kind `{id}`{suggestion} (`indict issues` lists them)")
    };
    Choice::from_id(id).ok_or_else(unknown)
}
