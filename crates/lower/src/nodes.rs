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
        let kinds = &self.module.metadata.kinds;
        let dbg = kinds.iter().find(|(_, name)| &**name == "dbg").map_or(0, |(kind, _)| *kind);
        attachments.iter().find(|(kind, _)| *kind == dbg).map(|(_, node)| *node)
    }
}

/// What became of nodes: those of the module for ever, those of the body at hand until the next one.
#[derive(Debug)]
pub(crate) struct NodeCache<T> {
    module: Vec<Option<T>>,
    body: Vec<Option<T>>,
}

impl<T: Copy> NodeCache<T> {
    /// An empty cache for the nodes of `module`.
    pub(crate) fn new(module: &Module) -> Self {
        Self { module: vec![None; module.metadata.nodes.len()], body: Vec::new() }
    }

    /// Forgets the nodes of the last body and makes room for those of `body`.
    pub(crate) fn enter(&mut self, body: &Body) {
        self.body.clear();
        self.body.resize(body.metadata.len(), None);
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
        let n_module = self.module.len();
        let slot = match self.module.get_mut(id.index()) {
            Some(slot) => Some(slot),
            None => self.body.get_mut(id.index() - n_module),
        };
        if let Some(slot) = slot {
            *slot = Some(result);
        }
    }
}
