//! Builds the library that sees compilers which a build calls by absolute path; it becomes a part of the executable.
//!
//! Without a C compiler for the target, or on another system than Linux, the part is empty, and builds are intercepted by
//! wrapper executables alone.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=preload/preload.c");
    let out = env::var_os("OUT_DIR").expect("invariant: cargo names the output directory");
    let library = PathBuf::from(out).join("preload.so");
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if !is_linux || !compile(&library) {
        fs::write(&library, b"").expect("invariant: the output directory can be written");
    }
}

fn compile(library: &PathBuf) -> bool {
    let Ok(compiler) = cc::Build::new().opt_level(2).warnings(true).try_get_compiler() else { return false };
    let mut command = compiler.to_command();
    command.args(["-shared", "-fPIC", "preload/preload.c", "-o"]).arg(library).arg("-ldl");
    let compiled = command.status().is_ok_and(|status| status.success());
    if !compiled {
        println!("cargo::warning=no library to intercept builds: {command:?} failed");
    }
    compiled
}
