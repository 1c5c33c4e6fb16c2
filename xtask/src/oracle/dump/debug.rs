//! Text of debug information: types, variables, scopes, locations.

use bitcode::{
    Bound, CompositeType, ConstantKind, DebugLoc, DebugRecord, DebugRecordKind, Def, DerivedType, Location,
    MdId, Node, RecordValue, Subprogram, Type,
};

use super::Dump;
use super::metadata::node_shape;
use super::names::tag_name;
use super::text::{integer, joined, quoted};

/// A type is followed through this many links (pointee, element, member).
const DEEPEST_TYPE: u32 = 3;

/// What a variable record says besides the variable itself.
pub(super) struct VariableRecord {
    /// `declare`, `value`, `assign` …
    pub(super) kind: &'static str,
    /// Values and expressions.
    pub(super) operands: String,
    /// The variable's node.
    pub(super) variable: Option<MdId>,
}

impl<'m> Dump<'m> {
    /// A debug record.
    pub(super) fn print_record(&mut self, record: &DebugRecord) {
        let (kind, variable, operands) = match &record.kind {
            DebugRecordKind::Declare { variable, expression, address } => {
                ("declare", variable, self.located(*address, *expression))
            }
            DebugRecordKind::DeclareValue { variable, expression, value } => {
                ("declare_value", variable, self.located(*value, *expression))
            }
            DebugRecordKind::Value { variable, expression, value: RecordValue::Metadata(value) } => {
                ("value", variable, self.located(*value, *expression))
            }
            DebugRecordKind::Value { variable, expression, value: RecordValue::Value(value) } => {
                ("value", variable, format!("{} {}", self.operand(*value), self.expression_text(*expression)))
            }
            DebugRecordKind::Assign { variable, expression, value, address_expression, address, .. } => {
                let value = self.located(*value, *expression);
                (
                    "assign",
                    variable,
                    format!("{value} address {}", self.located(*address, *address_expression)),
                )
            }
            DebugRecordKind::Label { label } => {
                return self.print_label(*label, self.location_node(record.location));
            }
        };
        let record_text = VariableRecord { kind, operands, variable: *variable };
        self.print_variable(&record_text, self.location_node(record.location));
    }

    pub(super) fn print_variable(&mut self, record: &VariableRecord, location: Option<Location>) {
        let text = self.local_variable(record.variable);
        self.line(&format!("  dbg {} {}", record.kind, record.operands));
        self.line(&format!("    {text}"));
        self.print_location(location);
    }

    pub(super) fn print_label(&mut self, label: Option<MdId>, location: Option<Location>) {
        match self.node(label) {
            Some(Node::Label { scope, name, line, .. }) => {
                let text =
                    format!("  dbg label {} line={line} in {}", self.string(*name), self.scope(*scope));
                self.line(&text);
            }
            other => self.line(&format!("  dbg label {other:?}")),
        }
        self.print_location(location);
    }

    /// A value and an expression.
    pub(super) fn located(&mut self, value: Option<MdId>, expression: Option<MdId>) -> String {
        format!("{} {}", self.metadata_operand(value), self.expression_text(expression))
    }

    fn local_variable(&mut self, id: Option<MdId>) -> String {
        let Some(Node::LocalVariable(variable)) = self.node(id) else { return "var ?".into() };
        let name = self.string(variable.name);
        let ty = self.type_ref(variable.ty);
        let (arg, line, flags, align) = (variable.arg, variable.line, variable.flags, variable.align_bits);
        let head = format!("var {name} arg={arg} line={line} flags={flags} align={align}");
        format!("{head} type={ty} in {}", self.scope(variable.scope))
    }

    /// The line of a global variable's debug info.
    pub(super) fn global_variable(&mut self, id: MdId) -> String {
        let Some(Node::GlobalVariableExpression { variable, expression }) = self.node(Some(id)) else {
            return "dbg ?".into();
        };
        let Some(Node::GlobalVariable(info)) = self.node(*variable) else { return "dbg ?".into() };
        let (name, linkage) = (self.string(info.name), self.string(info.linkage_name));
        let file = quoted(self.file_of(info.file).0);
        let local = if info.local { " local" } else { "" };
        let definition = if info.definition { " definition" } else { "" };
        let ty = self.type_ref(info.ty);
        let head = format!("dbg {name} linkage={linkage} file={file} line={}{local}{definition}", info.line);
        format!("{head} type={ty} {} in {}", self.expression_text(*expression), self.qualifier(info.scope))
    }

    /// The line of a function's debug info.
    pub(super) fn subprogram(&mut self, subprogram: &Subprogram) -> String {
        let (name, linkage) = (self.string(subprogram.name), self.string(subprogram.linkage_name));
        let (file, directory) = self.file_of(subprogram.file);
        let (file, directory) = (quoted(file), quoted(directory));
        let ty = self.type_ref(subprogram.ty);
        let (line, scope_line) = (subprogram.line, subprogram.scope_line);
        let (flags, sp_flags) = (subprogram.flags, subprogram.subprogram_flags);
        let head = format!("subprogram {name} linkage={linkage} file={file} directory={directory}");
        let tail = format!("line={line} scopeline={scope_line} flags={flags} spflags={sp_flags} type={ty}");
        let templates = self.templates(subprogram.template_params);
        let declared = match self.node(subprogram.declaration) {
            Some(Node::Subprogram(declaration)) => format!(" declared={}", declaration.line),
            _ => String::new(),
        };
        format!("{head} {tail}{templates}{declared} in {}", self.qualifier(subprogram.scope))
    }

    /// The line of a compilation unit.
    pub(super) fn unit(&self, language: u32, file: Option<MdId>, producer: Option<MdId>) -> String {
        let (name, directory) = self.file_of(file);
        let (name, directory, producer) = (quoted(name), quoted(directory), self.string(producer));
        format!("unit language={language} file={name} directory={directory} producer={producer}")
    }

    fn expression_text(&self, id: Option<MdId>) -> String {
        match self.node(id) {
            Some(Node::Expression { ops }) => {
                format!("expr[{}]", ops.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
            }
            other => format!("no expression {other:?}"),
        }
    }

    // ---- places -----------------------------------------------------------------------------------------------------

    pub(super) fn location_node(&self, id: Option<MdId>) -> Option<Location> {
        match self.node(id) {
            Some(Node::Location(location)) => Some(*location),
            _ => None,
        }
    }

    /// Line, column, file and scopes from the inside out; then the same of every inlining site.
    pub(super) fn print_location(&mut self, location: Option<Location>) {
        let Some(location) = location else { return };
        let mut text = String::from("    loc ");
        let mut next = Some(location);
        while let Some(location) = next {
            let implicit = if location.implicit { " implicit" } else { "" };
            let file = quoted(self.scope_file(location.scope));
            let (line, column) = (location.line, location.column);
            text += &format!("{line}:{column}{implicit} {file} {}", self.scope(location.scope));
            next = self.location_node(location.inlined_at);
            if next.is_some() {
                text += " inlined at ";
            }
        }
        self.line(&text);
    }

    fn scope(&self, mut id: Option<MdId>) -> String {
        let mut texts = Vec::new();
        loop {
            let (text, outer) = match self.node(id) {
                Some(Node::LexicalBlock { scope, line, column, .. }) => {
                    (format!("block {line}:{column}"), *scope)
                }
                Some(Node::LexicalBlockFile { scope, discriminator, .. }) => {
                    (format!("file {discriminator}"), *scope)
                }
                Some(Node::Subprogram(subprogram)) => (format!("fn {}", self.string(subprogram.name)), None),
                Some(other) => (node_shape(other), None),
                None => ("none".into(), None),
            };
            texts.push(text);
            if outer.is_none() {
                return texts.join(" < ");
            }
            id = outer;
        }
    }

    /// Kind and name of a scope and of all scopes around it.
    fn qualifier(&self, mut id: Option<MdId>) -> String {
        let mut texts = vec![self.scope_name(id)];
        loop {
            id = match self.node(id) {
                Some(Node::LexicalBlock { scope, .. } | Node::LexicalBlockFile { scope, .. }) => *scope,
                Some(Node::Namespace { scope, .. }) => *scope,
                Some(Node::Subprogram(subprogram)) => subprogram.scope,
                Some(Node::DerivedType(ty)) => ty.scope,
                Some(Node::CompositeType(ty)) => ty.scope,
                _ => None,
            };
            if id.is_none() {
                return texts.join(" < ");
            }
            texts.push(self.scope_name(id));
        }
    }

    fn scope_name(&self, id: Option<MdId>) -> String {
        let (kind, name) = match self.node(id) {
            None => return "none".into(),
            Some(Node::LexicalBlock { .. }) => return "block".into(),
            Some(Node::LexicalBlockFile { .. }) => return "file".into(),
            Some(Node::BasicType { name, .. }) => ("type", *name),
            Some(Node::DerivedType(ty)) => ("type", ty.name),
            Some(Node::CompositeType(ty)) => ("type", ty.name),
            Some(Node::File { name, .. }) => ("DIFile", *name),
            Some(Node::Namespace { name, .. }) => ("namespace", *name),
            Some(Node::Subprogram(subprogram)) => ("fn", subprogram.name),
            Some(other) => return node_shape(other),
        };
        format!("{kind} {}", self.string(name))
    }

    fn scope_file(&self, id: Option<MdId>) -> &'m [u8] {
        let file = match self.node(id) {
            Some(Node::LexicalBlock { file, .. } | Node::LexicalBlockFile { file, .. }) => *file,
            Some(Node::Subprogram(subprogram)) => subprogram.file,
            _ => None,
        };
        self.file_of(file).0
    }

    /// Name and directory of a file.
    fn file_of(&self, id: Option<MdId>) -> (&'m [u8], &'m [u8]) {
        match self.node(id) {
            Some(Node::File { name, directory }) => (self.bytes(*name), self.bytes(*directory)),
            _ => (b"", b""),
        }
    }

    // ---- types ------------------------------------------------------------------------------------------------------

    /// Numbers types by their first appearance; the text is then printed, once per module.
    fn type_ref(&mut self, id: Option<MdId>) -> String {
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

    fn templates(&self, id: Option<MdId>) -> String {
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

impl From<DebugLocation> for Location {
    fn from(DebugLocation(loc): DebugLocation) -> Location {
        let DebugLoc { line, column, scope, inlined_at, implicit } = loc;
        Location { line, column, scope, inlined_at, implicit }
    }
}

/// An instruction's place, to be seen as a location node.
pub(super) struct DebugLocation(pub(super) DebugLoc);

fn enumerator_value(words: &[u64], unsigned: bool) -> String {
    match words {
        [word] if unsigned => word.to_string(),
        [word] => word.cast_signed().to_string(),
        _ => integer(words.len() as u32 * 64, words),
    }
}
