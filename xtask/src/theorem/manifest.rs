//! Manifest errors: from every state with the memory of the presumption, for some choice of the environment.
//!
//! Source: Le et al. Def. 3.6: the memory exists, whatever it contains. A state is drawn without looking at path conditions: numbers in
//! arguments and cells at random, pointers that some triple follows at blocks of their own. Then one of the error's triples
//! must be satisfiable in it, and its run must end in the error.
//! Values are known by where they come from (`p0`, `p0.8`, `g3.0.8`), so that all triples of an error speak of one state.

use std::collections::BTreeMap;

use base::Id;
use heap::{Kind, Spec, VarRole};
use interp::replay::block_address;
use term::{Node, TermId, VarId};

use super::draw::Arena;

/// Where a value of the caller comes from.
type Origin = String;

/// What the triples of one error call the same.
pub(super) struct Common {
    /// By triple: where its variables come from, and the blocks of its presumption.
    views: Vec<View>,
    /// Where pointers come from that some triple follows, with the position of their block.
    blocks: BTreeMap<Origin, usize>,
}

#[derive(Default)]
struct View {
    vars: BTreeMap<VarId, Root>,
    blocks: Vec<Option<Origin>>,
}

/// Where a variable lies before the call.
enum Root {
    /// An argument.
    Argument(u32),
    /// Bytes of memory.
    Memory(Origin, i64),
}

impl Root {
    fn name(&self) -> Origin {
        match self {
            Root::Argument(at) => format!("p{at}"),
            Root::Memory(block, offset) => format!("{block}.{offset}"),
        }
    }
}

impl Common {
    /// What some triples have in common; none if one of them cannot be described that way.
    pub(super) fn new(arena: &Arena, specs: &[&Spec]) -> Option<Common> {
        let mut common = Common { views: Vec::new(), blocks: BTreeMap::new() };
        for spec in specs {
            let view = common.view(arena, spec)?;
            common.views.push(view);
        }
        Some(common)
    }

    fn view(&mut self, arena: &Arena, spec: &Spec) -> Option<View> {
        let mut view = View::default();
        for &(var, role) in &arena.roles {
            if let VarRole::Param(at) = role {
                view.vars.insert(var, Root::Argument(at));
            }
        }
        for pre in &spec.pre {
            let name = match spec.post[pre.block.index()].kind {
                Kind::Global(global) => {
                    view.blocks.push(None);
                    format!("g{global}")
                }
                Kind::Abduced if pre.extent.0 >= 0 => {
                    let Node::Var(base) = arena.terms.node(pre.base) else { return None };
                    let name = view.vars.get(&base)?.name();
                    let next = self.blocks.len();
                    self.blocks.entry(name.clone()).or_insert(next);
                    view.blocks.push(Some(name.clone()));
                    name
                }
                _ => return None,
            };
            for cell in &pre.cells {
                let (Node::Var(var), None) = (arena.terms.node(cell.value), cell.place.symbolic) else {
                    return None;
                };
                view.vars.insert(var, Root::Memory(name.clone(), cell.place.offset));
            }
        }
        Some(view)
    }

    /// For a triple: the values of its variables in the state of a seed.
    pub(super) fn facts(&self, arena: &mut Arena, at: usize, seed: u64) -> Vec<TermId> {
        let mut facts = Vec::new();
        for (var, root) in &self.views[at].vars {
            let term = arena.terms.var_term(*var);
            let width = arena.terms.width(term);
            let value = arena.terms.constant(width, self.value(root, width, seed));
            facts.push(arena.terms.eq(term, value));
        }
        facts
    }

    /// For a triple: the positions of its blocks in all states.
    pub(super) fn positions(&self, at: usize) -> Vec<usize> {
        let position = |name: &Option<Origin>| name.as_ref().map_or(0, |name| self.blocks[name]);
        self.views[at].blocks.iter().map(position).collect()
    }

    fn value(&self, root: &Root, width: u32, seed: u64) -> u128 {
        let bytes = width.div_ceil(8);
        let byte = |at: u32| match root {
            Root::Argument(_) => self.byte(&root.name(), 0, at, seed),
            Root::Memory(block, offset) => self.memory(block, offset + i64::from(at), seed),
        };
        (0..bytes).rev().fold(0, |sum, at| sum << 8 | u128::from(byte(at)))
    }

    /// A byte of memory: part of a pointer that is followed, or a number.
    fn memory(&self, block: &str, at: i64, seed: u64) -> u8 {
        for start in (at - 7)..=at {
            if self.blocks.contains_key(&format!("{block}.{start}")) {
                return self.byte(&format!("{block}.{start}"), 0, (at - start) as u32, seed);
            }
        }
        self.byte(block, at & !7, (at & 7) as u32, seed)
    }

    /// The `at`-th byte of the word at some bytes from an origin.
    fn byte(&self, origin: &str, word: i64, at: u32, seed: u64) -> u8 {
        if let Some(position) = self.blocks.get(origin) {
            return block_address(*position).to_le_bytes().get(at as usize).copied().unwrap_or(0);
        }
        let hash = origin.bytes().fold(seed ^ word as u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
        });
        let mut rng = fastrand::Rng::with_seed(hash);
        let number = match rng.u32(0..6) {
            0..=2 => rng.u64(0..5),
            3 => rng.u64(..),
            4 => u64::MAX - rng.u64(0..3),
            _ => u64::from(rng.u32(..)),
        };
        number.to_le_bytes().get(at as usize).copied().unwrap_or(0)
    }
}
