//! Instructions, one per line, and constants where they are used.

use crate::function::InstId;
use crate::inst::{Call, Callee, Inst};
use crate::module::ParamAttrs;
use crate::types::{Const, FloatKind, Operand};

use super::function::BodyCx;
use super::{Printer, put};

impl Printer<'_> {
    pub(super) fn inst_line(&mut self, cx: &BodyCx<'_>, id: InstId) {
        let Some(data) = cx.body.insts.get(id) else {
            put!(self, "// {id} does not exist\n");
            return;
        };
        // A result that does not exist (law L2) ends the list, which could be absurdly long.
        let n_existing = cx.body.results(id).take_while(|&it| cx.body.values.contains(it)).count();
        for (position, result) in cx.body.results(id).take(n_existing.max(1)).enumerate() {
            self.out.push_str(if position == 0 { "" } else { ", " });
            self.value_def(cx, result);
        }
        self.out.push_str(if data.n_results == 0 { "" } else { " = " });
        self.inst(cx, id, &data.inst);
        self.loc_suffix(data.loc, cx.home);
        self.out.push('\n');
    }

    fn inst(&mut self, cx: &BodyCx<'_>, id: InstId, inst: &Inst) {
        match *inst {
            Inst::Assign { var, value } => {
                self.sentence(cx, &[("assign ", value)]);
                let named = cx.body.results(id).next().and_then(|it| cx.body.values.get(it)?.var);
                if named != Some(var) {
                    self.out.push_str(" to ");
                    self.var_ref(cx, var);
                }
            }
            Inst::Uninit { var } => {
                self.out.push_str("uninit");
                var.into_iter().for_each(|var| self.for_var(cx, var));
            }
            Inst::Nondet { reason } => match self.module.reasons.get(reason) {
                Some(reason) => {
                    put!(self, "nondet {}", reason.kind.word());
                    reason.detail.into_iter().for_each(|detail| {
                        self.out.push(' ');
                        self.string(detail);
                    });
                }
                None => put!(self, "nondet {reason}"),
            },
            Inst::Unary { op, arg } => self.words_of(cx, op.word(), &[], &[arg]),
            Inst::Binary { op, flags, lhs, rhs } => {
                self.out.push_str(op.word());
                flags.flag_words().for_each(|word| put!(self, " {word}"));
                self.words_of(cx, "", &[], &[lhs, rhs]);
            }
            Inst::Funnel { left, high, low, amount } => {
                let word = if left { "funnel_left" } else { "funnel_right" };
                self.words_of(cx, word, &[], &[high, low, amount]);
            }
            Inst::Compare { op, lhs, rhs } => self.words_of(cx, "cmp", &[op.word()], &[lhs, rhs]),
            Inst::Cast { op, arg } => self.words_of(cx, op.word(), &[], &[arg]),
            Inst::Select { cond, on_true, on_false } => {
                self.words_of(cx, "select", &[], &[cond, on_true, on_false])
            }
            Inst::Freeze { arg } => self.words_of(cx, "freeze", &[], &[arg]),
            Inst::PtrAdd { base, index, scale, inbounds } => {
                self.words_of(cx, "ptradd", &[], &[base, index]);
                if scale != 1 {
                    put!(self, " * {scale}");
                }
                self.words([(inbounds, "inbounds")]);
            }
            Inst::Alloca { var, size, align } => {
                self.sentence(cx, &[("alloca ", size)]);
                put!(self, " align {align}");
                var.into_iter().for_each(|var| self.for_var(cx, var));
            }
            Inst::Lifetime { ptr, event } => self.words_of(cx, "lifetime", &[event.word()], &[ptr]),
            Inst::StackSave => self.out.push_str("stacksave"),
            Inst::StackRestore { saved } => self.words_of(cx, "stackrestore", &[], &[saved]),
            Inst::Load { ptr, access } => {
                self.sentence(cx, &[("load ", ptr)]);
                put!(self, " align {}", access.align);
                access.flag_words().for_each(|word| put!(self, " {word}"));
            }
            Inst::Store { ptr, value, access } => {
                self.sentence(cx, &[("store ", value), (" to ", ptr)]);
                put!(self, " align {}", access.align);
                access.flag_words().for_each(|word| put!(self, " {word}"));
            }
            Inst::MemCopy { dst, src, len, overlap } => {
                self.sentence(cx, &[("memcopy ", dst), (" from ", src), (" len ", len)]);
                self.words([(overlap, "overlap")]);
            }
            Inst::MemSet { dst, byte, len } => {
                self.sentence(cx, &[("memset ", dst), (" byte ", byte), (" len ", len)]);
            }
            Inst::Call { call } => match cx.body.calls.get(call) {
                Some(call) => self.call(cx, id, call),
                None => put!(self, "call {call}"),
            },
            Inst::VaStart { list } => self.words_of(cx, "vastart", &[], &[list]),
            Inst::VaEnd { list } => self.words_of(cx, "vaend", &[], &[list]),
            Inst::VaCopy { dst, src } => self.sentence(cx, &[("vacopy ", dst), (" from ", src)]),
            Inst::Assume { cond } => self.words_of(cx, "assume", &[], &[cond]),
        }
    }

    /// `word more a, b, c`.
    fn words_of(&mut self, cx: &BodyCx<'_>, word: &str, more: &[&str], operands: &[Operand]) {
        self.out.push_str(word);
        more.iter().for_each(|word| put!(self, " {word}"));
        self.out.push(' ');
        self.comma_separated(operands, |printer, &operand| printer.operand(cx, operand));
    }

    /// Operands, each after its own words.
    fn sentence(&mut self, cx: &BodyCx<'_>, parts: &[(&str, Operand)]) {
        for &(words, operand) in parts {
            self.out.push_str(words);
            self.operand(cx, operand);
        }
    }

    fn for_var(&mut self, cx: &BodyCx<'_>, var: crate::VarId) {
        self.out.push_str(" for ");
        self.var_ref(cx, var);
    }

    /// `call @f(v1 nonnull, ..., v2) as (i32) -> (i32) noreturn`; the signature only where arguments and results do not tell it.
    fn call(&mut self, cx: &BodyCx<'_>, id: InstId, call: &Call) {
        self.out.push_str("call ");
        match call.callee {
            Callee::Func(function) => self.func_ref(function),
            Callee::Ptr(address) => self.operand(cx, address),
            Callee::Asm(asm) => match self.module.asm.get(asm) {
                Some(&text) => {
                    self.out.push_str("asm ");
                    self.string(text);
                }
                None => put!(self, "{asm}"),
            },
        }
        let told = tells_signature(cx, id, call);
        let dots = (told && call.signature.variadic).then_some(call.signature.params.len());
        self.args(cx, call, dots);
        if !told {
            self.out.push_str(" as ");
            self.signature(&call.signature);
        }
        self.words([(call.noreturn, "noreturn")]);
    }

    /// The arguments; `...` stands before the argument at `dots`.
    fn args(&mut self, cx: &BodyCx<'_>, call: &Call, dots: Option<usize>) {
        self.out.push('(');
        let no_attrs = ParamAttrs::default();
        let mut separator = "";
        for position in 0..=call.args.len() {
            if dots == Some(position) {
                put!(self, "{separator}...");
                separator = ", ";
            }
            if let Some(&arg) = call.args.get(position) {
                self.out.push_str(separator);
                self.operand(cx, arg);
                self.param_attrs(call.arg_attrs.get(position).unwrap_or(&no_attrs));
                separator = ", ";
            }
        }
        self.out.push(')');
    }

    /// A value or constant where it is used.
    pub(super) fn operand(&mut self, cx: &BodyCx<'_>, operand: Operand) {
        match operand {
            Operand::Value(value) => put!(self, "{value}"),
            Operand::Const(constant) => match cx.body.consts.get(constant) {
                Some(constant) => self.constant(constant),
                None => put!(self, "{constant}"),
            },
        }
    }

    fn constant(&mut self, constant: &Const) {
        match *constant {
            Const::Int { width: 1, value } => self.out.push_str(if value == 0 { "false" } else { "true" }),
            Const::Int { width, value } => put!(self, "i{width} {}", signed(width, value)),
            Const::WideInt { width, ref words } => {
                put!(self, "i{width} 0x");
                let digits = width.div_ceil(4) as usize;
                let nibble = |at: usize| words.get(at / 16).map_or(0, |word| word >> (at % 16 * 4) & 15);
                (0..digits).rev().for_each(|at| put!(self, "{:x}", nibble(at)));
            }
            Const::Null => self.out.push_str("null"),
            Const::Float { kind, bits } => self.float(kind, bits),
            Const::Global { global, offset } => {
                self.global_ref(global);
                self.offset(offset);
            }
            Const::Func(function) => self.func_ref(function),
            Const::Block(block) => put!(self, "label {block}"),
            Const::Undef(ty) => put!(self, "undef {ty}"),
            Const::Poison(ty) => put!(self, "poison {ty}"),
        }
    }

    /// The shortest decimal number that means these bits; the bits where there is none or we cannot tell.
    fn float(&mut self, kind: FloatKind, bits: u128) {
        let double = f64::from_bits(bits as u64);
        let single = f32::from_bits(bits as u32);
        match kind {
            FloatKind::Double if double.is_finite() => put!(self, "double {double:?}"),
            FloatKind::Single if single.is_finite() => put!(self, "single {single:?}"),
            _ => put!(self, "{} 0x{bits:x}", kind.word()),
        }
    }
}

/// Whether the types of arguments and results tell the signature; `...` then marks where the variadic arguments begin.
fn tells_signature(cx: &BodyCx<'_>, id: InstId, call: &Call) -> bool {
    let body = cx.body;
    let ty = |operand: &Operand| match *operand {
        Operand::Value(value) => body.values.get(value).map(|value| value.ty),
        Operand::Const(constant) => body.consts.get(constant).map(Const::ty),
    };
    let n_fixed = if call.signature.variadic { call.signature.params.len() } else { call.args.len() };
    let Some(fixed) = call.args.get(..n_fixed) else { return false };
    let results = body.results(id).map(|it| body.values.get(it).map(|it| it.ty));
    fixed.iter().map(ty).eq(call.signature.params.iter().copied().map(Some))
        && results.eq(call.signature.results.iter().copied().map(Some))
}

/// The number that the bits of an integer mean when signed.
fn signed(width: u32, value: u128) -> i128 {
    let unused = 128_u32.saturating_sub(width);
    (value << unused) as i128 >> unused
}
