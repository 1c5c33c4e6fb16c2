//! The same bits under another type: lanes put together to one integer, and taken apart again.
//!
//! Judgment: as if stored and loaded back. On little-endian machines the first lane holds the least
//! significant bits, on big-endian ones the most significant.

use ir::{BinOp, CastOp, Operand, Type};

use super::{Lanes, Translator};
use crate::error::Stop;

impl Translator<'_, '_> {
    /// `bitcast`: the lanes as lanes of other types with the same number of bits.
    pub(super) fn reinterpret(&mut self, lanes: &[Operand], types: &[Type]) -> Result<Lanes, Stop> {
        if self.have_types(lanes, types) {
            return Ok(lanes.into());
        }
        let (&[first, ..], &[to, ..]) = (lanes, types) else { return Err(Stop::Operands) };
        let (from_bits, to_bits) = (self.width(self.ty(first)), self.width(to));
        if u64::from(from_bits) * lanes.len() as u64 != u64::from(to_bits) * types.len() as u64
            || lanes.iter().any(|it| self.ty(*it) != self.ty(first))
            || types.iter().any(|it| *it != to)
        {
            return Err(Stop::Operands);
        }
        // Groups of lanes that have as many bits as a group of the others.
        let (n_from, n_to) = match (from_bits, to_bits) {
            _ if from_bits.is_multiple_of(to_bits) => (1, (from_bits / to_bits) as usize),
            _ if to_bits.is_multiple_of(from_bits) => ((to_bits / from_bits) as usize, 1),
            _ => (lanes.len(), types.len()),
        };
        let mut result = Lanes::new();
        for group in lanes.chunks(n_from) {
            let ints: Lanes = group.iter().map(|&it| self.bits_of(it)).collect();
            let joined = self.join(&ints, from_bits);
            for part in self.split(joined, to_bits, n_to) {
                result.push(self.lane_of(part, to));
            }
        }
        Ok(result)
    }

    /// The bits of a type.
    pub(super) fn width(&self, ty: Type) -> u32 {
        ty.bits(self.env.pointer_bits)
    }

    fn bits_of(&mut self, lane: Operand) -> Operand {
        match self.ty(lane) {
            Type::Int(_) => lane,
            Type::Ptr => self.cast(CastOp::PtrToInt, lane, self.word()),
            Type::Float(kind) => self.cast(CastOp::Bits, lane, Type::Int(kind.bits())),
        }
    }

    fn lane_of(&mut self, lane: Operand, ty: Type) -> Operand {
        match ty {
            Type::Int(_) => lane,
            Type::Ptr => self.cast(CastOp::IntToPtr, lane, ty),
            Type::Float(_) => self.cast(CastOp::Bits, lane, ty),
        }
    }

    /// Integers of `width` bits as one.
    pub(super) fn join(&mut self, lanes: &[Operand], width: u32) -> Operand {
        if let [lane] = lanes {
            return *lane;
        }
        let total = width * lanes.len() as u32;
        let mut joined = self.int(total, 0);
        for (position, &lane) in lanes.iter().enumerate() {
            let wide = self.cast(CastOp::ZExt, lane, Type::Int(total));
            let shift = self.lane_shift(position, lanes.len(), width);
            let shifted = self.shift(BinOp::Shl, wide, shift);
            joined = if position == 0 { shifted } else { self.binary(BinOp::Or, joined, shifted) };
        }
        joined
    }

    /// An integer as `count` integers of `width` bits.
    pub(super) fn split(&mut self, joined: Operand, width: u32, count: usize) -> Lanes {
        if count == 1 {
            return Lanes::from_slice(&[joined]);
        }
        let mut lanes = Lanes::new();
        for position in 0..count {
            let shift = self.lane_shift(position, count, width);
            let shifted = self.shift(BinOp::LShr, joined, shift);
            lanes.push(self.cast(CastOp::Trunc, shifted, Type::Int(width)));
        }
        lanes
    }

    /// How far the `position`-th of `count` lanes is from the least significant bit.
    fn lane_shift(&self, position: usize, count: usize, width: u32) -> u32 {
        let from_low = if self.env.layout.spec.big_endian { count - 1 - position } else { position };
        width * from_low as u32
    }

    fn shift(&mut self, op: BinOp, arg: Operand, distance: u32) -> Operand {
        let Type::Int(width) = self.ty(arg) else { return arg };
        if distance == 0 {
            return arg;
        }
        let distance = self.int(width, u128::from(distance));
        self.binary(op, arg, distance)
    }
}
