//! One function from a concrete state, with a script for the environment.

use interp::replay::{
    Cell, Concrete, Fill, PreBlock, PreKind, PreState, Replayed, STRIDE, Script, Unfit, Where,
    allocation_address, block_address, function_address, global_address, replay,
};
use interp::{Family, Options, Outcome, Program, Value};

use crate::parse;

const MODULE: &str = r#"
    target pointer 8
    file file0 "t.c"
    global @head size 8 align 8 = {}
    global @limit size 4 align 4 = {}
    func @malloc(i64) -> (ptr)
    func @free(ptr)
    func @ext_i() -> (i32)
    func @ext_p() -> (ptr)
    func @next(ptr) -> (ptr) !file0:1 {
    b0(v0: ptr):
      v1: ptr = ptradd v0, i64 8 !2:1
      v2: ptr = load v1 align 8 !3:1
      v3: ptr = load v2 align 8 !4:1
      return v3 !5:1
    }
    func @two() -> (ptr) !file0:10 {
    b0():
      v0: ptr = call @malloc(i64 16) !11:1
      v1: ptr = call @malloc(i64 8) !12:1
      store v0 to @head align 8 !13:1
      return v1 !14:1
    }
    func @lost() !file0:20 {
    b0():
      v0: ptr = call @malloc(i64 16) !21:1
      return !22:1
    }
    func @drop(ptr) !file0:30 {
    b0(v0: ptr):
      call @free(v0) !31:1
      return !32:1
    }
    func @ask() -> (i32) !file0:40 {
    b0():
      v0: i32 = call @ext_i() !41:1
      v1: i32 = call @ext_i() !42:1
      v2: ptr = call @ext_p() !43:1
      v3: i32 = load v2 align 4 !44:1
      v4: i32 = add v0, v1 !45:1
      v5: i32 = add v4, v3 !46:1
      return v5 !47:1
    }
    func @keep(ptr) !file0:50 {
    b0(v0: ptr):
      v1: ptr = call @malloc(i64 16) !51:1
      store v1 to v0 align 8 !52:1
      return !53:1
    }
    func @bound() -> (i32) !file0:60 {
    b0():
      v0: i32 = load @limit align 4 !61:1
      return v0 !62:1
    }
    func @read(ptr) -> (i32) !file0:70 {
    b0(v0: ptr):
      v1: i32 = load v0 align 4 !71:1
      return v1 !72:1
    }
"#;

fn run(name: &str, state: PreState, script: Script, look: impl FnOnce(&Program<'_>, &Replayed<'_>)) {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let function = program.function(name).expect("the module should have the function");
    let replayed =
        replay(&program, function, &state, script, Options::default()).expect("the state should fit");
    look(&program, &replayed);
}

fn heap(size: u64, cells: Vec<Cell>) -> PreBlock {
    PreBlock { size, kind: PreKind::Heap(Family::Malloc), cells, fill: Fill::Seeded }
}

fn pointer(index: usize, offset: i64) -> Concrete {
    Concrete::Block { index, offset }
}

fn cell(offset: u64, bytes: u32, value: Concrete) -> Cell {
    Cell { offset, bytes, value }
}

fn state(blocks: Vec<PreBlock>, args: Vec<Concrete>) -> PreState {
    PreState { blocks, globals: Vec::new(), args }
}

fn bug(replayed: &Replayed<'_>) -> Option<(&'static str, u32)> {
    replayed.outcome.bug().map(|bug| (bug.issue.id(), bug.place.line))
}

fn result(replayed: &Replayed<'_>) -> u64 {
    match &replayed.outcome {
        Outcome::Returned(values) => values[0].low(),
        other => panic!("the function should return, not {other:?}"),
    }
}

#[test]
fn blocks_of_the_state_point_at_each_other() {
    let first = heap(16, vec![cell(8, 8, pointer(1, 4))]);
    let second = heap(16, vec![cell(4, 8, Concrete::Int(7))]);
    run("next", state(vec![first, second], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
        assert_eq!(result(replayed), 7);
    });
}

#[test]
fn a_number_that_is_an_address_is_a_pointer() {
    let first = heap(16, vec![cell(8, 8, Concrete::Int(block_address(1).into()))]);
    let second = PreBlock { kind: PreKind::Freed(Family::Malloc), ..heap(8, Vec::new()) };
    let args = vec![Concrete::Int(block_address(0).into())];
    run("next", state(vec![first, second], args), Script::default(), |_, replayed| {
        assert_eq!(bug(replayed), Some(("use-after-free", 4)));
        assert!(replayed.is_freed(Where::State(1)) && !replayed.is_freed(Where::State(0)));
    });
}

#[test]
fn null_in_the_state_is_dereferenced() {
    let first = heap(16, vec![cell(8, 8, Concrete::Int(0))]);
    run("next", state(vec![first], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
        assert_eq!(bug(replayed), Some(("null-deref", 4)));
    });
}

#[test]
fn only_heap_blocks_may_be_freed() {
    let own = PreBlock { kind: PreKind::Caller, ..heap(8, Vec::new()) };
    run("drop", state(vec![own], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
        assert_eq!(bug(replayed), Some(("invalid-free", 31)));
    });
    run("drop", state(vec![heap(8, Vec::new())], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
        assert_eq!(bug(replayed), None);
        assert!(replayed.is_freed(Where::State(0)));
        assert_eq!(replayed.read(Where::State(0), 0, 4), None, "a freed block holds nothing");
    });
    let freed = PreBlock { kind: PreKind::Freed(Family::Malloc), ..heap(8, Vec::new()) };
    run("drop", state(vec![freed], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
        assert_eq!(bug(replayed), Some(("double-free", 31)));
    });
}

#[test]
fn allocations_succeed_where_the_script_says_so_and_lie_where_it_is_known() {
    let script = Script { allocations: vec![false, true], results: Vec::new() };
    run("two", PreState::default(), script, |program, replayed| {
        let head = Where::Global(program.global("head").unwrap());
        assert_eq!(replayed.read(head, 0, 8), Some(Value::int(64, 0)));
        assert_eq!(result(replayed), allocation_address(1));
        assert_eq!((replayed.n_allocations, replayed.n_refused), (2, 0));
        assert_eq!(replayed.size(Where::Allocation(0)), None, "it failed");
        assert_eq!(replayed.size(Where::Allocation(1)), Some(8));
    });
    run("two", PreState::default(), Script::default(), |program, replayed| {
        let head = Where::Global(program.global("head").unwrap());
        assert_eq!(replayed.read(head, 0, 8).map(|value| value.low()), Some(allocation_address(0)));
        assert_eq!(replayed.leaks, [], "a global and the result hold the two");
    });
}

#[test]
fn what_nothing_holds_at_return_is_a_leak() {
    run("lost", state(vec![heap(8, Vec::new())], Vec::new()), Script::default(), |_, replayed| {
        let found: Vec<_> = replayed.leaks.iter().map(|leak| (leak.issue.id(), leak.place.line)).collect();
        assert_eq!(found, [("memory-leak", 21)], "the state's own block is no leak");
    });
    run("keep", state(vec![heap(8, Vec::new())], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
        assert_eq!(replayed.leaks, [], "memory of the caller holds it");
    });
}

#[test]
fn unknown_code_returns_what_the_script_says() {
    let block = PreBlock { kind: PreKind::Unknown, ..heap(4, vec![cell(0, 4, Concrete::Int(100))]) };
    let results = vec![Concrete::Int(20), Concrete::Int(u32::MAX.into()), pointer(0, 0)];
    let script = Script { allocations: Vec::new(), results };
    run("ask", state(vec![block], Vec::new()), script, |_, replayed| {
        assert_eq!(result(replayed), 119);
        assert_eq!(replayed.n_results, 3);
    });
    let script =
        Script { allocations: Vec::new(), results: vec![Concrete::Any, Concrete::Any, Concrete::Int(0)] };
    run("ask", PreState::default(), script, |_, replayed| {
        assert_eq!(bug(replayed), Some(("null-deref", 44)));
    });
}

#[test]
fn globals_hold_what_the_state_says() {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let limit = program.global("limit").unwrap();
    let globals = vec![(limit, vec![cell(0, 4, Concrete::Int(12))])];
    let state = PreState { globals, ..PreState::default() };
    let bound = program.function("bound").unwrap();
    let replayed = replay(&program, bound, &state, Script::default(), Options::default()).unwrap();
    assert_eq!(result(&replayed), 12);
    let head = program.global("head").unwrap();
    assert!(global_address(&program, limit) != global_address(&program, head));
    assert!(function_address(&program, bound) > 4096);
}

#[test]
fn bytes_without_a_cell_are_what_the_fill_says() {
    let block = |fill| PreBlock { fill, ..heap(8, vec![cell(0, 1, Concrete::Int(1))]) };
    let read = |fill, expected: fn(&Value) -> bool| {
        run("read", state(vec![block(fill)], vec![pointer(0, 0)]), Script::default(), |_, replayed| {
            let Outcome::Returned(values) = &replayed.outcome else { panic!("it should return") };
            assert!(expected(&values[0]), "{:?}", values[0]);
        });
    };
    read(Fill::Byte(2), |value| *value == Value::int(32, 0x0202_0201));
    read(Fill::Undefined, |value| !value.is_defined());
    read(Fill::Seeded, |value| value.is_defined() && value.low() & 0xff == 1 && value.low() > 0xff);
}

#[test]
fn states_that_cannot_be_are_refused() {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let read = program.function("read").unwrap();
    let refusal = |block: PreBlock| {
        let state = state(vec![block], Vec::new());
        replay(&program, read, &state, Script::default(), Options::default()).err()
    };
    assert_eq!(refusal(heap(STRIDE, Vec::new())), Some(Unfit::Size(0)));
    assert_eq!(refusal(heap(4, vec![cell(1, 4, Concrete::Int(0))])), Some(Unfit::Cell(Where::State(0))));
    assert_eq!(refusal(heap(4, vec![cell(1, 0, Concrete::Int(0))])), Some(Unfit::Cell(Where::State(0))));
}
