//! Where pointers go inside of one function, as far as values tell; memory is not followed.

use std::collections::BTreeSet;

use base::limits;
use ir::{
    BlockId, Body, Cfg, CmpOp, Const, Inst, InstId, Operand, Terminator, UnreachableCause, ValueDef, ValueId,
};

/// A body with what is asked of it again and again.
pub(super) struct Flow<'b> {
    pub(super) body: &'b Body,
    cfg: Cfg,
    /// By instruction: its block and position there.
    places: Vec<(BlockId, usize)>,
    /// By value: the instructions that use it.
    uses: Vec<Vec<InstId>>,
    /// By value: the block parameters that it is handed to.
    handed: Vec<Vec<ValueId>>,
    /// By value: what is handed to it if it is a block parameter.
    incoming: Vec<Vec<Operand>>,
}

impl<'b> Flow<'b> {
    pub(super) fn new(body: &'b Body) -> Flow<'b> {
        let n_values = body.values.len();
        let mut flow = Flow {
            body,
            cfg: Cfg::new(body),
            places: vec![(Body::ENTRY, 0); body.insts.len()],
            uses: vec![Vec::new(); n_values],
            handed: vec![Vec::new(); n_values],
            incoming: vec![Vec::new(); n_values],
        };
        for (block, data) in body.blocks.iter_ids() {
            for (at, &inst) in data.insts.iter().enumerate() {
                flow.places[base::Id::index(inst)] = (block, at);
                body.each_operand(inst, |operand| {
                    flow.uses.extend_at(operand, inst);
                });
            }
            for target in data.term.targets() {
                for (&param, &arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                    flow.handed.extend_at(arg, param);
                    flow.incoming[base::Id::index(param)].push(arg);
                }
            }
        }
        flow
    }

    /// The values that are this one: assigned, or merged with nothing but itself, null and undefined values.
    pub(super) fn same(&self, value: ValueId) -> BTreeSet<ValueId> {
        let mut same = BTreeSet::from([value]);
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            for &inst in self.uses_of(value) {
                if matches!(self.body.insts[inst].inst, Inst::Assign { .. } | Inst::Freeze { .. }) {
                    work.extend(self.body.results(inst).filter(|&it| same.insert(it)));
                }
            }
            for &param in &self.handed[base::Id::index(value)] {
                let is_it = |arg: &Operand| match arg.value() {
                    Some(it) => it == param || same.contains(&it) || self.is_undefined(*arg),
                    None => self.is_null(*arg) || self.is_undefined(*arg),
                };
                if !same.contains(&param) && self.incoming[base::Id::index(param)].iter().all(is_it) {
                    same.insert(param);
                    work.push(param);
                }
            }
        }
        same
    }

    /// The parameter of the function that a value is.
    pub(super) fn param(&self, operand: Operand) -> Option<usize> {
        let value = self.root(operand)?;
        match self.body.values[value].def {
            ValueDef::Param(block, position) if block == Body::ENTRY => Some(position as usize),
            _ => None,
        }
    }

    /// The instruction that a value comes from; none for parameters and real merges.
    pub(super) fn origin(&self, operand: Operand) -> Option<InstId> {
        match self.body.values[self.root(operand)?].def {
            ValueDef::Result(inst, _) => Some(inst),
            ValueDef::Param(..) => None,
        }
    }

    /// Where a value comes from, through assignments and merges with null and itself.
    fn root(&self, operand: Operand) -> Option<ValueId> {
        let mut value = operand.value()?;
        for _ in 0..self.body.values.len().min(64) {
            value = match self.body.values[value].def {
                ValueDef::Result(inst, _) => match self.body.insts[inst].inst {
                    Inst::Assign { value, .. } | Inst::Freeze { arg: value } => value.value()?,
                    _ => return Some(value),
                },
                ValueDef::Param(block, _) if block == Body::ENTRY => return Some(value),
                ValueDef::Param(..) => {
                    let sources = self.incoming[base::Id::index(value)].iter();
                    let mut sources = sources.filter(|&&arg| {
                        arg.value() != Some(value) && !self.is_null(arg) && !self.is_undefined(arg)
                    });
                    let Some(first) = sources.next().and_then(|it| it.value()) else { return Some(value) };
                    match sources.all(|arg| arg.value() == Some(first)) {
                        true => first,
                        false => return Some(value),
                    }
                }
            };
        }
        None
    }

    pub(super) fn uses_of(&self, value: ValueId) -> &[InstId] {
        &self.uses[base::Id::index(value)]
    }

    /// Whether one of the values is compared with null.
    pub(super) fn is_tested(&self, values: &BTreeSet<ValueId>) -> bool {
        let tests = |inst: &InstId| match self.body.insts[*inst].inst {
            Inst::Compare { op: CmpOp::Eq | CmpOp::Ne, lhs, rhs } => self.is_null(lhs) || self.is_null(rhs),
            _ => false,
        };
        values.iter().any(|&value| self.uses_of(value).iter().any(tests))
    }

    /// Whether memory behind one of the values is accessed here.
    pub(super) fn is_dereferenced(&self, values: &BTreeSet<ValueId>) -> bool {
        let values = self.derived(values);
        values.iter().any(|&value| self.uses_of(value).iter().any(|&inst| self.accesses(inst, &values)))
    }

    /// Whether nothing is done with any of the values.
    pub(super) fn is_ignored(&self, values: &BTreeSet<ValueId>) -> bool {
        let is_copy = |inst: &InstId| matches!(self.body.insts[*inst].inst, Inst::Assign { .. });
        values.iter().all(|&value| {
            self.uses_of(value).iter().all(is_copy) && self.handed[base::Id::index(value)].is_empty()
        }) && !self.body.blocks.iter().any(|block| match &block.term {
            Terminator::Return { values: returned } => {
                returned.iter().any(|it| it.value().is_some_and(|it| values.contains(&it)))
            }
            _ => false,
        })
    }

    /// Whether the pointer is used again behind a call that it is passed to, as far as can be seen.
    pub(super) fn is_used_after(&self, call: InstId, operand: Operand) -> bool {
        let Some(value) = operand.value() else { return false };
        let root = self.root(operand).unwrap_or(value);
        let mut values = self.same(root);
        values.insert(value);
        let mut values = self.derived(&values);
        let defined_in = match self.body.values[root].def {
            ValueDef::Result(inst, _) => self.places[base::Id::index(inst)].0,
            ValueDef::Param(block, _) => block,
        };
        let (block, at) = self.places[base::Id::index(call)];
        let mut seen = BTreeSet::from([defined_in]);
        let mut work = vec![(block, at + 1)];
        while let Some((block, first)) = work.pop() {
            let data = &self.body.blocks[block];
            let is_one = |it: &Operand| it.value().is_some_and(|it| values.contains(&it));
            let is_returned =
                matches!(&data.term, Terminator::Return { values } if values.iter().any(is_one));
            if is_returned
                || seen.len() > limits::SUGGEST_BLOCKS
                || data.insts[first..].iter().any(|&inst| self.touches(inst, &values))
            {
                return true;
            }
            for target in data.term.targets() {
                let params = self.body.blocks[target.block].params.iter().zip(&target.args);
                let merged: BTreeSet<ValueId> = params
                    .filter(|(_, arg)| arg.value().is_some_and(|it| values.contains(&it)))
                    .map(|it| *it.0)
                    .collect();
                if target.block != defined_in {
                    values.extend(self.derived(&merged));
                }
                if seen.insert(target.block) {
                    work.push((target.block, 0));
                }
            }
        }
        false
    }

    /// Whether an instruction does more with one of the values than to compare or compute with its address.
    fn touches(&self, inst: InstId, values: &BTreeSet<ValueId>) -> bool {
        let mut found = false;
        self.body.each_operand(inst, |it| found |= it.value().is_some_and(|it| values.contains(&it)));
        let is_harmless = matches!(
            self.body.insts[inst].inst,
            Inst::Compare { .. } | Inst::Assign { .. } | Inst::PtrAdd { .. }
        );
        found && !is_harmless
    }

    /// Whether the code behind a call makes sense only if the call does not return: it dereferences a pointer that was found to be null just
    /// before the call, or leaves the function without the value that it should return.
    ///
    /// ```c
    /// if (!p)
    ///     die("out of memory");
    /// p->next = NULL;
    /// ```
    pub(super) fn is_final(&self, call: InstId) -> bool {
        let (block, at) = self.places[base::Id::index(call)];
        let null = match self.cfg.predecessors(block) {
            &[before] => self.null_on_edge(before, block),
            _ => None,
        };
        let nulls: BTreeSet<ValueId> = null.into_iter().collect();
        let rest = &self.body.blocks[block].insts[at + 1..];
        if self.derefs_null(rest, &nulls) {
            return true;
        }
        let has_work = |insts: &[InstId]| {
            insts.iter().any(|&inst| {
                !matches!(self.body.insts[inst].inst, Inst::Assign { .. } | Inst::Lifetime { .. })
            })
        };
        let mut seen = BTreeSet::from([block]);
        let mut work = vec![(block, nulls, !has_work(rest))];
        while let Some((block, nulls, straight)) = work.pop() {
            match &self.body.blocks[block].term {
                Terminator::Unreachable { cause: UnreachableCause::Undefined } if straight => return true,
                Terminator::Return { values }
                    if straight && values.iter().any(|&it| self.is_undefined(it)) =>
                {
                    return true;
                }
                _ => {}
            }
            for target in self.possible(block, &nulls) {
                if seen.len() > limits::SUGGEST_BLOCKS || !seen.insert(target.block) {
                    continue;
                }
                let params = self.body.blocks[target.block].params.iter().zip(&target.args);
                let mut here = nulls.clone();
                let mut falls = false;
                for (&param, &arg) in params {
                    if arg.value().is_some_and(|it| nulls.contains(&it)) {
                        here.insert(param);
                    }
                    falls |= self.is_undefined(arg) && self.is_returned(target.block, param);
                }
                let insts = &self.body.blocks[target.block].insts;
                let straight = straight && !has_work(insts);
                if falls && straight || self.derefs_null(insts, &here) {
                    return true;
                }
                work.push((target.block, here, straight));
            }
        }
        false
    }

    /// The targets of a block that can be reached while these values are null.
    fn possible(&self, block: BlockId, nulls: &BTreeSet<ValueId>) -> Vec<&ir::Target> {
        let term = &self.body.blocks[block].term;
        if let Terminator::Branch { cond, on_true, on_false } = term
            && let Some((value, null_if_true)) = self.null_test(*cond)
            && nulls.contains(&value)
        {
            return vec![if null_if_true { on_true } else { on_false }];
        }
        term.targets().collect()
    }

    /// The pointer that is null whenever control goes from one block to the other.
    fn null_on_edge(&self, from: BlockId, to: BlockId) -> Option<ValueId> {
        let Terminator::Branch { cond, on_true, on_false } = &self.body.blocks[from].term else {
            return None;
        };
        let (value, null_if_true) = self.null_test(*cond)?;
        let (taken, other) = if null_if_true { (on_true, on_false) } else { (on_false, on_true) };
        (taken.block == to && other.block != to).then_some(value)
    }

    /// The value that a condition compares with null, and whether the condition then means that it is null.
    fn null_test(&self, cond: Operand) -> Option<(ValueId, bool)> {
        let inst = self.origin(cond)?;
        let Inst::Compare { op, lhs, rhs } = self.body.insts[inst].inst else { return None };
        let value =
            if self.is_null(rhs) { lhs.value()? } else { rhs.value().filter(|_| self.is_null(lhs))? };
        match op {
            CmpOp::Eq => Some((value, true)),
            CmpOp::Ne => Some((value, false)),
            _ => None,
        }
    }

    fn derefs_null(&self, insts: &[InstId], nulls: &BTreeSet<ValueId>) -> bool {
        if nulls.is_empty() {
            return false;
        }
        let derived = self.derived(nulls);
        insts.iter().any(|&inst| self.accesses(inst, &derived))
    }

    fn is_returned(&self, block: BlockId, param: ValueId) -> bool {
        let returned = |values: &[Operand]| values.iter().any(|it| it.value() == Some(param));
        matches!(&self.body.blocks[block].term, Terminator::Return { values } if returned(values))
    }

    /// The values with the addresses computed from them.
    fn derived(&self, values: &BTreeSet<ValueId>) -> BTreeSet<ValueId> {
        let mut derived = values.clone();
        let mut work: Vec<ValueId> = values.iter().copied().collect();
        while let Some(value) = work.pop() {
            for &inst in self.uses_of(value) {
                let follows = match self.body.insts[inst].inst {
                    Inst::PtrAdd { base, .. } => base.value() == Some(value),
                    Inst::Assign { .. } => true,
                    _ => false,
                };
                if follows {
                    work.extend(self.body.results(inst).filter(|&it| derived.insert(it)));
                }
            }
        }
        derived
    }

    fn accesses(&self, inst: InstId, values: &BTreeSet<ValueId>) -> bool {
        let is_one = |operand: Operand| operand.value().is_some_and(|it| values.contains(&it));
        match self.body.insts[inst].inst {
            Inst::Load { ptr, .. } | Inst::Store { ptr, .. } | Inst::MemSet { dst: ptr, .. } => is_one(ptr),
            Inst::MemCopy { dst, src, .. } => is_one(dst) || is_one(src),
            _ => false,
        }
    }

    fn is_null(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Const(constant) if matches!(self.body.consts[constant], Const::Null))
    }

    fn is_undefined(&self, operand: Operand) -> bool {
        match operand {
            Operand::Const(constant) => {
                matches!(self.body.consts[constant], Const::Undef(_) | Const::Poison(_))
            }
            Operand::Value(value) => match self.body.values[value].def {
                ValueDef::Result(inst, _) => matches!(self.body.insts[inst].inst, Inst::Uninit { .. }),
                ValueDef::Param(..) => false,
            },
        }
    }
}

/// Lists by value.
trait ByValue<T> {
    fn extend_at(&mut self, operand: Operand, item: T);
}

impl<T> ByValue<T> for Vec<Vec<T>> {
    fn extend_at(&mut self, operand: Operand, item: T) {
        if let Some(value) = operand.value() {
            self[base::Id::index(value)].push(item);
        }
    }
}
