//! Conditions as people read them: short, and in the program's own names.

use base::limits;
use solver::Solver;
use solver::eliminate::{necessary, unobservable};
use solver::simplify::{atoms, simplify};
use term::Import;
use term::{Binary, Node, TermId, Terms, Unary, VarId};

/// `∃ unobservables. condition` without parts that say nothing.
///
/// ```text
/// malloc() != 0 && p == 0   is   p == 0           argc == 3 && argc != 2   is   argc == 3
/// ```
pub(crate) fn about_callers(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let vars = unobservable(terms, condition);
    let condition = necessary(terms, solver, condition, &vars).condition;
    with_equalities(terms, solver, condition)
}

/// The same condition without parts that say nothing.
pub(crate) fn shortest(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let condition = simplify(terms, solver, condition);
    with_equalities(terms, solver, condition)
}

/// `a <= b && b <= a` is `a == b`.
fn with_equalities(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let mut parts = flat(terms, condition, Joint::All);
    if parts.len() > MAX_COMPARED {
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

/// Conjuncts of the longest condition whose conjuncts are compared with one another.
const MAX_COMPARED: usize = 12;

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

/// The condition as text: numbers tell variables of one name apart only if it mentions several of them, and there are no parentheses that nobody needs.
pub(crate) fn text(terms: &Terms, condition: TermId) -> String {
    if atoms(terms, condition) > limits::SIMPLIFY_ATOMS {
        return terms.show(condition).to_string();
    }
    let mut own = Terms::new();
    let mut import = Import::default();
    for var in terms.vars_of(condition) {
        let data = terms.var(var);
        let image = own.fresh(data.width, data.origin, terms.name(var));
        import.bind(var, image);
    }
    let mut unbound = |_: &mut Terms, var| unreachable!("invariant: {var:?} is bound with all others");
    let condition = import.term(&mut own, terms, condition, &mut unbound);
    joined(&mut own, condition)
}

/// What conditions are put together by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    All,
    Any,
}

fn joined(terms: &mut Terms, condition: TermId) -> String {
    let Some(joint) = joint(terms, condition) else { return terms.show(condition).to_string() };
    let mut parts: Vec<(Vec<VarId>, String)> = Vec::new();
    for part in flat(terms, condition, joint) {
        let text = match self::joint(terms, part) {
            Some(_) => format!("({})", joined(terms, part)),
            None => terms.show(part).to_string(),
        };
        parts.push((terms.vars_of(part), text));
    }
    // Variables are numbered in the order in which the program came to them.
    parts.sort();
    let texts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
    texts.join(if joint == Joint::All { " && " } else { " || " })
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

    #[test]
    fn numbers_tell_apart_what_is_there_only() {
        let mut terms = Terms::new();
        let first = terms.fresh(32, Origin::InitialMemory, "*slot");
        let second = terms.fresh(32, Origin::InitialMemory, "*slot");
        let alone = terms.nonzero(second);
        assert_eq!(terms.show(alone).to_string(), "*slot'2 != 0");
        assert_eq!(text(&terms, alone), "*slot != 0");
        let both = terms.eq(first, second);
        assert_eq!(text(&terms, both), "*slot == *slot'2");
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
            assert_eq!(text(&terms, condition), written);
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
        assert_eq!(text(&terms, condition), "p == 0");
        let condition = read(&mut terms, "n == 3 && n != 2", &declared);
        let condition = shortest(&mut terms, &mut solver, condition);
        assert_eq!(text(&terms, condition), "n == 3");
        let condition = read(&mut terms, "n <= 0 && n >= 0", &declared);
        let condition = shortest(&mut terms, &mut solver, condition);
        assert_eq!(text(&terms, condition), "n == 0");
    }
}
