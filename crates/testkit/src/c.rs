//! C files that state their findings on the line.
//!
//! ```c
//! // args: --only use-after-free
//! void free_then_write_bad(int *p) { free(p); *p = 1; }            //~ use-after-free
//! void crash_if_set_latent(int c)  { int *p = 0; if (c) *p = 1; }  //~ latent null-deref "`p`"
//! ```
//!
//! An expectation is `//~`, perhaps `latent`, a kind, and perhaps a text that the message contains. Several on one line
//! are several findings. Findings without an expectation fail as well.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::matching::pair;
use crate::names;
use crate::report::{Difference, Mistake, Mistakes, difference};

/// A C file with its expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CTest {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
    /// The options behind `// args:`.
    pub args: Vec<String>,
    /// In the order of the lines.
    pub expected: Vec<Expectation>,
}

/// What must be found on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The line from 1.
    pub line: u32,
    /// Whether the verdict must be latent; else it must not.
    pub latent: bool,
    /// The id of the issue.
    pub kind: String,
    /// What the message must contain.
    pub text: Option<String>,
}

/// What was found, in the words of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The line from 1.
    pub line: u32,
    /// Whether the verdict is latent.
    pub latent: bool,
    /// The id of the issue.
    pub kind: String,
    /// The message.
    pub message: String,
}

impl CTest {
    /// Reads the expectations in `source`; `is_kind` knows the ids of issues.
    ///
    /// A misspelt expectation would be an expectation that is never checked, so all of them are looked at closely, and
    /// so are the promises in the names of functions (see [`names`]).
    pub fn parse(path: &Path, source: &str, is_kind: impl Fn(&str) -> bool) -> Result<CTest, Mistakes> {
        let mut expected = Vec::new();
        let mut mistakes = Vec::new();
        for (line, text) in (1..).zip(source.lines()) {
            for comment in text.split("//~").skip(1) {
                match expectation(line, comment, &is_kind) {
                    Ok(expectation) => expected.push(expectation),
                    Err(message) => mistakes.push(Mistake { line, message }),
                }
            }
            if text.contains("// ~") {
                mistakes.push(Mistake { line, message: "an expectation starts with `//~`".into() });
            }
        }
        mistakes.extend(names::check(source, &expected));
        let args = source.lines().filter_map(|line| line.strip_prefix("// args:"));
        let args = args.flat_map(str::split_whitespace).map(String::from).collect();
        match mistakes.is_empty() {
            true => Ok(CTest { path: path.to_owned(), source: source.to_owned(), args, expected }),
            false => Err(Mistakes { path: path.to_owned(), mistakes }),
        }
    }

    /// Compares with what was found. Each finding answers one expectation of its line.
    pub fn compare(&self, found: &[Found]) -> Result<(), Difference> {
        let left_over = pair(&self.expected, found, Expectation::is_met_by);
        let expected = |index: usize| (self.expected[index].line, self.expected[index].to_string());
        let found = |index: usize| (found[index].line, found[index].to_string());
        difference(&self.path, &self.source, &left_over, expected, found)
    }
}

impl Expectation {
    fn is_met_by(&self, found: &Found) -> bool {
        let text = self.text.as_deref().unwrap_or("");
        self.line == found.line
            && self.latent == found.latent
            && self.kind == found.kind
            && found.message.contains(text)
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.latent { "latent " } else { "" })?;
        f.write_str(&self.kind)?;
        self.text.as_ref().map_or(Ok(()), |text| write!(f, " \"{text}\""))
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let latent = if self.latent { "latent " } else { "" };
        write!(f, "{latent}{}: {}", self.kind, self.message)
    }
}

/// Reads what stands behind `//~`.
fn expectation(line: u32, comment: &str, is_kind: &impl Fn(&str) -> bool) -> Result<Expectation, String> {
    let (words, text) = match comment.split_once('"') {
        None => (comment, None),
        Some((words, quoted)) => match quoted.trim_end().strip_suffix('"') {
            Some(text) if !text.is_empty() => (words, Some(text.to_owned())),
            Some(_) => return Err("the text of an expectation is empty".into()),
            None => return Err("the text of an expectation ends with `\"`, and nothing follows it".into()),
        },
    };
    let words: Vec<&str> = words.split_whitespace().collect();
    let (latent, kind) = match words[..] {
        [kind] => (false, kind),
        ["latent", kind] => (true, kind),
        _ => return Err("an expectation is `//~ [latent] kind [\"text\"]`".into()),
    };
    match is_kind(kind) {
        true => Ok(Expectation { line, latent, kind: kind.to_owned(), text }),
        false => Err(format!("`{kind}` is no kind of issue")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kind(kind: &str) -> bool {
        ["null-deref", "memory-leak"].contains(&kind)
    }

    fn parse(source: &str) -> Result<CTest, String> {
        CTest::parse(Path::new("t.c"), source, is_kind).map_err(|mistakes| mistakes.to_string())
    }

    fn found(line: u32, latent: bool, kind: &str, message: &str) -> Found {
        Found { line, latent, kind: kind.into(), message: message.into() }
    }

    #[test]
    fn expectations_are_read() {
        let source = "// args: --only a,b --latent\nx; //~ null-deref\n\ny; //~ latent memory-leak \"`p` is\" \n\
            z; //~null-deref //~ memory-leak \"a\"\n";
        let test = parse(source).unwrap();
        assert_eq!(test.args, ["--only", "a,b", "--latent"]);
        let shown: Vec<String> = test.expected.iter().map(|it| format!("{} {it}", it.line)).collect();
        assert_eq!(
            shown,
            ["2 null-deref", "4 latent memory-leak \"`p` is\"", "5 null-deref", "5 memory-leak \"a\""]
        );
    }

    #[track_caller]
    fn check_mistake(source: &str, expected: &str) {
        assert_eq!(parse(source).unwrap_err(), format!("t.c:1: {expected}\n"));
    }

    #[test]
    fn misspelt_expectations_are_mistakes() {
        check_mistake("x; //~ null-dref", "`null-dref` is no kind of issue");
        check_mistake("x; //~", "an expectation is `//~ [latent] kind [\"text\"]`");
        check_mistake("x; //~ manifest null-deref", "an expectation is `//~ [latent] kind [\"text\"]`");
        check_mistake("x; // ~ null-deref", "an expectation starts with `//~`");
        check_mistake("x; //~ null-deref \"\"", "the text of an expectation is empty");
        check_mistake(
            "x; //~ null-deref \"p\" too",
            "the text of an expectation ends with `\"`, and nothing follows it",
        );
    }

    #[test]
    fn what_is_expected_and_found_agrees() {
        let test = parse("x; //~ null-deref //~ null-deref \"q\"\ny; //~ latent memory-leak\n").unwrap();
        let all = [
            found(1, false, "null-deref", "`q` is null"),
            found(1, false, "null-deref", "`p` is null"),
            found(2, true, "memory-leak", ""),
        ];
        assert_eq!(test.compare(&all), Ok(()));
    }

    #[test]
    fn missing_and_surplus_findings_differ() {
        let test = parse("  x; //~ null-deref \"q\"\ny; //~ latent memory-leak\n").unwrap();
        let others = [
            found(1, false, "null-deref", "`p` is null"),
            found(2, false, "memory-leak", "`m` is lost"),
            found(9, true, "null-deref", "beyond the end"),
        ];
        let difference = test.compare(&others).unwrap_err().to_string();
        let expected = "t.c:1: missing: null-deref \"q\"\n    | x; //~ null-deref \"q\"\n\
            t.c:1: surplus: null-deref: `p` is null\n    | x; //~ null-deref \"q\"\n\
            t.c:2: missing: latent memory-leak\n    | y; //~ latent memory-leak\n\
            t.c:2: surplus: memory-leak: `m` is lost\n    | y; //~ latent memory-leak\n\
            t.c:9: surplus: latent null-deref: beyond the end\n";
        assert_eq!(difference, expected);
    }
}
