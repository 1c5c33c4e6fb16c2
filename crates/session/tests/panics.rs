//! An error of ours in one function costs that function only.

use std::panic;

use base::Id;
use project::{Links, Project, UnitIr};
use session::{Options, Watch};

const TEXT: &str = "\
target pointer 8
func @broken(i32) -> (i32) {
b0(v0: i32):
  return v0
}
func @good(i32) -> (i32) {
b0(v0: i32):
  v1: i32 = udiv i32 1, i32 0
  return v1
}
func @caller(i32) -> (i32) {
b0(v0: i32):
  v1: i32 = call @broken(v0)
  return v1
}
";

/// A project with a function that breaks a law of the IR: it returns a value that it does not have.
fn project() -> Project {
    let mut module = ir::parse(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let broken = module.functions.iter_mut().next().and_then(|it| it.body.as_mut());
    let body = broken.expect("the first function has a body");
    let block = body.blocks.iter_mut().next().expect("it has a block");
    block.term = ir::Terminator::Return { values: vec![ir::Operand::Value(ir::ValueId::new(1000))] };
    let unit = UnitIr {
        path: "/p/a.c".into(),
        file: "a.c".to_owned(),
        args: Vec::new(),
        outputs: Vec::new(),
        module,
    };
    Project::new(vec![unit], &Links::default())
}

#[test]
fn a_panic_costs_the_function_it_happens_in() {
    panic::set_hook(Box::new(|_| {}));
    let project = project();
    for jobs in [1, 4] {
        let analysis = session::analyze(&project, &Options { jobs, ..Options::default() }, &Watch::nobody());
        let summary = analysis.report.summary;
        assert_eq!((summary.functions, summary.analyzed, summary.gave_up), (3, 2, 1), "{jobs} threads");
        let note = "internal error while analyzing `broken`; please report it".to_owned();
        assert_eq!(analysis.report.notes, [note]);
        let given_up: Vec<&str> =
            analysis.given_up.iter().map(|(function, _)| project.function(*function).name()).collect();
        assert_eq!(given_up, ["broken"]);
        assert!(analysis.report.findings.iter().any(|it| it.function == "good"), "{jobs} threads");
    }
}
