//! Operations of operations at small widths, for all values of the variables.
//!
//! Leaves are two variables and constants; an outer operation gets an inner one in each position. A rule
//! looks two or three levels deep, so all rules fire. Terms are evaluated once for all assignments together,
//! each from the values of its operands.

use std::fmt;
use std::rc::Rc;

use base::Id;
use fastrand::Rng;

use super::operation::{Extra, OPERATIONS, Operation, Shape};
use super::{Statistics, check_printed, check_stable};
use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::Node;
use crate::value::{WIDEST, Width, mask};
use crate::var::Origin;

/// Terms after which an arena is begun anew: each has a table with the values under all assignments.
const MOST_TERMS: usize = 4_000;

/// All operations on all combinations of three variables and all constants, at that width.
pub fn single(width: Width) -> Result<Statistics, String> {
    let mut statistics = Statistics::default();
    for operation in OPERATIONS {
        let mut bench = Bench::new(width, 3, 1);
        bench.constants = (0..=mask(width)).collect();
        bench.all_alone(operation)?;
        statistics += bench.statistics;
    }
    Ok(statistics)
}

/// All pairs of operations, positions and leaves, at that width; in the test of the printer, every `print_every`-th new term.
/// Leaves are two variables and constants: all up to width 3, beyond it those at which things change.
pub fn exhaustive(width: Width, print_every: u64) -> Result<Statistics, String> {
    let mut statistics = Statistics::default();
    for inner in OPERATIONS {
        for outer in OPERATIONS {
            let mut bench = Bench::new(width, 2, print_every);
            bench.all_pairs(inner, outer)?;
            statistics += bench.statistics;
        }
    }
    Ok(statistics)
}

/// Random nestings of up to five operations at widths up to 4, until that many terms were built.
pub fn nested(count: u64, seed: u64) -> Result<Statistics, String> {
    let mut rng = Rng::with_seed(seed);
    let mut statistics = Statistics::default();
    while statistics.built < count {
        let mut bench = Bench::new(rng.u32(1..=4), 2, 4);
        for _ in 0..200 {
            bench.random_nesting(&mut rng)?;
        }
        bench.finish()?;
        statistics += bench.statistics;
    }
    Ok(statistics)
}

/// A term, and its values by definition under all assignments.
struct Known {
    term: TermId,
    width: Width,
    values: Vec<u128>,
    made: Made,
}

/// How a term was made: by that operation, or as a leaf of that name.
struct Made {
    name: &'static str,
    operands: Vec<Shared>,
    extra: Extra,
}

type Shared = Rc<Known>;

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Made { name, operands, extra } = &self.made;
        match (operands.is_empty(), *name) {
            (true, "constant") => write!(f, "{}:{}", self.values[0], self.width),
            (true, _) => write!(f, "{name}:{}", self.width),
            (false, _) => write!(f, "{name}{operands:?}({}, {})", extra.low, extra.width),
        }
    }
}

/// An arena with two or three variables, and the values of all its terms under all assignments.
struct Bench {
    terms: Terms,
    variables: Vec<Shared>,
    /// The constants of the variables' width that are leaves.
    constants: Vec<u128>,
    /// For each term its values, one per assignment.
    tables: Vec<Vec<u128>>,
    print_every: u64,
    statistics: Statistics,
}

impl Bench {
    fn new(width: Width, n_variables: u32, print_every: u64) -> Bench {
        let mut terms = Terms::new();
        let variables: Vec<Shared> = (0..n_variables)
            .map(|at| {
                let name = ["x", "y", "z"][at as usize];
                let term = terms.fresh(width, Origin::Parameter, name);
                let rows = 0..1u128 << (width * n_variables);
                let values = rows.map(|row| row >> (at * width) & mask(width)).collect();
                leaf(term, width, values, name)
            })
            .collect();
        let tables = variables.iter().map(|variable| variable.values.clone()).collect();
        let (constants, statistics) = (chosen_constants(width), Statistics::default());
        Bench { terms, variables, constants, tables, print_every, statistics }
    }

    fn width(&self) -> Width {
        self.variables[0].width
    }

    fn all_alone(&mut self, operation: &Operation) -> Result<(), String> {
        let mut operands = self.combinations(operation.shape, None);
        for index in 0..operands.len() {
            if self.begin_anew_if_large()? {
                operands = self.combinations(operation.shape, None);
            }
            for extra in extras(operation.shape, operands[index][0].width) {
                self.apply(operation, &operands[index], extra)?;
            }
        }
        self.finish()
    }

    fn all_pairs(&mut self, inner: &Operation, outer: &Operation) -> Result<(), String> {
        let mut operands = self.combinations(inner.shape, None);
        for index in 0..operands.len() {
            if self.begin_anew_if_large()? {
                operands = self.combinations(inner.shape, None);
            }
            for extra in extras(inner.shape, operands[index][0].width) {
                if let Some(known) = self.apply(inner, &operands[index], extra)? {
                    self.all_around(outer, &known)?;
                }
            }
        }
        self.finish()
    }

    /// An operation with a term in each position, and leaves in the others.
    fn all_around(&mut self, outer: &Operation, known: &Shared) -> Result<(), String> {
        for position in 0..arity(outer.shape) {
            if outer.shape == Shape::Choice && position == 0 && known.width != 1 {
                continue;
            }
            for operands in self.combinations(outer.shape, Some((position, known.clone()))) {
                for extra in extras(outer.shape, operands[0].width) {
                    self.apply(outer, &operands, extra)?;
                }
            }
        }
        Ok(())
    }

    /// Leaves an arena with many terms for a new one; says whether it did.
    fn begin_anew_if_large(&mut self) -> Result<bool, String> {
        if self.terms.len() < MOST_TERMS {
            return Ok(false);
        }
        self.finish()?;
        let fresh = Bench::new(self.width(), self.variables.len() as u32, self.print_every);
        let (constants, statistics) = (std::mem::take(&mut self.constants), self.statistics);
        *self = Bench { constants, statistics, ..fresh };
        Ok(true)
    }

    /// All ways to fill the operands of a shape with leaves, one position given.
    fn combinations(&mut self, shape: Shape, given: Option<(usize, Shared)>) -> Vec<Vec<Shared>> {
        let width = self.width();
        let mut all = vec![Vec::new()];
        for position in 0..arity(shape) {
            let choices = match &given {
                Some((place, known)) if *place == position => vec![known.clone()],
                _ if shape == Shape::Choice && position == 0 => self.leaves(1),
                Some((place, _)) if shape == Shape::Choice && *place == 0 => self.leaves(width),
                Some((_, known)) if shape != Shape::Pair => self.leaves(known.width),
                _ => self.leaves(width),
            };
            all = all
                .iter()
                .flat_map(|before: &Vec<Shared>| {
                    choices.iter().map(|choice| [&before[..], std::slice::from_ref(choice)].concat())
                })
                .collect();
        }
        all
    }

    /// The variables at that width, and constants.
    fn leaves(&mut self, width: Width) -> Vec<Shared> {
        let variables = self.variables.clone();
        let n_values = variables[0].values.len();
        let mut leaves: Vec<Shared> = variables.iter().map(|it| self.at_width(it, width)).collect();
        let constants = if width == self.width() { self.constants.clone() } else { chosen_constants(width) };
        for value in constants {
            let term = self.terms.constant(width, value);
            leaves.push(leaf(term, width, vec![value; n_values], "constant"));
        }
        leaves
    }

    fn at_width(&mut self, known: &Known, width: Width) -> Shared {
        let (term, values) = if width <= known.width {
            let values = known.values.iter().map(|value| value & mask(width)).collect();
            (self.terms.trunc(known.term, width), values)
        } else {
            (self.terms.zext(known.term, width), known.values.clone())
        };
        leaf(term, width, values, known.made.name)
    }

    /// The operation on terms whose values are known, if they fit; checks the values of the result.
    fn apply(
        &mut self,
        operation: &Operation,
        operands: &[Shared],
        extra: Extra,
    ) -> Result<Option<Shared>, String> {
        let last = operands[operands.len() - 1].width;
        let width = operation.width(last, operands[0].width, extra);
        if width > WIDEST {
            return Ok(None);
        }
        let operand = |index: usize| operands.get(index).unwrap_or(&operands[0]);
        let first = self.terms.len();
        let term = (operation.build)(&mut self.terms, [0, 1, 2].map(|index| operand(index).term), extra);
        let values: Vec<u128> = (0..operands[0].values.len())
            .map(|index| operation.value(last, [0, 1, 2].map(|it| operand(it).values[index]), extra))
            .collect();
        let made = Made { name: operation.name, operands: operands.to_vec(), extra };
        let known = Shared::new(Known { term, width, values, made });
        self.check(&known, first).map_err(|error| format!("{known:?}: {error}"))?;
        self.statistics.built += 1;
        self.statistics.values += known.values.len() as u64;
        Ok(Some(known))
    }

    /// Checks a term, and the text of those that were made with it.
    fn check(&mut self, known: &Known, first: usize) -> Result<(), String> {
        self.extend_tables();
        let Known { term, width, .. } = *known;
        if self.tables[term.index()] != known.values || self.terms.width(term) != width {
            return Err(format!("wrong as {:?} = `{}`", self.terms.node(term), self.terms.show(term)));
        }
        for index in first..self.terms.len() {
            if (index as u64).is_multiple_of(self.print_every) {
                let whole = check_printed(&mut self.terms, TermId::new(index))?;
                self.statistics.printed += u64::from(whole);
            }
        }
        Ok(())
    }

    /// Computes the values of terms that are new.
    fn extend_tables(&mut self) {
        for index in self.tables.len()..self.terms.len() {
            let term = TermId::new(index);
            let width = self.terms.width(term);
            let of = |operand: TermId| &self.tables[operand.index()];
            let count = self.tables[0].len();
            let values = match self.terms.node(term) {
                Node::Const(value) => vec![value; count],
                Node::Var(_) => unreachable!("variables are made first"),
                Node::Unary(op, a) => of(a).iter().map(|&a| eval::unary(op, width, a)).collect(),
                Node::Binary(op, a, b) => {
                    let width = self.terms.width(b);
                    of(a).iter().zip(of(b)).map(|(&a, &b)| eval::binary(op, width, a, b)).collect()
                }
                Node::Extend(op, a) => {
                    let from = self.terms.width(a);
                    of(a).iter().map(|&a| eval::extend(op, from, width, a)).collect()
                }
                Node::Extract { from, low } => {
                    of(from).iter().map(|&a| eval::extract(a, low, width)).collect()
                }
                Node::Ite(c, a, b) => {
                    (0..count).map(|it| if of(c)[it] != 0 { of(a)[it] } else { of(b)[it] }).collect()
                }
            };
            self.tables.push(values);
        }
    }

    fn random_nesting(&mut self, rng: &mut Rng) -> Result<(), String> {
        let width = self.width();
        let mut pool: Vec<Shared> = Vec::new();
        for _ in 0..5 {
            let operation = &OPERATIONS[rng.usize(..OPERATIONS.len())];
            let first = match pool.len() {
                0 => width,
                count => pool[rng.usize(..count)].width,
            };
            let operands: Vec<Shared> = (0..arity(operation.shape))
                .map(|position| {
                    let width = if operation.shape == Shape::Choice && position == 0 { 1 } else { first };
                    let mut choices = self.leaves(width);
                    choices.truncate(rng.usize(2..=choices.len()));
                    // What was built is taken more often than leaves.
                    let built: Vec<&Shared> = pool.iter().filter(|it| it.width == width).collect();
                    match built.len() {
                        count if count > 0 && rng.u8(..3) > 0 => built[rng.usize(..count)].clone(),
                        _ => choices[rng.usize(..choices.len())].clone(),
                    }
                })
                .collect();
            let extras = extras(operation.shape, first);
            let Some(extra) = rng.choice(extras) else { continue };
            if let Some(known) = self.apply(operation, &operands, extra)?
                && known.width <= 24
            {
                pool.push(known);
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        self.statistics.kept += self.terms.len() as u64;
        check_stable(&mut self.terms, 0)
    }
}

fn leaf(term: TermId, width: Width, values: Vec<u128>, name: &'static str) -> Shared {
    let made = Made { name, operands: Vec::new(), extra: Extra::default() };
    Shared::new(Known { term, width, values, made })
}

/// All values of a small width; of others, those at which things change.
fn chosen_constants(width: Width) -> Vec<u128> {
    match width {
        0..=3 => (0..=mask(width)).collect(),
        _ => vec![0, 1, 2, 3, 5, mask(width) >> 1, (mask(width) >> 1) + 1, mask(width) - 2, mask(width)],
    }
}

fn arity(shape: Shape) -> usize {
    match shape {
        Shape::One | Shape::Bytes | Shape::Widen | Shape::Part => 1,
        Shape::Two | Shape::Pair | Shape::Compare => 2,
        Shape::Three | Shape::Choice => 3,
    }
}

/// The first bits and widths of results to try for an operand of that width.
fn extras(shape: Shape, width: Width) -> Vec<Extra> {
    match shape {
        Shape::Widen => {
            [0, 1, 2, width].map(|more| Extra { low: 0, width: width + more }).into_iter().collect()
        }
        Shape::Part => {
            let part = |low| (1..=width - low).map(move |width| Extra { low, width });
            (0..width).flat_map(part).collect()
        }
        Shape::Compare => vec![Extra { low: 0, width: 2 }, Extra { low: 0, width: width + 2 }],
        Shape::Bytes if !width.is_multiple_of(8) => Vec::new(),
        _ => vec![Extra::default()],
    }
}
