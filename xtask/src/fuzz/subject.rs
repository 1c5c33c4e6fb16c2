//! What is fed, and what is done with it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use fastrand::Rng;

use super::mutate;

/// Which reader is fed.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Subject {
    /// The bitcode reader, then lowering and the verifier.
    Bitcode,
    /// The parser of IR text, then the verifier and the printer.
    Ir,
}

impl Subject {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Subject::Bitcode => "bitcode",
            Subject::Ir => "ir",
        }
    }
}

/// The undamaged inputs: files as they are, or their IR as text.
pub(crate) fn seeds(subject: Subject, files: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    files
        .iter()
        .map(|file| {
            let bytes = fs::read(file).with_context(|| format!("while reading {}", file.display()))?;
            match subject {
                Subject::Bitcode => Ok(bytes),
                Subject::Ir if file.extension().is_some_and(|extension| extension == "ir") => Ok(bytes),
                Subject::Ir => {
                    Ok(ir::print::print(&lower::lower(&bitcode::read(&bytes)?).module).into_bytes())
                }
            }
        })
        .collect()
}

/// Makes input number `number` and feeds it. Whatever it is, this should return.
pub(crate) fn run_one(subject: Subject, seeds: &[Vec<u8>], seed: u64, number: u64) {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
    let base = &seeds[rng.usize(..seeds.len())];
    let donor = &seeds[rng.usize(..seeds.len())];
    match subject {
        Subject::Bitcode => feed_bitcode(&mutate::bytes(&mut rng, base, donor)),
        Subject::Ir => {
            let (base, donor) = (String::from_utf8_lossy(base), String::from_utf8_lossy(donor));
            feed_ir(&mutate::text(&mut rng, &base, &donor));
        }
    }
}

fn feed_bitcode(bytes: &[u8]) {
    let Ok(module) = bitcode::read(bytes) else { return };
    let lowered = lower::lower(&module);
    let violations = ir::verify::verify(&lowered.module);
    assert!(violations.is_empty(), "lowering should give lawful IR: {}", violations[0].message);
}

fn feed_ir(text: &str) {
    let Ok(module) = ir::parse::parse(text) else { return };
    ir::verify::verify(&module);
    let printed = ir::print::print(&module);
    let again = ir::parse::parse(&printed).expect("what is printed should parse");
    assert_eq!(printed, ir::print::print(&again), "printing should be the inverse of parsing");
}
