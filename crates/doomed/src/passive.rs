//! The passive form: every value of the loop-free form as a term, every statement as a check or an
//! assumption.
//!
//! A *frame* is the passive form of one function, or of one inlined call. Its nodes are evaluated in order.
//! Values, and the ways that are taken, are functions of the variables of the arena (parameters, what memory
//! held, what unknown code returned, which iteration comes next …): one assignment of them is one execution.
//! Source: Hoenicke et al., §5 (single assignment, `x := e` as `assume x = e`), §7 (inlining). Departures:
//! (1) the IR is in single assignment form already, and where ways meet a value is an if-then-else over the
//! decisions since they parted, instead of a variable with one assumption per way; (2) statements stand for
//! checks that C leaves to the programmer ([`Failure`]).

use std::rc::Rc;

use base::{Id, limits};
use ir::{Access, Body, LocId, Operand};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::{TermId, Terms, VarId, Width};
use unfold::Copies;

use world::GlobalKey;

use crate::code::Code;
use crate::endless;
use crate::frame::Frame;
use crate::memory::{Memory, Objects};

/// A statement of the passive form.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `assert ok`.
    Check(Check),
    /// `assume condition`.
    Assume(TermId),
    /// The program ends here as its author wished, if the condition holds.
    Ends(TermId),
    /// An inlined call, by the number of its frame.
    Call(usize),
    /// A signed operation that C leaves undefined if it overflows. An execution is not taken for a proof that a point is reached if it does.
    Signed(ir::BinOp, TermId, TermId),
    /// Memory is freed, if the condition holds. For the story only: checks say what follows from it.
    Free(Freeing),
}

/// A call that frees memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freeing {
    pub(crate) root: TermId,
    pub(crate) when: TermId,
    pub(crate) loc: LocId,
}

/// Something that must hold, or the execution fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub(crate) ok: TermId,
    pub(crate) what: Failure,
    pub(crate) loc: LocId,
    /// The check is that this variable is not null, and nothing else.
    pub(crate) plain: Option<VarId>,
}

/// How an execution fails. The operand is the value to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    Null(Operand),
    /// With the root of what was freed.
    Freed(Operand, TermId),
    /// The same, where it is freed again.
    FreedAgain(Operand, TermId),
    OutOfBounds(Operand),
    NegativeIndex(Operand),
    DivByZero(Operand),
    InvalidFree(Operand),
    Assertion,
}

/// What all frames of a function share.
#[derive(Debug, Default)]
pub(crate) struct Passive<'w> {
    pub(crate) terms: Terms,
    pub(crate) objects: Objects,
    /// Inlined calls, callees before callers; the function itself comes last.
    pub(crate) frames: Vec<Frame<'w>>,
    pub(crate) globals: FxHashMap<GlobalKey, TermId>,
    pub(crate) functions: FxHashMap<String, TermId>,
    /// Instructions inlined so far.
    pub(crate) inlined: usize,
    pub(crate) pointer_bits: Width,
}

/// What an inlined call leaves.
pub(crate) struct Returned {
    pub(crate) frame: usize,
    pub(crate) values: Vec<Option<TermId>>,
    pub(crate) memory: Memory,
    /// When the program ends in it.
    pub(crate) ended: TermId,
}

/// Too large, or not expressible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GaveUp;

impl<'w> Passive<'w> {
    /// Makes the passive form of a function, given its arguments; its frame is the last one then.
    pub(crate) fn evaluate(
        &mut self,
        code: Code<'w>,
        args: &[Option<TermId>],
        memory: Memory,
        depth: u32,
        callers: &[usize],
    ) -> Result<Returned, GaveUp> {
        let body = code.body().ok_or(GaveUp)?;
        let bits = pointer_bits(code);
        if depth > 0 && bits != self.pointer_bits {
            return Err(GaveUp);
        }
        self.pointer_bits = bits;
        let copies = match depth {
            0 => Copies::of_three_rounds(body, &|loops, id| endless::is_error(body, loops, id)),
            _ => Copies::of_one_round(body),
        };
        let copies = copies.ok_or(GaveUp)?;
        let mut frame = Frame::new(code, body, copies, depth);
        for (at, &param) in body.blocks[Body::ENTRY].params.iter().enumerate() {
            if let Some(Some(arg)) = args.get(at) {
                frame.values.insert((0, param), *arg);
            }
        }
        frame.memory[0] = Some(Rc::new(memory));
        let own = (code.module as *const ir::Module as usize) ^ code.func.index();
        let callers: SmallVec<[usize; 4]> = callers.iter().copied().chain([own]).collect();
        for node in 0..frame.copies.nodes.len() {
            self.node(&mut frame, node, &callers)?;
        }
        let (values, memory) = self.returned(&mut frame);
        let ended = self.frame_ended(&mut frame);
        self.frames.push(frame);
        Ok(Returned { frame: self.frames.len() - 1, values, memory, ended })
    }

    fn node(&mut self, frame: &mut Frame<'w>, node: usize, callers: &[usize]) -> Result<(), GaveUp> {
        let mut memory = if node == 0 {
            frame.memory[0].take().map_or(Memory::default(), |it| Memory::clone(&it))
        } else {
            self.enter(frame, node)
        };
        let block = frame.copies.nodes[node].block;
        let body = frame.body;
        for &inst in &body.blocks[block].insts {
            if self.terms.len() > limits::DOOMED_TERMS {
                return Err(GaveUp);
            }
            self.step(frame, node, inst, &mut memory, callers)?;
        }
        self.leave(frame, node);
        frame.memory[node] = Some(Rc::new(memory));
        Ok(())
    }

    /// Adds a check, unless it is known to hold.
    pub(crate) fn check(&mut self, frame: &mut Frame<'w>, node: usize, check: Check) {
        if self.terms.value(check.ok) == Some(1) || frame.is_established(check.ok, node) {
            return;
        }
        frame.establish(&self.terms, check.ok, node);
        frame.items[node].push(Item::Check(check));
    }

    /// Notes that the program ends in a node under a condition.
    pub(crate) fn ends(&mut self, frame: &mut Frame<'w>, node: usize, when: TermId) {
        let before = frame.ended[node].unwrap_or_else(|| self.terms.no());
        frame.ended[node] = Some(self.terms.or(before, when));
    }
}

/// The bits of a pointer.
pub(crate) fn pointer_bits(code: Code<'_>) -> Width {
    code.module.target.pointer_bytes * 8
}

/// Whether reads of this kind give any value, whatever was written.
pub(crate) fn is_unsteady(access: Access) -> bool {
    access.volatile || access.atomic
}
