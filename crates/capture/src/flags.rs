//! Cleaning a compiler's command line.
//!
//! Purpose: keep what decides about the meaning of the program (macros, include paths, language
//! standard, target, semantics such as `-fwrapv`), drop what only decides about code generation,
//! output files, diagnostics and linking, or what only GCC understands.
//! Source: the option tables of clang 19 and GCC 12, tried one by one.
//! Departures: no list of all options exists here. An option without a rule is kept, and if clang
//! rejects it, [`rejected_by_clang`] finds it in clang's message and the unit is compiled again.

/// What happens to an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Keep,
    /// The option and the argument after it stay together.
    KeepWithNext,
    Drop,
    /// The option and the argument after it go together.
    DropWithNext,
}

use Action::{Drop, DropWithNext, KeepWithNext};

/// Rules for the driver's options; the first match wins. `*` at the end stands for any rest.
const DRIVER: &[(Action, &[&str])] = &[
    // What to produce, and where: always bitcode to our pipe.
    (Drop, &["-c", "-S", "-E", "-fsyntax-only", "-emit-llvm", "-emit-ast", "--analyze"]),
    (Drop, &["-###", "-v", "--verbose", "-pipe", "-dM", "-dD", "-dI", "-dN", "-dU"]),
    (DropWithNext, &["-o", "--output", "-dumpbase", "-dumpdir", "-auxbase", "-aux-info"]),
    (Drop, &["-o*", "--output=*"]),
    // Dependency files.
    (DropWithNext, &["-MF", "-MT", "-MQ", "-MJ", "-dependency-file"]),
    (Drop, &["-M*", "-Wp,-M*", "--write-dependencies", "--write-user-dependencies"]),
    // Warnings are not our business, and those of other compilers are not clang's.
    (Drop, &["-Werror*", "-Wfatal-errors", "-pedantic-errors", "--pedantic-errors"]),
    (Drop, &["-fmax-errors=*", "-ferror-limit=*", "-fdiagnostics*", "-fno-diagnostics*"]),
    (Drop, &["-fcolor-diagnostics", "-fno-color-diagnostics", "-fansi-escape-codes"]),
    (DropWithNext, &["-serialize-diagnostics", "--serialize-diagnostics"]),
    // Hardening hides calls behind `__strcpy_chk` and zeroes what was never written.
    (Drop, &["-Wp,-D_FORTIFY_SOURCE*", "-Wp,-U_FORTIFY_SOURCE*", "-ftrivial-auto-var-init*"]),
    (Drop, &["-enable-trivial-auto-var-init-zero*"]),
    // Optimization and debug information are chosen by us.
    (Drop, &["-O*", "--optimize*", "-flto*", "-fno-lto*", "-fthinlto*", "-fembed-bitcode*"]),
    (KeepWithNext, &["-gcc-toolchain"]),
    (Drop, &["-g*", "--debug*"]),
    (DropWithNext, &["-fdebug-compilation-dir"]),
    (Drop, &["-fdebug-compilation-dir=*", "-ffile-compilation-dir=*"]),
    // Mapped paths would hide the sources from the excerpts.
    (Drop, &["-fdebug-prefix-map=*", "-ffile-prefix-map=*", "-frecord-gcc-switches"]),
    // Instrumentation adds calls that the programmer did not write.
    (Drop, &["-fsanitize*", "-fno-sanitize*", "-fprofile*", "-fno-profile*", "-fcs-profile*"]),
    (Drop, &["-ftest-coverage", "--coverage", "-coverage", "-fcoverage*", "-p", "-pg"]),
    (Drop, &["-fauto-profile*", "-fbranch-probabilities", "-finstrument-functions*"]),
    (Drop, &["-fxray*", "-fpseudo-probe*", "-mfentry", "-mrecord-mcount", "-mnop-mcount"]),
    // Files beside the output.
    (Drop, &["-save-temps*", "--save-temps*", "-ftime-trace*", "-ftime-report*", "-fstack-usage"]),
    (Drop, &["-fcallgraph-info*", "-fdump*", "-fopt-info*", "-fsave-optimization-record*"]),
    (DropWithNext, &["-index-store-path"]),
    // Linking and assembling.
    (DropWithNext, &["-l", "-L", "-Xlinker", "-Xassembler", "-z", "-T", "-u", "-e", "-rpath"]),
    (DropWithNext, &["-framework", "-install_name"]),
    (Drop, &["-l*", "-L*", "-Wl,*", "-Wa,*", "-shared", "-static", "-rdynamic", "-s", "-r"]),
    (Drop, &["-fuse-ld=*", "-nostdlib", "-nodefaultlibs", "-nostartfiles"]),
    // Parts of another compiler: plugins, precompiled headers, internal headers, tuning.
    (Drop, &["-fplugin*", "-fpass-plugin*", "-specs=*", "--specs=*", "-resource-dir=*"]),
    (DropWithNext, &["-specs", "--specs", "-resource-dir", "-include-pch", "-wrapper", "-mllvm"]),
    (DropWithNext, &["--param"]),
    (Drop, &["--param=*", "-ftree-*", "-fno-tree-*", "-fipa-*", "-fno-ipa-*", "-fconserve-stack"]),
    (Drop, &["-fvar-tracking*", "-fno-var-tracking*", "-mindirect-branch*", "-mfunction-return*"]),
    (Drop, &["-mno-fp-ret-in-387", "-fno-gnu-unique", "-femit-struct-debug*"]),
    (Drop, &["-fno-guess-branch-probability", "-fallow-store-data-races"]),
    (Drop, &["-fno-allow-store-data-races", "-fmin-function-alignment=*", "-fno-reorder-blocks*"]),
    // Options that take the next argument, so that it is not mistaken for an input file.
    (KeepWithNext, &["-D", "-U", "-I", "-F", "-A", "-B", "-G", "-x", "-include", "-imacros"]),
    (KeepWithNext, &["-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix"]),
    (KeepWithNext, &["-iwithprefixbefore", "-isysroot", "-iframework", "-cxx-isystem"]),
    (KeepWithNext, &["-c-isystem", "-stdlib++-isystem", "-ivfsoverlay", "-imultilib", "-arch"]),
    (KeepWithNext, &["-target", "--target", "--sysroot", "--std", "-Xpreprocessor"]),
    (KeepWithNext, &["-working-directory", "-mthread-model", "--config"]),
];

/// Rules for what `-Xclang` hands to clang's inner compiler.
const FRONT_END: &[(Action, &[&str])] = &[
    // Written by CMake for precompiled headers, which may belong to another clang. The header
    // itself follows as `-include`.
    (DropWithNext, &["-include-pch", "-mllvm", "-load", "-add-plugin", "-plugin", "-dependency-file"]),
    (DropWithNext, &["-fdebug-compilation-dir", "-main-file-name", "-o"]),
    (Drop, &["-emit-*", "-E", "-S", "-fsyntax-only", "-O*", "-disable-*", "-fsanitize*", "-analyze*"]),
    (Drop, &["-plugin-arg-*", "-debug-info-kind=*", "-fprofile*", "-ftrivial-auto-var-init*"]),
    (KeepWithNext, &["-include", "-D", "-U", "-I", "-isystem", "-internal-isystem"]),
    (KeepWithNext, &["-internal-externc-isystem", "-target-feature", "-target-cpu"]),
];

/// A command line without the compiler, its input files, and all that does not matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cleaned {
    /// The options that are left.
    pub(crate) args: Vec<String>,
    /// The last `-x` in front of the inputs, if any.
    pub(crate) language: Option<String>,
}

/// Cleans `args`, which must not contain the compiler itself.
pub(crate) fn clean(args: &[String]) -> Cleaned {
    let mut cleaned = Cleaned::default();
    let mut rest = args.iter().peekable();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            break;
        }
        if arg == "-Xclang" {
            let mut inner: Vec<String> = rest.next().cloned().into_iter().collect();
            while rest.next_if(|next| *next == "-Xclang").is_some() {
                inner.extend(rest.next().cloned());
            }
            for kept in clean_front_end(&inner) {
                cleaned.args.extend(["-Xclang".into(), kept]);
            }
            continue;
        }
        if !arg.starts_with('-') || arg == "-" {
            continue;
        }
        match action(DRIVER, arg) {
            Drop => {}
            DropWithNext => drop(rest.next()),
            Action::Keep => cleaned.keep(arg, None),
            KeepWithNext => cleaned.keep(arg, rest.next()),
        }
    }
    cleaned
}

impl Cleaned {
    fn keep(&mut self, arg: &str, value: Option<&String>) {
        if let Some(joined) = arg.strip_prefix("-x") {
            let language = value.map_or(joined, String::as_str);
            self.language = (language != "none").then(|| language.to_owned());
        }
        self.args.push(arg.to_owned());
        self.args.extend(value.cloned());
    }
}

fn clean_front_end(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match action(FRONT_END, arg) {
            Drop => {}
            DropWithNext => drop(rest.next()),
            Action::Keep => kept.push(arg.clone()),
            KeepWithNext => {
                kept.push(arg.clone());
                kept.extend(rest.next().cloned());
            }
        }
    }
    kept
}

fn action(rules: &[(Action, &[&str])], arg: &str) -> Action {
    let matches = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(prefix) => arg.starts_with(prefix),
        None => arg == *pattern,
    };
    rules
        .iter()
        .find(|(_, patterns)| patterns.iter().any(matches))
        .map_or(Action::Keep, |(action, _)| *action)
}

/// The options among `args` that clang's messages reject; without them it may succeed.
///
/// Each message quotes the option, or its name and its value:
/// `error: unknown argument: '-fconserve-stack'`,
/// `error: unsupported option '-mrecord-mcount' for target 'x86_64-pc-linux-gnu'`,
/// `error: unsupported argument 'foo' to option '-mcmodel='`,
/// `error: invalid value 'zzz' in 'mstack-protector-guard='`,
/// `error: unknown target CPU 'zzz'`.
pub(crate) fn rejected_by_clang<'a>(messages: &str, args: &'a [String]) -> Vec<&'a String> {
    let culprits: Vec<Culprit<'_>> = messages.lines().filter_map(culprit).collect();
    args.iter().filter(|arg| culprits.iter().any(|culprit| culprit.is(arg))).collect()
}

/// What one message says about an option.
enum Culprit<'m> {
    Whole(&'m str),
    NameAndValue { name: &'m str, value: &'m str },
    Cpu(&'m str),
}

fn culprit(line: &str) -> Option<Culprit<'_>> {
    let (_, message) = line.split_once("error: ")?;
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let first = quoted.next()?;
    if message.starts_with("unknown argument") || message.starts_with("unsupported option") {
        return Some(Culprit::Whole(first));
    }
    if message.starts_with("unsupported argument") || message.starts_with("invalid value") {
        let name = quoted.next()?.trim_start_matches('-');
        return Some(Culprit::NameAndValue { name, value: first });
    }
    message.starts_with("unknown target CPU").then_some(Culprit::Cpu(first))
}

impl Culprit<'_> {
    fn is(&self, arg: &str) -> bool {
        // The standard decides about the language: without it the unit would be another program.
        if arg.starts_with("-std=") {
            return false;
        }
        let name_and_value = arg.trim_start_matches('-');
        match *self {
            Culprit::Whole(option) => arg == option,
            Culprit::NameAndValue { name, value } => {
                let joined = name_and_value.strip_prefix(name);
                joined.is_some_and(|rest| rest.trim_start_matches('=') == value)
            }
            Culprit::Cpu(cpu) => ["march=", "mcpu=", "mtune="]
                .iter()
                .any(|name| name_and_value.strip_prefix(name) == Some(cpu)),
        }
    }
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
        let flags = "-DX=1 -D Y -I include -Iother -isystem sys -std=gnu99 -fwrapv -m32 -pthread";
        check(flags, flags);
        let flags = "-fno-exceptions -fPIC -Wall -include config.h -target aarch64-linux-gnu -nostdinc";
        check(flags, flags);
    }

    #[test]
    fn inputs_and_outputs_go() {
        check("-c a.c -o a.o -DX", "-DX");
        check("-oa.o -S -E a.c b.c lib.a x.o -DX -", "-DX");
        check("-DX -- a.c -DY", "-DX");
    }

    #[test]
    fn values_are_no_inputs() {
        check("-include a.c a.c -I a.c", "-include a.c -I a.c");
        check("-o", "");
        check("-D", "-D");
    }

    #[test]
    fn dependency_files_go() {
        check("-MD -MP -MF a.d -MT a.o -MQ x -MMD -MFb.d -Wp,-MMD,a.d -DX", "-DX");
    }

    #[test]
    fn code_generation_goes() {
        check("-O2 -Os -O -g -ggdb3 -gsplit-dwarf -flto=thin -fno-lto -DX", "-DX");
        check("-fsanitize=address -fno-sanitize-recover=all --coverage -pg -fprofile-use=x", "");
        check("-Werror -Werror=vla -pedantic-errors -Wextra", "-Wextra");
        check("-mllvm -foo -fplugin=x.so -specs=/y --param a=1 -fconserve-stack", "");
        check("-gcc-toolchain /opt -g", "-gcc-toolchain /opt");
    }

    #[test]
    fn linking_goes() {
        check("-L lib -Llib -lm -l m -Wl,-z,now -Xlinker -x -shared -DX", "-DX");
    }

    #[test]
    fn the_front_end_has_rules_of_its_own() {
        check(
            "-Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang a.h",
            "-Xclang -include -Xclang a.h",
        );
        check("-Xclang -fno-pch-timestamp -DX -Xclang", "-Xclang -fno-pch-timestamp -DX");
        check("-Xclang -disable-llvm-passes -Xclang -O3", "");
    }

    #[test]
    fn the_language_is_remembered() {
        let language = |text| clean(&words(text)).language;
        assert_eq!(language("-x c++ a.c"), Some("c++".into()));
        assert_eq!(language("-xc a.cc"), Some("c".into()));
        assert_eq!(language("-x c -x none a.cc"), None);
        assert_eq!(language("-DX a.cc"), None);
    }

    #[test]
    fn rejected_options_are_found_in_the_messages() {
        let args = words("-fgood -fbad -mcmodel=foo -mstack-protector-guard=zzz -march=i999 -std=c99 -mrec");
        let messages = "clang: error: unknown argument: '-fbad'; did you mean '-fgood'?\n\
            clang-19: error: unsupported argument 'foo' to option '-mcmodel=' for target 'x'\n\
            clang-19: error: invalid value 'zzz' in 'mstack-protector-guard=', expected one of: tls\n\
            error: unknown target CPU 'i999'\n\
            error: invalid value 'c99' in '-std=c99'\n\
            clang: error: unsupported option '-mrec' for target 'x86_64-pc-linux-gnu'\n";
        let found: Vec<&str> = rejected_by_clang(messages, &args).iter().map(|arg| arg.as_str()).collect();
        assert_eq!(found, ["-fbad", "-mcmodel=foo", "-mstack-protector-guard=zzz", "-march=i999", "-mrec"]);
        assert!(rejected_by_clang("a.c:1:1: error: unknown type name 'x'", &args).is_empty());
    }
}
