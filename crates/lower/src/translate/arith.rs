//! Arithmetic, comparisons and selection, lane by lane.

use bitcode::{BinaryFlags, BinaryOp, Predicate};
use ir::{ArithFlags, BinOp, CmpOp, Inst, Operand, Type, UnOp};

use super::{Lanes, Translator};
use crate::error::Stop;

impl Translator<'_, '_> {
    /// An arithmetic operation on all lanes.
    pub(super) fn binary_lanes(
        &mut self,
        op: BinaryOp,
        flags: BinaryFlags,
        lhs: &[Operand],
        rhs: &[Operand],
    ) -> Result<Lanes, Stop> {
        let op = binary_op(op);
        // `or disjoint` is an addition in disguise; which of the two it was does not matter to its result.
        let may_wrap = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
        let may_lose = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::LShr | BinOp::AShr);
        let flags = ArithFlags {
            nuw: flags.nuw && may_wrap,
            nsw: flags.nsw && may_wrap,
            exact: flags.exact && may_lose,
        };
        let pairs = self.pairs(lhs, rhs)?;
        for &(lhs, _) in &pairs {
            let fits = match self.ty(lhs) {
                Type::Int(_) => !op.is_float(),
                Type::Float(_) => op.is_float(),
                Type::Ptr => false,
            };
            if !fits {
                return Err(Stop::Operands);
            }
        }
        let apply = |(lhs, rhs)| {
            let ty = self.ty(lhs);
            self.emit(Inst::Binary { op, flags, lhs, rhs }, ty)
        };
        Ok(pairs.into_iter().map(apply).collect())
    }

    /// `fneg` on all lanes.
    pub(super) fn negate_lanes(&mut self, arg: &[Operand]) -> Result<Lanes, Stop> {
        self.unary_lanes(UnOp::FNeg, arg)
    }

    /// An operation on all lanes; they should be floats where it is one of floats.
    pub(crate) fn unary_lanes(&mut self, op: UnOp, arg: &[Operand]) -> Result<Lanes, Stop> {
        let float = matches!(
            op,
            UnOp::FNeg
                | UnOp::FAbs
                | UnOp::FSqrt
                | UnOp::FFloor
                | UnOp::FCeil
                | UnOp::FTrunc
                | UnOp::FRound
                | UnOp::FRoundEven
        );
        let fits = |ty| match ty {
            Type::Int(width) => !float && (op != UnOp::ByteSwap || width.is_multiple_of(8)),
            Type::Float(_) => float,
            Type::Ptr => false,
        };
        if !arg.iter().all(|it| fits(self.ty(*it))) {
            return Err(Stop::Operands);
        }
        Ok(arg.iter().map(|&it| self.unary(op, it)).collect())
    }

    /// A comparison of all lanes.
    pub(super) fn compare_lanes(
        &mut self,
        predicate: Predicate,
        lhs: &[Operand],
        rhs: &[Operand],
    ) -> Result<Lanes, Stop> {
        let op = cmp_op(predicate);
        let pairs = self.pairs(lhs, rhs)?;
        if pairs.iter().any(|(lhs, _)| matches!(self.ty(*lhs), Type::Float(_)) != op.is_float()) {
            return Err(Stop::Operands);
        }
        Ok(pairs.into_iter().map(|(lhs, rhs)| self.compare(op, lhs, rhs)).collect())
    }

    /// `select`: one condition for all lanes, or one for each.
    pub(super) fn select_lanes(
        &mut self,
        cond: &[Operand],
        on_true: &[Operand],
        on_false: &[Operand],
    ) -> Result<Lanes, Stop> {
        let pairs = self.pairs(on_true, on_false)?;
        if cond.iter().any(|it| self.ty(*it) != Type::BOOL) {
            return Err(Stop::Operands);
        }
        let conds: Lanes = match cond {
            [cond] => pairs.iter().map(|_| *cond).collect(),
            _ if cond.len() == pairs.len() => cond.into(),
            _ => return Err(Stop::Operands),
        };
        let apply = |(cond, (on_true, on_false))| self.select(cond, on_true, on_false);
        Ok(conds.into_iter().zip(pairs).map(apply).collect())
    }

    /// `freeze` on all lanes.
    pub(super) fn freeze_lanes(&mut self, arg: &[Operand]) -> Lanes {
        let apply = |&arg: &Operand| {
            let ty = self.ty(arg);
            self.emit(Inst::Freeze { arg }, ty)
        };
        arg.iter().map(apply).collect()
    }

    /// Two operands lane by lane; their types should be equal.
    pub(crate) fn pairs(
        &self,
        lhs: &[Operand],
        rhs: &[Operand],
    ) -> Result<smallvec::SmallVec<[(Operand, Operand); 2]>, Stop> {
        if lhs.len() != rhs.len() || lhs.iter().zip(rhs).any(|(lhs, rhs)| self.ty(*lhs) != self.ty(*rhs)) {
            return Err(Stop::Operands);
        }
        Ok(lhs.iter().copied().zip(rhs.iter().copied()).collect())
    }
}

fn binary_op(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::FAdd => BinOp::FAdd,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::FSub => BinOp::FSub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::FMul => BinOp::FMul,
        BinaryOp::UDiv => BinOp::UDiv,
        BinaryOp::SDiv => BinOp::SDiv,
        BinaryOp::FDiv => BinOp::FDiv,
        BinaryOp::URem => BinOp::URem,
        BinaryOp::SRem => BinOp::SRem,
        BinaryOp::FRem => BinOp::FRem,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::LShr => BinOp::LShr,
        BinaryOp::AShr => BinOp::AShr,
        BinaryOp::And => BinOp::And,
        BinaryOp::Or => BinOp::Or,
        BinaryOp::Xor => BinOp::Xor,
    }
}

/// Our comparison for LLVM's.
pub(crate) fn cmp_op(predicate: Predicate) -> CmpOp {
    match predicate {
        Predicate::FFalse => CmpOp::FFalse,
        Predicate::FOeq => CmpOp::FOeq,
        Predicate::FOgt => CmpOp::FOgt,
        Predicate::FOge => CmpOp::FOge,
        Predicate::FOlt => CmpOp::FOlt,
        Predicate::FOle => CmpOp::FOle,
        Predicate::FOne => CmpOp::FOne,
        Predicate::FOrd => CmpOp::FOrd,
        Predicate::FUno => CmpOp::FUno,
        Predicate::FUeq => CmpOp::FUeq,
        Predicate::FUgt => CmpOp::FUgt,
        Predicate::FUge => CmpOp::FUge,
        Predicate::FUlt => CmpOp::FUlt,
        Predicate::FUle => CmpOp::FUle,
        Predicate::FUne => CmpOp::FUne,
        Predicate::FTrue => CmpOp::FTrue,
        Predicate::Eq => CmpOp::Eq,
        Predicate::Ne => CmpOp::Ne,
        Predicate::Ugt => CmpOp::Ugt,
        Predicate::Uge => CmpOp::Uge,
        Predicate::Ult => CmpOp::Ult,
        Predicate::Ule => CmpOp::Ule,
        Predicate::Sgt => CmpOp::Sgt,
        Predicate::Sge => CmpOp::Sge,
        Predicate::Slt => CmpOp::Slt,
        Predicate::Sle => CmpOp::Sle,
    }
}
