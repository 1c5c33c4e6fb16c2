//! Clang's analyzer, with the checkers that its driver turns on; it writes SARIF.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::tool::Said;

pub(crate) const OPTIONS: &[&str] = &["--analyze", "-Xclang", "-analyzer-output=sarif"];

#[derive(Deserialize)]
struct Sarif {
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    results: Vec<Reported>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reported {
    rule_id: String,
    message: Message,
    locations: Vec<Location>,
}

#[derive(Deserialize)]
struct Message {
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Deserialize)]
struct Artifact {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

pub(crate) fn parse(written: &str) -> Result<Vec<Said>> {
    let sarif: Sarif = serde_json::from_str(written).context("clang should have written SARIF")?;
    let results = sarif.runs.into_iter().flat_map(|run| run.results);
    Ok(results.filter_map(said).collect())
}

fn said(reported: Reported) -> Option<Said> {
    let place = reported.locations.into_iter().next()?.physical_location;
    Some(Said {
        file: path(&place.artifact_location.uri),
        line: place.region.start_line,
        check: reported.rule_id,
        message: reported.message.text,
    })
}

/// The path in a URI of a file.
fn path(uri: &str) -> String {
    let escaped = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::new();
    let mut rest = escaped.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_its_place_and_checker() {
        let text = r#"{"version": "2.1.0", "runs": [{"artifacts": [], "results": [{
            "ruleId": "core.NullDereference", "level": "warning", "message": {"text": "Dereference of null"},
            "locations": [{"physicalLocation": {"artifactLocation": {"index": 0, "uri": "file:///w/a%2Bb/x.c"},
                "region": {"startLine": 12, "startColumn": 3, "endColumn": 3}}}]
        }]}]}"#;
        let expected = Said::new("/w/a+b/x.c", 12, "core.NullDereference", "Dereference of null");
        assert_eq!(parse(text).unwrap(), [expected]);
    }

    #[test]
    fn what_is_no_sarif_is_an_error() {
        assert!(parse("").is_err());
        assert!(parse(r#"{"runs": [{"results": []}]}"#).unwrap().is_empty());
    }
}
