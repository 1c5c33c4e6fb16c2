//! Where function pointers are kept: members of records by the user's types, and variables.
//!
//! `table->init(x)` calls whatever some initializer or store of the project puts into the member `init` of that struct. A member is
//! known by the name and size of the innermost record with a name, and its offset there, so that it is the same member in
//! every unit, alone and inside another struct. Anonymous records go by their `typedef`, or count as part of the record around
//! them; so do unions, whose members share their place.

use base::limits;
use ir::{GlobalId, Module, SourceType, SourceTypeId};
use rustc_hash::FxHashMap;

use crate::resolve::Target;
use crate::unit::UnitId;

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

/// What is put into keepers.
#[derive(Debug, Default)]
pub(crate) struct Fields<'p> {
    puts: FxHashMap<Keeper<'p>, Vec<Target>>,
}

impl<'p> Fields<'p> {
    pub(crate) fn put(&mut self, keeper: Keeper<'p>, target: Target) {
        self.puts.entry(keeper).or_default().push(target);
    }

    /// Sorts what was put. To be called once, before [`get`](Self::get).
    pub(crate) fn finish(mut self) -> Self {
        for targets in self.puts.values_mut() {
            targets.sort_unstable();
            targets.dedup();
        }
        self
    }

    /// What some code or initializer puts there, sorted.
    pub(crate) fn get(&self, keeper: Keeper<'p>) -> &[Target] {
        self.puts.get(&keeper).map_or(&[], Vec::as_slice)
    }
}

/// What is at an offset of a type.
pub(crate) struct Leaf<'p> {
    /// The member of the innermost record with a name.
    pub(crate) member: Option<Keeper<'p>>,
    /// The innermost type.
    pub(crate) ty: SourceTypeId,
}

/// Looks for what is `offset` bytes inside of `ty`.
pub(crate) fn leaf(module: &Module, ty: SourceTypeId, offset: u64) -> Option<Leaf<'_>> {
    let (mut ty, mut offset) = (ty, offset);
    let mut member = None;
    for _ in 0..limits::NESTING {
        let stripped = strip(module, ty)?;
        ty = stripped.ty;
        let inner = match stripped.data {
            SourceType::Record { name, union, size, members } => {
                // `p[1].init` is behind the first of several records.
                offset = if *size == 0 { offset } else { offset % size };
                if let Some(record) = name.map(|name| module.symbols.resolve(name)).or(stripped.typedef) {
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
            Some((inner, _)) => return Some(Leaf { member, ty: inner }),
            None => return Some(Leaf { member, ty }),
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
