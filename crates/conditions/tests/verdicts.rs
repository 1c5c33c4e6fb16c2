//! The verdict against its definition: Le et al., OOPSLA 2022, Thm 3.5 and Def. 3.6, the summaries S1 to S5 of §3.3, and brute force.

use catalog::Verdict;
use conditions::{Case, Judged, Memory, Wanted, judge};
use solver::Solver;
use term::{Assignment, Node, Origin, TermId, Terms, VarId};

/// A function whose errors are judged.
#[derive(Default)]
struct Function {
    terms: Terms,
    solver: Solver,
}

impl Function {
    fn parameter(&mut self, name: &str) -> TermId {
        self.terms.fresh(64, Origin::Parameter, name)
    }

    /// The address of new memory.
    fn allocation(&mut self, name: &str) -> TermId {
        self.terms.fresh(64, Origin::Allocation, name)
    }

    fn is(&mut self, term: TermId, value: u128) -> TermId {
        let value = self.terms.constant(self.terms.width(term), value);
        self.terms.eq(term, value)
    }

    fn is_not(&mut self, term: TermId, value: u128) -> TermId {
        let equal = self.is(term, value);
        self.terms.not(equal)
    }

    fn var(&self, term: TermId) -> VarId {
        var_of(&self.terms, term)
    }

    fn judge(&mut self, cases: &[Case]) -> Option<Judged> {
        judge(&mut self.terms, &mut self.solver, cases, Wanted::Condition)
    }

    /// The verdict; the same whether or not somebody reads the condition.
    fn verdict(&mut self, cases: &[Case]) -> Option<Verdict> {
        let read = self.judge(cases).map(|judged| judged.verdict);
        let unread =
            judge(&mut self.terms, &mut self.solver, cases, Wanted::Verdict).map(|judged| judged.verdict);
        assert_eq!(read, unread, "the verdict should not depend on who reads the condition");
        read
    }
}

fn var_of(terms: &Terms, term: TermId) -> VarId {
    match terms.node(term) {
        Node::Var(var) => var,
        other => panic!("{other:?} should be a variable"),
    }
}

/// An error that happens under conditions, and asks for nothing else.
fn under(conditions: &[TermId]) -> Case {
    Case {
        conditions: conditions.to_vec(),
        laws: Vec::new(),
        apart: Vec::new(),
        defined: Vec::new(),
        negative: false,
        locations: Vec::new(),
        memory: Vec::new(),
    }
}

const MANIFEST: Option<Verdict> = Some(Verdict::Manifest);
const LATENT: Option<Verdict> = Some(Verdict::Latent);

#[test]
fn what_asks_for_nothing_is_manifest() {
    let mut function = Function::default();
    let judged = function.judge(&[under(&[])]).expect("it should be possible");
    assert_eq!(judged.verdict, Verdict::Manifest);
    assert_eq!(function.terms.value(judged.condition), Some(1), "a manifest error happens always");
    assert_eq!(judged.possible, [0]);
}

/// Thm 3.5 (1): `p ≡ emp ∧ true`, as Def. 3.6 relaxes it.
#[test]
fn condition_1_the_presumption_has_no_freed_memory() {
    let mut function = Function::default();
    let negative = Case { negative: true, ..under(&[]) };
    assert_eq!(function.verdict(&[negative]), LATENT);
}

/// Thm 3.5 (2): `sat(q)`.
#[test]
fn condition_2_the_result_is_satisfiable() {
    let mut function = Function::default();
    let flag = function.parameter("flag");
    let (set, unset) = (function.is_not(flag, 0), function.is(flag, 0));
    assert_eq!(function.verdict(&[under(&[set, unset])]), None);
    // What no caller chooses must be possible, too.
    let result = function.allocation("r");
    let (failed, succeeded) = (function.is(result, 0), function.is_not(result, 0));
    assert_eq!(function.verdict(&[under(&[failed, succeeded])]), None);
}

/// Thm 3.5 (2), with what holds because memory exists: `free(p); if (!p) error();`
#[test]
fn condition_2_knows_that_memory_exists() {
    let mut function = Function::default();
    let p = function.parameter("p");
    let (null, nonnull) = (function.is(p, 0), function.is_not(p, 0));
    assert_eq!(function.verdict(&[under(&[null])]), LATENT);
    assert_eq!(function.verdict(&[Case { laws: vec![nonnull], ..under(&[null]) }]), None);
}

/// Thm 3.5 (3): `locs(κ) ⊆ X`; new memory may be anywhere.
#[test]
fn condition_3_new_memory_lies_nowhere_in_particular() {
    let mut function = Function::default();
    let (x, y) = (function.parameter("x"), function.allocation("y"));
    let equal = function.terms.eq(y, x);
    let locations = vec![function.var(y)];
    assert_eq!(function.verdict(&[Case { locations, ..under(&[equal]) }]), LATENT);
    // The contrast: a result that the environment does choose can be what the error needs.
    assert_eq!(function.verdict(&[under(&[equal])]), MANIFEST);
}

/// Thm 3.5 (4): the pure part is satisfiable for all choices of callers, and of locations.
#[test]
fn condition_4_callers_cannot_prevent_it() {
    let mut function = Function::default();
    let (flag, r) = (function.parameter("flag"), function.allocation("r"));
    let set = function.is_not(flag, 0);
    assert_eq!(function.verdict(&[under(&[set])]), LATENT);
    // r < flag: no r is below 0.
    let below = function.terms.ult(r, flag);
    assert_eq!(function.verdict(&[under(&[below])]), LATENT);
    // r <= flag: 0 is, whatever the flag is.
    let at_most = function.terms.ule(r, flag);
    assert_eq!(function.verdict(&[under(&[at_most])]), MANIFEST);
    // Nobody chooses where new memory lies.
    let page = function.terms.constant(64, 1 << 40);
    let low = function.terms.ult(r, page);
    let locations = vec![function.var(r)];
    assert_eq!(function.verdict(&[Case { locations, ..under(&[low]) }]), LATENT);
}

/// Def. 3.6: memory that must exist does no harm, freed memory does.
#[test]
fn relaxed_positive_memory_stays_manifest() {
    let mut function = Function::default();
    let p = function.parameter("p");
    let exists = function.is_not(p, 0);
    let positive = Case { laws: vec![exists], ..under(&[]) };
    assert_eq!(function.verdict(std::slice::from_ref(&positive)), MANIFEST);
    assert_eq!(function.verdict(&[Case { negative: true, ..positive }]), LATENT);
}

/// `z := malloc(); if (z = x) error();` with the location in the heap (S1) or by an equality (S2).
#[test]
fn s1_and_s2_are_latent() {
    let mut function = Function::default();
    let (x, y) = (function.parameter("x"), function.allocation("y"));
    let equal = function.terms.eq(y, x);
    let exists = function.is_not(y, 0);
    let locations = vec![function.var(y)];
    let s1 = Case { laws: vec![exists], locations: locations.clone(), ..under(&[equal]) };
    let s2 = Case { locations, ..under(&[exists, equal]) };
    assert_eq!(function.verdict(&[s1]), LATENT);
    assert_eq!(function.verdict(&[s2]), LATENT);
}

/// `if (x = 7) error();`
#[test]
fn s3_is_latent() {
    let mut function = Function::default();
    let x = function.parameter("x");
    let seven = function.is(x, 7);
    assert_eq!(function.verdict(&[under(&[seven])]), LATENT);
}

/// `free(x); [x] := 2`: at the free (S4) and at the write (S5).
#[test]
fn s4_is_latent_and_s5_is_manifest() {
    let mut function = Function::default();
    let x = function.parameter("x");
    let exists = function.is_not(x, 0);
    let s4 = Case { negative: true, ..under(&[]) };
    let s5 = Case { laws: vec![exists], ..under(&[]) };
    assert_eq!(function.verdict(std::slice::from_ref(&s4)), LATENT);
    assert_eq!(function.verdict(std::slice::from_ref(&s5)), MANIFEST);
    // Judged together, the negative one takes nothing away.
    assert_eq!(function.verdict(&[s4, s5]), MANIFEST);
}

/// Rule Disj of ISL: `if (b) error(); else error();`
#[test]
fn disj_two_halves_are_manifest_together() {
    let mut function = Function::default();
    let b = function.parameter("b");
    let (yes, no) = (function.is_not(b, 0), function.is(b, 0));
    let halves = [under(&[yes]), under(&[no])];
    assert_eq!(function.verdict(&halves[..1]), LATENT);
    assert_eq!(function.verdict(&halves[1..]), LATENT);
    assert_eq!(function.verdict(&halves), MANIFEST);
    // Freed memory in one of them leaves a hole.
    let [first, second] = halves;
    assert_eq!(function.verdict(&[first, Case { negative: true, ..second }]), LATENT);
}

#[test]
fn impossible_cases_are_left_out() {
    let mut function = Function::default();
    let b = function.parameter("b");
    let (yes, no) = (function.is_not(b, 0), function.is(b, 0));
    let judged = function.judge(&[under(&[yes, no]), under(&[])]).expect("the second should be possible");
    assert_eq!((judged.verdict, judged.possible), (Verdict::Manifest, vec![1]));
}

/// `r = malloc(n); *r = 1;`
#[test]
fn the_environment_lets_an_allocation_fail() {
    let mut function = Function::default();
    let (r, flag) = (function.allocation("r"), function.parameter("flag"));
    let (failed, set) = (function.is(r, 0), function.is_not(flag, 0));
    assert_eq!(function.verdict(&[under(&[failed])]), MANIFEST);
    assert_eq!(function.verdict(&[under(&[failed, set])]), LATENT);
}

/// `free(p); if (p) *p = 1;`
#[test]
fn laws_make_a_null_check_hold() {
    let mut function = Function::default();
    let p = function.parameter("p");
    let nonnull = function.is_not(p, 0);
    let page = function.terms.constant(64, 4096);
    let exists = function.terms.uge(p, page);
    assert_eq!(function.verdict(&[under(&[nonnull])]), LATENT);
    assert_eq!(function.verdict(&[Case { laws: vec![exists], ..under(&[nonnull]) }]), MANIFEST);
}

/// `m = 10 / n; error();`: what C leaves undefined makes paths impossible, but lets no error depend on callers.
#[test]
fn what_is_undefined_is_no_way_to_prevent_an_error() {
    let mut function = Function::default();
    let (n, flag) = (function.parameter("n"), function.parameter("flag"));
    let (defined, set) = (vec![function.is_not(n, 0)], function.is_not(flag, 0));
    assert_eq!(function.verdict(&[Case { defined: defined.clone(), ..under(&[]) }]), MANIFEST);
    assert_eq!(function.verdict(&[Case { defined: defined.clone(), ..under(&[set]) }]), LATENT);
    let zero = function.is(n, 0);
    assert_eq!(function.verdict(&[Case { defined, ..under(&[zero]) }]), None);
}

/// `if (p == &local) … else …`: what holds of memory on one path need not hold on the other, and nothing follows from both.
#[test]
fn laws_of_paths_that_exclude_one_another_imply_nothing() {
    let mut function = Function::default();
    let (p, flag) = (function.parameter("p"), function.parameter("flag"));
    let (here, elsewhere, set) = (function.is(p, 4096), function.is_not(p, 4096), function.is(flag, 1));
    let cases = [here, elsewhere].map(|law| Case { laws: vec![law], ..under(&[set]) });
    assert_eq!(function.verdict(&cases), LATENT, "a caller that passes another flag prevents it");
}

/// `if (get() * n == 7) error();`: an odd factor is needed, which elimination does not find out.
#[test]
fn what_is_only_approximated_is_not_manifest() {
    let mut function = Function::default();
    let n = function.terms.fresh(16, Origin::Parameter, "n");
    let got = function.terms.fresh(16, Origin::UnknownCall, "get()");
    let product = function.terms.mul(n, got);
    let seven = function.is(product, 7);
    let vars = [function.var(got)];
    let result = solver::eliminate::necessary(&mut function.terms, &mut function.solver, seven, &vars);
    assert!(!result.exact, "the test should be about an approximation");
    assert_eq!(function.verdict(&[under(&[seven])]), LATENT);
}

#[test]
fn a_latent_condition_reads_like_c() {
    let mut function = Function::default();
    let (flag, r) = (function.parameter("flag"), function.allocation("r"));
    let (set, failed) = (function.is_not(flag, 0), function.is(r, 0));
    let judged = function.judge(&[under(&[failed, set])]).expect("it should be possible");
    assert_eq!(function.terms.show(judged.condition).to_string(), "flag != 0");
    // What holds anyway, because the memory exists, is not said.
    let p = function.parameter("p");
    let nonnull = function.is_not(p, 0);
    let page = function.terms.constant(64, 4096);
    let exists = function.terms.uge(p, page);
    let case = Case { laws: vec![exists], ..under(&[nonnull, set]) };
    let judged = function.judge(&[case]).expect("it should be possible");
    assert_eq!(function.terms.show(judged.condition).to_string(), "flag != 0");
}

/// Small variables, of which all values can be tried.
struct Small {
    terms: Terms,
    /// A parameter, the address of new memory, and two values of the environment.
    vars: [TermId; 4],
}

const SMALL_WIDTH: u32 = 2;

impl Small {
    fn new() -> Small {
        let mut terms = Terms::new();
        let origins = [Origin::Parameter, Origin::Allocation, Origin::UnknownCall, Origin::Allocation];
        let vars = origins.map(|origin| terms.fresh(SMALL_WIDTH, origin, "v"));
        Small { terms, vars }
    }

    /// A random comparison of the first `n_vars` variables.
    fn atom(&mut self, random: &mut fastrand::Rng, n_vars: usize) -> TermId {
        let left = self.vars[random.usize(..n_vars)];
        let right = match random.bool() {
            true => self.vars[random.usize(..n_vars)],
            false => self.terms.constant(SMALL_WIDTH, random.u128(..4)),
        };
        match random.u8(..4) {
            0 => self.terms.eq(left, right),
            1 => self.terms.ne(left, right),
            2 => self.terms.ult(left, right),
            _ => self.terms.ule(left, right),
        }
    }

    fn condition(&mut self, random: &mut fastrand::Rng) -> TermId {
        let (a, b) = (self.atom(random, 4), self.atom(random, 4));
        match random.u8(..3) {
            0 => a,
            1 => self.terms.or(a, b),
            _ => self.terms.xor(a, b),
        }
    }

    fn case(&mut self, random: &mut fastrand::Rng) -> Case {
        let conditions = (0..random.usize(..3)).map(|_| self.condition(random)).collect();
        let laws = (0..random.usize(..2)).map(|_| self.atom(random, 2)).collect();
        let defined = (0..random.usize(..2)).map(|_| self.atom(random, 4)).collect();
        let locations = vec![var_of(&self.terms, self.vars[1])];
        Case {
            conditions,
            laws,
            apart: Vec::new(),
            defined,
            negative: random.u8(..6) == 0,
            locations,
            memory: Vec::new(),
        }
    }

    /// Whether all conditions hold; the two halves of `values` are those of observables and locations, and of the environment.
    fn holds(&self, conditions: &[TermId], values: (u128, u128)) -> bool {
        let mut assignment = Assignment::new();
        let both = values.0 | values.1 << (2 * SMALL_WIDTH);
        for (at, &var) in self.vars.iter().enumerate() {
            let value = both >> (at as u32 * SMALL_WIDTH) & term::mask(SMALL_WIDTH);
            assignment.set(var_of(&self.terms, var), value);
        }
        conditions.iter().all(|&condition| self.terms.eval(condition, &assignment) == 1)
    }

    /// The definition, word by word.
    fn by_definition(&self, cases: &[Case]) -> Option<Verdict> {
        let is_possible = |case: &&Case| {
            let all = [&case.conditions[..], &case.laws, &case.defined].concat();
            (0..16).any(|outer| (0..16).any(|inner| self.holds(&all, (outer, inner))))
        };
        let possible: Vec<&Case> = cases.iter().filter(is_possible).collect();
        let positive: Vec<&Case> = possible.iter().copied().filter(|case| !case.negative).collect();
        let happens = |outer| {
            positive.iter().any(|case| (0..16).any(|inner| self.holds(&case.conditions, (outer, inner))))
        };
        // Laws of different cases that contradict one another say nothing.
        let all_hold = |outer: u128| positive.iter().all(|case| self.holds(&case.laws, (outer, 0)));
        let is_consistent = (0..16).any(all_hold);
        let exists = |outer| !is_consistent || all_hold(outer);
        let is_manifest = !positive.is_empty() && (0..16).all(|outer| !exists(outer) || happens(outer));
        match (possible.is_empty(), is_manifest) {
            (true, _) => None,
            (false, true) => Some(Verdict::Manifest),
            (false, false) => Some(Verdict::Latent),
        }
    }

    /// Wherever a case happens that needs no freed memory, the condition holds.
    fn check_necessary(&self, cases: &[Case], judged: &Judged) {
        for case in judged.possible.iter().map(|&at| &cases[at]).filter(|case| !case.negative) {
            let all = [&case.conditions[..], &case.laws].concat();
            for (outer, inner) in (0..16).flat_map(|outer| (0..16).map(move |inner| (outer, inner))) {
                let is_told =
                    !self.holds(&all, (outer, inner)) || self.holds(&[judged.condition], (outer, inner));
                assert!(is_told, "{} should hold for {cases:?}", self.terms.show(judged.condition));
            }
        }
    }
}

#[test]
fn random_cases_are_judged_by_the_definition() {
    let mut random = fastrand::Rng::with_seed(35);
    let mut seen = [0; 3];
    for round in 0..600 {
        let mut small = Small::new();
        let n_cases = random.usize(1..4);
        let cases: Vec<Case> = (0..n_cases).map(|_| small.case(&mut random)).collect();
        let expected = small.by_definition(&cases);
        let wanted = if random.bool() { Wanted::Condition } else { Wanted::Verdict };
        let judged = judge(&mut small.terms, &mut Solver::new(), &cases, wanted);
        let verdict = judged.as_ref().map(|judged| judged.verdict);
        assert_eq!(verdict, expected, "round {round}: {cases:?}");
        let certain = judge(&mut small.terms, &mut Solver::new(), &cases, Wanted::Certainty);
        let is_manifest = |judged: Option<Judged>| judged.is_some_and(|it| it.verdict == Verdict::Manifest);
        assert_eq!(is_manifest(certain), is_manifest(judged.clone()), "round {round}: {cases:?}");
        if let Some(judged) = &judged {
            small.check_necessary(&cases, judged);
        }
        seen[verdict.map_or(0, |it| if it == Verdict::Manifest { 1 } else { 2 })] += 1;
    }
    assert!(seen.iter().all(|&count| count >= 20), "all verdicts should occur: {seen:?}");
}

#[test]
fn a_manifest_error_asks_for_as_little_memory_as_it_can() {
    let mut function = Function::default();
    let (p, q) = (function.parameter("p"), function.parameter("q"));
    let of = |base, is_changed| Memory {
        base,
        touched: (0, 4),
        changed: if is_changed { (0, 4) } else { (0, 0) },
    };
    let needs = |memory: &[Memory]| Case { memory: memory.to_vec(), ..under(&[]) };
    let judge =
        |function: &mut Function, cases: &[Case]| function.judge(cases).expect("it is possible").memory;
    assert_eq!(judge(&mut function, &[needs(&[of(p, false)])]), [of(p, false)]);
    // One way suffices that asks for less, and for nothing.
    let both = needs(&[of(p, false), of(q, true)]);
    assert_eq!(judge(&mut function, &[both.clone(), needs(&[of(p, false)])]), [of(p, false)]);
    assert!(judge(&mut function, &[both.clone(), under(&[])]).is_empty());
    // Two ways that only together are certain ask for what both need.

    let (is_null, is_set) = (function.is(q, 0), function.is_not(q, 0));

    let null = Case { memory: vec![of(p, false)], ..under(&[is_null]) };
    let set = Case { memory: vec![of(p, true), of(q, true)], ..under(&[is_set]) };
    assert_eq!(judge(&mut function, &[null, set]), [of(p, true), of(q, true)]);
}

#[test]
fn what_one_path_changes_and_the_other_looks_at_must_be_apart() {
    let mut function = Function::default();
    let base = function.parameter("p");
    let memory = |touched, changed| Memory { base, touched, changed };
    let (reads, writes) = (memory((0, 8), (0, 0)), memory((8, 12), (8, 12)));
    assert!(!reads.must_be_apart(&writes) && !writes.must_be_apart(&reads), "they do not meet");
    assert!(!reads.must_be_apart(&reads), "who only looks does not mind");
    let frees = memory((0, 0), (i64::MIN, i64::MAX));
    assert!(reads.must_be_apart(&frees) && frees.must_be_apart(&reads));
}
