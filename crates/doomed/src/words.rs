//! What is decided and what fails, as data for people.

use base::limits;
use catalog::{Clause, Condition, Issue, Object, Offset, Unfreeable, Use, What};
use ir::{CmpOp, Const, Function, Inst, Module, Operand, Terminator};

use crate::definitions::{definition, pointer};
use crate::passive::Failure;

/// What is known when a branch goes to its `target`; none if it has no words.
pub(crate) fn decision(
    module: &Module,
    function: &Function,
    term: &Terminator,
    target: usize,
) -> Option<Condition> {
    let body = function.body.as_ref()?;
    match term {
        Terminator::Branch { cond, .. } => {
            let Some(Inst::Compare { op, lhs, rhs }) = definition(body, *cond) else {
                let name = ir::names::describe(module, function, *cond)?;
                let text = if target == 0 { name } else { format!("!({name})") };
                return Some(Condition::of(Clause::Holds(text)));
            };
            compared(module, function, relation(*op, target == 0)?, (*lhs, *rhs)).map(Condition::of)
        }
        Terminator::Switch { value, cases, .. } => {
            let value = value_text(module, function, *value)?;
            let is = |relation: &str, case: &ir::ConstId| {
                let case = constant(&body.consts[*case])?;
                Some(Clause::Holds(format!("{value} {relation} {case}")))
            };
            let all = match cases.get(target) {
                Some((case, _)) => vec![is("==", case)?],
                None if cases.len() <= limits::DOOMED_CASES => {
                    cases.iter().map(|(case, _)| is("!=", case)).collect::<Option<Vec<Clause>>>()?
                }
                None => return None,
            };
            Some(Condition { all })
        }
        _ => None,
    }
}

/// A comparison.
fn compared(
    module: &Module,
    function: &Function,
    relation: &str,
    (lhs, rhs): (Operand, Operand),
) -> Option<Clause> {
    let left = value_text(module, function, lhs)?;
    let is_null = |operand: Operand| match operand {
        Operand::Const(it) => function.body.as_ref().is_some_and(|body| body.consts[it] == Const::Null),
        Operand::Value(_) => false,
    };
    Some(match relation {
        "==" if is_null(rhs) => Clause::Null(left),
        "!=" if is_null(rhs) => Clause::NotNull(left),
        _ => Clause::Holds(format!("{left} {relation} {}", value_text(module, function, rhs)?)),
    })
}

fn relation(op: CmpOp, holds: bool) -> Option<&'static str> {
    let (yes, no) = match op {
        CmpOp::Eq => ("==", "!="),
        CmpOp::Ne => ("!=", "=="),
        CmpOp::Slt | CmpOp::Ult => ("<", ">="),
        CmpOp::Sle | CmpOp::Ule => ("<=", ">"),
        CmpOp::Sgt | CmpOp::Ugt => (">", "<="),
        CmpOp::Sge | CmpOp::Uge => (">=", "<"),
        _ => return None,
    };
    Some(if holds { yes } else { no })
}

/// The name of a value, or its number.
fn value_text(module: &Module, function: &Function, operand: Operand) -> Option<String> {
    if let (Operand::Const(id), Some(body)) = (operand, &function.body)
        && let Some(text) = constant(&body.consts[id])
    {
        return Some(text);
    }
    ir::names::describe(module, function, operand)
}

fn constant(constant: &Const) -> Option<String> {
    match *constant {
        Const::Int { width, value } => Some(term::signed(width, value).to_string()),
        Const::Null => Some("0".to_owned()),
        _ => None,
    }
}

/// The kind of what fails.
pub(crate) fn issue(what: Failure) -> Issue {
    match what {
        Failure::Null(_) => Issue::NullDeref,
        Failure::Freed(..) => Issue::UseAfterFree,
        Failure::FreedAgain(..) => Issue::DoubleFree,
        Failure::OutOfBounds(_) | Failure::NegativeIndex(_) => Issue::OutOfBounds,
        Failure::DivByZero(_) => Issue::DivByZero,
        Failure::InvalidFree(_) => Issue::InvalidFree,
        Failure::Assertion => Issue::AssertFailure,
    }
}

/// What fails.
pub(crate) fn failure(module: &Module, function: &Function, what: Failure) -> What {
    let name = |operand: Operand| ir::names::describe(module, function, operand);
    let body = function.body.as_ref();
    let root = |operand: Operand| body.and_then(|body| name(pointer(body, operand)));
    match what {
        Failure::Null(operand) => What::Null { pointer: root(operand), used: Use::Any, to: None },
        Failure::Freed(operand, _) | Failure::FreedAgain(operand, _) => {
            What::Freed { pointer: root(operand), used: Use::Any, to: None }
        }
        Failure::OutOfBounds(operand) => {
            let object = root(operand).map_or(Object::Unknown, Object::Behind);
            What::OutOfBounds { object, size: None, used: Use::Any, bytes: 0, offset: Offset::Unknown }
        }
        Failure::NegativeIndex(operand) => What::NegativeIndex { array: root(operand) },
        Failure::DivByZero(operand) => What::DivisionByZero { divisor: name(operand) },
        Failure::InvalidFree(operand) => {
            What::NotFreeable { pointer: root(operand), object: None, why: Unfreeable::NotAllocated }
        }
        Failure::Assertion => What::Assertion,
    }
}
