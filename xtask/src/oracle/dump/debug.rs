//! Text of debug information: variables, functions, scopes, locations.

use bitcode::{DebugLoc, DebugRecord, DebugRecordKind, Location, MdId, Node, RecordValue, Subprogram};

use super::Dump;
use super::metadata::node_shape;
use super::text::quoted;

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

    pub(super) fn expression_text(&self, id: Option<MdId>) -> String {
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

    pub(super) fn scope_name(&self, id: Option<MdId>) -> String {
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
    pub(super) fn file_of(&self, id: Option<MdId>) -> (&'m [u8], &'m [u8]) {
        match self.node(id) {
            Some(Node::File { name, directory }) => (self.bytes(*name), self.bytes(*directory)),
            _ => (b"", b""),
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
