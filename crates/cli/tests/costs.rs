//! What large programs cost: memory that grows with their size, or a function that is given up with the reason told. `cargo x stress` has them in full size.

mod common;

use std::process::Command;

use common::{Said, files, run};
use testkit::stress::{FUNCTIONS, PROGRAMS};

/// Kilobytes of addresses that a run may have; the allocator and the stacks of threads reserve half of it.
const ADDRESSES: u64 = 3_000_000;

/// Analyzes a program with as much memory as it may take.
fn analyze(name: &str, n: usize, words: &str) -> Said {
    let mut shapes = FUNCTIONS.iter().chain(PROGRAMS);
    let shape = shapes.find(|it| it.name == name).unwrap_or_else(|| panic!("no program is called {name}"));
    let dir = files(&[("a.c", &(shape.text)(n))]);
    let script = format!(
        "ulimit -c 0; ulimit -v {ADDRESSES}; exec '{}' run {words} a.c",
        env!("CARGO_BIN_EXE_indict")
    );
    run(Command::new("sh").args(["-c", &script]).current_dir(dir.path()))
}

#[test]
fn the_memory_of_a_large_function_is_bounded() {
    for name in ["joins", "returns", "stores", "tests", "chain"] {
        let said = analyze(name, 12_000, "--jobs 1");
        assert!(matches!(said.status, Some(0 | 1)), "{name}: {said:#?}");
        assert!(said.stdout.contains("; 1 function, "), "{name}: {said:#?}");
    }
}

#[test]
fn who_needs_too_much_is_given_up_and_told_for_any_number_of_threads() {
    let alone = analyze("chain", 12_000, "--jobs 1 --format json");
    let reason = "given up, because the analysis of one function may hold 256 MB of memory: `f`";
    assert!(alone.stdout.contains(reason) && alone.stdout.contains("\"gave_up\": 1"), "{alone:#?}");
    assert_eq!(alone.stdout, analyze("chain", 12_000, "--jobs 4 --format json").stdout);
}

#[test]
fn functions_that_call_one_another_without_end_are_analyzed() {
    for name in ["circle", "tower"] {
        let said = analyze(name, 600, "");
        assert!(said.stdout.contains("600 functions, 600 analyzed"), "{name}: {said:#?}");
    }
}
