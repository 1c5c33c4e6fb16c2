//! `math.h`: `double` and `float` by the machine's own library, `long double` exactly where that is possible.
//!
//! Departures: transcendental functions of `long double` are computed as `double` and counted as
//! approximations.

use ir::{BinOp, FloatKind, Type, UnOp};

use super::args::{Args, int};
use super::{Answer, Models, Reply};
use crate::float;
use crate::machine::{Machine, OrStop};
use crate::report::EventKind;
use crate::value::Value;

/// The three functions `name`, `namef` and `namel` of one argument.
macro_rules! unary {
    ($($double:literal $single:literal $long:literal => $method:ident;)*) => {
        &[$(
            ($double, |machine, args| double(machine, args, f64::$method)),
            ($single, |machine, args| single(machine, args, f32::$method)),
            ($long, |machine, args| approximate(machine, args, f64::$method)),
        )*]
    };
}

/// The three functions of two arguments.
macro_rules! binary {
    ($($double:literal $single:literal $long:literal => $method:ident;)*) => {
        &[$(
            ($double, |machine, args| double2(machine, args, f64::$method)),
            ($single, |machine, args| single2(machine, args, f32::$method)),
            ($long, |machine, args| approximate2(machine, args, f64::$method)),
        )*]
    };
}

/// The three functions that are instructions of the IR, exact in every format.
macro_rules! exact {
    ($($double:literal $single:literal $long:literal => $op:ident;)*) => {
        &[$(
            ($double, |machine, args| exact_unary(machine, args, UnOp::$op)),
            ($single, |machine, args| exact_unary(machine, args, UnOp::$op)),
            ($long, |machine, args| exact_unary(machine, args, UnOp::$op)),
        )*]
    };
}

macro_rules! exact2 {
    ($($double:literal $single:literal $long:literal => $op:ident;)*) => {
        &[$(
            ($double, |machine, args| exact_binary(machine, args, BinOp::$op)),
            ($single, |machine, args| exact_binary(machine, args, BinOp::$op)),
            ($long, |machine, args| exact_binary(machine, args, BinOp::$op)),
        )*]
    };
}

pub(crate) const TRANSCENDENTAL: Models = unary! {
    "sin" "sinf" "sinl" => sin;
    "cos" "cosf" "cosl" => cos;
    "tan" "tanf" "tanl" => tan;
    "asin" "asinf" "asinl" => asin;
    "acos" "acosf" "acosl" => acos;
    "atan" "atanf" "atanl" => atan;
    "sinh" "sinhf" "sinhl" => sinh;
    "cosh" "coshf" "coshl" => cosh;
    "tanh" "tanhf" "tanhl" => tanh;
    "exp" "expf" "expl" => exp;
    "exp2" "exp2f" "exp2l" => exp2;
    "expm1" "expm1f" "expm1l" => exp_m1;
    "log" "logf" "logl" => ln;
    "log2" "log2f" "log2l" => log2;
    "log10" "log10f" "log10l" => log10;
    "log1p" "log1pf" "log1pl" => ln_1p;
    "cbrt" "cbrtf" "cbrtl" => cbrt;
};

pub(crate) const OF_TWO: Models = binary! {
    "pow" "powf" "powl" => powf;
    "atan2" "atan2f" "atan2l" => atan2;
    "hypot" "hypotf" "hypotl" => hypot;
};

pub(crate) const ROUNDING: Models = exact! {
    "fabs" "fabsf" "fabsl" => FAbs;
    "sqrt" "sqrtf" "sqrtl" => FSqrt;
    "floor" "floorf" "floorl" => FFloor;
    "ceil" "ceilf" "ceill" => FCeil;
    "trunc" "truncf" "truncl" => FTrunc;
    "round" "roundf" "roundl" => FRound;
    "rint" "rintf" "rintl" => FRoundEven;
    "nearbyint" "nearbyintf" "nearbyintl" => FRoundEven;
    "roundeven" "roundevenf" "roundevenl" => FRoundEven;
};

pub(crate) const EXACT_OF_TWO: Models = exact2! {
    "fmod" "fmodf" "fmodl" => FRem;
    "fmin" "fminf" "fminl" => FMin;
    "fmax" "fmaxf" "fmaxl" => FMax;
    "copysign" "copysignf" "copysignl" => FCopySign;
};

pub(crate) const MODELS: Models = &[
    ("ldexp", ldexp),
    ("ldexpf", ldexp),
    ("ldexpl", ldexp),
    ("scalbn", ldexp),
    ("scalbnf", ldexp),
    ("scalbnl", ldexp),
    ("scalbln", ldexp),
    ("frexp", frexp),
    ("frexpf", frexp),
    ("frexpl", frexp),
    ("modf", modf),
    ("modff", modf),
    ("modfl", modf),
    ("ilogb", ilogb),
    ("logb", logb),
    ("fdim", fdim),
    ("fdimf", fdim),
    ("fma", fma),
    ("fmaf", fma),
    ("lround", lround),
    ("lroundf", lround),
    ("lroundl", lround),
    ("llround", lround),
    ("llroundf", lround),
    ("lrint", lrint),
    ("lrintf", lrint),
    ("lrintl", lrint),
    ("llrint", lrint),
    ("llrintf", lrint),
    ("__isnan", isnan),
    ("isnan", isnan),
    ("__isnanf", isnan),
    ("__isnanl", isnan),
    ("__isinf", isinf),
    ("isinf", isinf),
    ("__isinff", isinf),
    ("__isinfl", isinf),
    ("__finite", finite),
    ("finite", finite),
    ("__finitef", finite),
    ("__finitel", finite),
    ("__signbit", signbit),
    ("__signbitf", signbit),
    ("__signbitl", signbit),
    ("__fpclassify", fpclassify),
    ("__fpclassifyf", fpclassify),
    ("__fpclassifyl", fpclassify),
    ("nan", nan),
    ("nanf", nanf),
];

/// The `index`-th argument as a float whose bits matter.
fn argument(machine: &Machine<'_>, args: &Args<'_>, index: usize) -> OrStop<Value> {
    let value = args.get(index);
    machine.require_defined(args, index, &value)?;
    match value.ty() {
        Type::Float(kind) if float::is_supported(kind) => Ok(value),
        _ => machine.unsupported("a mathematical function on another type"),
    }
}

fn as_double(value: &Value) -> f64 {
    float::resize(value, FloatKind::Double).as_f64()
}

fn as_single(value: &Value) -> f32 {
    float::resize(value, FloatKind::Single).as_f32()
}

fn double(machine: &mut Machine<'_>, args: &Args<'_>, f: fn(f64) -> f64) -> Reply {
    Ok(Value::f64(f(as_double(&argument(machine, args, 0)?))).into())
}

fn single(machine: &mut Machine<'_>, args: &Args<'_>, f: fn(f32) -> f32) -> Reply {
    Ok(Value::f32(f(as_single(&argument(machine, args, 0)?))).into())
}

fn double2(machine: &mut Machine<'_>, args: &Args<'_>, f: fn(f64, f64) -> f64) -> Reply {
    let (a, b) = (argument(machine, args, 0)?, argument(machine, args, 1)?);
    Ok(Value::f64(f(as_double(&a), as_double(&b))).into())
}

fn single2(machine: &mut Machine<'_>, args: &Args<'_>, f: fn(f32, f32) -> f32) -> Reply {
    let (a, b) = (argument(machine, args, 0)?, argument(machine, args, 1)?);
    Ok(Value::f32(f(as_single(&a), as_single(&b))).into())
}

fn approximate(machine: &mut Machine<'_>, args: &Args<'_>, f: fn(f64) -> f64) -> Reply {
    let value = argument(machine, args, 0)?;
    machine.note(EventKind::Approximation);
    let result = Value::f64(f(as_double(&value)));
    Ok(float::resize(&result, float::kind_of(value.ty())).into())
}

fn approximate2(machine: &mut Machine<'_>, args: &Args<'_>, f: fn(f64, f64) -> f64) -> Reply {
    let (a, b) = (argument(machine, args, 0)?, argument(machine, args, 1)?);
    machine.note(EventKind::Approximation);
    let result = Value::f64(f(as_double(&a), as_double(&b)));
    Ok(float::resize(&result, float::kind_of(a.ty())).into())
}

fn exact_unary(machine: &mut Machine<'_>, args: &Args<'_>, op: UnOp) -> Reply {
    Ok(float::unary(op, &argument(machine, args, 0)?).into())
}

fn exact_binary(machine: &mut Machine<'_>, args: &Args<'_>, op: BinOp) -> Reply {
    Ok(float::binary(op, &argument(machine, args, 0)?, &argument(machine, args, 1)?).into())
}

/// `value · 2^exponent`, rounded once.
fn ldexp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (value, exponent) = (argument(machine, args, 0)?, machine.signed(args, 1)?);
    Ok(float::scale(&value, exponent).into())
}

/// A number in [½, 1) and the power of two that it is multiplied with.
fn frexp(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    let exponent = float::exponent(&value).map_or(0, |exponent| exponent + 1);
    machine.store_at(&args.ptr(1), &Value::signed(32, exponent.into()))?;
    Ok(float::scale(&value, -i64::from(exponent)).into())
}

fn modf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    let whole = float::unary(UnOp::FTrunc, &value);
    machine.store_at(&args.ptr(1), &whole)?;
    let difference = float::binary(BinOp::FSub, &value, &whole);
    let rest =
        if float::is_infinite(&value) { Value::float(float::kind_of(value.ty()), 0) } else { difference };
    // The fraction of -1.0 is -0.0.
    Ok(float::binary(BinOp::FCopySign, &rest, &value).into())
}

fn ilogb(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    Ok(int(float::exponent(&value).unwrap_or(i32::MIN)))
}

fn logb(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    Ok(Value::f64(float::exponent(&value).map_or(f64::NEG_INFINITY, f64::from)).into())
}

fn fdim(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (a, b) = (argument(machine, args, 0)?, argument(machine, args, 1)?);
    let difference = float::binary(BinOp::FSub, &a, &b);
    let is_positive = float::compare(ir::CmpOp::FUgt, &a, &b).low() == 1;
    Ok(if is_positive { difference } else { Value::float(float::kind_of(a.ty()), 0) }.into())
}

fn fma(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let [a, b, c] = [argument(machine, args, 0)?, argument(machine, args, 1)?, argument(machine, args, 2)?];
    let is_single = a.ty() == Type::Float(FloatKind::Single);
    Ok(if is_single {
        Value::f32(a.as_f32().mul_add(b.as_f32(), c.as_f32())).into()
    } else {
        Value::f64(as_double(&a).mul_add(as_double(&b), as_double(&c))).into()
    })
}

fn lround(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    to_long(machine, args, UnOp::FRound)
}

fn lrint(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    to_long(machine, args, UnOp::FRoundEven)
}

fn to_long(machine: &mut Machine<'_>, args: &Args<'_>, op: UnOp) -> Reply {
    let rounded = float::unary(op, &argument(machine, args, 0)?);
    let computed = float::to_int(&rounded, true, false, 64);
    if let Some(violation) = computed.violation {
        machine.note(violation);
    }
    Ok(computed.value.into())
}

fn isnan(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(float::is_nan(&argument(machine, args, 0)?).into()))
}

fn isinf(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    Ok(int(match (float::is_infinite(&value), float::is_negative(&value)) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    }))
}

fn finite(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    Ok(int((!float::is_nan(&value) && !float::is_infinite(&value)).into()))
}

fn signbit(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    Ok(int(float::is_negative(&value).into()))
}

/// glibc's numbers: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
fn fpclassify(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let value = argument(machine, args, 0)?;
    Ok(int(if float::is_nan(&value) {
        0
    } else if float::is_infinite(&value) {
        1
    } else if float::exponent(&value).is_none() {
        2
    } else if float::is_subnormal(&value) {
        3
    } else {
        4
    }))
}

fn nan(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::from(Value::float(FloatKind::Double, 0x7ff8 << 48)))
}

fn nanf(_: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(Answer::from(Value::float(FloatKind::Single, 0x7fc0 << 16)))
}
