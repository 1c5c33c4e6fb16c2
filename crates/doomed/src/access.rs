//! What must hold for an access to memory not to fail.
//!
//! Source: Hoenicke et al., §2 (null, array bounds), §4 (checks as `assert`). Departures: C has no bounds for
//! memory of others, so only objects whose size is known have them, and an index below zero is wrong only for
//! an array of others that the loops of the function use from its start ([`Passive::negative`]).

use ir::{BinOp, BlockId, Body, CastOp, CmpOp, Inst, InstId, LocId, Operand, Terminator, ValueDef, ValueId};
use term::{Node, TermId, VarId};

use crate::definitions::{behind, definition, written_by};
use crate::frame::Frame;
use crate::memory::{Kind, Memory};
use crate::passive::{Check, Failure, Passive};
use crate::step::At;

/// Addresses below this one are null plus an offset.
const FIRST_ADDRESS: u128 = 4096;

impl<'w> Passive<'w> {
    /// Checks an access to so many bytes.
    pub(crate) fn access(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &Memory,
        ptr: Operand,
        pointer: TermId,
        bytes: u64,
    ) {
        let bytes = self.terms.constant(self.pointer_bits, bytes.into());
        self.access_if(frame, at, memory, (ptr, pointer), Some(bytes), None);
        self.negative(frame, at, ptr);
    }

    /// Checks an access to the bytes that an operand tells; to none if it is zero.
    pub(crate) fn bytes(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &Memory,
        ptr: Operand,
        len: Operand,
    ) {
        let Some(pointer) = self.operand(frame, at.node, ptr) else { return };
        let len = self.operand(frame, at.node, len).filter(|&it| self.terms.width(it) == self.pointer_bits);
        let Some(len) = len else { return };
        let when = self.terms.nonzero(len);
        if self.terms.value(when) != Some(0) {
            self.access_if(frame, at, memory, (ptr, pointer), Some(len), Some(when));
        }
    }

    /// Checks an access to so many bytes, or to at least one, that happens under a condition.
    pub(crate) fn access_if(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &Memory,
        (ptr, pointer): (Operand, TermId),
        bytes: Option<TermId>,
        when: Option<TermId>,
    ) {
        let when = when.filter(|&it| self.terms.value(it) != Some(1));
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        if !self.objects.is_address(root) {
            let ok = self.not_null(root, pointer);
            self.checked(frame, at, ok, when, Failure::Null(ptr), self.plain(root));
            let freed = memory.is_freed(&mut self.terms, root);
            if self.terms.value(freed) != Some(0) {
                let ok = self.terms.not(freed);
                self.checked(frame, at, ok, when, Failure::Freed(ptr, root), None);
            }
        }
        if let Some(object) = self.objects.get(root)
            && let (Some(size), Some(bytes)) = (object.size, bytes)
            && object.kind != Kind::Function
        {
            // offset + bytes <= size, without wrapping
            let fits = self.terms.ule(bytes, size);
            let last = self.terms.sub(size, bytes);
            let inside = self.terms.ule(offset, last);
            let ok = self.terms.and(fits, inside);
            self.checked(frame, at, ok, when, Failure::OutOfBounds(ptr), None);
        }
    }

    fn not_null(&mut self, root: TermId, pointer: TermId) -> TermId {
        match self.terms.value(pointer) {
            Some(address) if address < FIRST_ADDRESS => self.terms.no(),
            Some(_) => self.terms.yes(),
            None => self.terms.nonzero(root),
        }
    }

    /// `when → ok`.
    pub(crate) fn checked(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        ok: TermId,
        when: Option<TermId>,
        what: Failure,
        plain: Option<VarId>,
    ) {
        let ok = match when {
            Some(when) if !frame.is_established(ok, at.node) => self.terms.implies(when, ok),
            _ => ok,
        };
        self.check(frame, at.node, Check { ok, what, loc: at.loc, plain: plain.filter(|_| when.is_none()) });
    }

    /// The variable that a term is.
    pub(crate) fn plain(&self, term: TermId) -> Option<VarId> {
        match self.terms.node(term) {
            Node::Var(var) => Some(var),
            _ => None,
        }
    }

    /// `a[i]` with an array of others `a`, a parameter or a member, and a signed variable `i`: the index should not be negative.
    ///
    /// ```c
    /// for (i = n - 1; i >= 0; i--) …a[i]…;
    /// return a[i];                          // i is -1 here
    /// ```
    /// A pointer may well lead into the middle of an array, so the function must show that it takes it for the start: its loops access the array, and at
    /// indices only that are not negative. And whoever writes `a[i - 1]` or `a[-i]` knows that it lies before, and so does whoever begins to count below zero: only
    /// what a variable came to hold is a surprise.
    fn negative(&mut self, frame: &mut Frame<'w>, at: At, ptr: Operand) {
        let Some((array, index)) = subscript(frame, ptr) else { return };
        if !is_variable(frame.body, index)
            || begins_negative(frame.body, index)
            || !is_used_from_its_start(frame, &array, at.inst)
        {
            return;
        }
        let Some(index) = self.operand(frame, at.node, index) else { return };
        let negative = self.terms.is_negative(index);
        let ok = self.terms.not(negative);
        self.checked(frame, at, ok, None, Failure::NegativeIndex(ptr), None);
    }

    /// Adds a check that always fails.
    pub(crate) fn fails(&mut self, frame: &mut Frame<'w>, node: usize, what: Failure, loc: LocId) {
        let ok = self.terms.no();
        self.check(frame, node, Check { ok, what, loc, plain: None });
    }
}

/// An array of others.
#[derive(PartialEq, Eq)]
enum Array {
    /// What a parameter of the function points to.
    Parameter(ValueId),
    /// What a member or a global points to, by its name.
    Named(String),
}

/// The array and the index of `array[index]`, if the index is a signed variable.
fn subscript(frame: &Frame<'_>, ptr: Operand) -> Option<(Array, Operand)> {
    let Inst::PtrAdd { base, index, .. } = definition(frame.body, ptr)? else { return None };
    let Inst::Cast { op: CastOp::SExt, arg } = definition(frame.body, *index)? else { return None };
    arg.value()?;
    Some((array(frame, *base)?, *arg))
}

fn array(frame: &Frame<'_>, base: Operand) -> Option<Array> {
    let base = behind(frame.body, base);
    match frame.body.values[base.value()?].def {
        ValueDef::Param(Body::ENTRY, _) => base.value().map(Array::Parameter),
        ValueDef::Result(inst, _) if matches!(frame.body.insts[inst].inst, Inst::Load { .. }) => {
            ir::names::describe(frame.code.module, frame.code.function(), base).map(Array::Named)
        }
        _ => None,
    }
}

/// Whether an index is what a variable holds, and no expression.
fn is_variable(body: &Body, index: Operand) -> bool {
    let Some(value) = index.value() else { return false };
    match body.values[value].def {
        ValueDef::Param(..) => true,
        ValueDef::Result(inst, _) => {
            matches!(body.insts[inst].inst, Inst::Assign { .. } | Inst::Load { .. })
        }
    }
}

/// Whether loops access an array, besides that instruction, and never below its start, and nobody sets the member that leads there.
fn is_used_from_its_start(frame: &Frame<'_>, array: &Array, but_for: InstId) -> bool {
    let mut is_used = false;
    for (block, data) in frame.body.blocks.iter_ids() {
        let is_in_loop = frame.copies.loops.innermost(block).is_some();
        for &inst in &data.insts {
            let done = &frame.body.insts[inst].inst;
            if let (Some(ptr), Array::Named(name)) = (written_by(done), array)
                && is_named(frame, ptr, name)
            {
                return false;
            }
            let (Inst::Load { ptr, .. } | Inst::Store { ptr, .. }) = done else { continue };
            if !is_in_loop || inst == but_for {
                continue;
            }
            match accessed(frame, array, *ptr) {
                Some(index) if is_not_negative(frame, block, index) => is_used = true,
                Some(_) => return false,
                None => {}
            }
        }
    }
    is_used
}

/// Whether a pointer leads to what has that name.
fn is_named(frame: &Frame<'_>, ptr: Operand, name: &str) -> bool {
    let place = ir::names::describe_place(frame.code.module, frame.code.function(), ptr, Some(8));
    place.is_some_and(|it| it == name)
}

/// The index at which a pointer leads into an array.
fn accessed(frame: &Frame<'_>, wanted: &Array, ptr: Operand) -> Option<Operand> {
    let Inst::PtrAdd { base, index, .. } = definition(frame.body, ptr)? else { return None };
    (array(frame, *base)? == *wanted).then_some(*index)
}

/// Whether an index is not negative in a block, as far as the text shows: a number, an unsigned value, a variable that a loop counts up from such a number, or
/// one that was tested; or that plus or minus a constant.
fn is_not_negative(frame: &Frame<'_>, block: BlockId, index: Operand) -> bool {
    let body = frame.body;
    if let Some(number) = number(body, index) {
        return number >= 0;
    }
    match definition(body, index) {
        Some(Inst::Cast { op: CastOp::ZExt, .. }) => true,
        Some(Inst::Cast { op: CastOp::SExt, arg }) => is_not_negative(frame, block, *arg),
        _ => begins_small(body, index) || is_tested(frame, block, index),
    }
}

/// Whether a decision on all ways to a block shows that an index is not negative.
///
/// ```c
/// for (i = n - 1; i >= 0; i--) …a[i]…;
/// ```
fn is_tested(frame: &Frame<'_>, block: BlockId, index: Operand) -> bool {
    let (variable, offset) = offset(frame.body, index);
    let least = |of: Operand| {
        let dominators = &frame.copies.dominators;
        let mut above = std::iter::successors(Some(block), |&it| dominators.immediate(it));
        above.find_map(|at| tested(frame, at, behind(frame.body, of)))
    };
    least(index).is_some_and(|it| it >= 0)
        || offset.is_some_and(|offset| least(variable).is_some_and(|it| it + offset >= 0))
}

/// The least value of a variable in a block, by the one decision that leads there.
fn tested(frame: &Frame<'_>, block: BlockId, variable: Operand) -> Option<i128> {
    let [decision] = frame.copies.cfg.predecessors(block) else { return None };
    let term = &frame.body.blocks[*decision].term;
    let Terminator::Branch { cond, .. } = term else { return None };
    let holds = term.targets().next()?.block == block;
    let Inst::Compare { op, lhs, rhs } = definition(frame.body, *cond)? else { return None };
    let bound = number(frame.body, *rhs).filter(|_| behind(frame.body, *lhs) == variable)?;
    match (op, holds) {
        (CmpOp::Sge | CmpOp::Eq, true) | (CmpOp::Slt | CmpOp::Ne, false) => Some(bound),
        (CmpOp::Sgt, true) | (CmpOp::Sle, false) => Some(bound + 1),
        _ => None,
    }
}

/// Whether an index is a variable that begins below zero.
fn begins_negative(body: &Body, index: Operand) -> bool {
    let Operand::Value(value) = behind(body, index) else { return false };
    match body.values[value].def {
        ValueDef::Param(block, at) => {
            arguments(body, block, at).any(|arg| number(body, arg).is_some_and(|it| it < 0))
        }
        ValueDef::Result(..) => false,
    }
}

/// What a parameter of a block may be.
pub(crate) fn arguments(body: &Body, block: ir::BlockId, at: u32) -> impl Iterator<Item = Operand> {
    let targets = body.blocks.iter().flat_map(|it| it.term.targets());
    targets.filter(move |it| it.block == block).map(move |it| it.args[at as usize])
}

/// Whether an index is a variable that a loop counts up from a constant, or that plus or minus a constant, and not negative at first.
fn begins_small(body: &Body, index: Operand) -> bool {
    let (index, offset) = offset(body, index);
    let (Some(value), Some(offset)) = (index.value(), offset) else { return false };
    let ValueDef::Param(block, at) = body.values[value].def else { return false };
    if block == Body::ENTRY {
        return false;
    }
    let args = || arguments(body, block, at);
    let begins = args().any(|arg| number(body, arg).is_some_and(|it| it + offset >= 0));
    let counts_up = args().any(|arg| match definition(body, arg) {
        Some(Inst::Binary { op: BinOp::Add, lhs, rhs, .. }) => {
            *lhs == index && number(body, *rhs).is_some_and(|it| it > 0)
        }
        _ => false,
    });
    begins && counts_up
}

/// An index as a variable plus a constant.
fn offset(body: &Body, index: Operand) -> (Operand, Option<i128>) {
    match definition(body, index) {
        Some(Inst::Binary { op: BinOp::Sub, lhs, rhs, .. }) => (*lhs, number(body, *rhs).map(|it| -it)),
        Some(Inst::Binary { op: BinOp::Add, lhs, rhs, .. }) => (*lhs, number(body, *rhs)),
        _ => (index, Some(0)),
    }
}

/// The number that an operand is, behind assignments.
fn number(body: &Body, operand: Operand) -> Option<i128> {
    let Operand::Const(constant) = behind(body, operand) else { return None };
    match body.consts[constant] {
        ir::Const::Int { width, value } => Some(term::signed(width, value)),
        _ => None,
    }
}
