//! Values of the passive form: operands, constants, addresses.
//!
//! Source: Hoenicke et al., §5. Departures are those of [`crate::passive`].

use ir::{Const, Operand, Type, ValueId};
use term::{Origin, TermId, Width};

use crate::frame::Frame;
use crate::memory::{Kind, Object};
use crate::passive::{Passive, pointer_bits};

impl<'w> Passive<'w> {
    /// The value of an operand at a node; none if it has more bits than terms.
    pub(crate) fn operand(&mut self, frame: &mut Frame<'w>, node: usize, operand: Operand) -> Option<TermId> {
        match operand {
            Operand::Const(constant) => {
                let body = frame.body;
                self.constant(frame, &body.consts[constant])
            }
            Operand::Value(value) => self.value(frame, node, value),
        }
    }

    fn value(&mut self, frame: &mut Frame<'w>, node: usize, value: ValueId) -> Option<TermId> {
        if let Some(&known) = frame.values.get(&(node, value)) {
            return Some(known);
        }
        let block = frame.block_of(value);
        if block == frame.copies.nodes[node].block {
            return self.fresh(frame.body.values[value].ty, Origin::UnknownCall);
        }
        let found = match frame.copies.copy_before(block, node) {
            Some(copy) => frame.values.get(&(copy, value)).copied(),
            // It is defined in a loop that was left: which copy it is from depends on the way.
            None if !frame.is_left_at(block, node) => {
                let before = frame.order.before(node);
                self.value(frame, before, value)
            }
            None => {
                let before = frame.order.before(node);
                let preds = frame.copies.nodes[node].preds.clone();
                let ways: Vec<TermId> =
                    preds.iter().map(|&(pred, way)| self.way_taken(frame, before, pred, way)).collect();
                let values: Option<Vec<TermId>> =
                    preds.iter().map(|&(pred, _)| self.value(frame, pred, value)).collect();
                values.map(|values| self.join(&ways, &values))
            }
        };
        let found = match found {
            Some(found) => found,
            None => self.fresh(frame.body.values[value].ty, Origin::UnknownCall)?,
        };
        frame.values.insert((node, value), found);
        Some(found)
    }

    pub(crate) fn constant(&mut self, frame: &Frame<'w>, constant: &Const) -> Option<TermId> {
        let bits = pointer_bits(frame.code);
        Some(match *constant {
            Const::Int { width, value } => self.terms.constant(width, value),
            Const::Null => self.terms.constant(bits, 0),
            Const::Float { kind, bits } => self.terms.constant(kind.bits(), bits),
            Const::Global { global, offset } => {
                let root = self.global(frame, global, bits);
                let distance = self.terms.constant(bits, i128::from(offset) as u128);
                self.advance(root, distance)
            }
            Const::Func(func) => self.function(frame, func, bits),
            Const::Block(_) | Const::WideInt { .. } | Const::Undef(_) | Const::Poison(_) => {
                return self.fresh(constant.ty(), Origin::Uninit);
            }
        })
    }

    fn global(&mut self, frame: &Frame<'w>, global: ir::GlobalId, bits: Width) -> TermId {
        let number = frame.code.world.global(frame.code.unit, global);
        if let Some(&known) = self.globals.get(&number) {
            return known;
        }
        let data = &frame.code.module.globals[global];
        let root = self.terms.fresh(bits, Origin::InitialMemory, "");
        // Another unit may define it larger, and null if it is weak.
        let is_own =
            data.init.is_some() && matches!(data.linkage, ir::Linkage::External | ir::Linkage::Internal);
        let size = (is_own && data.size > 0).then(|| self.terms.constant(bits, data.size.into()));
        if data.linkage != ir::Linkage::ExternWeak {
            self.objects.add(root, Object { kind: Kind::Global, size });
        }
        self.globals.insert(number, root);
        root
    }

    fn function(&mut self, frame: &Frame<'w>, func: ir::FuncId, bits: Width) -> TermId {
        let data = &frame.code.module.functions[func];
        let name = frame.code.module.symbols.resolve(data.name);
        if let Some(&known) = self.functions.get(name) {
            return known;
        }
        let root = self.terms.fresh(bits, Origin::InitialMemory, "");
        if data.linkage != ir::Linkage::ExternWeak {
            self.objects.add(root, Object { kind: Kind::Function, size: None });
        }
        self.functions.insert(name.to_owned(), root);
        root
    }

    /// The pointer so many bytes behind another one.
    pub(crate) fn advance(&mut self, pointer: TermId, distance: TermId) -> TermId {
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        let advanced = self.terms.add(pointer, distance);
        if advanced != pointer {
            let offset = self.terms.add(offset, distance);
            self.objects.derive(&self.terms, advanced, root, offset);
        }
        advanced
    }

    /// Any value of a type.
    pub(crate) fn fresh(&mut self, ty: Type, origin: Origin) -> Option<TermId> {
        let width = self.width(ty);
        (width <= term::WIDEST).then(|| self.terms.fresh(width, origin, ""))
    }

    /// Any number of that many bits.
    pub(crate) fn any(&mut self, width: Width) -> TermId {
        self.terms.fresh(width, Origin::UnknownCall, "")
    }
}
