//! Code that nobody knows: functions without body and model, inline assembly, effects that are not modeled.
//!
//! Such code may do anything. What happens here is one harmless choice, made from the seed: results are fresh
//! values (pointers point at fresh blocks), and memory that it is given and that holds nothing yet gets some
//! content, since that is what functions with output parameters do. Memory with content stays as it is.

use base::limits;
use catalog::Issue;
use ir::{AsmId, FloatKind, Type};
use smallvec::SmallVec;

use crate::call::Actuals;
use crate::machine::{Machine, OrStop};
use crate::memory::{BlockKind, NewBlock};
use crate::options::UnknownPolicy;
use crate::program::FnRef;
use crate::report::{Budget, EventKind, Outcome};
use crate::step::Cx;
use crate::value::{Value, width_of};
use crate::words::Words;

/// Bytes of the block that an unknown pointer points at.
const FRESH_BYTES: u64 = 256;

impl<'p> Machine<'p> {
    /// Calls a function that has neither body nor model.
    pub(crate) fn unknown_call(
        &mut self,
        function: FnRef,
        actuals: &Actuals<'_>,
        results: &[Type],
        noreturn: bool,
    ) -> OrStop<SmallVec<[Value; 2]>> {
        let site = self.site();
        self.events.record_unknown(function, site);
        let linked = &self.program.functions()[function];
        if self.options.unknown == UnknownPolicy::Stop {
            return self.unsupported(&format!("call of the unknown function `{}`", linked.name));
        }
        if noreturn {
            let what = format!("call of `{}`, which does not return", linked.name);
            return Err(Outcome::Aborted { what, place: self.place() }.into());
        }
        for (position, value) in actuals.values.iter().enumerate() {
            let attrs = [actuals.attrs.get(position), linked.function.param_attrs.get(position)];
            let must_be_written = attrs.into_iter().flatten().any(|attrs| attrs.noundef);
            if value.ty() == Type::Ptr && must_be_written && !value.is_defined() && self.is_watched() {
                let message = format!("argument {} of `{}` was never written", position + 1, linked.name);
                return Err(self.bug(Issue::UninitRead, message, None));
            }
            let is_input = |attrs: Option<&ir::ParamAttrs>| attrs.is_some_and(|attrs| attrs.readonly);
            if !is_input(actuals.attrs.get(position)) && !is_input(linked.function.param_attrs.get(position))
            {
                self.settle_output(value);
            }
        }
        self.chosen_results(results)
    }

    /// Executes inline assembly. An empty text that hands one value through is a common way to hide it from the optimizer.
    pub(crate) fn inline_asm(
        &mut self,
        cx: Cx<'p>,
        asm: AsmId,
        actuals: &Actuals<'_>,
        results: &[Type],
    ) -> OrStop<SmallVec<[Value; 2]>> {
        let module = self.program.modules()[cx.module];
        let text = module.symbols.resolve(module.asm[asm]);
        let is_empty = text.trim().is_empty();
        let same = actuals.values.iter().filter(|value| results == [value.ty()]);
        if is_empty && let [value] = same.collect::<SmallVec<[&Value; 2]>>().as_slice() {
            return Ok(SmallVec::from_elem((*value).clone(), 1));
        }
        if is_empty && results.is_empty() {
            return Ok(SmallVec::new());
        }
        self.note(EventKind::InlineAsm);
        for value in &actuals.values {
            self.settle_output(value);
        }
        results.iter().map(|ty| self.fresh(*ty)).collect()
    }

    /// Any value of a type.
    pub(crate) fn fresh(&mut self, ty: Type) -> OrStop<Value> {
        match ty {
            Type::Int(width) => {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.random.next()).collect();
                Ok(Value::from_words(ty, Words::from_words(width, &words), Words::zero(width)))
            }
            Type::Float(kind) => {
                let number = Value::signed(32, (self.random.next() as i32).into());
                let double = Value::f64(number.as_i64() as f64 / 256.0);
                let kind = if crate::float::is_supported(kind) { kind } else { FloatKind::Double };
                let value = crate::float::resize(&double, kind);
                Ok(crate::step::reinterpret(&value, ty, width_of(Type::Ptr, 64)))
            }
            Type::Ptr => self.fresh_block(),
        }
    }

    /// A pointer to a block of numbers that ends with a zero, so that it may be taken for a string.
    fn fresh_block(&mut self) -> OrStop<Value> {
        let kind = BlockKind::Unknown;
        let (size, made) = (FRESH_BYTES, self.site());
        let new = NewBlock { size, align: 16, kind, made, zeroed: true, writable: true };
        let block = self.memory.allocate(new).map_err(|_| Outcome::OutOfBudget(Budget::Memory))?;
        let mut bytes: Vec<u8> = (1..FRESH_BYTES).map(|_| self.random.byte()).collect();
        bytes.push(0);
        self.memory.write_bytes(block, 0, &bytes);
        Ok(self.pointer_to(block, 0))
    }

    /// Gives undefined bytes behind a pointer some content.
    fn settle_output(&mut self, value: &Value) {
        if value.ty() != Type::Ptr {
            return;
        }
        if let Ok((block, offset)) = self.memory.locate(value, 0, true) {
            let random = &mut self.random;
            self.memory.settle(block, offset, limits::INTERP_OUTPUT, || random.byte());
        }
    }
}
