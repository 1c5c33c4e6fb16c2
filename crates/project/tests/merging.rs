//! Which functions of different units are one.

mod common;

use common::{calls, compile, copies, notes, sketch};

#[test]
fn an_inline_function_of_a_header_is_one_function() {
    let project = compile(
        "// file: list.h
         struct list { struct list *next; int value; };
         static const char *const names[] = { \"empty\", \"full\" };
         static inline const char *name(struct list *l) { return l ? names[1] : \"nothing\"; }
         static inline int sum(struct list *l) { int s = 0; for (; l; l = l->next) s += l->value; return s; }
         // file: a.c
         #include \"list.h\"
         static const char first[] = \"shifts the numbers of literals\";
         const char *f(struct list *l) { return sum(l) ? name(l) : first; }
         const char *more(void) { return \"and more\"; }
         // file: sub/b.c
         #include \"../list.h\"
         const char *g(struct list *l) { return sum(l) ? name(l) : 0; }
         ",
        "",
    );
    assert_eq!(copies(&project, "sum"), ["a.c sub/b.c"]);
    assert_eq!(copies(&project, "name"), ["a.c sub/b.c"]);
    assert_eq!(project.functions().len(), 5);
    assert_eq!(project.n_copies(), 7);
    assert_eq!(notes(&project), [""; 0]);
}

#[test]
fn a_function_with_a_variable_of_its_own_stays_one_per_unit() {
    let project = compile(
        "// file: count.h
         static inline int next_id(void) { static int id; return ++id; }
         static int level;
         static inline int get_level(void) { return level; }
         static inline int both(void) { return next_id() + get_level(); }
         static inline int none(void) { return 3; }
         // file: a.c
         #include \"count.h\"
         int f(void) { return both() + none(); }
         // file: b.c
         #include \"count.h\"
         int g(void) { return both() + none(); }
         ",
        "",
    );
    for name in ["next_id", "get_level", "both"] {
        assert_eq!(copies(&project, name), ["a.c", "b.c"], "{name}");
    }
    assert_eq!(copies(&project, "none"), ["a.c b.c"]);
}

#[test]
fn recursion_through_a_header_does_not_keep_copies_apart() {
    let project = compile(
        "// file: tree.h
         static int odd(int n);
         static inline int even(int n) { return n == 0 ? 1 : odd(n - 1); }
         static inline int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         static inline int self(int n) { return n ? self(n - 1) + LEAF(n) : 0; }
         // file: a.c
         static inline int LEAF(int n) { return n; }
         #include \"tree.h\"
         int f(int n) { return even(n) + self(n); }
         // file: b.c
         static inline int LEAF(int n) { return n + 1; }
         #include \"tree.h\"
         int g(int n) { return even(n) + self(n); }
         // file: c.c
         static inline int LEAF(int n) { return n + 1; }
         #include \"tree.h\"
         int h(int n) { return even(n) + self(n); }
         ",
        "",
    );
    assert_eq!(copies(&project, "even"), ["a.c b.c c.c"]);
    assert_eq!(copies(&project, "odd"), ["a.c b.c c.c"]);
    // The static helpers are at different places, so what calls them differs too.
    assert_eq!(copies(&project, "self"), ["a.c", "b.c", "c.c"]);
}

#[test]
fn tables_of_functions_are_compared_by_what_is_in_them() {
    let header = "static int one(void) { return 1; }
         static int two(void) { return 2; }
         static int (*const table[])(void) = { one, TWO };
         static inline int dispatch(int i) { return table[i](); }";
    let project = compile(
        &format!(
            "// file: t.h
             {header}
             // file: a.c
             #define TWO two
             #include \"t.h\"
             int f(int i) {{ return dispatch(i); }}
             // file: b.c
             #define TWO two
             #include \"t.h\"
             int g(int i) {{ return dispatch(i); }}
             // file: c.c
             #define TWO one
             #include \"t.h\"
             int h(int i) {{ return dispatch(i) + two(); }}
             "
        ),
        "",
    );
    assert_eq!(copies(&project, "one"), ["a.c b.c c.c"]);
    assert_eq!(copies(&project, "dispatch"), ["a.c b.c", "c.c"]);
}

#[test]
fn a_source_that_is_compiled_twice_is_one_function_where_it_is_equal() {
    let text = |value: u32| {
        format!(
            "target pointer 8
             file file0 \"/p/x/../x.c\"
             func @same() !file0:1:5 {{
             b0:
               return
             }}
             func internal @other() -> (i32) !file0:2:5 {{
             b0:
               return i32 {value}
             }}
             func @user() !file0:3:5 {{
             b0:
               v0: i32 = call @other()
               return
             }}"
        )
    };
    let unit = |output: &str, value| {
        let mut unit = common::unit("/p".as_ref(), "x.c", &text(value));
        unit.outputs = vec![output.into()];
        unit.args = vec![format!("-DN={value}")];
        unit
    };
    let links =
        common::links("/p".as_ref(), "shared libx.so = x.lo\nshared liby.so = x.o\nshared libz.so = z.o");
    let units = vec![unit("/p/x.o", 1), unit("/p/x.lo", 2), unit("/p/z.o", 2)];
    let project = project::Project::new(units, &links);
    let n_copies = |name: &str| {
        let ids = project.functions_named(name);
        ids.into_iter().map(|id| project.copies(id).len()).collect::<Vec<_>>()
    };
    assert_eq!(n_copies("same"), [3]);
    assert_eq!(n_copies("other"), [1, 2]);
    assert_eq!(n_copies("user"), [1, 2]);
}

#[test]
fn an_inline_function_that_differs_is_told() {
    let project = compile(
        "// file: a.cc
         inline int size() { return 4; }
         inline int same() { return size(); }
         int f() { return same(); }
         // file: b.cc
         inline int size() { return 8; }
         inline int same() { return size(); }
         int g() { return same(); }
         ",
        "",
    );
    assert_eq!(copies(&project, "size"), ["a.cc", "b.cc"]);
    assert_eq!(copies(&project, "same"), ["a.cc b.cc"]);
    assert_eq!(
        notes(&project),
        [
            "the inline function `size()` differs between a.cc and b.cc: by different macros, or against the one-definition rule"
        ]
    );
    // Each copy calls that of its own file, so the one function calls both.
    let edges = calls(&project);
    assert!(edges.contains(&"a.cc:same() -> a.cc:size() direct several".into()), "{edges:?}");
    assert!(edges.contains(&"a.cc:same() -> b.cc:size() direct several".into()), "{edges:?}");
}

#[test]
fn seams_after_calls_that_may_throw_do_not_matter() {
    let project = compile(
        "// file: x.h
         struct guard { ~guard(); };
         inline int leaf();
         inline int user() { guard g; int n = leaf(); return n + leaf(); }
         inline int leaf() { return 1; }
         // file: a.cc
         #include \"x.h\"
         int f() { return user(); }
         // file: b.cc
         #include \"x.h\"
         int g() { return leaf(); }
         int h() { return user(); }
         ",
        "",
    );
    assert_eq!(copies(&project, "user"), ["a.cc b.cc"]);
    assert_eq!(notes(&project), [""; 0]);
}

#[test]
fn functions_without_places_are_one_only_in_one_source() {
    let project = sketch("a.c: internal f\nb.c: internal f\na.c: weak g\nb.c: weak g", "");
    assert_eq!(copies(&project, "f"), ["a.c", "b.c"]);
    assert_eq!(copies(&project, "g"), ["a.c b.c"]);
}
