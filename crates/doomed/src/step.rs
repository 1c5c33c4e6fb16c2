//! One instruction in the passive form: its value as a term, its checks, and what it makes of memory.
//!
//! Source: Hoenicke et al., §4 (checks as `assert`) and §5 (`x := e` as `assume x = e`). Departures: (1) what
//! C leaves undefined wraps, or is any value; (2) what is not expressible is any value.

use ir::{BinOp, CastOp, CmpOp, Inst, InstId, LocId, Operand, Type, ValueId};
use term::{Origin, TermId};

use crate::arith;
use crate::definitions::{Root, root};
use crate::frame::Frame;
use crate::memory::{Cell, Kind, Memory, Object};
use crate::passive::{Check, Failure, GaveUp, Item, Passive, is_unsteady};

/// Where in a frame something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) node: usize,
    pub(crate) inst: InstId,
    pub(crate) loc: LocId,
}

impl<'w> Passive<'w> {
    /// Evaluates an instruction. Dispatches only.
    pub(crate) fn step(
        &mut self,
        frame: &mut Frame<'w>,
        node: usize,
        inst: InstId,
        memory: &mut Memory,
        callers: &[usize],
    ) -> Result<(), GaveUp> {
        let body = frame.body;
        let data = &body.insts[inst];
        let at = At { node, inst, loc: data.loc };
        let value = match &data.inst {
            Inst::Assign { value: arg, .. } | Inst::Freeze { arg } => self.operand(frame, node, *arg),
            Inst::Unary { op, arg } => {
                let arg = self.operand(frame, node, *arg);
                arg.and_then(|arg| arith::unary(&mut self.terms, *op, arg))
            }
            Inst::Binary { op, flags, lhs, rhs } => self.binary(frame, at, (*op, flags.nsw), (*lhs, *rhs)),
            Inst::Funnel { left, high, low, amount } => {
                self.funnel(frame, node, *left, [*high, *low, *amount])
            }
            Inst::Compare { op, lhs, rhs } => self.compare(frame, node, *op, (*lhs, *rhs)),
            Inst::Cast { op, arg } => self.cast(frame, at, *op, *arg),
            Inst::Select { cond, on_true, on_false } => {
                self.select(frame, node, [*cond, *on_true, *on_false])
            }
            Inst::PtrAdd { base, index, scale, .. } => self.ptr_add(frame, node, *base, *index, *scale),
            Inst::Alloca { size, .. } => self.alloca(frame, at, *size),
            Inst::Load { ptr, access } => self.load(frame, at, memory, *ptr, is_unsteady(*access)),
            Inst::Store { ptr, value, access } => {
                self.store(frame, at, memory, (*ptr, *value), is_unsteady(*access));
                None
            }
            Inst::MemCopy { dst, src, len, .. } => {
                self.bytes(frame, at, memory, *src, *len);
                self.bytes(frame, at, memory, *dst, *len);
                self.overwrite(frame, node, memory, *dst);
                None
            }
            Inst::MemSet { dst, len, .. } => {
                self.bytes(frame, at, memory, *dst, *len);
                self.overwrite(frame, node, memory, *dst);
                None
            }
            Inst::Call { call } => return self.call(frame, at, memory, *call, callers),
            Inst::Lifetime { ptr: list, .. }
            | Inst::VaStart { list }
            | Inst::VaEnd { list }
            | Inst::VaCopy { dst: list, .. } => {
                self.overwrite(frame, node, memory, *list);
                None
            }
            Inst::Assume { cond } => {
                if let Some(cond) = self.operand(frame, node, *cond) {
                    frame.items[node].push(Item::Assume(cond));
                }
                None
            }
            Inst::Nondet { .. } => {
                memory.write_anywhere(&self.objects);
                None
            }
            Inst::Uninit { .. } | Inst::StackSave | Inst::StackRestore { .. } => None,
        };
        self.define(frame, at, value);
        Ok(())
    }

    /// Gives the first result its value, or any; the others any.
    pub(crate) fn define(&mut self, frame: &mut Frame<'w>, at: At, value: Option<TermId>) {
        for (position, result) in frame.body.results(at.inst).enumerate() {
            let known = value.filter(|_| position == 0);
            self.set(frame, at.node, result, known);
        }
    }

    /// Gives a value its term, or any.
    pub(crate) fn set(&mut self, frame: &mut Frame<'w>, node: usize, result: ValueId, term: Option<TermId>) {
        let ty = frame.body.values[result].ty;
        let fitting = term.filter(|&it| self.width(ty) == self.terms.width(it));
        let term = fitting.or_else(|| self.fresh(ty, Origin::UnknownCall));
        if let Some(term) = term {
            frame.values.insert((node, result), term);
        }
    }

    pub(crate) fn width(&self, ty: Type) -> u32 {
        ty.bits(self.pointer_bits)
    }

    fn binary(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        (op, nsw): (BinOp, bool),
        (lhs, rhs): (Operand, Operand),
    ) -> Option<TermId> {
        let (a, b) = (self.operand(frame, at.node, lhs)?, self.operand(frame, at.node, rhs)?);
        if matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem) {
            let ok = self.terms.nonzero(b);
            self.check(
                frame,
                at.node,
                Check { ok, what: Failure::DivByZero(rhs), loc: at.loc, plain: self.plain(b) },
            );
        }
        if nsw && self.may_overflow(op, a, b) {
            frame.items[at.node].push(Item::Signed(op, a, b));
        }
        arith::binary(&mut self.terms, op, a, b)
    }

    /// Whether a signed operation may overflow; of constants, that is known.
    fn may_overflow(&mut self, op: BinOp, a: TermId, b: TermId) -> bool {
        let is_constant = |term: TermId| self.terms.value(term).is_some();
        if !(is_constant(a) && is_constant(b)) {
            return true;
        }
        let overflows = operations::signed_overflow(&mut self.terms, op, a, b);
        overflows.is_some_and(|it| self.terms.value(it) == Some(1))
    }

    fn funnel(
        &mut self,
        frame: &mut Frame<'w>,
        node: usize,
        left: bool,
        args: [Operand; 3],
    ) -> Option<TermId> {
        let [high, low, amount] = args.map(|it| self.operand(frame, node, it));
        let (high, low, amount) = (high?, low?, amount?);
        Some(operations::funnel(&mut self.terms, left, high, low, amount))
    }

    fn compare(
        &mut self,
        frame: &mut Frame<'w>,
        node: usize,
        op: CmpOp,
        (lhs, rhs): (Operand, Operand),
    ) -> Option<TermId> {
        let (a, b) = (self.operand(frame, node, lhs)?, self.operand(frame, node, rhs)?);
        if matches!(op, CmpOp::Eq | CmpOp::Ne) && frame.body.ty(lhs) == Type::Ptr {
            let other = if self.terms.value(a) == Some(0) { b } else { a };
            let is_null = |this: &Self| this.terms.value(a) == Some(0) || this.terms.value(b) == Some(0);
            if is_null(self) && self.is_object(other) {
                return Some(if op == CmpOp::Ne { self.terms.yes() } else { self.terms.no() });
            }
        }
        operations::compare(&mut self.terms, op, a, b)
    }

    /// Whether a pointer is the address of something that exists, at a small distance from its start.
    fn is_object(&mut self, pointer: TermId) -> bool {
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        self.objects.is_address(root) && self.terms.value(offset).is_some_and(|it| it < 1 << 24)
    }

    fn cast(&mut self, frame: &mut Frame<'w>, at: At, op: CastOp, arg: Operand) -> Option<TermId> {
        let arg = self.operand(frame, at.node, arg)?;
        let ty = frame.body.values[frame.body.insts[at.inst].first_result].ty;
        let to = self.width(ty);
        if to > term::WIDEST {
            return None;
        }
        operations::cast(&mut self.terms, op, arg, to)
    }

    fn select(&mut self, frame: &mut Frame<'w>, node: usize, args: [Operand; 3]) -> Option<TermId> {
        let [cond, on_true, on_false] = args.map(|it| self.operand(frame, node, it));
        let (cond, on_true, on_false) = (cond?, on_true?, on_false?);
        let not = self.terms.not(cond);
        Some(self.join(&[cond, not], &[on_true, on_false]))
    }

    fn ptr_add(
        &mut self,
        frame: &mut Frame<'w>,
        node: usize,
        base: Operand,
        index: Operand,
        scale: u64,
    ) -> Option<TermId> {
        let (base, index) = (self.operand(frame, node, base)?, self.operand(frame, node, index)?);
        if self.terms.width(index) != self.pointer_bits {
            return None;
        }
        let scale = self.terms.constant(self.pointer_bits, scale.into());
        let distance = self.terms.mul(index, scale);
        Some(self.advance(base, distance))
    }

    fn alloca(&mut self, frame: &mut Frame<'w>, at: At, size: Operand) -> Option<TermId> {
        let size = self.operand(frame, at.node, size).filter(|&it| self.terms.width(it) == self.pointer_bits);
        let root = self.terms.fresh(self.pointer_bits, Origin::Allocation, "");
        let private = frame.is_private(at.inst);
        self.objects.add(root, Object { kind: Kind::Stack { private }, size });
        Some(root)
    }

    fn load(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        ptr: Operand,
        unsteady: bool,
    ) -> Option<TermId> {
        let ty = frame.body.values[frame.body.insts[at.inst].first_result].ty;
        let bytes = ty.store_bytes(self.pointer_bits / 8);
        let pointer = self.operand(frame, at.node, ptr)?;
        self.access(frame, at, memory, ptr, pointer, bytes);
        if unsteady {
            return None;
        }
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        let offset = self.constant_offset(offset)?;
        if let Some(known) = self.image(frame, ptr, offset, bytes) {
            return Some(known);
        }
        match memory.load(root, offset, bytes) {
            Some(known) if self.terms.width(known) == self.width(ty) => Some(known),
            Some(_) => None,
            None => {
                let value = self.fresh(ty, Origin::InitialMemory)?;
                memory.know(Cell { root, offset, bytes, value });
                Some(value)
            }
        }
    }

    /// What a constant contains.
    fn image(&mut self, frame: &Frame<'w>, ptr: Operand, offset: i64, bytes: u64) -> Option<TermId> {
        let Root::Constant(constant) = root(frame.body, ptr) else { return None };
        let ir::Const::Global { global, .. } = frame.body.consts[constant] else { return None };
        let data = &frame.code.module.globals[global];
        let init = data.init.as_ref().filter(|it| data.constant && !it.partial)?;
        let start = u64::try_from(offset).ok()?;
        let end = start.checked_add(bytes)?;
        let is_own = matches!(data.linkage, ir::Linkage::External | ir::Linkage::Internal);
        if !is_own || end > data.size || bytes > 16 || frame.code.module.target.big_endian {
            return None;
        }
        if init.relocs.iter().any(|it| it.offset < end && start < it.offset + u64::from(it.bytes)) {
            return None;
        }
        let value = (start..end).rev().fold(0_u128, |value, at| value << 8 | u128::from(init.byte(at)));
        Some(self.terms.constant(bytes as u32 * 8, value))
    }

    fn store(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        (ptr, value): (Operand, Operand),
        unsteady: bool,
    ) {
        let bytes = frame.body.ty(value).store_bytes(self.pointer_bits / 8);
        let value = self.operand(frame, at.node, value);
        let Some(pointer) = self.operand(frame, at.node, ptr) else {
            return memory.write_anywhere(&self.objects);
        };
        self.access(frame, at, memory, ptr, pointer, bytes);
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        match self.constant_offset(offset) {
            Some(offset) => {
                memory.write(&self.objects, root, offset, bytes);
                if let Some(value) = value.filter(|_| !unsteady) {
                    memory.know(Cell { root, offset, bytes, value });
                }
            }
            None => memory.write_somewhere(&self.objects, root),
        }
    }

    /// Forgets all that is behind a pointer.
    pub(crate) fn overwrite(
        &mut self,
        frame: &mut Frame<'w>,
        node: usize,
        memory: &mut Memory,
        ptr: Operand,
    ) {
        match self.operand(frame, node, ptr) {
            Some(pointer) => {
                let (root, _) = self.objects.origin(&mut self.terms, pointer);
                memory.write_somewhere(&self.objects, root);
            }
            None => memory.write_anywhere(&self.objects),
        }
    }

    pub(crate) fn constant_offset(&self, offset: TermId) -> Option<i64> {
        let value = self.terms.value(offset)?;
        i64::try_from(term::signed(self.terms.width(offset), value)).ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::points;

    /// A function that computes `v9` from a pointer `v0`, a number `v1` and a pointer `v2`, and goes to `b1` if it is 7, else to `b2`.
    fn is_seven(insts: &str) -> Vec<String> {
        points(&format!(
            "func @any()\nfunc @f(ptr, i32, ptr) {{\nb0(v0: ptr, v1: i32, v2: ptr):\n{insts}  v10: i1 = cmp eq v9, i32 7\n  \
             branch v10 ? b1 : b2\nb1:\n  return\nb2:\n  return\n}}\n"
        ))
    }

    #[test]
    fn what_was_stored_is_loaded() {
        let stored = "  store i32 7 to v0 align 4\n";
        assert_eq!(is_seven(&format!("{stored}  v9: i32 = load v0 align 4\n")), ["b2"]);
        let other = format!("{stored}  store v1 to v2 align 4\n  v9: i32 = load v0 align 4\n");
        assert_eq!(is_seven(&other), [""; 0], "the two pointers may be the same");
        let volatile = format!("{stored}  v9: i32 = load v0 align 4 volatile\n");
        assert_eq!(is_seven(&volatile), [""; 0], "somebody else may have written");
        let called = format!("{stored}  call @any()\n  v9: i32 = load v0 align 4\n");
        assert_eq!(is_seven(&called), [""; 0]);
    }

    #[test]
    fn a_shift_by_a_number_that_is_too_large_gives_anything() {
        assert_eq!(is_seven("  v9: i32 = shl i32 1, i32 3\n"), ["b1"]);
        assert_eq!(is_seven("  v9: i32 = shl i32 1, i32 32\n"), [""; 0]);
    }

    #[test]
    fn a_copy_of_no_bytes_touches_nothing() {
        let copies = |len: &str| {
            points(&format!(
                "func @f(ptr, i64, i1) {{\nb0(v0: ptr, v1: i64, v2: i1):\n  branch v2 ? b1 : b2\nb1:\n  \
                 memcopy null from v0 len {len}\n  return\nb2:\n  return\n}}\n"
            ))
        };
        assert_eq!(copies("i64 4"), ["b1"]);
        assert_eq!(copies("v1"), [""; 0], "there may be nothing to copy");
    }

    #[test]
    fn a_division_says_that_its_divisor_is_not_zero() {
        let divides =
            "  v3: i32 = udiv i32 9, v1\n  v4: i1 = cmp eq v1, i32 0\n  v9: i32 = select v4, i32 7, i32 1\n";
        assert_eq!(is_seven(divides), ["b1"]);
    }
}
