//! Run-time type information: `dynamic_cast` and comparison of `std::type_info`, by reading the structures
//! that clang emits.
//!
//! Source: *Itanium C++ ABI*, §2.9.5 (layout of `type_info` and its subclasses), §2.9.7 (`__dynamic_cast`);
//! §2.5.2 for the two words before a virtual table's address point: offset to top and type.
//! Departures: two types are the same if their names are equal, wherever they are.

use base::limits;
use ir::Type;

use crate::libc::{Args, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::memory::BlockKind;
use crate::value::{BlockRef, Value};
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("__dynamic_cast", dynamic_cast),
    ("_ZNKSt9type_infoeqERKS_", types_equal),
    ("_ZNKSt9type_info7__equalERKS_", types_equal),
];

/// Whether the global is one of the tables of `std::type_info`'s subclasses.
pub(crate) fn set_up_global(_: &mut Machine<'_>, name: &str, _: BlockRef) -> bool {
    name.starts_with("_ZTVN10__cxxabiv1")
}

/// A part of an object: a class at an address.
#[derive(Clone, PartialEq, Debug)]
struct Part {
    name: Vec<u8>,
    class: Value,
    object: Value,
    /// Whether only public bases lead to it.
    public: bool,
}

impl Part {
    fn is(&self, name: &[u8], address: u64) -> bool {
        self.name == name && self.object.low() == address
    }
}

/// `__dynamic_cast(object, type of object, wanted type, hint)`.
fn dynamic_cast(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (object, wanted) = (args.ptr(0), type_name(machine, &args.ptr(2))?);
    let source = type_name(machine, &args.ptr(1))?;
    let table = machine.load_pointer(&object, 0)?;
    let to_top = machine.load_defined(&offset_by(&table, 16u64.wrapping_neg()), Type::Int(64))?;
    let whole = offset_by(&object, to_top.low());
    let class = machine.load_pointer(&table, 8u64.wrapping_neg())?;
    let parts = parts_of(machine, &class, &whole)?;
    let mut found = Vec::new();
    for part in parts.iter().filter(|part| part.name == wanted) {
        // Down: the wanted object has the source as a public base.
        let inner = parts_of(machine, &part.class, &part.object)?;
        let is_base = inner.iter().any(|it| it.public && it.is(&source, object.low()));
        if is_base && !found.iter().any(|known: &Value| known.low() == part.object.low()) {
            found.push(part.object.clone());
        }
    }
    if found.is_empty() && parts.iter().any(|it| it.public && it.is(&source, object.low())) {
        // Across: the whole object has both, the wanted one only once.
        let wanted: Vec<&Part> = parts.iter().filter(|part| part.name == wanted).collect();
        let is_unique = wanted.iter().all(|part| part.object.low() == wanted[0].object.low());
        let public = wanted.iter().find(|part| part.public);
        found.extend(public.filter(|_| is_unique).map(|part| part.object.clone()));
    }
    let result = if let [only] = found.as_slice() { only.clone() } else { Value::null() };
    Ok(result.into())
}

fn types_equal(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let equal = type_name(machine, &args.ptr(0))? == type_name(machine, &args.ptr(1))?;
    Ok(Value::bool(equal).into())
}

/// The mangled name, which stands behind the virtual table pointer.
fn type_name(machine: &mut Machine<'_>, class: &Value) -> OrStop<Vec<u8>> {
    let name = machine.load_pointer(class, 8)?;
    machine.string_at(&name)
}

/// An object and all its bases, each with its address; a virtual base is listed once per way to it.
fn parts_of(machine: &mut Machine<'_>, class: &Value, object: &Value) -> OrStop<Vec<Part>> {
    let mut parts = Vec::new();
    collect(machine, class, object, (true, limits::INTERP_CLASSES), &mut parts)?;
    Ok(parts)
}

fn collect(
    machine: &mut Machine<'_>,
    class: &Value,
    object: &Value,
    (public, depth): (bool, u32),
    parts: &mut Vec<Part>,
) -> OrStop {
    if depth == 0 {
        return machine.unsupported("classes nested too deeply");
    }
    let name = type_name(machine, class)?;
    parts.push(Part { name, class: class.clone(), object: object.clone(), public });
    match class_kind(machine, class)? {
        // One public base without offset.
        Some("_ZTVN10__cxxabiv120__si_class_type_infoE") => {
            let base = machine.load_pointer(class, 16)?;
            collect(machine, &base, object, (public, depth - 1), parts)
        }
        // A list of bases with offsets and flags.
        Some("_ZTVN10__cxxabiv121__vmi_class_type_infoE") => {
            let count = machine.load_defined(&offset_by(class, 20), Type::Int(32))?.low();
            for index in 0..count {
                let entry = offset_by(class, 24 + 16 * index);
                let base = machine.load_pointer(&entry, 0)?;
                let flags = machine.load_defined(&offset_by(&entry, 8), Type::Int(64))?.as_i64();
                let place = base_object(machine, object, flags)?;
                let public = public && flags & 2 != 0;
                collect(machine, &base, &place, (public, depth - 1), parts)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Where a base lies in an object: at a fixed offset, or at the one that the virtual table tells for a virtual base.
fn base_object(machine: &Machine<'_>, object: &Value, flags: i64) -> OrStop<Value> {
    let offset = flags >> 8;
    if flags & 1 == 0 {
        return Ok(offset_by(object, offset as u64));
    }
    let table = machine.load_pointer(object, 0)?;
    let offset = machine.load_defined(&offset_by(&table, offset as u64), Type::Int(64))?;
    Ok(offset_by(object, offset.low()))
}

/// The name of the virtual table that a `type_info` points at, which tells how its bases are stored.
fn class_kind<'p>(machine: &Machine<'p>, class: &Value) -> OrStop<Option<&'p str>> {
    let table = machine.load_pointer(class, 0)?;
    let kind = table.prov().map(|block| machine.memory.block(block).kind);
    Ok(match kind {
        Some(BlockKind::Global(global)) => Some(machine.program.globals()[global].name),
        _ => None,
    })
}
