//! Printing what an oracle tells while it works.

use std::collections::BTreeMap;

use report::Finding;
use theorem::Event;
use theorem::promises::Violation;

/// Violations of one kind that are told in full.
const MAX_TOLD: usize = 10;

/// Prints what an oracle tells.
pub(crate) struct Teller {
    /// Whether everything is told, or only what is wrong.
    is_full: bool,
    /// What was told of what is wrong, by kind.
    told: BTreeMap<&'static str, usize>,
}

impl Teller {
    pub(crate) fn new(is_full: bool) -> Teller {
        Teller { is_full, told: BTreeMap::new() }
    }

    pub(crate) fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Programs(text) if self.is_full => println!("{text}"),
            Event::Triple { function, triple } if self.is_full => println!("{function}: {triple}"),
            Event::MissedError { function, cause, met } if self.is_full => {
                println!("MISSED ({cause}) in {function}: {met}");
            }
            Event::Programs(_) | Event::Triple { .. } | Event::MissedError { .. } => {}
            Event::Finding(Finding { file, line, verdict, kind, message, .. }) => {
                println!("{file}:{line}: {verdict} {kind}: {message}");
            }
            Event::Broken { seed, violation: Violation { kind, text } } => {
                self.bounded(kind, &format!("VIOLATION ({kind}) in seed {seed}: {text}"));
            }
            Event::Passed(how) => self.bounded("a doomed point is passed", &format!("VIOLATION: {how}")),
            Event::MissedPoint { seed, function, point } => {
                self.bounded(
                    "a doomed point is missed",
                    &format!("MISSED in seed {seed}: {function}, {point:?}"),
                );
            }
        }
    }

    fn bounded(&mut self, kind: &'static str, text: &str) {
        let told = self.told.entry(kind).or_default();
        if *told < MAX_TOLD {
            *told += 1;
            println!("{text}");
        }
    }
}
