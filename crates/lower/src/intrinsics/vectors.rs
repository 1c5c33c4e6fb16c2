//! Intrinsics about lanes: masked accesses, parts of vectors, reductions.

use bitcode::{TypeId, ValueId};
use ir::{Access, BinOp, CmpOp, Operand, Type};

use super::integers::check;
use super::{arg, one};
use crate::error::Stop;
use crate::translate::{Lanes, Translator};

/// Nothing is known of the alignment of a lane.
const ANY_PLACE: Access = Access { align: 1, volatile: false, atomic: false };

/// `masked.load(p, align, mask, otherwise)` and `masked.gather(pointers, align, mask, otherwise)`; LLVM 22 has no `align` there.
///
/// A lane whose bit is 0 accesses nothing: its address is that of a slot of its own.
pub(super) fn masked_load(cx: &mut Translator<'_, '_>, call: &bitcode::Call) -> Result<Lanes, Stop> {
    let [pointers, .., mask, otherwise] = *call.args else { return Err(Stop::Operands) };
    let (mask, otherwise) = (cx.lanes(mask)?, cx.lanes(otherwise)?);
    let pointers = lane_pointers(cx, pointers, result_type(cx, call)?, otherwise.len())?;
    check_mask(cx, &mask, otherwise.len())?;
    let mut lanes = Lanes::new();
    for ((pointer, bit), otherwise) in pointers.into_iter().zip(mask).zip(otherwise) {
        let ty = cx.ty(otherwise);
        let place = masked_place(cx, pointer, bit, ty);
        let loaded = cx.load(place, ty, ANY_PLACE);
        lanes.push(cx.select(bit, loaded, otherwise));
    }
    Ok(lanes)
}

/// `masked.store(value, p, align, mask)` and `masked.scatter(value, pointers, align, mask)`.
pub(super) fn masked_store(cx: &mut Translator<'_, '_>, call: &bitcode::Call) -> Result<Lanes, Stop> {
    let [value, pointers, .., mask] = *call.args else { return Err(Stop::Operands) };
    let ty = cx.env.module.value_type(Some(cx.source), value).ok_or(Stop::Operands)?;
    let (values, mask) = (cx.lanes(value)?, cx.lanes(mask)?);
    let pointers = lane_pointers(cx, pointers, ty, values.len())?;
    check_mask(cx, &mask, values.len())?;
    for ((pointer, bit), value) in pointers.into_iter().zip(mask).zip(values) {
        let ty = cx.ty(value);
        let place = masked_place(cx, pointer, bit, ty);
        cx.store(place, value, ANY_PLACE);
    }
    Ok(Lanes::new())
}

fn result_type(cx: &Translator<'_, '_>, call: &bitcode::Call) -> Result<TypeId, Stop> {
    match cx.env.module.types.get(call.function_type) {
        Some(bitcode::Type::Function { result, .. }) => Ok(*result),
        _ => Err(Stop::Operands),
    }
}

/// The addresses of the lanes of a vector of type `ty`: those given, or the places of its elements.
fn lane_pointers(
    cx: &mut Translator<'_, '_>,
    pointers: ValueId,
    ty: TypeId,
    n_lanes: usize,
) -> Result<Lanes, Stop> {
    let pointers = cx.lanes(pointers)?;
    if pointers.iter().any(|it| cx.ty(*it) != Type::Ptr) {
        return Err(Stop::Operands);
    }
    match *pointers {
        [pointer] if n_lanes != 1 => {
            let Some(bitcode::Type::Vector { element, .. }) = cx.env.module.types.get(ty) else {
                return Err(Stop::Operands);
            };
            let stride = cx.env.layout.get(*element).ok_or(Stop::Operands)?.store_size();
            Ok((0..n_lanes as i64).map(|it| cx.offset(pointer, it * stride as i64, false)).collect())
        }
        _ if pointers.len() == n_lanes => Ok(pointers),
        _ => Err(Stop::Operands),
    }
}

fn check_mask(cx: &Translator<'_, '_>, mask: &[Operand], n_lanes: usize) -> Result<(), Stop> {
    let fits = mask.len() == n_lanes && mask.iter().all(|it| cx.ty(*it) == Type::BOOL);
    if fits { Ok(()) } else { Err(Stop::Operands) }
}

/// `pointer` if `bit` is 1, else a slot that nobody reads.
fn masked_place(cx: &mut Translator<'_, '_>, pointer: Operand, bit: Operand, ty: Type) -> Operand {
    let size = ty.store_bytes(cx.env.pointer_bits / 8);
    let slot = cx.entry_slot(size, 1);
    cx.select(bit, pointer, slot)
}

/// `vector.extract(v, start)`: as many lanes as the result has.
pub(super) fn extract(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let (lanes, start) = (cx.lanes(arg(args, 0)?)?, cx.scalar(arg(args, 1)?)?);
    let start = cx.small_constant(start).ok_or(Stop::Operands)?;
    let end = start.checked_add(results.len()).ok_or(Stop::Operands)?;
    Ok(lanes.get(start..end).ok_or(Stop::Operands)?.into())
}

/// `vector.insert(v, part, start)`.
pub(super) fn insert(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (mut lanes, part) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    let start = cx.scalar(arg(args, 2)?)?;
    let start = cx.small_constant(start).ok_or(Stop::Operands)?;
    let end = start.checked_add(part.len()).ok_or(Stop::Operands)?;
    lanes.get_mut(start..end).ok_or(Stop::Operands)?.copy_from_slice(&part);
    Ok(lanes)
}

/// `vector.reverse(v)`.
pub(super) fn reverse(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let mut lanes = cx.lanes(arg(args, 0)?)?;
    lanes.reverse();
    Ok(lanes)
}

/// `cttz.elts(v, …)`: the number of the first lane that is not zero; their count if all are.
pub(super) fn first_set(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let lanes = cx.lanes(arg(args, 0)?)?;
    let &[Type::Int(width)] = results else { return Err(Stop::Operands) };
    check(cx, BinOp::Add, &lanes)?;
    let mut result = cx.int(width, lanes.len() as u128);
    for (position, &lane) in lanes.iter().enumerate().rev() {
        let zero = cx.zero(cx.ty(lane));
        let is_set = cx.compare(CmpOp::Ne, lane, zero);
        let number = cx.int(width, position as u128);
        result = cx.select(is_set, number, result);
    }
    Ok(one(result))
}

/// All lanes combined, from the first to the last.
pub(super) fn reduce(cx: &mut Translator<'_, '_>, op: BinOp, args: &[ValueId]) -> Result<Lanes, Stop> {
    let lanes = cx.lanes(arg(args, 0)?)?;
    let (&first, rest) = lanes.split_first().ok_or(Stop::Operands)?;
    fold(cx, op, first, rest)
}

/// All lanes combined, from a given value on.
pub(super) fn reduce_from(cx: &mut Translator<'_, '_>, op: BinOp, args: &[ValueId]) -> Result<Lanes, Stop> {
    let first = cx.scalar(arg(args, 0)?)?;
    let lanes = cx.lanes(arg(args, 1)?)?;
    fold(cx, op, first, &lanes)
}

fn fold(cx: &mut Translator<'_, '_>, op: BinOp, first: Operand, rest: &[Operand]) -> Result<Lanes, Stop> {
    check(cx, op, &[first])?;
    if rest.iter().any(|it| cx.ty(*it) != cx.ty(first)) {
        return Err(Stop::Operands);
    }
    Ok(one(rest.iter().fold(first, |sum, &lane| cx.binary(op, sum, lane))))
}
