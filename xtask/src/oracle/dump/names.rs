//! LLVM's own words for what our reader has as enums and numbers.

use bitcode::{BinaryOp, CastOp, Linkage, Predicate, RmwOp};

/// The opcode's name.
pub(super) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::FAdd => "fadd",
        BinaryOp::Sub => "sub",
        BinaryOp::FSub => "fsub",
        BinaryOp::Mul => "mul",
        BinaryOp::FMul => "fmul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::FDiv => "fdiv",
        BinaryOp::URem => "urem",
        BinaryOp::SRem => "srem",
        BinaryOp::FRem => "frem",
        BinaryOp::Shl => "shl",
        BinaryOp::LShr => "lshr",
        BinaryOp::AShr => "ashr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
    }
}

/// The opcode's name.
pub(super) fn cast_name(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
        CastOp::FpToUi => "fptoui",
        CastOp::FpToSi => "fptosi",
        CastOp::UiToFp => "uitofp",
        CastOp::SiToFp => "sitofp",
        CastOp::FpTrunc => "fptrunc",
        CastOp::FpExt => "fpext",
        CastOp::PtrToInt => "ptrtoint",
        CastOp::IntToPtr => "inttoptr",
        CastOp::BitCast => "bitcast",
        CastOp::AddrSpaceCast => "addrspacecast",
        CastOp::PtrToAddr => "ptrtoaddr",
    }
}

/// The opcode (`icmp`, `fcmp`) and the predicate.
pub(super) fn predicate_name(predicate: Predicate) -> (&'static str, &'static str) {
    match predicate {
        Predicate::FFalse => ("fcmp", "false"),
        Predicate::FOeq => ("fcmp", "oeq"),
        Predicate::FOgt => ("fcmp", "ogt"),
        Predicate::FOge => ("fcmp", "oge"),
        Predicate::FOlt => ("fcmp", "olt"),
        Predicate::FOle => ("fcmp", "ole"),
        Predicate::FOne => ("fcmp", "one"),
        Predicate::FOrd => ("fcmp", "ord"),
        Predicate::FUno => ("fcmp", "uno"),
        Predicate::FUeq => ("fcmp", "ueq"),
        Predicate::FUgt => ("fcmp", "ugt"),
        Predicate::FUge => ("fcmp", "uge"),
        Predicate::FUlt => ("fcmp", "ult"),
        Predicate::FUle => ("fcmp", "ule"),
        Predicate::FUne => ("fcmp", "une"),
        Predicate::FTrue => ("fcmp", "true"),
        Predicate::Eq => ("icmp", "eq"),
        Predicate::Ne => ("icmp", "ne"),
        Predicate::Ugt => ("icmp", "ugt"),
        Predicate::Uge => ("icmp", "uge"),
        Predicate::Ult => ("icmp", "ult"),
        Predicate::Ule => ("icmp", "ule"),
        Predicate::Sgt => ("icmp", "sgt"),
        Predicate::Sge => ("icmp", "sge"),
        Predicate::Slt => ("icmp", "slt"),
        Predicate::Sle => ("icmp", "sle"),
    }
}

/// The operation of an `atomicrmw`.
pub(super) fn rmw_name(op: RmwOp) -> String {
    let name = match op {
        RmwOp::Xchg => "xchg",
        RmwOp::Add => "add",
        RmwOp::Sub => "sub",
        RmwOp::And => "and",
        RmwOp::Nand => "nand",
        RmwOp::Or => "or",
        RmwOp::Xor => "xor",
        RmwOp::Max => "max",
        RmwOp::Min => "min",
        RmwOp::UMax => "umax",
        RmwOp::UMin => "umin",
        RmwOp::FAdd => "fadd",
        RmwOp::FSub => "fsub",
        RmwOp::FMax => "fmax",
        RmwOp::FMin => "fmin",
        RmwOp::UIncWrap => "uinc_wrap",
        RmwOp::UDecWrap => "udec_wrap",
        RmwOp::USubCond => "usub_cond",
        RmwOp::USubSat => "usub_sat",
        RmwOp::FMaximum => "fmaximum",
        RmwOp::FMinimum => "fminimum",
        RmwOp::Unknown(code) => return format!("unknown operation {code}"),
    };
    name.into()
}

/// The linkage's name.
pub(super) fn linkage_name(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "external",
        Linkage::AvailableExternally => "available_externally",
        Linkage::LinkOnceAny => "linkonce",
        Linkage::LinkOnceOdr => "linkonce_odr",
        Linkage::WeakAny => "weak",
        Linkage::WeakOdr => "weak_odr",
        Linkage::Appending => "appending",
        Linkage::Internal => "internal",
        Linkage::Private => "private",
        Linkage::ExternalWeak => "extern_weak",
        Linkage::Common => "common",
    }
}

/// An atomic ordering by its number in bitcode; nothing for 0.
pub(super) fn ordering_name(order: impl Into<u64>) -> String {
    match order.into() {
        0 => String::new(),
        1 => " unordered".into(),
        2 => " monotonic".into(),
        3 => " acquire".into(),
        4 => " release".into(),
        5 => " acq_rel".into(),
        6 => " seq_cst".into(),
        other => format!(" order {other}"),
    }
}

/// Fast-math flags by their bits in bitcode.
pub(super) fn fast_math_names(flags: u32) -> String {
    let words = [
        (0x80, " reassoc"),
        (0x02, " nnan"),
        (0x04, " ninf"),
        (0x08, " nsz"),
        (0x10, " arcp"),
        (0x20, " contract"),
        (0x40, " afn"),
    ];
    words.iter().filter(|(bit, _)| flags & bit != 0).map(|&(_, word)| word).collect()
}

/// DWARF's name of a tag without `DW_TAG_`; only those of types.
pub(super) fn tag_name(tag: u32) -> String {
    let name = match tag {
        0x01 => "array_type",
        0x02 => "class_type",
        0x04 => "enumeration_type",
        0x0d => "member",
        0x0f => "pointer_type",
        0x10 => "reference_type",
        0x12 => "string_type",
        0x13 => "structure_type",
        0x15 => "subroutine_type",
        0x16 => "typedef",
        0x17 => "union_type",
        0x19 => "variant",
        0x1c => "inheritance",
        0x1f => "ptr_to_member_type",
        0x20 => "set_type",
        0x21 => "subrange_type",
        0x24 => "base_type",
        0x26 => "const_type",
        0x29 => "file_type",
        0x2a => "friend",
        0x2d => "packed_type",
        0x30 => "template_alias",
        0x33 => "variant_part",
        0x34 => "variable",
        0x35 => "volatile_type",
        0x37 => "restrict_type",
        0x38 => "interface_type",
        0x3b => "unspecified_type",
        0x40 => "shared_type",
        0x42 => "rvalue_reference_type",
        0x43 => "template_alias",
        0x47 => "atomic_type",
        0x4b => "immutable_type",
        other => return format!("tag{other}"),
    };
    name.into()
}
