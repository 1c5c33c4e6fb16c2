//! The call graph: calls through pointers, addresses taken, order.

mod common;

use common::{calls, compile, order, sketch};
use proptest::prelude::*;

/// The callees of `main` in a file, by kind.
fn main_calls(text: &str) -> Vec<String> {
    let project = compile(&format!("// file: a.c\n{text}"), "");
    let edges =
        calls(&project).into_iter().filter_map(|it| it.strip_prefix("a.c:main -> a.c:").map(String::from));
    edges.collect()
}

#[test]
fn addresses_are_followed_through_copies_and_merges() {
    let text = "
        static int one(void) { return 1; }
        static int two(void) { return 2; }
        static int three(void) { return 3; }
        int main(int argc, char **argv) {
          int (*f)(void) = one;
          int (*g)(void) = f;
          if (argc > 1) g = two;
          while (argc-- > 3) { if (argc == 5) g = argc ? three : g; }
          return g();
        }";
    assert_eq!(main_calls(text), ["one value", "two value", "three value"]);
}

#[test]
fn constant_tables_are_read_at_the_offsets_that_an_index_can_reach() {
    let text = "
        static int a(void) { return 1; }
        static int b(void) { return 2; }
        static int c(void) { return 3; }
        static int d(void) { return 4; }
        struct row { const char *name; int (*open)(void); int (*close)(void); };
        static const struct row rows[] = { { \"x\", a, b }, { \"y\", c, d } };
        static const struct row *const row_ptr = &rows[1];
        int main(int argc, char **argv) {
          int sum = rows[argc].close();
          sum += rows[1].open();
          sum += row_ptr->close();
          for (const struct row *r = rows; r->name; r++) sum += r->open();
          return sum;
        }";
    assert_eq!(main_calls(text), ["b table", "d table", "c table", "d table", "a table", "c table"]);
}

#[test]
fn members_hold_what_anything_puts_there() {
    let text = "
        static int a(void) { return 1; }
        static int b(void) { return 2; }
        static int c(void) { return 3; }
        static int d(void) { return 4; }
        static int never(void) { return 5; }
        struct ops { int (*run)(void); int (*stop)(void); };
        struct device { int id; struct ops ops; struct device *next; };
        struct other { int id; struct ops ops; };
        typedef struct { int (*run)(void); } anonymous;
        struct ops global_ops = { a, never };
        struct device *new_device(void);
        int (*unrelated)(void) = never;
        void set(struct other *o) { o->ops.run = b; }
        void set_anonymous(anonymous *x) { x->run = c; }
        int main(int argc, char **argv) {
          struct ops local = { d, never };
          struct device *dev = new_device();
          int sum = dev->next->ops.run();
          anonymous x;
          set_anonymous(&x);
          return sum + x.run() + local.run();
        }";
    let expected = ["a field", "b field", "d field", "c field", "a field", "b field", "d field"];
    let fields: Vec<String> = main_calls(text).into_iter().filter(|it| it.ends_with("field")).collect();
    assert_eq!(fields, expected);
}

#[test]
fn variables_hold_what_is_stored_to_them_in_any_unit() {
    let project = compile(
        "// file: mem.c
         #include <stddef.h>
         static void *plain(size_t n) { return 0; }
         void *(*malloc_impl)(size_t) = plain;
         static void (*hooks[4])(void);
         static void hook(void) {}
         void init(int i) { hooks[i] = hook; }
         void *get(size_t n) { hooks[1](); return malloc_impl(n); }
         // file: set.c
         #include <stddef.h>
         extern void *(*malloc_impl)(size_t);
         static void *mine(size_t n) { return 0; }
         void set(void) { malloc_impl = mine; }
         ",
        "",
    );
    let edges = calls(&project);
    let from_get: Vec<&str> = edges.iter().filter_map(|it| it.strip_prefix("mem.c:get -> ")).collect();
    assert_eq!(from_get, ["mem.c:hook field", "mem.c:plain field", "set.c:mine field"]);
}

#[test]
fn functions_of_libraries_are_callees_too() {
    let project = compile(
        "// file: a.c
         #include <stdlib.h>
         struct hooks { void *(*get)(size_t); void (*put)(void *); };
         static const struct hooks plain = { malloc, free };
         static struct hooks current = { 0, 0 };
         void init(void) { current.get = malloc; }
         void *f(size_t n) { plain.put(0); return current.get(n); }
         ",
        "",
    );
    let edges = calls(&project);
    let from_f: Vec<&str> = edges.iter().filter_map(|it| it.strip_prefix("a.c:f -> ")).collect();
    assert_eq!(from_f, ["free table", "malloc field"]);
}

#[test]
fn virtual_calls_reach_all_overriders() {
    let project = compile(
        "// file: shape.h
         struct shape { virtual int area(); virtual int sides() = 0; virtual ~shape(); };
         struct square : shape { int area() override; int sides() override; };
         struct named { virtual const char *name(); };
         struct circle : named, shape { int area() override; int sides() override; };
         // file: a.cc
         #include \"shape.h\"
         int shape::area() { return 0; }
         shape::~shape() {}
         int square::area() { return 1; }
         int square::sides() { return 4; }
         const char *named::name() { return \"\"; }
         int circle::area() { return 3; }
         int circle::sides() { return 1; }
         int use(shape *s) { return s->area(); }
         int count(shape *s) { return s->sides(); }
         // file: b.cc
         #include \"shape.h\"
         int use(shape *s);
         int main() { square s; circle c; return use(&s) + use(&c); }
         ",
        "",
    );
    let edges = calls(&project);
    let from_count: Vec<&str> =
        edges.iter().filter_map(|it| it.strip_prefix("a.cc:count(shape*) -> ")).collect();
    assert_eq!(from_count[..1], ["a.cc:square::sides() field"]);
    let from_use: Vec<&str> = edges.iter().filter_map(|it| it.strip_prefix("a.cc:use(shape*) -> ")).collect();
    assert!(
        from_use.contains(&"a.cc:shape::area() field") && from_use.contains(&"a.cc:square::area() field")
    );
    assert!(from_use.iter().all(|it| it.contains("area")), "{from_use:?}");
}

#[test]
fn calls_without_known_callee_are_counted_and_addresses_noted() {
    let project = compile(
        "// file: a.c
         extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         static int compare(const void *a, const void *b) { return 0; }
         static int unused(void) { return 0; }
         int (*table[])(void) = { unused };
         int apply(int (*f)(int), int x) { return f(x); }
         void sort(int *p) { qsort(p, 1, 4, compare); compare(p, p); }
         ",
        "",
    );
    let graph = project.call_graph();
    let [unresolved] = graph.unresolved() else { panic!("one call has no known callee") };
    let site = graph.sites()[*unresolved as usize];
    let caller = project.function(site.caller);
    assert_eq!(caller.name(), "apply");
    assert_eq!(caller.place(site.loc).map(|(_, line, _)| line), Some(5));
    let id = |name: &str| project.functions_named(name)[0];
    assert_eq!(graph.references(id("sort")).collect::<Vec<_>>(), [project::Node::Function(id("compare"))]);
    assert!(graph.is_address_taken(id("compare")) && graph.is_address_taken(id("unused")));
    assert!(!graph.is_address_taken(id("sort")) && !graph.is_address_taken(id("apply")));
    let callers: Vec<&str> = graph
        .callers(project::Node::Function(id("compare")))
        .map(|it| project.function(it.caller).name())
        .collect();
    assert_eq!(callers, ["sort"]);
}

#[test]
fn callees_come_before_callers() {
    let project = sketch(
        "a.c: main -> f, g
         a.c: f -> even
         a.c: even -> odd
         a.c: odd -> even, leaf
         a.c: g -> g
         a.c: leaf -> malloc",
        "",
    );
    assert_eq!(order(&project), ["0: leaf", "1: even odd", "2: f", "0: g", "3: main"]);
}

#[test]
fn likely_edges_order_functions_but_do_not_join_them() {
    let project = compile(
        "// file: a.c
         struct ops { int (*run)(int); int (*leaf)(int); };
         static int leaf(int n) { return n; }
         static int callback(int n);
         struct ops ops = { callback, leaf };
         int walk(struct ops *o, int n) { return o->leaf(n) + o->run(n); }
         static int callback(int n) { return n ? walk(&ops, n - 1) : 0; }
         ",
        "",
    );
    assert_eq!(order(&project), ["0: leaf", "1: walk", "2: callback"]);
}

/// A project's answers as text.
fn answers(units: Vec<project::UnitIr>, links: &project::Links) -> String {
    let project = project::Project::new(units, links);
    let copies: Vec<String> = project
        .functions()
        .map(|id| format!("{} {}", common::label(&project, id), project.copies(id).len()))
        .collect();
    let parts =
        [common::programs(&project), copies, calls(&project), order(&project), common::notes(&project)];
    parts.concat().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Sixteen files of random functions that call one another, linked at random: the order in which they come in is of no
    /// importance.
    #[test]
    fn the_order_of_units_does_not_matter(
        functions in prop::collection::vec((0..16_u8, 0..4_usize, 0..12_u8, prop::collection::vec(0..14_u8, 0..4)), 1..40),
        linked in prop::collection::vec((0..16_u8, 0..16_u8), 0..6),
        order in Just((0..16_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut sketched = std::collections::BTreeMap::new();
        for (file, linkage, name, callees) in functions {
            let linkage = ["", "internal", "weak", "linkonce"][linkage];
            let callees: Vec<String> = callees.iter().map(|it| format!("f{it}")).collect();
            let line = format!("d{}/m{file}.c: {linkage} f{name} -> {}", file % 3, callees.join(", "));
            sketched.insert((file, name), line);
        }
        let text = sketched.into_values().collect::<Vec<_>>().join("\n");
        let links: String = linked
            .iter()
            .map(|(a, b)| format!("archive lib{b}.a = d{}/m{b}.o\nprogram p{a}{b} = d{}/m{a}.o lib{b}.a\n", b % 3, a % 3))
            .collect();
        let links = common::links(common::ROOT.as_ref(), &links);
        let mut shuffled = common::units(&text);
        shuffled.sort_by_key(|unit| order.iter().position(|&it| unit.file.ends_with(&format!("m{it}.c"))));
        prop_assert_eq!(answers(common::units(&text), &links), answers(shuffled, &links));
    }

    /// Certain callees come before their callers or with them, and levels rise.
    #[test]
    fn order_and_levels_agree_with_the_edges(
        calls in prop::collection::vec((0..20_u8, 0..20_u8), 0..60),
    ) {
        let mut lines: Vec<String> = (0..20).map(|it| format!("a.c: f{it} -> ")).collect();
        calls.iter().for_each(|(from, to)| lines[usize::from(*from)].push_str(&format!("f{to}, ")));
        let project = sketch(&lines.join("\n"), "");
        let graph = project.call_graph();
        for edge in graph.edges() {
            let callee = edge.callee.function().map(|it| graph.component_of(it)).unwrap();
            let caller = graph.component_of(edge.caller);
            prop_assert!(callee <= caller);
            prop_assert!(callee == caller || graph.levels()[callee] < graph.levels()[caller]);
        }
    }
}
