//! What a user may ask to see, or not to see, by one word.

use crate::issues::Issue;
use crate::verdict::Verdict;

/// What a user names to see it or not to see it: a kind of error, or all that is doomed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// All findings of a kind.
    Kind(Issue),
    /// All findings with the verdict [`Verdict::Doomed`], whatever their kind.
    Doomed,
}

impl Choice {
    /// All there are, in the order of the table of kinds.
    pub fn all() -> impl Iterator<Item = Choice> {
        Issue::ALL.iter().copied().map(Choice::Kind).chain([Choice::Doomed])
    }

    /// The choice with that word, if there is one.
    pub fn from_id(id: &str) -> Option<Choice> {
        Choice::all().find(|choice| choice.id() == id)
    }

    /// The word that names it.
    pub fn id(self) -> &'static str {
        match self {
            Choice::Kind(issue) => issue.id(),
            Choice::Doomed => Verdict::Doomed.id(),
        }
    }

    /// The whole document about it, in Markdown.
    pub fn doc(self) -> &'static str {
        match self {
            Choice::Kind(issue) => issue.doc(),
            Choice::Doomed => include_str!("../verdicts/doomed.md"),
        }
    }

    /// Whether it is about findings of that kind and verdict. Dead code is no error, and nobody means it who
    /// does not name it.
    pub fn is_about(self, issue: Issue, verdict: Verdict) -> bool {
        match self {
            Choice::Kind(kind) => kind == issue,
            Choice::Doomed => verdict == Verdict::Doomed && !issue.is_on_request(),
        }
    }
}
