//! Every kind of error of the catalog that a run can show, at its place.

use crate::check;

const HEAP: &str = r#"
    target pointer 8
    file file0 "t.c"
    func @malloc(i64) -> (ptr)
    func @free(ptr)
    func @_Znwm(i64) -> (ptr)
"#;

/// A `main` with this body, the usual heap functions around it.
#[track_caller]
fn check_main(body: &str, expected: &str) {
    let text = format!("{HEAP}\nfunc @main() -> (i32) !file0:1 {{\n{body}\n}}");
    check(&text, expected);
}

#[test]
fn null_dereference_by_name() {
    check_main(
        "var x0 p local
         b0:
           v0: ptr p = assign null !2:1
           v1: i32 = load v0 align 4 !3:1
           return v1 !4:1",
        "null-deref at main:3: `p` is null and is dereferenced",
    );
}

#[test]
fn null_plus_a_member_offset_is_null() {
    check_main(
        "b0:
           v0: ptr = ptradd null, i64 24 inbounds !2:1
           store i32 1 to v0 align 4 !3:1
           return i32 0 !4:1",
        "null-deref at main:3: a pointer is 24 bytes from null and is dereferenced",
    );
}

#[test]
fn use_after_free_and_double_free() {
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           call @free(v0) !3:1
           v1: i32 = load v0 align 4 !4:1
           return v1 !5:1",
        "use-after-free at main:4: 4 bytes are read in a block from `malloc` that was freed \
         [made at main:2, ended at main:3]",
    );
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           call @free(v0) !3:1
           call @free(v0) !4:1
           return i32 0 !5:1",
        "double-free at main:4: `free` is given a block from `malloc` that was freed before \
         [made at main:2, ended at main:3]",
    );
}

#[test]
fn invalid_frees() {
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: ptr = ptradd v0, i64 4 inbounds !3:1
           call @free(v1) !4:1
           return i32 0 !5:1",
        "invalid-free at main:4: `free` is given an address 4 bytes into a block from `malloc` of 8 bytes \
         [made at main:2]",
    );
    check_main(
        "var x0 x local !2:7
         b0:
           v0: ptr = alloca i64 4 align 4 for x !2:7
           call @free(v0) !4:1
           return i32 0 !5:1",
        "invalid-free at main:4: `free` is given local variable `x`, which is not on the heap [made at main:2]",
    );
    check_main(
        "b0:
           v0: ptr = call @_Znwm(i64 8) !2:1
           call @free(v0) !4:1
           return i32 0 !5:1",
        "invalid-free at main:4: `free` is given a block from `operator new`, which `operator delete` should free \
         [made at main:2]",
    );
}

#[test]
fn leaks_are_told_after_the_exit_and_reachable_blocks_are_none() {
    let body = "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: ptr = call @malloc(i64 16) !3:1
           store v1 to @root align 8 !4:1
           return i32 3 !5:1";
    let text =
        format!("{HEAP}\nglobal @root size 8 align 8 = {{}}\nfunc @main() -> (i32) !file0:1 {{\n{body}\n}}");
    check(
        &text,
        "exit 3
         memory-leak at main:2: block from `malloc` of 8 bytes is never freed [made at main:2]",
    );
}

#[test]
fn uninitialized_values_matter_where_they_decide() {
    check_main(
        "var x0 flag local
         b0:
           v0: i32 = uninit for flag !2:1
           v1: i1 = cmp sgt v0, i32 0 !3:1
           branch v1 ? b1 : b1 !3:1
         b1:
           return i32 0 !4:1",
        "uninit-read at main:3: `flag` is used in a condition but was never written",
    );
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: i64 = load v0 align 8 !3:1
           switch v1 { default: b1 } !4:1
         b1:
           return i32 0 !5:1",
        "uninit-read at main:4: the content of block from `malloc` at offset 0 is used in a switch but was never written",
    );
    check_main(
        "b0:
           v0: ptr = uninit !2:1
           store i32 1 to v0 align 4 !3:1
           return i32 0 !5:1",
        "uninit-read at main:3: a value that was never written is used as an address",
    );
}

#[test]
fn copies_and_masked_bits_of_uninitialized_values_are_harmless() {
    check_main(
        "b0:
           v0: ptr = alloca i64 8 align 8 !2:1
           v1: ptr = alloca i64 8 align 8 !2:1
           memcopy v1 from v0 len i64 8 !3:1
           v2: i32 = load v1 align 4 !4:1
           v3: i32 = and v2, i32 0 !5:1
           v4: i1 = cmp eq v3, i32 0 !6:1
           branch v4 ? b1 : b2 !6:1
         b1:
           return i32 7 !7:1
         b2:
           return i32 8 !8:1",
        "exit 7",
    );
}

#[test]
fn out_of_bounds_in_both_directions_and_wild() {
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: ptr = ptradd v0, i64 6 inbounds !3:1
           store i32 1 to v1 align 1 !4:1
           return i32 0 !5:1",
        "out-of-bounds at main:4: 4 bytes are written at offset 6 of block from `malloc` of 8 bytes [made at main:2]",
    );
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: ptr = ptradd v0, i64 -1 !3:1
           v2: i8 = load v1 align 1 !4:1
           return i32 0 !5:1",
        "out-of-bounds at main:4: 1 byte is read at offset -1 of block from `malloc` of 8 bytes [made at main:2]",
    );
    check_main(
        "b0:
           v0: ptr = inttoptr i64 3735928559 !3:1
           v1: i8 = load v0 align 1 !4:1
           return i32 0 !5:1",
        "out-of-bounds at main:4: 1 byte is read at 0xdeadbeef, where no object is",
    );
}

#[test]
fn stepping_far_into_another_object_is_out_of_bounds_of_the_first() {
    check_main(
        "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: ptr = call @malloc(i64 8) !3:1
           v2: i64 = ptrtoint v0 !4:1
           v3: i64 = ptrtoint v1 !4:1
           v4: i64 = sub v3, v2 !4:1
           v5: ptr = ptradd v0, v4 !5:1
           store i64 1 to v5 align 8 !6:1
           return i32 0 !7:1",
        "out-of-bounds at main:6: 8 bytes are written at offset 80 of block from `malloc` of 8 bytes [made at main:2]",
    );
}

#[test]
fn scopes_end_by_block_by_return_and_by_stack_restore() {
    check_main(
        "var x0 x local !2:5
         b0:
           v0: ptr = alloca i64 4 align 4 for x !2:5
           lifetime start v0 !3:1
           store i32 1 to v0 align 4 !3:2
           lifetime end v0 !4:1
           v1: i32 = load v0 align 4 !5:1
           return v1 !6:1",
        "use-after-scope at main:5: 4 bytes are read in local variable `x` after its scope ended \
         [made at main:2, ended at main:4]",
    );
    check_main(
        "b0:
           v0: ptr = stacksave !2:1
           v1: ptr = alloca i64 4 align 4 !2:5
           stackrestore v0 !3:1
           store i32 1 to v1 align 4 !4:1
           return i32 0 !6:1",
        "use-after-scope at main:4: 4 bytes are written in temporary on the stack after its scope ended \
         [made at main:2, ended at main:3]",
    );
    check(
        r#"target pointer 8
           file file0 "t.c"
           func @local() -> (ptr) !file0:1 {
             var x0 x local !2:5
           b0:
             v0: ptr = alloca i64 4 align 4 for x !2:5
             return v0 !3:1
           }
           func @main() -> (i32) !file0:5 {
           b0:
             v0: ptr = call @local() !6:1
             v1: i32 = load v0 align 4 !7:1
             return v1 !8:1
           }"#,
        "use-after-scope at main:7: 4 bytes are read in local variable `x` after its scope ended \
         [made at local:2, ended at local:3]",
    );
}

#[test]
fn division_by_zero() {
    check_main(
        "var x0 n local
         b0:
           v0: i32 n = assign i32 0 !2:1
           v1: i32 = srem i32 5, v0 !3:1
           return v1 !4:1",
        "div-by-zero at main:3: division by `n`, which is zero",
    );
    check_main(
        "b0:
           v0: i32 = uninit !2:1
           v1: i32 = udiv i32 5, v0 !3:1
           return v1 !4:1",
        "uninit-read at main:3: a value that was never written is used as a divisor",
    );
}

#[test]
fn failing_assertions_tell_the_condition_and_the_callers() {
    check(
        r#"target pointer 8
           file file0 "t.c"
           global internal @text size 6 align 1 constant = { 0: "n > 0\x00" }
           func @__assert_fail(ptr, ptr, i32, ptr)
           func @test() !file0:1 {
           b0:
             call @__assert_fail(@text, @text, i32 2, @text) noreturn !2:1
             unreachable noreturn !2:1
           }
           func @main() -> (i32) !file0:5 {
           b0:
             call @test() !6:1
             return i32 0 !7:1
           }"#,
        "assert-failure at test:2: the assertion `n > 0` fails < main:6",
    );
}

#[test]
fn faults_that_are_no_error_of_the_catalog() {
    let with = |body: &str| {
        format!(
            "{HEAP}\nglobal @limit size 4 align 4 constant = {{ 0: x\"05000000\" }}\n\
             func @main() -> (i32) !file0:1 {{\n{body}\n}}"
        )
    };
    check(
        &with("b0:\n store i32 1 to @limit align 4 !2:1\n return i32 0"),
        "write to constant memory at main:2",
    );
    check(&with("b0:\n v0: i8 = load @main align 1 !2:1\n return i32 0"), "access to code as data at main:2");
    check(
        &with("b0:\n call @limit() !2:1\n return i32 0"),
        "call of something that is no function at main:2",
    );
}
