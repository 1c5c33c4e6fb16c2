//! `va_list` as clang's expansion of `va_arg` reads it on x86-64.

use crate::check;

#[test]
fn registers_first_then_the_overflow_area() {
    // Sums seven ints after two fixed parameters: four come in registers, three in memory.
    check(
        r#"target "x86_64-pc-linux-gnu" pointer 8
           func @sum(i32, i64, ...) -> (i32) {
           b0(v0: i32, v1: i64):
             v2: ptr = alloca i64 24 align 16
             vastart v2
             jump b1(i32 0, i32 0)
           b1(v3: i32, v4: i32):
             v5: i1 = cmp slt v3, v0
             branch v5 ? b2 : b6
           b2:
             v6: i32 = load v2 align 16
             v7: i1 = cmp ule v6, i32 40
             branch v7 ? b3 : b4
           b3:
             v8: ptr = ptradd v2, i64 16
             v9: ptr = load v8 align 8
             v10: i64 = zext v6
             v11: ptr = ptradd v9, v10
             v12: i32 = add v6, i32 8
             store v12 to v2 align 4
             jump b5(v11)
           b4:
             v13: ptr = ptradd v2, i64 8
             v14: ptr = load v13 align 8
             v15: ptr = ptradd v14, i64 8
             store v15 to v13 align 8
             jump b5(v14)
           b5(v16: ptr):
             v17: i32 = load v16 align 4
             v18: i32 = mul v4, i32 3
             v19: i32 = add v18, v17
             v20: i32 = add v3, i32 1
             jump b1(v20, v19)
           b6:
             vaend v2
             return v4
           }
           func @main() -> (i32) {
           b0:
             v0: i32 = call @sum(i32 5, i64 9, ..., i32 1, i32 0, i32 2, i32 1, i32 2)
             return v0
           }"#,
        "exit 104",
    );
}

#[test]
fn reading_past_the_last_argument_is_undefined_or_out_of_bounds() {
    let text = |offset: u32, area: u32| {
        format!(
            r#"target "x86_64-pc-linux-gnu" pointer 8
               file file0 "t.c"
               func @get(...) -> (i32) !file0:1 {{
               b0:
                 v0: ptr = alloca i64 24 align 16 !2:1
                 vastart v0 !3:1
                 v1: ptr = ptradd v0, i64 {area} !4:1
                 v2: ptr = load v1 align 8 !4:2
                 v3: ptr = ptradd v2, i64 {offset} !4:3
                 v4: i32 = load v3 align 4 !5:1
                 v5: i1 = cmp eq v4, i32 1 !6:1
                 branch v5 ? b1 : b1 !6:2
               b1:
                 return v4 !7:1
               }}
               func @main() -> (i32) !file0:9 {{
               b0:
                 v0: i32 = call @get(..., i32 1, i32 2) !10:1
                 return v0 !11:1
               }}"#
        )
    };
    check(&text(8, 16), "exit 2");
    check(
        &text(16, 16),
        "uninit-read at get:6: the content of temporary on the stack at offset 16 is used in a condition but was never written < main:10",
    );
    check(
        &text(0, 8),
        "out-of-bounds at get:5: 4 bytes are read at offset 0 of temporary on the stack of 0 bytes < main:10 [made at get:3]",
    );
}

#[test]
fn library_functions_read_the_same_list() {
    check(
        r#"target "x86_64-pc-linux-gnu" pointer 8
           global internal @format size 22 align 1 constant = { 0: "%d %s %.1f %Lg %c|%d\n\x00" }
           global internal @word size 3 align 1 constant = { 0: "hi\x00" }
           func @vprintf(ptr, ptr) -> (i32)
           func @say(ptr, ...) -> (i32) {
           b0(v0: ptr):
             v1: ptr = alloca i64 24 align 16
             vastart v1
             v2: i32 = call @vprintf(v0, v1)
             vaend v1
             return v2
           }
           func @main() -> (i32) {
           b0:
             v0: i32 = call @say(@format, ..., i32 -5, @word, double 2.25, x87 0x3fff8000000000000000, i32 120, i32 9)
             return v0
           }"#,
        "> -5 hi 2.2 1 x|9\nexit 16",
    );
}

#[test]
fn other_targets_are_unsupported() {
    check(
        r#"target "aarch64-unknown-linux-gnu" pointer 8
           func @get(...) -> (i32) {
           b0:
             v0: ptr = alloca i64 32 align 16
             vastart v0
             return i32 0
           }
           func @main() -> (i32) {
           b0:
             v0: i32 = call @get(..., i32 1)
             return v0
           }"#,
        "unsupported va_start on a target other than x86-64 System V at get:0",
    );
}
