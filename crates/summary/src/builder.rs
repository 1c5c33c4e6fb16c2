//! From the states at the end of paths to the triples that callers get.
//!
//! Judgment: `[m] f [ε: q]` without what no caller can see: blocks that nothing visible leads to, and whole
//! groups of conditions that share no variable with anything visible.
//! Source: Le et al., OOPSLA 2022, §4.1, *Generating Procedure Summaries*. Departure: such groups are not
//! projected but left out, which is exact, as the path is satisfiable.

use std::collections::{BTreeMap, BTreeSet};

use base::Id;
use heap::block::Content;
use heap::{
    Access, Arena, Block, BlockId, Calls, Cell, Choice, Condition, Exit, Given, Kind, Made, Place, Plan,
    PreBlock, Seen, Source, Spec, State, Status, VarRole,
};
use term::{Import, Node, Origin, TermId, Terms, VarId};

use crate::bug::Bug;
use crate::triples::Triples;

/// A path that has come to its end.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The state then.
    pub state: State,
    /// What is returned.
    pub results: Vec<TermId>,
    /// How it ended.
    pub how: How,
}

/// How a path ended.
#[derive(Clone, Debug)]
pub enum How {
    /// The function returns.
    Return,
    /// The program ends.
    NoReturn,
    /// An error.
    Error(Bug),
    /// It was not followed further.
    Cut,
}

/// What callers are told of a path.
#[derive(Clone, Debug)]
pub struct Told {
    /// The blocks that they see.
    blocks: Vec<BlockId>,
    /// Those among them that they get no pointer to: somebody else has it, or they are lost, and that is told already.
    apart: Vec<BlockId>,
    /// By position: whether they are told of a condition.
    conditions: Vec<bool>,
}

/// What a caller can see, and how much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// What callers need.
    Needed,
    /// All conditions and choices, too, so that a test can replay the path.
    Replayable,
}

/// Makes the triples of a function.
pub struct Builder<'a> {
    arena: &'a Arena,
    from: &'a Terms,
    keep: Visible,
    triples: Triples,
    /// The calls that triples mention so far.
    calls: Calls,
    /// Those of the arena among them.
    seen: Seen,
}

impl<'a> Builder<'a> {
    /// For a function whose paths are about terms of an arena.
    pub fn new(arena: &'a Arena, keep: Visible) -> Builder<'a> {
        let (triples, calls, seen) = (Triples::default(), Calls::default(), Seen::plain());
        Builder { arena, from: &arena.terms, keep, triples, calls, seen }
    }

    /// The triples of all paths that were added.
    pub fn finish(mut self, gave_up: bool, incomplete: bool) -> Triples {
        let terms = &self.triples.terms;
        let specs = most_different_first(terms, std::mem::take(&mut self.triples.specs));
        let plans = specs.iter().map(|spec| Plan::of(terms, spec)).collect();
        let calls = self.calls.into_table();
        Triples { gave_up, incomplete, specs, plans, calls, ..self.triples }
    }

    /// Adds a path. Variables are numbered as they come.
    pub fn add(&mut self, ended: &Ended, told: &Told, import: &mut Import) {
        let exit = match &ended.how {
            How::Return => Exit::Ok,
            How::NoReturn => Exit::NoReturn,
            How::Cut => Exit::Cut,
            How::Error(bug) => {
                let bug = bug.with_places(|made| self.made(made));
                let at = self.triples.bugs.iter().position(|known| *known == bug);
                let at = at.unwrap_or_else(|| {
                    self.triples.bugs.push(bug);
                    self.triples.bugs.len() - 1
                });
                Exit::Er(at as u32)
            }
        };
        let spec = self.spec(ended, told, exit, import);
        if !self.triples.specs.contains(&spec) {
            self.triples.specs.push(spec);
        }
    }

    /// What callers are told of a path.
    pub fn told(&self, ended: &Ended) -> Told {
        let (blocks, apart) = self.kept_blocks(ended);
        let conditions = self.kept_conditions(ended, &blocks);
        Told { blocks, apart, conditions }
    }

    /// What must hold on a path and callers are not told.
    pub fn untold(&self, ended: &Ended, told: &Told) -> Vec<TermId> {
        let path = &ended.state.path;
        let conditions =
            path.conditions.iter().zip(&told.conditions).filter(|(_, told)| !**told).map(|(it, _)| it.term);
        let defined = path.defined.iter().copied().filter(|&it| !self.is_told_defined(it));
        conditions.chain(defined).collect()
    }

    /// The blocks that callers see: those of the presumption first, then what is reachable from them and from the results, and what is compared;
    /// and which of them are only compared.
    fn kept_blocks(&self, ended: &Ended) -> (Vec<BlockId>, Vec<BlockId>) {
        let state = &ended.state;
        let mut kept = self.reached_blocks(ended);
        // What a condition says of the address of new memory means nothing without the memory: it does not wrap around, and lies apart from others.
        let mut apart = self.compared_blocks(state);
        apart.retain(|block| !kept.contains(block));
        kept.extend(&apart);
        kept[state.pre().len()..].sort();
        (kept, apart)
    }

    fn reached_blocks(&self, ended: &Ended) -> Vec<BlockId> {
        let state = &ended.state;
        let mut kept: Vec<BlockId> = state.pre().map(|pre| pre.block).collect();
        let mut seen: BTreeSet<BlockId> = kept.iter().copied().collect();
        if !matches!(ended.how, How::Return) && self.keep == Visible::Needed {
            return kept;
        }
        let mut todo: Vec<TermId> = ended.results.clone();
        for pre in state.pre() {
            todo.extend(state.block(pre.block).cells.iter().map(|cell| cell.value));
        }
        while let Some(term) = todo.pop() {
            for var in self.from.vars_of(term) {
                let Some(block) = state.block_at(self.from.var_term(var)) else { continue };
                let outside = matches!(state.block(block).kind, Kind::Constant(_) | Kind::Function(_));
                if !outside && seen.insert(block) {
                    kept.push(block);
                    todo.extend(state.block(block).cells.iter().map(|cell| cell.value));
                }
            }
        }
        if self.keep == Visible::Replayable {
            // Who replays the path must provide memory behind the pointers of unknown code.
            let unknown = state.blocks().filter(|(_, block)| block.kind == Kind::Unknown);
            kept.extend(unknown.map(|(id, _)| id).filter(|id| !seen.contains(id)));
        }
        kept
    }

    /// New memory whose address is part of a condition that is more than a test for null.
    fn compared_blocks(&self, state: &State) -> Vec<BlockId> {
        let conditions = state.path.conditions.iter().map(|it| it.term);
        let compared = conditions.filter(|&it| self.from.tested(it).is_none());
        let vars: BTreeSet<VarId> = compared.flat_map(|it| self.from.vars_of(it)).collect();
        let blocks = vars.into_iter().filter_map(|var| state.block_at(self.from.var_term(var)));
        blocks.filter(|&block| state.block(block).is_heap()).collect()
    }

    /// Which conditions are kept, by position.
    fn kept_conditions(&self, ended: &Ended, kept: &[BlockId]) -> Vec<bool> {
        let conditions = &ended.state.path.conditions;
        if self.keep == Visible::Replayable {
            return vec![true; conditions.len()];
        }
        let mut visible: BTreeSet<VarId> = BTreeSet::new();
        let see = |visible: &mut BTreeSet<VarId>, term: TermId| visible.extend(self.from.vars_of(term));
        ended.results.iter().for_each(|&term| see(&mut visible, term));
        for pre in ended.state.pre() {
            see(&mut visible, pre.base);
            pre.cells.iter().for_each(|cell| see(&mut visible, cell.value));
            let parts = pre.accesses.iter().flat_map(|access| [access.symbolic, access.len]);
            parts.flatten().for_each(|term| see(&mut visible, term));
        }
        for &block in kept {
            let block = ended.state.block(block);
            see(&mut visible, block.base);
            block.size.into_iter().for_each(|size| see(&mut visible, size));
            block.cells.iter().for_each(|cell| see(&mut visible, cell.value));
        }
        let vars: Vec<Vec<VarId>> = conditions.iter().map(|it| self.from.vars_of(it.term)).collect();
        let is_root = |var: &VarId| self.arena.roles()[*var] != VarRole::Local;
        // A decision about something that was not computed, or about memory that callers do not see, is nobody's choice: they must be told that the path
        // rests on it.
        let is_fixed = |origin: Origin| origin == Origin::NotFollowed || origin.is_observable();
        let mut keep: Vec<bool> = conditions.iter().map(|it| self.from.mentions(it.term, is_fixed)).collect();
        loop {
            let mut changed = false;
            for (at, vars) in vars.iter().enumerate() {
                let shown = vars.is_empty() || vars.iter().any(|var| visible.contains(var) || is_root(var));
                if !keep[at] && shown {
                    keep[at] = true;
                    visible.extend(vars.iter().copied());
                    changed = true;
                }
            }
            if !changed {
                return keep;
            }
        }
    }

    fn spec(&mut self, ended: &Ended, told: &Told, exit: Exit, import: &mut Import) -> Spec {
        let Told { blocks: kept, apart, conditions: keep } = told;
        let state = &ended.state;
        let position = |block: BlockId| kept.iter().position(|&it| it == block).map(BlockId::new);
        let before = |n: usize| keep[..n.min(keep.len())].iter().filter(|&&it| it).count();
        let pre = state
            .pre()
            .map(|pre| PreBlock {
                block: position(pre.block).unwrap_or(pre.block),
                base: self.term(import, pre.base),
                cells: self.cells(import, &pre.cells),
                accesses: pre.accesses.iter().map(|it| self.access(import, it, &before)).collect(),
                ..pre.clone()
            })
            .collect();
        let conditions = state.path.conditions.iter().zip(keep).filter(|(_, keep)| **keep);
        let conditions = conditions
            .map(|(it, _)| Condition {
                term: self.term(import, it.term),
                made: self.made(it.made),
                ..it.clone()
            })
            .collect();
        let defined = match self.keep {
            Visible::Needed => self.visible_definitions(state, import),
            Visible::Replayable => state.path.defined.iter().map(|&it| self.term(import, it)).collect(),
        };
        let post = kept.iter().map(|&it| {
            let block = self.block(import, state.block(it));
            Block { escaped: block.escaped || apart.contains(&it), ..block }
        });
        let post = post.collect();
        let results = ended.results.iter().map(|&it| self.term(import, it)).collect();
        let choices: Vec<Choice> = match self.keep {
            Visible::Needed => Vec::new(),
            Visible::Replayable => {
                state.choices.iter().map(|it| it.map(|term| self.term(import, term))).collect()
            }
        };
        let given = state.given.iter();
        let given = given.map(|it| Given { pointer: self.term(import, it.pointer), ..*it }).collect();
        let exposed = state.exposed;
        Spec { pre, conditions, defined, exit, post, results, choices, given, exposed }
    }

    /// An access, without what it says of choices that are not kept.
    fn access(&mut self, import: &mut Import, access: &Access, before: &dyn Fn(usize) -> usize) -> Access {
        Access {
            n_conditions: before(access.n_conditions),
            n_choices: if self.keep == Visible::Needed { 0 } else { access.n_choices },
            made: self.made(access.made),
            symbolic: access.symbolic.map(|it| self.term(import, it)),
            len: access.len.map(|it| self.term(import, it)),
            ..access.clone()
        }
    }

    /// Definedness is a matter of the callee's operations; callers need it where they choose the operands.
    fn visible_definitions(&mut self, state: &State, import: &mut Import) -> Vec<TermId> {
        let defined = state.path.defined.iter().copied();
        let defined: Vec<TermId> = defined.filter(|&term| self.is_told_defined(term)).collect();
        defined.into_iter().map(|term| self.term(import, term)).collect()
    }

    fn is_told_defined(&self, term: TermId) -> bool {
        !self.from.mentions(term, |origin| !origin.is_observable())
    }

    fn block(&mut self, import: &mut Import, block: &Block) -> Block {
        let ended = match (&block.status, block.kind, &block.made) {
            // The frame of the function is gone for its caller.
            (Status::Allocated, Kind::Stack, Some(made)) | (Status::ScopeEnded(made), ..) => {
                Status::ScopeEnded(self.made(*made))
            }
            (Status::Freed(made), ..) => Status::Freed(self.made(*made)),
            (Status::Allocated, ..) => Status::Allocated,
        };
        let keeps_content = ended.is_allocated();
        Block {
            base: self.term(import, block.base),
            size: block.size.map(|size| self.term(import, size)),
            cells: if keeps_content { self.cells(import, &block.cells) } else { Vec::new() },
            rest: if keeps_content { block.rest } else { Content::Undefined },
            status: ended,
            made: block.made.map(|made| self.made(made)),
            ..block.clone()
        }
    }

    fn cells(&mut self, import: &mut Import, cells: &[Cell]) -> Vec<Cell> {
        let cell = |cell: &Cell| {
            let symbolic = cell.place.symbolic.map(|symbolic| self.term(import, symbolic));
            let place = Place { symbolic, offset: cell.place.offset };
            Cell { place, bytes: cell.bytes, value: self.term(import, cell.value) }
        };
        cells.iter().map(cell).collect()
    }

    /// Something that happened, by the table of calls of the triples.
    fn made(&mut self, made: Made) -> Made {
        self.seen.made(&mut self.calls, &self.arena.calls, made)
    }

    fn term(&mut self, import: &mut Import, term: TermId) -> TermId {
        let Builder { arena, from, triples, calls, seen, .. } = self;
        let Triples { terms, roles, sources, pointers, .. } = triples;
        import.term(terms, from, term, &mut |terms, var| {
            let fresh = terms.fresh(from.var(var).width, from.var(var).origin, from.name(var));
            debug_assert!(matches!(terms.node(fresh), Node::Var(_)), "a fresh term should be a variable");
            roles.push(arena.roles()[var]);
            let source = arena.sources()[var].clone();
            let mut made = |made| seen.made(calls, &arena.calls, made);
            sources.push(source.map(|it| Source { made: made(it.made), ..it }));
            pointers.push(arena.is_pointer(from.var_term(var)));
            fresh
        })
    }
}

/// Triples in such an order that who tries only the first ones has tried each outcome: one of each kind, then a second one of each, and so on. Those
/// that do not return stay behind.
fn most_different_first(terms: &Terms, mut specs: Vec<Spec>) -> Vec<Spec> {
    let mut seen: BTreeMap<Outcome, usize> = BTreeMap::new();
    specs.sort_by_cached_key(|spec| {
        if spec.exit != Exit::Ok {
            return usize::MAX;
        }
        let rank = seen.entry(outcome(terms, spec)).or_default();
        *rank += 1;
        *rank
    });
    specs
}

/// How a call went, roughly: results that are constants, and what became of blocks.
type Outcome = (Vec<Option<u128>>, Vec<(bool, bool)>);

fn outcome(terms: &Terms, spec: &Spec) -> Outcome {
    let results = spec.results.iter().map(|&result| terms.value(result)).collect();
    let blocks = spec.post.iter().map(|block| (block.status.is_allocated(), block.is_heap())).collect();
    (results, blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_comes_early_and_what_does_not_return_comes_last() {
        let mut terms = Terms::new();
        let mut spec = |exit: Exit, result: u128| Spec {
            pre: Vec::new(),
            conditions: Vec::new(),
            defined: Vec::new(),
            exit,
            post: Vec::new(),
            results: vec![terms.constant(32, result)],
            choices: Vec::new(),
            given: Vec::new(),
            exposed: false,
        };
        let specs = vec![
            spec(Exit::NoReturn, 9),
            spec(Exit::Ok, 0),
            spec(Exit::Ok, 0),
            spec(Exit::Er(0), 8),
            spec(Exit::Ok, 1),
        ];
        let ordered = most_different_first(&terms, specs);
        let results: Vec<Option<u128>> = ordered.iter().map(|spec| terms.value(spec.results[0])).collect();
        assert_eq!(results, [0, 1, 0, 9, 8].map(Some));
    }
}
