//! `getelementptr` as a chain of `PtrAdd`: one per variable index, one per run of constant ones.

use bitcode::{TypeId, ValueId};
use ir::{Inst, Operand, Type};

use super::{Lanes, Translator};
use crate::error::Stop;
use crate::flat::Shape;
use crate::path::{Stride, steps};

impl Translator<'_, '_> {
    /// The address (or, with a vector among the operands, the addresses) that `indices` lead to from `base`.
    pub(super) fn gep_lanes(
        &mut self,
        source: TypeId,
        inbounds: bool,
        base: ValueId,
        indices: &[ValueId],
        result: &Shape,
    ) -> Result<Lanes, Stop> {
        let mut lanes = self.lanes(base)?;
        let Some(steps) = steps(self.env, Some(self.source), source, indices) else {
            return self.unmodeled(ir::ReasonKind::Type, "address computation over a type without size");
        };
        let n_lanes = match result {
            Shape::Unmodeled(why) => return self.unmodeled(why.kind, &why.detail),
            shape => shape.lanes().len(),
        };
        if lanes.len() != n_lanes {
            let &[scalar] = lanes.as_slice() else { return Err(Stop::Operands) };
            lanes = smallvec::smallvec![scalar; n_lanes];
        }
        if lanes.iter().any(|it| self.ty(*it) != Type::Ptr) {
            return Err(Stop::Operands);
        }
        for step in steps {
            lanes = match step {
                Stride::Bytes(bytes) => lanes.iter().map(|&it| self.offset(it, bytes, inbounds)).collect(),
                Stride::Index(index, scale) => self.index_lanes(&lanes, index, scale, inbounds)?,
            };
        }
        Ok(lanes)
    }

    fn index_lanes(
        &mut self,
        bases: &[Operand],
        index: ValueId,
        scale: u64,
        inbounds: bool,
    ) -> Result<Lanes, Stop> {
        let indices = self.lanes(index)?;
        if indices.len() != 1 && indices.len() != bases.len() {
            return Err(Stop::Operands);
        }
        let mut result = Lanes::new();
        let mut last = None;
        for (position, &base) in bases.iter().enumerate() {
            let lane = indices[if indices.len() == 1 { 0 } else { position }];
            if !matches!(self.ty(lane), Type::Int(_)) {
                return Err(Stop::Operands);
            }
            // One scalar index for many bases is widened once.
            let index = match last {
                Some((from, index)) if from == lane => index,
                _ => self.resize(lane, self.env.pointer_bits, true),
            };
            last = Some((lane, index));
            result.push(self.emit(Inst::PtrAdd { base, index, scale, inbounds }, Type::Ptr));
        }
        Ok(result)
    }
}
