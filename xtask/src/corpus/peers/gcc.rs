//! GCC's analyzer; version 12 writes its messages as JSON to the standard error output. What other warnings
//! say is left out.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::tool::Said;

pub(crate) const OPTIONS: &[&str] = &["-fanalyzer", "-fdiagnostics-format=json", "-c"];

/// What the options of the analyzer begin with.
const PREFIX: &str = "-Wanalyzer-";

#[derive(Deserialize)]
struct Diagnostic {
    kind: String,
    message: String,
    #[serde(default)]
    option: String,
    #[serde(default)]
    locations: Vec<Location>,
}

#[derive(Deserialize)]
struct Location {
    caret: Option<Caret>,
}

#[derive(Deserialize)]
struct Caret {
    file: String,
    line: u32,
}

pub(crate) fn parse(messages: &str) -> Result<Vec<Said>> {
    // The driver may add lines of its own behind what the compiler wrote.
    let line = messages.lines().find(|line| line.starts_with('['));
    let line = line.context("gcc should have written JSON")?;
    let diagnostics: Vec<Diagnostic> = serde_json::from_str(line).context("while reading gcc's messages")?;
    let is_error = |it: &&Diagnostic| it.kind == "error" || it.kind == "fatal error";
    if let Some(error) = diagnostics.iter().find(is_error) {
        bail!("{}", error.message);
    }
    Ok(diagnostics.into_iter().filter_map(said).collect())
}

fn said(diagnostic: Diagnostic) -> Option<Said> {
    let check = diagnostic.option.strip_prefix(PREFIX)?.to_owned();
    let caret = diagnostic.locations.into_iter().find_map(|location| location.caret)?;
    Some(Said { file: caret.file, line: caret.line, check, message: diagnostic.message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_analyzer_counts() {
        let text = r#"[{"kind": "warning", "message": "leak of 'p' [CWE-401]", "option": "-Wanalyzer-malloc-leak", "children": [],
            "locations": [{"caret": {"file": "src/x.c", "line": 7, "column": 3}}], "path": []},
            {"kind": "warning", "message": "unused", "option": "-Wunused", "children": [],
            "locations": [{"caret": {"file": "src/x.c", "line": 9}}]}]"#;
        let expected = Said::new("src/x.c", 7, "malloc-leak", "leak of 'p' [CWE-401]");
        assert_eq!(parse(&text.replace('\n', " ")).unwrap(), [expected]);
        assert!(parse("[]\ncompilation done\n").unwrap().is_empty());
    }

    #[test]
    fn a_unit_with_an_error_was_not_looked_at() {
        let text =
            r#"[{"kind": "fatal error", "message": "no.h: No such file", "children": [], "locations": []}]"#;
        assert_eq!(parse(text).unwrap_err().to_string(), "no.h: No such file");
        assert!(parse("gcc: fatal error: Killed signal terminated program cc1").is_err());
    }
}
