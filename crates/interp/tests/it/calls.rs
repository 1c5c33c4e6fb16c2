//! Calls: recursion, pointers, mismatched signatures, several results, jumps out of functions.

use crate::check;

#[test]
fn recursion_keeps_values_apart() {
    check(
        "target pointer 8
         func @fib(i32) -> (i32) {
         b0(v0: i32):
           v1: i1 = cmp slt v0, i32 2
           branch v1 ? b1 : b2
         b1:
           return v0
         b2:
           v2: i32 = sub nsw v0, i32 1
           v3: i32 = call @fib(v2)
           v4: i32 = sub nsw v0, i32 2
           v5: i32 = call @fib(v4)
           v6: i32 = add nsw v3, v5
           return v6
         }
         func @main() -> (i32) {
         b0:
           v0: i32 = call @fib(i32 13)
           return v0
         }",
        "exit 233",
    );
}

#[test]
fn block_arguments_are_handed_over_at_once() {
    check(
        "target pointer 8
         func @main() -> (i32) {
         b0:
           jump b1(i32 1, i32 2, i32 0)
         b1(v0: i32, v1: i32, v2: i32):
           v3: i32 = add v2, i32 1
           v4: i1 = cmp eq v3, i32 4
           branch v4 ? b2 : b1(v1, v0, v3)
         b2:
           v5: i32 = shl v0, i32 4
           v6: i32 = or v5, v1
           return v6
         }",
        "exit 33",
    );
}

#[test]
fn function_pointers_and_computed_jumps() {
    check(
        "target pointer 8
         global @table size 24 align 8 = { 0: @one, 8: @two, 16: label @main b2 }
         func @one() -> (i32) {
         b0:
           return i32 1
         }
         func @two() -> (i32) {
         b0:
           return i32 2
         }
         func @main() -> (i32) {
         b0:
           v0: ptr = load @table+8 align 8
           v1: i32 = call v0()
           v2: ptr = load @table+16 align 8
           indirect v2 [b1, b2]
         b1:
           return i32 100
         b2:
           return v1
         }",
        "exit 2",
    );
}

#[test]
fn calls_of_bad_pointers() {
    let main = |call: &str| {
        format!(
            "target pointer 8\nfile file0 \"t.c\"\nfunc @main() -> (i32) !file0:1 {{\nb0:\n{call}\n return i32 0\n}}"
        )
    };
    check(&main("call null() !2:1"), "null-deref at main:2: a pointer is null and is called");
    check(
        &main("v0: ptr = uninit !2:1\n call v0() !3:1"),
        "uninit-read at main:3: a value that was never written is used as a function to call",
    );
    check(
        &main("v0: ptr = ptradd @main, i64 1 !2:1\n call v0() !3:1"),
        "call of something that is no function at main:3",
    );
    check(
        &main("v0: ptr = inttoptr i64 81985529216486895 !2:1\n call v0() !3:1"),
        "out-of-bounds at main:3: 1 byte is called at 0x123456789abcdef, where no object is",
    );
}

#[test]
fn missing_arguments_are_undefined_and_surplus_ones_ignored() {
    check(
        r#"target pointer 8
           file file0 "t.c"
           func @second(i32, i64) -> (i64) !file0:1 {
           b0(v0: i32, v1: i64):
             return v1 !2:1
           }
           func @main() -> (i32) !file0:4 {
           b0:
             v0: i64 = call @second(i32 1, i64 2, i32 3) !5:1
             v1: i64 = call @second(i32 1, i32 6) !6:1
             v2: i32 = trunc v1 !6:2
             v3: i1 = cmp eq v2, i32 6 !6:3
             branch v3 ? b1 : b1 !6:4
           b1:
             v4: i64 = call @second(i32 1) !7:1
             v5: i1 = cmp eq v4, i64 0 !8:1
             branch v5 ? b2 : b2 !8:2
           b2:
             return i32 0 !9:1
           }"#,
        "uninit-read at main:8: a value that was never written is used in a condition
         CallMismatch at main:6 (1)
         CallMismatch at main:7 (1)",
    );
}

#[test]
fn several_results() {
    check(
        "target pointer 8
         func @divide(i32, i32) -> (i32, i32) {
         b0(v0: i32, v1: i32):
           v2: i32 = sdiv v0, v1
           v3: i32 = srem v0, v1
           return v2, v3
         }
         func @main() -> (i32) {
         b0:
           v0: i32, v1: i32 = call @divide(i32 47, i32 10)
           v2: i32 = mul v1, i32 10
           v3: i32 = add v2, v0
           return v3
         }",
        "exit 74",
    );
}

#[test]
fn long_jumps_leave_functions_and_end_their_variables() {
    check(
        r#"target pointer 8
           file file0 "t.c"
           global @buffer size 200 align 16 = {}
           global @leaked size 8 align 8 = {}
           func @_setjmp(ptr) -> (i32) returns_twice
           func @longjmp(ptr, i32)
           func @thrower(i32) !file0:1 {
           b0(v0: i32):
             v1: ptr = alloca i64 4 align 4 !2:1
             store v1 to @leaked align 8 !3:1
             call @longjmp(@buffer, v0) noreturn !4:1
             unreachable noreturn !4:1
           }
           func @main() -> (i32) !file0:6 {
           b0:
             v0: i32 = call @_setjmp(@buffer) !7:1
             v1: i1 = cmp eq v0, i32 0 !8:1
             branch v1 ? b1 : b2 !8:1
           b1:
             call @thrower(i32 5) !9:1
             return i32 1 !9:2
           b2:
             v2: ptr = load @leaked align 8 !10:1
             v3: i32 = load v2 align 4 !11:1
             return v0 !12:1
           }"#,
        "use-after-scope at main:11: 4 bytes are read in temporary on the stack after its scope ended \
         [made at thrower:2, ended at thrower:4]",
    );
}

#[test]
fn weak_references_that_nobody_defines_are_null() {
    check(
        r#"target pointer 8
           file file0 "t.c"
           func extern_weak @maybe()
           func @main() -> (i32) !file0:1 {
           b0:
             v0: i1 = cmp eq @maybe, null !2:1
             branch v0 ? b1 : b2 !2:1
           b1:
             call @maybe() !3:1
             return i32 0 !3:2
           b2:
             return i32 1 !4:1
           }"#,
        "null-deref at main:3: call of `maybe`, whose address is null",
    );
}
