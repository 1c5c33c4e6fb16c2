//! Instructions.

use crate::function::{InstData, InstId, ValueDef, ValueId};
use crate::inst::{Access, ArithFlags, BinOp, Call, Callee, CastOp, CmpOp, Inst, Lifetime, UnOp};
use crate::module::{Reason, ReasonKind};
use crate::types::{Const, Operand, Signature};

use super::lexer::Token;
use super::values::{BodyState, ToldCall};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `v3: i32 n, v4: i1 = call … !3:5`.
    pub(super) fn inst_line(&mut self, state: &mut BodyState) -> Parsed<InstId> {
        let id = state.body.insts.next_id();
        let (first_result, n_results) = self.results(state, id)?;
        let inst = self.inst(state, id)?;
        let loc = self.loc_suffix(state.home)?;
        Ok(state.body.insts.push(InstData { inst, loc, first_result, n_results }))
    }

    /// The results with the equals sign, if there are any.
    fn results(&mut self, state: &mut BodyState, inst: InstId) -> Parsed<(ValueId, u32)> {
        if self.token.number_after("v").is_none() {
            return Ok((ValueId::FIRST, 0));
        }
        let mut first = None;
        let mut n_results = 0;
        loop {
            let start = self.start;
            let (value, ty, var) = self.value_def(state)?;
            let first: ValueId = *first.get_or_insert(value);
            if base::Id::index(value) != base::Id::index(first) + n_results as usize {
                return Err(
                    self.error_at(start, "the next id (results of one instruction are numbered in order)")
                );
            }
            state.define(value, ty, var, ValueDef::Result(inst, n_results));
            n_results += 1;
            if self.eat("=")? {
                return Ok((first, n_results));
            }
            self.need(",")?;
        }
    }

    fn inst(&mut self, state: &mut BodyState, id: InstId) -> Parsed<Inst> {
        let start = self.start;
        let word = self.word("an instruction")?;
        Ok(match word {
            "assign" => self.assign(state, id)?,
            "uninit" => Inst::Uninit { var: self.for_var(state)? },
            "nondet" => self.nondet()?,
            "funnel_left" | "funnel_right" => {
                let [high, low, amount] = self.operands(state)?;
                Inst::Funnel { left: word == "funnel_left", high, low, amount }
            }
            "cmp" => self.compare(state)?,
            "select" => {
                let [cond, on_true, on_false] = self.operands(state)?;
                Inst::Select { cond, on_true, on_false }
            }
            "freeze" => Inst::Freeze { arg: self.operand(state)? },
            "ptradd" => {
                let [base, index] = self.operands(state)?;
                let scale = if self.eat("*")? { self.number("a number of bytes")? } else { 1 };
                Inst::PtrAdd { base, index, scale, inbounds: self.eat("inbounds")? }
            }
            "alloca" => {
                let (size, align) = (self.operand(state)?, self.align()?);
                Inst::Alloca { var: self.for_var(state)?, size, align }
            }
            "lifetime" => self.lifetime(state)?,
            "stacksave" => Inst::StackSave,
            "stackrestore" => Inst::StackRestore { saved: self.operand(state)? },
            "load" => Inst::Load { ptr: self.operand(state)?, access: self.access()? },
            "store" => {
                let value = self.operand(state)?;
                let ptr = self.operand_after("to", state)?;
                Inst::Store { ptr, value, access: self.access()? }
            }
            "memcopy" => {
                let dst = self.operand(state)?;
                let src = self.operand_after("from", state)?;
                let len = self.operand_after("len", state)?;
                Inst::MemCopy { dst, src, len, overlap: self.eat("overlap")? }
            }
            "memset" => {
                let dst = self.operand(state)?;
                let byte = self.operand_after("byte", state)?;
                Inst::MemSet { dst, byte, len: self.operand_after("len", state)? }
            }
            "call" => self.call(state, id, start)?,
            "vastart" => Inst::VaStart { list: self.operand(state)? },
            "vaend" => Inst::VaEnd { list: self.operand(state)? },
            "vacopy" => {
                let dst = self.operand(state)?;
                Inst::VaCopy { dst, src: self.operand_after("from", state)? }
            }
            "assume" => Inst::Assume { cond: self.operand(state)? },
            _ => match (UnOp::from_word(word), BinOp::from_word(word), CastOp::from_word(word)) {
                (Some(op), _, _) => Inst::Unary { op, arg: self.operand(state)? },
                (_, Some(op), _) => self.binary(op, state)?,
                (_, _, Some(op)) => Inst::Cast { op, arg: self.operand(state)? },
                (None, None, None) => return Err(self.error_at(start, "an instruction")),
            },
        })
    }

    /// Operands with commas between them.
    fn operands<const N: usize>(&mut self, state: &mut BodyState) -> Parsed<[Operand; N]> {
        let mut operands = [Operand::Value(ValueId::FIRST); N];
        for (position, operand) in operands.iter_mut().enumerate() {
            if position > 0 {
                self.need(",")?;
            }
            *operand = self.operand(state)?;
        }
        Ok(operands)
    }

    fn operand_after(&mut self, word: &str, state: &mut BodyState) -> Parsed<Operand> {
        self.need(word)?;
        self.operand(state)
    }

    /// `assign v1`, with ` to p` if the result is a version of another variable (which breaks L19).
    fn assign(&mut self, state: &mut BodyState, id: InstId) -> Parsed<Inst> {
        let value = self.operand(state)?;
        if self.eat("to")? {
            return Ok(Inst::Assign { var: self.var_ref(state)?, value });
        }
        let first = state
            .defs
            .iter()
            .rev()
            .take_while(|def| matches!(def.value.def, ValueDef::Result(it, _) if it == id));
        match first.last().and_then(|def| def.value.var) {
            Some(var) => Ok(Inst::Assign { var, value }),
            None => self.error("`to` and a variable, since the result has none"),
        }
    }

    fn for_var(&mut self, state: &BodyState) -> Parsed<Option<crate::VarId>> {
        if self.eat("for")? { self.var_ref(state).map(Some) } else { Ok(None) }
    }

    fn nondet(&mut self) -> Parsed<Inst> {
        let start = self.start;
        let Some(kind) = ReasonKind::from_word(self.word("a reason")?) else {
            return Err(self.error_at(start, "a reason"));
        };
        let detail = self.optional_string()?;
        Ok(Inst::Nondet { reason: self.reason_id(Reason { kind, detail }) })
    }

    fn binary(&mut self, op: BinOp, state: &mut BodyState) -> Parsed<Inst> {
        let mut flags = ArithFlags::default();
        while let Token::Word(word) = self.token {
            if !flags.set_flag(word) {
                break;
            }
            self.advance()?;
        }
        let [lhs, rhs] = self.operands(state)?;
        Ok(Inst::Binary { op, flags, lhs, rhs })
    }

    fn compare(&mut self, state: &mut BodyState) -> Parsed<Inst> {
        let start = self.start;
        let Some(op) = CmpOp::from_word(self.word("a comparison")?) else {
            return Err(self.error_at(start, "a comparison"));
        };
        let [lhs, rhs] = self.operands(state)?;
        Ok(Inst::Compare { op, lhs, rhs })
    }

    fn lifetime(&mut self, state: &mut BodyState) -> Parsed<Inst> {
        let start = self.start;
        let Some(event) = Lifetime::from_word(self.word("`start` or `end`")?) else {
            return Err(self.error_at(start, "`start` or `end`"));
        };
        Ok(Inst::Lifetime { ptr: self.operand(state)?, event })
    }

    fn align(&mut self) -> Parsed<u32> {
        self.need("align")?;
        self.number("an alignment")
    }

    fn access(&mut self) -> Parsed<Access> {
        let align = self.align()?;
        let volatile = self.eat("volatile")?;
        Ok(Access { align, volatile, atomic: self.eat("atomic")? })
    }

    /// `call @f(v1 nonnull, ..., v2) as (ptr, ...) -> (i32) noreturn`; the parser stands behind the first word.
    fn call(&mut self, state: &mut BodyState, inst: InstId, start: usize) -> Parsed<Inst> {
        let callee = self.callee(state)?;
        let (mut args, mut arg_attrs, mut dots) = (Vec::new(), Vec::new(), None);
        self.list("(", ")", |parser| {
            if dots.is_none() && parser.eat("...")? {
                dots = Some(args.len());
                return Ok(());
            }
            args.push(parser.operand(state)?);
            arg_attrs.push(parser.param_attrs()?);
            Ok(())
        })?;
        let mut signature = Signature { variadic: dots.is_some(), ..Signature::default() };
        let n_fixed = dots.unwrap_or(args.len());
        let call = state.body.calls.next_id();
        if dots.is_none() && self.eat("as")? {
            let params = self.typed_list()?;
            let results = if self.eat("->")? { self.typed_list()?.types } else { Vec::new() };
            signature = Signature { params: params.types, results, variadic: params.variadic };
        } else {
            state.told.push(ToldCall { inst, call, n_fixed, start });
        }
        let noreturn = self.eat("noreturn")?;
        state.body.calls.push(Call { callee, args, arg_attrs, signature, noreturn });
        Ok(Inst::Call { call })
    }

    fn callee(&mut self, state: &mut BodyState) -> Parsed<Callee> {
        if self.eat("asm")? {
            let text = self.string()?;
            return Ok(Callee::Asm(self.asm_id(text)));
        }
        if self.token.number_after("v").is_some() {
            return self.operand(state).map(Callee::Ptr);
        }
        match self.constant()? {
            Const::Func(function) => Ok(Callee::Func(function)),
            address => Ok(Callee::Ptr(state.body.consts.insert(address).into())),
        }
    }
}
