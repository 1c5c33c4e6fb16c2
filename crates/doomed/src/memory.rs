//! What is known of memory at a point: the content of some cells, and what was freed.
//!
//! A cell is a constant number of bytes at a constant distance from a *root*: the variable that stands for an
//! object's address, or whatever value a pointer was computed from. Everything else is unknown: reading it
//! gives any value.
//!
//! Law: a cell holds on all ways to the point. What may be overwritten is forgotten; that a root was freed is
//! never forgotten, because no pointer that leads there becomes good again.
//! Source: Hoenicke et al., §4, leave the model of the heap to the translation. Departure from the models
//! named there: no function-valued variable, so no theory of arrays is asked; two pointers whose roots differ
//! may be the same unless both are known objects.

use base::limits;
use rustc_hash::FxHashMap;
use term::{Node, TermId, Terms, VarId};

/// Known bytes of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) root: TermId,
    pub(crate) offset: i64,
    pub(crate) bytes: u64,
    pub(crate) value: TermId,
}

/// An object whose extent is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) kind: Kind,
    /// Bytes, if they are known.
    pub(crate) size: Option<TermId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A local variable; nobody else has its address if it is private.
    Stack {
        private: bool,
    },
    Global,
    Function,
    /// The result of an allocation, which may be null.
    Heap,
}

/// The objects of a function, and where pointers come from.
#[derive(Default, Debug)]
pub(crate) struct Objects {
    objects: FxHashMap<TermId, Object>,
    /// By computed pointer: its root, and the distance from there.
    origins: FxHashMap<TermId, (TermId, TermId)>,
}

impl Objects {
    pub(crate) fn add(&mut self, root: TermId, object: Object) {
        self.objects.insert(root, object);
    }

    pub(crate) fn get(&self, root: TermId) -> Option<Object> {
        self.objects.get(&root).copied()
    }

    /// The root of a pointer and the distance from it.
    pub(crate) fn origin(&self, terms: &mut Terms, pointer: TermId) -> (TermId, TermId) {
        match self.origins.get(&pointer) {
            Some(&known) => known,
            None => (pointer, terms.constant(terms.width(pointer), 0)),
        }
    }

    /// Notes that a pointer was computed from another one. A plain variable stays a root, whoever else computes the same.
    pub(crate) fn derive(&mut self, terms: &Terms, pointer: TermId, root: TermId, offset: TermId) {
        let is_root = matches!(terms.node(pointer), Node::Var(_) | Node::Const(_));
        if !is_root && pointer != root {
            self.origins.entry(pointer).or_insert((root, offset));
        }
    }

    /// Whether the pointer leads to an object that always exists, and so is not null.
    pub(crate) fn is_address(&self, root: TermId) -> bool {
        self.get(root).is_some_and(|it| it.kind != Kind::Heap)
    }

    /// Those of the variables that are addresses of objects that always exist.
    pub(crate) fn existing(&self, terms: &Terms, vars: impl Iterator<Item = VarId>) -> Vec<TermId> {
        vars.map(|var| terms.var_term(var)).filter(|&root| self.is_address(root)).collect()
    }

    fn is_private(&self, root: TermId) -> bool {
        self.get(root).is_some_and(|it| it.kind == Kind::Stack { private: true })
    }

    /// Whether memory of one root may be memory of the other.
    fn may_meet(&self, a: TermId, b: TermId) -> bool {
        a == b
            || !(self.get(a).is_some() && self.get(b).is_some() || self.is_private(a) || self.is_private(b))
    }
}

/// What is known of memory.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Memory {
    cells: Vec<Cell>,
    /// Roots that were freed, with the condition.
    freed: Vec<(TermId, TermId)>,
}

impl Memory {
    pub(crate) fn load(&self, root: TermId, offset: i64, bytes: u64) -> Option<TermId> {
        self.cells
            .iter()
            .find(|it| (it.root, it.offset, it.bytes) == (root, offset, bytes))
            .map(|it| it.value)
    }

    /// Remembers what was read or written.
    pub(crate) fn know(&mut self, cell: Cell) {
        if self.cells.len() >= limits::DOOMED_CELLS {
            self.cells.remove(0);
        }
        self.cells.push(cell);
    }

    /// Forgets what a write of these bytes changes.
    pub(crate) fn write(&mut self, objects: &Objects, root: TermId, offset: i64, bytes: u64) {
        self.cells.retain(|it| {
            let is_apart = it.offset.saturating_add_unsigned(it.bytes) <= offset
                || offset.saturating_add_unsigned(bytes) <= it.offset;
            if it.root == root { is_apart } else { !objects.may_meet(it.root, root) }
        });
    }

    /// Forgets what a write anywhere behind a pointer changes.
    pub(crate) fn write_somewhere(&mut self, objects: &Objects, root: TermId) {
        self.cells.retain(|it| !objects.may_meet(it.root, root));
    }

    /// Forgets what code may change that has no address of our own.
    pub(crate) fn write_anywhere(&mut self, objects: &Objects) {
        self.cells.retain(|it| objects.is_private(it.root));
    }

    /// Forgets all of one object.
    pub(crate) fn forget(&mut self, root: TermId) {
        self.cells.retain(|it| it.root != root);
    }

    pub(crate) fn free(&mut self, terms: &mut Terms, root: TermId, when: TermId) {
        match self.freed.iter_mut().find(|it| it.0 == root) {
            Some(known) => known.1 = terms.or(known.1, when),
            None => self.freed.push((root, when)),
        }
    }

    /// When memory of that root was freed.
    pub(crate) fn is_freed(&self, terms: &mut Terms, root: TermId) -> TermId {
        self.freed_within(terms, root, limits::DOOMED_CHOICES)
    }

    fn freed_within(&self, terms: &mut Terms, root: TermId, depth: u32) -> TermId {
        if self.freed.is_empty() {
            return terms.no();
        }
        if let Some(&(_, when)) = self.freed.iter().find(|it| it.0 == root) {
            return when;
        }
        match terms.node(root) {
            Node::Ite(condition, a, b) if depth > 0 => {
                let (a, b) = (self.freed_within(terms, a, depth - 1), self.freed_within(terms, b, depth - 1));
                terms.ite(condition, a, b)
            }
            _ => terms.no(),
        }
    }

    /// What holds whichever of several ways was taken; each with the condition under which it was.
    pub(crate) fn merge(terms: &mut Terms, ways: &[(TermId, &Memory)]) -> Memory {
        let Some(((_, first), rest)) = ways.split_first() else { return Memory::default() };
        if rest.iter().all(|(_, it)| it == first) {
            return (*first).clone();
        }
        let mut merged = Memory::default();
        for cell in &first.cells {
            let values: Option<Vec<TermId>> =
                ways.iter().map(|(_, it)| it.load(cell.root, cell.offset, cell.bytes)).collect();
            let Some(values) = values else { continue };
            if values.iter().any(|&it| terms.width(it) != terms.width(cell.value)) {
                continue;
            }
            let value = choose(terms, ways.iter().map(|it| it.0).zip(values));
            merged.cells.push(Cell { value, ..*cell });
        }
        let mut roots: Vec<TermId> = ways.iter().flat_map(|(_, it)| it.freed.iter().map(|it| it.0)).collect();
        roots.sort_unstable();
        roots.dedup();
        for root in roots {
            let no = terms.no();
            let when = |it: &Memory| it.freed.iter().find(|it| it.0 == root).map_or(no, |it| it.1);
            let conditions: Vec<(TermId, TermId)> = ways.iter().map(|(way, it)| (*way, when(it))).collect();
            merged.freed.push((root, choose(terms, conditions.into_iter())));
        }
        merged
    }
}

/// The value of the first way whose condition holds; that of the last one if no other does.
pub(crate) fn choose(terms: &mut Terms, ways: impl DoubleEndedIterator<Item = (TermId, TermId)>) -> TermId {
    let mut ways = ways.rev();
    let last = ways.next().map(|it| it.1);
    let last = last.unwrap_or_else(|| terms.no());
    ways.fold(
        last,
        |rest, (condition, value)| if value == rest { rest } else { terms.ite(condition, value, rest) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Origin;

    fn pointer(terms: &mut Terms) -> TermId {
        terms.fresh(64, Origin::Parameter, "p")
    }

    #[test]
    fn a_write_through_another_pointer_forgets_what_it_may_change() {
        let (mut terms, mut objects, mut memory) = (Terms::new(), Objects::default(), Memory::default());
        let (p, q, local) = (pointer(&mut terms), pointer(&mut terms), pointer(&mut terms));
        objects.add(local, Object { kind: Kind::Stack { private: true }, size: None });
        let value = terms.fresh(32, Origin::InitialMemory, "v");
        for root in [p, local] {
            memory.know(Cell { root, offset: 0, bytes: 4, value });
        }
        memory.write(&objects, p, 4, 4);
        assert_eq!(memory.load(p, 0, 4), Some(value), "the bytes beside are another cell");
        memory.write(&objects, q, 0, 4);
        assert_eq!(memory.load(p, 0, 4), None, "q may be p");
        assert_eq!(memory.load(local, 0, 4), Some(value), "nobody has the address of a private object");
    }

    #[test]
    fn after_a_merge_it_depends_on_the_way() {
        let (mut terms, mut memory) = (Terms::new(), Memory::default());
        let (p, way) = (pointer(&mut terms), terms.fresh(1, Origin::Parameter, "c"));
        let (one, two) = (terms.constant(32, 1), terms.constant(32, 2));
        let mut other = memory.clone();
        memory.know(Cell { root: p, offset: 0, bytes: 4, value: one });
        other.know(Cell { root: p, offset: 0, bytes: 4, value: two });
        let yes = terms.yes();
        other.free(&mut terms, p, yes);
        let not = terms.not(way);
        let merged = Memory::merge(&mut terms, &[(way, &memory), (not, &other)]);
        assert_eq!(merged.load(p, 0, 4), Some(terms.ite(way, one, two)));
        assert_eq!(merged.is_freed(&mut terms, p), not);
    }
}
