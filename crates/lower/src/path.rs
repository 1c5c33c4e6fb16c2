//! The way of a `getelementptr` through its type.
//!
//! Judgment: `gep T, p, i₀, i₁ … = p + i₀·size(T) + …`, as a list of constant and variable steps in the order
//! of the indices.

use base::Id;
use bitcode::{Body, ConstantKind, Def, Type, TypeId, ValueId};
use smallvec::SmallVec;

use crate::env::Env;

/// A step of an address computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    /// So many bytes further.
    Bytes(i64),
    /// The index times so many bytes further.
    Index(ValueId, u64),
}

/// The steps of `getelementptr source, …, indices`, seen from `body`; none if the indices do not fit the type.
pub(crate) fn steps(
    env: &Env<'_>,
    body: Option<&Body>,
    source: TypeId,
    indices: &[ValueId],
) -> Option<SmallVec<[Stride; 4]>> {
    let mut steps = SmallVec::new();
    let (&first, rest) = indices.split_first()?;
    push(&mut steps, env, body, first, env.layout.alloc_size(source)?);
    let mut ty = source;
    for &index in rest {
        match env.module.types.get(ty)? {
            Type::Struct { fields, .. } => {
                let member = usize::try_from(constant(env, body, index)?).ok()?;
                let offset = env.layout.offset(ty, member)?;
                add_bytes(&mut steps, i64::try_from(offset).ok()?);
                ty = *fields.get(member)?;
            }
            Type::Array { element, .. } => {
                push(&mut steps, env, body, index, env.layout.alloc_size(*element)?);
                ty = *element;
            }
            // Lanes of a vector lie side by side, without padding.
            Type::Vector { element, scalable: false, .. } => {
                push(&mut steps, env, body, index, env.layout.get(*element)?.store_size());
                ty = *element;
            }
            _ => return None,
        }
    }
    Some(steps)
}

/// The steps as one number of bytes, if all indices are constant.
pub(crate) fn constant_bytes(env: &Env<'_>, source: TypeId, indices: &[ValueId]) -> Option<i64> {
    match steps(env, None, source, indices)?.as_slice() {
        [] => Some(0),
        [Stride::Bytes(bytes)] => Some(*bytes),
        _ => None,
    }
}

fn push(steps: &mut SmallVec<[Stride; 4]>, env: &Env<'_>, body: Option<&Body>, index: ValueId, scale: u64) {
    match constant(env, body, index) {
        Some(index) => add_bytes(steps, index.wrapping_mul(scale as i64)),
        // Elements without size all lie at one place.
        None if scale == 0 => {}
        None => steps.push(Stride::Index(index, scale)),
    }
}

/// Constant parts that follow one another are one step.
fn add_bytes(steps: &mut SmallVec<[Stride; 4]>, bytes: i64) {
    match steps.last_mut() {
        Some(Stride::Bytes(last)) => *last = last.wrapping_add(bytes),
        _ if bytes == 0 => {}
        _ => steps.push(Stride::Bytes(bytes)),
    }
}

/// The number that an index is; for a vector of equal numbers (indices of struct members are such), that number.
fn constant(env: &Env<'_>, body: Option<&Body>, index: ValueId) -> Option<i64> {
    let Def::Constant(constant) = env.module.def(body, index)? else { return None };
    match &constant.kind {
        ConstantKind::Integer(number) => Some(*number),
        ConstantKind::Null => Some(0),
        ConstantKind::Data(words) => {
            let first = *words.first()?;
            let width = match env.module.types.get(constant.ty)? {
                Type::Vector { element, .. } => env.layout.get(*element)?.bits,
                _ => return None,
            };
            let shift = 64u64.checked_sub(width)?;
            words.iter().all(|it| *it == first).then_some((first << shift) as i64 >> shift)
        }
        ConstantKind::Aggregate(elements) => {
            let first = *elements.first()?;
            // Equal constants have equal numbers; an aggregate here is a vector, so this goes no deeper.
            let scalar = elements.iter().all(|it| *it == first) && first.index() != index.index();
            let Def::Constant(first) = env.module.def(body, first)? else { return None };
            match first.kind {
                ConstantKind::Integer(number) if scalar => Some(number),
                _ => None,
            }
        }
        _ => None,
    }
}
