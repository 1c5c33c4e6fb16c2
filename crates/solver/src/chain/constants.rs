//! Constants and contradictory literals.

use crate::chain::{Cx, Found, Stage};
use crate::gates::Wire;

/// Drops wires that are always 1 or there twice; answers if one is always 0, or two contradict.
#[derive(Debug)]
pub(super) struct Constants {
    next: Box<dyn Stage>,
}

impl Constants {
    pub(super) fn new(next: Box<dyn Stage>) -> Constants {
        Constants { next }
    }
}

impl Stage for Constants {
    fn check(&mut self, cx: &mut Cx<'_>, wires: &[Wire]) -> Found {
        let found = match reduced(wires) {
            Ok(rest) if rest.is_empty() => Found::Sat(Vec::new()),
            Ok(rest) => return self.next.check(cx, &rest),
            Err(core) => Found::Unsat(core),
        };
        cx.stats.by_constants += 1;
        found
    }
}

/// What is left of the wires, in their order; or those that contradict.
fn reduced(wires: &[Wire]) -> Result<Vec<Wire>, Vec<Wire>> {
    let mut seen: Vec<Wire> = wires.to_vec();
    seen.sort_unstable();
    seen.dedup();
    if seen.first() == Some(&Wire::FALSE) {
        return Err(vec![Wire::FALSE]);
    }
    // A wire and its negation are neighbors.
    if let Some(pair) = seen.windows(2).find(|pair| pair[0] == !pair[1]) {
        return Err(pair.to_vec());
    }
    let mut rest = Vec::with_capacity(seen.len());
    for &wire in wires {
        if let Ok(at) = seen.binary_search(&wire)
            && wire != Wire::TRUE
        {
            seen.remove(at);
            rest.push(wire);
        }
    }
    Ok(rest)
}
