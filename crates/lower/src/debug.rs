//! Places in the source: files, lines, columns, and the chain of inlining.

use base::Symbol;
use base::limits::NESTING;
use bitcode::{Body, DebugLoc, Location, MdId, Module, Node};
use ir::{FileId, Loc, LocId};
use rustc_hash::FxHashMap;

use crate::nodes::{NodeCache, Nodes};

/// Places that are remembered, each in its own slot.
const RECENT: usize = 1024;

/// What became of the places of a module.
#[derive(Debug)]
pub(crate) struct Places {
    /// Places made lately, by line and column. Code that comes from one place stands together, so that this finds nearly all
    /// that a full table would; a place that is made twice does no harm.
    recent: Vec<LocId>,
    files: FxHashMap<Symbol, FileId>,
    /// File nodes, and scopes with the file they stand in.
    scopes: NodeCache<Scope>,
    /// Location nodes, where code was inlined.
    sites: NodeCache<LocId>,
    /// The places of the body at hand.
    of_body: Vec<Option<LocId>>,
}

/// What is known of a scope: a function, a block in braces, a file.
#[derive(Clone, Copy, Debug, Default)]
struct Scope {
    file: Option<FileId>,
    /// The name of the function around it.
    function: Option<Symbol>,
}

impl Places {
    /// The unknown place.
    pub(crate) const UNKNOWN: LocId = LocId::FIRST;

    /// Nothing seen yet of `module`.
    pub(crate) fn new(module: &Module) -> Self {
        Self {
            recent: vec![Self::UNKNOWN; RECENT],
            files: FxHashMap::default(),
            scopes: NodeCache::new(module),
            sites: NodeCache::new(module),
            of_body: Vec::new(),
        }
    }

    /// Turns to another body.
    pub(crate) fn enter(&mut self, body: &Body) {
        self.scopes.enter(body);
        self.sites.enter(body);
        self.of_body.clear();
        self.of_body.resize(body.locs.len(), None);
    }

    /// The place of an instruction; none if the compiler does not say or made the instruction itself (line 0).
    pub(crate) fn of_inst(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        id: bitcode::LocId,
    ) -> Option<LocId> {
        let index = base::Id::index(id);
        if let Some(Some(known)) = self.of_body.get(index) {
            return (*known != Self::UNKNOWN).then_some(*known);
        }
        let DebugLoc { line, column, scope, inlined_at, implicit } = *nodes.body?.locs.get(id)?;
        let location = Location { line, column, scope, inlined_at, implicit };
        let loc = self.of_location(out, nodes, &location, 0);
        if let Some(slot) = self.of_body.get_mut(index) {
            *slot = Some(loc);
        }
        (loc != Self::UNKNOWN).then_some(loc)
    }

    /// The place of a location node.
    pub(crate) fn of_node(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        id: Option<MdId>,
    ) -> Option<LocId> {
        self.site(out, nodes, id, 0).filter(|it| *it != Self::UNKNOWN)
    }

    /// The place of a declaration. What the compiler made (`_GLOBAL__sub_I_a.cpp`) has a file, but no line.
    pub(crate) fn of_line(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        file: Option<MdId>,
        line: u32,
    ) -> LocId {
        let file = self.scope(out, nodes, file, 0).file;
        if file.is_none() {
            return Self::UNKNOWN;
        }
        self.intern(out, Loc { file, line, ..Loc::default() })
    }

    fn of_location(&mut self, out: &mut ir::Module, nodes: Nodes<'_>, at: &Location, depth: u32) -> LocId {
        let scope = self.scope(out, nodes, at.scope, 0);
        if at.line == 0 || scope.file.is_none() {
            return Self::UNKNOWN;
        }
        let inlined_at = self.site(out, nodes, at.inlined_at, depth + 1);
        let function = if at.inlined_at.is_some() { scope.function } else { None };
        self.intern(out, Loc { file: scope.file, line: at.line, column: at.column, function, inlined_at })
    }

    /// The place of a location node, `depth` calls further out than the code.
    fn site(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        id: Option<MdId>,
        depth: u32,
    ) -> Option<LocId> {
        let id = id?;
        if let Some(known) = self.sites.get(id) {
            return Some(known);
        }
        let Some(Node::Location(location)) = nodes.get(Some(id)) else { return None };
        if depth > NESTING {
            return None;
        }
        let loc = self.of_location(out, nodes, location, depth);
        self.sites.set(id, loc);
        Some(loc)
    }

    fn intern(&mut self, out: &mut ir::Module, loc: Loc) -> LocId {
        let slot = loc.line.wrapping_mul(32).wrapping_add(loc.column) as usize % RECENT;
        let recent = self.recent[slot];
        if out.locs[recent] == loc {
            return recent;
        }
        let id = out.locs.push(loc);
        self.recent[slot] = id;
        id
    }

    fn scope(&mut self, out: &mut ir::Module, nodes: Nodes<'_>, id: Option<MdId>, depth: u32) -> Scope {
        let Some(id) = id else { return Scope::default() };
        if let Some(known) = self.scopes.get(id) {
            return known;
        }
        if depth > NESTING {
            return Scope::default();
        }
        let result = match nodes.get(Some(id)) {
            Some(Node::File { name, directory }) => {
                Scope { file: self.file(out, nodes, *name, *directory), function: None }
            }
            Some(Node::Subprogram(function)) => Scope {
                file: self.scope(out, nodes, function.file, depth + 1).file,
                function: nodes.text(function.name).map(|it| out.symbols.intern(it)),
            },
            Some(&Node::LexicalBlock { scope, file, .. } | &Node::LexicalBlockFile { scope, file, .. }) => {
                let outer = self.scope(out, nodes, scope, depth + 1);
                let own = self.scope(out, nodes, file, depth + 1).file;
                Scope { file: own.or(outer.file), function: outer.function }
            }
            _ => Scope::default(),
        };
        self.scopes.set(id, result);
        result
    }

    fn file(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        name: Option<MdId>,
        directory: Option<MdId>,
    ) -> Option<FileId> {
        let path = join(nodes.text(directory), nodes.text(name)?);
        let symbol = out.symbols.intern(&path);
        Some(*self.files.entry(symbol).or_insert_with(|| out.files.push(symbol)))
    }
}

/// `directory/name` without `./`; `name` alone if it is absolute.
fn join(directory: Option<&str>, name: &str) -> String {
    let absolute = name.starts_with('/') || name.starts_with('<') || name.get(1..2) == Some(":");
    let full = match directory {
        Some(directory) if !absolute => format!("{directory}/{name}"),
        _ => name.to_owned(),
    };
    let mut path = String::with_capacity(full.len());
    for (position, part) in full.split('/').enumerate() {
        if part == "." || (part.is_empty() && position > 0) {
            continue;
        }
        if position > 0 && (!path.is_empty() || full.starts_with('/')) {
            path.push('/');
        }
        path.push_str(part);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_joined_and_cleaned() {
        assert_eq!(join(Some("/src/lib"), "./a.c"), "/src/lib/a.c");
        assert_eq!(join(Some("/src"), "/usr/include/stdio.h"), "/usr/include/stdio.h");
        assert_eq!(join(None, "./x/./a.c"), "x/a.c");
        assert_eq!(join(Some("."), "a.c"), "a.c");
        assert_eq!(join(Some("/src/"), "../b.c"), "/src/../b.c");
        assert_eq!(join(Some("/src"), "<stdin>"), "<stdin>");
    }
}
