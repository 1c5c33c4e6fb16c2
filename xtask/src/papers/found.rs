//! Findings as they are read from a report in JSON: fields that a version of ours does not write yet, or not
//! any more, are no error.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A finding, as far as an experiment wants to know it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) kind: String,
    pub(crate) verdict: String,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) trace: Vec<Step>,
    /// Whether it needs memory of its caller to be valid; none if the report does not say.
    #[serde(default)]
    pub(crate) relaxed: Option<bool>,
    /// What is presumed of unknown code; none if the report does not say.
    #[serde(default)]
    pub(crate) assumes: Option<Vec<serde_json::Value>>,
}

/// A step of its trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) function: String,
}

#[derive(Deserialize)]
struct Report {
    findings: Vec<Found>,
}

/// The findings of a report.
pub(crate) fn findings(report: &report::Report) -> Result<Vec<Found>> {
    parse(&report::json(report))
}

fn parse(json: &str) -> Result<Vec<Found>> {
    let report: Report = serde_json::from_str(json).context("while reading our own report")?;
    Ok(report.findings)
}

/// How many have this verdict.
pub(crate) fn n_with_verdict(findings: &[Found], verdict: catalog::Verdict) -> usize {
    findings.iter().filter(|it| it.verdict == verdict.id()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_come_and_go_are_no_error() {
        let of = |more: &str| {
            let known = r#""kind": "null-deref", "verdict": "manifest", "function": "f", "file": "a.c", "line": 3, "message": "m""#;
            let json = format!(r#"{{"schema": 1, "findings": [{{{known}{more}}}]}}"#);
            parse(&json).unwrap().remove(0)
        };
        assert_eq!((of("").relaxed, of("").assumes), (None, None));
        let new = of(r#", "relaxed": true, "assumes": ["what f() returns"], "other": 1"#);
        assert_eq!((new.relaxed, new.assumes.unwrap().len()), (Some(true), 1));
    }
}
