//! Construction and repair of SSA form.
//!
//! A [`Problem`] has variables, and per block the order in which they are defined and used. [`construct`]
//! adds the block parameters that merge definitions, hands them over in the terminators, and says which
//! definition reaches each use. Promotion of locals asks it for variables of the program, node splitting for
//! values that got several definitions.
//!
//! Source: Cytron, Ferrante, Rosen, Wegman, Zadeck, *Efficiently Computing Static Single Assignment Form and
//! the Control Dependence Graph*, TOPLAS 1991, §5 (parameters at iterated dominance frontiers, renaming along
//! the dominator tree).
//! Departures: (1) block parameters for φ-functions; (2) pruned: a parameter is added only where the variable
//! is live; (3) renaming is a loop with a log of changes in place of recursion with stacks.

use base::{Id, IdVec, define_id};

use crate::cfg::Cfg;
use crate::dominators::{Dominators, FrontierScratch};
use crate::function::{BlockId, Body, ValueId, VarId};
use crate::types::{Operand, Type};

define_id! {
    /// A variable of a [`Problem`].
    pub struct VariableId = "variable";
    /// A use in a [`Problem`].
    pub struct UseId = "use";
}

/// Variables with their definitions and uses.
///
/// On every path from the entry to a use there should be a definition.
#[derive(Clone, Debug)]
pub struct Problem {
    variables: IdVec<VariableId, Variable>,
    /// The events of all blocks, those of one block together and in order.
    events: Vec<Event>,
    /// By block: where its events are.
    ranges: Vec<(u32, u32)>,
    /// The block whose events are added.
    open: BlockId,
    n_uses: usize,
}

#[derive(Clone, Copy, Debug)]
struct Variable {
    ty: Type,
    var: Option<VarId>,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    variable: VariableId,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Def(Operand),
    Use(UseId),
}

impl Problem {
    /// A problem without variables for a body with that many blocks.
    pub fn new(n_blocks: usize) -> Self {
        Self {
            variables: IdVec::new(),
            events: Vec::new(),
            ranges: vec![(0, 0); n_blocks],
            open: BlockId::FIRST,
            n_uses: 0,
        }
    }

    /// A new variable; the parameters that merge its definitions have that type and are versions of `var`.
    pub fn add_variable(&mut self, ty: Type, var: Option<VarId>) -> VariableId {
        self.variables.push(Variable { ty, var })
    }

    /// The events added from now on are those of `block`, which should have none yet.
    pub fn begin_block(&mut self, block: BlockId) {
        debug_assert_eq!(self.ranges[block.index()], (0, 0), "a block should be begun once");
        let start = self.events.len() as u32;
        self.ranges[block.index()] = (start, start);
        self.open = block;
    }

    /// From here on, `variable` is `operand`.
    pub fn define(&mut self, variable: VariableId, operand: Operand) {
        self.add(Event { variable, what: What::Def(operand) });
    }

    /// Here `variable` is read.
    pub fn add_use(&mut self, variable: VariableId) -> UseId {
        let id = UseId::new(self.n_uses);
        self.n_uses += 1;
        self.add(Event { variable, what: What::Use(id) });
        id
    }

    fn add(&mut self, event: Event) {
        self.events.push(event);
        self.ranges[self.open.index()].1 = self.events.len() as u32;
    }

    fn events(&self, block: BlockId) -> &[Event] {
        let (start, end) = self.ranges[block.index()];
        &self.events[start as usize..end as usize]
    }
}

/// What reaches each use, by [`UseId`]. An operand that is itself a use's old result is left to the caller to replace.
pub type Reaching = IdVec<UseId, Operand>;

/// Adds block parameters and arguments to `body` so that each use of each variable has one reaching definition.
///
/// All blocks should be reachable (law L11), and `cfg` and `dominators` those of `body`.
pub fn construct(body: &mut Body, cfg: &Cfg, dominators: &Dominators, problem: &Problem) -> Reaching {
    let joins = place_params(cfg, dominators, problem);
    let params = add_params(body, problem, joins);
    rename(body, dominators, problem, &params)
}

/// The blocks in which each variable is defined, and those that read it before they define it.
struct Summary {
    def_blocks: Lists,
    exposed_blocks: Lists,
}

/// Lists of blocks by variable, in one vector.
struct Lists {
    starts: Vec<u32>,
    blocks: Vec<BlockId>,
}

impl Lists {
    fn new(n_variables: usize, mut pairs: Vec<(VariableId, BlockId)>) -> Self {
        pairs.sort_unstable();
        let mut starts = vec![0_u32; n_variables + 1];
        pairs.iter().for_each(|(variable, _)| starts[variable.index() + 1] += 1);
        for index in 0..n_variables {
            starts[index + 1] += starts[index];
        }
        Self { starts, blocks: pairs.into_iter().map(|(_, block)| block).collect() }
    }

    fn of(&self, variable: VariableId) -> &[BlockId] {
        let index = variable.index();
        &self.blocks[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

fn summarize(cfg: &Cfg, problem: &Problem) -> Summary {
    let n_variables = problem.variables.len();
    let (mut defs, mut exposed) = (Vec::new(), Vec::new());
    // By variable: one more than the index of the last block that defines it, or reads it first.
    let mut defined_in = vec![0; n_variables];
    let mut exposed_in = vec![0; n_variables];
    for &block in cfg.reverse_postorder() {
        let mark = block.index() + 1;
        for event in problem.events(block) {
            let variable = event.variable.index();
            match event.what {
                What::Def(_) if defined_in[variable] != mark => {
                    defined_in[variable] = mark;
                    defs.push((event.variable, block));
                }
                What::Use(_) if defined_in[variable] != mark && exposed_in[variable] != mark => {
                    exposed_in[variable] = mark;
                    exposed.push((event.variable, block));
                }
                What::Def(_) | What::Use(_) => {}
            }
        }
    }
    Summary { def_blocks: Lists::new(n_variables, defs), exposed_blocks: Lists::new(n_variables, exposed) }
}

/// Where which variable needs a parameter, by block and variable.
fn place_params(cfg: &Cfg, dominators: &Dominators, problem: &Problem) -> Vec<(BlockId, VariableId)> {
    let summary = summarize(cfg, problem);
    let mut joins = Vec::new();
    let mut scratch = FrontierScratch::default();
    let mut live =
        Liveness { live_in: vec![0; cfg.n_blocks()], defines: vec![0; cfg.n_blocks()], pending: Vec::new() };
    for variable in problem.variables.ids() {
        let defs = summary.def_blocks.of(variable);
        let exposed = summary.exposed_blocks.of(variable);
        // One definition reaches all uses; without uses ahead of definitions nothing crosses a block.
        if defs.len() < 2 || exposed.is_empty() {
            continue;
        }
        let round = variable.index() as u32 + 1;
        live.compute(cfg, defs, exposed, round);
        let is_live = |block: BlockId| live.live_in[block.index()] == round;
        let frontier = dominators.iterated_frontier(cfg, defs.iter().copied(), is_live, &mut scratch);
        joins.extend(frontier.into_iter().map(|block| (block, variable)));
    }
    joins.sort_unstable();
    joins
}

/// Where a variable is live at the begin of a block; marks are the round of the variable.
struct Liveness {
    live_in: Vec<u32>,
    defines: Vec<u32>,
    pending: Vec<BlockId>,
}

impl Liveness {
    fn compute(&mut self, cfg: &Cfg, defs: &[BlockId], exposed: &[BlockId], round: u32) {
        defs.iter().for_each(|block| self.defines[block.index()] = round);
        self.pending.extend_from_slice(exposed);
        exposed.iter().for_each(|block| self.live_in[block.index()] = round);
        while let Some(block) = self.pending.pop() {
            for &source in cfg.predecessors(block) {
                let passes = self.defines[source.index()] != round && cfg.is_reachable(source);
                if passes && self.live_in[source.index()] != round {
                    self.live_in[source.index()] = round;
                    self.pending.push(source);
                }
            }
        }
    }
}

/// The parameters that were added, by block.
struct Params {
    starts: Vec<u32>,
    params: Vec<(VariableId, ValueId)>,
}

impl Params {
    fn of(&self, block: BlockId) -> &[(VariableId, ValueId)] {
        let index = block.index();
        &self.params[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

fn add_params(body: &mut Body, problem: &Problem, joins: Vec<(BlockId, VariableId)>) -> Params {
    let mut starts = vec![0_u32; body.blocks.len() + 1];
    let mut params = Vec::with_capacity(joins.len());
    for (block, variable) in joins {
        let Variable { ty, var } = problem.variables[variable];
        params.push((variable, body.add_param(block, ty, var)));
        starts[block.index() + 1] += 1;
    }
    for index in 0..body.blocks.len() {
        starts[index + 1] += starts[index];
    }
    Params { starts, params }
}

fn rename(body: &mut Body, dominators: &Dominators, problem: &Problem, params: &Params) -> Reaching {
    let mut current = Current { operands: vec![None; problem.variables.len()], log: Vec::new() };
    let mut reaching: Vec<Option<Operand>> = vec![None; problem.n_uses];
    // The blocks above the one that is looked at in the dominator tree, with the length of the log before them.
    let mut above: Vec<(u32, usize)> = Vec::new();
    for &block in dominators.preorder() {
        let depth = dominators.depth(block);
        while let Some((_, log_len)) = above.pop_if(|(it, _)| *it >= depth) {
            current.undo(log_len);
        }
        above.push((depth, current.log.len()));
        params.of(block).iter().for_each(|&(variable, param)| current.set(variable, param.into()));
        for event in problem.events(block) {
            match event.what {
                What::Def(operand) => current.set(event.variable, operand),
                What::Use(id) => reaching[id.index()] = Some(current.get(event.variable)),
            }
        }
        for target in body.blocks[block].term.targets_mut() {
            let added = params.of(target.block);
            target.args.extend(added.iter().map(|&(variable, _)| current.get(variable)));
        }
    }
    let reached = |it: Option<Operand>| it.expect("invariant: blocks with uses are reachable (law L11)");
    reaching.into_iter().map(reached).collect()
}

/// The definition of each variable that reaches the place that is looked at.
struct Current {
    operands: Vec<Option<Operand>>,
    /// What was changed, with the former definition.
    log: Vec<(VariableId, Option<Operand>)>,
}

impl Current {
    fn set(&mut self, variable: VariableId, operand: Operand) {
        let former = self.operands[variable.index()].replace(operand);
        self.log.push((variable, former));
    }

    fn get(&self, variable: VariableId) -> Operand {
        self.operands[variable.index()].expect("invariant: a definition is on every path to a use")
    }

    fn undo(&mut self, log_len: usize) {
        for (variable, former) in self.log.drain(log_len..).rev() {
            self.operands[variable.index()] = former;
        }
    }
}
