//! What a doomed point is like, as far as it matters whether it is told: the facts alone. What follows from
//! them is decided in [`conditions::disposition::points`].

use conditions::disposition::points;
use ir::{BlockId, Callee, CmpOp, Inst, LocId, Operand, Terminator, UnreachableCause};
use models::NoReturn;
use unfold::Dest;

use crate::code::Behavior;
use crate::contracts::{is_done, last_done, may_end};
use crate::definitions::definition;
use crate::exorcise::{Exorcist, Point};
use crate::frame::Frame;
use crate::run::{End, Failing};
use crate::story::is_own;

/// Whether a doomed point should be told, given an execution that fails behind it.
pub(crate) fn is_told(
    exorcist: &Exorcist<'_, '_>,
    point: Point,
    failing: &Failing,
    doomed: &[Point],
) -> bool {
    points::is_told(&Seen { exorcist, point, failing, doomed })
}

/// A doomed point, with an execution that fails behind it.
struct Seen<'s, 'f, 'w> {
    exorcist: &'s Exorcist<'f, 'w>,
    point: Point,
    failing: &'s Failing,
    doomed: &'s [Point],
}

impl points::Point for Seen<'_, '_, '_> {
    fn is_last_resort(&self) -> bool {
        is_last_resort(self.exorcist, self.point)
    }

    fn may_end_before(&self) -> bool {
        may_end_before(&self.exorcist.frame, self.point, self.failing)
    }

    fn fails_itself(&self) -> bool {
        is_own(&self.exorcist.frame, self.failing, self.doomed)
    }

    fn is_endless(&self) -> bool {
        matches!(self.failing.end, End::Endless(_))
    }

    fn is_statement(&self) -> bool {
        is_statement(&self.exorcist.frame, self.point.block)
    }
}

/// Whether a decision compares a value with a constant that the decision before it compared with another one.
fn is_tried_again(frame: &Frame<'_>, block: BlockId, cond: Operand) -> bool {
    let [before] = frame.copies.cfg.predecessors(block) else { return false };
    let Terminator::Branch { cond: earlier, .. } = &frame.body.blocks[*before].term else { return false };
    let name = |cond: Operand| {
        let (value, constant) = compared(frame, cond)?;
        matches!(constant, Operand::Const(_)).then_some(())?;
        ir::names::describe(frame.code.module, frame.code.function(), value)
    };
    name(cond).is_some() && name(cond) == name(*earlier)
}

/// The two values whose equality a condition tests.
fn compared(frame: &Frame<'_>, cond: Operand) -> Option<(Operand, Operand)> {
    match definition(frame.body, cond)? {
        Inst::Compare { op: CmpOp::Eq | CmpOp::Ne, lhs, rhs } => Some((*lhs, *rhs)),
        _ => None,
    }
}

/// Whether the point is there to end the program, or to say that it is not reached: what it does before is no matter.
///
/// ```c
/// default:                         // nothing else is left; so is the last `else` of a chain of comparisons
///     report(names[state]);        // fails, but is not come to
///     abort();
/// ```
fn is_last_resort(exorcist: &Exorcist<'_, '_>, point: Point) -> bool {
    let ends = ends_behind(exorcist, point.block);
    if ends.unreachable && !ends.returns && !ends.wanted {
        return true;
    }
    let dominators = &exorcist.frame.copies.dominators;
    // Whether the end is come to is not asked: the condition of an assertion may be hard to see through.
    let region = dominators.subtree(point.block);
    if is_all_that_is_left(&exorcist.frame, point.block) {
        return !ends.returns || region.iter().any(|&block| exorcist.ends_program(block));
    }
    let mut above = std::iter::successors(Some(point.block), |&block| dominators.immediate(block))
        .take_while(|&block| !ends_behind(exorcist, block).returns);
    above.any(|block| is_all_that_is_left(&exorcist.frame, block))
}

/// Whether an execution comes to its failure only because a call comes back that may be meant not to: unknown code, and the last that is done before the failing code, which others come to as well.
///
/// ```c
/// if (!p)
///     (*handlers->fatal)("no p");        // nobody knows whether it comes back; if something were written behind it, it would
/// p->x = 1;
/// ```
fn may_end_before(frame: &Frame<'_>, point: Point, failing: &Failing) -> bool {
    let (cfg, dominators) = (&frame.copies.cfg, &frame.copies.dominators);
    let head = point.block;
    let mut blocks = failing.path.iter().rev().map(|&(node, _)| frame.copies.nodes[node].block);
    if blocks.next().is_none_or(|failed| dominators.dominates(head, failed)) {
        return false;
    }
    let mut behind = blocks.filter(|&it| dominators.dominates(head, it));
    let Some((block, inst)) = behind.find_map(|it| Some((it, last_done(frame.body, it)?))) else {
        return false;
    };
    let leaves = |it: &BlockId| cfg.successors(*it).iter().any(|&to| !dominators.dominates(head, to));
    let mut exits = dominators.subtree(head).iter().filter(|it| leaves(it));
    may_end(frame.code, frame.body, inst) && exits.all(|&exit| dominators.dominates(block, exit))
}

/// Whether a block is for values that none of the comparisons before it are for.
fn is_all_that_is_left(frame: &Frame<'_>, mut block: BlockId) -> bool {
    // Statements like `do … while (0)` begin with a jump.
    while let [before] = frame.copies.cfg.predecessors(block)
        && matches!(frame.body.blocks[*before].term, Terminator::Jump(_))
    {
        block = *before;
    }
    frame.copies.cfg.predecessors(block).iter().any(|&pred| match &frame.body.blocks[pred].term {
        Terminator::Switch { default, .. } => default.block == block,
        Terminator::Branch { cond, .. } => is_tried_again(frame, pred, *cond),
        _ => false,
    })
}

/// How executions end behind a point, as far as can be seen from the conditions of branches.
#[derive(Default)]
struct Ends {
    /// The function may be left, or an assertion may fail.
    returns: bool,
    /// The program may end as its author wished.
    wanted: bool,
    /// It may come to where its author says that it does not come.
    unreachable: bool,
}

fn ends_behind(exorcist: &Exorcist<'_, '_>, block: BlockId) -> Ends {
    let frame = &exorcist.frame;
    let mut ends = Ends::default();
    let mut seen = vec![false; frame.copies.nodes.len()];
    let mut todo = exorcist.nodes_of(block).to_vec();
    while let Some(node) = todo.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        let data = &frame.copies.nodes[node];
        let term = &frame.body.blocks[data.block].term;
        if exorcist.is_failed_assertion(data.block) || matches!(term, Terminator::Return { .. }) {
            ends.returns = true;
        } else if exorcist.always_ends(node) || matches!(term, Terminator::Unreachable { .. }) {
            let is_meant = is_meant_unreachable(frame, data.block);
            ends.unreachable |= is_meant;
            ends.wanted |= !is_meant;
        }
        if exorcist.always_ends(node) {
            continue;
        }
        for (way, &cond) in data.ways.iter().zip(&frame.conds[node]) {
            match way.to {
                _ if exorcist.passive.terms.value(cond) == Some(0) => {}
                Dest::Node(to) => todo.push(to),
                Dest::Anything | Dest::Never(_) => ends.returns = true,
            }
        }
    }
    ends
}

/// Whether a block ends with a statement that says that it is not reached: `assert(0)`, `__builtin_unreachable()`, a trap.
fn is_meant_unreachable(frame: &Frame<'_>, block: BlockId) -> bool {
    let data = &frame.body.blocks[block];
    let says_so = |inst: &ir::InstId| {
        let Inst::Call { call } = frame.body.insts[*inst].inst else { return false };
        let Callee::Func(func) = frame.body.calls[call].callee else { return false };
        matches!(frame.code.callee(func),
            Behavior::Model(model) if model.noreturn == Some(NoReturn::AssertFailure))
    };
    let cause = match data.term {
        Terminator::Unreachable { cause } => Some(cause),
        _ => None,
    };
    matches!(cause, Some(UnreachableCause::Trap | UnreachableCause::Undefined))
        || data.insts.iter().any(says_so)
}

/// Whether somebody wrote a statement here: something is set, stored or called at another place than the decision that leads here.
pub(crate) fn is_statement(frame: &Frame<'_>, block: BlockId) -> bool {
    let decisions: Vec<_> = frame
        .copies
        .cfg
        .predecessors(block)
        .iter()
        .map(|&pred| place(frame, frame.body.blocks[pred].term_loc))
        .collect();
    frame.body.blocks[block].insts.iter().any(|&inst| {
        let data = &frame.body.insts[inst];
        is_done(&data.inst) && !decisions.contains(&place(frame, data.loc))
    })
}

fn place(frame: &Frame<'_>, loc: LocId) -> (Option<ir::FileId>, u32, u32) {
    let data = frame.code.module.locs[loc];
    (data.file, data.line, data.column)
}

#[cfg(test)]
mod tests {
    use crate::testing::{findings, points};

    /// A `switch` whose default reads outside of a table of two, and then ends like this.
    fn switch(ends: &str) -> String {
        format!(
            "target pointer 8\nfile file0 \"a.c\"\nglobal @t size 8 align 4 constant = {{}}\nfunc @report(i32) !file0:1\nfunc @abort() !file0:2\n\
             func @exit(i32) !file0:3\n\
             func @f(i32) !file0:4 {{\nb0(v0: i32):\n  switch v0 {{\n    i32 0: b1\n    i32 1: b1\n    default: b2\n  }} !5:1\nb1:\n  return !6:1\n\
             b2:\n  jump b3 !7:1\nb3:\n  v1: i64 = zext v0 !8:1\n  v2: ptr = ptradd @t, v1 * 4 !8:1\n  \
             v3: i32 = load v2 align 4 !8:1\n  call @report(v3) !8:5\n{ends}}}\n"
        )
    }

    #[test]
    fn a_default_is_told_unless_it_ends_the_program() {
        let returns = switch("  return !9:1\n");
        assert_eq!(findings(&returns).len(), 2, "{:?}", findings(&returns));
        let aborts = switch("  call @abort() !9:1\n  unreachable noreturn !9:1\n");
        assert_eq!(findings(&aborts), [""; 0]);
        assert_eq!(points(&aborts), points(&returns), "it is doomed all the same");
    }
}
