//! C files that state their findings on the line.
//!
//! ```c
//! // args: --only use-after-free
//! void free_then_write_bad(int *p) { free(p); *p = 1; }            //~ use-after-free
//! void crash_if_set_latent(int c)  { int *p = 0; if (c) *p = 1; }  //~ latent null-deref "`p`" when "c != 0"
//!
//! void unchecked_bad(void)
//! {
//!     int *p = malloc(sizeof *p); //~ step #a1 "`malloc` returns null"
//!     *p = 1; //~ null-deref #a "`p` is null" cause environment
//!     free(p);
//! }
//! ```
//!
//! An expectation is `//~`, perhaps `latent` or `doomed`, and a kind. It may state more of the finding:
//!
//! - a text that the message contains;
//! - `cause` and who makes it happen;
//! - `when` and the whole condition under which it happens, as in JSON: a C expression, `true` if nothing is asked of the caller;
//! - behind a label such as `#a`, its story: then every step of the trace stands at its own line, as `//~ step`, the label
//!   with the number of the step, and a text that its message contains. The failure itself is no such step if it only
//!   repeats the finding on the finding's line.
//!
//! Several on one line are several findings. What does not fit behind the code has a line of its own below it, as `//~^`.
//! Findings without an expectation fail as well, and so do steps without one once a story is stated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::expectation::{Comment, Expectation, ExpectedStep, Found};
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

/// The words that the caller knows.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Whether it is the id of an issue.
    pub is_kind: fn(&str) -> bool,
    /// Whether it says who makes an error happen.
    pub is_cause: fn(&str) -> bool,
}

impl CTest {
    /// Reads the expectations in `source`.
    ///
    /// A misspelt expectation would be an expectation that is never checked, so all of them are looked at closely, and
    /// so are the promises in the names of functions (see [`names`]).
    pub fn parse(path: &Path, source: &str, words: Words) -> Result<CTest, Mistakes> {
        let mut reader =
            Reader { words, expected: Vec::new(), steps: Vec::new(), mistakes: Vec::new(), last_code: 0 };
        for (line, text) in (1..).zip(source.lines()) {
            reader.line(line, text);
        }
        let Reader { mut expected, steps, mut mistakes, .. } = reader;
        mistakes.extend(attach(&mut expected, steps));
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
        let whole = pair(&self.expected, found, Expectation::is_met_by);
        // What is left over may be the right error with another story.
        let expected: Vec<&Expectation> = whole.missing.iter().map(|&at| &self.expected[at]).collect();
        let found: Vec<&Found> = whole.surplus.iter().map(|&at| &found[at]).collect();
        let near = pair(&expected, &found, |expected, found| expected.is_about(found));
        let shown = |expected: &Expectation| (Some(expected.line), expected.to_string());
        let mut missing: Vec<_> = near.missing.iter().map(|&at| shown(expected[at])).collect();
        let shown = |found: &Found| (Some(found.line), found.to_string());
        let mut surplus: Vec<_> = near.surplus.iter().map(|&at| shown(found[at])).collect();
        for (at, other) in near.pairs {
            let (stated, told) = expected[at].differences(found[other]);
            missing.extend(stated);
            surplus.extend(told);
        }
        difference(&self.path, &self.source, missing, surplus)
    }
}

/// A step with its label and its number, and the line that its comment stands on.
struct Labeled {
    label: String,
    number: usize,
    step: ExpectedStep,
    comment_line: u32,
}

/// What was read so far.
struct Reader {
    words: Words,
    expected: Vec<Expectation>,
    steps: Vec<Labeled>,
    mistakes: Vec<Mistake>,
    /// The last line that is more than expectations.
    last_code: u32,
}

impl Reader {
    fn line(&mut self, line: u32, text: &str) {
        let mut parts = text.split("//~");
        let is_below = parts.next().is_some_and(|code| code.trim().is_empty()) && text.contains("//~");
        if !is_below {
            self.last_code = line;
        }
        for comment in parts {
            if let Err(message) = self.comment(line, comment, is_below) {
                self.mistakes.push(Mistake { line, message });
            }
        }
        if text.contains("// ~") {
            self.mistakes.push(Mistake { line, message: "an expectation starts with `//~`".into() });
        }
    }

    fn comment(&mut self, comment_line: u32, comment: &str, is_below: bool) -> Result<(), String> {
        let comment = match (comment.strip_prefix('^'), is_below) {
            (Some(comment), true) => comment,
            (None, false) => comment,
            (None, true) => return Err("below its line, an expectation starts with `//~^`".to_owned()),
            (Some(_), false) => return Err("`//~^` stands on a line of its own".to_owned()),
        };
        match Comment::read(self.last_code, comment, self.words)? {
            Comment::Finding(expectation) => self.expected.push(expectation),
            Comment::Step { label, number, step } => {
                self.steps.push(Labeled { label, number, step, comment_line });
            }
        }
        Ok(())
    }
}

/// Gives findings their steps.
fn attach(expected: &mut [Expectation], steps: Vec<Labeled>) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    let mut stories: BTreeMap<String, Vec<Labeled>> = BTreeMap::new();
    for step in steps {
        stories.entry(step.label.clone()).or_default().push(step);
    }
    for expectation in expected.iter_mut() {
        let Some(label) = &expectation.label else { continue };
        let Some(mut story) = stories.remove(label) else {
            let message = format!("`#{label}` should have steps, and be the label of one expectation");
            mistakes.push(Mistake { line: expectation.line, message });
            continue;
        };
        story.sort_by_key(|step| step.number);
        if !story.iter().map(|step| step.number).eq(1..=story.len()) {
            let message = format!("the steps of `#{label}` should be numbered from 1 to {}", story.len());
            mistakes.push(Mistake { line: expectation.line, message });
        }
        expectation.steps = story.into_iter().map(|it| it.step).collect();
    }
    for stray in stories.into_values().flatten() {
        let message = format!("there is no finding `#{}`", stray.label);
        mistakes.push(Mistake { line: stray.comment_line, message });
    }
    mistakes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation::{FoundStep, Verdict};

    const WORDS: Words = Words {
        is_kind: |kind| ["null-deref", "memory-leak"].contains(&kind),
        is_cause: |cause| ["program", "caller"].contains(&cause),
    };

    fn parse(source: &str) -> Result<CTest, String> {
        CTest::parse(Path::new("t.c"), source, WORDS).map_err(|mistakes| mistakes.to_string())
    }

    fn found(line: u32, latent: bool, kind: &str, message: &str) -> Found {
        let verdict = if latent { Verdict::Latent } else { Verdict::Manifest };
        Found { line, verdict, kind: kind.into(), message: message.into(), ..Found::default() }
    }

    #[test]
    fn expectations_are_read() {
        let source = "// args: --only a,b --latent\nx; //~ null-deref\n\ny; //~ latent memory-leak \"`p` is\" \n\
            z; //~null-deref //~ memory-leak \"a\"\n\
            //~^ null-deref cause caller //~^ latent null-deref \"p\" cause program when \"p == \\\"x\\\"\" \n";
        let test = parse(source).unwrap();
        assert_eq!(test.args, ["--only", "a,b", "--latent"]);
        let shown: Vec<String> = test.expected.iter().map(|it| format!("{} {it}", it.line)).collect();
        let expected = [
            "2 null-deref",
            "4 latent memory-leak \"`p` is\"",
            "5 null-deref",
            "5 memory-leak \"a\"",
            "5 null-deref cause caller",
            "5 latent null-deref \"p\" cause program when \"p == \\\"x\\\"\"",
        ];
        assert_eq!(shown, expected);
        assert_eq!(test.expected[5].when.as_deref(), Some("p == \"x\""));
    }

    #[track_caller]
    fn check_mistake(source: &str, expected: &str) {
        assert_eq!(parse(source).unwrap_err(), format!("t.c:1: {expected}\n"));
    }

    #[test]
    fn misspelt_expectations_are_mistakes() {
        let form = "an expectation is `//~ [latent | doomed] kind [#label] [\"text\"] [cause who] [when \"condition\"]`";
        check_mistake("x; //~ null-dref", "`null-dref` is no kind of issue");
        check_mistake("x; //~", form);
        check_mistake("x; //~ manifest null-deref", form);
        check_mistake("x; //~ null-deref when \"p\" cause caller", form);
        check_mistake("x; //~ null-deref when p", form);
        check_mistake("x; //~ null-deref \"p\" too", form);
        check_mistake("x; //~ null-deref cause caler", "`caler` is no cause");
        check_mistake("x; // ~ null-deref", "an expectation starts with `//~`");
        check_mistake("x; //~ null-deref \"\"", "a text is empty");
        check_mistake("x; //~ null-deref \"p", "a text ends with `\"`");
        check_mistake("//~ null-deref", "below its line, an expectation starts with `//~^`");
        check_mistake("x; //~^ null-deref", "`//~^` stands on a line of its own");
    }

    #[test]
    fn misspelt_stories_are_mistakes() {
        let form = "a step is `//~ step #label1 \"text\"`, with the label of its finding and its number";
        check_mistake("x; //~ step #a1", form);
        check_mistake("x; //~ step #a \"y\"", form);
        check_mistake("x; //~ step a1 \"y\"", form);
        check_mistake("x; //~ step #a1 \"y\" \"z\"", form);
        check_mistake("x; //~ null-deref #A", "a label is `#` and small letters, unlike `#A`");
        check_mistake("x; //~ null-deref #a", WITHOUT_STEPS);
        check_mistake("x; //~ null-deref #a //~ null-deref #a //~ step #a1 \"y\"", WITHOUT_STEPS);
        check_mistake("x; //~ null-deref //~ step #a1 \"y\"", "there is no finding `#a`");
        let numbers = "the steps of `#a` should be numbered from 1 to 2";
        check_mistake("x; //~ null-deref #a //~ step #a1 \"y\" //~ step #a3 \"z\"", numbers);
        check_mistake("x; //~ null-deref #a //~ step #a1 \"y\" //~ step #a1 \"z\"", numbers);
    }

    const WITHOUT_STEPS: &str = "`#a` should have steps, and be the label of one expectation";

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

    #[test]
    fn cause_and_condition_are_compared() {
        let source = "x; //~ latent null-deref cause caller when \"p == 0\"\n";
        let like = |cause: &str, condition: &str| {
            let (cause, condition) = (cause.to_owned(), condition.to_owned());
            let found = Found { cause, condition, ..found(1, true, "null-deref", "`p` is null") };
            parse(source).unwrap().compare(&[found]).map_err(|it| it.to_string().replace(source, ""))
        };
        assert_eq!(like("caller", "p == 0"), Ok(()));
        let rows =
            |rows: &[&str]| Err(rows.iter().map(|row| format!("t.c:1: {row}\n    | ")).collect::<String>());
        assert_eq!(like("program", "p == 0"), rows(&["missing: cause caller", "surplus: cause program"]));
        assert_eq!(
            like("caller", "p == 0 && n"),
            rows(&["missing: when \"p == 0\"", "surplus: when \"p == 0 && n\""])
        );
    }

    const STORY: &str = "\
p = malloc(4); //~ step #a1 \"returns\"
if (p)
    //~^ step #a2 \"`p` is null\"
    *p; //~ null-deref #a
";

    /// Compares with a finding of which these are the steps.
    fn told(steps: &[(u32, &str)]) -> Result<(), String> {
        let step = |&(line, message): &(u32, &str)| FoundStep {
            line: (line > 0).then_some(line),
            message: message.to_owned(),
        };
        let steps = steps.iter().map(step).collect();
        let found = Found { steps, ..found(4, false, "null-deref", "`p` is null, and that is bad") };
        parse(STORY).unwrap().compare(&[found]).map_err(|it| it.to_string())
    }

    #[test]
    fn a_story_is_told_as_it_is_stated() {
        let (fails, branch) = ((1, "`malloc` returns null"), (2, "`p` is null"));
        assert_eq!(told(&[fails, branch]), Ok(()));
        // The end of the story need not be stated where the finding says it.
        assert_eq!(told(&[fails, branch, (4, "`p` is null")]), Ok(()));
        assert_eq!(
            told(&[fails, branch, (4, "read here")]).unwrap_err(),
            "t.c:4: surplus: step #a3 \"read here\"\n    | *p; //~ null-deref #a\n"
        );
        assert_eq!(told(&[fails]).unwrap_err(), "t.c:2: missing: step #a2 \"`p` is null\"\n    | if (p)\n");
    }

    #[test]
    fn steps_have_their_order_and_their_lines() {
        let (fails, branch) = ((1, "`malloc` returns null"), (2, "`p` is null"));
        let swapped = told(&[branch, fails]).unwrap_err();
        assert_eq!(swapped.lines().filter(|row| row.starts_with("t.c")).count(), 4, "{swapped}");
        let elsewhere = told(&[fails, (0, "`p` is null")]).unwrap_err();
        assert!(elsewhere.starts_with("t.c: surplus: step #a2 \"`p` is null\"\n"), "{elsewhere}");
        let other = told(&[fails, (2, "`q` is null")]).unwrap_err();
        assert!(other.contains("surplus: step #a2 \"`q` is null\""), "{other}");
    }

    /// Where several errors of one kind are on a line, each answers the expectation that tells its story.
    #[test]
    fn a_story_finds_its_error() {
        let source =
            "x; //~ null-deref #a //~ null-deref #b\ny; //~ step #a1 \"first\" //~ step #b1 \"second\"\n";
        let like = |message: &str| {
            let steps = vec![FoundStep { line: Some(2), message: message.to_owned() }];
            Found { steps, ..found(1, false, "null-deref", "`p` is null") }
        };
        assert_eq!(parse(source).unwrap().compare(&[like("second"), like("first")]), Ok(()));
    }
}
