//! Telling a story: events with the calls around them become the steps of a trace.
//!
//! An engine knows of every event through which calls it happened. Told one after the other, the calls would
//! be repeated before each event; here a call is told when it is entered, and not again while the story stays
//! inside of it.

use crate::finding::Step;

/// A place in a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// The file as the user reads it.
    pub file: String,
    /// From 1; 0 if it is not known.
    pub line: u32,
    /// In bytes, from 1; 0 if it is not known.
    pub column: u32,
    /// The function, by the name that the user knows.
    pub function: String,
}

/// A trace in the making.
#[derive(Clone, Debug, Default)]
pub struct Story {
    steps: Vec<Step>,
    /// The calls that the last event was inside of, outermost first.
    open: Vec<Spot>,
}

impl Story {
    /// Nothing happened yet.
    pub fn new() -> Story {
        Story::default()
    }

    /// Tells what happens at `spot` inside of these calls, outermost first; without calls it happens in the function of the finding
    /// itself. Gives the position of the step, for [`Finding::cause`](crate::Finding::cause).
    pub fn tell(&mut self, calls: &[Spot], spot: &Spot, message: &str) -> usize {
        let known = self.open.iter().zip(calls).take_while(|(open, call)| open == call).count();
        let callees = calls.iter().skip(1).chain([spot]).map(|callee| &callee.function);
        for (depth, (call, callee)) in calls.iter().zip(callees).enumerate().skip(known) {
            // What was just told of a call, such as "null is passed here", need not be followed by "calls".
            if !self.steps.last().is_some_and(|last| last.depth == depth && last.is_at(call)) {
                self.push(call, depth, format!("calls `{callee}`"));
            }
        }
        self.open = calls.to_vec();
        self.push(spot, calls.len(), message.to_owned());
        self.steps.len() - 1
    }

    /// The steps, in the order in which they were told.
    pub fn into_trace(self) -> Vec<Step> {
        self.steps
    }

    fn push(&mut self, spot: &Spot, depth: usize, message: String) {
        let Spot { file, line, column, function } = spot.clone();
        self.steps.push(Step { file, line, column, function, depth, message });
    }
}

impl Step {
    fn is_at(&self, spot: &Spot) -> bool {
        (&self.file, self.line, self.column, &self.function)
            == (&spot.file, spot.line, spot.column, &spot.function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(function: &str, line: u32) -> Spot {
        Spot { file: "a.c".to_owned(), line, column: 1, function: function.to_owned() }
    }

    fn told(story: Story) -> Vec<String> {
        let line = |step: Step| format!("{} {} {} {}", step.depth, step.function, step.line, step.message);
        story.into_trace().into_iter().map(line).collect()
    }

    #[test]
    fn calls_are_told_when_they_are_entered() {
        let mut story = Story::new();
        let make = [spot("main", 12)];
        assert_eq!(story.tell(&make, &spot("make", 4), "allocated here"), 1);
        assert_eq!(story.tell(&make, &spot("make", 5), "returned here"), 2);
        assert_eq!(story.tell(&[spot("main", 15), spot("drop", 8)], &spot("give", 2), "freed here"), 5);
        assert_eq!(story.tell(&[spot("main", 15)], &spot("drop", 9), "used here"), 6);
        assert_eq!(story.tell(&[], &spot("main", 16), "used again"), 7);
        assert_eq!(story.tell(&make, &spot("make", 4), "allocated again"), 9);
        let expected = [
            "0 main 12 calls `make`",
            "1 make 4 allocated here",
            "1 make 5 returned here",
            "0 main 15 calls `drop`",
            "1 drop 8 calls `give`",
            "2 give 2 freed here",
            "1 drop 9 used here",
            "0 main 16 used again",
            "0 main 12 calls `make`",
            "1 make 4 allocated again",
        ];
        assert_eq!(told(story), expected);
    }

    #[test]
    fn what_is_told_of_a_call_stands_for_it() {
        let mut story = Story::new();
        story.tell(&[], &spot("main", 12), "null is passed here");
        story.tell(&[spot("main", 12)], &spot("use", 4), "dereferenced here");
        assert_eq!(told(story), ["0 main 12 null is passed here", "1 use 4 dereferenced here"]);
    }
}
