//! The user's variables: which stack slot, parameter or value holds which.
//!
//! LLVM 19 and later say it in records beside the instructions, older ones by calls of `llvm.dbg.*`.

use bitcode::{Call, DebugRecordKind, Def, InstId, LocalVariable, MdId, Node, Op, RecordValue, ValueId};
use ir::{BlockId, LocId, Operand, ValueDef, Var, VarId, VarKind};
use rustc_hash::FxHashMap;

use super::{Lanes, Translator};
use crate::debug::Places;
use crate::error::Stop;
use crate::intrinsics::Intrinsic;

/// LLVM's flag for variables that the compiler made.
const FLAG_ARTIFICIAL: u64 = 1 << 6;

/// DWARF's operation that takes the content of an address: the slot holds a pointer to the variable.
const DW_OP_DEREF: u64 = 0x06;

/// What is known of the variables of a body.
#[derive(Default)]
pub(super) struct Vars {
    /// By node, and whether it is known by its address only.
    known: FxHashMap<(MdId, bool), VarId>,
    /// Variables that live in a stack slot, or at the address that an argument is.
    slots: FxHashMap<ValueId, VarId>,
    /// Slots from which a parameter's slot is filled (a struct of three floats in two registers).
    sources: FxHashMap<ValueId, VarId>,
    /// Values that a variable has somewhere, in order.
    values: Vec<(ValueId, VarId)>,
}

impl Vars {
    /// The variable that lives in a stack slot.
    pub(super) fn slot(&self, slot: ValueId) -> Option<VarId> {
        self.slots.get(&slot).copied()
    }
}

/// A statement about a variable: its node, the expression, the value, and where the statement stands.
struct Statement {
    variable: Option<MdId>,
    expression: Option<MdId>,
    value: Option<ValueId>,
    location: Option<LocId>,
    inlined: bool,
}

impl<'e> Translator<'e, '_> {
    /// Reads what the debug info says of variables.
    pub(super) fn collect_vars(&mut self) {
        for record in &self.source.records {
            let (slot, variable, expression, value) = match &record.kind {
                DebugRecordKind::Declare { variable, expression, address } => {
                    (true, *variable, *expression, self.node_value(*address))
                }
                DebugRecordKind::Assign { variable, address_expression, address, .. } => {
                    (true, *variable, *address_expression, self.node_value(*address))
                }
                DebugRecordKind::Value { variable, expression, value } => {
                    let value = match value {
                        RecordValue::Metadata(node) => self.node_value(*node),
                        RecordValue::Value(value) => Some(*value),
                    };
                    (false, *variable, *expression, value)
                }
                DebugRecordKind::DeclareValue { .. } | DebugRecordKind::Label { .. } => continue,
            };
            let (location, inlined) = self.statement_place(record.location);
            self.note(slot, &Statement { variable, expression, value, location, inlined });
        }
        if self.env.symbols.has_debug_calls {
            self.collect_calls();
        }
        self.collect_sources();
    }

    /// Finds the slots that are copied to a parameter's slot at the entry.
    fn collect_sources(&mut self) {
        let (env, body) = (self.env, self.source);
        for id in self.plan.insts(body, bitcode::BlockId::FIRST) {
            let Op::Call(call) = &body.insts[id].op else { continue };
            let Some(Def::Function(callee)) = env.module.def(Some(body), call.callee) else { continue };
            if let (Some(Intrinsic::Copy { .. }), [dst, src, ..]) =
                (env.symbols.intrinsic(callee), &*call.args)
                && let Some(var) = self.parameter(*dst)
            {
                self.vars.sources.entry(*src).or_insert(var);
            }
        }
    }

    /// The calls by which LLVM up to 18 says it.
    fn collect_calls(&mut self) {
        let body = self.source;
        for (id, inst) in body.insts.iter_ids() {
            let Op::Call(call) = &inst.op else { continue };
            let Some(Def::Function(callee)) = self.env.module.def(Some(body), call.callee) else { continue };
            match self.env.symbols.intrinsic(callee) {
                Some(Intrinsic::DebugDeclare) => self.note_call(id, call, true),
                Some(Intrinsic::DebugValue) => self.note_call(id, call, false),
                _ => {}
            }
        }
    }

    /// `llvm.dbg.declare(metadata ptr %slot, metadata !variable, metadata !DIExpression())`, and `dbg.value` alike.
    fn note_call(&mut self, id: InstId, call: &Call, slot: bool) {
        let location = self.place(id);
        let loc = self.source.insts[id].loc.and_then(|it| self.source.locs.get(it));
        let statement = Statement {
            variable: call.metadata_arg(1),
            expression: call.metadata_arg(2),
            value: self.node_value(call.metadata_arg(0)),
            location,
            inlined: loc.is_some_and(|it| it.inlined_at.is_some()),
        };
        self.note(slot, &statement);
    }

    fn note(&mut self, slot: bool, statement: &Statement) {
        let Some(value) = statement.value else { return };
        let ops: &[u64] = match self.nodes().get(statement.expression) {
            Some(Node::Expression { ops }) => ops,
            _ => &[],
        };
        // An argument that is the address of a struct is to the user a reference to it.
        let is_argument = matches!(self.env.module.def(Some(self.source), value), Some(Def::Argument(_)));
        let by_address = match (slot, ops) {
            (true, []) => is_argument,
            (true, [DW_OP_DEREF]) => true,
            (false, []) => false,
            // Parts of variables, and members of what a slot points to, have no names of their own.
            _ => return,
        };
        let Some(var) = self.variable(statement, by_address) else { return };
        if slot {
            self.vars.slots.entry(value).or_insert(var);
        } else {
            self.vars.values.push((value, var));
        }
    }

    /// The variable of a node, new or known.
    fn variable(&mut self, statement: &Statement, by_address: bool) -> Option<VarId> {
        let node = statement.variable?;
        if let Some(known) = self.vars.known.get(&(node, by_address)) {
            return Some(*known);
        }
        let nodes = self.nodes();
        let Some(Node::LocalVariable(info)) = nodes.get(Some(node)) else { return None };
        let LocalVariable { name, file, line, ty, arg, flags, .. } = **info;
        let text = nodes.text(name)?;
        let name = self.out.module.symbols.intern(text);
        let mut source_type = self.out.types.convert(&mut self.out.module, nodes, ty);
        if by_address {
            source_type = self.out.types.reference_to(&mut self.out.module, source_type);
        }
        let declared = self.out.places.of_line(&mut self.out.module, nodes, file, line);
        let same_line = |it: &LocId| self.out.module.locs[*it].line == line;
        // The statement stands where the variable is declared, and knows the column.
        let loc = statement.location.filter(same_line).unwrap_or(declared);
        let kind = match arg.checked_sub(1) {
            Some(position) if !statement.inlined => VarKind::Param(position),
            // `__vla_expr0`, `__range1`: nobody wrote these.
            None if flags & FLAG_ARTIFICIAL != 0 && text != "this" => VarKind::Temp,
            _ => VarKind::Local,
        };
        let var = self.body.vars.push(Var { name, source_type: Some(source_type), loc, kind });
        self.vars.known.insert((node, by_address), var);
        Some(var)
    }

    fn statement_place(&mut self, location: Option<MdId>) -> (Option<LocId>, bool) {
        let nodes = self.nodes();
        let inlined = match nodes.get(location) {
            Some(Node::Location(location)) => location.inlined_at.is_some(),
            _ => false,
        };
        (self.out.places.of_node(&mut self.out.module, nodes, location), inlined)
    }

    fn node_value(&self, node: Option<MdId>) -> Option<ValueId> {
        match self.nodes().get(node) {
            Some(Node::Value { value, .. }) => Some(*value),
            _ => None,
        }
    }

    /// `store`; that of an argument to its slot stands where the parameter is declared, and names the argument.
    pub(super) fn store_at(
        &mut self,
        id: InstId,
        pointer: ValueId,
        value: ValueId,
        access: bitcode::MemoryAccess,
    ) -> Result<(), Stop> {
        let before = self.loc;
        if self.block == BlockId::FIRST
            && let Some(argument) = self.argument_behind(value)
            && let Some(var) = self.slot_behind(pointer)
        {
            self.name_argument(argument, var);
            let declared = self.body.vars[var].loc;
            if self.place(id).is_none() && declared != Places::UNKNOWN {
                self.loc = declared;
            }
        }
        let result = self.store_lanes(pointer, value, access);
        self.loc = before;
        result
    }

    /// The argument that a value is, or is a conversion of (a `_Bool` is widened before it is stored).
    fn argument_behind(&self, value: ValueId) -> Option<ValueId> {
        match self.env.module.def(Some(self.source), value)? {
            Def::Argument(_) => Some(value),
            Def::Instruction(id) => match &self.source.insts[id].op {
                Op::Cast { arg, .. } => {
                    matches!(self.env.module.def(Some(self.source), *arg)?, Def::Argument(_)).then_some(*arg)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The parameter whose slot a pointer leads into (a struct in two registers is stored in two steps).
    fn slot_behind(&self, pointer: ValueId) -> Option<VarId> {
        let slot = match self.env.module.def(Some(self.source), pointer)? {
            Def::Instruction(id) => match &self.source.insts[id].op {
                Op::Gep { base, .. } => *base,
                _ => pointer,
            },
            _ => pointer,
        };
        self.parameter(slot).or_else(|| self.vars.sources.get(&slot).copied())
    }

    /// The parameter that lives in a slot.
    fn parameter(&self, slot: ValueId) -> Option<VarId> {
        let var = self.vars.slot(slot)?;
        matches!(self.body.vars[var].kind, VarKind::Param(_)).then_some(var)
    }

    fn name_argument(&mut self, argument: ValueId, var: VarId) {
        let lanes: Lanes = self.values.known(argument).unwrap_or_default().into();
        for lane in lanes {
            self.name_lane(lane, var);
        }
    }

    fn name_lane(&mut self, lane: Operand, var: VarId) {
        if let Operand::Value(value) = lane {
            self.body.values[value].var.get_or_insert(var);
        }
    }

    /// Names what debug info knows as the content of a variable.
    pub(super) fn name_values(&mut self) {
        for position in 0..self.source.arguments.len() {
            let argument = self.env.module.argument(position as u32);
            if let Some(var) = self.vars.slot(argument) {
                self.name_argument(argument, var);
            }
        }
        for (value, var) in std::mem::take(&mut self.vars.values) {
            // A value in dead code has no lanes; a constant is no value.
            let Some(&[Operand::Value(lane)]) = self.values.known(value) else { continue };
            let named_by_slot = matches!(self.body.values[lane].def, ValueDef::Result(inst, _)
                if matches!(self.body.insts[inst].inst, ir::Inst::Alloca { .. }));
            if !named_by_slot {
                self.name_lane(Operand::Value(lane), var);
            }
        }
    }
}
