//! Which triples can be left out? What a state knows of a callee's presumption before a triple is applied:
//! many contradict it at first sight.

use std::collections::HashMap;

use heap::{Spec, State, VarRole};
use rustc_hash::FxHashMap;
use summary::Summary;
use term::{Import, Node, TermId, Terms};

/// Values of one callee's variables in one state. All its triples name the same thing by the same variable.
pub(super) struct Known {
    import: Import,
    /// Whether conditions of the callee can hold.
    possible: FxHashMap<TermId, bool>,
}

impl Known {
    /// Parameters are what is passed; the addresses of globals and functions are the same everywhere.
    pub(super) fn of(
        summary: &Summary,
        terms: &Terms,
        args: &[TermId],
        symbols: &HashMap<VarRole, TermId>,
    ) -> Known {
        let mut import = Import::default();
        for (var, &role) in summary.split.roles.iter_ids() {
            let value = match role {
                VarRole::Param(at) => args.get(at as usize).copied(),
                VarRole::Local => None,
                VarRole::Global(_) | VarRole::Function(_) => symbols.get(&role).copied(),
            };
            let value = value.filter(|&value| terms.width(value) == summary.split.terms.var(var).width);
            value.into_iter().for_each(|value| import.bind(var, value));
        }
        Known { import, possible: FxHashMap::default() }
    }

    /// Whether a condition of a triple cannot hold, as far as that is seen at once.
    pub(super) fn contradict(
        &mut self,
        terms: &mut Terms,
        state: &State,
        summary: &Summary,
        at: usize,
    ) -> bool {
        let (spec, plan) = (&summary.split.specs[at], &summary.split.plans[at]);
        self.bind_cells(state, summary, spec);
        for (number, condition) in spec.conditions.iter().enumerate() {
            let vars = plan.condition_vars.get(number);
            let possible = match self.possible.get(&condition.term) {
                Some(&possible) => possible,
                None if vars.iter().all(|&var| self.import.get(var).is_some()) => {
                    let term = self.import.term(terms, &summary.split.terms, condition.term, &mut |_, _| {
                        unreachable!("invariant: all variables are bound")
                    });
                    let possible = !state.path.facts.exclude(terms, term);
                    self.possible.insert(condition.term, possible);
                    possible
                }
                None => true,
            };
            if !possible {
                return true;
            }
        }
        false
    }

    /// Cells of the presumption are those of the state, where it has them.
    fn bind_cells(&mut self, state: &State, summary: &Summary, spec: &Spec) {
        for pre in &spec.pre {
            let Some(base) = self.value_of(summary, pre.base) else { continue };
            let Some(block) = state.block_at(base) else { continue };
            let block = state.block(block);
            for cell in pre.cells.iter().filter(|cell| cell.place.symbolic.is_none()) {
                let Node::Var(var) = summary.split.terms.node(cell.value) else { continue };
                if self.import.get(var).is_some() {
                    continue;
                }
                let same = block.cells.iter().find(|own| (own.place, own.bytes) == (cell.place, cell.bytes));
                if let Some(same) = same {
                    self.import.bind(var, same.value);
                }
            }
        }
    }

    fn value_of(&self, summary: &Summary, term: TermId) -> Option<TermId> {
        let Node::Var(var) = summary.split.terms.node(term) else { return None };
        self.import.get(var)
    }
}
