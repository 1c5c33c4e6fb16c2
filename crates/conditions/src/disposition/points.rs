//! Which doomed points are told: those at which somebody wrote something.
//!
//! Every point that is found is doomed in the sense of the definition. But C has points that nobody thinks of
//! as one, and where what dooms them cannot happen:
//!
//! ```c
//! #define GET(v, i) ((i) < (v)->length ? (v)->items[i] : NULL)
//! GET(v, i)->size                                       // the third operand is doomed; but i is never that large
//! for (i = 0; i < N; i++) if (t[i].key == key) break;
//! return t[i].value;                                    // the end of the search is doomed; but the key is there
//! ```
//!
//! Source: Hoenicke et al., FM 2009, §1: a report must be one that no programmer would doubt. Departure: the
//! paper has no macros and no expressions with control flow.

/// What may be asked of a doomed point, given an execution that fails behind it.
pub trait Point {
    /// It is there to end the program, or to say that it is not reached: what it does before is no matter.
    fn is_last_resort(&self) -> bool;
    /// The execution comes to its failure only because a call comes back that may be meant not to.
    fn may_end_before(&self) -> bool;
    /// The failure lies in code that is doomed itself, so that nobody ever gets past it.
    fn fails_itself(&self) -> bool;
    /// The failure is a loop that never ends.
    fn is_endless(&self) -> bool;
    /// It is an edge between blocks, and no block.
    fn is_edge(&self) -> bool;
    /// Somebody wrote a statement there.
    fn is_statement(&self) -> bool;
    /// It is an operand of `&&` or `||`, no decision of its own.
    fn is_part(&self) -> bool;
    /// It tests the very pointer that is null in the end.
    fn is_about_failure(&self) -> bool;
    /// It tests whether a pointer is null.
    fn tests_null(&self) -> bool;
    /// Somebody decided something there.
    fn is_decision(&self) -> bool;
    /// The decision and what it decides about come out of one macro.
    fn is_in_macro(&self) -> bool;
    /// It is the way of those for whom nothing that was tried fits.
    fn is_exhausted(&self) -> bool;
}

/// A row about doomed points.
#[derive(Clone, Copy)]
pub struct Row {
    /// Whether it is about a point.
    pub applies: fn(&dyn Point) -> bool,
    /// Whether the point is told.
    pub is_told: bool,
    /// Why.
    pub because: &'static str,
}

/// Whether an edge might be told, as far as that is seen before anything is asked about it.
pub const EDGES: &[Row] = &[
    Row {
        applies: |it| !it.is_decision(),
        is_told: false,
        because: "on the last operand of `a ? b : NULL` nobody decides",
    },
    Row {
        applies: |it| !it.tests_null() && it.is_part(),
        is_told: false,
        because: "one operand of `&&` or `||` is no decision",
    },
    Row { applies: |it| it.is_in_macro(), is_told: false, because: "a macro decides for all its uses" },
    Row {
        applies: |it| it.is_exhausted(),
        is_told: false,
        because: "nobody wrote code for the end of a search or the default that a `switch` does not have, mostly because it cannot happen",
    },
];

/// Whether a point is told.
pub const POINTS: &[Row] = &[
    Row {
        applies: |it| it.is_last_resort(),
        is_told: false,
        because: "who ends the program there does not care what fails before",
    },
    Row {
        applies: |it| it.may_end_before(),
        is_told: false,
        because: "the handler that is called may be meant not to come back",
    },
    Row {
        applies: |it| it.fails_itself() || it.is_endless(),
        is_told: true,
        because: "nobody gets past the failing line itself",
    },
    Row {
        applies: |it| !it.is_edge() && it.is_statement(),
        is_told: true,
        because: "somebody wrote a statement that always leads to the failure",
    },
    Row { applies: |it| !it.is_edge(), is_told: false, because: "nobody wrote anything there" },
    Row {
        applies: |it| it.is_part() && !it.is_about_failure(),
        is_told: false,
        because: "one operand of `&&` or `||` is no decision, unless it tests the very pointer that is null in the end",
    },
];

/// Whether an edge might be told at all.
pub fn may_be_told(point: &dyn Point) -> bool {
    first(EDGES, point).unwrap_or(true)
}

/// Whether a doomed point is told.
pub fn is_told(point: &dyn Point) -> bool {
    first(POINTS, point).unwrap_or_else(|| may_be_told(point))
}

fn first(rows: &[Row], point: &dyn Point) -> Option<bool> {
    rows.iter().find(|row| (row.applies)(point)).map(|row| row.is_told)
}
