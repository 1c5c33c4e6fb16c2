//! Values that the fast tier leads to.
//!
//! Each variable in turn is given a value of those that the facts leave to it, and the facts are told
//! ([`Facts::fix`]); what they conclude leaves less to the next one. If the conditions hold for what comes
//! out, they have a model, and no circuit need be built. A few manners of choosing are tried, because most
//! conditions of programs are easy, in one way or another: addresses lie apart, numbers are small, sizes are
//! large enough.
//!
//! Law: an answer is checked by evaluation. What is not found says nothing.
//!
//! Source: the idea that a model is easier to guess than to search is that of concolic testing and of
//! counterexample caching (Cadar, Dunbar, Engler, *KLEE*, OSDI 2008, §3.3).

use base::{Id, limits};
use term::{Answer, Assignment, Facts, Range, TermId, Terms, VarId, Walk};

/// Guesses models of conjunctions.
#[derive(Debug, Default)]
pub(crate) struct Guesser {
    walk: Walk,
}

/// How values are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Small numbers, all of them different; addresses far apart.
    Tidy,
    /// The numbers closest to zero.
    Least,
    /// Numbers of thousands and millions.
    Large,
    /// Any of some, by this number.
    Mixed(u64),
}

const MANNERS: [Manner; 6] =
    [Manner::Tidy, Manner::Least, Manner::Large, Manner::Mixed(1), Manner::Mixed(2), Manner::Mixed(3)];

/// Nothing is allocated below; who must be as large as this is an address.
const FIRST_ADDRESS: u128 = 4096;

impl Guesser {
    /// Values for which all conditions hold, if they are found. `None` says nothing.
    pub(crate) fn guess(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Assignment> {
        if self.walk.size(terms, conditions) > limits::GUESS_NODES {
            return None;
        }
        let vars = self.walk.vars_of(terms, conditions);
        let mut facts = Facts::new();
        if conditions.iter().any(|&it| facts.assume(terms, it) == Answer::Unsat) {
            return None;
        }
        MANNERS.into_iter().find_map(|manner| {
            let assignment = chosen(terms, facts.clone(), &vars, manner)?;
            let values = self.walk.eval_all(terms, conditions, &assignment);
            values.into_iter().all(|it| it == 1).then_some(assignment)
        })
    }
}

/// A value for each variable, such that the facts see no contradiction.
fn chosen(terms: &Terms, mut facts: Facts, vars: &[VarId], manner: Manner) -> Option<Assignment> {
    let mut assignment = Assignment::new();
    for &var in vars {
        let term = terms.var_term(var);
        let range = facts.range(terms, term);
        let wanted = manner.wanted(terms, var, &range);
        let (least, most) = range.unsigned();
        let tries = [wanted, wanted + 1, least, most].into_iter().filter(|&it| range.contains(it));
        let (value, rest) = tries.into_iter().find_map(|value| {
            let mut rest = facts.clone();
            (rest.fix(terms, term, value) != Answer::Unsat).then_some((value, rest))
        })?;
        facts = rest;
        assignment.set(var, value);
    }
    Some(assignment)
}

impl Manner {
    /// The value that is tried first.
    fn wanted(self, terms: &Terms, var: VarId, range: &Range) -> u128 {
        let (least, most) = range.unsigned();
        let number = var.index() as u128;
        let wanted = match self {
            _ if least >= FIRST_ADDRESS => (number % (1 << 17) + 1) << 28,
            Manner::Tidy => number % 100 + 1,
            Manner::Least => 0,
            Manner::Large => 4096 + number % 100 * 4096,
            Manner::Mixed(seed) => {
                const SOME: [u128; 8] = [0, 1, 2, 16, 100, 4096, 1 << 20, u128::MAX];
                let mixed =
                    (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(2 * seed + 1);
                SOME[(mixed >> 61) as usize]
            }
        };
        let value = (wanted & term::mask(terms.width(terms.var_term(var)))).clamp(least, most);
        if range.contains(value) { value } else { least }
    }
}
