//! The report as JSON, schema 1 (the design, §12).

use anyhow::{Context, Result};
use serde::Serialize;

use crate::run::report::Report;

#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    tool: Tool,
    #[serde(flatten)]
    report: &'r Report,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// One object, with a line end.
pub(crate) fn json(report: &Report) -> Result<String> {
    let tool = Tool { name: "indict", version: env!("CARGO_PKG_VERSION") };
    let text = serde_json::to_string_pretty(&Document { schema: 1, tool, report });
    Ok(text.context("while writing JSON")? + "\n")
}
