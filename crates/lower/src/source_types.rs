//! The user's types from debug info.
//!
//! A type is converted when something that is kept names it. Each node gets its id before it is converted and
//! waits in a queue, so that types that refer to themselves (`struct node { struct node *next; }`) end, and
//! no chain of types is too deep.

use base::limits;
use base::limits::NESTING;
use bitcode::{Bound, CompositeType, ConstantKind, Def, DerivedType, MdId, Module, Node};
use ir::{Member, SourceType, SourceTypeId};

use crate::nodes::{NodeCache, Nodes};

/// DWARF's tags and flags that are told apart here (DWARF 5, §7.5; LLVM's `DebugInfoFlags.def`).
mod dwarf {
    pub(super) const ARRAY: u32 = 0x01;
    pub(super) const CLASS: u32 = 0x02;
    pub(super) const ENUMERATION: u32 = 0x04;
    pub(super) const MEMBER: u32 = 0x0d;
    pub(super) const POINTER: u32 = 0x0f;
    pub(super) const REFERENCE: u32 = 0x10;
    pub(super) const STRUCTURE: u32 = 0x13;
    pub(super) const TYPEDEF: u32 = 0x16;
    pub(super) const UNION: u32 = 0x17;
    pub(super) const INHERITANCE: u32 = 0x1c;
    pub(super) const CONST: u32 = 0x26;
    pub(super) const VOLATILE: u32 = 0x35;
    pub(super) const RESTRICT: u32 = 0x37;
    pub(super) const RVALUE_REFERENCE: u32 = 0x42;
    pub(super) const TEMPLATE_ALIAS: u32 = 0x43;
    pub(super) const ATOMIC: u32 = 0x47;

    pub(super) const FLAG_STATIC_MEMBER: u64 = 1 << 12;
    pub(super) const FLAG_BIT_FIELD: u64 = 1 << 19;

    pub(super) const ENCODING_FLOAT: u32 = 4;
    pub(super) const ENCODING_SIGNED: u32 = 5;
    pub(super) const ENCODING_SIGNED_CHAR: u32 = 6;
}

/// What became of the type nodes of a module.
#[derive(Debug)]
pub(crate) struct Types {
    known: NodeCache<SourceTypeId>,
    /// Nodes that have an id and wait to be converted.
    queue: Vec<(MdId, SourceTypeId)>,
    void: Option<SourceTypeId>,
    members_left: usize,
}

impl Types {
    /// Nothing converted yet of `module`.
    pub(crate) fn new(module: &Module) -> Self {
        Self {
            known: NodeCache::new(module),
            queue: Vec::new(),
            void: None,
            members_left: limits::MODULE_MEMBERS,
        }
    }

    /// Turns to another body.
    pub(crate) fn enter(&mut self, body: &bitcode::Body) {
        self.known.enter(body);
    }

    /// The type of a node; none (`void`) if there is no node.
    pub(crate) fn convert(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        id: Option<MdId>,
    ) -> SourceTypeId {
        let result = self.reserve(out, id);
        while let Some((node, id)) = self.queue.pop() {
            out.types[id] = self.build(out, nodes, node);
        }
        result
    }

    /// The type `T &` of something of type `T` that is known by its address.
    pub(crate) fn reference_to(&mut self, out: &mut ir::Module, to: SourceTypeId) -> SourceTypeId {
        out.types.push(SourceType::Pointer { to, reference: true })
    }

    fn reserve(&mut self, out: &mut ir::Module, id: Option<MdId>) -> SourceTypeId {
        let Some(id) = id else {
            return *self.void.get_or_insert_with(|| out.types.push(SourceType::Void));
        };
        if let Some(known) = self.known.get(id) {
            return known;
        }
        let result = out.types.push(SourceType::Unknown);
        self.known.set(id, result);
        self.queue.push((id, result));
        result
    }

    fn build(&mut self, out: &mut ir::Module, nodes: Nodes<'_>, id: MdId) -> SourceType {
        match nodes.get(Some(id)) {
            Some(&Node::BasicType { name, size_bits, encoding, .. }) => {
                let Some(name) = nodes.text(name) else { return SourceType::Unknown };
                SourceType::Base {
                    name: out.symbols.intern(name),
                    size: size_bits / 8,
                    signed: matches!(encoding, dwarf::ENCODING_SIGNED | dwarf::ENCODING_SIGNED_CHAR),
                    float: encoding == dwarf::ENCODING_FLOAT,
                }
            }
            Some(Node::DerivedType(derived)) => self.derived(out, nodes, derived),
            Some(Node::CompositeType(composite)) => self.composite(out, nodes, composite),
            Some(Node::SubroutineType { types, .. }) => self.function(out, nodes.tuple(*types)),
            _ => SourceType::Unknown,
        }
    }

    fn derived(&mut self, out: &mut ir::Module, nodes: Nodes<'_>, derived: &DerivedType) -> SourceType {
        let to = self.reserve(out, derived.base);
        match derived.tag {
            dwarf::POINTER => SourceType::Pointer { to, reference: false },
            dwarf::REFERENCE | dwarf::RVALUE_REFERENCE => SourceType::Pointer { to, reference: true },
            dwarf::TYPEDEF | dwarf::TEMPLATE_ALIAS => match nodes.text(derived.name) {
                Some(name) => SourceType::Typedef { name: out.symbols.intern(name), to },
                None => SourceType::Qualified { to },
            },
            dwarf::CONST | dwarf::VOLATILE | dwarf::RESTRICT | dwarf::ATOMIC => SourceType::Qualified { to },
            _ => SourceType::Unknown,
        }
    }

    fn composite(&mut self, out: &mut ir::Module, nodes: Nodes<'_>, composite: &CompositeType) -> SourceType {
        let elements = nodes.tuple(composite.elements);
        let name = nodes.text(composite.name).map(|it| out.symbols.intern(it));
        let size = composite.size_bits / 8;
        match composite.tag {
            dwarf::ARRAY => self.array(out, nodes, composite.base, elements),
            dwarf::ENUMERATION => {
                SourceType::Enum { name, size, constants: self.constants(out, nodes, elements) }
            }
            dwarf::STRUCTURE | dwarf::CLASS => {
                let mut members = self.members(out, nodes, elements);
                members.sort_by_key(|it| it.offset_bits);
                SourceType::Record { name, union: false, size, members }
            }
            dwarf::UNION => {
                SourceType::Record { name, union: true, size, members: self.members(out, nodes, elements) }
            }
            _ => SourceType::Unknown,
        }
    }

    fn members(&mut self, out: &mut ir::Module, nodes: Nodes<'_>, elements: &[Option<MdId>]) -> Vec<Member> {
        let mut members = Vec::new();
        for &element in elements {
            let Some(Node::DerivedType(member)) = nodes.get(element) else { continue };
            let is_static = member.flags & dwarf::FLAG_STATIC_MEMBER != 0;
            if !matches!(member.tag, dwarf::MEMBER | dwarf::INHERITANCE) || is_static || self.spent() {
                continue;
            }
            let is_base = member.tag == dwarf::INHERITANCE;
            let name = nodes.text(member.name).filter(|_| !is_base);
            members.push(Member {
                name: name.map(|it| out.symbols.intern(it)),
                offset_bits: member.offset_bits,
                size_bits: if is_base { size_bits(nodes, member.base) } else { member.size_bits },
                ty: self.reserve(out, member.base),
                bit_field: member.flags & dwarf::FLAG_BIT_FIELD != 0,
            });
        }
        members
    }

    fn constants(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        elements: &[Option<MdId>],
    ) -> Vec<(base::Symbol, i128)> {
        let mut constants = Vec::new();
        for &element in elements {
            let Some(Node::Enumerator { name, value, unsigned }) = nodes.get(element) else { continue };
            let Some(name) = nodes.text(*name) else { continue };
            if self.spent() {
                break;
            }
            constants.push((out.symbols.intern(name), enumerator(value, *unsigned)));
        }
        constants
    }

    /// Takes one member from the budget; whether there was none left.
    fn spent(&mut self) -> bool {
        match self.members_left.checked_sub(1) {
            Some(left) => {
                self.members_left = left;
                false
            }
            None => true,
        }
    }

    /// `T a[2][3]` is one node with two ranges: an array of two arrays of three.
    fn array(
        &mut self,
        out: &mut ir::Module,
        nodes: Nodes<'_>,
        base: Option<MdId>,
        ranges: &[Option<MdId>],
    ) -> SourceType {
        let mut element = self.reserve(out, base);
        let ranges = &ranges[..ranges.len().min(NESTING as usize)];
        for &range in ranges.iter().skip(1).rev() {
            element = out.types.push(SourceType::Array { element, count: count(nodes, range) });
        }
        SourceType::Array { element, count: count(nodes, ranges.first().copied().flatten()) }
    }

    fn function(&mut self, out: &mut ir::Module, types: &[Option<MdId>]) -> SourceType {
        let (result, params) = match types.split_first() {
            Some((result, params)) => (*result, params),
            None => (None, types),
        };
        let (variadic, params) = match params.split_last() {
            Some((None, params)) => (true, params),
            _ => (false, params),
        };
        let result = self.reserve(out, result);
        let mut converted = Vec::with_capacity(params.len().min(self.members_left));
        for &param in params {
            if self.spent() {
                break;
            }
            converted.push(self.reserve(out, param));
        }
        SourceType::Function { result, params: converted, variadic }
    }
}

/// The bits of a type, through typedefs.
fn size_bits(nodes: Nodes<'_>, mut id: Option<MdId>) -> u64 {
    for _ in 0..NESTING {
        match nodes.get(id) {
            Some(Node::DerivedType(derived)) if derived.size_bits == 0 => id = derived.base,
            Some(Node::DerivedType(derived)) => return derived.size_bits,
            Some(Node::CompositeType(composite)) => return composite.size_bits,
            Some(Node::BasicType { size_bits, .. }) => return *size_bits,
            _ => return 0,
        }
    }
    0
}

fn enumerator(words: &[u64], unsigned: bool) -> i128 {
    match (words, unsigned) {
        ([], _) => 0,
        ([low], true) => i128::from(*low),
        ([low], false) => i128::from(*low as i64),
        ([low, high, ..], _) => (u128::from(*high) << 64 | u128::from(*low)) as i128,
    }
}

/// The number of elements that a range has; none if the program computes it.
fn count(nodes: Nodes<'_>, range: Option<MdId>) -> Option<u64> {
    let Some(Node::Subrange { count, lower, upper, .. }) = nodes.get(range) else { return None };
    let elements = match number(nodes, *count) {
        Some(count) => count,
        None => number(nodes, *upper)?.checked_sub(number(nodes, *lower).unwrap_or(0))?.checked_add(1)?,
    };
    u64::try_from(elements).ok()
}

fn number(nodes: Nodes<'_>, bound: Bound) -> Option<i64> {
    match bound {
        Bound::None => None,
        Bound::Int(number) => Some(number),
        Bound::Node(id) => {
            let Some(Node::Value { value, .. }) = nodes.get(Some(id)) else { return None };
            match nodes.module.def(nodes.body, *value)? {
                Def::Constant(constant) => match constant.kind {
                    ConstantKind::Integer(number) => Some(number),
                    ConstantKind::Null => Some(0),
                    _ => None,
                },
                _ => None,
            }
        }
    }
}
