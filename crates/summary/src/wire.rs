//! Summaries as bytes.
//!
//! Judgment: `decode(encode(s)) = s`, and equal summaries give equal bytes, in every run and on every
//! machine. Bytes of another version are refused, and so is what no encoder wrote: whatever is decoded can be
//! applied without a panic.

use base::Id;
use heap::{Block, Made, Plan, PreBlock, Spec, Status, Vias};
use term::{TermId, Terms};
use thiserror::Error;

use crate::Summary;
use crate::bug::Bug;
use crate::triples::Triples;

/// Changes with every change of what is written.
pub const VERSION: u16 = 2;

/// Why bytes are no summary.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// They are of another version.
    #[error("a summary of version {0}, where {VERSION} is read")]
    Version(u16),
    /// They cannot be read.
    #[error("no summary: {0}")]
    Unreadable(String),
    /// They say what no encoder writes.
    #[error("no summary that could have been written: {0}")]
    Unsound(&'static str),
}

/// The bytes of a summary.
pub fn encode(summary: &Summary) -> Vec<u8> {
    postcard::to_stdvec(&(VERSION, summary))
        .expect("invariant: summaries have no parts that cannot be written")
}

/// The summary that bytes stand for.
pub fn decode(bytes: &[u8]) -> Result<Summary, WireError> {
    let unreadable = |error: postcard::Error| WireError::Unreadable(error.to_string());
    let (version, rest) = postcard::take_from_bytes::<u16>(bytes).map_err(unreadable)?;
    if version != VERSION {
        return Err(WireError::Version(version));
    }
    let (mut summary, rest) = postcard::take_from_bytes::<Summary>(rest).map_err(unreadable)?;
    if !rest.is_empty() {
        return Err(WireError::Unsound("something stands behind it"));
    }
    check(&summary.split)?;
    let Triples { terms, specs, .. } = &summary.split;
    summary.split.plans = specs.iter().map(|spec| Plan::of(terms, spec)).collect();
    Ok(summary)
}

/// Whether everything that is referred to is there.
fn check(triples: &Triples) -> Result<(), WireError> {
    let n_vars = triples.terms.vars().len();
    if [triples.roles.len(), triples.sources.len(), triples.pointers.len()] != [n_vars; 3] {
        return Err(WireError::Unsound("a variable without a role"));
    }
    if !triples.calls.is_well_formed() {
        return Err(WireError::Unsound("a call inside of itself"));
    }
    let checker = Checker { terms: &triples.terms, calls: &triples.calls, n_bugs: triples.bugs.len() };
    let is_sound = triples.sources.iter().flatten().all(|source| checker.made(source.made))
        && triples.specs.iter().all(|spec| checker.spec(spec))
        && triples.bugs.iter().all(|bug| checker.bug(bug));
    if is_sound { Ok(()) } else { Err(WireError::Unsound("something is referred to that is not there")) }
}

struct Checker<'t> {
    terms: &'t Terms,
    calls: &'t Vias,
    n_bugs: usize,
}

impl Checker<'_> {
    fn term(&self, term: TermId) -> bool {
        term.index() < self.terms.len()
    }

    fn condition(&self, term: TermId) -> bool {
        self.term(term) && self.terms.width(term) == 1
    }

    fn terms(&self, terms: impl IntoIterator<Item = TermId>) -> bool {
        terms.into_iter().all(|term| self.term(term))
    }

    fn made(&self, made: Made) -> bool {
        made.via.is_none_or(|via| self.calls.contains(via))
    }

    fn bug(&self, bug: &Bug) -> bool {
        let places = [Some(bug.made), bug.reported, bug.with].into_iter().flatten();
        places.chain(bug.story.iter().map(|step| step.made)).all(|made| self.made(made))
    }

    fn spec(&self, spec: &Spec) -> bool {
        let Spec { pre, conditions, defined, exit, post, results, choices, given, exposed: _ } = spec;
        let ends = match exit {
            heap::Exit::Er(bug) => (*bug as usize) < self.n_bugs,
            heap::Exit::Ok | heap::Exit::NoReturn | heap::Exit::Cut => true,
        };
        ends && conditions.iter().all(|it| self.condition(it.term) && self.made(it.made))
            && defined.iter().all(|&it| self.condition(it))
            && self.terms(results.iter().copied())
            && self.terms(choices.iter().filter_map(|it| it.term()))
            && self.terms(given.iter().map(|it| it.pointer))
            && post.iter().all(|block| self.block(block))
            && pre.len() <= post.len()
            && pre.iter().enumerate().all(|(at, pre)| self.pre(pre, spec, at))
    }

    fn block(&self, block: &Block) -> bool {
        let ended = match block.status {
            Status::Allocated => None,
            Status::Freed(made) | Status::ScopeEnded(made) => Some(made),
        };
        self.terms([block.base].into_iter().chain(block.size))
            && block.cells.iter().all(|cell| self.cell(cell))
            && block.made.into_iter().chain(ended).all(|made| self.made(made))
    }

    fn cell(&self, cell: &heap::Cell) -> bool {
        self.terms([cell.value].into_iter().chain(cell.place.symbolic))
            && (1..=heap::bytes::CELL_BYTES).contains(&cell.bytes)
            && self.terms.width(cell.value) == cell.bytes * 8
    }

    fn pre(&self, pre: &PreBlock, spec: &Spec, at: usize) -> bool {
        pre.block.index() == at
            && self.term(pre.base)
            && pre.cells.iter().all(|cell| self.cell(cell))
            && !pre.accesses.is_empty()
            && pre.accesses.iter().all(|access| {
                self.made(access.made)
                    && self.terms(access.symbolic.into_iter().chain(access.len))
                    && access.n_conditions <= spec.conditions.len()
                    && access.n_choices <= spec.choices.len()
                    && access.n_pre <= spec.pre.len()
            })
    }
}
