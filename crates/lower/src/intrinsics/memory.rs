//! Intrinsics about memory and addresses.

use bitcode::ValueId;
use ir::{Access, BinOp, CastOp, Inst, Lifetime, Operand, Type};

use super::{arg, one};
use crate::error::Stop;
use crate::translate::{Lanes, Translator};

/// `memcpy(dst, src, len, …)`, `memmove`, and their atomic and inline variants.
pub(super) fn copy(cx: &mut Translator<'_, '_>, args: &[ValueId], overlap: bool) -> Result<Lanes, Stop> {
    let (dst, src) = (cx.pointer(arg(args, 0)?)?, cx.pointer(arg(args, 1)?)?);
    let len = length(cx, arg(args, 2)?)?;
    cx.effect(Inst::MemCopy { dst, src, len, overlap });
    Ok(Lanes::new())
}

/// `memset(dst, byte, len, …)`.
pub(super) fn set(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (dst, byte) = (cx.pointer(arg(args, 0)?)?, cx.scalar(arg(args, 1)?)?);
    if cx.ty(byte) != Type::Int(8) {
        return Err(Stop::Operands);
    }
    let len = length(cx, arg(args, 2)?)?;
    cx.effect(Inst::MemSet { dst, byte, len });
    Ok(Lanes::new())
}

/// A byte count, widened to pointer width.
fn length(cx: &mut Translator<'_, '_>, value: ValueId) -> Result<Operand, Stop> {
    let len = cx.scalar(value)?;
    if !matches!(cx.ty(len), Type::Int(_)) {
        return Err(Stop::Operands);
    }
    Ok(cx.resize(len, cx.env.pointer_bits, false))
}

/// `lifetime.start(size, ptr)`; LLVM 22 has no size. What is no stack slot (an address that came through a `phi`) is left alone.
pub(super) fn lifetime(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    event: Lifetime,
) -> Result<Lanes, Stop> {
    let ptr = cx.pointer(*args.last().ok_or(Stop::Operands)?)?;
    if let Some(Inst::Alloca { .. }) = cx.maker(ptr) {
        cx.effect(Inst::Lifetime { ptr, event });
    }
    Ok(Lanes::new())
}

/// An effect on the first argument, a pointer.
pub(super) fn effect(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    make: impl Fn(Operand) -> Inst,
) -> Result<Lanes, Stop> {
    let pointer = cx.pointer(arg(args, 0)?)?;
    cx.effect(make(pointer));
    Ok(Lanes::new())
}

/// `va_copy(dst, src)`.
pub(super) fn va_copy(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (dst, src) = (cx.pointer(arg(args, 0)?)?, cx.pointer(arg(args, 1)?)?);
    cx.effect(Inst::VaCopy { dst, src });
    Ok(Lanes::new())
}

/// `ptrmask(p, mask) = p + ((p & mask) - p)`: an address in the block of `p`.
pub(super) fn pointer_mask(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (pointers, masks) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    if pointers.len() != masks.len() {
        return Err(Stop::Operands);
    }
    let mut result = Lanes::new();
    for (pointer, mask) in pointers.into_iter().zip(masks) {
        if cx.ty(pointer) != Type::Ptr || !matches!(cx.ty(mask), Type::Int(_)) {
            return Err(Stop::Operands);
        }
        let mask = cx.resize(mask, cx.env.pointer_bits, false);
        let address = cx.cast(CastOp::PtrToInt, pointer, cx.word());
        let masked = cx.binary(BinOp::And, address, mask);
        let index = cx.binary(BinOp::Sub, masked, address);
        result.push(cx.emit(Inst::PtrAdd { base: pointer, index, scale: 1, inbounds: false }, Type::Ptr));
    }
    Ok(result)
}

/// `load.relative(p, offset)`: the address `p + *(int32 *)(p + offset)`, which lies in any block.
pub(super) fn load_relative(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (base, offset) = (cx.pointer(arg(args, 0)?)?, cx.scalar(arg(args, 1)?)?);
    if !matches!(cx.ty(offset), Type::Int(_)) {
        return Err(Stop::Operands);
    }
    let index = cx.resize(offset, cx.env.pointer_bits, true);
    let place = cx.emit(Inst::PtrAdd { base, index, scale: 1, inbounds: true }, Type::Ptr);
    let access = Access { align: 4, volatile: false, atomic: false };
    let distance = cx.load(place, Type::Int(32), access);
    let distance = cx.resize(distance, cx.env.pointer_bits, true);
    let address = cx.cast(CastOp::PtrToInt, base, cx.word());
    let sum = cx.binary(BinOp::Add, address, distance);
    Ok(one(cx.cast(CastOp::IntToPtr, sum, Type::Ptr)))
}
