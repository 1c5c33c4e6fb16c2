//! Random programs over terms of all widths, at chosen values.

use fastrand::Rng;

use super::operation::{Extra, OPERATIONS, Shape};
use super::{Statistics, check_printed, check_stable};
use crate::arena::{TermId, Terms};
use crate::eval::Assignment;
use crate::node::Node;
use crate::value::{WIDEST, Width, mask};
use crate::var::Origin;

/// How many assignments each term is evaluated under.
const SAMPLES: usize = 6;

/// Widths that machines have, and those at the ends.
const WIDTHS: [Width; 12] = [1, 2, 7, 8, 16, 32, 32, 64, 64, 65, 127, 128];

/// Random programs of operations until that many terms were built.
pub fn random(count: u64, seed: u64) -> Result<Statistics, String> {
    let mut rng = Rng::with_seed(seed);
    let mut statistics = Statistics::default();
    while statistics.built < count {
        let mut program = Program::new(&mut rng);
        for _ in 0..60 {
            program.step(&mut rng)?;
        }
        program.check()?;
        program.statistics.kept = program.terms.len() as u64;
        statistics += program.statistics;
    }
    Ok(statistics)
}

/// A term with its values by definition.
struct Known {
    term: TermId,
    width: Width,
    values: [u128; SAMPLES],
    text: String,
}

struct Program {
    terms: Terms,
    pool: Vec<Known>,
    assignments: [Assignment; SAMPLES],
    statistics: Statistics,
}

impl Program {
    fn new(rng: &mut Rng) -> Program {
        let mut program = Program {
            terms: Terms::new(),
            pool: Vec::new(),
            assignments: Default::default(),
            statistics: Statistics::default(),
        };
        let width = WIDTHS[rng.usize(..WIDTHS.len())];
        let other = WIDTHS[rng.usize(..WIDTHS.len())];
        for (name, width) in [("x", width), ("p->len", width), ("x", width), ("*q", other), ("c", 1)] {
            program.variable(rng, name, width);
        }
        program
    }

    fn variable(&mut self, rng: &mut Rng, name: &str, width: Width) {
        let term = self.terms.fresh(width, Origin::Parameter, name);
        let values = std::array::from_fn(|_| value(rng, width));
        let Node::Var(var) = self.terms.node(term) else { unreachable!("a fresh term is a variable") };
        for (assignment, value) in self.assignments.iter_mut().zip(values) {
            assignment.set(var, value);
        }
        self.pool.push(Known { term, width, values, text: name.to_owned() });
    }

    /// One operation on what is there.
    fn step(&mut self, rng: &mut Rng) -> Result<(), String> {
        let operation = &OPERATIONS[rng.usize(..OPERATIONS.len())];
        let first = rng.usize(..self.pool.len());
        let width = self.pool[first].width;
        let mut operands = [first; 3];
        for (position, operand) in operands.iter_mut().enumerate().skip(1) {
            *operand = match operation.shape {
                Shape::Pair if position == 1 => rng.usize(..self.pool.len()),
                Shape::Choice => *operand,
                _ => self.pick(rng, width),
            };
        }
        match operation.shape {
            Shape::Choice => operands[0] = self.pick(rng, 1),
            // The first of two is the constant now and then.
            Shape::Two if rng.u8(..4) == 0 => operands.swap(0, 1),
            _ => {}
        }
        if operation.shape == Shape::Choice {
            operands[2] = self.pick(rng, width);
        }
        let extra = match operation.shape {
            Shape::Widen => Extra { low: 0, width: rng.u32(width..=WIDEST) },
            Shape::Compare => Extra { low: 0, width: rng.u32(2..=WIDEST) },
            Shape::Bytes if !width.is_multiple_of(8) => return Ok(()),
            Shape::Part => {
                let low = rng.u32(..width);
                Extra { low, width: rng.u32(1..=width - low) }
            }
            _ => Extra::default(),
        };
        self.apply(operation, operands, extra)
    }

    fn apply(
        &mut self,
        operation: &super::operation::Operation,
        operands: [usize; 3],
        extra: Extra,
    ) -> Result<(), String> {
        let known = operands.map(|it| &self.pool[it]);
        let last = if operation.shape == Shape::Choice { known[2].width } else { known[1].width };
        let last = if matches!(operation.shape, Shape::One | Shape::Bytes | Shape::Widen | Shape::Part) {
            known[0].width
        } else {
            last
        };
        let width = operation.width(last, known[0].width, extra);
        if width > WIDEST {
            return Ok(());
        }
        let values = std::array::from_fn(|it| operation.value(last, known.map(|one| one.values[it]), extra));
        let texts = known.map(|it| it.text.as_str());
        let mut text = format!("{}({}){extra:?}", operation.name, texts.join(", "));
        text.truncate(2000);
        let term = (operation.build)(&mut self.terms, known.map(|it| it.term), extra);
        for (assignment, expected) in self.assignments.iter().zip(values) {
            let found = self.terms.eval(term, assignment);
            if found != expected {
                let shown = self.terms.show(term);
                return Err(format!(
                    "{text} = `{shown}` should be {expected:#x}, is {found:#x}, for {assignment:?}"
                ));
            }
        }
        self.statistics.built += 1;
        self.statistics.values += SAMPLES as u64;
        if self.terms.size(term) < 60 {
            self.pool.push(Known { term, width, values, text });
        }
        Ok(())
    }

    /// Something of that width: mostly a term that is there, else a constant.
    fn pick(&mut self, rng: &mut Rng, width: Width) -> usize {
        let fitting: Vec<usize> = (0..self.pool.len()).filter(|&it| self.pool[it].width == width).collect();
        if !fitting.is_empty() && rng.u8(..3) > 0 {
            return fitting[rng.usize(..fitting.len())];
        }
        // A value that a term has, or one beside it, lest equations be never true and borders never met.
        let value = match fitting.get(rng.usize(..fitting.len() + 1)) {
            Some(&known) => {
                let near = self.pool[known].values[rng.usize(..SAMPLES)];
                near.wrapping_add(rng.u128(..3)).wrapping_sub(1) & mask(width)
            }
            None => value(rng, width),
        };
        let term = self.terms.constant(width, value);
        self.pool.push(Known { term, width, values: [value; SAMPLES], text: format!("{value:#x}:{width}") });
        self.pool.len() - 1
    }

    fn check(&mut self) -> Result<(), String> {
        check_stable(&mut self.terms, 0)?;
        for index in 0..self.pool.len() {
            let whole = check_printed(&mut self.terms, self.pool[index].term)?;
            self.statistics.printed += u64::from(whole);
        }
        Ok(())
    }
}

/// A value at an end of the range, or near 0, or a power of two, or any.
fn value(rng: &mut Rng, width: Width) -> u128 {
    let value = match rng.u8(..8) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (width - 1),
        4 => (1 << (width - 1)) - 1,
        5 => 1 << rng.u32(..width),
        6 => rng.u128(..20),
        _ => rng.u128(..),
    };
    value & mask(width)
}
