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
//! int *p = 0; if (x == 2) p = &m;
//! return *p;                                            // the `else` is doomed; but whoever calls it knows what x is
//! ```
//!
//! Edges without code of their own, an `else` or a `default` that is not there, zero rounds of a loop, one
//! operand of `&&`, are no points at all: what fails behind them is a question to the callers, and that is
//! what the engine `split` asks.
//!
//! Source: Hoenicke et al., FM 2009, §1: a report must be one that no programmer would doubt. Departure: the
//! paper has no macros and no expressions with control flow, and its `if` always has an `else`.

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
    /// Somebody wrote a statement there.
    fn is_statement(&self) -> bool;
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
        applies: |it| it.is_statement(),
        is_told: true,
        because: "somebody wrote a statement that always leads to the failure",
    },
];

/// Whether a doomed point is told: not where nobody wrote anything.
pub fn is_told(point: &dyn Point) -> bool {
    POINTS.iter().find(|row| (row.applies)(point)).is_some_and(|row| row.is_told)
}
