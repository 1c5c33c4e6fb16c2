//! Setting up a state, calling one function in it, and looking at what is left: what the theorem tests need.

use interp::{AccessError, BlockKind, Family, Machine, Options, Outcome, Program, Value};
use ir::Type;

use crate::parse;

const MODULE: &str = r#"
    target pointer 8
    file file0 "t.c"
    global @total size 8 align 8 = {}
    func @free(ptr)
    func @push(ptr, i64) -> (i64) !file0:1 {
    b0(v0: ptr, v1: i64):
      v2: i64 = load v0 align 8 !2:1
      v3: i64 = add v2, v1 !3:1
      store v3 to v0 align 8 !4:1
      store v3 to @total align 8 !5:1
      return v3 !6:1
    }
    func internal @drop(ptr) !file0:8 {
    b0(v0: ptr):
      call @free(v0) !9:1
      return !10:1
    }
"#;

#[test]
fn a_function_runs_in_a_given_state() {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let mut machine = Machine::new(&program, Options::default());
    let cell = machine.allocate(8, 8).unwrap();
    machine.write(&cell, &Value::int(64, 30)).unwrap();
    let push = program.function("push").unwrap();
    let outcome = machine.call(push, &[cell.clone(), Value::int(64, 12)]);
    assert_eq!(outcome, Outcome::Returned(vec![Value::int(64, 42)]));
    assert_eq!(machine.read(&cell, Type::Int(64)), Ok(Value::int(64, 42)));
    let total = machine.global("total").unwrap();
    assert_eq!(machine.read(&total, Type::Int(64)), Ok(Value::int(64, 42)));
    assert_eq!(machine.leaks(), [], "a given block is nobody's leak");
}

#[test]
fn heap_blocks_of_the_state_may_be_freed_once() {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let mut machine = Machine::new(&program, Options::default());
    let heap = BlockKind::Heap { family: Family::Malloc, callers: u32::MAX };
    let block = machine.allocate_as(heap, 16, 16).unwrap();
    assert_eq!(machine.leaks().len(), 1);
    let drop = program.any_function("drop").unwrap();
    assert_eq!(machine.call(drop, std::slice::from_ref(&block)), Outcome::Returned(vec![]));
    assert!(matches!(machine.read(&block, Type::Int(8)), Err(AccessError::Freed(_))));
    let again = machine.call(drop, &[block]);
    assert_eq!(again.bug().map(|bug| (bug.issue.id(), bug.place.line)), Some(("double-free", 9)));
}

#[test]
fn reading_uninitialized_cells_of_the_state_is_found_where_it_matters() {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let mut machine = Machine::new(&program, Options::default());
    let cell = machine.allocate(8, 8).unwrap();
    let push = program.function("push").unwrap();
    let Outcome::Returned(values) = machine.call(push, &[cell, Value::int(64, 1)]) else {
        panic!("adding undefined numbers should be allowed");
    };
    assert!(!values[0].is_defined());
}
