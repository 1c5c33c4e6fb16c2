//! Conditions as people read them: short, and in the program's own names; as data, of which `report` makes
//! sentences.
//!
//! Judgment: `read(φ)` says of observables what `∃ unobservables. φ` does, as far as elimination is exact.
//! Source: Dillig, Dillig, Aiken, SAS 2010, by [`solver::simplify`]. Departures: (1) two bounds of one value
//! are an interval, or an equality; (2) a number that tells variables of one name apart stands there only if
//! several of them do; (3) parts that say nothing (an allocation succeeds) are left out.

use base::{Id, limits};
use catalog::{Clause, Condition};
use solver::Solver;
use solver::eliminate::{necessary, unobservable};
use solver::simplify::{atoms, simplify};
use term::{Binary, Import, Node, TermId, Terms, Unary, VarId, mask, signed};

/// `∃ unobservables. condition` without parts that say nothing.
///
/// ```text
/// malloc() != 0 && p == 0   is   p == 0           argc == 3 && argc != 2   is   argc == 3
/// ```
pub fn about_callers(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let vars = unobservable(terms, condition);
    let condition = necessary(terms, solver, condition, &vars).condition;
    with_equalities(terms, solver, condition)
}

/// The same condition without parts that say nothing.
pub fn shortest(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let condition = simplify(terms, solver, condition);
    with_equalities(terms, solver, condition)
}

/// `a <= b && b <= a` is `a == b`.
fn with_equalities(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let mut parts = flat(terms, condition, Joint::All);
    if parts.len() > limits::CONDITION_COMPARED {
        return condition;
    }
    let mut later = 1;
    while later < parts.len() {
        let equal = (0..later).find_map(|earlier| {
            equality(terms, solver, (parts[earlier], parts[later])).map(|equal| (earlier, equal))
        });
        match equal {
            Some((earlier, equal)) => {
                parts[earlier] = equal;
                parts.remove(later);
            }
            None => later += 1,
        }
    }
    terms.conjunction(&parts)
}

/// The equality that two inequalities amount to.
fn equality(terms: &mut Terms, solver: &mut Solver, (first, second): (TermId, TermId)) -> Option<TermId> {
    let ((a, b), (c, d)) = (compared(terms, first)?, compared(terms, second)?);
    let candidates = match (terms.value(a), terms.value(b)) {
        // `n <= 3` is `n < 4`: the only value is the bound or next to it.
        (Some(_), _) if b == d || b == c => near(terms, b, a),
        (_, Some(_)) if a == c || a == d => near(terms, a, b),
        _ if (a, b) == (c, d) || (a, b) == (d, c) => vec![terms.eq(a, b)],
        _ => return None,
    };
    candidates.into_iter().find(|&equal| {
        let differs = terms.not(equal);
        terms.value(equal).is_none() && solver.check(terms, &[first, second, differs]).is_unsat()
    })
}

/// `value` is `bound`, or the number before or behind it.
fn near(terms: &mut Terms, value: TermId, bound: TermId) -> Vec<TermId> {
    let one = terms.constant(terms.width(value), 1);
    let (less, more) = (terms.sub(bound, one), terms.add(bound, one));
    [bound, less, more].map(|bound| terms.eq(value, bound)).to_vec()
}

/// The two values that an inequality orders.
fn compared(terms: &Terms, condition: TermId) -> Option<(TermId, TermId)> {
    let atom = match terms.node(condition) {
        Node::Unary(Unary::Not, inner) => inner,
        _ => condition,
    };
    match terms.node(atom) {
        Node::Binary(Binary::Ult | Binary::Slt, a, b) => Some((a, b)),
        _ => None,
    }
}

/// The condition as data: numbers tell variables of one name apart only if it mentions several of them, and bounds of one value are one interval. `is_pointer` says which of its
/// variables are pointers.
pub fn read(terms: &Terms, condition: TermId, is_pointer: &dyn Fn(VarId) -> bool) -> Condition {
    if atoms(terms, condition) > limits::SIMPLIFY_ATOMS {
        return Condition::of(Clause::Holds(terms.show(condition).to_string()));
    }
    let mut own = Terms::new();
    let mut pointers = Vec::new();
    let mut import = Import::default();
    for var in terms.vars_of(condition) {
        let data = terms.var(var);
        let image = own.fresh(data.width, data.origin, named(terms, var));
        pointers.push(is_pointer(var));
        import.bind(var, image);
    }
    let mut unbound = |_: &mut Terms, var| unreachable!("invariant: {var:?} is bound with all others");
    let condition = import.term(&mut own, terms, condition, &mut unbound);
    Reader { terms: own, pointers }.conjunction(condition)
}

/// A term as text: numbers tell variables of one name apart only if it mentions several of them.
pub fn text(terms: &Terms, term: TermId) -> String {
    if let Some(value) = terms.value(term) {
        return value.to_string();
    }
    let mut own = Terms::new();
    let mut import = Import::default();
    for var in terms.vars_of(term) {
        let data = terms.var(var);
        let image = own.fresh(data.width, data.origin, named(terms, var));
        import.bind(var, image);
    }
    let mut unbound = |_: &mut Terms, var| unreachable!("invariant: {var:?} is bound with all others");
    let term = import.term(&mut own, terms, term, &mut unbound);
    without_numbers_of_calls(&own.show(term).to_string())
}

/// What the analysis lost has no name.
fn named(terms: &Terms, var: VarId) -> &str {
    Some(terms.name(var)).filter(|name| !name.is_empty()).unwrap_or("unknown")
}

/// Two calls may return two things, as everybody knows: `f()'2 < f()` is `f() < f()`.
fn without_numbers_of_calls(text: &str) -> String {
    let mut parts = text.split("()'");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("()");
        shown.push_str(part.trim_start_matches(|it: char| it.is_ascii_digit()));
    }
    shown
}

/// A condition in an arena of its own.
struct Reader {
    terms: Terms,
    /// By variable.
    pointers: Vec<bool>,
}

impl Reader {
    fn conjunction(&mut self, condition: TermId) -> Condition {
        let parts = self.sorted(condition, Joint::All);
        let bounds: Vec<Option<Bound>> = parts.iter().map(|&part| bound(&self.terms, part)).collect();
        let mut all = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            match bounds[at] {
                None => all.extend(self.clause(part)),
                // The first bound of a value says all of them.
                Some(own) if bounds[..at].iter().flatten().any(|it| it.is_of_same(&own)) => {}
                Some(own) => all.extend(self.interval(&parts, &bounds, own)),
            }
        }
        Condition { all }
    }

    /// The bounds of one value: the largest lower one and the least upper one.
    fn interval(&mut self, parts: &[TermId], bounds: &[Option<Bound>], own: Bound) -> Option<Clause> {
        let all = || bounds.iter().zip(parts).filter_map(|(bound, &part)| Some(((*bound)?, part)));
        let tightest = |is_upper: bool| {
            let of_side = all().filter(|(it, _)| it.is_of_same(&own) && it.is_upper == is_upper);
            of_side.reduce(|best, it| if it.0.is_tighter(&best.0, &self.terms) { it } else { best })
        };
        let (low, high) = (tightest(false), tightest(true));
        match (low, high) {
            (Some((low, _)), Some((high, _))) if low.number == high.number => {
                let number = self.terms.constant(self.terms.width(low.value), low.number);
                let equal = self.terms.eq(low.value, number);
                self.clause(equal)
            }
            (Some((low, _)), Some((high, _))) => {
                let value = self.shown(low.value);
                Some(Clause::Between(value, low.text(&self.terms), high.text(&self.terms)))
            }
            (Some((_, part)), None) | (None, Some((_, part))) => self.clause(part),
            (None, None) => None,
        }
    }

    /// None: it always holds.
    fn clause(&mut self, part: TermId) -> Option<Clause> {
        match self.terms.value(part) {
            Some(0) => return Some(Clause::Never),
            Some(_) => return None,
            None => {}
        }
        if joint(&self.terms, part) == Some(Joint::Any) {
            let any = self.sorted(part, Joint::Any);
            return Some(Clause::Any(any.into_iter().map(|it| self.conjunction(it)).collect()));
        }
        Some(match self.tested_pointer(part) {
            Some((pointer, true)) => Clause::Null(self.shown(pointer)),
            Some((pointer, false)) => Clause::NotNull(self.shown(pointer)),
            None => Clause::Holds(self.shown(part)),
        })
    }

    /// A term as C. Calls with their arguments need no quotes for people.
    fn shown(&self, term: TermId) -> String {
        let text = without_numbers_of_calls(&self.terms.show(term).to_string());
        let parts: Vec<&str> = text.split('`').collect();
        let is_call = |name: &str| {
            name.ends_with(')') && name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        };
        let is_quoted = |at: usize| at % 2 == 1 && at + 1 < parts.len();
        let mut shown = String::with_capacity(text.len());
        for (at, part) in parts.iter().enumerate() {
            match is_quoted(at) && !is_call(part) {
                true => shown.push_str(&format!("`{part}`")),
                false => shown.push_str(part),
            }
        }
        shown
    }

    /// The pointer that a condition compares with null, and whether it says that it is null.
    fn tested_pointer(&self, part: TermId) -> Option<(TermId, bool)> {
        let (equality, is_null) = match self.terms.node(part) {
            Node::Unary(Unary::Not, inner) => (inner, false),
            _ => (part, true),
        };
        let Node::Binary(Binary::Eq, a, b) = self.terms.node(equality) else { return None };
        let (pointer, other) = if self.terms.value(a).is_some() { (b, a) } else { (a, b) };
        let Node::Var(var) = self.terms.node(pointer) else { return None };
        let is_pointer = self.pointers.get(var.index()).copied().unwrap_or(false);
        (is_pointer && self.terms.value(other) == Some(0)).then_some((pointer, is_null))
    }

    /// The parts of a conjunction or disjunction. Variables are numbered in the order in which the program came to them.
    fn sorted(&mut self, condition: TermId, joint: Joint) -> Vec<TermId> {
        let mut parts = flat(&mut self.terms, condition, joint);
        parts.sort_by_cached_key(|&part| (self.terms.vars_of(part), self.terms.show(part).to_string()));
        parts
    }
}

/// The largest or the least number that a value may be.
#[derive(Clone, Copy)]
struct Bound {
    value: TermId,
    /// A number that fits the value.
    number: u128,
    is_upper: bool,
    is_signed: bool,
}

impl Bound {
    fn is_of_same(&self, other: &Bound) -> bool {
        (self.value, self.is_signed) == (other.value, other.is_signed)
    }

    /// Of two bounds on the same side: whether this one leaves less.
    fn is_tighter(&self, other: &Bound, terms: &Terms) -> bool {
        let sign = if self.is_signed { 1 << (terms.width(self.value) - 1) } else { 0 };
        let (own, other) = (self.number ^ sign, other.number ^ sign);
        if self.is_upper { own < other } else { own > other }
    }

    fn text(&self, terms: &Terms) -> String {
        match self.is_signed {
            true => signed(terms.width(self.value), self.number).to_string(),
            false => format!("{}u", self.number),
        }
    }
}

/// The bound that an inequality with a number is.
fn bound(terms: &Terms, condition: TermId) -> Option<Bound> {
    let (atom, holds) = match terms.node(condition) {
        Node::Unary(Unary::Not, inner) => (inner, false),
        _ => (condition, true),
    };
    let (a, b, is_signed) = match terms.node(atom) {
        Node::Binary(Binary::Slt, a, b) => (a, b, true),
        Node::Binary(Binary::Ult, a, b) => (a, b, false),
        _ => return None,
    };
    let step = |value: TermId, number: u128, by: u128| number.wrapping_add(by) & mask(terms.width(value));
    // a < b: a is at most b - 1; b is at least a + 1. Otherwise a is at least b; b is at most a.
    let (value, number, is_upper) = match (terms.value(a), terms.value(b), holds) {
        (None, Some(b), true) => (a, step(a, b, u128::MAX), true),
        (None, Some(b), false) => (a, b, false),
        (Some(a), None, true) => (b, step(b, a, 1), false),
        (Some(a), None, false) => (b, a, true),
        _ => return None,
    };
    Some(Bound { value, number, is_upper, is_signed })
}

/// What conditions are put together by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    All,
    Any,
}

fn joint(terms: &Terms, condition: TermId) -> Option<Joint> {
    if terms.width(condition) != 1 {
        return None;
    }
    match terms.node(condition) {
        Node::Binary(Binary::And, ..) => Some(Joint::All),
        Node::Binary(Binary::Or, ..) => Some(Joint::Any),
        // !(a && b) = !a || !b
        Node::Unary(Unary::Not, inner) => match joint(terms, inner)? {
            Joint::All => Some(Joint::Any),
            Joint::Any => Some(Joint::All),
        },
        _ => None,
    }
}

/// The parts of a conjunction or disjunction that are none themselves, each once.
fn flat(terms: &mut Terms, condition: TermId, joint: Joint) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut todo = vec![condition];
    while let Some(next) = todo.pop() {
        if self::joint(terms, next) != Some(joint) {
            if !parts.contains(&next) {
                parts.push(next);
            }
            continue;
        }
        match terms.node(next) {
            Node::Binary(_, a, b) => todo.extend([b, a]),
            Node::Unary(_, inner) => {
                let Node::Binary(_, a, b) = terms.node(inner) else { continue };
                let (a, b) = (terms.not(a), terms.not(b));
                todo.extend([b, a]);
            }
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use term::Origin;

    use super::*;

    fn read(terms: &mut Terms, text: &str, declared: &[TermId]) -> TermId {
        term::parse(terms, text, declared).expect("the condition should be readable")
    }

    fn shown(terms: &Terms, condition: TermId) -> String {
        super::read(terms, condition, &|_| false).to_string()
    }

    #[test]
    fn pointers_and_intervals_are_told() {
        let mut terms = Terms::new();
        let declared = [
            terms.fresh(32, Origin::Parameter, "n"),
            terms.fresh(64, Origin::Parameter, "p"),
            terms.fresh(32, Origin::Parameter, "m"),
        ];
        let is_pointer = |var: VarId| var.index() == 1;
        let mut data = |text: &str| {
            let condition = read(&mut terms, text, &declared);
            super::read(&terms, condition, &is_pointer)
        };
        let between = |low: &str, high: &str| Clause::Between("n".into(), low.into(), high.into());
        let all = data("n > 0 && n < 8 && p != 0 && m == 3");
        assert_eq!(all.all, [between("1", "7"), Clause::NotNull("p".into()), Clause::Holds("m == 3".into())]);
        assert_eq!(data("n >= -2 && n <= 2").all, [between("-2", "2")]);
        assert_eq!(data("n >= 2u && n < 9u").all, [between("2u", "8u")]);
        assert_eq!(data("n > 0").all, [Clause::Holds("n > 0".into())]);
        // Of several bounds the tightest ones count, and two that meet are an equality.
        assert_eq!(data("n > 0 && n > 1 && n < 9 && n < 8").all, [between("2", "7")]);
        assert_eq!(data("n > -5 && n < 4 && n > 2").all, [Clause::Holds("n == 3".into())]);
        assert_eq!(data("n > -5 && n > -7").all, [Clause::Holds("n >= -4".into())]);
        let any = data("p == 0 || n > 0 && n < 3");
        let expected = vec![Condition::of(between("1", "2")), Condition::of(Clause::Null("p".into()))];
        assert_eq!(any.all, [Clause::Any(expected)]);
    }

    #[test]
    fn numbers_tell_apart_what_is_there_only() {
        let mut terms = Terms::new();
        let first = terms.fresh(32, Origin::InitialMemory, "*slot");
        let second = terms.fresh(32, Origin::InitialMemory, "*slot");
        let alone = terms.nonzero(second);
        assert_eq!(terms.show(alone).to_string(), "*slot'2 != 0");
        assert_eq!(shown(&terms, alone), "*slot != 0");
        let both = terms.eq(first, second);
        assert_eq!(shown(&terms, both), "*slot == *slot'2");
    }

    #[test]
    fn calls_are_not_numbered_and_what_was_lost_is_unknown() {
        let mut terms = Terms::new();
        let [first, second] = [0, 1].map(|_| terms.fresh(32, Origin::UnknownCall, "any()"));
        let lost = terms.fresh(32, Origin::NotFollowed, "");
        let equal = terms.eq(first, second);
        assert_eq!(shown(&terms, equal), "any() == any()");
        let sum = terms.add(first, second);
        assert_eq!(text(&terms, sum), "any() + any()");
        let lost = terms.eq(lost, first);
        assert!(shown(&terms, lost).contains("unknown"), "{}", shown(&terms, lost));
    }

    #[test]
    fn nobody_needs_to_count_parentheses() {
        let mut terms = Terms::new();
        let declared = ["a", "b", "c", "d"].map(|name| terms.fresh(32, Origin::Parameter, name));
        for written in [
            "a == 0 && b == 0 && c == 0 && d == 0",
            "a == 0 || b == 0 || c == 0",
            "a == 0 && (b == 0 || c == 0) && d == 0",
        ] {
            let condition = read(&mut terms, written, &declared);
            assert_eq!(shown(&terms, condition), written);
        }
    }

    #[test]
    fn what_callers_do_not_choose_is_left_out() {
        let mut terms = Terms::new();
        let declared = [
            terms.fresh(32, Origin::Parameter, "n"),
            terms.fresh(64, Origin::Parameter, "p"),
            terms.fresh(64, Origin::Allocation, "block"),
        ];
        let mut solver = Solver::new();
        let condition = read(&mut terms, "block != 0 && p == 0", &declared);
        let condition = about_callers(&mut terms, &mut solver, condition);
        assert_eq!(shown(&terms, condition), "p == 0");
        let condition = read(&mut terms, "n == 3 && n != 2", &declared);
        let condition = shortest(&mut terms, &mut solver, condition);
        assert_eq!(shown(&terms, condition), "n == 3");
        let condition = read(&mut terms, "n <= 0 && n >= 0", &declared);
        let condition = shortest(&mut terms, &mut solver, condition);
        assert_eq!(shown(&terms, condition), "n == 0");
    }
}
