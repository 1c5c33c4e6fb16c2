//! The steps from LLVM's module to ours, in order.

use ir::FuncId;

use crate::address::Labels;
use crate::env::{Env, Output};
use crate::error::{Cause, Skipped};
use crate::promote::promote;
use crate::{Lowered, aliases, declare, globals, translate};

/// A step.
type Pass = fn(&mut State<'_>);

/// What the steps share.
struct State<'m> {
    env: Env<'m>,
    out: Output,
    /// Where the labels are whose address is taken.
    labels: Labels,
    skipped: Vec<Skipped>,
}

/// All steps, in order.
const PASSES: &[Pass] = &[
    // Everything with a name gets its id, so that bodies and initializers can refer to it in any order.
    |it| it.env.symbols = declare::declare(&it.env, &mut it.out),
    // Aliases stand for what now has an id. Bodies use what they stand for, so this comes before them.
    |it| aliases::resolve(&mut it.env, &mut it.out),
    // Bodies. Blocks that nothing reaches (landing pads, code behind a trap) are left out here, as nothing after this step
    // could handle values that are defined nowhere; from now on the number of a block stays. Each body takes its own steps
    // (below) before the next one is begun: done, it is half as large.
    |it| (it.skipped, it.labels) = translate::bodies(&it.env, &mut it.out, finish),
    // Initializers may hold addresses of labels, which are known once bodies are translated.
    |it| globals::initialize(&it.env, &mut it.out, &it.labels),
    // Last, and only where a violation is our own fault to find: release builds trust the steps above.
    #[cfg(debug_assertions)]
    verify_all,
];

/// Runs all steps.
pub(crate) fn run(source: &bitcode::Module) -> Lowered {
    let mut state = State {
        env: Env::new(source),
        out: Output::new(source),
        labels: Labels::default(),
        skipped: Vec::new(),
    };
    for pass in PASSES {
        pass(&mut state);
    }
    Lowered { module: state.out.module, skipped: state.skipped }
}

/// A step of one body; it is told the bytes of a pointer.
type BodyPass = fn(&mut ir::Body, u32);

/// The steps of a body after its translation, in order.
const BODY_PASSES: &[BodyPass] = &[
    // Locals become values: before nodes are split, so that copies are small.
    |body, pointer_bytes| _ = promote(body, pointer_bytes),
    // Loops with two entries become loops with one. Copies get new numbers, labels keep theirs. If it gives up, engines see
    // the loop with its several entries and say so.
    |body, _| _ = ir::split_nodes(body),
];

fn finish(body: &mut ir::Body, pointer_bytes: u32) {
    for pass in BODY_PASSES {
        pass(body, pointer_bytes);
    }
}

/// A body that breaks a law is left out.
#[cfg_attr(not(debug_assertions), expect(dead_code, reason = "release builds do not verify"))]
fn verify_all(state: &mut State<'_>) {
    let module = &mut state.out.module;
    let functions: Vec<FuncId> = module.functions.ids().collect();
    for id in functions {
        let violations = ir::verify_function(module, id);
        let Some(first) = violations.first() else { continue };
        let cause = Cause::Law(first.describe(module));
        let function = &mut module.functions[id];
        function.body = None;
        state.skipped.push(Skipped { function: function.pretty, loc: function.loc, cause });
    }
}
