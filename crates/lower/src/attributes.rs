//! Promises of clang: attributes of functions, parameters, results and calls.
//!
//! Attribute groups are decoded once per module; a list is then a few table look-ups. `memory(...)` has two
//! encodings (LLVM 16 to 20, and from 21 on), and LLVM 15 says the same by six older attributes.

use base::IdVec;
use bitcode::{Attribute, AttributeGroup, AttributeKind, AttributeListId, AttributePlace, Module};
use ir::{AllocKind, MemoryEffects, ModRef, ParamAttrs};

use crate::layout::Layout;

/// The numbers of the attributes that mean something to us (`LLVMBitCodes.h`; they never change).
mod number {
    pub(super) const ALIGN: u64 = 1;
    pub(super) const BYVAL: u64 = 3;
    pub(super) const NOALIAS: u64 = 9;
    pub(super) const NOCAPTURE: u64 = 11;
    pub(super) const NORETURN: u64 = 17;
    pub(super) const NOUNWIND: u64 = 18;
    pub(super) const READNONE: u64 = 20;
    pub(super) const READONLY: u64 = 21;
    pub(super) const RETURNED: u64 = 22;
    pub(super) const RETURNS_TWICE: u64 = 23;
    pub(super) const SRET: u64 = 29;
    pub(super) const COLD: u64 = 36;
    pub(super) const NONNULL: u64 = 39;
    pub(super) const DEREFERENCEABLE: u64 = 41;
    pub(super) const DEREFERENCEABLE_OR_NULL: u64 = 42;
    pub(super) const ARGMEMONLY: u64 = 45;
    pub(super) const INACCESSIBLEMEMONLY: u64 = 49;
    pub(super) const INACCESSIBLEMEM_OR_ARGMEMONLY: u64 = 50;
    pub(super) const ALLOC_SIZE: u64 = 51;
    pub(super) const WRITEONLY: u64 = 52;
    pub(super) const WILLRETURN: u64 = 61;
    pub(super) const NOFREE: u64 = 62;
    pub(super) const NOUNDEF: u64 = 68;
    pub(super) const ALLOCATED_POINTER: u64 = 81;
    pub(super) const ALLOC_KIND: u64 = 82;
    pub(super) const MEMORY: u64 = 86;
    pub(super) const CAPTURES: u64 = 102;
}

/// All attribute groups of a module, decoded.
#[derive(Debug)]
pub(crate) struct Attributes {
    groups: Vec<Promises>,
    /// The groups of each list, ascending by what they are about.
    lists: IdVec<AttributeListId, Vec<(AttributePlace, u32)>>,
    /// The lists that say that a function or call does not return; asked for every call.
    noreturn: IdVec<AttributeListId, bool>,
}

/// What one group promises, whoever it is about.
#[derive(Clone, Debug, Default)]
struct Promises {
    param: ParamAttrs,
    function: FunctionPromises,
}

/// What is promised of a function or call, before its parameters are flattened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FunctionPromises {
    /// It never returns.
    pub noreturn: bool,
    /// It always returns.
    pub willreturn: bool,
    /// It throws nothing.
    pub nounwind: bool,
    /// It is rarely called.
    pub cold: bool,
    /// It may return twice.
    pub returns_twice: bool,
    /// It frees nothing.
    pub nofree: bool,
    /// Which memory it accesses.
    pub memory: MemoryEffects,
    /// Positions of the parameters whose product is the size of the returned block.
    pub alloc_size: Option<(u32, Option<u32>)>,
    /// What kind of allocation function it is.
    pub alloc_kind: AllocKind,
    /// The family of allocation functions.
    pub alloc_family: Option<Box<str>>,
}

impl Attributes {
    /// Decodes the groups of a module.
    pub(crate) fn new(module: &Module, layout: &Layout) -> Self {
        let groups = module.attribute_groups.iter().map(|it| decode(it, layout)).collect();
        let place = |position: u32| module.attribute_groups.get(position as usize).map(|it| it.place);
        let sorted = |positions: &Vec<u32>| {
            let mut list: Vec<_> = positions.iter().filter_map(|&it| Some((place(it)?, it))).collect();
            list.sort();
            list
        };
        let lists = module.attribute_lists.iter().map(sorted).collect();
        let mut attributes = Self { groups, lists, noreturn: IdVec::new() };
        let lists = module.attribute_lists.ids();
        attributes.noreturn = lists.map(|list| attributes.function(list).noreturn).collect();
        attributes
    }

    /// What a list promises of one thing.
    fn promises(&self, list: AttributeListId, place: AttributePlace) -> Option<&Promises> {
        let list = self.lists.get(list)?;
        let index = list.partition_point(|(it, _)| *it < place);
        let (found, group) = list.get(index)?;
        if *found == place { self.groups.get(*group as usize) } else { None }
    }

    /// What a list promises of the function (or of this call of it).
    pub(crate) fn function(&self, list: AttributeListId) -> FunctionPromises {
        self.promises(list, AttributePlace::Function).map(|it| it.function.clone()).unwrap_or_default()
    }

    /// Whether a list says that the function (or this call of it) does not return.
    pub(crate) fn noreturn(&self, list: AttributeListId) -> bool {
        self.noreturn.get(list).copied().unwrap_or(false)
    }

    /// What a list promises of the `position`-th parameter.
    pub(crate) fn param(&self, list: AttributeListId, position: usize) -> ParamAttrs {
        let place = AttributePlace::Param(position as u32);
        self.promises(list, place).map(|it| it.param).unwrap_or_default()
    }

    /// What a list promises of the result.
    pub(crate) fn result(&self, list: AttributeListId) -> ParamAttrs {
        self.promises(list, AttributePlace::Result).map(|it| it.param).unwrap_or_default()
    }
}

/// The attributes of a value for one of its `n_lanes` lanes: what is said of a pointer is said of a struct of pointers only if
/// it is that it is initialized.
pub(crate) fn of_lane(attrs: ParamAttrs, n_lanes: usize) -> ParamAttrs {
    if n_lanes == 1 { attrs } else { ParamAttrs { noundef: attrs.noundef, ..ParamAttrs::default() } }
}

fn decode(group: &AttributeGroup, layout: &Layout) -> Promises {
    let mut promises = Promises::default();
    for attribute in &group.attributes {
        match attribute {
            Attribute::Enum(kind) => plain(&mut promises, *kind),
            Attribute::Int(kind, number) => numbered(&mut promises, *kind, *number),
            Attribute::Type(kind, ty) => {
                let size = ty.and_then(|it| layout.alloc_size(it));
                typed(&mut promises.param, *kind, size);
            }
            Attribute::Text(key, value) if &**key == "alloc-family" => {
                promises.function.alloc_family.clone_from(value);
            }
            Attribute::Text(..) | Attribute::Range(..) | Attribute::Ranges(..) => {}
        }
    }
    promises
}

fn plain(promises: &mut Promises, kind: AttributeKind) {
    let (param, function) = (&mut promises.param, &mut promises.function);
    match kind.0 {
        number::NOALIAS => param.noalias = true,
        number::NOCAPTURE => param.nocapture = true,
        number::NONNULL => param.nonnull = true,
        number::NOUNDEF => param.noundef = true,
        number::RETURNED => param.returned = true,
        number::SRET => param.sret = true,
        number::ALLOCATED_POINTER => param.alloc_ptr = true,
        number::NORETURN => function.noreturn = true,
        number::NOUNWIND => function.nounwind = true,
        number::RETURNS_TWICE => function.returns_twice = true,
        number::COLD => function.cold = true,
        number::WILLRETURN => function.willreturn = true,
        number::NOFREE => function.nofree = true,
        _ => plain_memory(promises, kind),
    }
}

/// The attributes by which LLVM up to 15 says what `memory(...)` says since; the first three also stand on parameters.
fn plain_memory(promises: &mut Promises, kind: AttributeKind) {
    const NONE: ModRef = ModRef::NONE;
    let memory = &mut promises.function.memory;
    match kind.0 {
        number::READNONE => {
            *memory = MemoryEffects { args: NONE, inaccessible: NONE, other: NONE };
            (promises.param.readonly, promises.param.writeonly) = (true, true);
        }
        number::READONLY => {
            each(memory, |it| it.write = false);
            promises.param.readonly = true;
        }
        number::WRITEONLY => {
            each(memory, |it| it.read = false);
            promises.param.writeonly = true;
        }
        number::ARGMEMONLY => (memory.inaccessible, memory.other) = (NONE, NONE),
        number::INACCESSIBLEMEMONLY => (memory.args, memory.other) = (NONE, NONE),
        number::INACCESSIBLEMEM_OR_ARGMEMONLY => memory.other = NONE,
        _ => {}
    }
}

fn each(memory: &mut MemoryEffects, change: impl Fn(&mut ModRef)) {
    change(&mut memory.args);
    change(&mut memory.inaccessible);
    change(&mut memory.other);
}

fn numbered(promises: &mut Promises, kind: AttributeKind, number: u64) {
    let (param, function) = (&mut promises.param, &mut promises.function);
    match kind.0 {
        number::ALIGN => param.align = align(number),
        number::DEREFERENCEABLE => param.dereferenceable = number,
        number::DEREFERENCEABLE_OR_NULL => param.dereferenceable_or_null = number,
        // The high nibble is what leaks other than by the result; none of it may.
        number::CAPTURES => param.nocapture = number >> 4 == 0,
        number::MEMORY => function.memory = memory(number),
        number::ALLOC_SIZE => {
            let (size, count) = ((number >> 32) as u32, number as u32);
            function.alloc_size = Some((size, (count != u32::MAX).then_some(count)));
        }
        number::ALLOC_KIND => function.alloc_kind = alloc_kind(number),
        _ => {}
    }
}

fn typed(param: &mut ParamAttrs, kind: AttributeKind, size: Option<u64>) {
    match kind.0 {
        number::BYVAL => param.byval = size.and_then(|it| u32::try_from(it).ok()),
        number::SRET => param.sret = true,
        _ => {}
    }
}

/// An alignment as the IR holds it; 0 for what is no alignment.
fn align(bytes: u64) -> u32 {
    u32::try_from(bytes).ok().filter(|it| it.is_power_of_two()).unwrap_or(0)
}

/// `memory(...)`: two bits per location. Since version 1 (the top byte), `errno` and the target's own state stand apart.
fn memory(number: u64) -> MemoryEffects {
    let at = |position: u32| ModRef {
        read: number >> (2 * position) & 1 != 0,
        write: number >> (2 * position + 1) & 1 != 0,
    };
    let join = |a: ModRef, b: ModRef| ModRef { read: a.read || b.read, write: a.write || b.write };
    if number >> 56 == 0 {
        return MemoryEffects { args: at(0), inaccessible: at(1), other: at(2) };
    }
    let inaccessible = join(at(1), join(at(4), at(5)));
    MemoryEffects { args: at(0), inaccessible, other: join(at(2), at(3)) }
}

fn alloc_kind(number: u64) -> AllocKind {
    let bit = |position: u32| number >> position & 1 != 0;
    AllocKind {
        alloc: bit(0),
        realloc: bit(1),
        free: bit(2),
        uninitialized: bit(3),
        zeroed: bit(4),
        aligned: bit(5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(attributes: &[Attribute]) -> Promises {
        let layout = Layout::new(crate::layout::DataLayout::default(), &base::IdVec::new());
        let group =
            AttributeGroup { id: 1, place: AttributePlace::Function, attributes: attributes.to_vec() };
        decode(&group, &layout)
    }

    #[test]
    fn memory_has_three_spellings() {
        let old = group(&[
            Attribute::Enum(AttributeKind(number::ARGMEMONLY)),
            Attribute::Enum(AttributeKind(number::READONLY)),
        ]);
        // memory(argmem: read)
        let middle = group(&[Attribute::Int(AttributeKind(number::MEMORY), 0b01)]);
        let new = group(&[Attribute::Int(AttributeKind(number::MEMORY), 1 << 56 | 0b01)]);
        let read = ModRef { read: true, write: false };
        let expected = MemoryEffects { args: read, inaccessible: ModRef::NONE, other: ModRef::NONE };
        for promises in [old, middle, new] {
            assert_eq!(promises.function.memory, expected);
        }
        // memory(errnomem: write)
        let errno = group(&[Attribute::Int(AttributeKind(number::MEMORY), 1 << 56 | 0b10_00_00)]);
        assert!(errno.function.memory.other.write && !errno.function.memory.args.write);
    }

    #[test]
    fn allocation_functions_are_described() {
        let promises = group(&[
            Attribute::Int(AttributeKind(number::ALLOC_SIZE), 0xffff_ffff),
            Attribute::Int(AttributeKind(number::ALLOC_KIND), 0b1001),
            Attribute::Text("alloc-family".into(), Some("malloc".into())),
        ]);
        assert_eq!(promises.function.alloc_size, Some((0, None)));
        assert!(promises.function.alloc_kind.alloc && promises.function.alloc_kind.uninitialized);
        assert_eq!(promises.function.alloc_family.as_deref(), Some("malloc"));
    }
}
