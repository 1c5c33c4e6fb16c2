//! Random programs over a few variables, their SSA form, and a tiny interpreter for both.
//!
//! A program observes values by calls; two programs are equal if they observe the same. Programs that loop are cut off after a
//! number of steps.

use base::{Id, IdVec, Symbol};
use ir::ssa::{Problem, UseId, VariableId, construct};
use ir::{
    ArithFlags, BinOp, Block, BlockId, Body, Call, Callee, Cfg, CmpOp, Const, Dominators, FnAttrs, Function,
    Inst, Linkage, LocId, Module, Operand, ParamAttrs, Signature, Target, Terminator, Type, ValueId,
};

use super::random::Random;

/// A program: straight steps in blocks, and where control goes.
pub(crate) struct Program {
    blocks: Vec<(Vec<Step>, End)>,
}

/// Variables are numbered; 0 is the parameter.
enum Step {
    /// `into = a + b + constant`.
    Add { into: usize, a: usize, b: usize, constant: u8 },
    /// An observation of a variable.
    Observe(usize),
}

/// Control goes to the successor numbered `variable % successors.len()`, if there is one.
struct End {
    variable: usize,
    successors: Vec<usize>,
}

const N_VARIABLES: usize = 4;
const WIDTH: u32 = 8;
const MAX_OBSERVED: usize = 60;

/// A program whose blocks are all reachable, with `n_blocks` blocks and about `n_more_edges` edges beyond a tree.
pub(crate) fn program(random: &mut Random, n_blocks: usize, n_more_edges: usize) -> Program {
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); n_blocks];
    for block in 1..n_blocks {
        successors[random.below(block)].push(block);
    }
    for _ in 0..n_more_edges {
        let target = random.below(n_blocks);
        if target > 0 {
            successors[random.below(n_blocks)].push(target);
        }
    }
    let blocks = successors
        .into_iter()
        .map(|successors| (steps(random), End { variable: random.below(N_VARIABLES), successors }));
    Program { blocks: blocks.collect() }
}

fn steps(random: &mut Random) -> Vec<Step> {
    let mut step = |_| {
        let [into, a, b] = [(); 3].map(|()| random.below(N_VARIABLES));
        if random.below(3) == 0 {
            Step::Observe(a)
        } else {
            Step::Add { into, a, b, constant: random.below(7) as u8 }
        }
    };
    (0..4).map(&mut step).collect()
}

/// What the program observes, with argument `arg`.
pub(crate) fn run(program: &Program, arg: u8) -> Vec<u8> {
    let mut variables = [arg, 0, 0, 0];
    let (mut block, mut observed) = (0, Vec::new());
    for _ in 0..MAX_OBSERVED * 10 {
        let (steps, end) = &program.blocks[block];
        for step in steps {
            match *step {
                Step::Add { into, a, b, constant } => {
                    variables[into] = variables[a].wrapping_add(variables[b]).wrapping_add(constant);
                }
                Step::Observe(variable) => observed.push(variables[variable]),
            }
        }
        if end.successors.is_empty() {
            break;
        }
        block = end.successors[variables[end.variable] as usize % end.successors.len()];
    }
    observed.truncate(MAX_OBSERVED);
    observed
}

/// The program with its variables in memory, as text: `var 0` is the parameter, the others are local; `named` says whether the user
/// knows them.
pub(crate) fn memory_form(program: &Program, named: bool) -> String {
    let kind = if named { "local" } else { "temp" };
    let mut text = String::from("target pointer 8 func @observe(i8) func @main(i8) {\n");
    (0..N_VARIABLES).for_each(|it| text += &format!("var x{it} n{it} {kind}\n"));
    let mut next = 1 + N_VARIABLES;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    for (index, (steps, end)) in program.blocks.iter().enumerate() {
        text += &if index == 0 { "b0(v0: i8):\n".to_owned() } else { format!("b{index}:\n") };
        if index == 0 {
            (0..N_VARIABLES)
                .for_each(|it| text += &format!("v{}: ptr = alloca i64 1 align 1 for n{it}\n", it + 1));
            (0..N_VARIABLES).for_each(|it| {
                text += &format!("store {} to v{} align 1\n", if it == 0 { "v0" } else { "i8 0" }, it + 1);
            });
        }
        for step in steps {
            match *step {
                Step::Add { into, a, b, constant } => {
                    let [a_value, b_value, sum, total] = [(); 4].map(|()| fresh());
                    text += &format!(
                        "v{a_value}: i8 = load v{} align 1 v{b_value}: i8 = load v{} align 1\n",
                        a + 1,
                        b + 1
                    );
                    text += &format!(
                        "v{sum}: i8 = add v{a_value}, v{b_value} v{total}: i8 = add v{sum}, i8 {constant}\n"
                    );
                    text += &format!("store v{total} to v{} align 1\n", into + 1);
                }
                Step::Observe(variable) => {
                    let value = fresh();
                    text +=
                        &format!("v{value}: i8 = load v{} align 1 call @observe(v{value})\n", variable + 1);
                }
            }
        }
        let [value, rest, zero] = [(); 3].map(|()| fresh());
        let n = end.successors.len();
        if n > 1 {
            text += &format!(
                "v{value}: i8 = load v{} align 1 v{rest}: i8 = urem v{value}, i8 {n}\n",
                end.variable + 1
            );
        }
        text += &match end.successors[..] {
            [] => "return\n".to_owned(),
            [only] => format!("jump b{only}\n"),
            [first, second] => {
                format!("v{zero}: i1 = cmp eq v{rest}, i8 0 branch v{zero} ? b{first} : b{second}\n")
            }
            [ref cases @ .., last] => {
                let cases = cases.iter().enumerate().map(|(case, block)| format!("i8 {case}: b{block}\n"));
                format!("switch v{rest} {{ {} default: b{last} }}\n", cases.collect::<String>())
            }
        };
    }
    text + "}"
}

/// The SSA form of a program, as the only defined function of a module.
pub(crate) fn module_of(program: &Program) -> Module {
    let mut module = Module::new();
    let (observe, main) = (module.symbols.intern("observe"), module.symbols.intern("main"));
    let params = vec![Type::Int(WIDTH)];
    module.functions.push(function(observe, params.clone(), None));
    module.functions.push(function(main, params, Some(body_of(program))));
    module
}

/// The defined function of [`module_of`].
pub(crate) fn body(module: &mut Module) -> &mut Body {
    module.functions.iter_mut().last().and_then(|it| it.body.as_mut()).expect("the program")
}

fn function(name: Symbol, params: Vec<Type>, body: Option<Body>) -> Function {
    Function {
        name,
        pretty: name,
        linkage: Linkage::External,
        param_attrs: params.iter().map(|_| ParamAttrs::default()).collect(),
        result_attrs: Vec::new(),
        signature: Signature { params, ..Signature::default() },
        attrs: FnAttrs::default(),
        source_type: None,
        loc: LocId::FIRST,
        body,
    }
}

/// Puts a body together whose operands are not yet known, then asks for its SSA form.
struct Builder {
    body: Body,
    problem: Problem,
    variables: Vec<VariableId>,
    /// The operands to fill in, in order: instructions of a call come with their only argument.
    uses: Vec<(Position, UseId)>,
}

enum Position {
    Lhs(ir::InstId),
    Rhs(ir::InstId),
    Arg(ir::CallId),
}

fn body_of(program: &Program) -> Body {
    let mut body = Body::default();
    for _ in &program.blocks {
        let term = Terminator::Return { values: Vec::new() };
        body.blocks.push(Block { params: Vec::new(), insts: Vec::new(), term, term_loc: LocId::FIRST });
    }
    let arg = body.add_param(Body::ENTRY, Type::Int(WIDTH), None);
    let mut problem = Problem::new(program.blocks.len());
    let variables: Vec<VariableId> =
        (0..N_VARIABLES).map(|_| problem.add_variable(Type::Int(WIDTH), None)).collect();
    let mut builder = Builder { body, problem, variables, uses: Vec::new() };
    for (index, (steps, end)) in program.blocks.iter().enumerate() {
        let block = BlockId::new(index);
        builder.problem.begin_block(block);
        if block == Body::ENTRY {
            let zero = builder.constant(0);
            builder.problem.define(builder.variables[0], arg.into());
            (1..N_VARIABLES).for_each(|it| builder.problem.define(builder.variables[it], zero));
        }
        steps.iter().for_each(|step| builder.step(block, step));
        builder.end(block, end);
    }
    builder.finish()
}

impl Builder {
    fn constant(&mut self, value: usize) -> Operand {
        self.body.consts.insert(Const::int(WIDTH, value as u128)).into()
    }

    fn add(&mut self, block: BlockId, inst: Inst, results: &[Type]) -> ir::InstId {
        let id = self.body.add_inst(inst, LocId::FIRST, results);
        self.body.blocks[block].insts.push(id);
        id
    }

    fn result(&self, inst: ir::InstId) -> ValueId {
        self.body.results(inst).next().expect("has a result")
    }

    fn use_at(&mut self, place: Position, variable: usize) {
        let id = self.problem.add_use(self.variables[variable]);
        self.uses.push((place, id));
    }

    fn binary(&mut self, block: BlockId, op: BinOp, lhs: Operand, rhs: Operand) -> ir::InstId {
        self.add(block, Inst::Binary { op, flags: ArithFlags::default(), lhs, rhs }, &[Type::Int(WIDTH)])
    }

    fn step(&mut self, block: BlockId, step: &Step) {
        let unknown = self.constant(0);
        match *step {
            Step::Add { into, a, b, constant } => {
                let sum = self.binary(block, BinOp::Add, unknown, unknown);
                self.use_at(Position::Lhs(sum), a);
                self.use_at(Position::Rhs(sum), b);
                let (constant, sum) = (self.constant(constant.into()), self.result(sum));
                let total = self.binary(block, BinOp::Add, sum.into(), constant);
                let total = self.result(total);
                self.problem.define(self.variables[into], total.into());
            }
            Step::Observe(variable) => {
                let signature = Signature { params: vec![Type::Int(WIDTH)], ..Signature::default() };
                let call = self.body.calls.push(Call {
                    callee: Callee::Func(Id::new(0)),
                    args: vec![unknown],
                    arg_attrs: vec![ParamAttrs::default()],
                    signature,
                    noreturn: false,
                });
                self.use_at(Position::Arg(call), variable);
                self.add(block, Inst::Call { call }, &[]);
            }
        }
    }

    fn end(&mut self, block: BlockId, end: &End) {
        let targets: Vec<Target> =
            end.successors.iter().map(|&it| Target { block: BlockId::new(it), args: Vec::new() }).collect();
        let unknown = self.constant(0);
        self.body.blocks[block].term = match &targets[..] {
            [] => return,
            [only] => Terminator::Jump(only.clone()),
            [first, second] => {
                let two = self.constant(2);
                let rest = self.binary(block, BinOp::URem, unknown, two);
                self.use_at(Position::Lhs(rest), end.variable);
                let rest = self.result(rest).into();
                let is_zero =
                    self.add(block, Inst::Compare { op: CmpOp::Eq, lhs: rest, rhs: unknown }, &[Type::BOOL]);
                let cond = self.result(is_zero).into();
                Terminator::Branch { cond, on_true: first.clone(), on_false: second.clone() }
            }
            [cases @ .., last] => {
                let n = self.constant(targets.len());
                let rest = self.binary(block, BinOp::URem, unknown, n);
                self.use_at(Position::Lhs(rest), end.variable);
                let mut case = |index| self.body.consts.insert(Const::int(WIDTH, index as u128));
                let cases =
                    cases.iter().enumerate().map(|(index, target)| (case(index), target.clone())).collect();
                Terminator::Switch { value: self.result(rest).into(), cases, default: last.clone() }
            }
        };
    }

    fn finish(mut self) -> Body {
        let cfg = Cfg::new(&self.body);
        let dominators = Dominators::new(&cfg);
        let reaching = construct(&mut self.body, &cfg, &dominators, &self.problem);
        for (place, id) in self.uses {
            let operand = reaching[id];
            match place {
                Position::Arg(call) => self.body.calls[call].args[0] = operand,
                Position::Lhs(inst) | Position::Rhs(inst) => {
                    let Inst::Binary { lhs, rhs, .. } = &mut self.body.insts[inst].inst else {
                        unreachable!()
                    };
                    *(if matches!(place, Position::Lhs(_)) { lhs } else { rhs }) = operand;
                }
            }
        }
        self.body
    }
}

/// What the SSA form observes, with argument `arg`.
pub(crate) fn interpret(body: &Body, arg: u8) -> Vec<u8> {
    let mut values: IdVec<ValueId, u8> = IdVec::from_vec(vec![0; body.values.len()]);
    let (mut block, mut args, mut observed) = (Body::ENTRY, vec![arg], Vec::new());
    for _ in 0..MAX_OBSERVED * 10 {
        let data = &body.blocks[block];
        data.params.iter().zip(args).for_each(|(&param, arg)| values[param] = arg);
        for &inst in &data.insts {
            if let Some(value) = interpret_inst(body, &values, inst, &mut observed) {
                values[body.insts[inst].first_result] = value;
            }
        }
        let Some(target) = next_target(body, &values, &data.term) else { break };
        args = target.args.iter().map(|&arg| operand(body, &values, arg)).collect();
        block = target.block;
    }
    observed.truncate(MAX_OBSERVED);
    observed
}

fn interpret_inst(
    body: &Body,
    values: &IdVec<ValueId, u8>,
    inst: ir::InstId,
    observed: &mut Vec<u8>,
) -> Option<u8> {
    let get = |it| operand(body, values, it);
    match body.insts[inst].inst {
        Inst::Binary { op: BinOp::Add, lhs, rhs, .. } => Some(get(lhs).wrapping_add(get(rhs))),
        Inst::Binary { op: BinOp::URem, lhs, rhs, .. } => Some(get(lhs) % get(rhs)),
        Inst::Compare { op: CmpOp::Eq, lhs, rhs } => Some(u8::from(get(lhs) == get(rhs))),
        Inst::Assign { value, .. } => Some(get(value)),
        Inst::Call { call } => {
            observed.push(get(body.calls[call].args[0]));
            None
        }
        ref other => panic!("not made by the builder: {other:?}"),
    }
}

fn next_target<'b>(body: &'b Body, values: &IdVec<ValueId, u8>, term: &'b Terminator) -> Option<&'b Target> {
    match term {
        Terminator::Return { .. } => None,
        Terminator::Jump(target) => Some(target),
        Terminator::Branch { cond, on_true, on_false } => {
            Some(if operand(body, values, *cond) == 1 { on_true } else { on_false })
        }
        Terminator::Switch { value, cases, default } => {
            let value = operand(body, values, *value);
            let case = cases.iter().find(|(case, _)| operand(body, values, (*case).into()) == value);
            Some(case.map_or(default, |(_, target)| target))
        }
        other => panic!("not made by the builder: {other:?}"),
    }
}

fn operand(body: &Body, values: &IdVec<ValueId, u8>, operand: Operand) -> u8 {
    match operand {
        Operand::Value(value) => values[value],
        Operand::Const(constant) => match body.consts[constant] {
            Const::Int { value, .. } => value as u8,
            ref other => panic!("not made by the builder: {other:?}"),
        },
    }
}
