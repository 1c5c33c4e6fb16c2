//! Instructions that only compute.

use heap::VarRole;
use heap::path::Reason;
use ir::{ArithFlags, BinOp, CastOp, CmpOp, InstId, Operand, Type, UnOp, VarId};
use term::{Origin, TermId};

use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    /// Sets the only result of an instruction.
    pub(super) fn set(&mut self, flow: &mut Flow, id: InstId, term: TermId) {
        let result = self.body.insts[id].first_result;
        flow.set(result, term);
    }

    /// Goes on with a value; with one that is not followed if it is not expressible, or too large.
    fn computed(&mut self, mut flow: Flow, id: InstId, value: Option<TermId>, next: &mut Vec<Flow>) {
        let result = self.body.insts[id].first_result;
        let term = match value {
            Some(term) if !self.is_too_large(term) => term,
            _ => {
                let width = self.width(self.body.values[result].ty);
                self.inexact(&mut flow.state, width)
            }
        };
        flow.set(result, term);
        next.push(flow);
    }

    pub(super) fn assign(&mut self, mut flow: Flow, id: InstId, value: Operand, next: &mut Vec<Flow>) {
        let term = self.operand(&mut flow, value);
        self.set(&mut flow, id, term);
        if let (true, ir::Inst::Assign { var, .. }) = (self.world.is_main(), &self.body.insts[id].inst) {
            flow.held.insert(*var, term);
        }
        next.push(flow);
    }

    pub(super) fn uninit(&mut self, mut flow: Flow, id: InstId, var: Option<VarId>, next: &mut Vec<Flow>) {
        let name = var.map_or("", |var| self.module.symbols.resolve(self.body.vars[var].name)).to_owned();
        let ty = self.body.values[self.body.insts[id].first_result].ty;
        let width = self.width(ty);
        let term = self.fresh(width, Origin::Uninit, &name, VarRole::Local, None);
        self.set(&mut flow, id, term);
        next.push(flow);
    }

    pub(super) fn nondet(&mut self, mut flow: Flow, id: InstId, next: &mut Vec<Flow>) {
        for result in self.body.results(id) {
            let width = self.width(self.body.values[result].ty);
            let term = self.inexact(&mut flow.state, width);
            flow.set(result, term);
        }
        next.push(flow);
    }

    pub(super) fn unary(
        &mut self,
        mut flow: Flow,
        id: InstId,
        (op, arg): (UnOp, Operand),
        next: &mut Vec<Flow>,
    ) {
        let arg = self.operand(&mut flow, arg);
        let value = operations::unary(&mut self.terms, op, arg);
        self.computed(flow, id, value, next);
    }

    pub(super) fn binary(
        &mut self,
        mut flow: Flow,
        id: InstId,
        (op, flags): (BinOp, ArithFlags),
        (lhs, rhs): (Operand, Operand),
        next: &mut Vec<Flow>,
    ) {
        let (a, b) = (self.operand(&mut flow, lhs), self.operand(&mut flow, rhs));
        if matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem) {
            let made = self.here();
            if !self.check_defined(&flow.state, b, &made, "as a divisor") {
                return;
            }
            let is_zero = self.is_zero(b);
            if !self.possible_error(&mut flow, (is_zero, b), |engine, state| {
                engine.division_by_zero(state, (rhs, b))
            }) {
                return;
            }
        }
        if matches!(op, BinOp::And | BinOp::Or | BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            self.let_bits_escape(&mut flow, &[a, b]);
        }
        let value = operations::binary(&mut self.terms, op, a, b);
        for undefined in operations::undefined(&mut self.terms, op, flags, a, b) {
            let condition = self.terms.not(undefined);
            if self.terms.value(condition) == Some(0)
                || flow.state.path.facts.decide(&self.terms, condition) == Some(false)
            {
                // C leaves this path undefined; nothing is claimed about it from here on.
                return self.keep_beginning(flow.state);
            }
            flow.state.path.define(&self.terms, condition);
        }
        self.computed(flow, id, value, next);
    }

    /// The bits of a pointer are changed: who changes them back has the pointer again, but does not look like it.
    ///
    /// ```c
    /// uintptr_t tagged = (uintptr_t)node | 1;
    /// ```
    fn let_bits_escape(&self, flow: &mut Flow, operands: &[TermId]) {
        let is_address = |term: &&TermId| {
            let vars = || self.terms.vars_of(**term);
            self.terms.width(**term) == self.pointer_bits
                && vars().iter().any(|&var| self.pointers.contains(&self.terms.var_term(var)))
        };
        let addresses: Vec<TermId> = operands.iter().filter(is_address).copied().collect();
        if !addresses.is_empty() {
            self.let_escape(&mut flow.state, &addresses);
        }
    }

    pub(super) fn funnel(
        &mut self,
        mut flow: Flow,
        id: InstId,
        left: bool,
        args: [Operand; 3],
        next: &mut Vec<Flow>,
    ) {
        let [high, low, amount] = args.map(|arg| self.operand(&mut flow, arg));
        let term = operations::funnel(&mut self.terms, left, high, low, amount);
        self.set(&mut flow, id, term);
        next.push(flow);
    }

    pub(super) fn compare(
        &mut self,
        mut flow: Flow,
        id: InstId,
        op: CmpOp,
        (lhs, rhs): (Operand, Operand),
        next: &mut Vec<Flow>,
    ) {
        let (a, b) = (self.operand(&mut flow, lhs), self.operand(&mut flow, rhs));
        let value = operations::compare(&mut self.terms, op, a, b);
        self.computed(flow, id, value, next);
    }

    pub(super) fn cast(
        &mut self,
        mut flow: Flow,
        id: InstId,
        (op, arg): (CastOp, Operand),
        next: &mut Vec<Flow>,
    ) {
        let arg = self.operand(&mut flow, arg);
        let ty = self.body.values[self.body.insts[id].first_result].ty;
        let width = self.width(ty);
        let value = operations::cast(&mut self.terms, op, arg, width);
        if ty == Type::Ptr
            && let Some(term) = value
            && self.as_var(term).is_some()
        {
            self.pointers.insert(term);
        }
        self.computed(flow, id, value, next);
    }

    pub(super) fn select(&mut self, mut flow: Flow, id: InstId, args: [Operand; 3], next: &mut Vec<Flow>) {
        let [cond, on_true, on_false] = args.map(|arg| self.operand(&mut flow, arg));
        let term = self.terms.ite(cond, on_true, on_false);
        self.set(&mut flow, id, term);
        next.push(flow);
    }

    pub(super) fn freeze(&mut self, mut flow: Flow, id: InstId, arg: Operand, next: &mut Vec<Flow>) {
        let arg = self.operand(&mut flow, arg);
        let term = self.frozen(arg);
        self.set(&mut flow, id, term);
        next.push(flow);
    }

    pub(super) fn ptr_add(
        &mut self,
        mut flow: Flow,
        id: InstId,
        (base, index, scale): (Operand, Operand, u64),
        next: &mut Vec<Flow>,
    ) {
        let (base, index) = (self.operand(&mut flow, base), self.operand(&mut flow, index));
        let scale = self.terms.constant(self.pointer_bits, scale.into());
        let index = self.signed_size(index);
        let offset = self.terms.mul(index, scale);
        let term = self.terms.add(base, offset);
        self.set(&mut flow, id, term);
        next.push(flow);
    }

    /// A number as an index, with its sign.
    fn signed_size(&mut self, term: TermId) -> TermId {
        if self.terms.width(term) < self.pointer_bits {
            self.terms.sext(term, self.pointer_bits)
        } else {
            self.terms.trunc(term, self.pointer_bits)
        }
    }

    pub(super) fn assumption(&mut self, mut flow: Flow, cond: Operand, next: &mut Vec<Flow>) {
        let term = self.operand(&mut flow, cond);
        // What is assumed about values that were never written is no condition of the path.
        let term = self.frozen(term);
        if self.assume(&mut flow, term, Reason::Needed) {
            next.push(flow);
        }
    }
}
