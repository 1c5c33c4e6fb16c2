//! The report as JSON, schema 1 (the design, §12).

use serde::Serialize;

use crate::report::Report;

/// Counts up when a field changes its meaning or goes away; a new field does not.
const SCHEMA: u32 = 1;

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
pub fn json(report: &Report) -> String {
    let tool = Tool { name: "indict", version: env!("CARGO_PKG_VERSION") };
    let text = serde_json::to_string_pretty(&Document { schema: SCHEMA, tool, report });
    text.expect("invariant: a report has only fields that JSON can express") + "\n"
}
