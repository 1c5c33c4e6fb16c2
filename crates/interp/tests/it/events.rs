//! Undefined operations that do not stop a machine, and ends of control.

use crate::{check, check_with};
use interp::{Options, UnknownPolicy, VolatilePolicy};

#[track_caller]
fn check_main(body: &str, expected: &str) {
    let text = format!(
        "target pointer 8\nfile file0 \"t.c\"\nfunc @mystery(ptr) -> (i32)\nfunc @main() -> (i32) !file0:1 {{\n{body}\n}}"
    );
    check(&text, expected);
}

#[test]
fn broken_flags_wrap_and_are_counted_per_place() {
    check_main(
        "b0:
           jump b1(i32 0, i32 2147483600) !2:1
         b1(v0: i32, v1: i32):
           v2: i32 = add nsw v1, i32 40 !3:1
           v3: i32 = add v0, i32 1 !4:1
           v4: i1 = cmp slt v3, i32 3 !4:1
           branch v4 ? b1(v3, i32 2147483640) : b2 !4:1
         b2:
           v5: i32 = shl i32 1, i32 40 !5:1
           v6: i32 = sdiv i32 -2147483648, i32 -1 !6:1
           v7: i32 = lshr exact i32 5, i32 1 !7:1
           assume false !8:1
           return v5 !9:1",
        "exit 0
         SignedOverflow at main:3 (2)
         OversizedShift at main:5 (1)
         DivisionOverflow at main:6 (1)
         NotFollowed at main:7 (1)
         AssumeViolated at main:8 (1)",
    );
}

#[test]
fn pointers_may_leave_their_object_only_by_one() {
    check_main(
        "b0:
           v0: ptr = alloca i64 8 align 8 !2:1
           v1: ptr = ptradd v0, i64 8 inbounds !3:1
           v2: ptr = ptradd v0, i64 9 inbounds !4:1
           v3: ptr = ptradd v0, i64 -1 inbounds !5:1
           v4: ptr = ptradd v0, i64 -1 !6:1
           v5: ptr = ptradd null, i64 8 inbounds !7:1
           return i32 0 !9:1",
        "exit 0
         PointerOverflow at main:4 (1)
         PointerOverflow at main:5 (1)",
    );
}

#[test]
fn misaligned_access_and_overlapping_copy() {
    check_main(
        "b0:
           v0: ptr = alloca i64 16 align 8 !2:1
           memset v0 byte i8 1 len i64 16 !2:2
           v1: ptr = ptradd v0, i64 1 inbounds !3:1
           v2: i32 = load v1 align 4 !4:1
           memcopy v1 from v0 len i64 8 !5:1
           memcopy v1 from v0 len i64 8 overlap !6:1
           memcopy v0 from v0 len i64 8 !7:1
           return i32 0 !9:1",
        "exit 0
         Misaligned at main:4 (1)
         Overlap at main:5 (1)",
    );
}

#[test]
fn ends_of_control() {
    check_main("b0:\n unreachable undefined !2:1", "unreachable at main:2");
    check_main("b0:\n unreachable trap !2:1", "aborted by trap at main:2");
    check_main("b0:\n unreachable unwind !2:1", "unsupported unwinding of an exception at main:2");
    check_main("b0:\n indirect @main [b1] !2:1\nb1:\n return i32 0", "unreachable at main:2");
}

#[test]
fn unknown_functions_answer_from_the_seed() {
    let text = r#"
        target pointer 8
        file file0 "t.c"
        func @mystery(ptr) -> (i32)
        func @main() -> (i32) !file0:1 {
        b0:
          v0: ptr = alloca i64 4 align 4 !2:1
          v1: i32 = call @mystery(v0) !3:1
          v2: i32 = load v0 align 4 !4:1
          v3: i1 = cmp eq v2, v1 !5:1
          branch v3 ? b1 : b2 !5:1
        b1:
          return i32 1 !6:1
        b2:
          return i32 2 !7:1
        }"#;
    check(text, "exit 2\nunknown mystery at main:3");
    let stop = Options { unknown: UnknownPolicy::Stop, ..Options::default() };
    check_with(
        stop,
        &[text],
        "unsupported call of the unknown function `mystery` at main:3\nunknown mystery at main:3",
    );
}

#[test]
fn volatile_reads_are_memory_or_anything() {
    let text = r#"
        target pointer 8
        global @port size 4 align 4 = { 0: x"2a000000" }
        func @main() -> (i32) {
        b0:
          v0: i32 = load @port align 4 volatile
          v1: i1 = cmp eq v0, i32 42
          v2: i32 = zext v1
          return v2
        }"#;
    check(text, "exit 1");
    let seeded = Options { volatile: VolatilePolicy::Seeded, ..Options::default() };
    check_with(seeded, &[text], "exit 0");
}

#[test]
fn budgets_end_the_run() {
    let endless = "target pointer 8\nfunc @main() -> (i32) {\nb0:\n jump b1\nb1:\n jump b1\n}";
    check_with(Options { max_steps: 1000, ..Options::default() }, &[endless], "out of Steps");
    let deep = "target pointer 8\nfunc @main() -> (i32) {\nb0:\n v0: i32 = call @main()\n return v0\n}";
    check(deep, "out of Depth");
    let large = "target pointer 8\nfunc @main() -> (i32) {\nb0:\n v0: ptr = alloca i64 4294967296 align 1\n return i32 0\n}";
    check(large, "out of Memory");
    let huge = "target pointer 8\nglobal @sky size 1099511627776 align 1 = {}\nfunc @main() -> (i32) {\nb0:\n return i32 0\n}";
    check(huge, "out of Memory");
}

#[test]
fn undefined_arguments_are_told_but_not_fatal() {
    let text = r#"
        target pointer 8
        file file0 "t.c"
        func @take(i32 noundef, ptr nonnull) !file0:1 {
        b0(v0: i32, v1: ptr):
          return !2:1
        }
        func @main() -> (i32) !file0:4 {
        b0:
          call @take(undef i32, null) !5:1
          return i32 0 !6:1
        }"#;
    check(text, "exit 0\nUndefinedArgument at main:5 (1)\nNullArgument at main:5 (1)");
}

#[test]
fn floats_that_do_not_fit_and_unmodeled_effects() {
    check_main(
        "b0:
           v0: i8 = ftos double 1e300 !2:1
           v1: i8 = ftos_sat double 1e300 !3:1
           v2: i32 = nondet intrinsic \"llvm.mystery\" !4:1
           v3: i32 = call asm \"rdtsc\"() !5:1
           v4: i32 = call asm \"\"(i32 9) !6:1
           return v4 !9:1",
        "exit 9
         FloatToInt at main:2 (1)
         Nondet at main:4 (1)
         InlineAsm at main:5 (1)",
    );
}
