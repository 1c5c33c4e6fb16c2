//! How a triple is applied: worked out once for all calls.

use term::{Terms, VarId};

use crate::spec::Spec;

/// What application wants to know of a triple before it begins.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The parts of the presumption in the order in which the callee comes to them; cells with their block.
    pub(crate) items: Vec<Item>,
    /// By condition: its variables.
    pub(crate) condition_vars: Vec<Vec<VarId>>,
    /// By condition of definedness: its variables.
    pub(crate) defined_vars: Vec<Vec<VarId>>,
}

/// A part of a triple's presumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A block, with its first access.
    Block(usize),
    /// A cell of a block.
    Cell(usize, usize),
    /// A further access to a block.
    Access(usize, usize),
}

impl Plan {
    /// For a triple about terms of an arena.
    pub fn of(terms: &Terms, spec: &Spec) -> Plan {
        Plan {
            items: items_in_order(spec),
            condition_vars: spec.conditions.iter().map(|it| terms.vars_of(it.term)).collect(),
            defined_vars: spec.defined.iter().map(|&it| terms.vars_of(it)).collect(),
        }
    }

    /// The variables of each condition.
    pub fn condition_vars(&self) -> &[Vec<VarId>] {
        &self.condition_vars
    }
}

fn items_in_order(spec: &Spec) -> Vec<Item> {
    let mut items: Vec<(u32, Item)> = Vec::new();
    for (at, pre) in spec.pre.iter().enumerate() {
        let first = pre.accesses.first().map_or(0, |access| access.order);
        items.push((first, Item::Block(at)));
        items.extend((0..pre.cells.len()).map(|cell| (first, Item::Cell(at, cell))));
        let further = pre.accesses.iter().enumerate().skip(1);
        items.extend(further.map(|(number, access)| (access.order, Item::Access(at, number))));
    }
    items.sort_by_key(|(order, _)| *order);
    items.into_iter().map(|(_, item)| item).collect()
}
