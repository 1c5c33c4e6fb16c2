//! Activations of functions.

use ir::{BlockId, Body, InstId, LocId};

use crate::memory::Site;
use crate::program::FnRef;
use crate::value::Value;
use crate::varargs::VarArgs;

/// A function that has been entered and not left.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'p> {
    pub(crate) function: FnRef,
    pub(crate) body: &'p Body,
    pub(crate) consts: &'p [Value],
    /// The block that is executed.
    pub(crate) block: BlockId,
    /// The position after the instruction that is executed; beyond the last one at the block's end.
    pub(crate) next: usize,
    /// Where its values begin among the machine's registers.
    pub(crate) base: usize,
    /// The number of stack slots of the callers.
    pub(crate) stack_mark: usize,
    /// The arguments, if the function is variadic.
    pub(crate) varargs: Option<Box<VarArgs>>,
    /// Tells activations apart for `longjmp`.
    pub(crate) serial: u64,
}

impl Frame<'_> {
    /// The instruction that is executed; none at the end of the block.
    pub(crate) fn current(&self) -> Option<InstId> {
        let insts = &self.body.blocks[self.block].insts;
        self.next.checked_sub(1).and_then(|index| insts.get(index)).copied()
    }

    /// Where the function is.
    pub(crate) fn site(&self) -> Site {
        let loc = match self.current() {
            Some(inst) => self.body.insts[inst].loc,
            None if self.next == 0 => LocId::FIRST,
            None => self.body.blocks[self.block].term_loc,
        };
        Site { function: Some(self.function), loc }
    }
}
