//! Tests for null that the compiler puts into C++ code: a cast to a base class that does not come first, `dynamic_cast` and `delete` leave a null pointer alone. Nobody asks there whether a pointer is null.
//!
//! ```cpp
//! Second *second = derived;
//! ```

use ir::{BlockId, CmpOp, Const, Inst, Operand, Target, Terminator, ValueDef};
use term::{Origin, TermId};

use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    /// Where a branch goes for a pointer of unknown code if the test is one of the compiler's: where it is not null.
    pub(crate) fn unasked<'t>(
        &self,
        flow: &Flow,
        block: BlockId,
        (condition, sides): (TermId, [(TermId, &'t Target); 2]),
    ) -> Option<(TermId, &'t Target)> {
        let data = &self.body.blocks[block];
        let Terminator::Branch { cond: Operand::Value(cond), .. } = data.term else { return None };
        let ValueDef::Result(inst, _) = self.body.values[cond].def else { return None };
        let Inst::Compare { op, lhs, rhs } = self.body.insts[inst].inst else { return None };
        let is_null = |it: Operand| matches!(it, Operand::Const(id) if self.body.consts[id] == Const::Null);
        let nonnull = match op {
            CmpOp::Eq => sides[1],
            CmpOp::Ne => sides[0],
            _ => return None,
        };
        let is_outside = |it| matches!(it, Origin::UnknownCall | Origin::UnknownMemory);
        let is_open = flow.state.path.facts.decide(&self.terms, condition).is_none();
        let is_unasked = (is_null(lhs) || is_null(rhs))
            && is_open
            && self.terms.mentions(condition, is_outside)
            && self.is_cxx()
            && self.is_one_expression(inst, block, nonnull.1.block);
        is_unasked.then_some(nonnull)
    }

    /// Whether a test, its branch and what is done for pointers that are not null come from one place of the source.
    fn is_one_expression(&self, test: ir::InstId, from: BlockId, to: BlockId) -> bool {
        let place = self.body.insts[test].loc;
        let data = &self.body.blocks[to];
        self.body.blocks[from].term_loc == place
            && data.term_loc == place
            && matches!(data.term, Terminator::Jump(_))
            && !data.insts.is_empty()
            && data.insts.iter().all(|&inst| self.body.insts[inst].loc == place)
    }

    fn is_cxx(&self) -> bool {
        self.module.functions.iter().any(|it| self.module.symbols.resolve(it.name).starts_with("_Z"))
    }
}
