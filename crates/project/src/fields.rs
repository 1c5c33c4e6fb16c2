//! Where function pointers are kept: members of records by the user's types, and variables.
//!
//! `table->init(x)` calls whatever some initializer or store of the project puts into the member `init` of
//! that struct. A member is known by the name and size of the innermost record with a name, and its offset
//! there, so that it is the same member in every unit, alone and inside another struct. Anonymous records go
//! by their `typedef`, or count as part of the record around them; so do unions, whose members share their
//! place. A class that a unit only declares (clang describes a class with virtual functions only where its
//! table is) is looked up by its name in the other units.

use base::{IdVec, limits};
use ir::{GlobalId, Module, SourceType, SourceTypeId};
use rustc_hash::FxHashMap;

use crate::callgraph::Node;
use crate::unit::{UnitId, UnitIr};

/// Something that a function pointer is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Keeper<'p> {
    /// A member of a record.
    Member {
        /// The record's name.
        record: &'p str,
        /// Its bytes: two records of one name are seldom of one size.
        size: u64,
        /// Bytes from its start.
        offset: u64,
    },
    /// A variable that is not a record, also an array.
    Variable(UnitId, GlobalId),
}

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Referent {
    /// A function, also one that no unit defines.
    Function(Node),
    /// Some bytes inside of a global variable.
    Global { unit: UnitId, global: GlobalId, offset: i64 },
}

impl Referent {
    /// What is some bytes further.
    pub(crate) fn moved(self, by: i64) -> Referent {
        match self {
            Referent::Function(_) => self,
            Referent::Global { unit, global, offset } => {
                Referent::Global { unit, global, offset: offset.wrapping_add(by) }
            }
        }
    }
}

/// What is put into keepers.
#[derive(Debug, Default)]
pub(crate) struct Fields<'p> {
    puts: FxHashMap<Keeper<'p>, Vec<Referent>>,
}

impl<'p> Fields<'p> {
    pub(crate) fn put(&mut self, keeper: Keeper<'p>, referent: Referent) {
        self.puts.entry(keeper).or_default().push(referent);
    }

    /// Sorts what was put. To be called once, before [`get`](Self::get).
    pub(crate) fn finish(mut self) -> Self {
        // Each list is sorted on its own, so the order of lists does not matter.
        self.puts.values_mut().for_each(|referents| {
            referents.sort_unstable();
            referents.dedup();
        });
        self
    }

    /// What some code or initializer puts there, sorted.
    pub(crate) fn get(&self, keeper: Keeper<'p>) -> &[Referent] {
        self.puts.get(&keeper).map_or(&[], Vec::as_slice)
    }
}

/// The records of all units by name, where they are described.
#[derive(Debug)]
pub(crate) struct Records<'p> {
    units: &'p IdVec<UnitId, UnitIr>,
    /// None if several records of different sizes have the name.
    by_name: FxHashMap<&'p str, Option<Record>>,
}

/// A record that is described.
#[derive(Clone, Copy, Debug)]
struct Record {
    unit: UnitId,
    ty: SourceTypeId,
    size: u64,
}

impl<'p> Records<'p> {
    pub(crate) fn of(units: &'p IdVec<UnitId, UnitIr>) -> Self {
        let mut by_name: FxHashMap<&str, Option<Record>> = FxHashMap::default();
        for (unit, data) in units.iter_ids() {
            for (ty, source_type) in data.module.types.iter_ids() {
                let SourceType::Record { name: Some(name), size, members, .. } = source_type else {
                    continue;
                };
                if !members.is_empty() {
                    let known = by_name.entry(data.module.symbols.resolve(*name));
                    let record = Some(Record { unit, ty, size: *size });
                    known.and_modify(|known| *known = known.filter(|it| it.size == *size)).or_insert(record);
                }
            }
        }
        Self { units, by_name }
    }

    /// Where a type is described: here, unless it is a record that is only declared here.
    fn described(&self, unit: UnitId, ty: SourceTypeId) -> (UnitId, SourceTypeId) {
        let module = &self.units[unit].module;
        match module.types.get(ty) {
            Some(SourceType::Record { name: Some(name), members, .. }) if members.is_empty() => {
                let known = self.by_name.get(module.symbols.resolve(*name)).copied().flatten();
                known.map_or((unit, ty), |record| (record.unit, record.ty))
            }
            _ => (unit, ty),
        }
    }
}

/// What is at an offset of a type.
pub(crate) struct Leaf<'p> {
    /// The member of the innermost record with a name.
    pub(crate) member: Option<Keeper<'p>>,
    /// The unit of the type.
    pub(crate) unit: UnitId,
    /// The innermost type.
    pub(crate) ty: SourceTypeId,
}

/// Looks for what is `offset` bytes inside of a type of a unit.
pub(crate) fn leaf<'p>(
    records: &Records<'p>,
    unit: UnitId,
    ty: SourceTypeId,
    offset: u64,
) -> Option<Leaf<'p>> {
    let (mut unit, mut ty, mut offset) = (unit, ty, offset);
    let mut member = None;
    for _ in 0..limits::NESTING {
        let Stripped { ty: plain, typedef, .. } = strip(&records.units[unit].module, ty)?;
        (unit, ty) = records.described(unit, plain);
        let module = &records.units[unit].module;
        let inner = match module.types.get(ty)? {
            SourceType::Record { name, union, size, members } => {
                // `p[1].init` is behind the first of several records.
                offset = if *size == 0 { offset } else { offset % size };
                if let Some(record) = name.map(|name| module.symbols.resolve(name)).or(typedef) {
                    member = Some(Keeper::Member { record, size: *size, offset });
                }
                let after = members.partition_point(|it| it.offset_bits / 8 <= offset);
                let inner = members[..after].last().filter(|_| !union);
                inner.map(|it| (it.ty, offset - it.offset_bits / 8))
            }
            SourceType::Array { element, .. } => {
                let size = size_of(module, *element).filter(|&size| size > 0)?;
                Some((*element, offset % size))
            }
            _ => None,
        };
        match inner {
            Some((inner, rest)) if is_aggregate(module, inner) => (ty, offset) = (inner, rest),
            Some((inner, _)) => return Some(Leaf { member, unit, ty: inner }),
            None => return Some(Leaf { member, unit, ty }),
        }
    }
    None
}

/// What a pointer of that type points at, if it is known.
pub(crate) fn pointee(module: &Module, ty: SourceTypeId) -> Option<SourceTypeId> {
    let to = match strip(module, ty)?.data {
        SourceType::Pointer { to, .. } => *to,
        SourceType::Array { element, .. } => *element,
        _ => return None,
    };
    let is_telling = !matches!(strip(module, to)?.data, SourceType::Void | SourceType::Unknown);
    is_telling.then_some(to)
}

/// What a function, or what a pointer to it points at, returns.
pub(crate) fn result(module: &Module, ty: SourceTypeId) -> Option<SourceTypeId> {
    match strip(module, ty)?.data {
        SourceType::Function { result, .. } => Some(*result),
        SourceType::Pointer { to, .. } => match strip(module, *to)?.data {
            SourceType::Function { result, .. } => Some(*result),
            _ => None,
        },
        _ => None,
    }
}

struct Stripped<'m> {
    ty: SourceTypeId,
    data: &'m SourceType,
    /// The last `typedef` on the way.
    typedef: Option<&'m str>,
}

/// A type without other names and qualifiers.
fn strip(module: &Module, mut ty: SourceTypeId) -> Option<Stripped<'_>> {
    let mut typedef = None;
    for _ in 0..limits::NESTING {
        match module.types.get(ty)? {
            SourceType::Typedef { name, to } => {
                typedef = Some(module.symbols.resolve(*name));
                ty = *to;
            }
            SourceType::Qualified { to } => ty = *to,
            data => return Some(Stripped { ty, data, typedef }),
        }
    }
    None
}

fn is_aggregate(module: &Module, ty: SourceTypeId) -> bool {
    let data = strip(module, ty).map(|it| it.data);
    matches!(data, Some(SourceType::Record { .. } | SourceType::Array { .. }))
}

fn size_of(module: &Module, ty: SourceTypeId) -> Option<u64> {
    let (mut ty, mut count) = (ty, 1_u64);
    for _ in 0..limits::NESTING {
        match strip(module, ty)?.data {
            SourceType::Array { element, count: Some(n) } => {
                count = count.checked_mul(*n)?;
                ty = *element;
            }
            SourceType::Base { size, .. }
            | SourceType::Record { size, .. }
            | SourceType::Enum { size, .. } => {
                return count.checked_mul(*size);
            }
            SourceType::Pointer { .. } => return count.checked_mul(module.target.pointer_bytes.into()),
            _ => return None,
        }
    }
    None
}
