//! Values that are an if-then-else, as joined paths leave them.

use term::{Node, TermId, VarId};

use super::{Cx, Eliminated, Rule};

impl Cx<'_> {
    // ∃X. φ(if c { a } else { b })  =  (∃X. c ∧ φ(a)) ∨ (∃X. ¬c ∧ φ(b))
    pub(super) fn cases(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        let mut choices = Vec::new();
        let terms = &*self.terms;
        self.walk.subterms(terms, parts, |term| {
            if let Node::Ite(condition, yes, no) = terms.node(term) {
                choices.push((term, condition, yes, no));
            }
        });
        choices.sort_unstable();
        let &(choice, condition, yes, no) =
            choices.iter().rev().find(|&&(choice, ..)| !self.occurring(&[choice], vars).is_empty())?;
        self.used.push(Rule::Cases);
        let mut with_yes = self.replace(parts, choice, yes);
        with_yes.push(condition);
        let mut with_no = self.replace(parts, choice, no);
        with_no.push(self.terms.not(condition));
        let yes = self.conjunction(&with_yes, vars);
        let no = self.conjunction(&with_no, vars);
        Some(self.or(yes, no))
    }
}
