//! Errors that triples end in, as callers get them: `er` with its kind, place, cause and story.

use catalog::{Cause, Event, Issue, Verdict, What};
use heap::Made;
use serde::{Deserialize, Serialize};

/// An error at the end of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bug {
    /// The kind.
    pub issue: Issue,
    /// Where it happens: the failing access, the leaking exit.
    pub made: Made,
    /// Where it is reported, if not there: the allocation that leaks.
    pub reported: Option<Made>,
    /// What happens, naming the value.
    pub what: What,
    /// How it came about, in order; without the error itself.
    pub story: Vec<Step>,
    /// How certain it is in the function whose summary this is.
    pub verdict: Verdict,
    /// Who makes it happen.
    pub cause: Cause,
    /// Of a leak that depends on callers: whether it is left to them, who are all known or never let it come to that. Otherwise it is reported there, too.
    pub left: bool,
    /// Of an error that is certain only together with others: the place of the one that is told.
    pub with: Option<Made>,
    /// Of a leak: whether the last pointer to the block is gone before the function ends. What happens then is not said.
    pub lost: bool,
}

/// Bytes of the names in what is said, about.
const TEXT_BYTES: usize = 32;

impl Bug {
    /// Bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Bug>() + self.story.len() * (size_of::<Step>() + TEXT_BYTES) + TEXT_BYTES
    }
}

/// A step of a story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    pub made: Made,
    /// What happens there.
    pub event: Event,
    /// Whether this is where things go wrong, whatever happened before.
    pub fatal: bool,
}

impl Step {
    /// Something that happens.
    pub fn new(made: Made, event: Event) -> Step {
        Step { made, event, fatal: false }
    }

    /// Where things go wrong.
    pub fn fatal(made: Made, event: Event) -> Step {
        Step { made, event, fatal: true }
    }
}

impl Bug {
    /// An error where it happens. How certain it is, is judged later.
    pub fn new(issue: Issue, made: Made, what: What, story: Vec<Step>) -> Bug {
        Bug {
            issue,
            made,
            reported: None,
            what,
            story,
            verdict: Verdict::Latent,
            cause: Cause::Caller,
            left: false,
            with: None,
            lost: false,
        }
    }

    /// Whether it is reported in the function itself, whatever a caller does.
    pub fn is_reported_there(&self) -> bool {
        self.verdict != Verdict::Latent || self.reported.is_some() && !self.left
    }

    /// The same error with other places, such as those that a caller sees.
    pub fn with_places(&self, mut place: impl FnMut(Made) -> Made) -> Bug {
        let story = self.story.iter().map(|step| Step { made: place(step.made), ..step.clone() }).collect();
        Bug {
            made: place(self.made),
            reported: self.reported.map(&mut place),
            with: self.with.map(&mut place),
            story,
            ..self.clone()
        }
    }

    /// The same error as a caller tells of it; `place` is where he sees what happens.
    pub fn through(&self, place: impl FnMut(Made) -> Made) -> Bug {
        let mut bug = Bug { with: None, ..self.clone() }.with_places(place);
        bug.story.iter_mut().for_each(|step| step.fatal = false);
        bug
    }
}
