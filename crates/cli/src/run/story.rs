//! How an error came about, step by step.
//!
//! The steps: where the memory came from, which allocation failed, where the memory went, and what used it, each with
//! the calls around it. Calls that were told before are not told again.

use catalog::Issue;
use interp::{BlockInfo, Bug, FailedAllocation, Outcome, Place, Run};
use report::Step;

use crate::run::places::Places;

/// The steps that lead to `bug` in `run`, which ended at `end`.
pub(crate) fn tell(bug: &Bug, run: &Run, end: &Place, places: &Places<'_>) -> Vec<Step> {
    let mut story = Story { places, steps: Vec::new() };
    let block = bug.block.as_ref();
    let is_older = |failed: &&FailedAllocation| block.is_some_and(|block| failed.n_blocks <= block.number);
    let (before, after): (Vec<_>, Vec<_>) = run.failed_allocations.iter().partition(is_older);
    before.into_iter().for_each(|failed| story.fails(failed));
    if let Some(block) = block {
        story.add(&block.allocated, &block.allocated_callers, origin(bug.issue, block));
    }
    after.into_iter().for_each(|failed| story.fails(failed));
    if let Some((block, ended)) = block.and_then(|block| Some((block, block.ended.as_ref()?))) {
        story.add(ended, &block.ended_callers, farewell(bug.issue).to_owned());
    }
    match run.outcome {
        Outcome::Exited(status) => story.add(end, &[], left_over(status)),
        _ => story.add(&bug.place, &bug.callers, climax(bug.issue).to_owned()),
    }
    story.steps
}

struct Story<'s> {
    places: &'s Places<'s>,
    steps: Vec<Step>,
}

impl Story<'_> {
    /// Adds the calls that lead to a place, outermost first, and what happens there.
    fn add(&mut self, place: &Place, callers: &[Place], message: String) {
        let callees = callers.iter().rev().skip(1).chain([place]).map(|callee| &callee.function);
        for (depth, (caller, callee)) in callers.iter().rev().zip(callees).enumerate() {
            let step = self.places.step(caller, depth, format!("calls `{callee}`"));
            if !self.steps.contains(&step) {
                self.steps.push(step);
            }
        }
        self.steps.push(self.places.step(place, callers.len(), message));
    }

    fn fails(&mut self, failed: &FailedAllocation) {
        self.add(&failed.place, &failed.callers, "this allocation fails".to_owned());
    }
}

/// What a block is, at the place where it was made.
fn origin(issue: Issue, block: &BlockInfo) -> String {
    match issue {
        Issue::MemoryLeak | Issue::UseAfterFree | Issue::DoubleFree => {
            format!("allocated here: {} bytes", block.size)
        }
        _ => format!("{} of {} bytes", block.what, block.size),
    }
}

/// How a block ended, at the place where it did.
fn farewell(issue: Issue) -> &'static str {
    match issue {
        Issue::UseAfterScope => "its scope ends here",
        _ => "freed here",
    }
}

/// What is wrong at the end of the program.
fn left_over(status: i32) -> String {
    format!("the program ends with status {status}, and nothing points to the block any more")
}

/// What happens at the place of the error.
fn climax(issue: Issue) -> &'static str {
    match issue {
        Issue::NullDeref => "dereferenced here",
        Issue::UseAfterFree | Issue::UseAfterScope | Issue::UninitRead => "used here",
        Issue::DoubleFree => "freed again here",
        Issue::InvalidFree => "freed here",
        Issue::OutOfBounds => "accessed here",
        Issue::DivByZero => "divided here",
        Issue::AssertFailure => "fails here",
        _ => "happens here",
    }
}
