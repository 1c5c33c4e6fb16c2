//! Programs that are large in one way each: what analysis must get through in memory that grows with the size of the program, or give up.
//!
//! `cargo x stress` has them in full size, the tests of `cli` in small.

use std::fmt::Write;

/// A program that grows.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// What there is `n` times in it.
    pub what: &'static str,
    /// Its text, for some `n`.
    pub text: fn(usize) -> String,
}

/// One function that is large.
pub const FUNCTIONS: &[Shape] = &[
    Shape {
        name: "leaks",
        what: "cases with an allocation, which is lost",
        text: |n| switch(n, "p = malloc(SIZE); break;", "p = 0;"),
    },
    Shape {
        name: "frees",
        what: "cases with an allocation, which is freed",
        text: |n| switch(n, "p = malloc(SIZE); free(p); break;", ""),
    },
    Shape {
        name: "joins",
        what: "cases with an allocation, which is freed behind them",
        text: |n| switch(n, "p = malloc(SIZE); break;", "free(p);"),
    },
    Shape {
        name: "falls",
        what: "cases with an allocation that run one after the other",
        text: |n| switch(n, "p = malloc(SIZE);", "free(p);"),
    },
    Shape {
        name: "returns",
        what: "cases that return an allocation",
        text: |n| switch(n, "return malloc(SIZE);", ""),
    },
    Shape {
        name: "stores",
        what: "cases that store an allocation in an array",
        text: |n| switch(n, "keep[NUMBER] = malloc(SIZE); if (keep[NUMBER]) keep[NUMBER][0] = 1; break;", ""),
    },
    Shape {
        name: "tests",
        what: "tests in a row, each with an allocation",
        text: |n| line(n, "if (x == NUMBER) { p = malloc(SIZE); free(p); }"),
    },
    Shape {
        name: "chain",
        what: "tests that lead to one end, each with an allocation",
        text: |n| line(n, "if (x == NUMBER) { p = malloc(SIZE); goto end; }"),
    },
    Shape { name: "line", what: "allocations in a row", text: |n| line(n, "p = malloc(SIZE);") },
    Shape {
        name: "pairs",
        what: "allocations in a row, each of them freed",
        text: |n| line(n, "p = malloc(SIZE); free(p);"),
    },
    Shape { name: "sums", what: "computations in a row", text: |n| line(n, "x = x * 3 + y; y ^= x;") },
    Shape {
        name: "calls",
        what: "calls of unknown code in a row",
        text: |n| line(n, "unknown(x + NUMBER);"),
    },
    Shape {
        name: "loops",
        what: "loops, a tenth of what the others have",
        text: |n| line(n / 10, "for (int i = 0; i < x; i++) y += i;"),
    },
    Shape { name: "nested", what: "tests, a hundred of them inside of one another", text: nested },
];

/// Programs of many functions or variables.
pub const PROGRAMS: &[Shape] = &[
    Shape { name: "functions", what: "small functions, some of which call others", text: functions },
    Shape { name: "variables", what: "global variables that one function adds up", text: variables },
    Shape { name: "table", what: "entries of a table of functions and strings", text: table },
    Shape { name: "circle", what: "functions that call one another in a circle", text: |n| calls(n, true) },
    Shape { name: "tower", what: "functions of which each calls the one below", text: |n| calls(n, false) },
];

const BEGIN: &str = "#include <stdlib.h>\nvoid unknown(int);\n";

/// Cases of a `switch`, and what stands behind it. `NUMBER` and `SIZE` are numbers.
fn switch(n: usize, case: &str, end: &str) -> String {
    let mut text =
        format!("{BEGIN}char *keep[{}];\nchar *f(int x) {{\n  char *p = 0;\n  switch (x) {{\n", n.max(1));
    for number in 0..n {
        put(&mut text, format_args!("  case {number}: {}\n", numbered(case, number)));
    }
    put(&mut text, format_args!("  }}\n  {end}\n  return 0;\n}}\n"));
    text
}

/// Statements one after the other.
fn line(n: usize, statement: &str) -> String {
    let mut text = format!("{BEGIN}int f(int x, int y) {{\n  char *p = 0;\n");
    for number in 0..n {
        put(&mut text, format_args!("  {}\n", numbered(statement, number)));
    }
    text + "end:\n  free(p);\n  return x + y;\n}\n"
}

fn nested(n: usize) -> String {
    const DEPTH: usize = 100;
    let mut text = format!("{BEGIN}int f(int x) {{\n  int y = 0;\n");
    for _ in 0..n / DEPTH {
        (0..DEPTH).for_each(|depth| put(&mut text, format_args!("if (x > {depth}) {{ y += x; ")));
        put(&mut text, format_args!("{}\n", "}".repeat(DEPTH)));
    }
    text + "  return y;\n}\n"
}

fn functions(n: usize) -> String {
    let mut text =
        "#include <stdlib.h>\n#include <string.h>\nstruct node { struct node *next; int value; };\n"
            .to_owned();
    for at in 0..n {
        let first = at - at % 5;
        match at % 5 {
            0 => put(
                &mut text,
                format_args!(
                    "int add_{at}(int a, int b) {{ int r = a + b * {at}; return r > {} ? r - 1 : r; }}\n",
                    at % 97
                ),
            ),
            1 => put(
                &mut text,
                format_args!(
                    "struct node *make_{at}(int v) {{ struct node *n = malloc(sizeof *n); if (!n) return 0; n->next = 0; n->value = v; return n; }}\n"
                ),
            ),
            2 => put(
                &mut text,
                format_args!(
                    "int use_{at}(struct node *p) {{ int s = 0; while (p) {{ s += p->value; p = p->next; }} return s; }}\n"
                ),
            ),
            3 => put(
                &mut text,
                format_args!(
                    "int both_{at}(int a) {{ struct node *n = make_{}(a); if (!n) return -1; int r = use_{}(n) + add_{first}(a, {at}); free(n); return r; }}\n",
                    first + 1,
                    first + 2
                ),
            ),
            _ => put(
                &mut text,
                format_args!(
                    "void copy_{at}(char *to, const char *from, size_t n) {{ if (n > {}) memcpy(to, from, n); else to[0] = from[0]; }}\n",
                    at % 50
                ),
            ),
        }
    }
    text
}

fn variables(n: usize) -> String {
    let mut text = String::new();
    (0..n).for_each(|at| put(&mut text, format_args!("int g{at} = {at};\n")));
    text.push_str("int f(void) {\n  int sum = 0;\n");
    (0..n).for_each(|at| put(&mut text, format_args!("  sum += g{at};\n")));
    text + "  return sum;\n}\n"
}

fn table(n: usize) -> String {
    let mut text = "int v;\nint g(void) { return 1; }\nstruct entry { int *p; int (*q)(void); const char *name; } table[] = {\n".to_owned();
    (0..n).for_each(|at| put(&mut text, format_args!("  {{ &v, g, \"n{at}\" }},\n")));
    text + "};\nint f(int i) { return table[i].q(); }\n"
}

/// Functions that call one another, in a circle or down to the first.
fn calls(n: usize, is_circle: bool) -> String {
    let mut text = BEGIN.to_owned();
    (0..n).for_each(|at| put(&mut text, format_args!("int f{at}(int);\n")));
    for at in 0..n {
        let below = match at {
            0 if is_circle => n - 1,
            0 => {
                text.push_str("int f0(int x) { return x; }\n");
                continue;
            }
            _ => at - 1,
        };
        put(
            &mut text,
            format_args!(
                "int f{at}(int x) {{ char *p = malloc(4); if (!p) return 1; int r = f{below}(x - 1); free(p); return r; }}\n"
            ),
        );
    }
    text
}

fn numbered(text: &str, number: usize) -> String {
    text.replace("NUMBER", &number.to_string()).replace("SIZE", &(number % 1000 + 1).to_string())
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("invariant: a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_grow_as_they_should() {
        for shape in FUNCTIONS.iter().chain(PROGRAMS) {
            let (small, large) = ((shape.text)(1000).len(), (shape.text)(4000).len());
            assert!((2 * small..6 * small).contains(&large), "{}: {small} and {large} bytes", shape.name);
            assert!(!(shape.text)(2000).contains("NUMBER"), "{}", shape.name);
        }
    }
}
