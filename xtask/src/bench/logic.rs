//! Terms, the fast tier and the solver: each claim is a ratio of CPU times with a bound.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use anyhow::{Result, ensure};
use base::Id;
use session::workers::thread_cpu;
use solver::bench::{AtomPaths, PathQueries, atom_paths, path_queries};
use solver::{Solver, Verdict};
use term::{Facts, Node, Origin, TermId, Terms, Unary};

/// Times that each thing is measured; the fastest counts, because nothing makes a program faster than it is.
const ROUNDS: usize = 10;

/// A claim: the ratio of two times, and what it must be.
struct Claim {
    what: &'static str,
    ours: Duration,
    other: Duration,
    /// `ours` is at most this many times `other`; below 1: at least that many times faster.
    at_most: f64,
}

pub(super) fn run() -> Result<()> {
    let mut claims = vec![building(), forking()];
    claims.push(assuming());
    assuming_deep();
    claims.extend(against_z3());
    let mut broken = 0;
    for claim in &claims {
        let ratio = claim.ours.as_secs_f64() / claim.other.as_secs_f64();
        let holds = ratio <= claim.at_most;
        broken += usize::from(!holds);
        println!(
            "{} {}: {:?} against {:?}, ratio {ratio:.4} (at most {:.4})",
            if holds { "ok  " } else { "MISS" },
            claim.what,
            claim.ours,
            claim.other,
            claim.at_most
        );
    }
    contexts()?;
    ensure!(broken == 0, "{broken} claims do not hold on this run");
    Ok(())
}

/// The fastest of several rounds.
fn fastest(mut round: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| round()).min().unwrap_or_default()
}

/// Building and rewriting a term against hashing it.
fn building() -> Claim {
    const TERMS: usize = 200_000;
    let build = || {
        let mut terms = Terms::new();
        let mut recent: Vec<TermId> =
            (0..16).map(|at| terms.fresh(32, Origin::Parameter, &format!("p{at}"))).collect();
        let begun = thread_cpu();
        let mut state = 1_u64;
        for step in 0..TERMS {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = (recent[(state >> 33) as usize % 16], recent[(state >> 40) as usize % 16]);
            let word = match (state >> 50) % 8 {
                0 => terms.add(a, b),
                1 => {
                    let constant = terms.constant(32, u128::from(state >> 60));
                    terms.add(a, constant)
                }
                2 => terms.sub(a, b),
                3 => terms.and(a, b),
                4 => terms.xor(a, b),
                5 => terms.mul(a, b),
                6 => {
                    let less = terms.ult(a, b);
                    terms.ite(less, a, b)
                }
                _ => terms.or(a, b),
            };
            recent[step % 16] = word;
        }
        let time = thread_cpu() - begun;
        (time, terms)
    };
    let (_, terms) = build();
    let nodes: Vec<_> =
        (0..terms.len()).map(TermId::new).map(|id| (terms.node(id), terms.width(id))).collect();
    let hash = || {
        let mut table: HashMap<_, usize> = HashMap::new();
        let begun = thread_cpu();
        for (at, node) in nodes.iter().enumerate() {
            table.insert(*node, at);
        }
        let time = thread_cpu() - begun;
        black_box(table.len());
        // Per term that was asked for, not per term that came of it.
        time.mul_f64(TERMS as f64 / nodes.len() as f64)
    };
    let ours = fastest(|| build().0);
    println!("     {:.1} million terms per second", TERMS as f64 / ours.as_secs_f64() / 1e6);
    Claim {
        what: "building and rewriting a term against hashing it",
        ours,
        other: fastest(hash),
        at_most: 4.0,
    }
}

/// Forking a state of 30 atoms and assuming one more, against an insertion into a hash map.
///
/// States and atoms are those of C code ([`atom_paths`]): a third relates two values, and most are about values that other atoms of
/// the state are about. What atoms cost that compare a variable with a constant is printed beside it.
fn forking() -> Claim {
    const ATOMS: usize = 30;
    let AtomPaths { mut terms, paths } = atom_paths(50, ATOMS + 20, 3);
    let mut forks: Vec<(Facts, TermId)> = Vec::new();
    for path in &paths {
        let state = state_of(&mut terms, &path[..ATOMS]);
        forks.extend(path[ATOMS..].iter().map(|&atom| (state.clone(), atom)));
    }
    let (simple, other): (Vec<_>, Vec<_>) =
        forks.iter().cloned().partition(|&(_, atom)| compares_variable_with_constant(&terms, atom));
    let mut nanoseconds = |forks: &[(Facts, TermId)]| {
        let time = fastest(|| fork_all(&mut terms, forks));
        time.as_nanos() as f64 / (FORK_ROUNDS * forks.len()) as f64
    };
    println!(
        "     {:.0} ns per fork and atom `p != 0`, {:.0} ns for others",
        nanoseconds(&simple),
        nanoseconds(&other)
    );
    let n_forks = (FORK_ROUNDS * forks.len()) as u64;
    let insert = || {
        let mut map: HashMap<u64, u64> = HashMap::new();
        let begun = thread_cpu();
        for at in 0..n_forks {
            map.insert(black_box(at.wrapping_mul(0x9E37_79B9_7F4A_7C15)), at);
        }
        black_box(map.len());
        thread_cpu() - begun
    };
    Claim {
        what: "forking 30 atoms and assuming one more against a hash-map insertion",
        ours: fastest(|| fork_all(&mut terms, &forks)),
        other: fastest(insert),
        at_most: 5.0,
    }
}

/// Times that each fork is made for one measurement.
const FORK_ROUNDS: usize = 100;

fn fork_all(terms: &mut Terms, forks: &[(Facts, TermId)]) -> Duration {
    let begun = thread_cpu();
    for _ in 0..FORK_ROUNDS {
        for (state, atom) in forks {
            let mut fork = state.clone();
            let _ = black_box(fork.assume(terms, *atom));
        }
    }
    thread_cpu() - begun
}

fn compares_variable_with_constant(terms: &Terms, atom: TermId) -> bool {
    let atom = match terms.node(atom) {
        Node::Unary(Unary::Not, inner) => inner,
        _ => atom,
    };
    let is_simple = |side| matches!(terms.node(side), Node::Var(_) | Node::Const(_));
    match terms.node(atom) {
        Node::Binary(_, a, b) => {
            is_simple(a) && is_simple(b) && (terms.value(a).is_some() || terms.value(b).is_some())
        }
        _ => false,
    }
}

/// Assuming an atom on the fast tier against asking the SAT tier the same.
///
/// A state holds 10 atoms of a path through C code; 20 more are assumed one after the other. The SAT tier is asked whether the
/// path up to each of these atoms has a model. It begins anew for each question: what it is compared with is an answer, not the
/// memory of one. What a solver that lives as long as the function needs for the same questions is printed beside it.
fn assuming() -> Claim {
    const HELD: usize = 10;
    let AtomPaths { mut terms, paths } = atom_paths(100, HELD + 20, 5);
    let states: Vec<Facts> = paths.iter().map(|path| state_of(&mut terms, &path[..HELD])).collect();
    let n_atoms: usize = paths.iter().map(|path| path.len() - HELD).sum();
    let ours = fastest(|| {
        let begun = thread_cpu();
        for (state, path) in states.iter().zip(&paths) {
            let mut facts = state.clone();
            for &atom in &path[HELD..] {
                let _ = black_box(facts.assume(&terms, atom));
            }
        }
        thread_cpu() - begun
    });
    let ask = |answer: &mut dyn FnMut(&[TermId]) -> Verdict| {
        let begun = thread_cpu();
        for path in &paths {
            for end in HELD + 1..=path.len() {
                let _ = black_box(answer(&path[..end]));
            }
        }
        thread_cpu() - begun
    };
    let other = fastest(|| ask(&mut |query| searching().check(&terms, query)));
    let mut solver = searching();
    let lasting = ask(&mut |query| solver.check(&terms, query));
    let each = |time: Duration| time.as_nanos() as f64 / n_atoms as f64;
    println!(
        "     {:.0} ns per atom on the fast tier, {:.0} ns on the SAT tier, {:.0} ns on one that remembers",
        each(ours),
        each(other),
        each(lasting)
    );
    Claim { what: "assuming an atom against asking the SAT tier", ours, other, at_most: 1.0 / 300.0 }
}

/// The SAT tier by itself, without the values that the fast tier leads to.
fn searching() -> Solver {
    Solver::with(solver::Options { guess: false, ..solver::Options::default() })
}

fn state_of(terms: &mut Terms, atoms: &[TermId]) -> Facts {
    let mut facts = Facts::default();
    for &atom in atoms {
        let _ = facts.assume(terms, atom);
    }
    facts
}

/// The same for conditions over terms of some ten operations each, from nothing: not what the claim is about, but what the fast
/// tier costs where terms are deep.
fn assuming_deep() {
    let PathQueries { mut terms, queries } = path_queries(200, 400, 7);
    let paths: Vec<&Vec<TermId>> = queries.iter().filter(|query| query.len() > 4).take(60).collect();
    let n_atoms: usize = paths.iter().map(|path| path.len()).sum();
    let ours = fastest(|| {
        let begun = thread_cpu();
        for path in &paths {
            black_box(state_of(&mut terms, path));
        }
        thread_cpu() - begun
    });
    let begun = thread_cpu();
    for path in &paths {
        for end in 1..=path.len() {
            let _ = black_box(searching().check(&terms, &path[..end]));
        }
    }
    let other = thread_cpu() - begun;
    println!(
        "     {:.0} ns per condition over deep terms, {:.0} times cheaper than the SAT tier",
        ours.as_nanos() as f64 / n_atoms as f64,
        other.as_secs_f64() / ours.as_secs_f64()
    );
}

/// 1,000 queries over a path formula of 200 nodes against Z3's incremental interface.
#[cfg(feature = "z3")]
fn against_z3() -> Option<Claim> {
    use solver::oracle::{Style, Z3};

    let PathQueries { terms, queries } = path_queries(200, 1_000, 1);
    let ours = fastest(|| {
        let begun = thread_cpu();
        let mut solver = Solver::new();
        for query in &queries {
            let _ = black_box(solver.check(&terms, query));
        }
        thread_cpu() - begun
    });
    let z3 = |style| {
        let begun = thread_cpu();
        let mut z3 = Z3::new(style);
        for query in &queries {
            let _ = black_box(z3.check(&terms, query));
        }
        thread_cpu() - begun
    };
    let other = z3(Style::Assume).min(z3(Style::Scope));
    println!("     {:.3} ms per query", ours.as_secs_f64());
    Some(Claim { what: "1,000 queries over 200 nodes against Z3", ours, other, at_most: 0.1 })
}

#[cfg(not(feature = "z3"))]
fn against_z3() -> Option<Claim> {
    println!("     not compared with Z3: build with `--features z3` (Debian: libz3-dev)");
    None
}

/// Ten thousand contexts of functions, made, used and dropped: the heap must not grow.
fn contexts() -> Result<()> {
    let use_one = |at: u32| {
        let mut terms = Terms::new();
        let mut solver = Solver::new();
        let mut facts = Facts::default();
        let x = terms.fresh(32, Origin::Parameter, "x");
        let y = terms.fresh(32, Origin::Parameter, "y");
        let bound = terms.constant(32, u128::from(at % 1000));
        let sum = terms.add(x, y);
        let (less, more) = (terms.ult(sum, bound), terms.ult(bound, x));
        let _ = facts.assume(&terms, less);
        let _ = black_box(solver.check(&terms, &[less, more]));
    };
    (0..1_000).for_each(use_one);
    let before = resident()?;
    let begun = thread_cpu();
    (0..10_000).for_each(use_one);
    let time = thread_cpu() - begun;
    let grown = resident()?.saturating_sub(before);
    println!("ok   10,000 contexts in {time:?}; resident memory grew by {grown} KB");
    ensure!(grown < 2_048, "the heap grows by contexts that are gone");
    Ok(())
}

/// Resident memory in kilobytes.
fn resident() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = status.split_whitespace().nth(1).unwrap_or("0").parse()?;
    Ok(pages * 4)
}
