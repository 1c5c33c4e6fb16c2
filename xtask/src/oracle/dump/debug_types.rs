//! Text of debug types.

use bitcode::{Bound, CompositeType, ConstantKind, Def, DerivedType, MdId, Node, Type};

use super::Dump;
use super::metadata::node_shape;
use super::names::tag_name;
use super::text::{integer, joined, quoted};

/// A type is followed through this many links (pointee, element, member).
const DEEPEST_TYPE: u32 = 3;

impl Dump<'_> {
    /// Numbers types by their first appearance; the text is then printed, once per module.
    pub(super) fn type_ref(&mut self, id: Option<MdId>) -> String {
        let text = self.debug_type(id, DEEPEST_TYPE);
        if let Some(number) = self.debug_types.get(&text) {
            return format!("T{number}");
        }
        let number = self.debug_types.len();
        self.line(&format!("ditype T{number} = {text}"));
        self.debug_types.insert(text, number);
        format!("T{number}")
    }

    fn debug_type(&self, id: Option<MdId>, depth: u32) -> String {
        match self.node(id) {
            None => "void".into(),
            Some(Node::BasicType { tag, name, size_bits, align_bits, encoding }) => {
                let head = self.type_head(*tag, *name, depth, [*size_bits, *align_bits, 0, 0]);
                if depth == 0 { head } else { format!("{head} encoding={encoding}") }
            }
            Some(Node::DerivedType(ty)) => self.derived_type(ty, depth),
            Some(Node::CompositeType(ty)) => self.composite_type(ty, depth),
            Some(Node::SubroutineType { flags, types }) => {
                let head = self.type_head(0x15, None, depth, [0, 0, 0, u64::from(*flags)]);
                if depth == 0 {
                    return head;
                }
                format!("{head} ({})", joined(self.tuple(*types), |&ty| self.debug_type(ty, depth - 1)))
            }
            Some(other) => node_shape(other),
        }
    }

    /// Tag and name; above depth 0 also size, alignment, offset and flags, in bits.
    fn type_head(&self, tag: u32, name: Option<MdId>, depth: u32, numbers: [u64; 4]) -> String {
        let mut text = format!("{} {}", tag_name(tag), self.string(name));
        if depth == 0 {
            return text;
        }
        let [size, align, offset, flags] = numbers;
        text += &format!(" size={size}");
        for (word, number) in [("align", align), ("offset", offset), ("flags", flags)] {
            if number != 0 {
                text += &format!(" {word}={number}");
            }
        }
        text
    }

    fn derived_type(&self, ty: &DerivedType, depth: u32) -> String {
        let numbers = [ty.size_bits, ty.align_bits, ty.offset_bits, ty.flags];
        let head = self.type_head(ty.tag, ty.name, depth, numbers);
        if depth == 0 {
            return head;
        }
        let place = self.place(ty.tag, ty.line, ty.file, ty.scope);
        let extra = self.constant_node(ty.extra).map_or_else(String::new, |value| format!(" extra={value}"));
        format!("{head}{place}{extra} -> {}", self.debug_type(ty.base, depth - 1))
    }

    fn composite_type(&self, ty: &CompositeType, depth: u32) -> String {
        let numbers = [ty.size_bits, ty.align_bits, ty.offset_bits, ty.flags];
        let mut text = self.type_head(ty.tag, ty.name, depth, numbers);
        if depth == 0 {
            return text;
        }
        text += &self.place(ty.tag, ty.line, ty.file, ty.scope);
        text += &self.templates(ty.template_params);
        if !self.bytes(ty.identifier).is_empty() {
            text += &format!(" id={}", self.string(ty.identifier));
        }
        if ty.base.is_some() {
            text += &format!(" -> {}", self.debug_type(ty.base, depth - 1));
        }
        let elements: Vec<String> =
            self.tuple(ty.elements).iter().map(|&element| self.element(element, depth - 1)).collect();
        format!("{text} {{{}}}", elements.join("; "))
    }

    /// Where a type stands in the source. Members stand in their own struct.
    fn place(&self, tag: u32, line: u32, file: Option<MdId>, scope: Option<MdId>) -> String {
        const MEMBER: u32 = 0x0d;
        const INHERITANCE: u32 = 0x1c;
        let mut text = if line == 0 { String::new() } else { format!(" line={line}") };
        if matches!(tag, MEMBER | INHERITANCE) {
            return text;
        }
        if file.is_some() {
            text += &format!(" file={}", quoted(self.file_of(file).0));
        }
        if scope.is_some() {
            text += &format!(" in {}", self.scope_name(scope));
        }
        text
    }

    pub(super) fn templates(&self, id: Option<MdId>) -> String {
        let texts: Vec<String> = self.tuple(id).iter().map(|&parameter| self.template(parameter)).collect();
        if texts.is_empty() { String::new() } else { format!(" <{}>", texts.join("; ")) }
    }

    fn template(&self, id: Option<MdId>) -> String {
        match self.node(id) {
            Some(Node::TemplateType { name, ty }) => {
                format!("{} {}", self.string(*name), self.debug_type(*ty, 0))
            }
            Some(Node::TemplateValue { name, ty, value, .. }) => {
                let value = value.map_or(Bound::None, Bound::Node);
                format!("{} {} = {}", self.string(*name), self.debug_type(*ty, 0), self.bound(value))
            }
            other => format!("no template parameter {other:?}"),
        }
    }

    fn element(&self, id: Option<MdId>, depth: u32) -> String {
        match self.node(id) {
            None => "null".into(),
            Some(Node::Subrange { count, lower, upper, .. }) => {
                let (count, lower, upper) = (self.bound(*count), self.bound(*lower), self.bound(*upper));
                format!("subrange count={count} lower={lower} upper={upper}")
            }
            Some(Node::Enumerator { name, value, unsigned }) => {
                format!("enumerator {}={}", self.string(*name), enumerator_value(value, *unsigned))
            }
            Some(Node::Subprogram(method)) => {
                format!("method {} linkage={}", self.string(method.name), self.string(method.linkage_name))
            }
            Some(_) => self.debug_type(id, depth),
        }
    }

    fn bound(&self, bound: Bound) -> String {
        let id = match bound {
            Bound::None => return "none".into(),
            Bound::Int(value) => return value.cast_unsigned().to_string(),
            Bound::Node(id) => Some(id),
        };
        match self.node(id) {
            Some(Node::LocalVariable(variable)) => self.string(variable.name),
            Some(Node::GlobalVariable(variable)) => self.string(variable.name),
            Some(Node::Expression { .. }) => self.expression_text(id),
            Some(other) => self.constant_node(id).unwrap_or_else(|| node_shape(other)),
            None => "none".into(),
        }
    }

    /// The value of a node that is an integer constant.
    fn constant_node(&self, id: Option<MdId>) -> Option<String> {
        let Some(Node::Value { value, .. }) = self.node(id) else { return None };
        let Some(Def::Constant(constant)) = self.module.def(self.body, *value) else { return None };
        let Type::Integer(width) = self.module.types[constant.ty] else { return None };
        match &constant.kind {
            ConstantKind::Null => Some(integer(width, &[0])),
            ConstantKind::Integer(value) => Some(integer(width, &[value.cast_unsigned()])),
            ConstantKind::WideInteger(words) => Some(integer(width, words)),
            _ => None,
        }
    }
}

fn enumerator_value(words: &[u64], unsigned: bool) -> String {
    match words {
        [word] if unsigned => word.to_string(),
        [word] => word.cast_signed().to_string(),
        _ => integer(words.len() as u32 * 64, words),
    }
}
