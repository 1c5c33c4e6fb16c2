//! L6, L13, L19: the types of operands and results, alignments, variables.

use crate::function::InstId;
use crate::inst::{ArithFlags, BinOp, CastOp, Inst, UnOp};
use crate::types::{Operand, Type};

use super::{BodyCx, Law, Position, Sink};

pub(super) fn check(cx: &BodyCx<'_>, sink: &mut Sink) {
    for (id, data) in cx.body.insts.iter_ids() {
        let checked = InstCx { cx, id };
        if let Err(message) = checked.types(&data.inst) {
            sink.report(Law::L13, Position::Inst(id), message);
        }
        let align = match &data.inst {
            Inst::Alloca { align, .. } => *align,
            Inst::Load { access, .. } | Inst::Store { access, .. } => access.align,
            _ => 1,
        };
        sink.expect(align.is_power_of_two(), Law::L6, Position::Inst(id), || format!("align {align}"));
        checked.variable(&data.inst, sink);
    }
}

/// What is wrong with an instruction.
type Checked = Result<(), String>;

struct InstCx<'c> {
    cx: &'c BodyCx<'c>,
    id: InstId,
}

impl InstCx<'_> {
    fn types(&self, inst: &Inst) -> Checked {
        match *inst {
            Inst::Nondet { .. } | Inst::Call { .. } => Ok(()),
            Inst::Uninit { .. } => self.result().map(drop),
            Inst::Assign { value: arg, .. } | Inst::Freeze { arg } => self.result_is(self.ty(arg)),
            Inst::Unary { op, arg } => self.unary(op, self.ty(arg)),
            Inst::Binary { op, flags, lhs, rhs } => self.binary(op, flags, lhs, rhs),
            Inst::Funnel { high, low, amount, .. } => {
                let ty = self.ty(high);
                need(matches!(ty, Type::Int(_)), || format!("a funnel shift of {ty}"))?;
                self.want(low, ty)?;
                self.want(amount, ty)?;
                self.result_is(ty)
            }
            Inst::Compare { op, lhs, rhs } => {
                let ty = self.ty(lhs);
                need(is_float(ty) == op.is_float(), || format!("`{}` of {ty}", op.word()))?;
                self.want(rhs, ty)?;
                self.result_is(Type::BOOL)
            }
            Inst::Cast { op, arg } => self.cast(op, self.ty(arg)),
            Inst::Select { cond, on_true, on_false } => {
                self.want(cond, Type::BOOL)?;
                self.want(on_false, self.ty(on_true))?;
                self.result_is(self.ty(on_true))
            }
            Inst::PtrAdd { base, index, .. } => {
                self.want(base, Type::Ptr)?;
                self.want(index, self.address_int())?;
                self.result_is(Type::Ptr)
            }
            Inst::Alloca { size, .. } => {
                self.want(size, self.address_int())?;
                self.result_is(Type::Ptr)
            }
            Inst::StackSave => self.result_is(Type::Ptr),
            Inst::Load { ptr, .. } => {
                self.want(ptr, Type::Ptr)?;
                self.result().map(drop)
            }
            Inst::Lifetime { ptr, .. }
            | Inst::StackRestore { saved: ptr }
            | Inst::Store { ptr, .. }
            | Inst::VaStart { list: ptr }
            | Inst::VaEnd { list: ptr } => self.effect(&[(ptr, Type::Ptr)]),
            Inst::MemCopy { dst, src, len, .. } => {
                self.effect(&[(dst, Type::Ptr), (src, Type::Ptr), (len, self.address_int())])
            }
            Inst::MemSet { dst, byte, len } => {
                self.effect(&[(dst, Type::Ptr), (byte, Type::Int(8)), (len, self.address_int())])
            }
            Inst::VaCopy { dst, src } => self.effect(&[(dst, Type::Ptr), (src, Type::Ptr)]),
            Inst::Assume { cond } => self.effect(&[(cond, Type::BOOL)]),
        }
    }

    fn unary(&self, op: UnOp, ty: Type) -> Checked {
        let float = match op {
            UnOp::FNeg
            | UnOp::FAbs
            | UnOp::FSqrt
            | UnOp::FFloor
            | UnOp::FCeil
            | UnOp::FTrunc
            | UnOp::FRound
            | UnOp::FRoundEven => true,
            UnOp::ByteSwap
            | UnOp::BitReverse
            | UnOp::PopCount
            | UnOp::LeadingZeros
            | UnOp::TrailingZeros
            | UnOp::Abs => false,
        };
        let holds = match ty {
            Type::Int(width) => !float && (op != UnOp::ByteSwap || width % 8 == 0),
            Type::Float(_) => float,
            Type::Ptr => false,
        };
        need(holds, || format!("`{}` of {ty}", op.word()))?;
        self.result_is(ty)
    }

    fn binary(&self, op: BinOp, flags: ArithFlags, lhs: Operand, rhs: Operand) -> Checked {
        let ty = self.ty(lhs);
        let fits = if op.is_float() { is_float(ty) } else { matches!(ty, Type::Int(_)) };
        need(fits, || format!("`{}` of {ty}", op.word()))?;
        self.want(rhs, ty)?;
        let may_wrap = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
        let may_lose = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::LShr | BinOp::AShr);
        need(may_wrap || !(flags.nuw || flags.nsw), || {
            format!("`{}` with a flag about overflow", op.word())
        })?;
        need(may_lose || !flags.exact, || format!("`{}` with `exact`", op.word()))?;
        self.result_is(if op.is_overflow_test() { Type::BOOL } else { ty })
    }

    fn cast(&self, op: CastOp, from: Type) -> Checked {
        let to = self.result()?;
        let holds = match (op, from, to) {
            (CastOp::Trunc, Type::Int(from), Type::Int(to)) => to < from,
            (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => to > from,
            (
                CastOp::FToU | CastOp::FToS | CastOp::FToUSat | CastOp::FToSSat,
                Type::Float(_),
                Type::Int(_),
            )
            | (CastOp::UToF | CastOp::SToF, Type::Int(_), Type::Float(_))
            | (CastOp::PtrToInt, Type::Ptr, Type::Int(_))
            | (CastOp::IntToPtr, Type::Int(_), Type::Ptr) => true,
            (CastOp::FToF, Type::Float(from), Type::Float(to)) => from != to,
            (CastOp::Bits, from, to) => bits(from).is_some_and(|width| bits(to) == Some(width)),
            _ => false,
        };
        need(holds, || format!("`{}` of {from} to {to}", op.word()))
    }

    /// An instruction without result, with operands of the given types.
    fn effect(&self, operands: &[(Operand, Type)]) -> Checked {
        operands.iter().try_for_each(|&(operand, ty)| self.want(operand, ty))?;
        let n_results = self.cx.body.insts[self.id].n_results;
        need(n_results == 0, || format!("{n_results} results of an instruction that has none"))
    }

    fn want(&self, operand: Operand, expected: Type) -> Checked {
        let ty = self.ty(operand);
        need(ty == expected, || format!("an operand is {ty}, not {expected}"))
    }

    /// The type of the only result.
    fn result(&self) -> Result<Type, String> {
        let data = &self.cx.body.insts[self.id];
        need(data.n_results == 1, || format!("{} results instead of one", data.n_results))?;
        Ok(self.cx.body.values[data.first_result].ty)
    }

    fn result_is(&self, expected: Type) -> Checked {
        let ty = self.result()?;
        need(ty == expected, || format!("the result is {ty}, not {expected}"))
    }

    fn ty(&self, operand: Operand) -> Type {
        self.cx.body.ty(operand)
    }

    /// The integer of pointer width.
    fn address_int(&self) -> Type {
        Type::Int(self.cx.module.target.pointer_bytes.saturating_mul(8))
    }

    fn variable(&self, inst: &Inst, sink: &mut Sink) {
        let result = self.cx.body.results(self.id).next().and_then(|it| self.cx.body.values[it].var);
        let holds = match *inst {
            Inst::Assign { var, .. } => result == Some(var),
            Inst::Uninit { var } => result.is_none() || result == var,
            _ => true,
        };
        sink.expect(holds, Law::L19, Position::Inst(self.id), || {
            "the result is a version of another variable".into()
        });
    }
}

fn need(holds: bool, message: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(message()) }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::Float(_))
}

/// The bits of what is not a pointer.
fn bits(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(width) => Some(width),
        Type::Float(kind) => Some(kind.bits()),
        Type::Ptr => None,
    }
}
