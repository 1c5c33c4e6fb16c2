//! Our bitcode reader agrees with LLVM's own on every construct of `tests/oracle/programs`.

use std::path::PathBuf;
use std::process::Command;

#[test]
fn the_reader_agrees_with_llvm_19() {
    if Command::new("llvm-config-19").output().is_err() {
        println!("skipped: needs llvm-19-dev");
        return;
    }
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs: Vec<PathBuf> = root
        .join("tests/oracle/programs")
        .read_dir()
        .expect("the programs should be there")
        .map(|entry| entry.expect("the directory should be readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "rs"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 10, "the programs should cover all constructs");
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["oracle", "--llvm", "19", "--quiet"])
        .args(&programs)
        .output()
        .expect("xtask should run");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}{}", String::from_utf8_lossy(&output.stderr));
    // Each program is compiled in three ways.
    assert!(
        report.contains(&format!("{} equal, 0 different, 0 failed, 0 not compiled", 3 * programs.len())),
        "{report}"
    );
}
