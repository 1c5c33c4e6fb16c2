//! How a triple is applied: what application wants to know of it, worked out once for all calls.

use term::{Terms, VarId};

use crate::spec::Spec;

/// What application wants to know of a triple before it begins.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The parts of the presumption in the order in which the callee comes to them; cells with their block.
    pub(crate) items: Vec<Item>,
    /// By condition: its variables.
    pub condition_vars: Lists,
    /// By condition of definedness: its variables.
    pub(crate) defined_vars: Lists,
}

/// Lists of variables, one behind the other: there are millions of short ones.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    vars: Vec<VarId>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl Lists {
    fn of(lists: impl Iterator<Item = Vec<VarId>>) -> Lists {
        let mut all = Lists::default();
        for list in lists {
            all.vars.extend(list);
            all.ends.push(all.vars.len() as u32);
        }
        all.vars.shrink_to_fit();
        all.ends.shrink_to_fit();
        all
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.vars[..]) + size_of_val(&self.ends[..])
    }

    /// The list at a position.
    pub fn get(&self, at: usize) -> &[VarId] {
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.vars[from as usize..self.ends[at] as usize]
    }
}

/// A part of a triple's presumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A block, with its first access.
    Block(u32),
    /// A cell of a block.
    Cell(u32, u32),
    /// A further access to a block.
    Access(u32, u32),
}

impl Plan {
    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        size_of::<Plan>()
            + size_of_val(&self.items[..])
            + self.condition_vars.bytes()
            + self.defined_vars.bytes()
    }

    /// For a triple about terms of an arena.
    pub fn of(terms: &Terms, spec: &Spec) -> Plan {
        Plan {
            items: items_in_order(spec),
            condition_vars: Lists::of(spec.conditions.iter().map(|it| terms.vars_of(it.term))),
            defined_vars: Lists::of(spec.defined.iter().map(|&it| terms.vars_of(it))),
        }
    }
}

fn items_in_order(spec: &Spec) -> Vec<Item> {
    let mut items: Vec<(u32, Item)> = Vec::new();
    for (at, pre) in (0..).zip(&spec.pre) {
        let first = pre.accesses.first().map_or(0, |access| access.order);
        items.push((first, Item::Block(at)));
        items.extend((0..pre.cells.len() as u32).map(|cell| (first, Item::Cell(at, cell))));
        let further = (0..).zip(&pre.accesses).skip(1);
        items.extend(further.map(|(number, access)| (access.order, Item::Access(at, number))));
    }
    items.sort_by_key(|(order, _)| *order);
    items.into_iter().map(|(_, item)| item).collect()
}
