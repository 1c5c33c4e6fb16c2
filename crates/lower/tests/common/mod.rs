//! Compiling, reading and lowering a file in tests.

use std::path::Path;
use std::process::Command;

/// The bitcode of a source file, as the product asks clang 19 for it, for x86-64 unless `args` say otherwise.
pub(crate) fn compile(source: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let directory = source.parent().ok_or("a file in a directory")?;
    let name = source.file_name().ok_or("a file with a name")?;
    let output = Command::new("clang-19")
        .current_dir(directory)
        .args(["--target=x86_64-linux-gnu", "-w", "-g", "-O1", "-Xclang", "-disable-llvm-passes"])
        .args(["-U__OPTIMIZE__", "-fdebug-compilation-dir=.", "-emit-llvm", "-c", "-o", "-"])
        .args(args)
        .arg(name)
        .output()
        .map_err(|error| format!("clang-19 could not be started: {error}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
