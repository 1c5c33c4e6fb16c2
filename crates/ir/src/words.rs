//! The words of the text form: each list exists once, and printing and parsing are derived from it.

use std::fmt;

use crate::function::VarKind;
use crate::inst::{Access, ArithFlags, BinOp, CastOp, CmpOp, Lifetime, UnOp, UnreachableCause};
use crate::module::{AllocKind, FnAttrs, Linkage, ParamAttrs, ReasonKind};
use crate::types::{FloatKind, Type};

/// The widest integer of the IR, which is LLVM's.
pub const WIDEST_INT: u32 = 1 << 23;

/// Gives each variant of plain enums its word.
macro_rules! words {
    ($($ty:ident { $($variant:ident = $word:literal,)* })*) => {$(
        impl $ty {
            /// All of them, in order of declaration.
            pub const ALL: &'static [$ty] = &[$($ty::$variant),*];

            /// The word for it in the text form.
            pub fn word(self) -> &'static str {
                match self { $($ty::$variant => $word,)* }
            }

            /// The one that `word` stands for.
            pub fn from_word(word: &str) -> Option<$ty> {
                match word { $($word => Some($ty::$variant),)* _ => None }
            }
        }
    )*};
}

words! {
    UnOp {
        FNeg = "fneg",
        FAbs = "fabs",
        FSqrt = "fsqrt",
        FFloor = "ffloor",
        FCeil = "fceil",
        FTrunc = "ftrunc",
        FRound = "fround",
        FRoundEven = "froundeven",
        ByteSwap = "byteswap",
        BitReverse = "bitreverse",
        PopCount = "popcount",
        LeadingZeros = "leadingzeros",
        TrailingZeros = "trailingzeros",
        Abs = "abs",
    }
    BinOp {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        UDiv = "udiv",
        SDiv = "sdiv",
        URem = "urem",
        SRem = "srem",
        Shl = "shl",
        LShr = "lshr",
        AShr = "ashr",
        And = "and",
        Or = "or",
        Xor = "xor",
        UMin = "umin",
        UMax = "umax",
        SMin = "smin",
        SMax = "smax",
        UAddSat = "uadd_sat",
        SAddSat = "sadd_sat",
        USubSat = "usub_sat",
        SSubSat = "ssub_sat",
        UShlSat = "ushl_sat",
        SShlSat = "sshl_sat",
        UAddOverflows = "uadd_overflows",
        SAddOverflows = "sadd_overflows",
        USubOverflows = "usub_overflows",
        SSubOverflows = "ssub_overflows",
        UMulOverflows = "umul_overflows",
        SMulOverflows = "smul_overflows",
        FAdd = "fadd",
        FSub = "fsub",
        FMul = "fmul",
        FDiv = "fdiv",
        FRem = "frem",
        FMin = "fmin",
        FMax = "fmax",
        FCopySign = "fcopysign",
    }
    CmpOp {
        Eq = "eq",
        Ne = "ne",
        Ult = "ult",
        Ule = "ule",
        Ugt = "ugt",
        Uge = "uge",
        Slt = "slt",
        Sle = "sle",
        Sgt = "sgt",
        Sge = "sge",
        FFalse = "ffalse",
        FOeq = "foeq",
        FOgt = "fogt",
        FOge = "foge",
        FOlt = "folt",
        FOle = "fole",
        FOne = "fone",
        FOrd = "ford",
        FUno = "funo",
        FUeq = "fueq",
        FUgt = "fugt",
        FUge = "fuge",
        FUlt = "fult",
        FUle = "fule",
        FUne = "fune",
        FTrue = "ftrue",
    }
    CastOp {
        Trunc = "trunc",
        ZExt = "zext",
        SExt = "sext",
        FToU = "ftou",
        FToS = "ftos",
        FToUSat = "ftou_sat",
        FToSSat = "ftos_sat",
        UToF = "utof",
        SToF = "stof",
        FToF = "ftof",
        PtrToInt = "ptrtoint",
        IntToPtr = "inttoptr",
        Bits = "bits",
    }
    Lifetime {
        Start = "start",
        End = "end",
    }
    UnreachableCause {
        NoReturn = "noreturn",
        Trap = "trap",
        Undefined = "undefined",
        Unwind = "unwind",
    }
    FloatKind {
        Half = "half",
        BFloat = "bfloat",
        Single = "single",
        Double = "double",
        X87 = "x87",
        Quad = "quad",
        DoubleDouble = "doubledouble",
    }
    Linkage {
        External = "external",
        Internal = "internal",
        Weak = "weak",
        LinkOnce = "linkonce",
        AvailableExternally = "available_externally",
        ExternWeak = "extern_weak",
    }
}

/// Gives each `bool` field of a struct its word.
macro_rules! flags {
    ($($ty:ident { $($field:ident = $word:literal,)* })*) => {$(
        impl $ty {
            /// The words of the flags that are set, in fixed order.
            pub fn flag_words(&self) -> impl Iterator<Item = &'static str> + use<> {
                [$((self.$field, $word)),*].into_iter().filter_map(|(set, word)| set.then_some(word))
            }

            /// Sets the flag that `word` stands for; whether there is one.
            pub fn set_flag(&mut self, word: &str) -> bool {
                match word {
                    $($word => self.$field = true,)*
                    _ => return false,
                }
                true
            }
        }
    )*};
}

flags! {
    ArithFlags {
        nuw = "nuw",
        nsw = "nsw",
        exact = "exact",
    }
    Access {
        volatile = "volatile",
        atomic = "atomic",
    }
    FnAttrs {
        noreturn = "noreturn",
        willreturn = "willreturn",
        nounwind = "nounwind",
        cold = "cold",
        returns_twice = "returns_twice",
        nofree = "nofree",
    }
    AllocKind {
        alloc = "alloc",
        realloc = "realloc",
        free = "free",
        uninitialized = "uninitialized",
        zeroed = "zeroed",
        aligned = "aligned",
    }
    ParamAttrs {
        nonnull = "nonnull",
        noundef = "noundef",
        noalias = "noalias",
        nocapture = "nocapture",
        readonly = "readonly",
        writeonly = "writeonly",
        returned = "returned",
        sret = "sret",
        alloc_ptr = "allocptr",
    }
}

impl ReasonKind {
    /// The one that `word` stands for.
    pub fn from_word(word: &str) -> Option<ReasonKind> {
        ReasonKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl VarKind {
    /// The word for it in the text form; a parameter's position follows it.
    pub fn word(self) -> &'static str {
        match self {
            VarKind::Param(_) => "param",
            VarKind::Local => "local",
            VarKind::Temp => "temp",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::Ptr => f.write_str("ptr"),
            Type::Float(kind) => f.write_str(kind.word()),
        }
    }
}
