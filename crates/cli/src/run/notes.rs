//! What the user should know beside the findings: what was not followed, and why.

use interp::{Budget, EventKind, Options};

/// Sentences, each once, in the order in which they came up.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<String>,
}

impl Notes {
    /// Adds a sentence that was not said before.
    pub(crate) fn add(&mut self, note: String) {
        if !self.list.contains(&note) {
            self.list.push(note);
        }
    }

    /// All sentences.
    pub(crate) fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// Which limit ended a run.
pub(crate) fn budget(budget: Budget, options: &Options) -> String {
    match budget {
        Budget::Steps => format!("after {} instructions", options.max_steps),
        Budget::Depth => "because its calls are nested too deeply".to_owned(),
        Budget::Memory => format!("because it needs more than {} MB of memory", options.max_memory >> 20),
    }
}

/// Why what happens behind an event is not judged; none if it is.
///
/// Findings never rest on arithmetic that C leaves undefined, nor on results that the interpreter made up. Events that
/// belong to an error themselves, such as a pointer that left its object, do not count.
pub(crate) fn doubt(kind: EventKind) -> Option<&'static str> {
    Some(match kind {
        EventKind::SignedOverflow => "a signed overflow, which C leaves undefined",
        EventKind::UnsignedOverflow => "an unsigned overflow that the compiler was promised not to happen",
        EventKind::Inexact => "a loss of bits that the compiler was promised not to happen",
        EventKind::OversizedShift => "a shift by too many bits, which C leaves undefined",
        EventKind::DivisionOverflow => "an overflow in a division, which C leaves undefined",
        EventKind::FloatToInt => "a conversion of a number that does not fit, which C leaves undefined",
        EventKind::AssumeViolated => "a violated promise to the compiler",
        EventKind::CallMismatch => "a call with other arguments than the function takes",
        EventKind::InlineAsm => "inline assembly, whose effect is not known",
        EventKind::Nondet => "an operation that is not modeled",
        EventKind::UndefinedGlobal => "a global variable that no unit defines",
        EventKind::Approximation => "a library function that is modeled only roughly",
        EventKind::PointerOverflow
        | EventKind::Misaligned
        | EventKind::UndefinedArgument
        | EventKind::NullArgument
        | EventKind::Overlap => return None,
    })
}
