//! Operands as terms, and the addresses of symbols.

use std::cmp::Ordering;

use base::{Id, limits};
use heap::block::Content;
use heap::{Block, Kind, State, VarRole};
use ir::{BlockId, Const, Operand, Type};
use smallvec::SmallVec;
use heap::Source;
use term::{Node, Origin, TermId, VarId, Width};

use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    /// The bits of a type.
    pub(crate) fn width(&self, ty: Type) -> Width {
        ty.bits(self.arena.pointer_bits())
    }

    /// The value of an operand on a path.
    pub(crate) fn operand(&mut self, flow: &mut Flow, operand: Operand) -> TermId {
        match operand {
            Operand::Value(value) => match flow.get(value) {
                Some(term) => term,
                None => {
                    // Only what was not expressible is without a value.
                    let ty = self.body.values[value].ty;
                    let term = self.unknown(ty, "an unmodeled value");
                    flow.set(value, term);
                    term
                }
            },
            Operand::Const(constant) => self.constant(flow, &self.body.consts[constant].clone()),
        }
    }

    fn constant(&mut self, flow: &mut Flow, constant: &Const) -> TermId {
        match *constant {
            Const::Int { width, value } => self.arena.terms.constant(width, value),
            Const::Null => self.arena.terms.constant(self.arena.pointer_bits(), 0),
            Const::Float { kind, bits } => self.arena.terms.constant(kind.bits(), bits),
            Const::Global { global, offset } => {
                let global = self.world.global(global);
                let base = self.symbol(&mut flow.state, VarRole::Global(global));
                let offset = self.arena.terms.constant(self.arena.pointer_bits(), i128::from(offset) as u128);
                self.arena.terms.add(base, offset)
            }
            Const::Func(function) => {
                let function = self.world.function(function)[0];
                self.symbol(&mut flow.state, VarRole::Function(function))
            }
            Const::Block(block) => self.label(block),
            Const::WideInt { .. } => self.unknown(constant.ty(), "a large number"),
            // What clang makes of `100 / 0`: nobody chooses it, so nothing may rest on it.
            Const::Undef(ty) | Const::Poison(ty) => {
                let width = self.width(ty).min(term::MAX_WIDTH);
                self.arena.not_followed(&mut flow.state, width)
            }
        }
    }

    /// The address of a symbol, whose block is in the state afterwards.
    pub(crate) fn symbol(&mut self, state: &mut State, role: VarRole) -> TermId {
        let project = Project::of(self);
        self.arena.symbol(&project, state, role)
    }

    /// A value that nothing is known about, and that nobody outside chooses.
    pub(crate) fn unknown(&mut self, ty: Type, name: &str) -> TermId {
        let width = self.width(ty).min(term::MAX_WIDTH);
        self.arena.fresh(width, Origin::UnknownCall, name, VarRole::Local, None)
    }

    /// Whether a value has so many operations in it that nobody will ever decide about it.
    pub(crate) fn is_too_large(&mut self, term: TermId) -> bool {
        self.weight(term, limits::SPLIT_WEIGHT) > limits::SPLIT_WEIGHT
    }

    /// The operations in a term, up to a limit.
    fn weight(&mut self, term: TermId, limit: u32) -> u32 {
        let at = term.index();
        if let Some(&known) = self.weights.get(at).filter(|known| **known > 0) {
            return known;
        }
        let mut operands: SmallVec<[TermId; 3]> = SmallVec::new();
        self.arena.terms.for_each_operand(term, |operand| operands.push(operand));
        let mut weight = 1_u32;
        for operand in operands {
            weight += if weight > limit { 0 } else { self.weight(operand, limit - weight) };
        }
        // What was not counted to its end is known to be more than was asked for only.
        if weight <= limit || limit == limits::SPLIT_WEIGHT {
            self.weights.resize(self.weights.len().max(at + 1), 0);
            self.weights[at] = weight;
        }
        weight
    }

    /// The address of a label.
    pub(crate) fn label(&mut self, block: BlockId) -> TermId {
        self.arena.terms.constant(self.arena.pointer_bits(), LABELS + block.index() as u128)
    }
}

/// Addresses of labels: numbers that are no addresses of objects.
const LABELS: u128 = 1 << 62;
