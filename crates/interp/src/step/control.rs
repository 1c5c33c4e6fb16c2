//! The ends of blocks.

use ir::{Block, BlockId, ConstId, Operand, Target, Terminator, UnreachableCause};
use smallvec::SmallVec;

use base::Id;

use super::Cx;
use crate::machine::{Machine, OrStop, Stop};
use crate::memory::{BlockKind, Status};
use crate::options::UndefinedPolicy;
use crate::report::{EventKind, Outcome};
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Goes on after the end of a block; the returned values if the frame at `floor` returned.
    pub(super) fn end_block(
        &mut self,
        cx: Cx<'p>,
        block: &'p Block,
        floor: usize,
    ) -> OrStop<Option<Vec<Value>>> {
        match &block.term {
            Terminator::Jump(target) => self.jump(cx, target),
            Terminator::Branch { cond, on_true, on_false } => self.branch(cx, *cond, on_true, on_false)?,
            Terminator::Switch { value, cases, default } => self.switch(cx, *value, cases, default)?,
            Terminator::IndirectJump { address, targets } => self.indirect_jump(cx, *address, targets)?,
            Terminator::Return { values } => return self.return_from(cx, values, floor),
            Terminator::Unreachable { cause } => return Err(self.unreachable(*cause)),
        }
        Ok(None)
    }

    /// Hands the arguments over, all at once, and enters the block.
    fn jump(&mut self, cx: Cx<'p>, target: &'p Target) {
        if self.options.record_ways {
            let from = self.top().block;
            let targets = cx.body.blocks[from].term.targets();
            let position = targets.enumerate().find(|(_, it)| std::ptr::eq(*it, target)).map(|it| it.0);
            self.taken.extend(position.map(|position| (cx.function, from, position)));
        }
        let params = &cx.body.blocks[target.block].params;
        match (target.args.as_slice(), params.as_slice()) {
            ([], _) => {}
            ([arg], [param]) => {
                let content = self.get(cx, *arg).clone();
                self.set(cx, *param, content);
            }
            (args, params) => {
                let contents: SmallVec<[Value; 8]> =
                    args.iter().map(|arg| self.get(cx, *arg).clone()).collect();
                for (param, content) in params.iter().zip(contents) {
                    self.set(cx, *param, content);
                }
            }
        }
        let frame = self.top_mut();
        frame.block = target.block;
        frame.next = 0;
    }

    fn branch(&mut self, cx: Cx<'p>, cond: Operand, on_true: &'p Target, on_false: &'p Target) -> OrStop {
        let content = self.get(cx, cond);
        if !content.is_defined() && self.is_watched() {
            return Err(self.uninit_use(cx, cond, "in a condition"));
        }
        let target = if content.low() & 1 == 1 { on_true } else { on_false };
        self.jump(cx, target);
        Ok(())
    }

    /// Whether nothing must depend on undefined bits here.
    pub(crate) fn is_watched(&self) -> bool {
        match &self.options.undefined {
            UndefinedPolicy::Watched { line, calls, .. } => {
                let callers = self.callers();
                self.place().line == *line
                    && callers.iter().map(|caller| caller.line).eq(calls.iter().copied())
            }
            UndefinedPolicy::Tracked | UndefinedPolicy::Chosen(_) => true,
        }
    }

    fn switch(
        &mut self,
        cx: Cx<'p>,
        value: Operand,
        cases: &'p [(ConstId, Target)],
        default: &'p Target,
    ) -> OrStop {
        let content = self.get(cx, value);
        if !content.is_defined() && self.is_watched() {
            return Err(self.uninit_use(cx, value, "in a switch"));
        }
        let is_case = |case: &&(ConstId, Target)| {
            let constant = &cx.consts[case.0.index()];
            constant.low() == content.low() && constant.words() == content.words()
        };
        let target = cases.iter().find(is_case).map_or(default, |case| &case.1);
        self.jump(cx, target);
        Ok(())
    }

    fn indirect_jump(&mut self, cx: Cx<'p>, address: Operand, targets: &'p [Target]) -> OrStop {
        let content = self.get(cx, address);
        if !content.is_defined() {
            return Err(self.uninit_use(cx, address, "as the target of a jump"));
        }
        let label = self.label_at(cx, content);
        match label.and_then(|label| targets.iter().find(|target| target.block == label)) {
            Some(target) => {
                self.jump(cx, target);
                Ok(())
            }
            None => Err(Outcome::Unreachable(self.place()).into()),
        }
    }

    /// The label of the running function that has this address.
    fn label_at(&self, cx: Cx<'p>, address: &Value) -> Option<BlockId> {
        let block = address.prov().or_else(|| self.memory.find_exact(address.low()))?;
        let entry = self.memory.block(block);
        let offset = address.low().wrapping_sub(entry.address);
        let is_own = entry.kind == BlockKind::Function(cx.function) && (1..entry.size).contains(&offset);
        is_own.then(|| BlockId::new(offset as usize - 1))
    }

    fn return_from(&mut self, cx: Cx<'p>, values: &[Operand], floor: usize) -> OrStop<Option<Vec<Value>>> {
        let contents: SmallVec<[Value; 2]> =
            values.iter().map(|value| self.get(cx, *value).clone()).collect();
        let attrs = &self.program.functions()[cx.function].function.result_attrs;
        let is_broken = |(content, attrs): (&Value, &ir::ParamAttrs)| attrs.noundef && !content.is_defined();
        if contents.iter().zip(attrs).any(is_broken) {
            self.note(EventKind::UndefinedArgument);
        }
        let site = self.site();
        let mark = self.top().stack_mark;
        self.drop_slots(mark, |_| Status::Returned(site));
        self.frames.pop();
        if self.frames.len() == floor {
            return Ok(Some(contents.into_vec()));
        }
        let caller = self.cx();
        let inst = self.top().current().expect("invariant: a caller stands at its call");
        self.deliver(caller, inst, &contents);
        Ok(None)
    }

    fn unreachable(&mut self, cause: UnreachableCause) -> Stop {
        let place = self.place();
        let outcome = match cause {
            UnreachableCause::Trap => Outcome::Aborted { what: "trap".to_owned(), place },
            UnreachableCause::Unwind => {
                Outcome::Unsupported { what: "unwinding of an exception".to_owned(), place }
            }
            UnreachableCause::NoReturn | UnreachableCause::Undefined => Outcome::Unreachable(place),
        };
        outcome.into()
    }
}
