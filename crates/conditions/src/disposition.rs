//! What becomes of an error: the one table of policy.
//!
//! Engines say of an error how certain it is, who makes it happen, how they know, and what else somebody may
//! ask about it ([`Answers`], [`points::Point`]); nothing but the rows here decides what is shown, what is
//! left to callers, and ([`defects`]) what is one defect with what. A rule of thumb is a row, with its
//! reason; the first row that applies counts.
//!
//! Source: the design, §1 (three questions, one table); Le et al., OOPSLA 2022, §2.3 (all that is manifest is
//! reported, and leaks that are latent, too); Hoenicke et al., FM 2009, §2 (what is doomed is worth a
//! report).
//! Departures: those rows that say so.

pub mod defects;
pub mod points;

use catalog::{Cause, Evidence, Fate, Issue, Verdict};

/// What an engine says of an error.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// The kind.
    pub issue: Issue,
    /// How certain it is, by its condition alone.
    pub verdict: Verdict,
    /// Who makes it happen.
    pub cause: Cause,
    /// How we know.
    pub evidence: Evidence,
    /// What else may be asked.
    pub around: Circumstances,
}

/// The circumstances of an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Circumstances {
    /// The program begins with its function.
    pub is_in_main: bool,
    /// In `main`, it needs something of variables that constructors ran over, or of functions that nobody knows: that is not the environment's choice.
    pub rests_on_others: bool,
    /// An assertion says that its function must not be called, whatever it is given.
    pub must_not_be_called: bool,
    /// An assertion fails only if unknown code does something that the programmer says it never does.
    pub contradicts_belief: bool,
    /// It happens in a callee.
    pub is_in_callee: bool,
    /// It is about something that its own function has: a block that it allocates.
    pub is_about_own: bool,
    /// It follows from an access to memory of the caller alone.
    pub is_implied: bool,
    /// All calls of its function are in the project.
    pub has_known_callers: bool,
    /// The project calls its function somewhere.
    pub is_called: bool,
    /// Contents of memory of the callers that it depends on.
    pub n_asked: usize,
    /// It needs an argument to be null for which only callees look.
    pub needs_missing_argument: bool,
    /// The function was analyzed for calls of a special shape.
    pub is_special: bool,
}

/// Contents of memory of callers that a leak may depend on, if the project calls the function.
const MEMBERS_OF_CALLERS: usize = 1;

/// The same if nobody is known to call it.
const MEMBERS_OF_ANYBODY: usize = 5;

/// A row of a table.
#[derive(Clone, Copy)]
pub struct Row<D> {
    /// Whether it is about an error.
    pub applies: fn(&Answers) -> bool,
    /// What it decides.
    pub then: D,
    /// Why.
    pub because: &'static str,
}

/// How certain an error is, where its condition alone does not tell.
pub const VERDICTS: &[Row<Verdict>] = &[
    Row {
        applies: |it| it.around.contradicts_belief,
        then: Verdict::Latent,
        because: "who writes `assert(f() > 0)` says that `f` does so; that it may do otherwise is no error of his",
    },
    Row {
        applies: |it| it.evidence == Evidence::Suspected,
        then: Verdict::Latent,
        because: "what rests on a value that was lost is certain for nobody",
    },
    Row {
        applies: |it| it.around.must_not_be_called,
        then: Verdict::Latent,
        because: "that a function must not be called is for its callers to know",
    },
];

/// What becomes of an error.
pub const FATES: &[Row<Fate>] = &[
    Row {
        applies: |it| it.evidence == Evidence::Suspected && !is_of_memory(it.issue),
        then: Fate::Forgotten,
        because: "what is asserted of values that were lost, or computed from them, means nothing",
    },
    Row {
        applies: |it| is_latent(it) && it.evidence == Evidence::Proved && is_of_some_run(&it.around),
        then: Fate::Shown,
        because: "nobody calls `main`: what it needs is the environment's doing, in some run of the program",
    },
    Row {
        applies: |it| is_latent(it) && it.around.is_in_callee && !it.around.is_about_own,
        then: Fate::Forgotten,
        because: "what depends on callers in a callee, and still does so here, is the callee's finding",
    },
    Row {
        applies: |it| it.around.is_implied,
        then: Fate::OnRequest,
        because: "that a caller may pass null, or memory that was freed, is said by every access",
    },
    Row {
        applies: |it| is_latent(it) && it.issue.is_leak() && it.evidence == Evidence::Suspected,
        then: Fate::LeftToCallers,
        because: "who maintains the code has more to lose from a wrong report than from a missing one",
    },
    Row {
        applies: |it| is_latent(it) && it.issue.is_leak() && it.around.has_known_callers,
        then: Fate::LeftToCallers,
        because: "all callers are known: it is told of those who make it certain",
    },
    Row {
        applies: |it| is_latent(it) && it.issue.is_leak() && is_demanding(it),
        then: Fate::LeftToCallers,
        because: "mostly there is no state of a structure that fits several of its members: whoever makes the structure sees to that (cause K of the triage)",
    },
    Row {
        applies: |it| is_latent(it) && it.issue.is_leak() && it.around.needs_missing_argument,
        then: Fate::LeftToCallers,
        because: "callees that look whether an argument is null are careful; nobody passes null",
    },
    Row {
        applies: |it| is_latent(it) && it.issue.is_leak(),
        then: Fate::Shown,
        because: "in C anybody may call the function (Le et al., §2.3)",
    },
    Row {
        applies: is_latent,
        then: Fate::OnRequest,
        because: "it needs a caller that does something wrong; who does is told",
    },
    Row { applies: |_| true, then: Fate::Shown, because: "no caller can prevent it" },
];

/// Whether callers hear of an error in the summary.
pub const TOLD: &[Row<bool>] = &[
    Row {
        applies: |it| it.evidence == Evidence::Suspected,
        then: false,
        because: "callers cannot find out what was lost",
    },
    Row {
        applies: |it| it.around.is_special,
        then: true,
        because: "a special summary is for callers alone: nothing is reported of it",
    },
    Row { applies: |it| !is_latent(it), then: false, because: "it is reported here" },
    Row {
        applies: |it| it.around.is_about_own && fate(it) == Fate::Shown,
        then: false,
        because: "it is reported here, whatever callers do",
    },
    Row { applies: |_| true, then: true, because: "it depends on them" },
];

/// How certain an error is.
pub fn verdict(answers: &Answers) -> Verdict {
    first(VERDICTS, answers).unwrap_or(answers.verdict)
}

/// What becomes of an error.
pub fn fate(answers: &Answers) -> Fate {
    first(FATES, answers).unwrap_or(Fate::Shown)
}

/// Whether callers hear of an error.
pub fn is_told(answers: &Answers) -> bool {
    first(TOLD, answers).unwrap_or(true)
}

/// Whether losing a block of a family is an error of which anything is said.
pub fn is_reported(leak: Issue) -> bool {
    // Files and other resources have states of their own; they come with typestate.
    leak == Issue::MemoryLeak
}

fn first<D: Copy>(rows: &[Row<D>], answers: &Answers) -> Option<D> {
    rows.iter().find(|row| (row.applies)(answers)).map(|row| row.then)
}

fn is_of_some_run(around: &Circumstances) -> bool {
    around.is_in_main && !around.rests_on_others && !around.contradicts_belief
}

fn is_latent(answers: &Answers) -> bool {
    answers.verdict == Verdict::Latent
}

fn is_of_memory(issue: Issue) -> bool {
    let of_memory = [Issue::NullDeref, Issue::UseAfterFree, Issue::DoubleFree, Issue::InvalidFree];
    issue.is_leak() || of_memory.contains(&issue)
}

fn is_demanding(answers: &Answers) -> bool {
    let around = &answers.around;
    around.n_asked > if around.is_called { MEMBERS_OF_CALLERS } else { MEMBERS_OF_ANYBODY }
}
