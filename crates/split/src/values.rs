//! Operands as terms, and the addresses of symbols.

use std::cmp::Ordering;

use base::{Id, limits};
use heap::block::Content;
use heap::{Block, Kind, State, VarRole};
use ir::{BlockId, Const, Operand, Type};
use smallvec::SmallVec;
use summary::Source;
use term::{Node, Origin, TermId, VarId, Width};

use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    /// The bits of a type.
    pub(crate) fn width(&self, ty: Type) -> Width {
        ty.bits(self.pointer_bits)
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
            Const::Int { width, value } => self.terms.constant(width, value),
            Const::Null => self.terms.constant(self.pointer_bits, 0),
            Const::Float { kind, bits } => self.terms.constant(kind.bits(), bits),
            Const::Global { global, offset } => {
                let global = self.world.global(global);
                let base = self.symbol(&mut flow.state, VarRole::Global(global));
                let offset = self.terms.constant(self.pointer_bits, i128::from(offset) as u128);
                self.terms.add(base, offset)
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
                self.inexact(&mut flow.state, width)
            }
        }
    }

    /// The address of a symbol, whose block is in the state afterwards if it is a variable.
    pub(crate) fn symbol(&mut self, state: &mut State, role: VarRole) -> TermId {
        let base = match self.symbols.get(&role) {
            Some(&base) => base,
            None => {
                let name = match role {
                    VarRole::Global(global) => format!("&{}", self.world.global_info(global).name),
                    VarRole::Function(function) => self.world.name(function),
                    VarRole::Param(_) | VarRole::Local => String::new(),
                };
                let base = self.fresh(self.pointer_bits, Origin::InitialMemory, &name, role, None);
                self.pointers.insert(base);
                self.symbols.insert(role, base);
                base
            }
        };
        if state.block_at(base).is_none() {
            self.place_symbol(state, role, base);
        }
        base
    }

    fn place_symbol(&mut self, state: &mut State, role: VarRole, base: TermId) {
        let _ = state.path.know_nonnull(&mut self.terms, base);
        let block = match role {
            VarRole::Global(global) => {
                let info = self.world.global_info(global);
                let (constant, size) = (info.constant && info.init.is_some(), info.size);
                let size = (size > 0).then(|| self.terms.constant(self.pointer_bits, size.into()));
                if constant {
                    Block::new(base, size, Kind::Constant(global), Content::Image)
                } else {
                    let rest = match state.exposed {
                        true => Content::NotFollowed,
                        false if info.init.is_some() && self.world.begins_program() => Content::Image,
                        false => Content::Initial,
                    };
                    Block::new(base, size, Kind::Global(global), rest)
                }
            }
            VarRole::Function(function) => Block::new(base, None, Kind::Function(function), Content::Unknown),
            VarRole::Param(_) | VarRole::Local => return,
        };
        state.add_block(block);
    }

    /// A new variable.
    pub(crate) fn fresh(
        &mut self,
        width: Width,
        origin: Origin,
        name: &str,
        role: VarRole,
        source: Option<Source>,
    ) -> TermId {
        let term = self.terms.fresh(width, origin, name);
        self.roles.push(role);
        self.sources.push(source);
        self.has_uninit |= origin == Origin::Uninit;
        term
    }

    /// A value that nothing is known about, and that nobody outside chooses.
    pub(crate) fn unknown(&mut self, ty: Type, name: &str) -> TermId {
        let width = self.width(ty).min(term::MAX_WIDTH);
        self.fresh(width, Origin::UnknownCall, name, VarRole::Local, None)
    }

    /// A value that the program computes, but that is not followed: nothing may rest on it.
    pub(crate) fn inexact(&mut self, state: &mut State, width: Width) -> TermId {
        state.choose(heap::Choice::Opaque);
        self.fresh(width, Origin::NotFollowed, "", VarRole::Local, None)
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
        self.terms.for_each_operand(term, |operand| operands.push(operand));
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

    /// The variable that a term is.
    pub(crate) fn as_var(&self, term: TermId) -> Option<VarId> {
        match self.terms.node(term) {
            Node::Var(var) => Some(var),
            _ => None,
        }
    }

    /// `term == 0`.
    pub(crate) fn is_zero(&mut self, term: TermId) -> TermId {
        self.terms.is_zero(term)
    }

    /// A value of any width as a number of pointer width, unsigned.
    pub(crate) fn as_size(&mut self, term: TermId) -> TermId {
        self.resized(term, self.pointer_bits)
    }

    /// The low bits, or more zeros.
    pub(crate) fn resized(&mut self, term: TermId, width: Width) -> TermId {
        match self.terms.width(term).cmp(&width) {
            Ordering::Less => self.terms.zext(term, width),
            Ordering::Equal => term,
            Ordering::Greater => self.terms.trunc(term, width),
        }
    }

    /// The address of a label.
    pub(crate) fn label(&mut self, block: BlockId) -> TermId {
        self.terms.constant(self.pointer_bits, LABELS + block.index() as u128)
    }
}

/// Addresses of labels: numbers that are no addresses of objects.
const LABELS: u128 = 1 << 62;
