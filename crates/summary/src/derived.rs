//! Error triples that triples imply without saying them.
//!
//! Source: Le et al. Fig. 3: next to `[x ↦ X * X ↦ V] y := [x] [ok: …]` there are `[x ↦ X ∧ X = nil] … [er: …]` and `[x ↦ X * X ↦̸] … [er: …]`. Each access to a block
//! of a presumption stands for both; the triple up to it, with the reason to fail, is the error triple.

use catalog::Issue;
use heap::{Access, AccessKind, Block, Kind, Spec};
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
    let message = format!("`{name}` may be null and is {}", access.kind.done());
    bug(Issue::NullDeref, access, message)
}

fn freed_bug(access: &Access, name: &str) -> Bug {
    match access.kind {
        AccessKind::Free => {
            bug(Issue::DoubleFree, access, format!("`{name}` may have been freed before and is freed"))
        }
        kind => bug(
            Issue::UseAfterFree,
            access,
            format!("`{name}` may point to freed memory and is {}", kind.done()),
        ),
    }
}

fn bug(issue: Issue, access: &Access, message: String) -> Bug {
    Bug::new(issue, access.made, message, Vec::new())
}
