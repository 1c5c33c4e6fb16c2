//! The laws of the verifier: each has files that break it, and only it.

mod common;

use base::{Id, IdVec};
use ir::{
    Body, Call, Callee, Const, ConstId, Function, Inst, InstId, Law, Loc, LocId, Module, ParamAttrs, ValueId,
    parse, print, verify,
};

/// The first line of a file says `// test verify L7: why`; the file breaks that law and no other.
#[test]
fn files_break_the_law_they_name() {
    let mut broken = Vec::new();
    for (name, text) in common::files("verify") {
        let module = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations = verify(&module);
        let lines: Vec<String> = violations.iter().map(|it| it.describe(&module)).collect();
        let mut laws: Vec<Law> = violations.iter().map(|it| it.law).collect();
        laws.dedup();
        let [law] = laws[..] else { panic!("{name} should break one law: {lines:#?}") };
        let expected = format!("// test verify {law:?}: ");
        assert!(text.starts_with(&expected), "{name} breaks {law:?}: {lines:#?}");
        assert!(
            name.starts_with(&format!("l{:02}_", law as u32 + 1)),
            "{name} should be named after {law:?}"
        );
        broken.push(law);
        let printed = print(&module);
        let again = parse(&printed).unwrap_or_else(|error| panic!("{name}:{error}\n{printed}"));
        assert_eq!(print(&again), printed, "{name}");
        assert_eq!(verify(&again), violations, "{name}");
    }
    broken.dedup();
    assert_eq!(broken, Law::ALL, "every law should have a file that breaks it");
}

/// What no text can say: the same module changed in its tables.
#[test]
fn tables_break_laws() {
    check_function(|it| it.param_attrs.clear(), Law::L8);
    check_function(|it| it.result_attrs.push(ParamAttrs::default()), Law::L8);
    check(|it| it.blocks[Body::ENTRY].insts.truncate(1), Law::L10);
    check(|it| it.blocks[Body::ENTRY].insts.push(InstId::new(1)), Law::L10);
    check(|it| it.blocks[Body::ENTRY].insts.push(InstId::new(9)), Law::L2);
    check(|it| it.blocks[Body::ENTRY].params[0] = ValueId::new(9), Law::L2);
    check(|it| it.values[ValueId::new(0)].def = ir::ValueDef::Result(InstId::new(0), 0), Law::L10);
    check(|it| it.values[ValueId::new(0)].def = ir::ValueDef::Result(InstId::new(9), 0), Law::L2);
    check(|it| it.insts[InstId::new(0)].n_results = u32::MAX, Law::L2);
    check(|it| it.insts[InstId::new(0)].loc = LocId::new(9), Law::L2);
    check(|it| it.insts[InstId::new(0)].inst = Inst::Nondet { reason: Id::new(3) }, Law::L2);
    check(|it| it.insts[InstId::new(0)].inst = Inst::Freeze { arg: ConstId::new(9).into() }, Law::L2);
    check(|it| it.insts[InstId::new(1)].inst = Inst::Call { call: Id::new(9) }, Law::L2);
    check(|it| it.calls.iter_mut().for_each(|call| call.callee = Callee::Asm(Id::new(3))), Law::L2);
    check(|it| it.calls.iter_mut().for_each(|call| call.arg_attrs.clear()), Law::L18);
    check(
        |it| {
            it.calls.push(unused_call());
        },
        Law::L10,
    );
    for constant in malformed_constants() {
        check(
            |it| {
                it.consts.insert(constant.clone());
            },
            Law::L5,
        );
    }
    let mut module = module();
    module.locs = IdVec::new();
    assert!(verify(&module).iter().any(|it| it.law == Law::L3));
    module.locs.push(Loc { line: 1, ..Loc::default() });
    assert!(verify(&module).iter().any(|it| it.law == Law::L3));
}

/// Broken symbols are found and printed without a panic.
#[test]
fn symbols_that_do_not_exist() {
    let mut module = module();
    let name = Id::new(1000);
    module.functions.iter_mut().for_each(|it| (it.name, it.pretty) = (name, name));
    module.source = Some(name);
    let violations = verify(&module);
    assert_eq!(violations.len(), 3, "{violations:?}");
    assert!(violations.iter().all(|it| it.law == Law::L2 && !it.describe(&module).is_empty()));
    assert!(print(&module).contains("@\"?\""));
}

fn module() -> Module {
    let text = "target pointer 8 func @g(i32) -> (i32) func @f(i32) -> (i32) { b0(v0: i32): v1: i32 = freeze v0 v2: i32 = \
                call @g(v1) return v2 }";
    let module = parse(text).expect("parses");
    assert_eq!(verify(&module), []);
    module
}

fn check_function(change: impl FnOnce(&mut Function), law: Law) {
    let mut module = module();
    change(module.functions.iter_mut().last().expect("has functions"));
    let violations = verify(&module);
    assert!(!violations.is_empty(), "{law:?} should be broken");
    assert!(violations.iter().all(|it| it.law == law), "{law:?} should be broken, not {violations:#?}");
    assert!(violations.iter().all(|it| !it.describe(&module).is_empty()));
    print(&module);
}

fn check(change: impl FnOnce(&mut Body), law: Law) {
    check_function(|function| change(function.body.as_mut().expect("has a body")), law);
}

fn unused_call() -> Call {
    Call {
        callee: Callee::Func(Id::new(0)),
        args: Vec::new(),
        arg_attrs: Vec::new(),
        signature: ir::Signature::default(),
        noreturn: false,
    }
}

fn malformed_constants() -> Vec<Const> {
    vec![
        Const::Int { width: 0, value: 0 },
        Const::Int { width: 129, value: 0 },
        Const::Int { width: 8, value: 256 },
        Const::WideInt { width: 0, words: Box::new([]) },
        Const::WideInt { width: 128, words: Box::new([0, 0]) },
        Const::WideInt { width: 200, words: Box::new([0, 0, 0]) },
        Const::WideInt { width: 200, words: Box::new([0, 0, 0, 256]) },
        Const::WideInt { width: u32::MAX, words: Box::new([]) },
        Const::Float { kind: ir::FloatKind::Single, bits: 1 << 32 },
        Const::Float { kind: ir::FloatKind::X87, bits: 1 << 80 },
    ]
}
