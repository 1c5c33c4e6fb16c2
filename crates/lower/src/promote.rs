//! Promotion of local variables from memory to SSA values.
//!
//! ```text
//! v1: ptr = alloca i64 4 align 4 for x
//! lifetime start v1                                   v1: i32 x = uninit for x        (if something may read it)
//! store i32 1 to v1 align 4               becomes     v2: i32 x = assign i32 1
//! v2: i32 = load v1 align 4
//! v3: i32 = add v2, v0                                v3: i32 = add v2, v0
//! ```
//!
//! A stack slot is promoted if its address is used only to load and store it as a whole, as one scalar or as
//! scalars of the same bits, and to begin and end its scope. A store to a variable that the user knows stays
//! as an assignment at its place; the slots that clang makes for itself vanish. Reads that no store precedes
//! stay visible: they are one `Uninit` per place where the content becomes unspecified (the declaration, the
//! begin or end of the scope).
//!
//! Source: Cytron et al., TOPLAS 1991, by [`ir::ssa`]. Everything is linear but for the size of the live
//! ranges.
//! Not covered: slots read and written in parts, of which structs and unions are the most frequent; they stay
//! memory.

mod rewrite;
#[cfg(test)]
mod tests;

use base::{IdVec, define_id};
use ir::ssa::{self, Problem, VariableId};
use ir::{Body, CastOp, Cfg, Const, Dominators, Inst, Operand, Type, ValueId, VarId, VarKind};

define_id! {
    /// A stack slot that may be promoted.
    struct SlotId = "slot";
}

/// Promotes what can be promoted, and makes the ids of the body dense; the number of promoted slots.
///
/// The body should keep the laws, except that blocks may be unreachable (L11): they do not disturb, but get no new arguments.
pub(crate) fn promote(body: &mut Body, pointer_bytes: u32) -> usize {
    let mut slots = Slots::find(body);
    if slots.slots.is_empty() {
        return 0;
    }
    let cfg = Cfg::new(body);
    slots.check_uses(body, &cfg, pointer_bytes);
    let mut problem = Problem::new(body.blocks.len());
    let n_promoted = slots.number_variables(&mut problem);
    if n_promoted > 0 {
        let dominators = Dominators::new(&cfg);
        let plan = rewrite::replace_accesses(body, &slots, &mut problem, pointer_bytes);
        let reaching = ssa::construct(body, &cfg, &dominators, &problem);
        rewrite::rename(body, plan, &reaching);
        ir::compact(body);
    }
    n_promoted
}

/// The stack slots of a body.
struct Slots {
    slots: IdVec<SlotId, Slot>,
    /// By value: the slot it is the address of.
    of_value: IdVec<ValueId, Option<SlotId>>,
}

/// A stack slot.
struct Slot {
    /// The variable, if the user knows it.
    var: Option<VarId>,
    /// Bytes.
    size: u64,
    /// The type of the first access that was seen.
    ty: Option<Type>,
    /// Whether its address has another use.
    escapes: bool,
    /// The variable it becomes.
    variable: Option<VariableId>,
}

impl Slots {
    /// All slots of constant size in the entry block.
    fn find(body: &Body) -> Self {
        let mut slots = IdVec::new();
        let mut of_value = IdVec::from_vec(vec![None; body.values.len()]);
        let Some(entry) = body.blocks.get(Body::ENTRY) else { return Self { slots, of_value } };
        for &alloca in &entry.insts {
            let Inst::Alloca { var, size: Operand::Const(size), .. } = body.insts[alloca].inst else {
                continue;
            };
            let Const::Int { value: size, .. } = body.consts[size] else { continue };
            let is_known = |var: &VarId| !matches!(body.vars[*var].kind, VarKind::Temp);
            let slot = slots.push(Slot {
                var: var.filter(is_known),
                size: u64::try_from(size).unwrap_or(u64::MAX),
                ty: None,
                escapes: false,
                variable: None,
            });
            of_value[body.insts[alloca].first_result] = Some(slot);
        }
        Self { slots, of_value }
    }

    /// The slot that an operand is the address of.
    fn of(&self, operand: Operand) -> Option<SlotId> {
        operand.value().and_then(|value| self.of_value[value])
    }

    /// The variable that the slot behind an address becomes, if it is promoted.
    fn promoted(&self, operand: Operand) -> Option<(&Slot, VariableId, Type)> {
        let slot = &self.slots[self.of(operand)?];
        Some((slot, slot.variable?, slot.ty.unwrap_or(Type::Ptr)))
    }

    /// Looks at every use of every address. What is used in a block that the entry does not reach stays memory, since no definition
    /// reaches it.
    fn check_uses(&mut self, body: &Body, cfg: &Cfg, pointer_bytes: u32) {
        for (id, block) in body.blocks.iter_ids() {
            let reachable = cfg.is_reachable(id);
            for &inst in &block.insts {
                match body.insts[inst].inst {
                    _ if !reachable => body.each_operand(inst, |operand| self.escape(operand)),
                    Inst::Load { ptr, access } if !access.volatile => {
                        let result = body.insts[inst].first_result;
                        self.check_access(ptr, body.values[result].ty, pointer_bytes);
                    }
                    Inst::Store { ptr, value, access } if !access.volatile => {
                        self.escape(value);
                        self.check_access(ptr, body.ty(value), pointer_bytes);
                    }
                    Inst::Lifetime { .. } => {}
                    _ => body.each_operand(inst, |operand| self.escape(operand)),
                }
            }
            block.term.each_operand(|operand| self.escape(operand));
        }
    }

    fn escape(&mut self, operand: Operand) {
        if let Some(slot) = self.of(operand) {
            self.slots[slot].escapes = true;
        }
    }

    /// An access as `ty`: it should be of the whole slot and of the same bits as all others.
    fn check_access(&mut self, ptr: Operand, ty: Type, pointer_bytes: u32) {
        let Some(slot) = self.of(ptr) else { return };
        let slot = &mut self.slots[slot];
        let first = *slot.ty.get_or_insert(ty);
        let fits = ty.store_bytes(pointer_bytes) <= slot.size;
        let same = first == ty || same_bits(first, ty, pointer_bytes).is_some();
        slot.escapes |= !fits || !same;
    }

    /// Gives each slot that can be promoted a variable; the number of these.
    fn number_variables(&mut self, problem: &mut Problem) -> usize {
        let mut n_promoted = 0;
        for slot in self.slots.iter_mut().filter(|slot| !slot.escapes) {
            // A slot without accesses has no type; nothing will ask for it.
            slot.variable = Some(problem.add_variable(slot.ty.unwrap_or(Type::Ptr), slot.var));
            n_promoted += 1;
        }
        n_promoted
    }
}

/// How a value of type `from` becomes the value of type `to` that has the same bytes in memory.
fn same_bits(from: Type, to: Type, pointer_bytes: u32) -> Option<CastOp> {
    let address = Type::Int(pointer_bytes * 8);
    match (from, to) {
        (Type::Ptr, to) if to == address => Some(CastOp::PtrToInt),
        (from, Type::Ptr) if from == address => Some(CastOp::IntToPtr),
        (Type::Float(kind), Type::Int(width)) | (Type::Int(width), Type::Float(kind)) => {
            (kind.bits() == width).then_some(CastOp::Bits)
        }
        (Type::Float(from), Type::Float(to)) => (from.bits() == to.bits()).then_some(CastOp::Bits),
        (Type::Int(_) | Type::Ptr, _) | (Type::Float(_), Type::Ptr) => None,
    }
}
