//! The text form: files in it parse, keep the laws, and print as they are.

mod common;

use ir::{parse, print, print_function, print_inst, verify};

/// Files without their comments are exactly what the printer writes.
#[test]
fn files_print_as_they_are() {
    for (name, text) in common::files("text") {
        let module = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations: Vec<String> = verify(&module).iter().map(|it| it.describe(&module)).collect();
        assert_eq!(violations, Vec::<String>::new(), "{name}");
        let without_comments: String =
            text.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect();
        let printed = print(&module);
        assert_eq!(printed, without_comments, "{name}");
        assert_eq!(print(&parse(&printed).expect("printed text parses")), printed, "{name}");
    }
}

#[test]
fn functions_and_instructions_print_alone() {
    let (_, text) = common::files("text").into_iter().find(|(name, _)| name == "module.ir").expect("exists");
    let module = parse(&text).expect("parses");
    let function = module.functions.ids().next().expect("has a function");
    let printed = print_function(&module, function);
    assert!(printed.starts_with("func @inlined(i32) -> (i32) : t13 !file0:10:1 {\n"), "{printed}");
    assert!(printed.ends_with("loc loc1 = file1:30:9 in \"once\" at loc0\n"), "{printed}");
    let body = module.functions[function].body.as_ref().expect("has a body");
    let insts: Vec<String> = body.insts.ids().map(|inst| print_inst(&module, function, inst)).collect();
    assert_eq!(insts[..2], ["v1: i1 = cmp eq v0, i32 0 !11:7", "v2: i32 m = assign v0 !loc0"]);
}

/// Numbers of values may have gaps; they are renumbered in the same order.
#[test]
fn gaps_between_values_close() {
    let text = "target pointer 8 func @f(i32) -> (i32) { b0(v7: i32): v3: i32 = add v7, v7 v90: i32, v91: i32 = \
                nondet type v4: i32 = add v3, v91 return v4 }";
    let printed = print(&parse(text).expect("parses"));
    let expected = "target pointer 8\n\nfunc @f(i32) -> (i32) {\nb0(v2: i32):\n  v0: i32 = add v2, v2\n  v3: i32, v4: i32 = \
                    nondet type\n  v1: i32 = add v0, v4\n  return v1\n}\n";
    assert_eq!(printed, expected);
}

/// What is wrong, and where.
#[test]
fn errors_say_line_column_and_what_was_expected() {
    let check = |text: &str, expected: &str| {
        let error = parse(text).err().map(|it| it.to_string());
        assert_eq!(error.as_deref(), Some(expected), "{text}");
    };
    check(
        "hello",
        "1:1: expected an item of a module (the target before globals, one source), found `hello`",
    );
    check("target pointer", "1:15: expected the bytes of a pointer, found the end of the text");
    check("\n  §", "2:3: expected a word, a number, a string or a punctuation mark, found `§`");
    check("source \"abc\n\"", "1:8: expected a closing quote on the same line, found `\"abc`");
    check("source \"\\q\"", "1:8: expected a string with valid escapes, found `\"\\q\"`");
    check("file file1 \"a\"", "1:6: expected `file0` (things are numbered in order), found `file1 \"a\"`");
    check("global @g size 4 align 4 = { 0: 12 }", "1:33: expected `@` and a name, found `12 }`");
    check("func @f() { b0: jump }", "1:22: expected an id like `b0`, found `}`");
    check("func @f() { b0: v0: i32 = add i32 1 }", "1:37: expected `,`, found `}`");
    check("func @f() { b0: v0: i32 = frob v1 }", "1:27: expected an instruction, found `frob v1 }`");
    check("func @f() { b0: return i8 300 }", "1:27: expected an integer of 8 bits, found `300 }`");
    check(
        "func @f() { b0: return i0 1 }",
        "1:24: expected an integer type of 1 to 8388608 bits, found `i0 1 }`",
    );
    check(
        "func @f() { b0: return i4000000000 1 }",
        "1:24: expected an integer type of 1 to 8388608 bits, found `i4000000000 1 }`",
    );
    check("func @f() { b0: return i8388608 0x0 }", "1:33: expected `0x` and 2097152 digits, found `0x0 }`");
    check(
        "func @f() { b0: return v4294967295 }",
        "1:24: expected a value or a constant, found `v4294967295 }`",
    );
    check("func @f() { b0: return @g }", "1:24: expected a global or function of this module, found `@g }`");
    check(
        "func @f() { b0: call @f(v9) return }",
        "1:17: expected arguments of known types, or a signature behind them (`as (…)`), found `call @f(v9) return }`",
    );
    check(
        "func @f() { b0: v0: i8, v2: i8 = nondet type return }",
        "1:25: expected the next id (results of one instruction are numbered in order), found `v2: i8 = nondet type`",
    );
    check(
        "func @f() { b1: return }",
        "1:13: expected `b0` (things are numbered in order), found `b1: return }`",
    );
}
