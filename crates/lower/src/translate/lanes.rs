//! Members of struct, array and vector values: which lanes they are.

use bitcode::{Type as Llvm, TypeId, ValueId};
use ir::{CmpOp, Const, Operand, Type};

use super::{Lanes, Translator};
use crate::env::Env;
use crate::error::Stop;

impl Translator<'_, '_> {
    /// `extractelement`: the lane of that number; a chain of selections if the number is not constant.
    pub(super) fn extract_lane(&mut self, vector: &[Operand], index: Operand) -> Result<Lanes, Stop> {
        let &[first, ref rest @ ..] = vector else { return Err(Stop::Operands) };
        if let Some(index) = self.small_constant(index) {
            let lane = vector.get(index).copied();
            // Beyond the end, the result is poison.
            let ty = self.ty(first);
            return Ok(Lanes::from_slice(
                &[lane.unwrap_or_else(|| self.constant_operand(Const::Poison(ty)))],
            ));
        }
        let mut result = first;
        for (position, &lane) in rest.iter().enumerate() {
            let is_it = self.index_is(index, position + 1)?;
            result = self.select(is_it, lane, result);
        }
        Ok(Lanes::from_slice(&[result]))
    }

    /// `insertelement`.
    pub(super) fn insert_lane(
        &mut self,
        vector: &[Operand],
        element: Operand,
        index: Operand,
    ) -> Result<Lanes, Stop> {
        if vector.iter().any(|it| self.ty(*it) != self.ty(element)) {
            return Err(Stop::Operands);
        }
        let mut result: Lanes = vector.into();
        if let Some(index) = self.small_constant(index) {
            if let Some(lane) = result.get_mut(index) {
                *lane = element;
            }
            return Ok(result);
        }
        for (position, lane) in result.iter_mut().enumerate() {
            let is_it = self.index_is(index, position)?;
            *lane = self.select(is_it, element, *lane);
        }
        Ok(result)
    }

    fn index_is(&mut self, index: Operand, position: usize) -> Result<Operand, Stop> {
        let Type::Int(width) = self.ty(index) else { return Err(Stop::Operands) };
        let position = self.int(width, position as u128);
        Ok(self.compare(CmpOp::Eq, index, position))
    }

    /// `shufflevector`: lanes of two vectors, as a constant vector of numbers says.
    pub(super) fn shuffle_lanes(&mut self, lhs: ValueId, rhs: ValueId, mask: ValueId) -> Result<Lanes, Stop> {
        let mut both = self.lanes(lhs)?;
        both.extend(self.lanes(rhs)?);
        let ty = self.ty(*both.first().ok_or(Stop::Operands)?);
        let mask = self.lanes(mask)?;
        let pick = |lane: &Operand| {
            let lane = self.small_constant(*lane).and_then(|it| both.get(it).copied());
            // An undefined number in the mask gives an undefined lane.
            lane.unwrap_or_else(|| self.constant_operand(Const::Poison(ty)))
        };
        Ok(mask.iter().map(pick).collect())
    }

    /// `extractvalue`.
    pub(super) fn extract_value(&mut self, aggregate: ValueId, indices: &[u32]) -> Result<Lanes, Stop> {
        let lanes = self.lanes(aggregate)?;
        let range = self.member(aggregate, indices)?;
        Ok(lanes.get(range).ok_or(Stop::Operands)?.into())
    }

    /// `insertvalue`.
    pub(super) fn insert_value(
        &mut self,
        aggregate: ValueId,
        element: ValueId,
        indices: &[u32],
    ) -> Result<Lanes, Stop> {
        let mut lanes = self.lanes(aggregate)?;
        let element = self.lanes(element)?;
        let range = self.member(aggregate, indices)?;
        let slots = lanes.get_mut(range).ok_or(Stop::Operands)?;
        if slots.len() != element.len() {
            return Err(Stop::Operands);
        }
        slots.copy_from_slice(&element);
        Ok(lanes)
    }

    fn member(&self, aggregate: ValueId, indices: &[u32]) -> Result<std::ops::Range<usize>, Stop> {
        let ty = self.env.module.value_type(Some(self.source), aggregate).ok_or(Stop::Operands)?;
        member_lanes(self.env, ty, indices).ok_or(Stop::Operands)
    }

    /// The number that an operand is, if it is a constant that fits.
    pub(crate) fn small_constant(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Const(id) => match self.body.consts[id] {
                Const::Int { value, .. } => usize::try_from(value).ok(),
                _ => None,
            },
            Operand::Value(_) => None,
        }
    }
}

/// The lanes of the member that `indices` lead to.
fn member_lanes(env: &Env<'_>, ty: TypeId, indices: &[u32]) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    let mut ty = ty;
    for &index in indices {
        let index = index as usize;
        match env.module.types.get(ty)? {
            Llvm::Struct { fields, .. } => {
                let before = fields.get(..index)?;
                start += before.iter().map(|&it| env.shape(it).lanes().len()).sum::<usize>();
                ty = *fields.get(index)?;
            }
            Llvm::Array { element, count } if (index as u64) < *count => {
                start += index * env.shape(*element).lanes().len();
                ty = *element;
            }
            _ => return None,
        }
    }
    Some(start..start + env.shape(ty).lanes().len())
}
