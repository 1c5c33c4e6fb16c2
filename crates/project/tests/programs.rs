//! Which units are in which program, and what their references mean there.

mod common;

use common::{calls, copies, meaning, notes, programs, sketch};

#[test]
fn objects_and_archives_make_programs() {
    let project = sketch(
        "main.c: main -> f
         f.c: f -> g
         g.c: g
         unused.c: h",
        "archive lib/libx.a = unused.o g.o f.o
         program tool = main.o -lx@lib",
    );
    assert_eq!(programs(&project), ["tool = main.c f.c g.c", "rest = unused.c"]);
}

#[test]
fn members_are_taken_only_for_what_is_undefined() {
    let project = sketch(
        "main.c: main -> f
         own.c: f
         member.c: f
         needed.c: h -> f
         weakly.c: weak h",
        // `own.o` has `f` already; nobody needs `h`.
        "archive libx.a = member.o needed.o weakly.o
         program tool = main.o own.o libx.a",
    );
    assert_eq!(programs(&project), ["tool = main.c own.c", "rest = member.c needed.c weakly.c"]);
}

#[test]
fn archives_may_need_one_another() {
    let project = sketch(
        "main.c: main -> a
         a.c: a -> b
         b.c: b -> c
         c.c: c -> d
         d.c: d",
        "archive lib1.a = a.o c.o
         archive lib2.a = b.o d.o
         program tool = lib2.a main.o lib1.a",
    );
    assert_eq!(programs(&project), ["tool = main.c a.c b.c c.c d.c"]);
}

#[test]
fn the_first_member_that_defines_a_symbol_is_taken() {
    let project = sketch(
        "main.c: main -> f
         one.c: f
         two.c: f",
        "archive libx.a = two.o one.o
         program tool = main.o libx.a",
    );
    assert_eq!(programs(&project), ["tool = main.c two.c", "rest = one.c"]);
    assert_eq!(calls(&project), ["main.c:main -> two.c:f direct"]);
}

#[test]
fn main_may_be_in_an_archive() {
    let project = sketch(
        "main.c: main -> run
         run.c: run
         driver.c: main",
        "archive libmain.a = main.o
         archive other.a = driver.o
         program test = run.o libmain.a other.a",
    );
    assert_eq!(programs(&project), ["test = run.c main.c", "rest = driver.c"]);
}

#[test]
fn whole_archives_and_joined_objects_are_taken_as_they_are() {
    let project = sketch(
        "main.c: main
         a.c: a
         b.c: b
         c.c: c
         d.c: d",
        "archive libx.a = a.o
         relocatable joined.o = b.o c.o
         archive libj.a = joined.o d.o
         program tool = main.o whole:libx.a joined.o
         program all = main.o whole:libj.a",
    );
    assert_eq!(programs(&project), ["all = main.c b.c c.c d.c", "tool = main.c a.c b.c c.c"]);
}

#[test]
fn assembled_and_unpacked_objects_lead_to_their_units() {
    let mut units = common::units("main.c: main -> f\nsub/f.c: f");
    let f = units.iter_mut().find(|unit| unit.file == "sub/f.c").unwrap();
    f.outputs = vec!["/p/sub/f.s".into()];
    let links = common::links(
        common::ROOT.as_ref(),
        "relocatable f.o = sub/f.s
         program tool = main.o f.o
         program again = .libs/libx.lax/libm.a/main.o f.o",
    );
    let project = project::Project::new(units, &links);
    assert_eq!(programs(&project), ["again = main.c sub/f.c", "tool = main.c sub/f.c"]);
}

#[test]
fn an_unpacked_object_whose_name_two_units_have_is_unknown() {
    let project = sketch(
        "one/f.c: f
         two/f.c: f
         main.c: main -> f",
        "program tool = main.o tmp/f.o",
    );
    assert_eq!(programs(&project), ["tool = main.c", "rest = one/f.c two/f.c"]);
    assert_eq!(meaning(&project, "main.c", "f", None), "undefined");
}

#[test]
fn shared_objects_are_programs_that_others_use() {
    let project = sketch(
        "main.c: main -> f
         f.c: f -> g
         g.c: g
         other.c: g",
        "shared lib/libg.so.1.2 = g.o
         shared libf.so = f.o -lg@lib
         archive libother.a = other.o
         program tool = main.o libf.so
         program first = main.o libf.so libother.a
         program plain = main.o f.o -lg libother.a",
    );
    assert_eq!(
        programs(&project),
        [
            "first = main.c + libf.so + lib/libg.so.1.2",
            "lib/libg.so.1.2 = g.c",
            "libf.so = f.c + lib/libg.so.1.2",
            "plain = main.c f.c + lib/libg.so.1.2",
            "tool = main.c + libf.so + lib/libg.so.1.2",
            "rest = other.c",
        ]
    );
    assert_eq!(calls(&project), ["f.c:f -> g.c:g direct", "main.c:main -> f.c:f direct"]);
    assert_eq!(notes(&project), [""; 0]);
}

#[test]
fn libraries_are_looked_for_in_their_directories_and_then_nearby() {
    let project = sketch(
        "a/x.c: f
         b/x.c: f
         b/main.c: main -> f",
        "archive a/libx.a = a/x.o
         archive b/libx.a = b/x.o
         program a/tool = b/main.o -lx@a
         program b/tool = b/main.o -lx@nowhere
         program c/tool = b/main.o -lm",
    );
    let meant = |program| meaning(&project, "b/main.c", "f", Some(program));
    assert_eq!(meant("a/tool"), "a/x.c:f");
    assert_eq!(meant("b/tool"), "b/x.c:f");
    assert_eq!(meant("c/tool"), "undefined");
}

#[test]
fn a_shared_object_can_use_what_its_users_define() {
    let project = sketch(
        "main.c: main -> run
         main.c: hook
         test.c: main -> run
         test.c: hook
         lib.c: run -> hook
         plugin.c: init -> hook2
         host.c: hook2",
        "shared librun.so = lib.o
         shared plugin.so = plugin.o
         program tool = main.o librun.so
         program test = test.o librun.so
         program host = host.o",
    );
    assert_eq!(meaning(&project, "lib.c", "hook", None), "by program: main.c:hook, test.c:hook");
    assert_eq!(meaning(&project, "plugin.c", "hook2", None), "host.c:hook2");
}

#[test]
fn a_library_that_nobody_saw_being_made_may_contain_units() {
    let project = sketch(
        "tool/main.c: main -> f, g
         lib/f.c: f
         other/g.c: g
         other/main.c: main -> g",
        "program tool/tool = tool/main.o lib/libstrange.a
         program other/tool = other/main.o other/g.o",
    );
    assert_eq!(meaning(&project, "tool/main.c", "f", None), "lib/f.c:f");
    // `g` is in a program of its own, so it is not in that library.
    assert_eq!(meaning(&project, "tool/main.c", "g", None), "undefined");
}

/// Le et al., §2.1: one file, two programs, each with its own `app_malloc`.
#[test]
fn each_program_has_its_own_helper() {
    let project = sketch(
        "apps/openssl.c: main -> ssl_excert_prepend
         apps/lib/s_cb.c: ssl_excert_prepend -> app_malloc
         apps/lib/apps.c: app_malloc -> malloc, abort
         test/ssltest.c: main -> ssl_excert_prepend
         test/testutil/apps_mem.c: app_malloc -> malloc",
        "archive apps/libapps.a = apps/lib/s_cb.o apps/lib/apps.o
         archive test/libtestutil.a = test/testutil/apps_mem.o
         program apps/openssl = apps/openssl.o apps/libapps.a
         program test/ssltest = test/ssltest.o apps/lib/s_cb.o test/libtestutil.a apps/libapps.a",
    );
    let meant = |program| meaning(&project, "apps/lib/s_cb.c", "app_malloc", program);
    assert_eq!(meant(Some("apps/openssl")), "apps/lib/apps.c:app_malloc");
    assert_eq!(meant(Some("test/ssltest")), "test/testutil/apps_mem.c:app_malloc");
    assert_eq!(meant(None), "by program: apps/lib/apps.c:app_malloc, test/testutil/apps_mem.c:app_malloc");
    assert_eq!(copies(&project, "main"), ["apps/openssl.c", "test/ssltest.c"]);
    let edges = calls(&project);
    assert!(
        edges.contains(
            &"apps/lib/s_cb.c:ssl_excert_prepend -> apps/lib/apps.c:app_malloc direct several".into()
        )
    );
    assert!(edges.contains(
        &"apps/lib/s_cb.c:ssl_excert_prepend -> test/testutil/apps_mem.c:app_malloc direct several".into()
    ));
    assert_eq!(
        notes(&project),
        ["`app_malloc` is defined in apps/lib/apps.c and test/testutil/apps_mem.c; \
          which one is used by apps/lib/s_cb.c depends on the program"]
    );
}

#[test]
fn a_symbol_that_is_defined_twice_in_a_program_is_told() {
    let project = sketch(
        "a.c: f
         b.c: f
         main.c: main -> f",
        "program tool = main.o b.o a.o
         program fine = main.o a.o",
    );
    assert_eq!(meaning(&project, "main.c", "f", Some("tool")), "b.c:f");
    assert_eq!(meaning(&project, "main.c", "f", Some("fine")), "a.c:f");
    assert_eq!(
        notes(&project),
        [
            "`f` is defined in a.c and b.c; which one is used by main.c depends on the program",
            "`f` is defined in b.c and a.c, all of which are linked into tool; the first one is taken",
        ]
    );
}
