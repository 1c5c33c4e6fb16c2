//! What is worth telling and does not stop the run: each thing once per place, with a count.

use rustc_hash::FxHashMap;

use crate::memory::Site;
use crate::program::{FnRef, Program};
use crate::report::{Event, EventKind, Spot, UnknownCall};

/// All events of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    counts: Vec<(EventKind, Site, u64)>,
    known: FxHashMap<(EventKind, Site), usize>,
    unknown: Vec<(FnRef, Site, u64)>,
    known_unknown: FxHashMap<(FnRef, Site), usize>,
}

impl Events {
    /// Counts an event.
    pub(crate) fn record(&mut self, kind: EventKind, site: Site) {
        let next = self.counts.len();
        let index = *self.known.entry((kind, site)).or_insert(next);
        if index == next {
            self.counts.push((kind, site, 0));
        }
        self.counts[index].2 += 1;
    }

    /// Counts a call of an unknown function.
    pub(crate) fn record_unknown(&mut self, function: FnRef, site: Site) {
        let next = self.unknown.len();
        let index = *self.known_unknown.entry((function, site)).or_insert(next);
        if index == next {
            self.unknown.push((function, site, 0));
        }
        self.unknown[index].2 += 1;
    }

    /// The events that are undefined behavior, or all others, in order of first occurrence.
    pub(crate) fn list(&self, program: &Program<'_>, undefined_behavior: bool) -> Vec<Event> {
        let wanted =
            self.counts.iter().filter(|(kind, ..)| kind.is_undefined_behavior() == undefined_behavior);
        wanted.map(|&(kind, site, count)| Event { kind, place: place(program, site), count }).collect()
    }

    /// The calls of unknown functions, in order of first occurrence.
    pub(crate) fn unknown_calls(&self, program: &Program<'_>) -> Vec<UnknownCall> {
        let call = |&(function, site, count): &(FnRef, Site, u64)| UnknownCall {
            name: program.functions()[function].name.to_owned(),
            place: place(program, site),
            count,
        };
        self.unknown.iter().map(call).collect()
    }
}

fn place(program: &Program<'_>, site: Site) -> Spot {
    program.place(site)
}
