//! Reading debug info nodes, of the module and of the body at hand, and remembering what became of them.

use base::Id;
use bitcode::{Body, MdId, Module, Node};

/// The nodes that can be seen from a body, or from the module alone.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<'m> {
    /// The module.
    pub module: &'m Module,
    /// The body at hand.
    pub body: Option<&'m Body>,
    /// The kind of attachments that is called `dbg`.
    pub debug_kind: u32,
}

impl<'m> Nodes<'m> {
    /// The node of `id`.
    pub(crate) fn get(self, id: Option<MdId>) -> Option<&'m Node> {
        self.module.node(self.body, id?)
    }

    /// The text of a string node; none if it is empty.
    pub(crate) fn text(self, id: Option<MdId>) -> Option<&'m str> {
        match self.get(id)? {
            Node::String(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The elements of a tuple node.
    pub(crate) fn tuple(self, id: Option<MdId>) -> &'m [Option<MdId>] {
        match self.get(id) {
            Some(Node::Tuple { elements, .. }) => elements,
            _ => &[],
        }
    }

    /// The node that is attached under the kind `dbg`.
    pub(crate) fn attached(self, attachments: &[(u32, MdId)]) -> Option<MdId> {
        attachments.iter().find(|(kind, _)| *kind == self.debug_kind).map(|(_, node)| *node)
    }
}

/// The kind of attachments that a module calls `dbg`; LLVM always gives it the number 0.
pub(crate) fn debug_kind(module: &Module) -> u32 {
    let mut kinds = module.metadata.kinds.iter();
    kinds.find(|(_, name)| &**name == "dbg").map_or(0, |(kind, _)| *kind)
}

/// What became of nodes: those of the module for ever, those of the body at hand until the next one.
#[derive(Debug)]
pub(crate) struct NodeCache<T> {
    module: Vec<Option<T>>,
    /// At least as many as the body has nodes.
    body: Vec<Option<T>>,
    /// The entries of `body` that are not none: few, so that turning to another body is cheap.
    used: Vec<usize>,
}

impl<T: Copy> NodeCache<T> {
    /// An empty cache for the nodes of `module`.
    pub(crate) fn new(module: &Module) -> Self {
        Self { module: vec![None; module.metadata.nodes.len()], body: Vec::new(), used: Vec::new() }
    }

    /// Forgets the nodes of the last body and makes room for those of `body`.
    pub(crate) fn enter(&mut self, body: &Body) {
        for index in self.used.drain(..) {
            self.body[index] = None;
        }
        if self.body.len() < body.metadata.len() {
            self.body.resize(body.metadata.len(), None);
        }
    }

    /// What became of `id`.
    pub(crate) fn get(&self, id: MdId) -> Option<T> {
        match self.module.get(id.index()) {
            Some(known) => *known,
            None => *self.body.get(id.index() - self.module.len())?,
        }
    }

    /// Remembers what became of `id`.
    pub(crate) fn set(&mut self, id: MdId, result: T) {
        if let Some(slot) = self.module.get_mut(id.index()) {
            *slot = Some(result);
            return;
        }
        let index = id.index() - self.module.len();
        if let Some(slot) = self.body.get_mut(index) {
            *slot = Some(result);
            self.used.push(index);
        }
    }
}
