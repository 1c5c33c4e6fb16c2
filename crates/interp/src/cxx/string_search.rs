//! The members of `std::string` that search, compare and copy out, and that headers leave to the library.

use super::string::Text;
use crate::libc::{Answer, Args, Models, Reply, int};
use crate::machine::{Machine, OrStop};

/// The mangled name of a `const` member function.
macro_rules! const_member {
    ($name:literal) => {
        concat!("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE", $name)
    };
}

pub(crate) const MODELS: Models = &[
    (const_member!("4copyEPcmm"), copy),
    (const_member!("4findEPKcmm"), find),
    (const_member!("4findEcm"), find),
    (const_member!("5rfindEPKcmm"), rfind),
    (const_member!("5rfindEcm"), rfind),
    (const_member!("13find_first_ofEPKcmm"), |m, a| first_of(m, a, true)),
    (const_member!("17find_first_not_ofEPKcmm"), |m, a| first_of(m, a, false)),
    (const_member!("17find_first_not_ofEcm"), |m, a| first_of(m, a, false)),
    (const_member!("12find_last_ofEPKcmm"), |m, a| last_of(m, a, true)),
    (const_member!("16find_last_not_ofEPKcmm"), |m, a| last_of(m, a, false)),
    (const_member!("16find_last_not_ofEcm"), |m, a| last_of(m, a, false)),
    (const_member!("7compareEPKc"), compare_text),
    (const_member!("7compareEmmPKc"), compare_part_text),
    (const_member!("7compareEmmPKcm"), compare_part_bytes),
    (const_member!("7compareEmmRKS4_"), compare_part),
    (const_member!("7compareEmmRKS4_mm"), compare_parts),
];

/// `std::string::npos`.
const NOWHERE: u64 = u64::MAX;

/// `copy(to, n, pos)`.
fn copy(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (count, position) = (machine.number(args, 2)?, machine.number(args, 3)?);
    let text = Text::load(machine, &args.ptr(0))?;
    text.check(machine, position, args.name)?;
    let count = count.min(text.length - position);
    machine.copy_bytes(&args.ptr(1), &text.at(position), count)?;
    Ok(machine.long(count))
}

/// The string's characters, those searched for, and the position to start at: `(this, s, pos, n)` or `(this, c, pos)`.
fn search(machine: &mut Machine<'_>, args: &Args<'_>) -> OrStop<(Vec<u8>, Vec<u8>, u64)> {
    let text = Text::load(machine, &args.ptr(0))?.bytes(machine)?;
    let position = machine.number(args, 2)?;
    let wanted = match args.values.len() {
        3 => vec![machine.c_int(args, 1)? as u8],
        _ => machine.bytes_at(&args.ptr(1), machine.number(args, 3)?)?,
    };
    Ok((text, wanted, position))
}

fn found(machine: &Machine<'_>, position: Option<usize>) -> Reply {
    Ok(machine.long(position.map_or(NOWHERE, |position| position as u64)))
}

fn find(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, wanted, start) = search(machine, args)?;
    machine.work(text.len() as u64)?;
    let last = (text.len() + 1).saturating_sub(wanted.len());
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    found(machine, (start..last).find(|at| text[*at..].starts_with(&wanted)))
}

fn rfind(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (text, wanted, start) = search(machine, args)?;
    machine.work(text.len() as u64)?;
    let Some(last) = text.len().checked_sub(wanted.len()) else { return found(machine, None) };
    let last = last.min(usize::try_from(start).unwrap_or(usize::MAX));
    found(machine, (0..=last).rev().find(|at| text[*at..].starts_with(&wanted)))
}

fn first_of(machine: &mut Machine<'_>, args: &Args<'_>, member: bool) -> Reply {
    let (text, set, start) = search(machine, args)?;
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    found(machine, (start..text.len()).find(|at| set.contains(&text[*at]) == member))
}

fn last_of(machine: &mut Machine<'_>, args: &Args<'_>, member: bool) -> Reply {
    let (text, set, start) = search(machine, args)?;
    let end = text.len().min(usize::try_from(start).unwrap_or(usize::MAX).saturating_add(1));
    found(machine, (0..end).rev().find(|at| set.contains(&text[*at]) == member))
}

/// As libstdc++ does: the difference of the first bytes that differ, otherwise the difference of the lengths, cut to an `int`.
fn order(a: &[u8], b: &[u8]) -> Answer {
    let differ = a.iter().zip(b).find(|(x, y)| x != y);
    let difference = match differ {
        Some((x, y)) => i64::from(*x) - i64::from(*y),
        None => a.len() as i64 - b.len() as i64,
    };
    int(difference.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
}

/// The characters of `this` that arguments 1 and 2 choose.
fn part(machine: &mut Machine<'_>, args: &Args<'_>) -> OrStop<Vec<u8>> {
    let (position, count) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let text = Text::load(machine, &args.ptr(0))?;
    text.check(machine, position, args.name)?;
    machine.bytes_at(&text.at(position), count.min(text.length - position))
}

fn compare_text(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let text = Text::load(machine, &args.ptr(0))?.bytes(machine)?;
    Ok(order(&text, &machine.string(args, 1)?))
}

fn compare_part_text(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(order(&part(machine, args)?, &machine.string(args, 3)?))
}

fn compare_part_bytes(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let other = machine.bytes_at(&args.ptr(3), machine.number(args, 4)?)?;
    Ok(order(&part(machine, args)?, &other))
}

fn compare_part(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let other = Text::load(machine, &args.ptr(3))?.bytes(machine)?;
    Ok(order(&part(machine, args)?, &other))
}

fn compare_parts(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (position, count) = (machine.number(args, 4)?, machine.number(args, 5)?);
    let other = Text::load(machine, &args.ptr(3))?;
    other.check(machine, position, args.name)?;
    let other = machine.bytes_at(&other.at(position), count.min(other.length - position))?;
    Ok(order(&part(machine, args)?, &other))
}
