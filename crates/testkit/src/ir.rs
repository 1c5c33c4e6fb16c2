//! IR files that state what a subject says about them.
//!
//! ```text
//! // test split: loads of Fig. 3: the cell behind the pointer is presumed.
//! func @get(ptr) -> (i32) {
//! b0(v0: ptr p):
//!   v1: i32 = load v0 align 4
//!   return v1
//! }
//! //~ presumes p -> {0: *p}
//! //~ ok       returns *p
//! ```
//!
//! The first line picks the subject and says in a sentence what the file is about. Lines that begin with `//~` are what the
//! subject says about what stands above them: all of it, in order. A missing, a surplus and a different line fail.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::report::{Mistake, Mistakes};

/// How a line of an expectation begins.
const EXPECTED: &str = "//~";

/// An IR file with its expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrTest {
    /// The file.
    pub path: PathBuf,
    /// Its whole text, which the subject's parser reads too: all that is ours stands in comments.
    pub source: String,
}

/// What the subject says about a place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The line from 1 below which it is said.
    pub line: u32,
    /// Any number of lines.
    pub text: String,
}

impl IrTest {
    /// Reads a file about a subject.
    pub fn parse(path: &Path, source: &str, subject: &str) -> Result<IrTest, Mistakes> {
        let mut mistakes = Vec::new();
        let mut mistake = |line: usize, message: String| {
            mistakes.push(Mistake { line: line as u32, message });
        };
        let start = format!("// test {subject}: ");
        if source.lines().next().and_then(|line| line.strip_prefix(&start)).is_none_or(str::is_empty) {
            mistake(1, format!("the first line is `{start}a sentence`"));
        }
        for (number, line) in (1..).zip(source.lines()) {
            if line.contains("// ~") || line.contains(EXPECTED) && !is_expectation(line) {
                mistake(number, format!("an expectation is a line that begins with `{EXPECTED}`"));
            }
        }
        match mistakes.is_empty() {
            true => Ok(IrTest { path: path.to_owned(), source: source.to_owned() }),
            false => Err(Mistakes { path: path.to_owned(), mistakes }),
        }
    }

    /// Compares with what the subject said.
    pub fn compare(&self, said: &[Said]) -> Result<(), IrDifference> {
        let (expected, found) = (self.source.clone(), self.blessed(said));
        match expected == found {
            true => Ok(()),
            false => Err(IrDifference { path: self.path.clone(), expected, found }),
        }
    }

    /// The file as it would be if all that is said were expected.
    pub fn blessed(&self, said: &[Said]) -> String {
        let mut text = String::new();
        for (number, line) in (1..).zip(self.source.lines()) {
            if !is_expectation(line) {
                text.push_str(&format!("{line}\n"));
            }
            for said in said.iter().filter(|it| it.line == number).flat_map(|it| it.text.lines()) {
                text.push_str(format!("{EXPECTED} {said}").trim_end());
                text.push('\n');
            }
        }
        text
    }
}

fn is_expectation(line: &str) -> bool {
    line.starts_with(EXPECTED)
}

/// How what was said differs from what was expected: two texts of the file, of which only expectations differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrDifference {
    path: PathBuf,
    expected: String,
    found: String,
}

impl fmt::Display for IrDifference {
    /// Below the line that something is said about: all of it, with `-` before what is missing and `+` before what is surplus.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, found) = (blocks(&self.expected), blocks(&self.found));
        for ((number, line, expected), (_, _, found)) in expected.iter().zip(&found) {
            if expected == found {
                continue;
            }
            writeln!(f, "{}:{number}: not what is said about `{line}`", self.path.display())?;
            for (sign, text) in differing(expected, found) {
                writeln!(f, "  {sign} {text}")?;
            }
        }
        writeln!(f, "BLESS=1 accepts what is said; read the difference before you commit it")
    }
}

impl std::error::Error for IrDifference {}

/// The lines of the code with their numbers, each with the expectations below it.
fn blocks(text: &str) -> Vec<(u32, &str, Vec<&str>)> {
    let mut blocks: Vec<(u32, &str, Vec<&str>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match blocks.last_mut().filter(|_| is_expectation(line)) {
            Some((_, _, expectations)) => expectations.push(line),
            None => blocks.push((number, line, Vec::new())),
        }
    }
    blocks
}

/// All lines of two texts, with a sign before those that only one has: a longest common part has none.
fn differing<'t>(expected: &[&'t str], found: &[&'t str]) -> Vec<(char, &'t str)> {
    // By numbers of lines left out in front: how many lines the rests have in common.
    let mut common = vec![vec![0; found.len() + 1]; expected.len() + 1];
    for one in (0..expected.len()).rev() {
        for other in (0..found.len()).rev() {
            common[one][other] = match expected[one] == found[other] {
                true => common[one + 1][other + 1] + 1,
                false => common[one + 1][other].max(common[one][other + 1]),
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut lines = Vec::new();
    while one < expected.len() || other < found.len() {
        let missing = expected.get(one);
        let surplus = found.get(other);
        match (missing, surplus) {
            (Some(line), Some(same)) if line == same => {
                lines.push((' ', *line));
                (one, other) = (one + 1, other + 1);
            }
            (Some(line), _) if surplus.is_none() || common[one + 1][other] >= common[one][other + 1] => {
                lines.push(('-', *line));
                one += 1;
            }
            (_, Some(line)) => {
                lines.push(('+', *line));
                other += 1;
            }
            _ => unreachable!("invariant: one of both has a line"),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "// test x: a sentence.\nfunc\n}\n//~ one\n//~ two\n//~\n//~ three\nfunc\n}\n";

    fn parse(source: &str) -> Result<IrTest, String> {
        IrTest::parse(Path::new("t.ir"), source, "x").map_err(|mistakes| mistakes.to_string())
    }

    fn said(line: u32, text: &str) -> Said {
        Said { line, text: text.into() }
    }

    #[test]
    fn mistakes_are_found() {
        let first = "t.ir:1: the first line is `// test x: a sentence`\n";
        for source in
            ["", "// test x\n", "// test x: \n", "// test y: a sentence.\n", "; test x: a sentence.\n"]
        {
            assert_eq!(parse(source).unwrap_err(), first);
        }
        let place = "t.ir:2: an expectation is a line that begins with `//~`\n";
        for line in ["ret //~ one", "  //~ one", "// ~ one"] {
            assert_eq!(parse(&format!("// test x: a sentence.\n{line}\n")).unwrap_err(), place);
        }
    }

    #[test]
    fn all_that_is_said_is_compared() {
        let test = parse(FILE).unwrap();
        assert_eq!(test.compare(&[said(3, "one\ntwo\n\nthree\n")]), Ok(()));
        assert_eq!(test.compare(&[said(3, "one\ntwo"), said(3, "\nthree"), said(9, "")]), Ok(()));
        for wrong in ["", "one\ntwo\n\n", "one\ntwo\nthree", "two\none\n\nthree", "one\ntwo\n\nthree\nfour"] {
            assert!(test.compare(&[said(3, wrong)]).is_err(), "{wrong:?} is something else");
        }
        assert!(test.compare(&[said(2, "one\ntwo\n\nthree")]).is_err(), "another line");
        assert!(test.compare(&[said(3, "one\ntwo\n\nthree"), said(9, "four")]).is_err(), "one more");
    }

    #[test]
    fn differences_are_shown_where_they_are() {
        let test = parse(FILE).unwrap();
        let difference = test.compare(&[said(3, "one\n2\n\nthree"), said(9, "four")]).unwrap_err();
        let expected = "t.ir:3: not what is said about `}`\n    //~ one\n  - //~ two\n  + //~ 2\n    //~\n    //~ three\n\
            t.ir:9: not what is said about `}`\n  + //~ four\n\
            BLESS=1 accepts what is said; read the difference before you commit it\n";
        assert_eq!(difference.to_string(), expected);
    }

    #[test]
    fn what_is_blessed_is_expected() {
        let said = [said(2, "in the middle"), said(9, "new\n\nlines")];
        let blessed = parse(FILE).unwrap().blessed(&said);
        assert_eq!(
            blessed,
            "// test x: a sentence.\nfunc\n//~ in the middle\n}\nfunc\n}\n//~ new\n//~\n//~ lines\n"
        );
    }
}
