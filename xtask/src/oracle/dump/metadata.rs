//! Access to metadata nodes, metadata operands and attachments.

use base::Id;
use bitcode::{MdId, Node};

use super::Dump;
use super::text::{joined, quoted};

impl<'m> Dump<'m> {
    /// A node of the module or, above them, of the present body.
    pub(super) fn node(&self, id: Option<MdId>) -> Option<&'m Node> {
        let index = id?.index();
        let module_nodes = &self.module.metadata.nodes;
        match index.checked_sub(module_nodes.len()) {
            None => module_nodes.get(id?),
            Some(local) => self.body?.metadata.get(local),
        }
    }

    /// The bytes of a string node; empty if there is none.
    pub(super) fn bytes(&self, id: Option<MdId>) -> &'m [u8] {
        match self.node(id) {
            Some(Node::String(text)) => text.as_bytes(),
            _ => b"",
        }
    }

    /// A string node in quotes.
    pub(super) fn string(&self, id: Option<MdId>) -> String {
        quoted(self.bytes(id))
    }

    /// The elements of a tuple; none if there is no tuple.
    pub(super) fn tuple(&self, id: Option<MdId>) -> &'m [Option<MdId>] {
        match self.node(id) {
            Some(Node::Tuple { elements, .. }) => elements,
            _ => &[],
        }
    }

    /// Metadata as an operand of a call or a debug record.
    pub(super) fn metadata_operand(&mut self, id: Option<MdId>) -> String {
        match self.node(id) {
            Some(Node::String(text)) => quoted(text.as_bytes()),
            Some(Node::Value { value, .. }) => self.operand(*value),
            Some(Node::ArgList { args }) => {
                format!("arguments({})", joined(args, |&arg| self.metadata_operand(Some(arg))))
            }
            Some(other) => format!("node({})", node_shape(other)),
            None => "no metadata".into(),
        }
    }

    /// Kinds and shapes of attachments, sorted; debug info has lines of its own.
    pub(super) fn print_attachments(&mut self, attachments: impl Iterator<Item = (u32, MdId)>, indent: &str) {
        let mut texts: Vec<String> = attachments
            .filter(|&(kind, _)| self.kind_name(kind) != "dbg")
            .map(|(kind, id)| {
                let shape = self.node(Some(id)).map_or_else(|| "no node".into(), node_shape);
                format!("{}({shape})", self.kind_name(kind))
            })
            .collect();
        texts.sort();
        if !texts.is_empty() {
            self.line(&format!("{indent}md {}", texts.join(" ")));
        }
    }

    /// The name of an attachment kind.
    pub(super) fn kind_name(&self, kind: u32) -> &'m str {
        self.module.metadata.kinds.iter().find(|(number, _)| *number == kind).map_or("?", |(_, name)| name)
    }
}

/// The class of a node, as LLVM calls it; plain nodes say how many operands they have.
pub(super) fn node_shape(node: &Node) -> String {
    let class = match node {
        Node::Tuple { elements, .. } => return elements.len().to_string(),
        Node::Other { code, .. } => return other_class(*code),
        Node::String(_) => "MDString",
        Node::Value { .. } => "ConstantAsMetadata",
        Node::Location(_) => "DILocation",
        Node::Subrange { .. } => "DISubrange",
        Node::Enumerator { .. } => "DIEnumerator",
        Node::BasicType { .. } => "DIBasicType",
        Node::DerivedType(_) => "DIDerivedType",
        Node::CompositeType(_) => "DICompositeType",
        Node::SubroutineType { .. } => "DISubroutineType",
        Node::File { .. } => "DIFile",
        Node::CompileUnit { .. } => "DICompileUnit",
        Node::Subprogram(_) => "DISubprogram",
        Node::LexicalBlock { .. } => "DILexicalBlock",
        Node::LexicalBlockFile { .. } => "DILexicalBlockFile",
        Node::Namespace { .. } => "DINamespace",
        Node::TemplateType { .. } => "DITemplateTypeParameter",
        Node::TemplateValue { .. } => "DITemplateValueParameter",
        Node::GlobalVariable(_) => "DIGlobalVariable",
        Node::LocalVariable(_) => "DILocalVariable",
        Node::Expression { .. } => "DIExpression",
        Node::GlobalVariableExpression { .. } => "DIGlobalVariableExpression",
        Node::Label { .. } => "DILabel",
        Node::ArgList { .. } => "DIArgList",
        Node::AssignId => "DIAssignID",
    };
    class.into()
}

/// Classes of nodes that our reader leaves undecoded.
fn other_class(code: u64) -> String {
    match code {
        12 => "GenericDINode".into(),
        30 => "DIObjCProperty".into(),
        31 => "DIImportedEntity".into(),
        32 => "DIModule".into(),
        33 => "DIMacro".into(),
        34 => "DIMacroFile".into(),
        41 => "DIStringType".into(),
        44 => "DICommonBlock".into(),
        45 => "DIGenericSubrange".into(),
        other => format!("node {other}"),
    }
}
