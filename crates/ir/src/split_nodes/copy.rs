//! Carries out a plan of node splitting: copies blocks with their instructions, and repairs SSA form.

use base::{Id, IdVec};

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{Block, BlockId, Body, InstId, Value, ValueDef, ValueId};
use crate::inst::Inst;
use crate::ssa::{self, Problem, VariableId};
use crate::types::Operand;

use super::Graph;

/// Changes `body` to what the graph says; its first nodes are the blocks, the others copies of them.
pub(super) fn carry_out(body: &mut Body, graph: &Graph) {
    let n_blocks = body.blocks.len();
    let mut sources: IdVec<ValueId, ValueId> = body.values.ids().collect();
    for node in &graph.nodes[n_blocks..] {
        copy_block(body, node.block, &mut sources);
    }
    for (block, node) in graph.nodes.iter().enumerate() {
        let targets = body.blocks[BlockId::new(block)].term.targets_mut();
        for (target, &successor) in targets.zip(&node.successors) {
            target.block = BlockId::new(successor);
        }
    }
    repair(body, &sources);
}

/// Appends a copy of a block, whose instructions still use the values of the original; `sources` says which value is a copy of which.
fn copy_block(body: &mut Body, original: BlockId, sources: &mut IdVec<ValueId, ValueId>) {
    let copy = body.blocks.next_id();
    let Block { params, insts, term, term_loc } = body.blocks[original].clone();
    let mut copy_value = |body: &mut Body, source: ValueId, def: ValueDef| {
        sources.push(source);
        body.values.push(Value { def, ..body.values[source] })
    };
    let params = params
        .iter()
        .enumerate()
        .map(|(position, &param)| copy_value(body, param, ValueDef::Param(copy, position as u32)))
        .collect();
    let mut copies: Vec<InstId> = Vec::with_capacity(insts.len());
    for inst in insts {
        let copied = body.insts.next_id();
        let mut data = body.insts[inst].clone();
        data.first_result = body.values.next_id();
        for (position, result) in body.results(inst).enumerate() {
            copy_value(body, result, ValueDef::Result(copied, position as u32));
        }
        if let Inst::Call { call } = &mut data.inst {
            let particulars = body.calls[*call].clone();
            *call = body.calls.push(particulars);
        }
        copies.push(body.insts.push(data));
    }
    body.blocks.push(Block { params, insts: copies, term, term_loc });
}

/// Makes each use of a value that has copies use the one that reaches it.
fn repair(body: &mut Body, sources: &IdVec<ValueId, ValueId>) {
    let mut problem = Problem::new(body.blocks.len());
    let variables = variables(body, sources, &mut problem);
    for (block, data) in body.blocks.iter_ids() {
        problem.begin_block(block);
        for &param in &data.params {
            define(&mut problem, &variables, param);
        }
        for &inst in &data.insts {
            body.each_operand(inst, |operand| add_use(&mut problem, &variables, operand));
            body.results(inst).for_each(|result| define(&mut problem, &variables, result));
        }
        data.term.each_operand(|operand| add_use(&mut problem, &variables, operand));
    }
    let n_params: IdVec<BlockId, usize> = body.blocks.iter().map(|block| block.params.len()).collect();
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let reaching = ssa::construct(body, &cfg, &dominators, &problem);
    rewrite(body, &variables, &n_params, reaching.iter().copied());
}

/// By value: the variable that all copies of one value are definitions of.
type Variables = IdVec<ValueId, Option<VariableId>>;

fn variables(body: &Body, sources: &IdVec<ValueId, ValueId>, problem: &mut Problem) -> Variables {
    let mut variables: Variables = IdVec::from_vec(vec![None; body.values.len()]);
    for (value, &source) in sources.iter_ids().filter(|&(value, &source)| value != source) {
        let Value { ty, var, .. } = body.values[source];
        let variable = *variables[source].get_or_insert_with(|| problem.add_variable(ty, var));
        variables[value] = Some(variable);
    }
    variables
}

fn define(problem: &mut Problem, variables: &Variables, value: ValueId) {
    if let Some(variable) = variables[value] {
        problem.define(variable, value.into());
    }
}

fn add_use(problem: &mut Problem, variables: &Variables, operand: Operand) {
    if let Some(variable) = operand.value().and_then(|value| variables[value]) {
        problem.add_use(variable);
    }
}

/// Goes through all operands in the order in which they were added to the problem, except the arguments added since.
fn rewrite(
    body: &mut Body,
    variables: &Variables,
    n_params: &IdVec<BlockId, usize>,
    mut reaching: impl Iterator<Item = Operand>,
) {
    let mut change = |operand: &mut Operand| {
        if operand.value().is_some_and(|value| variables[value].is_some()) {
            *operand = reaching.next().expect("invariant: every use has a reaching definition");
        }
    };
    for block in body.blocks.ids() {
        for position in 0..body.blocks[block].insts.len() {
            let inst = body.blocks[block].insts[position];
            body.each_operand_mut(inst, &mut change);
        }
        let term = &mut body.blocks[block].term;
        let added: Vec<Vec<Operand>> =
            term.targets_mut().map(|target| target.args.split_off(n_params[target.block])).collect();
        term.each_operand_mut(&mut change);
        for (target, added) in term.targets_mut().zip(added) {
            target.args.extend(added);
        }
    }
}
