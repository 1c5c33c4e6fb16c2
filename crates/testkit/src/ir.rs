//! IR files that state what a subject says about them.
//!
//! ```text
//! ; test verify
//! func @f() {
//! entry:
//!   ret i32 1        ;~ L17
//! }
//! ```
//!
//! The first line picks the subject (and may give it arguments). `;~ text` expects a message on its line that contains
//! the text. Messages without an expectation fail as well, so a file without any expects silence.

use std::path::{Path, PathBuf};

use crate::matching::{LeftOver, pair};
use crate::report::{Difference, Mistake, Mistakes, difference};

/// An IR file with its expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrTest {
    /// The file.
    pub path: PathBuf,
    /// Its whole text, which the subject's parser reads too: all that is ours stands in comments.
    pub source: String,
    /// The word behind `; test`.
    pub subject: String,
    /// The words behind the subject.
    pub args: Vec<String>,
    /// In the order of the lines.
    pub expected: Vec<IrExpectation>,
}

/// What must be said about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrExpectation {
    /// The line from 1.
    pub line: u32,
    /// What the message must contain.
    pub text: String,
}

/// What the subject says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The line from 1; `None` if the subject does not know, and then it may answer any expectation.
    pub line: Option<u32>,
    /// The message.
    pub text: String,
}

impl IrTest {
    /// Reads the subject and the expectations.
    pub fn parse(path: &Path, source: &str) -> Result<IrTest, Mistakes> {
        let fail = |line, message: &str| {
            let mistakes = vec![Mistake { line, message: message.into() }];
            Err(Mistakes { path: path.to_owned(), mistakes })
        };
        let first = source.lines().next().unwrap_or("");
        let mut words = first.strip_prefix("; test ").unwrap_or("").split_whitespace().map(String::from);
        let Some(subject) = words.next() else {
            return fail(1, "the first line is `; test SUBJECT`");
        };
        let mut expected = Vec::new();
        for (line, code) in (1..).zip(source.lines()) {
            if code.contains("; ~") {
                return fail(line, "an expectation starts with `;~`");
            }
            for text in code.split(";~").skip(1).map(str::trim) {
                if text.is_empty() {
                    return fail(line, "an expectation has a text: `;~ text`");
                }
                expected.push(IrExpectation { line, text: text.to_owned() });
            }
        }
        let (path, source) = (path.to_owned(), source.to_owned());
        Ok(IrTest { path, source, subject, args: words.collect(), expected })
    }

    /// Compares with what the subject said. Each message answers one expectation.
    pub fn compare(&self, messages: &[Message]) -> Result<(), Difference> {
        let left_over = pair_messages(&self.expected, messages);
        let expected = |index: usize| (Some(self.expected[index].line), self.expected[index].text.clone());
        let found = |index: usize| (messages[index].line, messages[index].text.clone());
        difference(&self.path, &self.source, &left_over, expected, found)
    }
}

fn pair_messages(expected: &[IrExpectation], messages: &[Message]) -> LeftOver {
    pair(expected, messages, |expectation, message| {
        let same_line = message.line.is_none_or(|line| line == expectation.line);
        same_line && message.text.contains(&expectation.text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(source: &str) -> Result<IrTest, String> {
        IrTest::parse(Path::new("t.ir"), source).map_err(|mistakes| mistakes.to_string())
    }

    fn message(line: impl Into<Option<u32>>, text: &str) -> Message {
        Message { line: line.into(), text: text.into() }
    }

    #[test]
    fn subject_and_expectations_are_read() {
        let test = parse("; test verify --strict\nfunc ;~ L1\n\n  ret ;~ L2: no ;~ L3\n").unwrap();
        assert_eq!((test.subject.as_str(), test.args.as_slice()), ("verify", &["--strict".to_owned()][..]));
        let expected: Vec<(u32, &str)> = test.expected.iter().map(|it| (it.line, it.text.as_str())).collect();
        assert_eq!(expected, [(2, "L1"), (4, "L2: no"), (4, "L3")]);
    }

    #[test]
    fn mistakes_are_found() {
        let mistake = |source: &str| parse(source).unwrap_err();
        assert_eq!(mistake(""), "t.ir:1: the first line is `; test SUBJECT`\n");
        assert_eq!(mistake("; test\n"), "t.ir:1: the first line is `; test SUBJECT`\n");
        assert_eq!(mistake("; test x\nret ;~ "), "t.ir:2: an expectation has a text: `;~ text`\n");
        assert_eq!(mistake("; test x\nret ; ~ L1"), "t.ir:2: an expectation starts with `;~`\n");
    }

    #[test]
    fn messages_are_compared() {
        let test = parse("; test x\nret ;~ L1\nbr ;~ L2\n").unwrap();
        assert_eq!(test.compare(&[message(3, "law L2"), message(2, "law L1")]), Ok(()));
        assert_eq!(test.compare(&[message(None, "law L2"), message(None, "law L1")]), Ok(()));
        let difference = test.compare(&[message(2, "law L1"), message(2, "law L2"), message(None, "lost")]);
        let expected = "t.ir: surplus: lost\nt.ir:2: surplus: law L2\n    | ret ;~ L1\n\
            t.ir:3: missing: L2\n    | br ;~ L2\n";
        assert_eq!(difference.unwrap_err().to_string(), expected);
    }
}
