//! Conversions, lane by lane.

use bitcode::CastOp as Llvm;
use ir::{CastOp, Operand, Type};

use super::{Lanes, Translator};
use crate::error::Stop;
use crate::flat::Shape;

impl Translator<'_, '_> {
    /// A conversion of all lanes to the lanes of `to`.
    pub(super) fn cast_lanes(&mut self, op: Llvm, arg: &[Operand], to: &Shape) -> Result<Lanes, Stop> {
        let types = match to {
            Shape::Unmodeled(why) => return self.unmodeled(why.kind, &why.detail),
            shape => shape.lanes(),
        };
        if op == Llvm::BitCast {
            return self.reinterpret(arg, types);
        }
        if arg.len() != types.len() {
            return Err(Stop::Operands);
        }
        arg.iter().zip(types).map(|(&arg, &to)| self.cast_lane(op, arg, to)).collect()
    }

    fn cast_lane(&mut self, op: Llvm, arg: Operand, to: Type) -> Result<Operand, Stop> {
        let op = match (op, self.ty(arg), to) {
            (Llvm::Trunc, Type::Int(from), Type::Int(to)) if to < from => CastOp::Trunc,
            (Llvm::ZExt, Type::Int(from), Type::Int(to)) if to > from => CastOp::ZExt,
            (Llvm::SExt, Type::Int(from), Type::Int(to)) if to > from => CastOp::SExt,
            (Llvm::FpToUi, Type::Float(_), Type::Int(_)) => CastOp::FToU,
            (Llvm::FpToSi, Type::Float(_), Type::Int(_)) => CastOp::FToS,
            (Llvm::UiToFp, Type::Int(_), Type::Float(_)) => CastOp::UToF,
            (Llvm::SiToFp, Type::Int(_), Type::Float(_)) => CastOp::SToF,
            (Llvm::FpTrunc | Llvm::FpExt, Type::Float(_), Type::Float(_)) => CastOp::FToF,
            (Llvm::PtrToInt | Llvm::PtrToAddr, Type::Ptr, Type::Int(_)) => CastOp::PtrToInt,
            (Llvm::IntToPtr, Type::Int(_), Type::Ptr) => CastOp::IntToPtr,
            // All address spaces are one memory.
            (Llvm::AddrSpaceCast, Type::Ptr, Type::Ptr) => return Ok(arg),
            _ => return Err(Stop::Operands),
        };
        Ok(self.cast(op, arg, to))
    }
}
