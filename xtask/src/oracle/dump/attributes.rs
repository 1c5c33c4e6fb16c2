//! Text of attributes.

use bitcode::{Attribute, AttributeKind, AttributeListId, AttributePlace};

use super::Dump;
use super::text::{integer, quoted};

impl Dump<'_> {
    /// One line for the function, the result and each parameter that has attributes.
    pub(super) fn print_attributes(&mut self, list: AttributeListId, indent: &str) {
        let module = self.module;
        let Some(list) = module.attribute_lists.get(list) else { return };
        let mut lines = Vec::new();
        for &position in list {
            let Some(group) = module.attribute_groups.get(position as usize) else {
                self.line(&format!("{indent}no attribute group {position}"));
                continue;
            };
            let mut texts: Vec<String> =
                group.attributes.iter().map(|attribute| self.attribute(attribute)).collect();
            texts.sort();
            if !texts.is_empty() {
                lines.push((place_order(group.place), texts.join(", ")));
            }
        }
        lines.sort();
        for ((_, place), texts) in lines {
            self.line(&format!("{indent}attr {place}: {texts}"));
        }
    }

    fn attribute(&mut self, attribute: &Attribute) -> String {
        match attribute {
            Attribute::Enum(kind) => name(*kind),
            Attribute::Int(AttributeKind::MEMORY, value) => format!("memory({})", memory_effects(*value)),
            Attribute::Int(kind, value) => format!("{}={value}", name(*kind)),
            Attribute::Type(kind, ty) => {
                let ty = ty.map_or_else(String::new, |ty| self.ty(ty));
                format!("{}({ty})", name(*kind))
            }
            Attribute::Range(kind, width, low, high) => {
                format!("{}(i{width} {}, {})", name(*kind), integer(*width, low), integer(*width, high))
            }
            Attribute::Ranges(kind, width, ranges) => {
                let ranges: Vec<String> = ranges
                    .iter()
                    .map(|(low, high)| format!("{}, {}", integer(*width, low), integer(*width, high)))
                    .collect();
                format!("{}(i{width} {})", name(*kind), ranges.join("; "))
            }
            Attribute::Text(key, None) => quoted(key.as_bytes()),
            Attribute::Text(key, Some(value)) if value.is_empty() => quoted(key.as_bytes()),
            Attribute::Text(key, Some(value)) => {
                format!("{}={}", quoted(key.as_bytes()), quoted(value.as_bytes()))
            }
        }
    }
}

/// The function's first, then the result's, then the parameters' in order.
fn place_order(place: AttributePlace) -> (u64, String) {
    match place {
        AttributePlace::Function => (0, "fn".into()),
        AttributePlace::Result => (1, "ret".into()),
        AttributePlace::Param(index) => (2 + u64::from(index), format!("arg{index}")),
    }
}

/// Two bits per location: argument, inaccessible, errno, other.
fn memory_effects(value: u64) -> String {
    let location = |index: u32| (value >> (2 * index) & 3).to_string();
    [location(0), location(1), location(2), location(3)].join(" ")
}

fn name(kind: AttributeKind) -> String {
    let index = usize::try_from(kind.0).ok().and_then(|code| code.checked_sub(1));
    match index.and_then(|index| NAMES.get(index)) {
        Some(name) => (*name).into(),
        None => format!("unknown attribute {}", kind.0),
    }
}

/// LLVM's names by the numbers of bitcode files, from 1.
const NAMES: [&str; 105] = [
    "align",
    "alwaysinline",
    "byval",
    "inlinehint",
    "inreg",
    "minsize",
    "naked",
    "nest",
    "noalias",
    "nobuiltin",
    "nocapture",
    "noduplicate",
    "noimplicitfloat",
    "noinline",
    "nonlazybind",
    "noredzone",
    "noreturn",
    "nounwind",
    "optsize",
    "readnone",
    "readonly",
    "returned",
    "returns_twice",
    "signext",
    "alignstack",
    "ssp",
    "sspreq",
    "sspstrong",
    "sret",
    "sanitize_address",
    "sanitize_thread",
    "sanitize_memory",
    "uwtable",
    "zeroext",
    "builtin",
    "cold",
    "optnone",
    "inalloca",
    "nonnull",
    "jumptable",
    "dereferenceable",
    "dereferenceable_or_null",
    "convergent",
    "safestack",
    "argmemonly",
    "swiftself",
    "swifterror",
    "norecurse",
    "inaccessiblememonly",
    "inaccessiblemem_or_argmemonly",
    "allocsize",
    "writeonly",
    "speculatable",
    "strictfp",
    "sanitize_hwaddress",
    "nocf_check",
    "optforfuzzing",
    "shadowcallstack",
    "speculative_load_hardening",
    "immarg",
    "willreturn",
    "nofree",
    "nosync",
    "sanitize_memtag",
    "preallocated",
    "nomerge",
    "null_pointer_is_valid",
    "noundef",
    "byref",
    "mustprogress",
    "nocallback",
    "hot",
    "noprofile",
    "vscale_range",
    "swiftasync",
    "nosanitize_coverage",
    "elementtype",
    "disable_sanitizer_instrumentation",
    "nosanitize_bounds",
    "allocalign",
    "allocptr",
    "allockind",
    "presplitcoroutine",
    "fn_ret_thunk_extern",
    "skipprofile",
    "memory",
    "nofpclass",
    "optdebug",
    "writable",
    "coro_only_destroy_when_complete",
    "dead_on_unwind",
    "range",
    "sanitize_numerical_stability",
    "initializes",
    "hybrid_patchable",
    "sanitize_realtime",
    "sanitize_realtime_blocking",
    "coro_elide_safe",
    "noext",
    "nodivergencesource",
    "sanitize_type",
    "captures",
    "dead_on_return",
    "sanitize_alloc_token",
    "nocreateundeforpoison",
];
