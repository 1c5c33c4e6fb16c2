//! What the user could say of functions of which nothing is known: proposals for `indict.toml`.
//!
//! Candidates are the functions without body and model that paths went through. What is proposed rests on how
//! the project uses them ([`evidence`]): a result that is freed was allocated; a function behind which a
//! pointer is dereferenced that was null before it does not return. Names alone prove nothing; what rests on
//! a name is marked as uncertain ([`propose`]).
//!
//! Not covered: results that are kept in members and freed from there; calls through pointers.

mod evidence;
mod flow;
mod propose;
mod words;

use std::collections::BTreeMap;

use crate::callgraph::Node;
use crate::project::Project;
use evidence::Evidence;

/// What could be written about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The function, by the name that the linker knows.
    pub name: String,
    /// The name that the user knows.
    pub pretty: String,
    /// The lines of the `[[fn]]` row below its name; none if nothing can be concluded.
    pub lines: Vec<String>,
    /// Whether the way in which the project uses it leaves little doubt.
    pub certain: bool,
    /// What speaks for it, as sentences.
    pub reasons: Vec<String>,
    /// What is lost there.
    pub lost: Lost,
}

/// How much precision is lost through a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lost {
    /// Findings whose story goes through it.
    pub findings: usize,
    /// How often a path went through it: its result, and the memory behind the pointers that it is given, may
    /// then be anything.
    pub paths: usize,
    /// Places that call it.
    pub sites: usize,
    /// Functions that call it.
    pub callers: usize,
}

/// What an analysis could not see of a project, and what others know of its functions.
#[derive(Clone, Debug, Default)]
pub struct Gaps<'g> {
    /// Functions of which nothing is known, with how often paths went through each.
    pub unknown: BTreeMap<Node, usize>,
    /// What models say of functions.
    pub known: BTreeMap<Node, Known>,
    /// By name: the findings whose story mentions it.
    pub mentioned: BTreeMap<&'g str, usize>,
}

/// What a model says of a function, as far as it tells something about others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The positions of the arguments that it frees, with the family; ascending.
    pub frees: Vec<(usize, String)>,
    /// The family of the memory that it returns.
    pub allocates: Option<String>,
    /// Somebody said already that its result is not null.
    pub never_null: bool,
}

/// Proposals for functions of which nothing is known: the certain ones first, then those through which most
/// is lost.
pub fn suggest(project: &Project, gaps: &Gaps<'_>) -> Vec<Proposal> {
    let all = evidence::collect(project, gaps);
    let mut proposals: Vec<Proposal> = all
        .iter()
        .map(|(node, evidence)| {
            // Messages call what is not defined by the linker's name.
            let mentioned = |name: &String| gaps.mentioned.get(name.as_str()).copied().unwrap_or(0);
            let lost = Lost {
                findings: mentioned(&evidence.name).max(mentioned(&evidence.pretty)),
                paths: gaps.unknown.get(node).copied().unwrap_or(0),
                sites: evidence.sites,
                callers: evidence.callers,
            };
            propose::propose(evidence, &all, lost)
        })
        .collect();
    let rank = |it: &Proposal| (it.certain, !it.lines.is_empty(), it.lost);
    proposals.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.name.cmp(&b.name)));
    proposals
}

type AllEvidence = BTreeMap<Node, Evidence>;
