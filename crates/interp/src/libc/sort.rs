//! `qsort` and `bsearch`, which call back into the program.
//!
//! Source: glibc's `qsort` is a merge sort as long as memory allows, so equal elements keep their order and
//! the comparisons come in the order of a merge sort that halves downwards.

use super::args::Args;
use super::{Answer, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models =
    &[("qsort", qsort), ("qsort_r", qsort_r), ("bsearch", bsearch), ("lfind", lfind)];

/// What is sorted.
struct Sort {
    size: u64,
    compare: Value,
    /// The context of `qsort_r`.
    context: Option<Value>,
}

fn qsort(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (count, size) = (machine.number(args, 1)?, machine.number(args, 2)?);
    sort(machine, &args.ptr(0), count, &Sort { size, compare: args.ptr(3), context: None })
}

fn qsort_r(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (count, size) = (machine.number(args, 1)?, machine.number(args, 2)?);
    sort(machine, &args.ptr(0), count, &Sort { size, compare: args.ptr(3), context: Some(args.ptr(4)) })
}

fn sort(machine: &mut Machine<'_>, base: &Value, count: u64, sort: &Sort) -> Reply {
    if count > 1 && sort.size > 0 {
        machine.locate(base, count.saturating_mul(sort.size), true)?;
        let scratch = machine.library_block("buffer of qsort", count * sort.size)?;
        let scratch_start = machine.pointer_to(scratch, 0);
        merge_sort(machine, base, count, sort, &scratch_start)?;
        let site = machine.site();
        machine.memory.kill(scratch, crate::memory::Status::Freed(site));
    }
    Ok(Answer::none())
}

fn merge_sort(machine: &mut Machine<'_>, base: &Value, count: u64, sort: &Sort, scratch: &Value) -> OrStop {
    if count <= 1 {
        return Ok(());
    }
    let (first, second) = (count / 2, count - count / 2);
    let middle = offset_by(base, first * sort.size);
    merge_sort(machine, base, first, sort, scratch)?;
    merge_sort(machine, &middle, second, sort, scratch)?;
    let (mut left, mut right, mut done) = (0, 0, 0);
    while left < first && right < second {
        let (a, b) = (offset_by(base, left * sort.size), offset_by(&middle, right * sort.size));
        let keep_left = order(machine, sort, &a, &b)? <= 0;
        machine.copy_bytes(
            &offset_by(scratch, done * sort.size),
            if keep_left { &a } else { &b },
            sort.size,
        )?;
        left += u64::from(keep_left);
        right += u64::from(!keep_left);
        done += 1;
    }
    let rest = offset_by(base, left * sort.size);
    machine.copy_bytes(&offset_by(scratch, done * sort.size), &rest, (first - left) * sort.size)?;
    // What is left on the right side stands in its place already.
    machine.copy_bytes(base, scratch, (count - (second - right)) * sort.size)
}

fn order(machine: &mut Machine<'_>, sort: &Sort, a: &Value, b: &Value) -> OrStop<i64> {
    let mut args = vec![a.clone(), b.clone()];
    args.extend(sort.context.clone());
    comparison(machine, &sort.compare, &args)
}

/// What a comparison function says; it must be defined.
fn comparison(machine: &mut Machine<'_>, compare: &Value, args: &[Value]) -> OrStop<i64> {
    let results = machine.call_back(compare, args)?;
    let result = results.first().cloned().unwrap_or_else(|| Value::undefined(ir::Type::Int(32), 64));
    if !result.is_defined() {
        let message = "a comparison function returns a value that was never written".to_owned();
        return Err(machine.bug(catalog::Issue::UninitRead, message, None));
    }
    Ok(result.as_i64())
}

/// Halves the range as glibc does, so the comparisons are the same.
fn bsearch(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (mut low, mut high, size) = (0, machine.number(args, 2)?, machine.number(args, 3)?);
    while low < high {
        let middle = low + (high - low) / 2;
        let element = offset_by(&args.ptr(1), middle.wrapping_mul(size));
        match comparison(machine, &args.ptr(4), &[args.ptr(0), element.clone()])? {
            0 => return Ok(element.into()),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Value::null().into())
}

fn lfind(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let long = ir::Type::Int(machine.long_bits());
    let (count, size) = (machine.load_defined(&args.ptr(2), long)?.low(), machine.number(args, 3)?);
    for index in 0..count {
        let element = offset_by(&args.ptr(1), index.wrapping_mul(size));
        if comparison(machine, &args.ptr(4), &[args.ptr(0), element.clone()])? == 0 {
            return Ok(element.into());
        }
    }
    Ok(Value::null().into())
}
