//! Terms, the fast tier and the solver: each claim is a ratio with a bound.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use base::Id;
use solver::Solver;
use solver::bench::{PathQueries, path_queries};
use term::{Facts, Origin, TermId, Terms};

/// Times that each thing is measured; the fastest counts, because nothing makes a program faster than it is.
const ROUNDS: usize = 5;

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
        let begun = Instant::now();
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
        let time = begun.elapsed();
        (time, terms)
    };
    let (_, terms) = build();
    let nodes: Vec<_> =
        (0..terms.len()).map(TermId::new).map(|id| (terms.node(id), terms.width(id))).collect();
    let hash = || {
        let mut table: HashMap<_, usize> = HashMap::new();
        let begun = Instant::now();
        for (at, node) in nodes.iter().enumerate() {
            table.insert(*node, at);
        }
        let time = begun.elapsed();
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

/// A state of 30 atoms, and atoms to assume on top.
fn thirty_atoms() -> (Terms, Facts, Vec<TermId>) {
    let mut terms = Terms::new();
    let mut facts = Facts::default();
    let vars: Vec<TermId> = (0..40).map(|at| terms.fresh(32, Origin::Parameter, &format!("v{at}"))).collect();
    for (at, &var) in vars.iter().enumerate().take(30) {
        let bound = terms.constant(32, 100 + at as u128);
        let zero = terms.constant(32, 0);
        let atom = match at % 3 {
            0 => terms.ult(var, bound),
            1 => terms.ne(var, zero),
            _ => terms.eq(var, bound),
        };
        let _ = facts.assume(&mut terms, atom);
    }
    let atoms = (0..10)
        .map(|at| {
            let zero = terms.constant(32, 0);
            let equal = terms.eq(vars[30 + at], zero);
            if at % 2 == 0 { equal } else { terms.not(equal) }
        })
        .collect();
    (terms, facts, atoms)
}

/// Forking a state of 30 atoms and assuming one more, against an insertion into a hash map.
fn forking() -> Claim {
    const TIMES: usize = 100_000;
    let (mut terms, facts, atoms) = thirty_atoms();
    let ours = fastest(|| {
        let begun = Instant::now();
        for at in 0..TIMES {
            let mut fork = facts.clone();
            let _ = black_box(fork.assume(&mut terms, atoms[at % atoms.len()]));
        }
        begun.elapsed()
    });
    let other = fastest(|| {
        let mut map: HashMap<u64, u64> = HashMap::new();
        let begun = Instant::now();
        for at in 0..TIMES as u64 {
            map.insert(black_box(at.wrapping_mul(0x9E37_79B9_7F4A_7C15)), at);
        }
        black_box(map.len());
        begun.elapsed()
    });
    println!("     {:.0} ns per fork and atom", ours.as_nanos() as f64 / TIMES as f64);
    Claim {
        what: "forking 30 atoms and assuming one more against a hash-map insertion",
        ours,
        other,
        at_most: 5.0,
    }
}

/// Assuming the atoms of paths on the fast tier against asking the SAT tier the same.
fn assuming() -> Claim {
    let PathQueries { mut terms, queries } = path_queries(200, 400, 7);
    // Atoms of a path are assumed one after the other; the solver is asked for each prefix.
    let paths: Vec<&Vec<TermId>> = queries.iter().filter(|query| query.len() > 4).take(60).collect();
    let atoms: usize = paths.iter().map(|path| path.len()).sum();
    let ours = fastest(|| {
        let begun = Instant::now();
        for path in &paths {
            let mut facts = Facts::default();
            for &atom in *path {
                let _ = black_box(facts.assume(&mut terms, atom));
            }
        }
        begun.elapsed()
    });
    let begun = Instant::now();
    for path in &paths {
        for end in 1..=path.len() {
            // Each question by itself: the caches of a session would answer most of them.
            let _ = black_box(Solver::new().check(&terms, &path[..end]));
        }
    }
    let other = begun.elapsed();
    println!("     {:.0} ns per atom on the fast tier", ours.as_nanos() as f64 / atoms as f64);
    Claim { what: "assuming an atom against asking the SAT tier", ours, other, at_most: 1.0 / 300.0 }
}

/// 1,000 queries over a path formula of 200 nodes against Z3's incremental interface.
#[cfg(feature = "z3")]
fn against_z3() -> Option<Claim> {
    use solver::oracle::{Style, Z3};

    let PathQueries { terms, queries } = path_queries(200, 1_000, 1);
    let ours = fastest(|| {
        let begun = Instant::now();
        let mut solver = Solver::new();
        for query in &queries {
            let _ = black_box(solver.check(&terms, query));
        }
        begun.elapsed()
    });
    let z3 = |style| {
        let begun = Instant::now();
        let mut z3 = Z3::new(style);
        for query in &queries {
            let _ = black_box(z3.check(&terms, query));
        }
        begun.elapsed()
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
        let _ = facts.assume(&mut terms, less);
        let _ = black_box(solver.check(&terms, &[less, more]));
    };
    (0..1_000).for_each(use_one);
    let before = resident()?;
    let begun = Instant::now();
    (0..10_000).for_each(use_one);
    let time = begun.elapsed();
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
