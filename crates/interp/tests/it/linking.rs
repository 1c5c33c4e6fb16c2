//! Several modules: who wins a name, what is run before and after `main`.

use crate::{check, check_with};
use interp::Options;

#[test]
fn external_beats_weak_beats_available_externally() {
    let value = |linkage: &str, value: u32| {
        format!("target pointer 8\nfunc {linkage} @value() -> (i32) {{\nb0:\n return i32 {value}\n}}\n")
    };
    let main = "target pointer 8\nfunc @value() -> (i32)\nfunc @main() -> (i32) {\nb0:\n v0: i32 = call @value()\n return v0\n}";
    let (copy, weak, strong) = (value("available_externally", 1), value("weak", 2), value("", 3));
    check_with(Options::default(), &[main, &copy], "exit 1");
    check_with(Options::default(), &[&copy, &weak, main], "exit 2");
    check_with(Options::default(), &[main, &weak, &strong, &copy], "exit 3");
}

#[test]
fn internal_names_stay_in_their_module() {
    let other = "target pointer 8
        global internal @state size 4 align 4 = { 0: x\"07000000\" }
        func internal @get() -> (i32) {
        b0:
          v0: i32 = load @state align 4
          return v0
        }
        func @other() -> (i32) {
        b0:
          v0: i32 = call @get()
          return v0
        }";
    let main = "target pointer 8
        global internal @state size 4 align 4 = { 0: x\"05000000\" }
        func @other() -> (i32)
        func internal @get() -> (i32) {
        b0:
          v0: i32 = load @state align 4
          return v0
        }
        func @main() -> (i32) {
        b0:
          v0: i32 = call @get()
          v1: i32 = call @other()
          v2: i32 = mul v0, v1
          return v2
        }";
    check_with(Options::default(), &[other, main], "exit 35");
}

#[test]
fn shared_globals_and_aliases() {
    let defines = "target pointer 8
        global @pair size 8 align 4 = { 0: x\"0100000002000000\" }
        func @real() -> (i32) {
        b0:
          return i32 40
        }
        alias @second = @pair+4
        alias @nickname = @real";
    let uses = "target pointer 8
        global @second size 4 align 4
        func @nickname() -> (i32)
        func @main() -> (i32) {
        b0:
          v0: i32 = load @second align 4
          v1: i32 = call @nickname()
          v2: i32 = add v0, v1
          return v2
        }";
    check_with(Options::default(), &[uses, defines], "exit 42");
}

#[test]
fn undefined_globals_are_zero_and_told() {
    check(
        "target pointer 8
         global @elsewhere size 4 align 4
         func @main() -> (i32) {
         b0:
           v0: i32 = load @elsewhere align 4
           return v0
         }",
        "exit 0\nUndefinedGlobal at :0 (1)",
    );
}

#[test]
fn constructors_handlers_and_destructors_run_in_order() {
    let module = |name: &str, extra: &str| {
        format!(
            "target pointer 8
             func @putchar(i32) -> (i32)
             func @atexit(ptr) -> (i32)
             func @exit(i32)
             func internal @up() {{
             b0:
               v0: i32 = call @putchar(i32 {})
               return
             }}
             func internal @down() {{
             b0:
               v0: i32 = call @putchar(i32 {})
               return
             }}
             constructor 65535 @up
             destructor 65535 @down
             {extra}",
            name.as_bytes()[0].to_ascii_uppercase(),
            name.as_bytes()[0],
        )
    };
    let main = "func internal @first() {
         b0:
           v0: i32 = call @putchar(i32 48)
           return
         }
         func internal @handler() {
         b0:
           v0: i32 = call @putchar(i32 33)
           return
         }
         constructor 101 @first
         func @main() -> (i32) {
         b0:
           v0: i32 = call @atexit(@down)
           v1: i32 = call @atexit(@handler)
           v2: i32 = call @putchar(i32 45)
           call @exit(i32 300) noreturn
           unreachable noreturn
         }";
    check_with(Options::default(), &[&module("a", main), &module("b", "")], "> 0AB-!aba\nexit 44");
}
