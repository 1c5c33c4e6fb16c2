//! One comment behind `//~`: what must be found, or a step of its story.
//!
//! ```text
//! expectation = [latent | doomed] kind [#label] ["text"] [cause who] [when "condition"]
//! step        = step #label-and-number "text"
//! ```
//! In a text, `\"` is a quotation mark; a backslash before anything else is a backslash.

use std::fmt;

use crate::c::Words;
use crate::report::Shown;

const FORM: &str =
    "an expectation is `//~ [latent | doomed] kind [#label] [\"text\"] [cause who] [when \"condition\"]`";
const STEP_FORM: &str = "a step is `//~ step #label1 \"text\"`, with the label of its finding and its number";

/// How certain a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It can happen whatever the caller does. That has no word of its own.
    #[default]
    Manifest,
    /// `doomed`: no execution survives it.
    Doomed,
    /// `latent`: it needs a caller.
    Latent,
}

impl Verdict {
    /// The verdict that a report calls so; what it calls otherwise is manifest.
    pub fn of(word: &str) -> Verdict {
        [Verdict::Doomed, Verdict::Latent].into_iter().find(|it| it.word() == word).unwrap_or_default()
    }

    fn word(self) -> &'static str {
        match self {
            Verdict::Manifest => "",
            Verdict::Doomed => "doomed",
            Verdict::Latent => "latent",
        }
    }
}

impl fmt::Display for Verdict {
    /// The word and a space, if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        f.write_str(if *self == Verdict::Manifest { "" } else { " " })
    }
}

/// What must be found on a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The line from 1.
    pub line: u32,
    /// How certain it must be.
    pub verdict: Verdict,
    /// The id of the issue.
    pub kind: String,
    /// What its steps are named after.
    pub label: Option<String>,
    /// What the message must contain.
    pub text: Option<String>,
    /// Who makes it happen, in one word.
    pub cause: Option<String>,
    /// When it happens, the whole condition.
    pub when: Option<String>,
    /// The whole story, in the order of time; empty if it is not stated.
    pub steps: Vec<ExpectedStep>,
}

/// What must be a step of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedStep {
    /// The line from 1.
    pub line: u32,
    /// What its message must contain.
    pub text: String,
}

/// What was found, in the words of this crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The line from 1.
    pub line: u32,
    /// How certain it is.
    pub verdict: Verdict,
    /// The id of the issue.
    pub kind: String,
    /// The message.
    pub message: String,
    /// Who makes it happen, in one word.
    pub cause: String,
    /// When it happens.
    pub condition: String,
    /// The whole story, in the order of time.
    pub steps: Vec<FoundStep>,
}

/// A step of the story of what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundStep {
    /// The line from 1; `None` if it is in another file.
    pub line: Option<u32>,
    /// What happens.
    pub message: String,
}

/// What stands behind one `//~`.
pub(crate) enum Comment {
    Finding(Expectation),
    Step { label: String, number: usize, step: ExpectedStep },
}

impl Comment {
    /// Reads a comment about a line.
    pub(crate) fn read(line: u32, comment: &str, words: Words) -> Result<Comment, String> {
        let tokens = tokens(comment)?;
        match tokens.split_first() {
            Some((Token::Word("step"), rest)) => step(line, rest),
            _ => finding(line, &tokens, words).map(Comment::Finding),
        }
    }
}

impl Expectation {
    /// Whether all that is stated is so.
    pub(crate) fn is_met_by(&self, found: &Found) -> bool {
        let (missing, surplus) = self.differences(found);
        self.is_about(found) && missing.is_empty() && surplus.is_empty()
    }

    /// Whether it is the error that is meant, whatever is said of its cause, its condition and its story.
    pub(crate) fn is_about(&self, found: &Found) -> bool {
        let text = self.text.as_deref().unwrap_or("");
        self.line == found.line
            && self.verdict == found.verdict
            && self.kind == found.kind
            && found.message.contains(text)
    }

    /// What is stated and not so of the error that is meant, and what is so instead.
    pub(crate) fn differences(&self, found: &Found) -> (Vec<Shown>, Vec<Shown>) {
        let (mut missing, mut surplus) = (Vec::new(), Vec::new());
        if let Some(cause) = self.cause.as_ref().filter(|cause| **cause != found.cause) {
            missing.push((Some(self.line), format!("cause {cause}")));
            surplus.push((Some(self.line), format!("cause {}", found.cause)));
        }
        if let Some(when) = self.when.as_ref().filter(|when| **when != found.condition) {
            missing.push((Some(self.line), format!("when {}", quoted(when))));
            surplus.push((Some(self.line), format!("when {}", quoted(&found.condition))));
        }
        if self.label.is_none() {
            return (missing, surplus);
        }
        let story = found.story();
        for at in 0..self.steps.len().max(story.len()) {
            let (stated, told) = (self.steps.get(at), story.get(at));
            if let (Some(stated), Some(told)) = (stated, told)
                && Some(stated.line) == told.line
                && told.message.contains(&stated.text)
            {
                continue;
            }
            missing.extend(stated.map(|step| (Some(step.line), self.shown_step(at, &step.text))));
            surplus.extend(told.map(|step| (step.line, self.shown_step(at, &step.message))));
        }
        (missing, surplus)
    }

    fn shown_step(&self, at: usize, text: &str) -> String {
        format!("step #{}{} {}", self.label.as_deref().unwrap_or(""), at + 1, quoted(text))
    }
}

impl Found {
    /// The steps to be stated: not the last one if it only repeats the finding.
    fn story(&self) -> &[FoundStep] {
        match self.steps.split_last() {
            Some((last, before))
                if last.line == Some(self.line) && self.message.starts_with(&last.message) =>
            {
                before
            }
            _ => &self.steps,
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.verdict, self.kind)?;
        self.label.as_ref().map_or(Ok(()), |label| write!(f, " #{label}"))?;
        self.text.as_ref().map_or(Ok(()), |text| write!(f, " {}", quoted(text)))?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, " cause {cause}"))?;
        self.when.as_ref().map_or(Ok(()), |when| write!(f, " when {}", quoted(when)))
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}: {}", self.verdict, self.kind, self.message)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'c> {
    Word(&'c str),
    Text(String),
}

fn tokens(comment: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = comment.trim_start();
    while !rest.is_empty() {
        rest = if let Some(quoted) = rest.strip_prefix('"') {
            let (text, behind) = text(quoted)?;
            tokens.push(Token::Text(text));
            behind
        } else {
            let end = rest.find([' ', '\t', '"']).unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..end]));
            &rest[end..]
        }
        .trim_start();
    }
    Ok(tokens)
}

/// A text up to its quotation mark, and what is behind that.
fn text(quoted: &str) -> Result<(String, &str), String> {
    let is_end = |&(at, _): &(usize, &str)| !quoted[..at].ends_with('\\');
    let (end, _) = quoted.match_indices('"').find(is_end).ok_or("a text ends with `\"`")?;
    match end {
        0 => Err("a text is empty".to_owned()),
        _ => Ok((quoted[..end].replace("\\\"", "\""), &quoted[end + 1..])),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn finding(line: u32, tokens: &[Token<'_>], words: Words) -> Result<Expectation, String> {
    let mut expectation = Expectation { line, ..Expectation::default() };
    let mut rest = tokens;
    if let [Token::Word(word @ ("doomed" | "latent")), behind @ ..] = rest {
        (expectation.verdict, rest) = (Verdict::of(word), behind);
    }
    let [Token::Word(kind), behind @ ..] = rest else { return Err(FORM.to_owned()) };
    (expectation.kind, rest) = ((*kind).to_owned(), behind);
    if let [Token::Word(label), behind @ ..] = rest
        && let Some(label) = label.strip_prefix('#')
    {
        let is_label = !label.is_empty() && label.bytes().all(|it| it.is_ascii_lowercase());
        is_label.then_some(()).ok_or(format!("a label is `#` and small letters, unlike `#{label}`"))?;
        (expectation.label, rest) = (Some(label.to_owned()), behind);
    }
    if let [Token::Text(text), behind @ ..] = rest {
        (expectation.text, rest) = (Some(text.clone()), behind);
    }
    if let [Token::Word("cause"), Token::Word(cause), behind @ ..] = rest {
        (expectation.cause, rest) = (Some((*cause).to_owned()), behind);
    }
    if let [Token::Word("when"), Token::Text(when), behind @ ..] = rest {
        (expectation.when, rest) = (Some(when.clone()), behind);
    }
    match &expectation {
        _ if !rest.is_empty() => Err(FORM.to_owned()),
        Expectation { kind, .. } if !(words.is_kind)(kind) => Err(format!("`{kind}` is no kind of issue")),
        Expectation { cause: Some(cause), .. } if !(words.is_cause)(cause) => {
            Err(format!("`{cause}` is no cause"))
        }
        _ => Ok(expectation),
    }
}

fn step(line: u32, tokens: &[Token<'_>]) -> Result<Comment, String> {
    let [Token::Word(name), Token::Text(text)] = tokens else { return Err(STEP_FORM.to_owned()) };
    let label = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = name[label.len()..].parse().map_err(|_| STEP_FORM)?;
    let label = label.strip_prefix('#').ok_or(STEP_FORM)?.to_owned();
    Ok(Comment::Step { label, number, step: ExpectedStep { line, text: text.clone() } })
}
