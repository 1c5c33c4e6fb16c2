//! What of the runs is a finding.

use std::collections::BTreeSet;

use catalog::{Issue, Verdict};
use interp::{Bug, Outcome, Place, Program, Run};
use report::Finding;

use crate::run::execute::Execution;
use crate::run::notes::{self, Notes};
use crate::run::places::Places;
use crate::run::story;

/// What was found so far, in all programs.
#[derive(Default)]
pub(crate) struct Judged {
    /// In order of discovery.
    pub(crate) findings: Vec<Finding>,
    /// Kind, file and line of all findings: the same error in another run is the same finding.
    seen: BTreeSet<(Issue, String, u32)>,
    pub(crate) notes: Notes,
    /// Functions in which a run had to stop.
    pub(crate) gave_up: BTreeSet<String>,
}

/// Judges the runs of one program.
pub(crate) struct Judge<'p> {
    program: &'p Program<'p>,
    places: &'p Places<'p>,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(program: &'p Program<'p>, places: &'p Places<'p>) -> Self {
        Self { program, places }
    }

    /// Adds what these runs show.
    pub(crate) fn judge(&self, executions: &[Execution], judged: &mut Judged) {
        for execution in executions {
            if let Some(doubt) = self.doubt(&execution.run) {
                judged.notes.add(doubt);
                continue;
            }
            for bug in bugs(execution) {
                self.report(bug, execution, judged);
            }
            self.tell_end(execution, judged);
        }
    }

    /// Why nothing that this run shows counts.
    fn doubt(&self, run: &Run) -> Option<String> {
        let events = run.undefined.iter().chain(&run.notes);
        let (what, place) =
            events.filter_map(|event| Some((notes::doubt(event.kind)?, &event.place))).next()?;
        Some(match place.function.as_str() {
            "" => format!("nothing is judged, because of {what}"),
            _ => format!("what happens behind {what} ({}) is not judged", self.places.short(place)),
        })
    }

    fn report(&self, bug: &Bug, execution: &Execution, judged: &mut Judged) {
        let file = self.places.file(&bug.place);
        if !judged.seen.insert((bug.issue, file.clone(), bug.place.line)) {
            return;
        }
        let failed = execution.run.failed_allocations.first();
        let condition =
            failed.map(|failed| format!(", if the allocation in `{}` fails", failed.place.function));
        judged.findings.push(Finding {
            id: String::new(),
            kind: bug.issue,
            verdict: Verdict::Manifest,
            function: bug.place.function.clone(),
            file,
            line: bug.place.line,
            column: bug.place.column,
            message: bug.message.clone() + &condition.unwrap_or_default(),
            condition: "true".to_owned(),
            engine: "interp".to_owned(),
            trace: story::tell(bug, &execution.run, &self.end(&execution.run), self.places),
            cause: None,
        });
    }

    /// Where a run ended. If `main` returned, that is at its only `ret`, or else somewhere in `main`.
    fn end(&self, run: &Run) -> Place {
        if run.end.line != 0 {
            return run.end.clone();
        }
        let Some(main) = self.program.function("main") else { return Place::default() };
        let linked = &self.program.functions()[main];
        let blocks = linked.function.body.iter().flat_map(|body| body.blocks.iter());
        let mut returns = blocks.filter(|block| matches!(block.term, ir::Terminator::Return { .. }));
        let loc = match (returns.next(), returns.next()) {
            (Some(only), None) => only.term_loc,
            _ => linked.function.loc,
        };
        Place { function: "main".to_owned(), ..self.program.place_in(linked.module, loc) }
    }

    /// Notes how a run ended, unless it ended by itself or with an error of the catalog.
    fn tell_end(&self, execution: &Execution, judged: &mut Judged) {
        let short = |place: &Place| self.places.short(place);
        let note = match &execution.run.outcome {
            Outcome::Exited(_) | Outcome::Returned(_) | Outcome::Bug(_) => return,
            Outcome::Aborted { .. } if !execution.is_undisturbed() => return,
            Outcome::Aborted { what, place } => format!("main ends by {what} ({})", short(place)),
            Outcome::Unreachable(place) => {
                format!(
                    "main comes to a point ({}) that the compiler was promised is never reached",
                    short(place)
                )
            }
            Outcome::Fault { fault, place } => {
                format!("main stops with a {} ({})", fault.word(), short(place))
            }
            Outcome::OutOfBudget(budget) => {
                judged.gave_up.insert("main".to_owned());
                format!("main was given up {}", notes::budget(*budget, &execution.options))
            }
            Outcome::Unsupported { what, place } => {
                judged.gave_up.insert(self.linker_name(place));
                match execution.run.unknown_calls.last() {
                    Some(call) => {
                        let (name, place) = (self.pretty(&call.name), short(&call.place));
                        format!("main was followed up to the call of `{name}` ({place}): it is not known")
                    }
                    None => format!("main was followed up to {}: {what}", short(place)),
                }
            }
        };
        judged.notes.add(note);
    }

    /// The name that the user knows a function by.
    fn pretty(&self, linker_name: &str) -> String {
        let Some(function) = self.program.any_function(linker_name) else { return linker_name.to_owned() };
        let linked = &self.program.functions()[function];
        self.program.modules()[linked.module].symbols.resolve(linked.function.pretty).to_owned()
    }

    /// The linker's name of the function that a place is in.
    fn linker_name(&self, place: &Place) -> String {
        let is_it = |name: &str| self.pretty(name) == place.function;
        let found = self.program.functions().iter().find(|linked| is_it(linked.name));
        found.map_or_else(|| place.function.clone(), |linked| linked.name.to_owned())
    }
}

/// The errors of a run that count.
fn bugs(execution: &Execution) -> impl Iterator<Item = &Bug> {
    let run = &execution.run;
    run.outcome.bug().into_iter().chain(&run.leaks).filter(|bug| {
        // An assertion that fails because an allocation did is the programmer's own check of it.
        execution.is_undisturbed() || bug.issue != Issue::AssertFailure
    })
}
