//! What references mean without link commands, and by linkage.

mod common;

use common::{calls, copies, meaning, notes, sketch};

#[test]
fn static_functions_of_one_name_are_two_functions() {
    let project = sketch(
        "a.c: internal helper
         a.c: f -> helper
         b.c: internal helper
         b.c: g -> helper
         c.c: h -> helper",
        "",
    );
    assert_eq!(copies(&project, "helper"), ["a.c", "b.c"]);
    assert_eq!(
        calls(&project),
        ["a.c:f -> a.c:helper direct", "b.c:g -> b.c:helper direct", "c.c:h -> helper direct"]
    );
    assert_eq!(notes(&project), [""; 0]);
}

#[test]
fn strong_before_weak_before_inline_before_copies() {
    let project = sketch(
        "d/a.c: weak f
         d/a.c: weak g
         d/a.c: available_externally h
         d/a.c: available_externally i
         d/a.c: user -> f, g, h, i
         e/b.c: f
         e/b.c: linkonce g
         e/b.c: weak h",
        "",
    );
    let meant = |name| meaning(&project, "d/a.c", name, None);
    assert_eq!(meant("f"), "e/b.c:f");
    assert_eq!(meant("g"), "d/a.c:g");
    assert_eq!(meant("h"), "e/b.c:h");
    assert_eq!(meant("i"), "d/a.c:i");
}

#[test]
fn in_a_program_the_first_of_equals_wins() {
    let project = sketch(
        "a.c: weak f -> x
         b.c: weak f
         main.c: main -> f",
        "program tool = main.o b.o a.o",
    );
    assert_eq!(meaning(&project, "a.c", "f", None), "b.c:f");
    assert_eq!(meaning(&project, "main.c", "f", None), "b.c:f");
    assert_eq!(notes(&project), [""; 0]);
}

#[test]
fn the_nearest_definition_is_meant() {
    let project = sketch(
        "apps/lib/apps.c: app_malloc
         test/util/mem.c: app_malloc
         apps/tool.c: main -> app_malloc
         test/t1.c: main -> app_malloc
         test/t2.c: main -> app_malloc
         test/t2.c: app_malloc
         fuzz/f.c: main -> app_malloc",
        "",
    );
    let meant = |file| meaning(&project, file, "app_malloc", None);
    assert_eq!(meant("apps/tool.c"), "apps/lib/apps.c:app_malloc");
    assert_eq!(meant("test/t2.c"), "test/t2.c:app_malloc");
    assert_eq!(meant("test/t1.c"), "ambiguous: test/t2.c:app_malloc, test/util/mem.c:app_malloc");
    assert_eq!(
        meant("fuzz/f.c"),
        "ambiguous: apps/lib/apps.c:app_malloc, test/t2.c:app_malloc, test/util/mem.c:app_malloc"
    );
    assert_eq!(copies(&project, "main").len(), 4);
    let notes = notes(&project);
    assert_eq!(notes.len(), 2);
    assert!(notes[0].starts_with(
        "`app_malloc` is defined in apps/lib/apps.c, test/t2.c and test/util/mem.c; \
         the build does not say which one is used by fuzz/f.c"
    ));
    assert!(calls(&project).contains(&"fuzz/f.c:main -> test/t2.c:app_malloc direct several".into()));
}

#[test]
fn units_of_no_program_go_by_nearness_also_beside_programs() {
    let project = sketch(
        "a/main.c: main -> f
         a/f.c: f
         b/f.c: f
         b/user.c: user -> f",
        "program tool = a/main.o a/f.o",
    );
    assert_eq!(meaning(&project, "a/main.c", "f", None), "a/f.c:f");
    assert_eq!(meaning(&project, "b/user.c", "f", None), "b/f.c:f");
    assert_eq!(notes(&project), [""; 0]);
}

#[test]
fn a_static_function_without_body_means_nobody_elses() {
    let broken = "target pointer 8\nfunc internal @f()\nfunc @user() {\nb0:\n  call @f()\n  return\n}";
    let mut units = common::units("b.c: f");
    units.push(common::unit(common::ROOT.as_ref(), "a.c", broken));
    let project = project::Project::new(units, &project::Links::default());
    assert_eq!(meaning(&project, "a.c", "f", None), "undefined");
    assert_eq!(calls(&project), ["a.c:user -> f direct"]);
}

#[test]
fn what_nobody_defines_is_external() {
    let project = sketch("a.c: f -> malloc, malloc, free", "");
    assert_eq!(calls(&project), ["a.c:f -> malloc direct", "a.c:f -> malloc direct", "a.c:f -> free direct"]);
    assert_eq!(meaning(&project, "a.c", "malloc", None), "undefined");
}

#[test]
fn aliases_mean_what_they_stand_for() {
    let project = common::compile(
        "// file: a.c
         static int impl(void) { return 1; }
         int strong_name(void) __attribute__((alias(\"impl\")));
         int weak_name(void) __attribute__((weak, alias(\"impl\")));
         int table[4];
         extern int second __attribute__((alias(\"table\")));
         // file: b.c
         int weak_name(void) { return 2; }
         // file: user.c
         int strong_name(void); int weak_name(void); extern int second;
         int user(void) { return strong_name() + weak_name() + second; }
         ",
        "",
    );
    assert_eq!(meaning(&project, "user.c", "strong_name", None), "a.c:impl");
    assert_eq!(meaning(&project, "user.c", "weak_name", None), "b.c:weak_name");
    let unit = common::unit_of(&project, "user.c");
    let (global, _) = project.units()[unit].module.globals.iter_ids().next().unwrap();
    let resolution = project.resolve(unit, ir::SymbolRef::Global(global), None);
    assert!(matches!(resolution, project::Resolution::Known(project::Target::Global { offset: 0, .. })));
}
