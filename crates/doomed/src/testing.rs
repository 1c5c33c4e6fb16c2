//! Functions in text form, and what the engine says of them.

use base::Id;
use ir::Module;

use crate::Options;
pub(crate) use crate::contracts::alone;

/// Reads a module.
pub(crate) fn module(text: &str) -> Module {
    ir::parse(text).expect("the test is IR")
}

/// The points of `@f` that no normally ending execution passes.
pub(crate) fn points(text: &str) -> Vec<String> {
    let module = module(text);
    let alone = alone(&module);
    let function = alone.find("f").expect("the test has a function f");
    let points = crate::analyze(&alone.around(function), &Options { dead_code: true }).points;
    points.into_iter().map(|block| format!("b{}", block.index())).collect()
}

/// What is reported of `@f`: the line and the message, then the steps of the story with their lines.
pub(crate) fn findings(text: &str) -> Vec<String> {
    let module = module(text);
    let alone = alone(&module);
    let function = alone.find("f").expect("the test has a function f");
    let findings = crate::analyze(&alone.around(function), &Options::default()).findings;
    let mut lines = Vec::new();
    for found in findings {
        lines.push(format!("{}: {:?}", found.at.line, found.what));
        lines.extend(found.steps.iter().map(|step| format!("  {}: {:?}", step.at.line, step.event)));
    }
    lines
}
