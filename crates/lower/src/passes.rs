//! The steps from LLVM's module to ours, in order.

use crate::Lowered;
use crate::env::{Env, Output};
use crate::{aliases, declare, globals, translate};

/// Runs all steps.
pub(crate) fn run(source: &bitcode::Module) -> Lowered {
    let mut env = Env::new(source);
    let mut out = Output::new(source);
    env.symbols = declare::declare(&env, &mut out);
    aliases::resolve(&mut env, &mut out);
    let (skipped, labels) = translate::bodies(&env, &mut out);
    globals::initialize(&env, &mut out, &labels);
    Lowered { module: out.module, skipped }
}
