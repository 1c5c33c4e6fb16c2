//! What a function returns on all its paths, also on those that are not followed, as far as its code says so
//! plainly:
//!
//! ```c
//! int report(struct session *session, int code) { /* … */ return code; }
//! ```

use std::collections::BTreeSet;

use ir::{BlockId, Body, Const, Inst, Operand, Terminator, ValueDef, ValueId};
use summary::Returned;

use crate::cx::Cx;
use world::Knowledge;

/// What the function returns whatever happens, if that is one parameter or one number.
pub(crate) fn always_returned(cx: &Cx<'_>) -> Option<Returned> {
    let mut sources = Sources { seen: BTreeSet::new(), open: Vec::new(), found: None };
    let returns = cx.body.blocks.iter().filter_map(|block| match &block.term {
        Terminator::Return { values } => values.first().copied(),
        _ => None,
    });
    sources.open.extend(returns);
    while let Some(operand) = sources.open.pop() {
        trace(cx, operand, &mut sources)?;
    }
    sources.found
}

/// Follows a value one step back to where it comes from. None: it is not one and the same.
fn trace(cx: &Cx<'_>, operand: Operand, sources: &mut Sources) -> Option<()> {
    let value = match operand {
        Operand::Const(id) => return sources.add(Returned::Number(number(&cx.body.consts[id])?)),
        Operand::Value(value) => value,
    };
    if !sources.seen.insert(value) {
        return Some(());
    }
    match cx.body.values[value].def {
        ValueDef::Param(Body::ENTRY, at) => return sources.add(Returned::Param(at)),
        ValueDef::Param(block, at) => sources.open.extend(incoming(cx, block, at as usize)),
        ValueDef::Result(inst, 0) => match cx.body.insts[inst].inst {
            Inst::Assign { value, .. } => sources.open.push(value),
            Inst::Call { call } => {
                let call = &cx.body.calls[call];
                let ir::Callee::Func(function) = call.callee else { return None };
                for target in cx.world.function(cx.unit, function) {
                    let Knowledge::Summary(summary) = cx.world.callee(target) else { return None };
                    match summary.split.returned? {
                        Returned::Param(at) => sources.open.push(*call.args.get(at as usize)?),
                        number => sources.add(number)?,
                    }
                }
            }
            _ => return None,
        },
        ValueDef::Result(..) => return None,
    }
    Some(())
}

/// What is handed to a parameter of a block.
fn incoming(cx: &Cx<'_>, block: BlockId, at: usize) -> impl Iterator<Item = Operand> {
    let sources = cx.graph.cfg.predecessors(block).iter();
    let targets = sources.flat_map(|&from| cx.body.blocks[from].term.targets());
    targets.filter(move |target| target.block == block).map(move |target| target.args[at])
}

/// Where returned values come from.
struct Sources {
    seen: BTreeSet<ValueId>,
    /// Values that are still to be followed.
    open: Vec<Operand>,
    found: Option<Returned>,
}

impl Sources {
    /// None: others come from elsewhere.
    fn add(&mut self, source: Returned) -> Option<()> {
        (*self.found.get_or_insert(source) == source).then_some(())
    }
}

fn number(value: &Const) -> Option<u128> {
    match value {
        Const::Int { value, .. } => Some(*value),
        Const::Null => Some(0),
        _ => None,
    }
}
