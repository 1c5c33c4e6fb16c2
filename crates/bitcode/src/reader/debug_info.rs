//! Debug info records.
//!
//! Source: the layouts that LLVM 15 to 22 write. They grew at the end over time, except where a bit in the
//! first number says otherwise: sizes as metadata (LLVM 21 and later), flags of subprograms, kinds of bounds.

use base::Id;
use llvm_bitcode::schema::blocks::MetadataCode as Code;

use super::metadata::{md_id, optional_id, other};
use super::{Reader, signed};
use crate::bitstream::Record;
use crate::constants::{Constant, ConstantKind};
use crate::metadata::{
    Bound, CompositeType, DerivedType, GlobalVariableInfo, LocalVariable, Location, MdId, Node, Subprogram,
};
use crate::module::Def;

/// A size or offset in bits that is given as a metadata constant, to be filled in when all is read.
pub(super) struct SizeFixup {
    node: MdId,
    field: SizeField,
    value: MdId,
}

#[derive(Clone, Copy)]
enum SizeField {
    Size,
    Offset,
}

/// The numbers of a record; those that are missing are 0.
struct Numbers<'r>(&'r [u64]);

impl Numbers<'_> {
    fn at(&self, index: usize) -> u64 {
        self.0.get(index).copied().unwrap_or(0)
    }

    fn int(&self, index: usize) -> u32 {
        self.at(index) as u32
    }

    fn node(&self, index: usize) -> Option<MdId> {
        optional_id(self.at(index))
    }
}

impl Reader<'_> {
    /// The node of a debug info record; `index` is the number it will have.
    pub(super) fn debug_info(&mut self, code: Code, record: &Record<'_>, index: usize) -> Node {
        let r = Numbers(&record.values);
        match code {
            Code::Location => location(&r),
            Code::Subrange => subrange(&r),
            Code::Enumerator => enumerator(&record.values),
            Code::BasicType => self.basic_type(&r, index),
            Code::DerivedType => self.derived_type(&r, index),
            Code::CompositeType => self.composite_type(&r, index),
            Code::SubroutineType => Node::SubroutineType { flags: r.int(1), types: r.node(2) },
            Code::File => Node::File { name: r.node(1), directory: r.node(2) },
            Code::CompileUnit => {
                Node::CompileUnit { language: r.int(1), file: r.node(2), producer: r.node(3) }
            }
            Code::Subprogram => subprogram(&r),
            Code::LexicalBlock => {
                Node::LexicalBlock { scope: r.node(1), file: r.node(2), line: r.int(3), column: r.int(4) }
            }
            Code::LexicalBlockFile => {
                Node::LexicalBlockFile { scope: r.node(1), file: r.node(2), discriminator: r.int(3) }
            }
            // Older records have file and line besides.
            Code::Namespace => {
                Node::Namespace { scope: r.node(1), name: r.node(if r.0.len() == 5 { 3 } else { 2 }) }
            }
            Code::TemplateType => Node::TemplateType { name: r.node(1), ty: r.node(2) },
            Code::TemplateValue => Node::TemplateValue {
                tag: r.int(1),
                name: r.node(2),
                ty: r.node(3),
                value: r.node(if r.0.len() == 6 { 5 } else { 4 }),
            },
            Code::GlobalVar => global_variable(&r),
            Code::LocalVar => local_variable(&r),
            Code::Expression => Node::Expression { ops: record.values.get(1..).unwrap_or_default().into() },
            Code::GlobalVarExpr => {
                Node::GlobalVariableExpression { variable: r.node(1), expression: r.node(2) }
            }
            Code::Label => Node::Label { scope: r.node(1), name: r.node(2), file: r.node(3), line: r.int(4) },
            _ => other(record),
        }
    }

    // [distinct | size is metadata << 1, tag, name, size, alignment, encoding, …]
    fn basic_type(&mut self, r: &Numbers<'_>, index: usize) -> Node {
        let in_metadata = r.at(0) & 2 != 0;
        Node::BasicType {
            tag: r.int(1),
            name: r.node(2),
            size_bits: self.bits(in_metadata, r.at(3), index, SizeField::Size),
            align_bits: r.at(4),
            encoding: r.int(5),
        }
    }

    // [distinct | size is metadata << 1, tag, name, file, line, scope, base, size, alignment, offset, flags, extra, …]
    fn derived_type(&mut self, r: &Numbers<'_>, index: usize) -> Node {
        let in_metadata = r.at(0) & 2 != 0;
        Node::DerivedType(Box::new(DerivedType {
            tag: r.int(1),
            name: r.node(2),
            file: r.node(3),
            line: r.int(4),
            scope: r.node(5),
            base: r.node(6),
            size_bits: self.bits(in_metadata, r.at(7), index, SizeField::Size),
            align_bits: r.at(8),
            offset_bits: self.bits(in_metadata, r.at(9), index, SizeField::Offset),
            flags: r.at(10),
            extra: r.node(11),
        }))
    }

    // [distinct | … | size is metadata << 2, tag, name, file, line, scope, base, size, alignment, offset, flags, elements,
    //  language, vtable holder, template parameters, identifier, …]
    fn composite_type(&mut self, r: &Numbers<'_>, index: usize) -> Node {
        let in_metadata = r.at(0) & 4 != 0;
        Node::CompositeType(Box::new(CompositeType {
            tag: r.int(1),
            name: r.node(2),
            file: r.node(3),
            line: r.int(4),
            scope: r.node(5),
            base: r.node(6),
            size_bits: self.bits(in_metadata, r.at(7), index, SizeField::Size),
            align_bits: r.at(8),
            offset_bits: self.bits(in_metadata, r.at(9), index, SizeField::Offset),
            flags: r.at(10),
            elements: r.node(11),
            template_params: r.node(14),
            identifier: r.node(15),
        }))
    }

    /// A size as it is, or 0 for now if it is metadata.
    fn bits(&mut self, in_metadata: bool, number: u64, index: usize, field: SizeField) -> u64 {
        if !in_metadata {
            return number;
        }
        if let (Some(value), Ok(node)) = (optional_id(number), md_id(index as u64)) {
            self.sizes.push(SizeFixup { node, field, value });
        }
        0
    }

    /// Fills in the sizes of the module's or (with `local` nodes) of a body's types that are metadata. A size that the
    /// program computes stays 0.
    pub(super) fn resolve_sizes(&mut self, local: &mut [Node]) {
        for fixup in std::mem::take(&mut self.sizes) {
            let Some(bits) = self.constant_node(fixup.value, local) else { continue };
            let n_shared = self.module.metadata.nodes.len();
            let node = match fixup.node.index().checked_sub(n_shared) {
                None => self.module.metadata.nodes.get_mut(fixup.node),
                Some(index) => local.get_mut(index),
            };
            let Some(node) = node else { continue };
            let (size, offset) = match node {
                Node::BasicType { size_bits, .. } => (size_bits, None),
                Node::DerivedType(ty) => (&mut ty.size_bits, Some(&mut ty.offset_bits)),
                Node::CompositeType(ty) => (&mut ty.size_bits, Some(&mut ty.offset_bits)),
                _ => continue,
            };
            match (fixup.field, offset) {
                (SizeField::Offset, Some(offset)) => *offset = bits as u64,
                (SizeField::Size, _) => *size = bits as u64,
                (SizeField::Offset, None) => {}
            }
        }
    }

    /// The value of a node that is an integer constant of the module.
    fn constant_node(&self, id: MdId, local: &[Node]) -> Option<i64> {
        let shared = &self.module.metadata.nodes;
        let node = match id.index().checked_sub(shared.len()) {
            None => shared.get(id)?,
            Some(index) => local.get(index)?,
        };
        let Node::Value { value, .. } = node else { return None };
        match self.module.def(None, *value)? {
            Def::Constant(Constant { kind: ConstantKind::Integer(number), .. }) => Some(*number),
            _ => None,
        }
    }
}

// [distinct, line, column, scope, inlined at + 1, implicit]
fn location(r: &Numbers<'_>) -> Node {
    Node::Location(Location {
        line: r.int(1),
        column: r.int(2),
        scope: md_id(r.at(3)).ok(),
        inlined_at: r.node(4),
        implicit: r.at(5) != 0,
    })
}

// [distinct | version << 1, count, lower, upper, stride]
fn subrange(r: &Numbers<'_>) -> Node {
    let node = |index| r.node(index).map_or(Bound::None, Bound::Node);
    let version = r.at(0) >> 1;
    let count = match version {
        0 => Bound::Int(r.at(1) as i64),
        _ => node(1),
    };
    let lower = match version {
        0 | 1 => Bound::Int(signed(r.at(2))),
        _ => node(2),
    };
    Node::Subrange { count, lower, upper: node(3), stride: node(4) }
}

// [distinct | unsigned << 1 | wide << 2, width, name, words…] or […, value, name]
fn enumerator(values: &[u64]) -> Node {
    let r = Numbers(values);
    let unsigned = r.at(0) & 2 != 0;
    let value = match (r.at(0) & 4, values.get(3..).unwrap_or_default()) {
        (0, _) => [signed(r.at(1)) as u64].into(),
        // The word has the bits of the enumeration's width and no sign.
        (_, &[word]) if !unsigned => [sign_extended(signed(word) as u64, r.at(1))].into(),
        (_, words) => words.iter().map(|&word| signed(word) as u64).collect(),
    };
    Node::Enumerator { name: r.node(2), value, unsigned }
}

fn sign_extended(word: u64, width: u64) -> u64 {
    match width {
        1..64 => ((word << (64 - width)) as i64 >> (64 - width)) as u64,
        _ => word,
    }
}

// [distinct | has unit << 1 | has flags << 2, scope, name, linkage name, file, line, type, scope line, containing type,
//  subprogram flags, virtual index, flags, unit, template parameters, declaration, retained nodes, …]
fn subprogram(r: &Numbers<'_>) -> Node {
    Node::Subprogram(Box::new(Subprogram {
        scope: r.node(1),
        name: r.node(2),
        linkage_name: r.node(3),
        file: r.node(4),
        line: r.int(5),
        ty: r.node(6),
        scope_line: r.int(7),
        subprogram_flags: r.at(9),
        flags: r.at(11),
        unit: r.node(12),
        template_params: r.node(13),
        declaration: r.node(14),
    }))
}

// [distinct | version << 1, scope, name, linkage name, file, line, type, local, definition, …]
fn global_variable(r: &Numbers<'_>) -> Node {
    Node::GlobalVariable(Box::new(GlobalVariableInfo {
        scope: r.node(1),
        name: r.node(2),
        linkage_name: r.node(3),
        file: r.node(4),
        line: r.int(5),
        ty: r.node(6),
        local: r.at(7) != 0,
        definition: r.at(8) != 0,
    }))
}

// [distinct | has alignment << 1, scope, name, file, line, type, argument, flags, alignment, …]
fn local_variable(r: &Numbers<'_>) -> Node {
    Node::LocalVariable(Box::new(LocalVariable {
        scope: r.node(1),
        name: r.node(2),
        file: r.node(3),
        line: r.int(4),
        ty: r.node(5),
        arg: r.int(6),
        flags: r.at(7),
        align_bits: if r.at(0) & 2 != 0 { r.at(8) } else { 0 },
    }))
}
