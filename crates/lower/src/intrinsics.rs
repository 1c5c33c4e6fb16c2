//! Intrinsic functions of LLVM: one table by name, one dispatcher.
//!
//! Judgment: a call of `llvm.NAME.TYPES` means what LLVM's *Language Reference* says of `llvm.NAME`.
//! Departures: `is_zero_poison` of `ctlz`/`cttz` and `is_int_min_poison` of `abs` are not poison but the
//! plain result; `assume` bundles are not read; a pair of loads and stores of an atomic copy is one copy.
//! Not covered: everything that is not in the table. Its results are `Nondet` with the intrinsic's name as
//! detail. If it may write memory behind a pointer argument, it is besides (and with its results) a call of a
//! declared function of that name, so that pointer arguments count as written.

mod floats;
mod fpclass;
mod integers;
mod memory;
mod table;
mod vectors;

use bitcode::{CastOp, FunctionId, ValueId};
use ir::{BinOp, Callee, Inst, Lifetime, Operand, ReasonKind, Type, UnOp};

use crate::error::Stop;
use crate::translate::{Lanes, Translator};

/// What an intrinsic does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intrinsic {
    /// It has no effect; a result, if there is one, is zero.
    Nothing,
    /// It says where a variable lives.
    DebugDeclare,
    /// It says which value a variable has.
    DebugValue,
    /// The result is the first argument.
    First,
    /// The result is this number.
    Constant(i64),
    /// The bytes behind a pointer: as without optimization, unknown.
    ObjectSize,
    /// The program stops.
    Trap,
    /// `memcpy` or `memmove`.
    Copy {
        /// Whether source and destination may overlap.
        overlap: bool,
    },
    /// `memset`.
    Set,
    /// A variable's scope begins or ends.
    Lifetime(Lifetime),
    /// Remembers the stack height.
    StackSave,
    /// Returns to a stack height.
    StackRestore,
    /// `va_start`.
    VaStart,
    /// `va_end`.
    VaEnd,
    /// `va_copy`.
    VaCopy,
    /// A fact.
    Assume,
    /// An address with bits masked off.
    PtrMask,
    /// A pointer stored as a 32-bit distance.
    LoadRelative,
    /// An operation on one argument.
    Unary(UnOp),
    /// An operation on two arguments.
    Binary(BinOp),
    /// The wrapped result of an operation, and whether it overflows.
    Overflow(BinOp, BinOp),
    /// A funnel shift.
    Funnel {
        /// Whether it shifts left.
        left: bool,
    },
    /// -1, 0 or 1.
    ThreeWay {
        /// Whether the comparison is signed.
        signed: bool,
    },
    /// A conversion.
    Cast(CastOp),
    /// A conversion of a float to an integer that stops at the ends of the range.
    Saturate(ir::CastOp),
    /// A comparison of floats whose predicate is an argument.
    FloatCompare,
    /// A function of the C library's `math.h`, for the argument's format.
    Libm(&'static str),
    /// A power with an integer exponent.
    PowerInt,
    /// A product and a sum, rounded twice.
    MulAdd,
    /// The smaller float; NaN if one is.
    Minimum,
    /// The larger float; NaN if one is.
    Maximum,
    /// Whether a float is of one of the classes in a mask.
    FpClass,
    /// The bits of a `_Float16` with a float's value.
    ToHalf,
    /// The float that the bits of a `_Float16` stand for.
    FromHalf,
    /// All lanes of a vector combined.
    Reduce(BinOp),
    /// All lanes of a vector combined with a first value, in order.
    ReduceFrom(BinOp),
    /// Loads the lanes of a vector whose bits are set.
    MaskedLoad,
    /// Stores the lanes of a vector whose bits are set.
    MaskedStore,
    /// Some lanes of a vector.
    VectorExtract,
    /// A vector with some lanes replaced.
    VectorInsert,
    /// The lanes in the opposite order.
    VectorReverse,
    /// The number of the first lane that is not zero.
    FirstSet,
    /// Part of exception handling.
    Exception,
    /// Not modeled.
    Unknown,
}

impl Intrinsic {
    /// The intrinsic of a function's name; none if it is an ordinary function.
    pub(crate) fn of(name: &str) -> Option<Intrinsic> {
        name.strip_prefix("llvm.").map(table::look_up)
    }

    /// Whether it only speaks to the debugger.
    pub(crate) fn is_debug(&self) -> bool {
        matches!(self, Intrinsic::DebugDeclare | Intrinsic::DebugValue)
    }
}

/// Translates a call of an intrinsic; its result lanes.
pub(crate) fn translate<'e>(
    cx: &mut Translator<'e, '_>,
    id: FunctionId,
    call: &'e bitcode::Call,
) -> Result<Lanes, Stop> {
    let args = &*call.args;
    let results = cx.result_types(call);
    match cx.env.symbols.intrinsic(id).unwrap_or(Intrinsic::Unknown) {
        Intrinsic::Nothing | Intrinsic::DebugDeclare | Intrinsic::DebugValue | Intrinsic::Trap => {
            Ok(results.iter().map(|&it| cx.zero(it)).collect())
        }
        Intrinsic::First => cx.lanes(arg(args, 0)?),
        Intrinsic::Constant(number) => integers::constant(cx, number, results),
        Intrinsic::ObjectSize => integers::object_size(cx, args, results),
        Intrinsic::Copy { overlap } => memory::copy(cx, args, overlap),
        Intrinsic::Set => memory::set(cx, args),
        Intrinsic::Lifetime(event) => memory::lifetime(cx, args, event),
        Intrinsic::StackSave => Ok(one(cx.emit(Inst::StackSave, Type::Ptr))),
        Intrinsic::StackRestore => memory::effect(cx, args, |saved| Inst::StackRestore { saved }),
        Intrinsic::VaStart => memory::effect(cx, args, |list| Inst::VaStart { list }),
        Intrinsic::VaEnd => memory::effect(cx, args, |list| Inst::VaEnd { list }),
        Intrinsic::VaCopy => memory::va_copy(cx, args),
        Intrinsic::Assume => integers::assume(cx, args),
        Intrinsic::PtrMask => memory::pointer_mask(cx, args),
        Intrinsic::LoadRelative => memory::load_relative(cx, args),
        Intrinsic::Unary(op) => {
            let arg = cx.lanes(arg(args, 0)?)?;
            cx.unary_lanes(op, &arg)
        }
        Intrinsic::Binary(op) => integers::binary(cx, op, args),
        Intrinsic::Overflow(op, test) => integers::overflow(cx, op, test, args),
        Intrinsic::Funnel { left } => integers::funnel(cx, left, args),
        Intrinsic::ThreeWay { signed } => integers::three_way(cx, signed, args, results),
        Intrinsic::Cast(op) => floats::cast(cx, op, args, results),
        Intrinsic::Saturate(op) => floats::saturate(cx, op, args, results),
        Intrinsic::FloatCompare => floats::compare(cx, call),
        Intrinsic::Libm(name) => floats::libm(cx, name, call, results),
        Intrinsic::PowerInt => floats::power_int(cx, args, results),
        Intrinsic::MulAdd => floats::mul_add(cx, args),
        Intrinsic::Minimum => floats::extremum(cx, args, false),
        Intrinsic::Maximum => floats::extremum(cx, args, true),
        Intrinsic::FpClass => fpclass::test(cx, args),
        Intrinsic::ToHalf => floats::to_half(cx, args),
        Intrinsic::FromHalf => floats::from_half(cx, args, results),
        Intrinsic::Reduce(op) => vectors::reduce(cx, op, args),
        Intrinsic::ReduceFrom(op) => vectors::reduce_from(cx, op, args),
        Intrinsic::MaskedLoad => vectors::masked_load(cx, call),
        Intrinsic::MaskedStore => vectors::masked_store(cx, call),
        Intrinsic::VectorExtract => vectors::extract(cx, args, results),
        Intrinsic::VectorInsert => vectors::insert(cx, args),
        Intrinsic::VectorReverse => vectors::reverse(cx, args),
        Intrinsic::FirstSet => vectors::first_set(cx, args, results),
        Intrinsic::Exception => cx.unmodeled(ReasonKind::Exception, &cx.env.module.functions[id].name),
        Intrinsic::Unknown => unknown(cx, id, call),
    }
}

/// An intrinsic that is not modeled; see the head of this file.
fn unknown<'e>(cx: &mut Translator<'e, '_>, id: FunctionId, call: &'e bitcode::Call) -> Result<Lanes, Stop> {
    let env = cx.env;
    let function = &env.module.functions[id];
    let reason = cx.out.reason(ReasonKind::Intrinsic, function.name.trim_start_matches("llvm."));
    let params = env.params(call.function_type);
    let is_pointer = |ty| env.shape(ty).lanes().contains(&Type::Ptr);
    let memory = env.attributes.function(function.attributes).memory;
    let writes = (memory.args.write || memory.other.write) && params.iter().any(|&it| is_pointer(it));
    if !writes || params.iter().any(|&it| is_metadata(cx, it)) {
        return Err(Stop::Unmodeled(reason));
    }
    cx.nondet(reason, &[]);
    let func = cx.out.library_function(&function.name, &env.signature(call.function_type));
    cx.plain_call(call, Callee::Func(func), false)
}

/// Whether a parameter takes metadata; its argument is no value.
fn is_metadata(cx: &Translator<'_, '_>, ty: bitcode::TypeId) -> bool {
    matches!(cx.env.module.types.get(ty), Some(bitcode::Type::Metadata))
}

/// The argument at a position.
fn arg(args: &[ValueId], position: usize) -> Result<ValueId, Stop> {
    args.get(position).copied().ok_or(Stop::Operands)
}

fn one(lane: Operand) -> Lanes {
    Lanes::from_slice(&[lane])
}
