//! The links of `std::list`: `{ next, prev }` at the start of every node.

use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", hook),
    ("_ZNSt8__detail15_List_node_base9_M_unhookEv", unhook),
    ("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", transfer),
    ("_ZNSt8__detail15_List_node_base10_M_reverseEv", reverse),
    ("_ZNSt8__detail15_List_node_base4swapERS0_S1_", swap),
];

const NEXT: u64 = 0;
const PREV: u64 = 8;

fn get(machine: &Machine<'_>, node: &Value, link: u64) -> OrStop<Value> {
    machine.load_pointer(node, link)
}

fn set(machine: &mut Machine<'_>, node: &Value, link: u64, to: &Value) -> OrStop {
    machine.store_at(&offset_by(node, link), to)
}

/// Makes `second` follow `first`.
fn join(machine: &mut Machine<'_>, first: &Value, second: &Value) -> OrStop {
    set(machine, first, NEXT, second)?;
    set(machine, second, PREV, first)
}

fn same(a: &Value, b: &Value) -> bool {
    a.low() == b.low()
}

/// Puts a node before a position.
fn hook(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (node, position) = (args.ptr(0), args.ptr(1));
    let before = get(machine, &position, PREV)?;
    join(machine, &before, &node)?;
    join(machine, &node, &position)?;
    Ok(Answer::none())
}

fn unhook(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (prev, next) = (get(machine, &args.ptr(0), PREV)?, get(machine, &args.ptr(0), NEXT)?);
    join(machine, &prev, &next)?;
    Ok(Answer::none())
}

/// Moves the nodes from `first` to before `last` to before a position.
fn transfer(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (position, first, last) = (args.ptr(0), args.ptr(1), args.ptr(2));
    if same(&position, &last) || same(&first, &last) {
        return Ok(Answer::none());
    }
    let end = get(machine, &last, PREV)?;
    let before = get(machine, &first, PREV)?;
    let target = get(machine, &position, PREV)?;
    join(machine, &before, &last)?;
    join(machine, &target, &first)?;
    join(machine, &end, &position)?;
    Ok(Answer::none())
}

fn reverse(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let head = args.ptr(0);
    let mut node = head.clone();
    loop {
        machine.tick()?;
        let (next, prev) = (get(machine, &node, NEXT)?, get(machine, &node, PREV)?);
        set(machine, &node, NEXT, &prev)?;
        set(machine, &node, PREV, &next)?;
        if same(&next, &head) {
            return Ok(Answer::none());
        }
        node = next;
    }
}

/// Exchanges the contents of two lists, given by their heads.
fn swap(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (a, b) = (args.ptr(0), args.ptr(1));
    let ends = |machine: &Machine<'_>, head: &Value| -> OrStop<Option<(Value, Value)>> {
        let (first, last) = (get(machine, head, NEXT)?, get(machine, head, PREV)?);
        Ok(if same(&first, head) { None } else { Some((first, last)) })
    };
    let (a_ends, b_ends) = (ends(machine, &a)?, ends(machine, &b)?);
    for (head, content) in [(&a, b_ends), (&b, a_ends)] {
        match content {
            Some((first, last)) => {
                join(machine, head, &first)?;
                join(machine, &last, head)?;
            }
            None => join(machine, head, head)?,
        }
    }
    Ok(Answer::none())
}
