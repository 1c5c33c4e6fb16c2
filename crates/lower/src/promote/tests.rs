//! Files with the IR before and after promotion, and random programs that observe the same before and after.

#[path = "../../../ir/tests/common/mod.rs"]
mod common;

use common::programs;
use common::random::Random;
use ir::{Inst, Module, parse, print, verify};

fn promote_all(module: &mut Module) {
    let pointer_bytes = module.target.pointer_bytes;
    for function in module.functions.iter_mut() {
        if let Some(body) = &mut function.body {
            super::promote(body, pointer_bytes);
        }
    }
}

fn check_laws(module: &Module, what: &str) {
    let violations: Vec<String> = verify(module).iter().map(|it| it.describe(module)).collect();
    assert_eq!(violations, Vec::<String>::new(), "{what}\n{}", print(module));
}

/// A file has the text before, a line `// becomes`, and the text after.
#[test]
fn files_become_what_they_say() {
    for (name, text) in common::files("promote") {
        let (before, expected) = text.split_once("// becomes\n").expect("a line `// becomes`");
        let mut module = parse(before).unwrap_or_else(|error| panic!("{name}:{error}"));
        check_laws(&module, &name);
        promote_all(&mut module);
        check_laws(&module, &name);
        assert_eq!(print(&module), expected, "{name}");
    }
}

/// Programs observe the same with their variables in memory and as values, and nothing stays in memory.
#[test]
fn random_programs_keep_their_meaning() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let n_blocks = 1 + random.below(12);
        let n_more_edges = random.below(2 * n_blocks);
        let program = programs::program(&mut random, n_blocks, n_more_edges);
        let mut module = parse(&programs::memory_form(&program, seed % 2 == 0)).expect("parses");
        check_laws(&module, &format!("seed {seed}"));
        promote_all(&mut module);
        check_laws(&module, &format!("seed {seed}"));
        let body = programs::body(&mut module);
        let is_memory =
            |it: &Inst| matches!(it, Inst::Alloca { .. } | Inst::Load { .. } | Inst::Store { .. });
        assert!(!body.insts.iter().any(|it| is_memory(&it.inst)), "seed {seed}");
        for arg in [0, 1, 77, 200] {
            assert_eq!(programs::interpret(body, arg), programs::run(&program, arg), "seed {seed}");
        }
    }
}

/// A function without blocks, and blocks that the entry does not reach, are left alone.
#[test]
fn broken_bodies_do_not_panic() {
    let text = "target pointer 8 func @none() { } func @unreached() { b0: v0: ptr = alloca i64 4 align 4 return \
                b1: v1: i32 = load v0 align 4 return }";
    let mut module = parse(text).expect("parses");
    let before = print(&module);
    promote_all(&mut module);
    assert_eq!(print(&module), before);
}
