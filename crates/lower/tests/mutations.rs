//! Damaged bitcode costs functions, never the run: whatever the reader accepts is lowered, and what is left keeps the laws.

mod common;

use std::path::Path;

use common::compile;

/// Damaged copies of each file. `cargo x fuzz` makes millions.
const COPIES: u64 = 60;

#[test]
fn damaged_files_are_lowered_without_a_panic() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lower");
    let names = ["computed_goto.c", "vectors.c", "struct_returns.c", "initializers.c", "cpp_exceptions.cpp"];
    let mut n_lowered = 0;
    for name in names {
        let bytes = compile(&directory.join(name), &[]).expect("clang compiles the file");
        for seed in 0..COPIES {
            let Ok(module) = bitcode::read(&damage(&bytes, seed)) else { continue };
            let lowered = lower::lower(&module);
            let violations = ir::verify(&lowered.module);
            let texts: Vec<String> = violations.iter().map(|it| it.describe(&lowered.module)).collect();
            assert!(texts.is_empty(), "{name} with seed {seed}: {texts:?}");
            n_lowered += 1;
        }
    }
    assert!(n_lowered > names.len() as u64 * COPIES / 4, "the reader accepted only {n_lowered} files");
}

/// A copy with a few bytes changed, always the same for one seed.
fn damage(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut copy = bytes.to_vec();
    for _ in 0..1 + random() % 3 {
        let position = random() as usize % copy.len();
        copy[position] = match random() % 3 {
            0 => random() as u8,
            1 => copy[position] ^ 1 << (random() % 8),
            _ => copy[position].wrapping_add(1),
        };
    }
    copy
}
