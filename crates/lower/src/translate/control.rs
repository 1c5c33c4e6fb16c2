//! Ends of blocks, and the arguments of block parameters.

use base::Id;
use bitcode::{Op, ValueId};
use ir::{Block, BlockId, Operand, Target, Terminator, Type, UnreachableCause};

use super::{Lanes, Translator};
use crate::debug::Places;
use crate::error::{Cause, Stop};

impl<'e> Translator<'e, '_> {
    /// Makes the blocks with their parameters: the function's at the entry, one per lane of each `phi` elsewhere.
    pub(super) fn make_blocks(&mut self) -> Result<(), Cause> {
        let (env, source) = (self.env, self.source);
        for &block in &self.plan.sources {
            let term = Terminator::Unreachable { cause: UnreachableCause::Undefined };
            // Most instructions become one.
            let insts = Vec::with_capacity(source.blocks[block].len as usize);
            self.body.blocks.push(Block { params: Vec::new(), insts, term, term_loc: Places::UNKNOWN });
        }
        for (position, &ty) in source.arguments.iter().enumerate() {
            let types = env.shape(ty).lanes();
            let lanes: Lanes =
                types.iter().map(|&it| self.body.add_param(BlockId::FIRST, it, None).into()).collect();
            self.define_value(env.module.argument(position as u32), &lanes, BlockId::FIRST);
        }
        let params = self.body.blocks[BlockId::FIRST].params.iter().map(|it| self.body.values[*it].ty);
        if !params.eq(self.out.module.functions[self.func].signature.params.iter().copied()) {
            return Err(Cause::NoBlock(bitcode::BlockId::FIRST));
        }
        for block in source.blocks.ids() {
            if self.plan.blocks[block.index()].is_some() {
                self.make_phis(block)?;
            }
        }
        Ok(())
    }

    fn make_phis(&mut self, source: bitcode::BlockId) -> Result<(), Cause> {
        let body = self.source;
        let block = self.plan.blocks[source.index()].expect("invariant: only reached blocks are made");
        for id in self.plan.insts(body, source) {
            let inst = &body.insts[id];
            let Op::Phi { .. } = &inst.op else { break };
            if block == BlockId::FIRST {
                return Err(Cause::Phi(source));
            }
            let types = self.env.shape(inst.ty).lanes();
            self.spend(types.len())?;
            let lanes: Lanes = types.iter().map(|&it| self.body.add_param(block, it, None).into()).collect();
            if let Some(number) = self.number(id) {
                self.define_value(number, &lanes, block);
            }
        }
        Ok(())
    }

    /// The target of an edge; its arguments follow when all values are known.
    fn target(&self, block: bitcode::BlockId) -> Result<Target, Stop> {
        match self.plan.blocks.get(block.index()) {
            Some(Some(block)) if *block != BlockId::FIRST => Ok(Target { block: *block, args: Vec::new() }),
            _ => Err(Cause::NoBlock(block).into()),
        }
    }

    pub(super) fn jump(&mut self, target: bitcode::BlockId) -> Result<(), Stop> {
        let target = self.target(target)?;
        self.terminate(Terminator::Jump(target));
        Ok(())
    }

    pub(super) fn branch(
        &mut self,
        cond: ValueId,
        on_true: bitcode::BlockId,
        on_false: bitcode::BlockId,
    ) -> Result<(), Stop> {
        let cond = self.scalar(cond)?;
        if self.ty(cond) != Type::BOOL {
            return Err(Stop::Operands);
        }
        let (on_true, on_false) = (self.target(on_true)?, self.target(on_false)?);
        self.terminate(Terminator::Branch { cond, on_true, on_false });
        Ok(())
    }

    pub(super) fn switch(
        &mut self,
        value: ValueId,
        default: bitcode::BlockId,
        source: &[(ValueId, bitcode::BlockId)],
    ) -> Result<(), Stop> {
        let value = self.scalar(value)?;
        let ty = self.ty(value);
        if !matches!(ty, Type::Int(_)) {
            return Err(Stop::Operands);
        }
        let mut cases = Vec::with_capacity(source.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for (constant, target) in source {
            match self.scalar(*constant)? {
                Operand::Const(id) if self.is_integer(id, ty) && seen.insert(id) => {
                    cases.push((id, self.target(*target)?));
                }
                // No number of the type, or a case that was there already.
                _ => return Err(Stop::Operands),
            }
        }
        let default = self.target(default)?;
        self.terminate(Terminator::Switch { value, cases, default });
        Ok(())
    }

    /// Whether a constant is a number of type `ty`: neither an address nor undefined.
    fn is_integer(&self, id: ir::ConstId, ty: Type) -> bool {
        let constant = &self.body.consts[id];
        constant.ty() == ty && matches!(constant, ir::Const::Int { .. } | ir::Const::WideInt { .. })
    }

    pub(super) fn indirect_jump(
        &mut self,
        address: ValueId,
        blocks: &[bitcode::BlockId],
    ) -> Result<(), Stop> {
        let address = self.pointer(address)?;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut targets = Vec::with_capacity(blocks.len());
        for &block in blocks.iter().filter(|it| seen.insert(it.index())) {
            targets.push(self.target(block)?);
        }
        self.terminate(Terminator::IndirectJump { address, targets });
        Ok(())
    }

    /// After inline assembly with labels: any of them, or the code behind it.
    pub(super) fn asm_goto(
        &mut self,
        fallthrough: bitcode::BlockId,
        labels: &[bitcode::BlockId],
    ) -> Result<(), Stop> {
        const WIDTH: u32 = 32;
        let default = self.target(fallthrough)?;
        let reason = self.out.reason(ir::ReasonKind::AsmGoto, "");
        let value = self.nondet(reason, &[Type::Int(WIDTH)])[0];
        let mut cases = Vec::with_capacity(labels.len());
        for (position, &label) in labels.iter().enumerate() {
            let number = self.body.consts.insert(ir::Const::int(WIDTH, position as u128));
            cases.push((number, self.target(label)?));
        }
        self.terminate(Terminator::Switch { value, cases, default });
        Ok(())
    }

    pub(super) fn return_values(&mut self, value: Option<ValueId>) -> Result<(), Stop> {
        let values = value.map(|it| self.lanes_or_none(it)).transpose()?.unwrap_or_default().to_vec();
        if !self.have_types(&values, &self.out.module.functions[self.func].signature.results) {
            return Err(Stop::Operands);
        }
        self.terminate(Terminator::Return { values });
        Ok(())
    }

    pub(super) fn unreachable(&mut self, cause: UnreachableCause) {
        self.terminate(Terminator::Unreachable { cause });
    }

    /// Fills in the arguments of the edges out of a block.
    ///
    /// A constant expression that a `phi` takes is computed at the end of the predecessor.
    pub(super) fn fill_targets(&mut self, source: bitcode::BlockId) -> Result<(), Cause> {
        self.block = self.plan.blocks[source.index()].expect("invariant: the order holds reached blocks");
        self.loc = self.body.blocks[self.block].term_loc;
        let nothing = Terminator::Unreachable { cause: UnreachableCause::Undefined };
        let mut term = std::mem::replace(&mut self.body.blocks[self.block].term, nothing);
        for target in term.targets_mut() {
            if !self.body.blocks[target.block].params.is_empty() {
                target.args = self.edge_args(source, target.block)?;
            }
        }
        self.body.blocks[self.block].term = term;
        Ok(())
    }

    /// The arguments that `from` hands over to the parameters of `to`.
    fn edge_args(&mut self, from: bitcode::BlockId, to: BlockId) -> Result<Vec<Operand>, Cause> {
        let block = self.plan.sources[to.index()];
        let n_params = self.body.blocks[to].params.len();
        self.spend(n_params)?;
        let mut args = Vec::with_capacity(n_params);
        for index in self.plan.incoming(from, block) {
            let value = self.plan.phis[index].value;
            args.extend(self.lanes_or_none(value).map_err(|stop| match stop {
                Stop::Broken(cause) => cause,
                Stop::Operands | Stop::Unmodeled(_) => Cause::Phi(block),
            })?);
        }
        let params = &self.body.blocks[to].params;
        let fits = args.len() == params.len()
            && args.iter().zip(params).all(|(arg, param)| self.ty(*arg) == self.body.values[*param].ty);
        if fits { Ok(args) } else { Err(Cause::Phi(block)) }
    }
}
