//! Calls: of functions, of pointers, of inline assembly; intrinsics go to [`intrinsics`].

use bitcode::{ConstantKind, Def, FunctionId};
use ir::{Call, Callee, Const, Inst, Operand, ParamAttrs, Signature, SymbolRef, Type};

use super::{Lanes, Translator};
use crate::address::symbol;
use crate::attributes::of_lane;
use crate::error::Stop;
use crate::intrinsics;

impl<'e> Translator<'e, '_> {
    /// A call; its result lanes.
    pub(super) fn call(&mut self, call: &'e bitcode::Call) -> Result<Lanes, Stop> {
        let result = match self.env.module.def(Some(self.source), call.callee) {
            Some(Def::Function(id)) if self.env.symbols.intrinsic(id).is_some() => {
                intrinsics::translate(self, id, call)
            }
            Some(Def::Constant(constant)) => match &constant.kind {
                ConstantKind::InlineAsm { text, constraints, .. } => self.asm(call, text, constraints),
                _ => self.function_call(call),
            },
            _ => self.function_call(call),
        };
        match result {
            Err(Stop::Unmodeled(reason)) => Ok(self.nondet(reason, self.result_types(call))),
            other => other,
        }
    }

    /// The types of the result lanes of a call.
    pub(crate) fn result_types(&self, call: &bitcode::Call) -> &'e [Type] {
        match self.env.module.types.get(call.function_type) {
            Some(bitcode::Type::Function { result, .. }) => self.env.shape(*result).lanes(),
            _ => &[],
        }
    }

    fn function_call(&mut self, call: &'e bitcode::Call) -> Result<Lanes, Stop> {
        let (callee, declared) = self.callee(call)?;
        let noreturn = self.env.attributes.noreturn(call.attributes)
            || declared
                .is_some_and(|it| self.env.attributes.noreturn(self.env.module.functions[it].attributes));
        self.plain_call(call, callee, noreturn)
    }

    /// Whom a call calls, and the function of LLVM if it is one.
    fn callee(&mut self, call: &bitcode::Call) -> Result<(Callee, Option<FunctionId>), Stop> {
        if let Some(Def::Function(id)) = self.env.module.def(Some(self.source), call.callee)
            && let Some(func) = self.env.symbols.function(id)
        {
            return Ok((Callee::Func(func), Some(id)));
        }
        // An alias, or a wrapper around a function.
        if let Some((SymbolRef::Func(func), 0)) = symbol(self.env, call.callee) {
            return Ok((Callee::Func(func), None));
        }
        let pointer = self.pointer(call.callee)?;
        if let Operand::Const(id) = pointer
            && let Const::Func(func) = self.body.consts[id]
        {
            return Ok((Callee::Func(func), None));
        }
        Ok((Callee::Ptr(pointer), None))
    }

    /// A call as it is written: arguments flattened, structs by value copied.
    pub(crate) fn plain_call(
        &mut self,
        call: &'e bitcode::Call,
        callee: Callee,
        noreturn: bool,
    ) -> Result<Lanes, Stop> {
        let signature = self.env.signature(call.function_type);
        let mut args = Vec::with_capacity(call.args.len());
        let mut arg_attrs = Vec::with_capacity(call.args.len());
        for (position, &arg) in call.args.iter().enumerate() {
            let lanes = self.lanes_or_none(arg)?;
            self.spend(lanes.len())?;
            let attrs = of_lane(self.env.attributes.param(call.attributes, position), lanes.len());
            match (attrs.byval, &lanes[..]) {
                (Some(size), &[pointer]) => args.push(self.copy_argument(pointer, size, attrs)),
                _ => args.extend(lanes),
            }
            arg_attrs.resize(args.len(), attrs);
        }
        let fixed = args.get(..signature.params.len()).ok_or(Stop::Operands)?;
        if !self.have_types(fixed, &signature.params) || (args.len() > fixed.len() && !signature.variadic) {
            return Err(Stop::Operands);
        }
        Ok(self.emit_call(Call { callee, args, arg_attrs, signature, noreturn }))
    }

    /// Appends a call; its result lanes.
    pub(crate) fn emit_call(&mut self, call: Call) -> Lanes {
        let results = call.signature.results.clone();
        let call = self.body.calls.push(call);
        let first = base::Id::index(self.emit_many(Inst::Call { call }, &results));
        (first..first + results.len()).map(|it| Operand::Value(base::Id::new(it))).collect()
    }

    /// A call of a library function with scalar arguments.
    pub(crate) fn library_call(&mut self, name: &str, args: &[Operand], result: Type) -> Operand {
        let signature = Signature {
            params: args.iter().map(|&it| self.ty(it)).collect(),
            results: vec![result],
            variadic: false,
        };
        let func = self.out.library_function(name, &signature);
        let arg_attrs = vec![ParamAttrs::default(); args.len()];
        let callee = Callee::Func(func);
        self.emit_call(Call { callee, args: args.to_vec(), arg_attrs, signature, noreturn: false })[0]
    }

    /// A struct that is passed by value in memory: the caller makes the copy that the callee may write to.
    fn copy_argument(&mut self, pointer: Operand, size: u32, attrs: ParamAttrs) -> Operand {
        if self.ty(pointer) != Type::Ptr {
            return pointer;
        }
        let align = if attrs.align == 0 { self.env.pointer_bits / 8 } else { attrs.align };
        let copy = self.entry_slot(u64::from(size), align);
        let len = self.bytes(u64::from(size));
        self.effect(Inst::MemCopy { dst: copy, src: pointer, len, overlap: false });
        copy
    }

    /// A stack slot at the start of the entry block.
    pub(crate) fn entry_slot(&mut self, size: u64, align: u32) -> Operand {
        let size = self.bytes(size);
        let slot = Inst::Alloca { var: None, size, align };
        let slot = self.body.add_inst(slot, self.loc, &[Type::Ptr]);
        self.prologue.push(slot);
        Operand::Value(self.body.insts[slot].first_result)
    }

    /// Inline assembly. An empty text whose output is tied to its input (`asm("" : "=r"(y) : "0"(x))`, a fence against the
    /// optimizer) is the identity; of all other, the results are unknown.
    fn asm(&mut self, call: &'e bitcode::Call, text: &str, constraints: &str) -> Result<Lanes, Stop> {
        if let Some(lanes) = self.tied_asm(call, text, constraints)? {
            return Ok(lanes);
        }
        let asm = self.out.asm(&if constraints.is_empty() {
            text.to_owned()
        } else {
            format!("{text} : {constraints}")
        });
        self.plain_call(call, Callee::Asm(asm), false)
    }

    fn tied_asm(
        &mut self,
        call: &'e bitcode::Call,
        text: &str,
        constraints: &str,
    ) -> Result<Option<Lanes>, Stop> {
        let mut parts = constraints.split(',').filter(|it| !it.starts_with('~'));
        let tied = match (parts.next(), parts.next(), parts.next()) {
            (Some(output), Some("0"), None) => output.starts_with('=') && !output.contains('*'),
            _ => false,
        };
        let [arg] = *call.args else { return Ok(None) };
        if !tied || !text.trim().is_empty() {
            return Ok(None);
        }
        let lanes = self.lanes(arg)?;
        Ok(self.have_types(&lanes, self.result_types(call)).then_some(lanes))
    }
}
