//! Cleaning a compiler's command line.
//!
//! Purpose: keep what decides about the meaning of the program (macros, include paths, language standard,
//! target, semantics such as `-fwrapv`) and can do no harm; drop all else. What may matter of that is listed
//! ([`Cleaned::left_out`]), so that the user is told.
//! Source: the option tables of clang and GCC (see `rules`).
//! Departures: what only some versions of clang know is kept, and if clang
//! rejects it, [`rejected_by_clang`] finds it in clang's message and the unit is compiled again.

mod driver;
mod families;
mod front_end;
mod rejected;
mod rules;

pub(crate) use rejected::rejected_by_clang;
pub(crate) use rules::Action;

use std::collections::BTreeSet;

use crate::unit::Language;

/// One word of a command line, with the word that belongs to it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word<'a> {
    /// A file to be compiled or linked.
    Input(&'a str),
    /// An option.
    Option {
        /// The first word.
        name: &'a str,
        /// The next word, if it belongs to the option.
        value: Option<&'a str>,
        /// What to do with it.
        action: Action,
    },
}

/// The words after the compiler's name. What follows `--` are files.
pub(crate) fn words(args: &[String]) -> impl Iterator<Item = Word<'_>> {
    let mut rest = args.iter().map(String::as_str);
    let mut only_inputs = false;
    std::iter::from_fn(move || {
        let mut word = rest.next()?;
        if word == "--" && !only_inputs {
            only_inputs = true;
            word = rest.next()?;
        }
        if only_inputs || !word.starts_with('-') || word == "-" {
            return Some(Word::Input(word));
        }
        let action = rules::driver(word);
        let value = if action.takes_next() { rest.next() } else { None };
        Some(Word::Option { name: word, value, action })
    })
}

/// The names of the option for the output, for the language of the files after it, and for the standard.
pub(crate) const OUTPUT: &[&str] = &["-o", "--output"];
/// See [`OUTPUT`].
pub(crate) const LANGUAGE: &[&str] = &["-x", "--language"];
const STANDARD: &[&str] = &["-std", "--std"];

/// The value of an option if it is one of `names`: in the next word, joined, or behind `=`.
pub(crate) fn value_of<'a>(name: &'a str, value: Option<&'a str>, names: &[&str]) -> Option<&'a str> {
    if names.contains(&name) {
        return value;
    }
    names.iter().find_map(|it| match it.len() {
        2 => name.strip_prefix(it),
        _ => name.strip_prefix(it)?.strip_prefix('='),
    })
}

/// A command line without the compiler, its input files, and all that does not matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cleaned {
    /// The options that are left. `-x` is none of them: it belongs to a place.
    pub(crate) args: Vec<String>,
    /// The files, each with the `-x` that holds at its place.
    pub(crate) inputs: Vec<(String, Option<String>)>,
    /// The `-x` that holds at the end.
    pub(crate) language: Option<String>,
    /// The file that is written, as the command names it.
    pub(crate) output: Option<String>,
    /// The options that were not handed on though they may matter, by name.
    pub(crate) left_out: BTreeSet<String>,
    /// Whether the files have gone through the preprocessor (`-fpreprocessed`).
    preprocessed: bool,
    /// Whether only directives have been followed, and macros are still to be expanded (`-fdirectives-only`).
    directives_only: bool,
}

/// Options of GCC that clang knows by another name, or by a near relative.
const RENAMED: &[(&str, &str)] = &[
    ("-fno-hosted", "-ffreestanding"),
    ("-fno-freestanding", "-fhosted"),
    // Both allow anonymous members of a named structure type.
    ("-fplan9-extensions", "-fms-extensions"),
];

/// Standards by the names that all supported versions of clang know.
const STANDARDS: &[(&str, &str)] = &[
    ("c23", "c2x"),
    ("iso9899:2024", "c2x"),
    ("gnu23", "gnu2x"),
    ("c++23", "c++2b"),
    ("gnu++23", "gnu++2b"),
    ("c++26", "c++2c"),
    ("gnu++26", "gnu++2c"),
];

/// Cleans `args`, which must not contain the compiler itself.
pub(crate) fn clean(args: &[String]) -> Cleaned {
    let mut cleaned = Cleaned::default();
    let mut rest = words(args).peekable();
    while let Some(word) = rest.next() {
        let (name, value, action) = match word {
            Word::Input(file) => {
                cleaned.inputs.push((file.to_owned(), cleaned.language.clone()));
                continue;
            }
            Word::Option { name, value, action } => (name, value, action),
        };
        match name {
            "-Xclang" | "-Xpreprocessor" => {
                let mut inner: Vec<String> = value.map(String::from).into_iter().collect();
                let same =
                    |next: &Word<'_>| matches!(next, Word::Option { name: other, .. } if *other == name);
                while let Some(Word::Option { value, .. }) = rest.next_if(same) {
                    inner.extend(value.map(String::from));
                }
                cleaned.add_inner(name, &inner);
            }
            _ => cleaned.add(name, value, action),
        }
    }
    cleaned
}

impl Cleaned {
    /// What `-x` would have to say of a file in this language, given the `-x` at its place.
    pub(crate) fn explicit<'a>(&self, at_place: Option<&'a str>, language: Language) -> Option<&'a str> {
        match language {
            Language::C if self.is_preprocessed() => Some("cpp-output"),
            Language::Cxx if self.is_preprocessed() => Some("c++-cpp-output"),
            _ => at_place,
        }
    }

    /// GCC's `-fdirectives-only` leaves the macros to the compiler proper.
    fn is_preprocessed(&self) -> bool {
        self.preprocessed && !self.directives_only
    }

    fn add(&mut self, name: &str, value: Option<&str>, action: Action) {
        if let Some(output) = value_of(name, value, OUTPUT) {
            self.output = Some(output.to_owned());
        } else if let Some(language) = value_of(name, value, LANGUAGE) {
            self.language = (language != "none").then(|| language.to_owned());
        } else if let Some(packed) = name.strip_prefix("-Wp,") {
            let inner: Vec<String> = packed.split(',').map(String::from).collect();
            self.add_inner("-Xpreprocessor", &inner);
        } else if let Some(inner) = name.strip_prefix("-Xclang=") {
            self.add_inner("-Xclang", &[inner.to_owned()]);
        } else if action.may_matter() || (action.keeps() && !is_whole(action, value)) {
            self.leave_out(name);
        } else if action.keeps() {
            self.keep(name, value);
        }
    }

    fn leave_out(&mut self, name: &str) {
        let end = name.find(['=', ',']).map_or(name.len(), |sign| sign + 1);
        self.left_out.insert(name[..end].to_owned());
    }

    fn keep(&mut self, name: &str, value: Option<&str>) {
        if let Some(standard) = value_of(name, value, STANDARD) {
            let known =
                STANDARDS.iter().find(|(name, _)| *name == standard).map_or(standard, |(_, known)| known);
            return self.args.push(format!("-std={known}"));
        }
        if let Some(specs) = value_of(name, value, &["-specs", "--specs"]) {
            // GCC's own files have bare names; one of the project could tell GCC to run anything.
            return match specs.contains('/') {
                true => self.leave_out("-specs="),
                false => self.args.push(format!("-specs={specs}")),
            };
        }
        if let Some((option, file)) = included(name, value) {
            return match is_plain(file) {
                true => self.args.extend([option.to_owned(), file.to_owned()]),
                false => self.leave_out(option),
            };
        }
        let fortify =
            value_of(name, value, &["-D", "-U"]).is_some_and(|it| it.starts_with("_FORTIFY_SOURCE"));
        match name {
            // We undefine it in any case.
            _ if fortify => {}
            "-I-" | "--include-barrier" => self.split_include_paths(),
            "-fpreprocessed" => self.preprocessed = true,
            _ => {
                self.directives_only |= name == "-fdirectives-only";
                let renamed = RENAMED.iter().find(|(theirs, _)| *theirs == name);
                self.args.push(renamed.map_or(name, |(_, ours)| ours).to_owned());
                self.args.extend(value.map(String::from));
            }
        }
    }

    /// The directories in front of GCC's old `-I-` are only for `#include "…"`.
    fn split_include_paths(&mut self) {
        let mut args = Vec::new();
        let mut rest = std::mem::take(&mut self.args).into_iter();
        while let Some(arg) = rest.next() {
            match arg.strip_prefix("-I") {
                Some("") => args.extend(["-iquote".to_owned()].into_iter().chain(rest.next())),
                // In one word, as it was: by itself the name of the directory could be taken for something else.
                Some(dir) => args.push(format!("-iquote{dir}")),
                None => args.push(arg),
            }
        }
        self.args = args;
    }

    /// Adds the options that `outer` hands to an inner tool.
    fn add_inner(&mut self, outer: &str, inner: &[String]) {
        match outer {
            "-Xclang" => self.add_front_end(inner),
            // The preprocessor is part of clang and takes the driver's options. Other words are values of
            // options such as `-MD FILE`, which goes.
            _ => {
                let cleaned = clean(inner);
                self.args.extend(cleaned.args);
                self.left_out.extend(cleaned.left_out);
            }
        }
    }

    fn add_front_end(&mut self, args: &[String]) {
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let action = rules::front_end(arg);
            let value = if action.takes_next() { rest.next() } else { None };
            match action.keeps() && is_whole(action, value.map(String::as_str)) {
                true => {
                    let words = [arg].into_iter().chain(value);
                    self.args.extend(words.flat_map(|word| ["-Xclang".to_owned(), word.clone()]));
                }
                false if action.may_matter() || action.keeps() => self.leave_out(arg),
                false => {}
            }
        }
    }
}

/// Whether an option has the value that it needs. One without would take the word after it, which is an option of somebody else.
fn is_whole(action: Action, value: Option<&str>) -> bool {
    action.takes_next() == value.is_some() && value.is_none_or(is_plain)
}

/// Whether a value in a word of its own is nothing but a value: clang must not take it for an option, nor for the name of a file
/// with more of them.
fn is_plain(value: &str) -> bool {
    !value.starts_with(['-', '@'])
}

/// A header that is included by option, in the one spelling that we use, and its name.
fn included<'a>(name: &'a str, value: Option<&'a str>) -> Option<(&'static str, &'a str)> {
    [("-include", "--include"), ("-imacros", "--imacros")].into_iter().find_map(|(short, long)| {
        let file = value_of(name, value, &[short, long]).or_else(|| name.strip_prefix(short))?;
        Some((short, file))
    })
}

/// The options that clang gets in the end, once more through the table: whatever was done to them since they were cleaned, each word is
/// an option that is kept, or the value of the one before it.
pub(crate) fn judged_again(args: &[String]) -> Vec<String> {
    let cleaned = clean(args);
    let language = cleaned.language.into_iter().flat_map(|name| ["-x".to_owned(), name]);
    cleaned.args.into_iter().chain(language).collect()
}

/// Drops standards of the other language, of which GCC only warns and clang makes an error.
pub(crate) fn fit_standard(args: &mut Vec<String>, language: Language) {
    args.retain(|arg| match arg.strip_prefix("-std=") {
        Some(standard) => standard.contains("++") == (language == Language::Cxx),
        None => true,
    });
}

/// Whether the next word belongs to an option of the driver.
pub(crate) fn takes_next(option: &str) -> bool {
    rules::driver(option).takes_next()
}

/// Whether the options name a target.
pub(crate) fn has_target(args: &[String]) -> bool {
    args.iter().any(|arg| arg == "-target" || arg == "--target" || arg.starts_with("--target="))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    #[track_caller]
    fn check(given: &str, kept: &str) {
        assert_eq!(clean(&words(given)).args.join(" "), kept);
    }

    #[test]
    fn meaning_is_kept() {
        for flags in [
            "-DX=1 -D Y -I include -Iother -isystem sys -std=gnu99 -fwrapv -m32 -pthread",
            "-fno-exceptions -include config.h -target aarch64-linux-gnu -nostdinc -nostdinc++ -undef",
            "-ansi -trigraphs -fdirectives-only -ffreestanding -fshort-enums -funsigned-char -fshort-wchar",
            "-fgnu89-inline -fno-common -fno-strict-aliasing -fno-delete-null-pointer-checks -fvisibility=hidden",
            "-mx32 -mabi=aapcs -mfloat-abi=hard -mthumb -EB -EL -mbig-endian -march=native -mcpu=cortex-m4",
            "-fms-extensions -fpack-struct=4 -fno-threadsafe-statics -fno-rtti -fchar8_t -fopenmp -fblocks",
            "--sysroot=/x -isysroot /x -stdlib=libc++",
        ] {
            check(flags, flags);
        }
    }

    #[test]
    fn inputs_and_outputs_go() {
        check("-c a.c -o a.o -DX", "-DX");
        check("-oa.o -S -E a.c b.c lib.a x.o -DX -", "-DX");
        check("-DX -- a.c -DY", "-DX");
        let output = |text| clean(&words(text)).output;
        assert_eq!(output("-c a.c -o x.o"), Some("x.o".into()));
        assert_eq!(output("-oa.o -o b.o --output=c.o"), Some("c.o".into()));
        assert_eq!(output("-c a.c -o"), None);
    }

    #[test]
    fn values_are_no_inputs() {
        check("-include a.c a.c -I a.c", "-include a.c -I a.c");
        check("-o", "");
        check("-D", "");
        check("-Xclang -include -DX", "-DX");
        check("-Wp,-D -I-fplugin=x --include-barrier", "-iquote-fplugin=x");
        check("--include=a.h -imacros b.h -includec.h", "-include a.h -imacros b.h -include c.h");
    }

    #[test]
    fn dependency_files_go() {
        check("-MD -MP -MF a.d -MT a.o -MQ x -MMD -MFb.d -Wp,-MMD,a.d -DX", "-DX");
    }

    #[test]
    fn code_generation_goes() {
        check("-O2 -Os -O -g -ggdb3 -gsplit-dwarf -flto=thin -fno-lto -DX", "-DX");
        check("-fsanitize=address -fno-sanitize-recover=all --coverage -pg -fprofile-use=x", "");
        check("-Werror -Werror=vla -Wno-error=vla -pedantic-errors -Wextra -Winvalid-pch -Wno-vla -w", "");
        check("-mllvm -foo -fplugin=x.so --param a=1 -fconserve-stack", "");
        check("-gcc-toolchain /opt -g", "-gcc-toolchain /opt");
        check("-fPIC -fpie -fno-pic -pie -no-pie -fno-plt -mtune=native -fcf-protection=full", "");
        check(
            "-fstack-protector-strong -fno-stack-protector -fstack-clash-protection -fomit-frame-pointer",
            "",
        );
        check(
            "-mno-red-zone -mpreferred-stack-boundary=3 -mindirect-branch=thunk-extern -mthumb-interwork",
            "",
        );
    }

    #[test]
    fn fortification_goes_however_it_is_asked_for() {
        check(
            "-D_FORTIFY_SOURCE=2 -U_FORTIFY_SOURCE -Wp,-D_FORTIFY_SOURCE=2 -D _FORTIFY_SOURCE=3 -DX",
            "-DX",
        );
        check("-Wp,-U_FORTIFY_SOURCE -U _FORTIFY_SOURCE -ftrivial-auto-var-init=zero", "");
    }

    #[test]
    fn the_preprocessor_takes_the_same_options() {
        check("-Wp,-DX=1,-MD,a.d,-UY", "-DX=1 -UY");
        check("-Xpreprocessor -MT -Xpreprocessor a.o -Xpreprocessor -DX -DY", "-DX -DY");
        check("-Wp, -Xpreprocessor", "");
    }

    #[test]
    fn linking_goes() {
        check(
            "-L lib -Llib -lm -l m -Wl,-z,now -Xlinker -x -shared -DX -static-libgcc -Tx.ld -nostdlib",
            "-DX",
        );
    }

    #[test]
    fn what_only_gcc_understands_goes_or_gets_its_name_in_clang() {
        check("-traditional-cpp -fno-hosted -fplan9-extensions", "-ffreestanding -fms-extensions");
        check("-specs nosys.specs --specs=nano.specs", "-specs=nosys.specs -specs=nano.specs");
        check("-Ia -I b -I- -Ic", "-iquotea -iquote b -Ic");
        check("-I@response -I-", "");
    }

    #[test]
    fn standards_have_one_name() {
        check("-std=c23 --std=gnu++23 --std c99", "-std=c2x -std=gnu++2b -std=c99");
        let mut args = words("-std=gnu11 -DX -std=c++17");
        fit_standard(&mut args, Language::C);
        assert_eq!(args, ["-std=gnu11", "-DX"]);
        let mut args = words("-std=gnu11 -DX -std=c++17");
        fit_standard(&mut args, Language::Cxx);
        assert_eq!(args, ["-DX", "-std=c++17"]);
    }

    #[test]
    fn the_front_end_has_rules_of_its_own() {
        check(
            "-Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang a.h",
            "-Xclang -include -Xclang a.h",
        );
        check("-Xclang -fno-pch-timestamp -DX -Xclang", "-DX");
        check("-Xclang -fdeclspec -Xclang=-fblocks", "-Xclang -fdeclspec -Xclang -fblocks");
        check("-Xclang -disable-llvm-passes -Xclang -O3", "");
    }

    #[track_caller]
    fn check_left_out(given: &str, names: &[&str]) {
        let cleaned = clean(&words(given));
        assert_eq!(cleaned.args, [""; 0]);
        assert_eq!(cleaned.left_out.iter().map(String::as_str).collect::<Vec<_>>(), names);
    }

    #[test]
    fn what_may_matter_and_is_not_handed_on_is_named() {
        check_left_out(
            "-fplugin=./x.so -B. -B tools -mllvm -load=x --config a.cfg",
            &["--config", "-B", "-B.", "-fplugin=", "-mllvm"],
        );
        check_left_out(
            "-Xclang -load -Xclang x.so -Xclang -add-plugin -Xclang=-plugin",
            &["-add-plugin", "-load", "-plugin"],
        );
        check_left_out("-Wp,-fplugin=x,-Xclang,-load -Xpreprocessor -B.", &["-B.", "-fplugin=", "-load"]);
        check_left_out(
            "-Xarch_x86_64 -fplugin=x -fsomething-new -specs=./x -O2 -Wall",
            &["-Xarch_x86_64", "-fsomething-new", "-specs="],
        );
        check_left_out(
            "-D @file -I -fplugin=x -include @x -Xclang -include -Xclang -load",
            &["-D", "-I", "-include"],
        );
    }

    #[test]
    fn what_was_cleaned_is_clean() {
        for text in [
            "-DX -I a -include b.h -std=gnu99 -Xclang -target-feature -Xclang +avx -m32 -specs=nano.specs -x c",
            "-Xclang -internal-externc-isystem -Xclang /usr/include -Xclang -include -Xclang c.h -iquoted -x c++",
        ] {
            assert_eq!(judged_again(&words(text)).join(" "), text);
        }
        assert_eq!(judged_again(&words("-D -fplugin=x @y -Xclang -load x -DZ")), ["-DZ"]);
    }

    #[test]
    fn the_language_is_that_of_the_place() {
        let languages = |text| -> Vec<Option<String>> {
            clean(&words(text)).inputs.into_iter().map(|(_, language)| language).collect()
        };
        assert_eq!(languages("-x c++ a.c"), [Some("c++".into())]);
        assert_eq!(languages("-xc a.cc -x none b.cc"), [Some("c".into()), None]);
        assert_eq!(languages("a.cc -x c b.cc"), [None, Some("c".into())]);
        assert_eq!(clean(&words("-x c")).language, Some("c".into()));
        check("-x c -DX a.c", "-DX");
    }

    #[test]
    fn preprocessed_text_is_not_preprocessed_again() {
        let explicit = |text| clean(&words(text)).explicit(Some("c"), Language::C).map(String::from);
        assert_eq!(explicit("-fpreprocessed"), Some("cpp-output".into()));
        assert_eq!(explicit("-fpreprocessed -fdirectives-only"), Some("c".into()));
        assert_eq!(explicit(""), Some("c".into()));
    }
}
