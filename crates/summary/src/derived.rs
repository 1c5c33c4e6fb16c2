//! Error triples that triples imply without saying them.
//!
//! Source: Le et al. Fig. 3: next to `[x ↦ X * X ↦ V] y := [x] [ok: …]` there are
//! `[x ↦ X ∧ X = nil] … [er: …]` and `[x ↦ X * X ↦̸] … [er: …]`. Each access to a block of a presumption
//! stands for both; the triple up to it, with the reason to fail, is the error triple.

use catalog::{Issue, What};
use heap::{Access, AccessKind, Block, Condition, Kind, Spec};
use term::{Node, TermId, Terms};

use crate::bug::Bug;
use crate::triples::Triples;

/// An error triple that follows from an access of a presumption.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The triple. Its `exit` is meaningless.
    pub spec: Spec,
    /// The error.
    pub bug: Bug,
}

/// All error triples that follow from the accesses of the presumptions: null, and freed.
pub fn derived_errors(triples: &mut Triples) -> Vec<Derived> {
    let mut found: Vec<Derived> = Vec::new();
    for at in 0..triples.specs.len() {
        for pre in 0..triples.specs[at].pre.len() {
            let spec = triples.specs[at].clone();
            let block = &spec.pre[pre];
            let Some(first) = block.accesses.first().cloned() else { continue };
            let body: &Block = &spec.post[base::Id::index(block.block)];
            if body.kind != Kind::Abduced || block.negative {
                continue;
            }
            // In C, `free(NULL)` is no error.
            if first.kind != AccessKind::Free {
                let base = block.base;
                let zero = triples.terms.constant(triples.terms.width(base), 0);
                let is_null = triples.terms.eq(base, zero);
                let null = spec.until(&first, 0).and(is_null, first.made);
                let name = name(&triples.terms, base);
                push(&mut found, Derived { spec: null, bug: null_bug(&first, &name) });
            }
            let freed = spec.until(&first, 0).and_freed(block.base, first.clone(), body.clone());
            let name = name(&triples.terms, block.base);
            push(&mut found, Derived { spec: freed, bug: freed_bug(&first, &name) });
        }
    }
    found
}

/// Those of null, as the accesses imply them, each with its pointer and the conditions of the path up to the access.
pub fn implied_nulls(triples: &Triples) -> impl Iterator<Item = (Bug, TermId, &[Condition])> {
    let accessed = triples.specs.iter().flat_map(|spec| spec.pre.iter().map(move |pre| (spec, pre)));
    accessed.filter_map(|(spec, pre)| {
        let first = pre.accesses.first()?;
        let is_callers = spec.post[base::Id::index(pre.block)].kind == Kind::Abduced && !pre.negative;
        let is_null = is_callers && first.kind != AccessKind::Free;
        let name = name(&triples.terms, pre.base);
        is_null.then(|| (null_bug(first, &name), pre.base, &spec.conditions[..first.n_conditions]))
    })
}

/// How the program calls a pointer. A number that tells variables of one name apart says nothing about one of them alone.
fn name(terms: &Terms, base: TermId) -> String {
    match terms.node(base) {
        Node::Var(var) => terms.name(var).to_owned(),
        _ => terms.show(base).to_string(),
    }
}

fn push(found: &mut Vec<Derived>, derived: Derived) {
    let same = |it: &&Derived| it.bug == derived.bug && it.spec.conditions == derived.spec.conditions;
    if !found.iter().any(|it| same(&it)) {
        found.push(derived);
    }
}

fn null_bug(access: &Access, name: &str) -> Bug {
    let what = What::MayBeNull { pointer: name.to_owned(), used: access.kind.as_use() };
    Bug::new(Issue::NullDeref, access.made, what, Vec::new())
}

fn freed_bug(access: &Access, name: &str) -> Bug {
    let issue = if access.kind == AccessKind::Free { Issue::DoubleFree } else { Issue::UseAfterFree };
    let what = What::MayBeFreed { pointer: name.to_owned(), used: access.kind.as_use() };
    Bug::new(issue, access.made, what, Vec::new())
}
