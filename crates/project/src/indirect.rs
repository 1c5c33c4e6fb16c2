//! Which functions an address can be.
//!
//! An address is followed back through copies, selections, block parameters and address arithmetic to
//! functions and constants. A load from a constant global (a table of handlers, a virtual function table)
//! gives what its initializer has there; with a computed index, at all offsets that the index can reach. A
//! load from a member or variable gives what anything in the project puts there ([`fields`]).
//!
//! Departures: what is found is *known*, not *complete*. Stores through pointers of other types, copies of
//! whole structs in memory and functions that are passed as arguments are not followed.

mod place;

use base::{Id, limits};
use ir::{
    BlockId, Body, CastOp, Const, Inst, Module, Operand, Reloc, SourceTypeId, SymbolRef, Type, ValueDef,
    ValueId,
};

use crate::callgraph::{EdgeKind, Node};
use crate::fields::{self, Fields, Keeper, Records, Referent};
use crate::resolutions::Resolutions;
use crate::resolve::{self, Resolution, Target};
use crate::unit::UnitId;

/// All units, and what their references mean.
#[derive(Clone, Copy)]
pub(crate) struct Linked<'p> {
    pub(crate) cx: resolve::Cx<'p>,
    pub(crate) resolutions: &'p Resolutions,
    pub(crate) records: &'p Records<'p>,
}

impl<'p> Linked<'p> {
    pub(crate) fn module(&self, unit: UnitId) -> &'p Module {
        &self.cx.units[unit].module
    }

    pub(crate) fn resolve(&self, unit: UnitId, symbol: SymbolRef) -> Resolution {
        self.resolutions.get(self.cx, unit, symbol)
    }

    fn member(&self, unit: UnitId, ty: SourceTypeId, offset: u64) -> Option<Keeper<'p>> {
        fields::leaf(self.records, unit, ty, offset)?.member
    }

    /// What the address of a symbol plus an offset leads to.
    pub(crate) fn referents(&self, unit: UnitId, symbol: SymbolRef, by: i64) -> Vec<Referent> {
        let referent = |target: &Target| match *target {
            Target::Function(function) => Referent::Function(Node::Function(function)),
            Target::Global { unit, global, offset } => {
                Referent::Global { unit, global, offset: offset.wrapping_add(by) }
            }
        };
        let name = self.cx.symbols.units[unit].name(symbol);
        match (self.resolve(unit, symbol), symbol) {
            (Resolution::Undefined, SymbolRef::Func(_)) => {
                name.map(|name| Referent::Function(Node::External(name))).into_iter().collect()
            }
            (resolution, _) => resolution.targets().iter().map(referent).collect(),
        }
    }

    /// What an address in the initializer of a global of `unit` leads to.
    fn reloc_referents(&self, unit: UnitId, reloc: &Reloc) -> Vec<Referent> {
        let is_pointer = reloc.minus.is_none() && reloc.bytes == self.module(unit).target.pointer_bytes;
        if is_pointer { self.referents(unit, reloc.plus, reloc.addend) } else { Vec::new() }
    }

    /// Whether an address of it leads to functions: it is one, or a constant that contains addresses.
    fn leads_to_functions(&self, referent: Referent) -> bool {
        match referent {
            Referent::Function(_) => true,
            Referent::Global { unit, global, .. } => {
                let global = &self.module(unit).globals[global];
                global.constant && global.init.as_ref().is_some_and(|init| !init.relocs.is_empty())
            }
        }
    }

    /// Enters what initializers of a unit put into members and variables.
    pub(crate) fn put_initializers(&self, unit: UnitId, fields: &mut Fields<'p>) {
        let module = self.module(unit);
        for (id, global) in module.globals.iter_ids() {
            let Some(init) = &global.init else { continue };
            let variable = (!global.constant).then_some(Keeper::Variable(unit, id));
            for reloc in &init.relocs {
                let member = global.source_type.and_then(|ty| self.member(unit, ty, reloc.offset));
                let Some(keeper) = member.or(variable) else { continue };
                let referents = self.reloc_referents(unit, reloc).into_iter();
                referents.filter(|&it| self.leads_to_functions(it)).for_each(|it| fields.put(keeper, it));
            }
        }
    }
}

/// An address that was found.
#[derive(Clone, Copy)]
struct Address {
    referent: Referent,
    /// Any multiple of it may be added; 0 if the address is exact.
    stride: u64,
    kind: EdgeKind,
}

/// A block parameter that is being followed.
struct Open {
    value: ValueId,
    /// The number of moves when it was reached.
    n_moves: usize,
    /// By how much the address moves around loops through it; 0 if it does not.
    stride: u64,
}

/// The values of one function.
pub(crate) struct Flow<'f, 'p> {
    linked: Linked<'p>,
    fields: Option<&'f Fields<'p>>,
    unit: UnitId,
    module: &'p Module,
    body: &'p Body,
    /// By block: those that jump to it; made when first needed.
    incoming: Option<Vec<Vec<BlockId>>>,
    steps_left: u32,
    open: Vec<Open>,
    /// The distances of address arithmetic on the way.
    moves: Vec<u64>,
}

impl<'f, 'p> Flow<'f, 'p> {
    /// To find addresses in a body; without `fields` only those that need no knowledge of other functions.
    pub(crate) fn new(
        linked: Linked<'p>,
        unit: UnitId,
        body: &'p Body,
        fields: Option<&'f Fields<'p>>,
    ) -> Self {
        let module = linked.module(unit);
        let (open, moves) = (Vec::new(), Vec::new());
        Self { linked, fields, unit, module, body, incoming: None, steps_left: 0, open, moves }
    }

    /// The functions that an address can be, sorted, and how each was found.
    pub(crate) fn functions(&mut self, address: Operand) -> Vec<(Node, EdgeKind)> {
        let function = |it: Address| match it.referent {
            Referent::Function(node) => Some((node, it.kind)),
            Referent::Global { .. } => None,
        };
        let mut functions: Vec<(Node, EdgeKind)> =
            self.addresses(address).into_iter().filter_map(function).collect();
        functions.sort_unstable();
        functions.dedup_by_key(|(node, _)| *node);
        functions
    }

    /// Enters what an instruction puts into members and variables.
    pub(crate) fn put(&mut self, inst: &Inst, fields: &mut Fields<'p>) {
        match *inst {
            Inst::Store { ptr, value, .. } if self.body.ty(value) == Type::Ptr => {
                let found = self.addresses(value);
                let exact = found.into_iter().filter(|it| it.stride == 0).map(|it| it.referent);
                let linked = self.linked;
                let mut referents = exact.filter(|&it| linked.leads_to_functions(it)).peekable();
                // Most stores put no functions anywhere.
                if referents.peek().is_some()
                    && let Some(keeper) = self.keeper(ptr, 0)
                {
                    referents.for_each(|it| fields.put(keeper, it));
                }
            }
            Inst::MemCopy { dst, src, .. } => self.put_copied(dst, src, fields),
            _ => {}
        }
    }

    /// `struct ops local = { f, g };` is a copy of a constant.
    fn put_copied(&mut self, dst: Operand, src: Operand, fields: &mut Fields<'p>) {
        let Operand::Const(constant) = src else { return };
        let Const::Global { global, offset: 0 } = self.body.consts[constant] else { return };
        let data = &self.module.globals[global];
        let Some(init) = data.init.as_ref().filter(|_| data.constant) else { return };
        self.steps_left = limits::INDIRECT_STEPS;
        for reloc in &init.relocs {
            let Some(keeper) = self.keeper(dst, reloc.offset) else { continue };
            let referents = self.linked.reloc_referents(self.unit, reloc).into_iter();
            referents.filter(|&it| self.linked.leads_to_functions(it)).for_each(|it| fields.put(keeper, it));
        }
    }

    fn addresses(&mut self, operand: Operand) -> Vec<Address> {
        self.steps_left = limits::INDIRECT_STEPS;
        let mut found = Vec::new();
        self.follow(operand, &mut found);
        found
    }

    fn follow(&mut self, operand: Operand, found: &mut Vec<Address>) {
        let Some(left) = self.steps_left.checked_sub(1) else { return };
        self.steps_left = left;
        match operand {
            Operand::Const(constant) => match self.body.consts[constant] {
                Const::Func(function) => self.symbol(SymbolRef::Func(function), 0, found),
                Const::Global { global, offset } => self.symbol(SymbolRef::Global(global), offset, found),
                _ => {}
            },
            Operand::Value(value) => match self.body.values[value].def {
                ValueDef::Param(block, position) => self.param(value, block, position, found),
                ValueDef::Result(inst, _) => self.result(&self.body.insts[inst].inst, found),
            },
        }
    }

    fn symbol(&self, symbol: SymbolRef, offset: i64, found: &mut Vec<Address>) {
        let referents = self.linked.referents(self.unit, symbol, offset).into_iter();
        found.extend(referents.map(|referent| Address { referent, stride: 0, kind: EdgeKind::Value }));
    }

    fn result(&mut self, inst: &Inst, found: &mut Vec<Address>) {
        match *inst {
            Inst::Assign { value: arg, .. }
            | Inst::Freeze { arg }
            | Inst::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, arg } => self.follow(arg, found),
            Inst::Select { on_true, on_false, .. } => {
                self.follow(on_true, found);
                self.follow(on_false, found);
            }
            Inst::PtrAdd { base, index, scale, .. } => self.ptr_add(base, index, scale, found),
            Inst::Load { ptr, .. } => self.load(ptr, found),
            _ => {}
        }
    }

    fn param(&mut self, value: ValueId, block: BlockId, position: u32, found: &mut Vec<Address>) {
        if let Some(open) = self.open.iter_mut().find(|open| open.value == value) {
            open.stride = self.moves[open.n_moves..].iter().fold(open.stride, |a, &b| gcd(a, b));
            return;
        }
        let start = found.len();
        self.open.push(Open { value, n_moves: self.moves.len(), stride: 0 });
        for arg in self.arguments(block, position) {
            self.follow(arg, found);
        }
        let open = self.open.pop().expect("invariant: what was opened is closed in turn");
        found[start..].iter_mut().for_each(|it| it.stride = gcd(it.stride, open.stride));
    }

    /// What predecessors hand over for a parameter.
    fn arguments(&mut self, block: BlockId, position: u32) -> Vec<Operand> {
        let body = self.body;
        let incoming = self.incoming.get_or_insert_with(|| incoming(body));
        let blocks: &[BlockId] = &incoming[block.index()];
        let targets = blocks.iter().flat_map(|&from| body.blocks[from].term.targets());
        let args =
            targets.filter(|target| target.block == block).map(|target| target.args[position as usize]);
        args.collect()
    }

    fn ptr_add(&mut self, base: Operand, index: Operand, scale: u64, found: &mut Vec<Address>) {
        let start = found.len();
        let by = self.int(index).map(|index| index.wrapping_mul(scale.cast_signed()));
        self.moves.push(by.map_or(scale, i64::unsigned_abs));
        self.follow(base, found);
        self.moves.pop();
        for address in &mut found[start..] {
            match by {
                Some(by) => address.referent = address.referent.moved(by),
                None => address.stride = gcd(address.stride, scale),
            }
        }
    }

    /// A load from a constant, else from a member or variable, else from a constant whose address is kept in a member.
    fn load(&mut self, ptr: Operand, found: &mut Vec<Address>) {
        let mut from = Vec::new();
        self.follow(ptr, &mut from);
        let start = found.len();
        let (sure, kept): (Vec<Address>, Vec<Address>) =
            from.iter().partition(|it| it.kind < EdgeKind::Field);
        sure.iter().for_each(|address| self.read(address, EdgeKind::Table, found));
        let Some(fields) = self.fields.filter(|_| found.len() == start) else { return };
        let put = self.keeper(ptr, 0).map_or(&[][..], |keeper| fields.get(keeper));
        found.extend(put.iter().map(|&referent| Address { referent, stride: 0, kind: EdgeKind::Field }));
        if found.len() == start {
            kept.iter().for_each(|address| self.read(address, EdgeKind::Field, found));
        }
    }

    /// What a constant global has at an address.
    fn read(&self, from: &Address, kind: EdgeKind, found: &mut Vec<Address>) {
        let Referent::Global { unit, global, offset } = from.referent else { return };
        let global = &self.linked.module(unit).globals[global];
        let Some(init) = global.init.as_ref().filter(|_| global.constant) else { return };
        let at = u64::try_from(offset)
            .ok()
            .map(|offset| init.relocs.binary_search_by_key(&offset, |it| it.offset));
        // Most reads are exact, and some tables are long.
        let relocs = match (from.stride, at) {
            (0, Some(Ok(at))) => &init.relocs[at..=at],
            (0, _) => &[],
            _ => &init.relocs[..],
        };
        let distance = |reloc: &Reloc| i128::from(reloc.offset) - i128::from(offset);
        for reloc in relocs.iter().filter(|it| distance(it) % i128::from(from.stride.max(1)) == 0) {
            let referents = self.linked.reloc_referents(unit, reloc).into_iter();
            let kind = from.kind.max(kind);
            found.extend(referents.map(|referent| Address { referent, stride: 0, kind }));
        }
    }

    fn int(&self, operand: Operand) -> Option<i64> {
        let Operand::Const(constant) = operand else { return None };
        match self.body.consts[constant] {
            Const::Int { width: width @ 1..=64, value } => {
                Some((value as i64) << (64 - width) >> (64 - width))
            }
            _ => None,
        }
    }
}

/// By block: those that jump to it, each once.
fn incoming(body: &Body) -> Vec<Vec<BlockId>> {
    let mut incoming: Vec<Vec<BlockId>> = vec![Vec::new(); body.blocks.len()];
    for (from, block) in body.blocks.iter_ids() {
        for target in block.term.targets() {
            let known = &mut incoming[target.block.index()];
            if known.last() != Some(&from) {
                known.push(from);
            }
        }
    }
    incoming
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
