//! Guards against truth tables: all functions of up to three conditions, random ones of up to ten.

use term::{Assignment, Guard, Guards, Node, Origin, TermId, Terms, VarId};

/// Conditions that are variables of one bit, with all guards over them as truth tables: bit `i` of a table is the value for
/// the assignment in which condition `k` has bit `k` of `i`.
struct Table {
    terms: Terms,
    guards: Guards,
    conditions: Vec<TermId>,
}

impl Table {
    fn new(conditions: usize, guards: Guards) -> Table {
        let mut terms = Terms::new();
        let conditions =
            (0..conditions).map(|it| terms.fresh(1, Origin::Parameter, &format!("c{it}"))).collect();
        Table { terms, guards, conditions }
    }

    fn rows(&self) -> usize {
        1 << self.conditions.len()
    }

    /// The guard with that table, by Shannon expansion over the last condition.
    fn guard(&mut self, table: &[bool]) -> Guard {
        if table.len() == 1 {
            return Guard::constant(table[0]);
        }
        let (low, high) = table.split_at(table.len() / 2);
        let low = self.guard(low);
        let high = self.guard(high);
        let condition = self.conditions[table.len().ilog2() as usize - 1];
        let condition = self.guards.condition(&self.terms, condition);
        self.guards.ite(&mut self.terms, condition, high, low)
    }

    fn table(&self, guard: Guard) -> Vec<bool> {
        (0..self.rows()).map(|row| self.guards.eval(guard, |term| self.holds(term, row))).collect()
    }

    fn holds(&self, term: TermId, row: usize) -> bool {
        if let Some(k) = self.conditions.iter().position(|&it| it == term) {
            return row >> k & 1 == 1;
        }
        let mut assignment = Assignment::new();
        for (k, &condition) in self.conditions.iter().enumerate() {
            assignment.set(var(&self.terms, condition), (row >> k & 1) as u128);
        }
        self.terms.eval(term, &assignment) == 1
    }

    /// The value of the term of a guard, row by row.
    fn term_table(&mut self, guard: Guard) -> Vec<bool> {
        let term = self.guards.to_term(&mut self.terms, guard);
        (0..self.rows()).map(|row| self.holds(term, row)).collect()
    }
}

fn var(terms: &Terms, term: TermId) -> VarId {
    let Node::Var(var) = terms.node(term) else { panic!("{term} is a variable") };
    var
}

fn bits(table: usize, rows: usize) -> Vec<bool> {
    (0..rows).map(|row| table >> row & 1 == 1).collect()
}

fn zip(a: &[bool], b: &[bool], op: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| op(a, b)).collect()
}

/// `∃ condition k. table`.
fn exists(table: &[bool], k: usize) -> Vec<bool> {
    (0..table.len()).map(|row| table[row] || table[row ^ (1 << k)]).collect()
}

fn cofactor(table: &[bool], k: usize, value: bool) -> Vec<bool> {
    (0..table.len()).map(|row| table[row & !(1 << k) | usize::from(value) << k]).collect()
}

#[test]
fn all_operations_on_all_functions_of_three_conditions_agree_with_truth_tables() {
    let mut cx = Table::new(3, Guards::new());
    let tables: Vec<Vec<bool>> = (0..256).map(|table| bits(table, 8)).collect();
    let guards: Vec<Guard> = tables.iter().map(|table| cx.guard(table)).collect();
    for (a, ta) in guards.iter().zip(&tables) {
        let not = cx.guards.not(&mut cx.terms, *a);
        assert_eq!(cx.table(not), ta.iter().map(|it| !it).collect::<Vec<_>>());
        assert_eq!(&cx.term_table(*a), ta);
        assert_eq!(&cx.term_table(not), &cx.table(not));
        for k in 0..3 {
            let condition = cx.conditions[k];
            let some = cx.guards.exists(&cx.terms, *a, &[condition]).expect("it is small");
            assert_eq!(cx.table(some), exists(ta, k));
            for value in [false, true] {
                let known = cx.guards.cofactor(&cx.terms, *a, condition, value);
                assert_eq!(cx.table(known), cofactor(ta, k, value));
                let negated = cx.terms.not(condition);
                assert_eq!(cx.guards.cofactor(&cx.terms, *a, negated, !value), known);
            }
        }
        for (b, tb) in guards.iter().zip(&tables) {
            assert_eq!(a == b, ta == tb, "equal guards should be equal functions");
            let and = cx.guards.and(&mut cx.terms, *a, *b);
            assert_eq!(cx.table(and), zip(ta, tb, |a, b| a && b));
            let or = cx.guards.or(&mut cx.terms, *a, *b);
            assert_eq!(cx.table(or), zip(ta, tb, |a, b| a || b));
            let xor = cx.guards.xor(&mut cx.terms, *a, *b);
            assert_eq!(cx.table(xor), zip(ta, tb, |a, b| a != b));
            let implies = cx.guards.implies(&mut cx.terms, *a, *b);
            assert_eq!(cx.table(implies), zip(ta, tb, |a, b| !a || b));
            let restricted = cx.guards.restrict(*a, *b);
            let cared = cx.guards.and(&mut cx.terms, restricted, *b);
            assert_eq!(cared, and, "a restricted guard should agree where it is cared for");
        }
    }
}

#[test]
fn all_functions_of_four_conditions_are_canonical_and_convert_to_terms() {
    let mut cx = Table::new(4, Guards::new());
    let mut seen = std::collections::BTreeSet::new();
    for table in (0..1 << 16).map(|table| bits(table, 16)) {
        let guard = cx.guard(&table);
        assert_eq!(cx.table(guard), table);
        let Guard::Bdd(edge) = guard else { panic!("it is small") };
        assert!(seen.insert(edge), "different functions should have different guards");
        let all = [0, 1, 2, 3].map(|k| cx.conditions[k]);
        let support = cx.guards.support(guard).expect("it is a diagram");
        let depends = |k: usize| cofactor(&table, k, true) != cofactor(&table, k, false);
        assert_eq!(
            support,
            all.into_iter().enumerate().filter(|&(k, _)| depends(k)).map(|it| it.1).collect::<Vec<_>>()
        );
        if seen.len() % 16 == 0 {
            assert_eq!(cx.term_table(guard), table);
        }
    }
}

/// A generator that gives the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// Random operations over so many conditions; `diagrams` says whether all results should be diagrams.
fn check_random(seed: u64, conditions: usize, guards: Guards, diagrams: bool) {
    let mut random = Random(seed);
    let mut cx = Table::new(conditions, guards);
    let rows = cx.rows();
    let mut known: Vec<(Guard, Vec<bool>)> = Vec::new();
    for k in 0..conditions {
        let guard = cx.guards.condition(&cx.terms, cx.conditions[k]);
        known.push((guard, (0..rows).map(|row| row >> k & 1 == 1).collect()));
    }
    for _ in 0..120 {
        let (a, ta) = known[random.below(known.len())].clone();
        let (b, tb) = known[random.below(known.len())].clone();
        let (c, tc) = known[random.below(known.len())].clone();
        let (terms, guards) = (&mut cx.terms, &mut cx.guards);
        let new = match random.below(6) {
            0 => (guards.and(terms, a, b), zip(&ta, &tb, |a, b| a && b)),
            1 => (guards.or(terms, a, b), zip(&ta, &tb, |a, b| a || b)),
            2 => (guards.xor(terms, a, b), zip(&ta, &tb, |a, b| a != b)),
            3 => (guards.not(terms, a), ta.iter().map(|it| !it).collect()),
            4 => {
                let ite = (0..rows).map(|row| if ta[row] { tb[row] } else { tc[row] }).collect();
                (guards.ite(terms, a, b, c), ite)
            }
            _ => {
                let (k, l) = (random.below(conditions), random.below(conditions));
                let over = [cx.conditions[k], cx.conditions[l]];
                match guards.exists(terms, a, &over) {
                    Some(guard) => (guard, exists(&exists(&ta, k), l)),
                    None => (a, ta),
                }
            }
        };
        assert_eq!(cx.table(new.0), new.1);
        assert!(!diagrams || matches!(new.0, Guard::Bdd(_)));
        assert_eq!(cx.term_table(new.0), new.1);
        if let Some(path) = cx.guards.one_path(new.0) {
            let holds = |row: &usize| path.iter().all(|&(term, value)| cx.holds(term, *row) == value);
            let on_path: Vec<usize> = (0..rows).filter(holds).collect();
            assert!(on_path.iter().all(|&row| new.1[row]), "a path should lead to true");
            assert!(!diagrams || !on_path.is_empty(), "a path should be possible");
        } else {
            assert!(new.1.iter().all(|it| !it), "only what never holds should have no path");
        }
        let back = cx.guards.to_term(&mut cx.terms, new.0);
        let back = cx.guards.of_term(&mut cx.terms, back);
        assert_eq!(cx.table(back), new.1);
        assert!(!diagrams || back == new.0, "a guard should survive its term");
        known.push(new);
    }
}

#[test]
fn random_guards_of_up_to_ten_conditions_agree_with_truth_tables() {
    for seed in 1..25 {
        check_random(seed, 1 + seed as usize % 10, Guards::new(), true);
    }
}

#[test]
fn guards_beyond_the_limits_become_terms_and_keep_their_meaning() {
    for seed in 1..12 {
        check_random(seed, 8, Guards::with_limits(100, 20), false);
        check_random(seed, 8, Guards::with_limits(4, 1000), false);
        check_random(seed, 8, Guards::with_limits(0, 0), false);
    }
}

#[test]
fn branches_that_meet_again_leave_no_guard() {
    let mut cx = Table::new(2, Guards::new());
    let (c, d) =
        (cx.guards.condition(&cx.terms, cx.conditions[0]), cx.guards.condition(&cx.terms, cx.conditions[1]));
    let (terms, guards) = (&mut cx.terms, &mut cx.guards);
    let not_c = guards.not(terms, c);
    let (left, right) = (guards.and(terms, c, d), guards.and(terms, not_c, d));
    assert_eq!(guards.or(terms, left, right), d);
    assert_eq!(guards.or(terms, c, not_c), Guard::TRUE);
}

#[test]
fn a_long_chain_of_branches_stays_small() {
    let mut cx = Table::new(3000, Guards::with_limits(3000, 9000));
    let mut guard = Guard::TRUE;
    for k in 0..3000 {
        let condition = cx.guards.condition(&cx.terms, cx.conditions[k]);
        guard = cx.guards.and(&mut cx.terms, guard, condition);
    }
    assert_eq!(cx.guards.nodes(guard), Some(3000));
    assert_eq!(cx.guards.support(guard), Some(cx.conditions.clone()));
    let term = cx.guards.to_term(&mut cx.terms, guard);
    assert_eq!(cx.guards.of_term(&mut cx.terms, term), guard);
    // Operations that go down the whole chain fit the stack of a test.
    let first = cx.conditions[0];
    let rest = cx.guards.exists(&cx.terms, guard, &[first]).expect("it is small");
    assert_eq!(cx.guards.cofactor(&cx.terms, guard, first, true), rest);
    assert_eq!(cx.guards.implies(&mut cx.terms, guard, rest), Guard::TRUE);
    assert_eq!(cx.guards.restrict(guard, rest), cx.guards.condition(&cx.terms, first));
}
