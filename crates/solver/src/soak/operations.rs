//! Every operation against evaluation: the circuit must give what `term` says, and nothing else.

use term::{Assignment, Node, Origin, TermId, Terms, VarId, Width, mask};

use crate::options::Options;
use crate::soak::queries::{BINARY, COMPARE, UNARY};
use crate::soak::rng::Rng;
use crate::soak::{Outcome, Tally};
use crate::{Solver, Verdict};

/// A term of one operation and the variables in it.
struct Subject {
    name: String,
    terms: Terms,
    vars: Vec<TermId>,
    term: TermId,
}

/// All operations at all values of their operands, for widths up to `widest`; mixed widths where an operation has them.
pub fn exhaustive(widest: Width) -> Outcome {
    let mut tally = Tally::default();
    for width in 1..=widest {
        for subject in subjects(width) {
            exhaust(subject, width, &mut tally)?;
        }
    }
    Ok(tally)
}

fn exhaust(mut subject: Subject, width: Width, tally: &mut Tally) -> Result<(), String> {
    // Without the stages that could hide what the SAT solver thinks.
    let options = Options { guess: false, slice: false, cores: false, models: false, ..Options::default() };
    let mut solver = Solver::with(options);
    let values = 1u128 << width;
    let arity = subject.vars.len() as u32;
    for number in 0..values.pow(arity) {
        let operands: Vec<u128> = (0..arity).map(|at| number / values.pow(at) % values).collect();
        compare(&mut solver, &mut subject, &operands, tally)?;
    }
    Ok(())
}

/// All operations at `count` random values in all, for widths up to 64; products and quotients up to 16.
pub fn operations(count: u64, seed: u64) -> Outcome {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.queries() < count {
        let wide = rng.one_in(2);
        let width = 8 + rng.below(if wide { 57 } else { 9 }) as u32;
        let subjects = subjects(width);
        let at = rng.below(subjects.len());
        let mut subject = subjects.into_iter().nth(at).expect("invariant: picked among them");
        if wide && ["mul", "div", "rem"].iter().any(|hard| subject.name.contains(hard)) {
            continue;
        }
        let mut solver = Solver::with(Options { guess: false, ..Options::default() });
        for _ in 0..4 {
            let operands: Vec<u128> = subject.vars.iter().map(|_| rng.value()).collect();
            compare(&mut solver, &mut subject, &operands, &mut tally)?;
        }
    }
    Ok(tally)
}

/// With the operands at these values, the result must be able to be what evaluation says, and unable to be anything else.
fn compare(
    solver: &mut Solver,
    subject: &mut Subject,
    operands: &[u128],
    tally: &mut Tally,
) -> Result<(), String> {
    let terms = &mut subject.terms;
    let mut assignment = Assignment::new();
    let mut given = Vec::new();
    for (&var, &value) in subject.vars.iter().zip(operands) {
        assignment.set(var_id(terms, var), value);
        let value = terms.constant(terms.width(var), value);
        given.push(terms.eq(var, value));
    }
    let value = terms.eval(subject.term, &assignment);
    let expected = terms.constant(terms.width(subject.term), value);
    let right = terms.eq(subject.term, expected);
    let wrong = terms.not(right);
    let sat = solver.check(terms, &[&given[..], &[right]].concat());
    let unsat = solver.check(terms, &[&given[..], &[wrong]].concat());
    tally.count(&sat);
    tally.count(&unsat);
    match (&sat, &unsat) {
        (Verdict::Sat(_), Verdict::Unsat(_)) => Ok(()),
        _ => Err(format!(
            "{} of {operands:?} is {value}, but the circuit says {sat:?} and {unsat:?}",
            subject.name
        )),
    }
}

fn var_id(terms: &Terms, term: TermId) -> VarId {
    match terms.node(term) {
        Node::Var(var) => var,
        _ => unreachable!("a subject's variables are variables"),
    }
}

/// One term for each operation.
fn subjects(width: Width) -> Vec<Subject> {
    let mut all = Vec::new();
    for (name, build) in BINARY.into_iter().chain(COMPARE) {
        all.push(subject(format!("{name}{width}"), &[width, width], |terms, vars| {
            build(terms, vars[0], vars[1])
        }));
    }
    for (name, build) in UNARY {
        all.push(subject(format!("{name}{width}"), &[width], |terms, vars| build(terms, vars[0])));
    }
    all.push(subject(format!("concat{width}"), &[width, width], |terms, vars| {
        terms.concat(vars[0], vars[1])
    }));
    all.push(subject(format!("zext{width}"), &[width], |terms, vars| terms.zext(vars[0], width + 3)));
    all.push(subject(format!("sext{width}"), &[width], |terms, vars| terms.sext(vars[0], width + 3)));
    all.push(subject(format!("ite{width}"), &[width, width], choice));
    for low in 0..width.min(4) {
        let build = |terms: &mut Terms, vars: &[TermId]| terms.extract(vars[0], low, width - low);
        all.push(subject(format!("extract{width}.{low}"), &[width], build));
    }
    for factor in [2, 3, 5, 6, 7, 11, 14, mask(width), mask(width) ^ 2, mask(width) / 3] {
        let build = |terms: &mut Terms, vars: &[TermId]| {
            let factor = terms.constant(width, factor);
            terms.mul(vars[0], factor)
        };
        all.push(subject(format!("scale{width}.{factor}"), &[width], build));
    }
    all
}

/// `a & 1 ? a : b`
fn choice(terms: &mut Terms, vars: &[TermId]) -> TermId {
    let condition = terms.extract(vars[0], 0, 1);
    terms.ite(condition, vars[0], vars[1])
}

fn subject(name: String, widths: &[Width], build: impl Fn(&mut Terms, &[TermId]) -> TermId) -> Subject {
    let mut terms = Terms::new();
    let vars: Vec<TermId> = widths.iter().map(|&width| terms.fresh(width, Origin::Parameter, "x")).collect();
    let term = build(&mut terms, &vars);
    Subject { name, terms, vars, term }
}
