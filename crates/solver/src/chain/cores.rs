//! What is known to have no answer: contradictions, and queries that were given up.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::chain::{Cx, Found, Stage};
use crate::gates::Wire;
use crate::verdict::Limit;

/// Remembers contradictory sets of wires; a query that contains one is contradictory. Remembers also what was too hard, because
/// the same budget will not do the next time.
#[derive(Debug)]
pub(super) struct Cores {
    next: Box<dyn Stage>,
    /// By their first wire; each sorted, without the first.
    cores: FxHashMap<Wire, Vec<Box<[Wire]>>>,
    too_hard: FxHashSet<Box<[Wire]>>,
}

impl Cores {
    pub(super) fn new(next: Box<dyn Stage>) -> Cores {
        Cores { next, cores: FxHashMap::default(), too_hard: FxHashSet::default() }
    }

    fn known(&self, sorted: &[Wire]) -> Option<Found> {
        for (at, &first) in sorted.iter().enumerate() {
            for rest in self.cores.get(&first).into_iter().flatten() {
                if is_subset(rest, &sorted[at..]) {
                    let core = std::iter::once(first).chain(rest.iter().copied()).collect();
                    return Some(Found::Unsat(core));
                }
            }
        }
        self.too_hard.contains(sorted).then_some(Found::Unknown(Limit::Conflicts))
    }

    fn remember(&mut self, sorted: &[Wire], found: &Found) {
        match found {
            Found::Sat(_) => {}
            Found::Unsat(core) => {
                let mut core = core.clone();
                core.sort_unstable();
                let first = core[0];
                self.cores.entry(first).or_default().push(core[1..].into());
            }
            Found::Unknown(_) => {
                self.too_hard.insert(sorted.into());
            }
        }
    }
}

/// Whether all of `few` are among `many`; both are sorted.
fn is_subset(few: &[Wire], many: &[Wire]) -> bool {
    let mut many = many.iter();
    few.iter().all(|wire| many.by_ref().find(|&other| other >= wire) == Some(wire))
}

impl Stage for Cores {
    fn check(&mut self, cx: &mut Cx<'_>, wires: &[Wire]) -> Found {
        let mut sorted = wires.to_vec();
        sorted.sort_unstable();
        if let Some(found) = self.known(&sorted) {
            cx.stats.by_cores += 1;
            return found;
        }
        let found = self.next.check(cx, wires);
        self.remember(&sorted, &found);
        found
    }
}
