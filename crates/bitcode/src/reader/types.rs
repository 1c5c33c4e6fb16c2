//! The type table.

use std::collections::BTreeMap;

use base::Id;
use llvm_bitcode::schema::blocks::TypeCode;

use super::{Fault, Fields, Reader, block_id, text};
use crate::bitstream::{Block, Record};
use crate::error::Error;
use crate::types::{FloatType, Type, TypeId};

/// Finds the ids of types that instructions make without naming them (`i1`, vectors of it, pairs).
#[derive(Default)]
pub(super) struct TypeIndex {
    derived: BTreeMap<Derived, TypeId>,
}

/// Types by their make.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Derived {
    Void,
    Bool,
    Token,
    Pointer(u32),
    Vector(TypeId, u64, bool),
    Pair(TypeId, TypeId),
}

impl<'a> Reader<'a> {
    pub(super) fn type_table(&mut self, block: Block<'a>) -> Result<(), Error> {
        let mut typed_pointer = false;
        self.records(block, |reader, record| {
            let ty = reader.type_record(record)?;
            typed_pointer |= matches!(ty, Some(Type::Unknown { code }) if code == TYPED_POINTER);
            if let Some(ty) = ty {
                reader.module.types.push(ty);
            }
            Ok(())
        })?;
        if typed_pointer {
            return Err(self.unsupported("it has typed pointers, as LLVM 14 and older write them"));
        }
        Ok(())
    }

    fn type_record(&mut self, record: &Record<'_>) -> Result<Option<Type>, Fault> {
        let mut fields = Fields::new(&record.values);
        let Some(code) = u8::try_from(record.code).ok().and_then(|code| TypeCode::try_from(code).ok()) else {
            self.note_unknown(block_id::TYPE, Some(record.code));
            return Ok(Some(Type::Unknown { code: record.code }));
        };
        Ok(Some(match code {
            TypeCode::NumEntry => return Ok(None),
            TypeCode::StructName => {
                self.struct_name = Some(text(&record.values).into());
                return Ok(None);
            }
            TypeCode::Void => Type::Void,
            TypeCode::Half => Type::Float(FloatType::Half),
            TypeCode::BFloat => Type::Float(FloatType::BFloat),
            TypeCode::Float => Type::Float(FloatType::Float),
            TypeCode::Double => Type::Float(FloatType::Double),
            TypeCode::X86Fp80 => Type::Float(FloatType::X86Fp80),
            TypeCode::Fp128 => Type::Float(FloatType::Fp128),
            TypeCode::PpcFp128 => Type::Float(FloatType::PpcFp128),
            TypeCode::Label => Type::Label,
            TypeCode::Metadata => Type::Metadata,
            TypeCode::Token => Type::Token,
            TypeCode::X86Mmx => Type::X86Mmx,
            TypeCode::X86Amx => Type::X86Amx,
            TypeCode::Integer => Type::Integer(integer_width(fields.next()?)?),
            TypeCode::OpaquePointer => Type::Pointer { address_space: fields.next()? as u32 },
            TypeCode::Opaque => Type::Opaque { name: self.struct_name.take().unwrap_or_default() },
            TypeCode::StructAnon => {
                Type::Struct { name: None, packed: fields.next()? != 0, fields: type_list(fields.rest())? }
            }
            TypeCode::StructNamed => Type::Struct {
                name: Some(self.struct_name.take().unwrap_or_default()),
                packed: fields.next()? != 0,
                fields: type_list(fields.rest())?,
            },
            TypeCode::Array => {
                let count = fields.next()?;
                Type::Array { element: forward_type(fields.next()?)?, count }
            }
            TypeCode::Vector => {
                let count = fields.next()?;
                let element = forward_type(fields.next()?)?;
                Type::Vector { element, count, scalable: fields.optional().unwrap_or(0) != 0 }
            }
            TypeCode::Function => Type::Function {
                variadic: fields.next()? != 0,
                result: forward_type(fields.next()?)?,
                params: type_list(fields.rest())?,
            },
            TypeCode::TargetType => {
                let count = fields.next()?;
                Type::Target {
                    name: self.struct_name.take().unwrap_or_default(),
                    types: type_list(fields.take(count)?)?,
                    ints: fields.rest().iter().map(|&int| int as u32).collect(),
                }
            }
            _ => Type::Unknown { code: record.code },
        }))
    }

    /// Checks that types refer to types; called when the table is complete.
    pub(super) fn check_types(&self) -> Result<(), Fault> {
        let known = |&id: &TypeId| self.module.types.contains(id);
        let all = self.module.types.iter().all(|ty| match ty {
            Type::Function { result, params, .. } => known(result) && params.iter().all(known),
            Type::Struct { fields, .. } => fields.iter().all(known),
            Type::Array { element, .. } | Type::Vector { element, .. } => known(element),
            Type::Target { types, .. } => types.iter().all(known),
            _ => true,
        });
        if all { Ok(()) } else { Err("types should be made of types in the table") }
    }

    pub(super) fn void_type(&mut self) -> TypeId {
        self.derived(Derived::Void)
    }

    pub(super) fn token_type(&mut self) -> TypeId {
        self.derived(Derived::Token)
    }

    pub(super) fn pointer_type(&mut self, address_space: u32) -> TypeId {
        self.derived(Derived::Pointer(address_space))
    }

    pub(super) fn pair_type(&mut self, first: TypeId, second: TypeId) -> TypeId {
        self.derived(Derived::Pair(first, second))
    }

    pub(super) fn bool_type(&mut self) -> TypeId {
        self.derived(Derived::Bool)
    }

    /// A vector of `element` with as many lanes as `like`, or `element` if `like` is no vector.
    pub(super) fn lanes_like(&mut self, like: TypeId, element: TypeId) -> TypeId {
        match self.module.types[like] {
            Type::Vector { count, scalable, .. } => self.vector_type(element, count, scalable),
            _ => element,
        }
    }

    pub(super) fn vector_type(&mut self, element: TypeId, count: u64, scalable: bool) -> TypeId {
        self.derived(Derived::Vector(element, count, scalable))
    }

    /// LLVM lists every type that a value has, so the type is there unless the file is damaged; then it is added.
    fn derived(&mut self, derived: Derived) -> TypeId {
        if let Some(&id) = self.types.derived.get(&derived) {
            return id;
        }
        let found = self.module.types.iter_ids().find(|(_, ty)| derived.describes(ty)).map(|(id, _)| id);
        let id = found.unwrap_or_else(|| self.module.types.push(derived.make()));
        self.types.derived.insert(derived, id);
        id
    }
}

impl Derived {
    fn make(self) -> Type {
        match self {
            Derived::Void => Type::Void,
            Derived::Bool => Type::Integer(1),
            Derived::Token => Type::Token,
            Derived::Pointer(address_space) => Type::Pointer { address_space },
            Derived::Vector(element, count, scalable) => Type::Vector { element, count, scalable },
            Derived::Pair(first, second) => {
                Type::Struct { name: None, packed: false, fields: [first, second].into() }
            }
        }
    }

    fn describes(self, ty: &Type) -> bool {
        self.make() == *ty
    }
}

/// LLVM 14 and older.
const TYPED_POINTER: u64 = 8;

/// The widest integer of LLVM.
const WIDEST_INT: u64 = 1 << 23;

fn integer_width(width: u64) -> Result<u32, Fault> {
    match width {
        1..=WIDEST_INT => Ok(width as u32),
        _ => Err("an integer type should have 1 to 2^23 bits"),
    }
}

/// A type that may come later in the table; [`Reader::check_types`] looks at it again.
fn forward_type(number: u64) -> Result<TypeId, Fault> {
    match u32::try_from(number) {
        Ok(index) if index < u32::MAX => Ok(TypeId::new(index as usize)),
        _ => Err("a type's number should fit 32 bits"),
    }
}

fn type_list(numbers: &[u64]) -> Result<Box<[TypeId]>, Fault> {
    numbers.iter().map(|&number| forward_type(number)).collect()
}
