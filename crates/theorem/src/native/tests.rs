//! The oracle in small, and that it would notice.

use report::Report;

use super::*;

/// Seeds whose findings are disputed for a reason that is known: to be mended in the engines. The list only shrinks.
const OPEN: [(u64, &str); 0] = [];

/// Seeds of the test.
const SEEDS: Range<u64> = 1..201;

fn compiler() -> Compiler {
    Compiler::new(None).expect("there should be a clang")
}

#[test]
fn runs_dispute_no_finding_but_open_ones() {
    let seen = check(&compiler(), SEEDS, &mut |_| ()).expect("programs should compile");
    let is_open = |seed: u64| OPEN.iter().any(|(open, _)| *open == seed);
    let new: Vec<String> =
        seen.disputes.iter().filter(|it| !is_open(it.seed)).map(Dispute::to_string).collect();
    assert!(new.is_empty(), "{}", new.join("\n"));
    for (seed, why) in OPEN {
        let is_disputed = seen.disputes.iter().any(|it| it.seed == seed);
        assert!(is_disputed, "seed {seed} is mended ({why}): take it out of the list");
    }
    let held: u64 = seen.held.values().sum();
    assert!(held > 100, "only {held} findings held");
}

/// The disputes of some programs, after somebody had a hand in the findings.
fn tampered(tamper: Tamper) -> u64 {
    let seen = check_all(&compiler(), 1..26, tamper, &mut |_| ()).expect("programs should compile");
    seen.disputes.len() as u64
}

#[test]
fn what_is_not_doomed_is_noticed() {
    let tamper = |report: &mut Report| {
        report.findings.iter_mut().for_each(|it| it.verdict = catalog::Verdict::Doomed);
    };
    assert!(tampered(tamper) > tampered(|_| ()) + 5);
}

#[test]
fn what_is_not_manifest_is_noticed() {
    let tamper = |report: &mut Report| {
        report.findings.iter_mut().for_each(|it| it.verdict = catalog::Verdict::Manifest);
    };
    assert!(tampered(tamper) > tampered(|_| ()) + 2);
}

#[test]
fn wrong_lines_are_noticed() {
    let tamper = |report: &mut Report| {
        report.findings.iter_mut().for_each(|it| it.line += 1);
    };
    assert!(tampered(tamper) > tampered(|_| ()) + 5);
}
