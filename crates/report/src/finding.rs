//! An error as it is reported, and the story that leads to it. The fields are those of the JSON schema; what
//! is skipped there is for who orders, selects and names findings.

use catalog::{Cause, Condition, Evidence, Fate, Issue, Verdict};
use serde::Serialize;

/// An error, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Sixteen hexadecimal digits: the same for the same error, wherever its lines move. Empty until
    /// [`Report::with_files`](crate::Report::with_files) fills it in.
    pub id: String,
    /// What goes wrong.
    pub kind: Issue,
    /// How certain it is.
    pub verdict: Verdict,
    /// Whether it is manifest for callers only whose memory exists; the condition says which.
    pub relaxed: bool,
    /// The function in which the error becomes certain, by the name that the user knows.
    pub function: String,
    /// The file of the place in it.
    pub file: String,
    /// The failing access itself, or the call that passes the fatal value if the access is in a callee; for a leak the
    /// allocation. From 1; 0 if it is not known.
    pub line: u32,
    /// In bytes, from 1; 0 if it is not known.
    pub column: u32,
    /// One sentence that names the value.
    pub message: String,
    /// When it happens, over what a caller can choose. In JSON a C expression: `true` if nothing is asked of the caller.
    #[serde(serialize_with = "in_c")]
    pub condition: Condition,
    /// What it assumes of functions that nobody knows; empty if it rests on none.
    pub assumes: Vec<String>,
    /// Who makes it happen.
    pub cause: Cause,
    /// How we know.
    pub evidence: Evidence,
    /// Who found it: `split`, `merge` or `doomed`.
    pub engine: String,
    /// How it comes about, in the order of time.
    pub trace: Vec<Step>,
    /// The step of the trace at which things go wrong: the allocation that fails or is lost, the assignment of null, the free. If
    /// none is named, it is the first step that is no call.
    #[serde(skip)]
    pub origin: Option<usize>,
    /// What becomes of it.
    #[serde(skip)]
    pub fate: Fate,
    /// What its id is made of.
    #[serde(skip)]
    pub anchor: Anchor,
}

/// What the id of a finding is made of, besides its kind: nothing of it depends on where the project lies, or on who looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// The linker's name of the function. Engines fill it in.
    pub function: String,
    /// The file, as seen from the root of its project. This and the rest is filled in by [`Report::with_files`](crate::Report::with_files).
    pub file: String,
    /// The statement, in its normal form; empty if the source is not there.
    pub statement: Vec<u8>,
    /// The file as debug info names it: it decides between files of one name, and is not in the id.
    pub origin: String,
}

/// A step of the story that leads to an error.
///
/// A call is a step that is followed by a deeper one; the last step is the failure itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Where it happens.
    pub file: String,
    /// From 1; 0 if it is not known.
    pub line: u32,
    /// In bytes, from 1; 0 if it is not known.
    pub column: u32,
    /// The function it happens in.
    pub function: String,
    /// Calls around it: 0 in the function of the finding.
    pub depth: usize,
    /// What happens, such as "calls `f`" or "freed here".
    pub message: String,
}

/// File, line and column.
pub(crate) type Spot<'f> = (&'f str, u32, u32);

impl Finding {
    /// Whether it needs a caller that makes its condition true.
    pub fn is_latent(&self) -> bool {
        self.verdict == Verdict::Latent
    }

    /// Where it is reported.
    pub(crate) fn place(&self) -> Spot<'_> {
        (&self.file, self.line, self.column)
    }

    /// Whether it rests on a value that the analysis lost.
    pub fn is_suspected(&self) -> bool {
        self.evidence == Evidence::Suspected
    }

    /// What findings are sorted by. The trace makes the order total.
    pub fn order(&self) -> impl Ord + '_ {
        let trace: Vec<_> = self.trace.iter().map(|step| (step.place(), step.depth, &step.message)).collect();
        let what = (self.kind.id(), self.verdict, &self.function, &self.message);
        (self.place(), what, &self.condition, &self.engine, trace)
    }
}

impl Step {
    pub(crate) fn place(&self) -> Spot<'_> {
        (&self.file, self.line, self.column)
    }
}

fn in_c<S: serde::Serializer>(condition: &Condition, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(condition)
}
