//! The facts and bodies that are part of the program.

use std::collections::BTreeSet;
use std::path::Path;

use models::{Arg, Content, Data, Effect, Len, Library, Model, NoReturn, Ret, Size, Test, What, facts};

fn library() -> Library {
    match Library::new(&[]) {
        Ok(library) => library,
        Err(mistakes) => panic!("{}", mistakes.iter().map(|it| format!("{it}\n")).collect::<String>()),
    }
}

fn model<'a>(library: &'a Library, name: &str) -> &'a Model {
    library.lookup(name).unwrap_or_else(|| panic!("`{name}` has a model"))
}

/// The names of the files in a directory of this crate.
fn files(dir: &str) -> BTreeSet<String> {
    let entries =
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(dir)).expect("the directory is there");
    entries
        .map(|entry| entry.expect("a readable entry").file_name().into_string().expect("a plain name"))
        .collect()
}

#[test]
fn every_file_is_part_of_the_program() {
    let listed = |file: &str| file.rsplit('/').next().expect("a name").to_owned();
    assert_eq!(facts().iter().map(|it| listed(&it.file)).collect::<BTreeSet<_>>(), files("facts"));
}

#[test]
fn ordinary_programs_find_their_functions() {
    let library = library();
    assert!(library.models().count() >= 1100, "{} models", library.models().count());
    for model in library.models() {
        assert!(!model.cite.is_empty() && !model.cases.is_empty(), "{}", model.name);
    }
}

#[test]
fn a_call_with_another_number_of_arguments_is_one_of_something_else() {
    let library = library();
    let fitting = |name: &str| -> Vec<usize> {
        let model = model(&library, name);
        (0..6).filter(|&n_args| model.fits(n_args)).collect()
    };
    assert_eq!(fitting("memcpy"), [3]);
    assert_eq!(fitting("fprintf"), [2, 3, 4, 5], "it is variadic");
}

#[test]
fn allocation_may_fail() {
    let library = library();
    let malloc = model(&library, "malloc");
    assert_eq!((malloc.params, malloc.variadic, malloc.noreturn), (Some(1), false, None));
    let [success, failure] = malloc.cases.as_slice() else { panic!("malloc has two cases") };
    let new = Ret::New { family: "malloc".to_owned(), size: Size::Arg(0), content: Content::Uninit };
    assert_eq!((&success.ret, success.label.as_str()), (&new, ""));
    assert_eq!((&failure.ret, failure.label.as_str()), (&Ret::Null, "fails"));
    assert!(success.effects.is_empty() && failure.effects.is_empty());
}

#[test]
fn realloc_frees_only_when_it_succeeds() {
    let library = library();
    let free = Effect {
        arg: Arg::At(0),
        null_ok: false,
        what: What::Free { family: "malloc".to_owned(), behind: false },
    };
    let cases = &model(&library, "realloc").cases;
    let old: Vec<_> = cases.iter().filter(|case| case.when == [Test::NonZero(0), Test::NonZero(1)]).collect();
    let [moved, failed] = old.as_slice() else { panic!("two cases for a block that is there") };
    assert_eq!(moved.effects, [free]);
    assert!(matches!(moved.ret, Ret::New { size: Size::Arg(1), content: Content::From(0), .. }));
    let freeable = What::Freeable { family: "malloc".to_owned(), behind: false };
    let stays = [Effect { arg: Arg::At(0), null_ok: false, what: freeable }];
    assert_eq!((failed.effects.as_slice(), &failed.ret), (&stays[..], &Ret::Null));
}

#[test]
fn a_line_read_replaces_its_buffer() {
    let library = library();
    let whats: Vec<_> = model(&library, "getline").cases[0]
        .effects
        .iter()
        .filter(|it| it.arg == Arg::At(0))
        .map(|it| &it.what)
        .collect();
    assert!(
        matches!(
            whats.as_slice(),
            [What::Access { read: true, .. }, What::Free { behind: true, .. }, What::Write { bytes: 8, .. }]
        ),
        "{whats:?}"
    );
}

#[test]
fn input_is_told_from_what_the_library_computes() {
    let library = library();
    let len = Len::Arg(2);
    let access = What::Access { read: false, write: true, len, defined: false };
    let effect = |what| Effect { arg: Arg::At(1), null_ok: false, what };
    assert_eq!(
        model(&library, "read").cases[0].effects,
        [effect(access), effect(What::Havoc { len, data: Data::Input })]
    );
    assert_eq!(model(&library, "read").cases[0].ret, Ret::UpTo { lo: -1, arg: 2 });
}

#[test]
fn fortified_functions_are_like_the_plain_ones() {
    let library = library();
    let sprintf = model(&library, "__sprintf_chk");
    assert_eq!((sprintf.params, sprintf.variadic), (Some(4), true));
    let format = sprintf.cases[0].effects.iter().find(|it| matches!(it.what, What::Format { .. }));
    assert_eq!(format.map(|it| it.arg), Some(Arg::At(3)));
    assert_eq!(model(&library, "__longjmp_chk").noreturn, Some(NoReturn::Jump));
}

fn family(library: &Library, name: &str) -> String {
    let it = library.family(name).unwrap_or_else(|| panic!("`{name}` is a family"));
    format!("{} {}: {}", it.leak, it.words, it.deallocators.join(" "))
}

#[test]
fn families_know_their_deallocators() {
    let library = library();
    assert_eq!(family(&library, "file"), "resource-leak fopen: fclose pclose");
    assert_eq!(family(&library, "dir"), "resource-leak opendir: closedir");
    assert_eq!(
        family(&library, "new[]"),
        "memory-leak new[]: _ZdaPv _ZdaPvRKSt9nothrow_t _ZdaPvSt11align_val_t _ZdaPvSt11align_val_tRKSt9nothrow_t _ZdaPvm _ZdaPvmSt11align_val_t"
    );
    assert_eq!(
        family(&library, "malloc"),
        "memory-leak malloc: __getdelim __libc_free __libc_realloc cfree curl_free free g_free g_free_sized g_realloc g_realloc_n g_try_realloc getdelim getline realloc reallocarray"
    );
    assert_eq!(
        family(&library, "openssl"),
        "memory-leak OPENSSL_malloc: CRYPTO_clear_free CRYPTO_clear_realloc CRYPTO_free CRYPTO_realloc CRYPTO_secure_clear_free CRYPTO_secure_free"
    );
    assert_eq!(
        family(&library, "sqlite"),
        "memory-leak sqlite3_malloc: sqlite3_free sqlite3_realloc sqlite3_realloc64"
    );
    assert_eq!(
        family(&library, "kmalloc"),
        "memory-leak kmalloc: kfree kfree_sensitive krealloc krealloc_noprof kzfree"
    );
    // `kvfree` frees three families, which no row can say.
    let idle = library.families().filter(|it| it.deallocators.is_empty()).map(|it| it.name.as_str());
    assert_eq!(idle.collect::<Vec<_>>(), ["kvmalloc"]);
}

/// The engine assumes that some case is possible whatever the arguments are.
#[test]
fn cases_cover_all_arguments() {
    for model in library().models() {
        let tested = model.cases.iter().flat_map(|case| &case.when).map(|test| match test {
            Test::Zero(arg) | Test::NonZero(arg) => *arg,
        });
        let tested: Vec<usize> = tested.collect::<BTreeSet<_>>().into_iter().collect();
        for zeros in 0..1u32 << tested.len() {
            let is_zero = |arg: usize| {
                zeros >> tested.iter().position(|it| *it == arg).expect("a tested argument") & 1 == 1
            };
            let holds = |test: &Test| match *test {
                Test::Zero(arg) => is_zero(arg),
                Test::NonZero(arg) => !is_zero(arg),
            };
            assert!(
                model.cases.iter().any(|case| case.when.iter().all(holds)),
                "{} with zeros {zeros:b}",
                model.name
            );
        }
    }
}
