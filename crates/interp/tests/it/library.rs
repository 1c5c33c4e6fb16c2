//! Library models as programs use them.

use crate::{check, check_with};
use interp::{AllocPolicy, Options};

const HEADER: &str = r#"
    target "x86_64-pc-linux-gnu" pointer 8
    file file0 "t.c"
    func @printf(ptr, ...) -> (i32)
    func @puts(ptr) -> (i32)
    func @malloc(i64) -> (ptr)
    func @free(ptr)
    func @strlen(ptr) -> (i64)
    func @strcpy(ptr, ptr) -> (ptr)
    func @qsort(ptr, i64, i64, ptr)
    func @scanf(ptr, ...) -> (i32)
    func @fopen(ptr, ptr) -> (ptr)
    func @fgets(ptr, i32, ptr) -> (ptr)
    func @fclose(ptr) -> (i32)
    func @strtol(ptr, ptr, i32) -> (i64)
"#;

#[track_caller]
fn check_main(options: Options, globals: &str, body: &str, expected: &str) {
    let text = format!("{HEADER}{globals}\nfunc @main() -> (i32) !file0:1 {{\n{body}\n}}");
    check_with(options, &[&text], expected);
}

#[test]
fn printing_undefined_values_is_an_error() {
    check_main(
        Options::default(),
        r#"global internal @format size 4 align 1 constant = { 0: "%d\n\x00" }"#,
        "b0:
           v0: i32 = uninit !2:1
           v1: i32 = call @printf(@format, ..., v0) !3:1
           return i32 0 !4:1",
        "uninit-read at main:3: a value that was never written is printed by `printf`",
    );
}

#[test]
fn strings_are_checked_where_they_are_looked_at() {
    check_main(
        Options::default(),
        "",
        "b0:
           v0: ptr = call @malloc(i64 4) !2:1
           store i32 1684234849 to v0 align 4 !3:1
           v1: i64 = call @strlen(v0) !4:1
           return i32 0 !5:1",
        "out-of-bounds at main:4: 5 bytes are read at offset 0 of block from `malloc` of 4 bytes [made at main:2]",
    );
    check_main(
        Options::default(),
        r#"global internal @long size 6 align 1 constant = { 0: "abcde\x00" }"#,
        "b0:
           v0: ptr = call @malloc(i64 4) !2:1
           v1: ptr = call @strcpy(v0, @long) !4:1
           return i32 0 !5:1",
        "out-of-bounds at main:4: 6 bytes are written at offset 0 of block from `malloc` of 4 bytes [made at main:2]",
    );
}

#[test]
fn allocations_fail_as_the_policy_says() {
    let body = "b0:
           v0: ptr = call @malloc(i64 8) !2:1
           v1: ptr = call @malloc(i64 8) !3:1
           store i64 1 to v0 align 8 !4:1
           store i64 1 to v1 align 8 !5:1
           call @free(v0) !6:1
           call @free(v1) !7:1
           return i32 0 !8:1";
    let with = |alloc| Options { alloc, ..Options::default() };
    check_main(with(AllocPolicy::Never), "", body, "exit 0");
    let first = "null-deref at main:4: a pointer is null and is dereferenced";
    check_main(with(AllocPolicy::Nth(1)), "", body, first);
    let second = "null-deref at main:5: a pointer is null and is dereferenced";
    check_main(with(AllocPolicy::Nth(2)), "", body, second);
    check_main(with(AllocPolicy::Nth(3)), "", body, "exit 0");
    check_main(with(AllocPolicy::Seeded { seed: 1, one_in: 1 }), "", body, first);
}

#[test]
fn absurd_allocations_return_null() {
    check_main(
        Options::default(),
        "",
        "b0:
           v0: ptr = call @malloc(i64 -1) !2:1
           v1: i1 = cmp eq v0, null !3:1
           v2: i32 = zext v1 !3:2
           return v2 !4:1",
        "exit 1",
    );
}

#[test]
fn sorting_calls_back() {
    let compare = "func internal @compare(ptr, ptr) -> (i32) {
        b0(v0: ptr, v1: ptr):
          v2: i32 = load v0 align 4
          v3: i32 = load v1 align 4
          v4: i32 = sub v2, v3
          return v4
        }
        global @data size 16 align 4 = { 0: x\"04000000010000000300000002000000\" }";
    check_main(
        Options::default(),
        compare,
        "b0:
           call @qsort(@data, i64 4, i64 4, @compare)
           v0: i32 = load @data align 4
           v1: i32 = load @data+4 align 4
           v2: i32 = load @data+8 align 4
           v3: i32 = mul v0, i32 100
           v4: i32 = mul v1, i32 10
           v5: i32 = add v3, v4
           v6: i32 = add v5, v2
           return v6",
        "exit 123",
    );
}

#[test]
fn a_bug_in_a_callback_knows_the_sort_around_it() {
    check_main(
        Options::default(),
        "global @data size 8 align 4 = {}
         func internal @compare(ptr, ptr) -> (i32) !file0:20 {
         b0(v0: ptr, v1: ptr):
           v2: i32 = load null align 4 !21:1
           return v2 !22:1
         }",
        "b0:
           call @qsort(@data, i64 2, i64 4, @compare) !2:1
           return i32 0 !3:1",
        "null-deref at compare:21: a pointer is null and is dereferenced < main:2",
    );
}

#[test]
fn standard_input_and_files_are_what_the_options_say() {
    let options = Options {
        stdin: b"12 abc".to_vec(),
        files: vec![("notes".to_owned(), b"line one\nline two\n".to_vec())],
        ..Options::default()
    };
    check_main(
        options,
        r#"global internal @scan size 6 align 1 constant = { 0: "%d %s\x00" }
           global internal @name size 6 align 1 constant = { 0: "notes\x00" }
           global internal @read size 2 align 1 constant = { 0: "r\x00" }
           global @line size 32 align 1 = {}
           global @word size 8 align 1 = {}
           global @number size 4 align 4 = {}"#,
        "b0:
           v0: i32 = call @scanf(@scan, ..., @number, @word)
           v1: i32 = call @puts(@word)
           v2: ptr = call @fopen(@name, @read)
           v3: ptr = call @fgets(@line, i32 32, v2)
           v4: ptr = call @fgets(@line, i32 7, v2)
           v5: i32 = call @puts(@line)
           v6: i32 = call @fclose(v2)
           v7: i32 = load @number align 4
           v8: i32 = add v7, v0
           return v8",
        "> abc\n> line t\nexit 14",
    );
}

#[test]
fn a_closed_stream_is_gone() {
    let options = Options { files: vec![("notes".to_owned(), Vec::new())], ..Options::default() };
    check_main(
        options,
        r#"global internal @name size 6 align 1 constant = { 0: "notes\x00" }
           global internal @read size 2 align 1 constant = { 0: "r\x00" }"#,
        "b0:
           v0: ptr = call @fopen(@name, @read) !2:1
           v1: i32 = call @fclose(v0) !3:1
           v2: i32 = call @fclose(v0) !4:1
           return i32 0 !5:1",
        "use-after-free at main:4: 216 bytes are written in a stream that was freed [made at :0, ended at main:3]",
    );
}

#[test]
fn numbers_from_text() {
    check_main(
        Options::default(),
        r#"global internal @text size 5 align 1 constant = { 0: " 7fg\x00" }
           global @end size 8 align 8 = {}"#,
        "b0:
           v0: i64 = call @strtol(@text, @end, i32 16)
           v1: ptr = load @end align 8
           v2: i64 = ptrtoint v1
           v3: i64 = ptrtoint @text
           v4: i64 = sub v2, v3
           v5: i64 = mul v4, i64 10
           v6: i64 = add v0, v5
           v7: i32 = trunc v6
           return v7",
        "exit 157",
    );
}

#[test]
fn unknown_programs_have_no_main() {
    check("target pointer 8", "unsupported a program without `main` at :0");
}
