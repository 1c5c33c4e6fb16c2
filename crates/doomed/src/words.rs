//! Words for what is decided and what fails.

use ir::{CmpOp, Const, Function, Inst, Module, Operand, Terminator};

use crate::definitions::{definition, pointer};
use crate::passive::Failure;

/// What is known when a branch goes to its `target`: "`p` is null".
pub(crate) fn decision(
    module: &Module,
    function: &Function,
    term: &Terminator,
    target: usize,
) -> Option<String> {
    let body = function.body.as_ref()?;
    match term {
        Terminator::Branch { cond, .. } => {
            let Some(Inst::Compare { op, lhs, rhs }) = definition(body, *cond) else {
                let name = ir::names::describe(module, function, *cond);
                let outcome = if target == 0 { "true" } else { "false" };
                return Some(
                    name.map_or(format!("the condition is {outcome}"), |it| format!("`{it}` is {outcome}")),
                );
            };
            let relation = relation(*op, target == 0)?;
            Some(compared(module, function, relation, *lhs, *rhs))
        }
        Terminator::Switch { value, cases, .. } => {
            let value = value_words(module, function, *value);
            Some(match cases.get(target) {
                Some((case, _)) => format!("{value} is {}", constant(&body.consts[*case])?),
                None => format!("{value} is none of the cases"),
            })
        }
        _ => None,
    }
}

/// A comparison as a phrase.
fn compared(module: &Module, function: &Function, relation: &str, lhs: Operand, rhs: Operand) -> String {
    let left = value_words(module, function, lhs);
    let is_null = |operand: Operand| match operand {
        Operand::Const(it) => function.body.as_ref().is_some_and(|body| body.consts[it] == Const::Null),
        Operand::Value(_) => false,
    };
    match relation {
        "is" if is_null(rhs) => format!("{left} is null"),
        "is not" if is_null(rhs) => format!("{left} is not null"),
        _ => format!("{left} {relation} {}", value_words(module, function, rhs)),
    }
}

fn relation(op: CmpOp, holds: bool) -> Option<&'static str> {
    const LESS: &str = "is less than";
    const MORE: &str = "is greater than";
    const AT_MOST: &str = "is at most";
    const AT_LEAST: &str = "is at least";
    let (yes, no) = match op {
        CmpOp::Eq => ("is", "is not"),
        CmpOp::Ne => ("is not", "is"),
        CmpOp::Slt | CmpOp::Ult => (LESS, AT_LEAST),
        CmpOp::Sle | CmpOp::Ule => (AT_MOST, MORE),
        CmpOp::Sgt | CmpOp::Ugt => (MORE, AT_MOST),
        CmpOp::Sge | CmpOp::Uge => (AT_LEAST, LESS),
        _ => return None,
    };
    Some(if holds { yes } else { no })
}

/// The name of a value, or its number.
fn value_words(module: &Module, function: &Function, operand: Operand) -> String {
    if let (Operand::Const(id), Some(body)) = (operand, &function.body)
        && let Some(text) = constant(&body.consts[id])
    {
        return text;
    }
    ir::names::describe(module, function, operand).map_or("the value".to_owned(), |it| format!("`{it}`"))
}

fn constant(constant: &Const) -> Option<String> {
    match *constant {
        Const::Int { width, value } => Some(term::signed(width, value).to_string()),
        Const::Null => Some("null".to_owned()),
        _ => None,
    }
}

/// What fails, as a phrase: "`p` is null here".
pub(crate) fn failure(module: &Module, function: &Function, what: Failure) -> String {
    let Some(body) = &function.body else { return "this fails".to_owned() };
    let name = |operand: Operand| ir::names::describe(module, function, operand).map(|it| format!("`{it}`"));
    let root = |operand: Operand| name(pointer(body, operand));
    match what {
        Failure::Null(operand) => {
            format!("{} is null here", root(operand).unwrap_or("the pointer".to_owned()))
        }
        Failure::Freed(operand, _) => {
            format!("{} was freed before", root(operand).unwrap_or("the memory".to_owned()))
        }
        Failure::OutOfBounds(operand) => {
            format!("the access is outside of {}", root(operand).unwrap_or("the object".to_owned()))
        }
        Failure::NegativeIndex(operand) => {
            let array = root(operand).unwrap_or("the array".to_owned());
            format!("the index into {array} is negative here")
        }
        Failure::DivByZero(operand) => {
            format!("{} is zero here, and divided by", name(operand).unwrap_or("the divisor".to_owned()))
        }
        Failure::InvalidFree(operand) => {
            format!("{} is freed, but was not allocated", root(operand).unwrap_or("memory".to_owned()))
        }
        Failure::Assertion => "the assertion fails".to_owned(),
    }
}
