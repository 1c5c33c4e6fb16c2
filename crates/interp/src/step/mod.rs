//! The loop: fetch, dispatch, go on.
//!
//! The meaning of each instruction is written in [`ir::inst`]; here each kind has a function of the same name
//! in the file of its group.

mod compute;
mod control;
mod memory;

use base::Id;
use ir::{Block, Body, Inst, InstId, Operand, ValueId};

pub(crate) use compute::{nth_result, reinterpret};

use crate::frame::Frame;
use crate::machine::{Machine, OrStop};
use crate::program::FnRef;
use crate::value::Value;

/// What the execution of one frame needs at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx<'p> {
    pub(crate) function: FnRef,
    pub(crate) module: usize,
    pub(crate) body: &'p Body,
    pub(crate) consts: &'p [Value],
    pub(crate) base: usize,
}

/// Where execution goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// At the next instruction.
    Next,
    /// Where the innermost frame says.
    Switched,
}

impl<'p> Machine<'p> {
    /// Runs until the frame that stands at `floor` returns; the result is what it returns.
    pub(crate) fn run(&mut self, floor: usize) -> OrStop<Vec<Value>> {
        loop {
            let cx = self.cx();
            let frame = self.top();
            let (block, next) = (&cx.body.blocks[frame.block], frame.next);
            if self.run_block(cx, block, next)? == Flow::Switched {
                continue;
            }
            if let Some(values) = self.end_block(cx, block, floor)? {
                return Ok(values);
            }
        }
    }

    /// Executes the instructions of a block from `next` on.
    fn run_block(&mut self, cx: Cx<'p>, block: &'p Block, mut next: usize) -> OrStop<Flow> {
        while let Some(&inst) = block.insts.get(next) {
            next += 1;
            self.top_mut().next = next;
            self.tick()?;
            if self.step(cx, inst)? == Flow::Switched {
                return Ok(Flow::Switched);
            }
        }
        self.top_mut().next = block.insts.len() + 1;
        self.tick()?;
        Ok(Flow::Next)
    }

    fn step(&mut self, cx: Cx<'p>, id: InstId) -> OrStop<Flow> {
        let data = &cx.body.insts[id];
        let result = data.first_result;
        match &data.inst {
            Inst::Assign { value, .. } => self.assign(cx, result, *value),
            Inst::Uninit { .. } => self.uninit(cx, result),
            Inst::Nondet { .. } => self.nondet(cx, id)?,
            Inst::Unary { op, arg } => self.unary(cx, result, *op, *arg)?,
            Inst::Binary { op, flags, lhs, rhs } => self.binary(cx, result, (*op, *flags), [*lhs, *rhs])?,
            Inst::Funnel { left, high, low, amount } => {
                self.funnel(cx, result, *left, [*high, *low, *amount]);
            }
            Inst::Compare { op, lhs, rhs } => self.compare(cx, result, *op, [*lhs, *rhs])?,
            Inst::Cast { op, arg } => self.cast(cx, result, *op, *arg)?,
            Inst::Select { cond, on_true, on_false } => self.select(cx, result, [*cond, *on_true, *on_false]),
            Inst::Freeze { arg } => self.freeze(cx, result, *arg),
            Inst::PtrAdd { base, index, scale, inbounds } => {
                self.ptr_add(cx, result, [*base, *index], *scale, *inbounds);
            }
            Inst::Alloca { var, size, align } => self.alloca(cx, result, *var, *size, *align)?,
            Inst::Lifetime { ptr, event } => self.lifetime(cx, *ptr, *event),
            Inst::StackSave => self.stack_save(cx, result),
            Inst::StackRestore { saved } => self.stack_restore(cx, *saved),
            Inst::Load { ptr, access } => self.load(cx, result, *ptr, *access)?,
            Inst::Store { ptr, value, access } => self.store(cx, *ptr, *value, *access)?,
            Inst::MemCopy { dst, src, len, overlap } => self.mem_copy(cx, [*dst, *src, *len], *overlap)?,
            Inst::MemSet { dst, byte, len } => self.mem_set(cx, [*dst, *byte, *len])?,
            Inst::Call { call } => return self.call_inst(cx, id, &cx.body.calls[*call]),
            Inst::VaStart { list } => self.va_start(cx, *list)?,
            Inst::VaEnd { .. } => {}
            Inst::VaCopy { dst, src } => self.va_copy(cx, *dst, *src)?,
            Inst::Assume { cond } => self.assume(cx, *cond),
        }
        Ok(Flow::Next)
    }

    /// The innermost frame.
    #[inline]
    pub(crate) fn top(&self) -> &Frame<'p> {
        self.frames.last().expect("invariant: something is running")
    }

    /// The innermost frame, to change.
    #[inline]
    pub(crate) fn top_mut(&mut self) -> &mut Frame<'p> {
        self.frames.last_mut().expect("invariant: something is running")
    }

    /// What the innermost frame needs at hand.
    pub(crate) fn cx(&self) -> Cx<'p> {
        let frame = self.top();
        let module = self.program.functions()[frame.function].module;
        let Frame { function, body, consts, base, .. } = *frame;
        Cx { function, module, body, consts, base }
    }

    /// The content of an operand.
    #[inline]
    pub(crate) fn get<'a>(&'a self, cx: Cx<'p>, operand: Operand) -> &'a Value
    where
        'p: 'a,
    {
        match operand {
            Operand::Value(value) => &self.registers[cx.base + value.index()],
            Operand::Const(constant) => &cx.consts[constant.index()],
        }
    }

    /// Defines a value.
    #[inline]
    pub(crate) fn set(&mut self, cx: Cx<'p>, value: ValueId, content: Value) {
        self.registers[cx.base + value.index()] = content;
    }
}
