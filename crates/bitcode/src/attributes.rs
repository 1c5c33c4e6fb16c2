//! Attributes of functions, parameters and results.

use base::{Id, IdVec, define_id};

use crate::types::TypeId;

define_id! {
    /// An attribute list; see [`AttributeLists`]. The first one is empty.
    pub struct AttributeListId = "attrs";
}

/// All attribute lists: each a list of positions in [`Module::attribute_groups`](crate::Module::attribute_groups).
///
/// The first list is the empty one.
pub type AttributeLists = IdVec<AttributeListId, Vec<u32>>;

/// Attributes of one thing: the function, the result or one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeGroup {
    /// The number by which records name the group.
    pub id: u64,
    /// Whose attributes they are.
    pub place: AttributePlace,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// Whose attributes they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttributePlace {
    /// The result's.
    Result,
    /// The n-th parameter's.
    Param(u32),
    /// The function's.
    Function,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// A plain one.
    Enum(AttributeKind),
    /// One with a number.
    Int(AttributeKind, u64),
    /// One with a type.
    Type(AttributeKind, Option<TypeId>),
    /// One with a half-open range of integers of a width: low and high, as words.
    Range(AttributeKind, u32, Vec<u64>, Vec<u64>),
    /// One with several ranges of integers of a width.
    Ranges(AttributeKind, u32, Vec<(Vec<u64>, Vec<u64>)>),
    /// `"key"` or `"key"="value"`.
    Text(Box<str>, Option<Box<str>>),
}

/// An attribute's number in bitcode files; constants for those that mean something to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeKind(pub u64);

impl AttributeKind {
    /// `memory`: two bits (reads 1, writes 2) per location, from the lowest: arguments, inaccessible, `errno`, other.
    pub const MEMORY: AttributeKind = AttributeKind(86);
}

impl AttributeListId {
    /// The empty list.
    pub const EMPTY: AttributeListId = AttributeListId::FIRST;

    /// From a record's number: 0 is the empty list, n the n-th list.
    pub(crate) fn from_record(number: u64, lists: &AttributeLists) -> AttributeListId {
        let id = AttributeListId::new(usize::try_from(number).unwrap_or(0).min(lists.len()));
        if lists.contains(id) { id } else { Self::EMPTY }
    }
}
