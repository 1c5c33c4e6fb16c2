//! What must hold for an access to memory not to fail.
//!
//! Source: Hoenicke et al., §2 (null, array bounds), §4 (checks as `assert`). Departures: C has no bounds for
//! memory of others, so only objects whose size is known have them, and an index below zero is wrong only for
//! a parameter that the function also uses as the start of an array ([`Passive::negative`]).

use ir::{BinOp, Body, CastOp, Inst, LocId, Operand, ValueDef};
use term::{Node, TermId, VarId};

use crate::definitions::{behind, definition};
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

    /// `a[i]` with a parameter `a` and a signed variable `i`: the index should not be negative.
    ///
    /// ```c
    /// for (i = n - 1; i >= 0; i--) …a[i]…;
    /// return a[i];                          // i is -1 here
    /// ```
    /// A parameter may well point into the middle of an array, so the function must show that it takes it for the start: it goes through it with some other
    /// index that a loop counts from zero or one. And whoever writes `a[i - 1]` or `a[-i]` knows that it lies before, and so does whoever begins to count below zero: only what a variable
    /// came to hold is a surprise.
    fn negative(&mut self, frame: &mut Frame<'w>, at: At, ptr: Operand) {
        let Some((array, index)) = subscript(frame.body, ptr) else { return };
        let is_variable = matches!(definition(frame.body, index), None | Some(Inst::Load { .. }));
        if !is_variable || begins_negative(frame.body, index) || !starts_at(frame.body, array) {
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

/// The parameter and the index of `parameter[index]`, if the index is a signed variable.
fn subscript(body: &Body, ptr: Operand) -> Option<(u32, Operand)> {
    let Inst::PtrAdd { base, index, .. } = definition(body, ptr)? else { return None };
    let Inst::Cast { op: CastOp::SExt, arg } = definition(body, *index)? else { return None };
    arg.value()?;
    let Operand::Value(base) = behind(body, *base) else { return None };
    match body.values[base].def {
        ValueDef::Param(Body::ENTRY, at) => Some((at, *arg)),
        _ => None,
    }
}

/// Whether some access `parameter[i]`, or `parameter[i ± 1]`, has an index that a loop counts up from a number that is not negative.
fn starts_at(body: &Body, array: u32) -> bool {
    body.blocks.iter().flat_map(|it| &it.insts).any(|&inst| {
        let ptr = match &body.insts[inst].inst {
            Inst::Load { ptr, .. } | Inst::Store { ptr, .. } => *ptr,
            _ => return false,
        };
        subscript(body, ptr).is_some_and(|(other, index)| other == array && begins_small(body, index))
    })
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
fn arguments(body: &Body, block: ir::BlockId, at: u32) -> impl Iterator<Item = Operand> {
    let targets = body.blocks.iter().flat_map(|it| it.term.targets());
    targets.filter(move |it| it.block == block).map(move |it| it.args[at as usize])
}

/// Whether an index is a variable that a loop counts up from a constant, or that plus or minus a constant, and not negative at first.
fn begins_small(body: &Body, index: Operand) -> bool {
    let (index, offset) = match definition(body, index) {
        Some(Inst::Binary { op: BinOp::Sub, lhs, rhs, .. }) => (*lhs, number(body, *rhs).map(|it| -it)),
        Some(Inst::Binary { op: BinOp::Add, lhs, rhs, .. }) => (*lhs, number(body, *rhs)),
        _ => (index, Some(0)),
    };
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

/// The number that an operand is, behind assignments.
fn number(body: &Body, operand: Operand) -> Option<i128> {
    let Operand::Const(constant) = behind(body, operand) else { return None };
    match body.consts[constant] {
        ir::Const::Int { width, value } => Some(term::signed(width, value)),
        _ => None,
    }
}
