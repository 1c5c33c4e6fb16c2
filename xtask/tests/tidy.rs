//! `cargo test` alone is enough: what `cargo x tidy` finds fails the tests.

use std::process::Command;

#[test]
fn the_house_is_tidy() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("tidy").output().expect("xtask runs");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo x tidy says:\n{problems}");
}
