//! Which functions an address can be.
//!
//! An address is followed back through copies, selections, block parameters and address arithmetic to functions
//! and constants. A load from a constant global (a table of handlers, a virtual function table) gives what its initializer has
//! there; with a computed index, at all offsets that the index can reach. A load from a member or variable gives what anything in
//! the project puts there ([`fields`](crate::fields)).
//!
//! Departures: what is found is *known*, not *complete*. Stores through pointers of other types, copies of whole structs in memory and
//! functions that are passed as arguments are not followed.

use base::Id;
use ir::{
    Block, BlockId, Body, Callee, CastOp, Const, GlobalId, Inst, Module, Operand, Reloc, SourceTypeId,
    SymbolRef, Type, ValueDef, ValueId, VarId,
};

use crate::callgraph::EdgeKind;
use crate::fields::{self, Fields, Keeper, Records};
use crate::resolve::{self, Resolution, Resolutions, Target};
use crate::unit::UnitId;

/// How many values are looked at for one address.
///
/// Chains of copies and loads are shorter than ten; merges of a large `switch` have some dozens of inputs.
const STEPS: u32 = 400;

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

    /// What an address in the initializer of a global of `unit` is the address of.
    fn reloc_targets(&self, unit: UnitId, reloc: &Reloc) -> Vec<Target> {
        if reloc.minus.is_some() || reloc.bytes != self.module(unit).target.pointer_bytes {
            return Vec::new();
        }
        let resolution = self.resolve(unit, reloc.plus);
        resolution.targets().iter().map(|&target| moved(target, reloc.addend)).collect()
    }

    /// Whether an address of it leads to functions: it is one, or a constant that contains addresses.
    fn leads_to_functions(&self, target: Target) -> bool {
        match target {
            Target::Function(_) => true,
            Target::Global { unit, global, .. } => {
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
                for target in self.reloc_targets(unit, reloc) {
                    if self.leads_to_functions(target) {
                        fields.put(keeper, target);
                    }
                }
            }
        }
    }
}

/// `target` some bytes further.
fn moved(target: Target, by: i64) -> Target {
    match target {
        Target::Global { unit, global, offset } => {
            Target::Global { unit, global, offset: offset.wrapping_add(by) }
        }
        function => function,
    }
}

/// An address that was found.
#[derive(Clone, Copy)]
struct Address {
    target: Target,
    /// Any multiple of it may be added; 0 if the address is exact.
    stride: u64,
    kind: EdgeKind,
}

/// A memory place by the user's types.
struct Place {
    /// The unit of the type.
    unit: UnitId,
    ty: Option<SourceTypeId>,
    offset: u64,
    /// The variable it is in, if it is in one.
    variable: Option<(UnitId, GlobalId)>,
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

    /// The functions that an address can be, sorted, and how they were found.
    pub(crate) fn functions(&mut self, address: Operand) -> (Vec<Target>, EdgeKind) {
        let found = self.addresses(address);
        let kind = found.iter().map(|it| it.kind).max().unwrap_or(EdgeKind::Value);
        let functions = found.into_iter().map(|it| it.target).filter(|it| matches!(it, Target::Function(_)));
        let mut functions: Vec<Target> = functions.collect();
        functions.sort_unstable();
        functions.dedup();
        (functions, kind)
    }

    /// Enters what an instruction puts into members and variables.
    pub(crate) fn put(&mut self, inst: &Inst, fields: &mut Fields<'p>) {
        match *inst {
            Inst::Store { ptr, value, .. } if self.body.ty(value) == Type::Ptr => {
                let found = self.addresses(value);
                let mut targets =
                    found.into_iter().filter(|it| it.stride == 0).map(|it| it.target).peekable();
                if targets.peek().is_none() {
                    return;
                }
                let Some(keeper) = self.keeper(ptr, 0) else { return };
                targets
                    .filter(|&it| self.linked.leads_to_functions(it))
                    .for_each(|it| fields.put(keeper, it));
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
        self.steps_left = STEPS;
        for reloc in &init.relocs {
            let Some(keeper) = self.keeper(dst, reloc.offset) else { continue };
            let targets = self.linked.reloc_targets(self.unit, reloc);
            targets
                .into_iter()
                .filter(|&it| self.linked.leads_to_functions(it))
                .for_each(|it| fields.put(keeper, it));
        }
    }

    fn addresses(&mut self, operand: Operand) -> Vec<Address> {
        self.steps_left = STEPS;
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
        let resolution = self.linked.resolve(self.unit, symbol);
        let targets = resolution.targets().iter().map(|&target| moved(target, offset));
        found.extend(targets.map(|target| Address { target, stride: 0, kind: EdgeKind::Value }));
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
                Some(by) => address.target = moved(address.target, by),
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
        found.extend(put.iter().map(|&target| Address { target, stride: 0, kind: EdgeKind::Field }));
        if found.len() == start {
            kept.iter().for_each(|address| self.read(address, EdgeKind::Field, found));
        }
    }

    /// What a constant global has at an address.
    fn read(&self, from: &Address, kind: EdgeKind, found: &mut Vec<Address>) {
        let Target::Global { unit, global, offset } = from.target else { return };
        let global = &self.linked.module(unit).globals[global];
        let Some(init) = global.init.as_ref().filter(|_| global.constant) else { return };
        let is_meant = |reloc: &&Reloc| {
            let distance = reloc.offset.abs_diff(offset.max(0).unsigned_abs());
            distance == 0 || from.stride != 0 && distance.is_multiple_of(from.stride)
        };
        // Most reads are exact, and some tables are long.
        let relocs =
            match (from.stride, init.relocs.binary_search_by_key(&offset.unsigned_abs(), |it| it.offset)) {
                (0, Ok(at)) => &init.relocs[at..=at],
                (0, Err(_)) => &[],
                _ => &init.relocs[..],
            };
        for reloc in relocs.iter().filter(is_meant) {
            let targets = self.linked.reloc_targets(unit, reloc);
            found.extend(targets.into_iter().map(|target| Address {
                target,
                stride: 0,
                kind: from.kind.max(kind),
            }));
        }
    }

    /// What keeps the value that is `further` bytes behind a pointer.
    fn keeper(&mut self, ptr: Operand, further: u64) -> Option<Keeper<'p>> {
        let place = self.place(ptr)?;
        let offset = place.offset.checked_add(further)?;
        let member = place.ty.and_then(|ty| self.linked.member(place.unit, ty, offset));
        member.or(place.variable.map(|(unit, global)| Keeper::Variable(unit, global)))
    }

    /// The memory behind a pointer, by the types of the variables and members that the pointer comes from.
    fn place(&mut self, ptr: Operand) -> Option<Place> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        let value = match ptr {
            Operand::Const(constant) => return self.constant_place(&self.body.consts[constant]),
            Operand::Value(value) => value,
        };
        let inst = match self.body.values[value].def {
            ValueDef::Param(block, _) if block == Body::ENTRY => None,
            ValueDef::Param(..) => return self.behind(self.body.values[value].var?),
            ValueDef::Result(inst, _) => Some(&self.body.insts[inst].inst),
        };
        match inst {
            None => self.behind(self.param_var(value)?),
            Some(&Inst::Alloca { var, .. }) => self.typed(self.body.vars[var?].source_type?),
            Some(&Inst::Assign { var, value: arg }) => match self.behind(var) {
                Some(place) => Some(place),
                None => self.place(arg),
            },
            Some(&Inst::Freeze { arg }) => self.place(arg),
            Some(&Inst::Select { on_true, on_false, .. }) => match self.place(on_true) {
                Some(place) => Some(place),
                None => self.place(on_false),
            },
            Some(&Inst::PtrAdd { base, index, scale, .. }) => {
                let place = self.place(base)?;
                // An index that is computed stays in its array.
                let by =
                    self.int(index).map_or(Some(0), |index| index.checked_mul(i64::try_from(scale).ok()?))?;
                Some(Place { offset: place.offset.checked_add_signed(by)?, ..place })
            }
            Some(&Inst::Load { ptr, .. }) => {
                let place = self.place(ptr)?;
                let leaf = fields::leaf(self.linked.records, place.unit, place.ty?, place.offset)?;
                let to = fields::pointee(self.linked.module(leaf.unit), leaf.ty)?;
                Some(Place { unit: leaf.unit, ty: Some(to), offset: 0, variable: None })
            }
            Some(&Inst::Call { call }) => {
                let Callee::Func(callee) = self.body.calls[call].callee else { return None };
                let ty = self.module.functions[callee].source_type?;
                self.typed(fields::pointee(self.module, fields::result(self.module, ty)?)?)
            }
            Some(_) => None,
        }
    }

    fn constant_place(&self, constant: &Const) -> Option<Place> {
        let Const::Global { global, offset } = *constant else { return None };
        let resolution = self.linked.resolve(self.unit, SymbolRef::Global(global));
        let (unit, global, start) = match resolution {
            Resolution::Known(Target::Global { unit, global, offset }) => (unit, global, offset),
            _ => (self.unit, global, 0),
        };
        let offset = u64::try_from(start.checked_add(offset)?).ok()?;
        let ty = self.linked.module(unit).globals[global].source_type;
        Some(Place { unit, ty, offset, variable: Some((unit, global)) })
    }

    fn typed(&self, ty: SourceTypeId) -> Option<Place> {
        Some(Place { unit: self.unit, ty: Some(ty), offset: 0, variable: None })
    }

    /// The memory behind a pointer variable; none if its type tells nothing.
    fn behind(&self, var: VarId) -> Option<Place> {
        self.typed(fields::pointee(self.module, self.body.vars[var].source_type?)?)
    }

    /// The variable that a parameter of the function is first assigned to.
    fn param_var(&self, param: ValueId) -> Option<VarId> {
        let entry: &Block = self.body.blocks.get(Body::ENTRY)?;
        self.body.values[param].var.or_else(|| {
            entry.insts.iter().find_map(|&inst| match self.body.insts[inst].inst {
                Inst::Assign { var, value } if value == param.into() => Some(var),
                _ => None,
            })
        })
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
