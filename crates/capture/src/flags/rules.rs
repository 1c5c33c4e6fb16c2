//! The table of options: what each one decides, and whether it takes the next word.
//!
//! An exact rule wins over one that ends in `*`, and a longer one over a shorter one; the order does not matter.
//! Source: the option tables of clang 19 and GCC 12 (`--help=common,optimizers,target,c,c++,warnings`, for x86-64 and
//! 32-bit ARM), each option and its negation tried with both. What only GCC knows is listed where it is common or comes in
//! families; the rest is found by trying again (see [`super::rejected_by_clang`]).

use std::collections::HashMap;
use std::sync::LazyLock;

/// What happens to an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// It decides about the meaning of the program.
    Keep,
    /// The option and the word after it stay together.
    KeepWithNext,
    /// It decides about something else.
    Drop,
    /// The option and the word after it go together.
    DropWithNext,
    /// It is for the linker alone.
    Link,
    /// The option and the word after it are for the linker alone.
    LinkWithNext,
}

impl Action {
    /// Whether the next word belongs to the option.
    pub(crate) fn takes_next(self) -> bool {
        matches!(self, KeepWithNext | DropWithNext | LinkWithNext)
    }

    /// Whether it decides about the meaning of the program.
    pub(crate) fn keeps(self) -> bool {
        matches!(self, Keep | KeepWithNext)
    }

    /// Whether it means something only where objects are linked.
    pub(crate) fn is_for_linker(self) -> bool {
        matches!(self, Link | LinkWithNext)
    }
}

use Action::{Drop, DropWithNext, Keep, KeepWithNext, Link, LinkWithNext};

/// Rules for the driver's options.
const DRIVER: &[(Action, &[&str])] = &[
    // What to produce, and where: always bitcode to our pipe.
    (Drop, &["-c", "--compile", "-S", "--assemble", "-E", "--preprocess", "-fsyntax-only", "-emit-*"]),
    (Drop, &["--analyze", "-###", "-v", "--verbose", "-pipe", "-P", "-C", "-CC"]),
    (Drop, &["--comments", "--comments-in-macros", "-dM", "-dD", "-dI", "-dN", "-dU", "-Qn", "-Qy"]),
    (Drop, &["-pass-exit-codes", "--pass-exit-codes", "-no-integrated-cpp", "-no-sysroot-suffix"]),
    (DropWithNext, &["-o", "--output", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-auxbase", "-aux-info"]),
    (Drop, &["-o*", "--output=*", "-aux-info=*", "--output-pch=*"]),
    // Dependency files.
    (DropWithNext, &["-MF", "-MT", "-MQ", "-MJ", "-dependency-file"]),
    (Drop, &["-M*", "--write-dependencies", "--write-user-dependencies", "--dependencies"]),
    (Drop, &["--user-dependencies", "--print-missing-file-dependencies"]),
    // Warnings are not our business, and those of other compilers are not clang's. We turn all of them off, those that are
    // errors by default included.
    (Drop, &["-W*", "-w", "--warn-*", "--extra-warnings", "--all-warnings", "--no-warnings"]),
    (Drop, &["-pedantic", "--pedantic", "-pedantic-errors", "--pedantic-errors"]),
    // These words are unpacked; see `clean`.
    (Keep, &["-Wp,*"]),
    (KeepWithNext, &["-Xpreprocessor", "-Xclang"]),
    // Optimization and debug information are chosen by us.
    (Drop, &["-O*", "--optimize*", "-g*", "--debug*", "--profile", "-p", "-pg", "--coverage", "-coverage"]),
    (KeepWithNext, &["-gcc-toolchain"]),
    // Mapped paths would hide the sources from the excerpts.
    (DropWithNext, &["-fdebug-compilation-dir"]),
    (Drop, &["-fdebug-compilation-dir=*", "-ffile-compilation-dir=*", "-fcoverage-compilation-dir=*"]),
    (Drop, &["-fdebug-prefix-map=*", "-ffile-prefix-map=*", "-fmacro-prefix-map=*"]),
    // Files beside the output.
    (Drop, &["-save-temps*", "--save-temps*"]),
    (DropWithNext, &["-index-store-path", "-serialize-diagnostics", "--serialize-diagnostics"]),
    // Linking and assembling.
    (LinkWithNext, &["-l", "-L", "-Xlinker", "-z", "-T", "-u", "-e", "-rpath", "-framework", "-filelist"]),
    (LinkWithNext, &["-install_name", "-compatibility_version", "-current_version", "-undefined"]),
    (LinkWithNext, &["-exported_symbols_list", "-weak_framework", "-force_load", "-bundle_loader"]),
    (LinkWithNext, &["--for-linker", "--entry", "--force-link", "--library-directory"]),
    (
        Link,
        &["-l*", "-L*", "-Wl,*", "-T*", "-u*", "-e*", "-z*", "-shared", "--shared", "-static*", "--static*"],
    ),
    (Link, &["-rdynamic", "-s", "--strip-all", "-r", "-pie", "--pie", "-no-pie", "--no-pie", "-nopie"]),
    (Link, &["-dynamiclib", "-bundle", "-dynamic", "-symbolic", "-all_load", "-headerpad_max_install_names"]),
    (
        Link,
        &[
            "-fuse-ld=*",
            "--ld-path=*",
            "-nostdlib",
            "-nostdlib++",
            "--no-standard-libraries",
            "-nodefaultlibs",
        ],
    ),
    (Link, &["-nolibc", "-nostartfiles", "-shared-libgcc", "-shared-libsan", "-no-undefined"]),
    (Link, &["--entry=*", "--force-link=*", "--library-directory=*", "--for-linker=*", "-rtlib=*"]),
    (DropWithNext, &["-Xassembler", "--for-assembler"]),
    (Drop, &["-Wa,*", "--for-assembler=*"]),
    // Parts of another compiler: plugins, precompiled headers, internal headers, tuning.
    (Drop, &["-resource-dir=*", "-iplugindir=*", "--param=*", "-plugin-arg-*", "-posix", "-mno-cygwin"]),
    (DropWithNext, &["-resource-dir", "-include-pch", "-wrapper", "-mllvm", "--param", "-imultiarch"]),
    (Drop, &["-traditional", "--traditional", "-traditional-cpp", "--traditional-cpp"]),
    (DropWithNext, &["-Xanalyzer", "-Xarch_host", "-Xarch_device", "-Xopenmp-target"]),
    (Drop, &["-enable-trivial-auto-var-init-zero*", "-fno-for-scope"]),
    // Words that look like one of the above and are not.
    (Keep, &["-undef", "-ffixed-point", "-fno-fixed-point"]),
    // Options that take the next word, so that it is not mistaken for an input file. GCC's search for headers depends on
    // `-specs`, and clang ignores it.
    (KeepWithNext, &["-D", "-U", "-I", "-F", "-A", "-B", "-G", "-x", "-include", "-imacros", "-isystem"]),
    (KeepWithNext, &["-iquote", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore"]),
    (KeepWithNext, &["-isysroot", "-iwithsysroot", "-iframework", "-iframeworkwithsysroot", "-cxx-isystem"]),
    (KeepWithNext, &["-c-isystem", "-stdlib++-isystem", "-ivfsoverlay", "-imultilib", "-arch", "-target"]),
    (KeepWithNext, &["--target", "--sysroot", "--std", "-specs", "--specs", "--config"]),
    (KeepWithNext, &["-working-directory", "--working-directory", "-mthread-model", "--language"]),
    (KeepWithNext, &["--define-macro", "--undefine-macro", "--include", "--imacros", "--prefix"]),
    (KeepWithNext, &["--include-directory", "--include-directory-after", "--include-prefix"]),
];

/// Options that stand here without `-f` or `-fno-`, and decide only about code generation, instrumentation, or files beside
/// the output. Instrumentation adds calls that the programmer did not write; hardening hides calls behind `__strcpy_chk`
/// and zeroes what was never written.
const F_DROPPED: &[&[&str]] = &[
    // Position independence, stack and control-flow protection: nothing that we model.
    &["PIC", "PIE", "pic", "pie", "plt", "semantic-interposition", "direct-access-external-data"],
    &["stack-protector*", "stack-clash-protection", "stack-check*", "stack-limit*", "stack-reuse*"],
    &["split-stack", "cf-protection*", "hardened", "harden-*", "trampolines", "zero-call-used-regs*"],
    &["trivial-auto-var-init*", "omit-frame-pointer", "optimize-sibling-calls"],
    // Sections, alignment, tables.
    &["function-sections", "data-sections", "section-anchors", "unique-section-names", "align-*"],
    &["asynchronous-unwind-tables", "unwind-tables", "force-dwarf-frame", "jump-tables", "ident"],
    &["merge-constants", "zero-initialized-in-bss", "verbose-asm", "dwarf2-cfi-asm", "gnu-unique", "weak"],
    &["min-function-alignment*", "limit-function-alignment", "inhibit-size-directive", "addrsig"],
    // Registers.
    &["fixed-*", "call-used-*", "call-saved-*", "caller-saves", "rename-registers", "ira-*", "lra-*"],
    // Instrumentation and profiles.
    &["sanitize*", "profile*", "cs-profile*", "test-coverage", "coverage*", "auto-profile*"],
    &["branch-probabilities", "instrument-*", "xray*", "pseudo-probe*", "patchable-function-entry*"],
    &["memory-profile*", "condition-coverage", "vtable-verify*", "vtv-*", "mudflap*", "chkp-*"],
    &["check-pointer-bounds", "live-patching*", "debug-info-for-profiling", "split-machine-functions"],
    // Link-time optimization.
    &["lto*", "thinlto*", "fat-lto-objects", "embed-bitcode*", "use-linker-plugin", "whole-program"],
    &["whole-program-vtables", "split-lto-unit", "devirtualize*"],
    // Diagnostics, plugins, and files beside the output.
    &["diagnostics*", "max-errors=*", "error-limit=*", "color-diagnostics", "ansi-escape-codes"],
    &["message-length*", "show-column", "show-source-location", "caret-diagnostics", "elide-type"],
    &["template-backtrace-limit*", "macro-backtrace-limit*", "pretty-templates", "plugin*", "pass-plugin*"],
    &["time-trace*", "time-report*", "stack-usage", "callgraph-info*", "dump*", "opt-info*"],
    &["save-optimization-record*", "mem-report*", "pre-ipa-mem-report", "post-ipa-mem-report", "stats"],
    &["report-bug", "record-gcc-switches", "record-command-line", "random-seed*", "working-directory"],
    &["compare-debug*", "checking*", "dbg-cnt*", "debug-cpp", "crash-diagnostics*", "analyzer*"],
    &["track-macro-expansion*", "canonical-system-headers", "large-source-files", "max-include-depth*"],
    // Precompiled headers and modules of GCC.
    &["pch-deps", "pch-preprocess", "module-mapper*", "module-header*", "module-only", "module-lazy"],
    // Debug information.
    &["var-tracking*", "debug-types-section", "eliminate-unused-debug-*", "eliminate-dwarf2-dups"],
    &["emit-struct-debug*", "emit-class-debug-always", "merge-debug-strings", "standalone-debug"],
    &["limit-debug-info", "debug-macro", "debug-ranges-base-address", "split-dwarf-inlining"],
    // Optimizations, of which many are GCC's alone.
    &["aggressive-loop-optimizations", "allocation-dce", "allow-store-data-races", "auto-inc-dec"],
    &["bit-tests", "branch-count-reg", "branch-target-load-optimize*", "btr-*", "check-data-deps"],
    &["code-hoisting", "combine-stack-adjustments", "compare-elim", "conserve-*", "cprop-registers"],
    &["crossjumping", "cse-*", "dce", "defer-pop", "delayed-branch", "delete-dead-exceptions", "dse"],
    &["early-inlining", "expensive-optimizations", "forward-propagate", "force-addr", "function-cse"],
    &["gcse*", "graphite*", "guess-branch-probability", "hoist-adjacent-loads", "if-conversion*"],
    &["indirect-inlining", "inline", "inline-*", "ipa-*", "isolate-erroneous-paths-*", "ivopts"],
    &["keep-gc-roots-live", "keep-inline-functions", "keep-static-functions", "lifetime-dse*"],
    &["live-range-shrinkage", "loop-*", "modulo-sched*", "move-loop-*", "optimize-register-move"],
    &["optimize-strlen", "partial-inlining", "peel-loops", "peephole*", "predictive-commoning"],
    &["prefetch-loop-arrays", "printf-return-value", "ree", "regmove", "reorder-*", "rerun-*"],
    &["reschedule-modulo-scheduled-loops", "sched*", "sel-sched*", "selective-scheduling*", "shrink-wrap*"],
    &["simd-cost-model*", "slp-vectorize", "split-ivs-in-unroller", "split-loops", "split-paths"],
    &["split-wide-types*", "ssa-*", "stdarg-opt", "store-merging", "strict-volatile-bitfields"],
    &["sync-libcalls", "thread-jumps", "toplevel-reorder", "tracer", "tree-*", "unconstrained-commons"],
    &["unit-at-a-time", "unroll-*", "unsafe-loop-optimizations", "unswitch-loops"],
    &["variable-expansion-in-unroller", "vect-cost-model*", "vectorize", "version-loops-for-strides"],
    &["vpt", "web", "fp-int-builtin-inexact", "rtl-*", "assume-unique-vtables"],
    // Corners of GCC's C and C++ that clang has always, or never.
    &["abi-version*", "abi-compat-version*", "allow-parameterless-variadic-functions", "building-libgcc"],
    &["concepts", "concepts-ts", "concepts-diagnostics-depth*", "cond-mismatch", "constexpr-cache-depth*"],
    &["constexpr-loop-limit*", "constexpr-ops-limit*", "declone-ctor-dtor", "enforce-eh-specs"],
    &["ext-numeric-literals", "extern-tls-init", "implicit-constexpr", "modules-ts"],
    &["new-inheriting-ctors", "new-ttp-matching", "nonansi-builtins", "nothrow-opt", "optional-diags"],
    &["strong-eval-order*", "use-cxa-get-exception-ptr", "visibility-ms-compat", "extended-identifiers"],
];

/// Options that stand here without `-m` or `-mno-`, and decide only about code generation.
const M_DROPPED: &[&[&str]] = &[
    &["tune=*", "cmodel=*", "red-zone", "preferred-stack-boundary=*", "incoming-stack-boundary=*"],
    &["stackrealign", "stack-alignment=*", "stack-probe-size=*", "stack-arg-probe"],
    &["accumulate-outgoing-args", "push-args", "indirect-branch*", "function-return=*", "harden-sls=*"],
    &["skip-rax-setup", "fentry*", "record-mcount", "nop-mcount", "record-return", "instrument-return=*"],
    &["branch-cost=*", "branch-protection=*", "stringop-strategy=*", "memcpy-strategy=*"],
    &["memset-strategy=*", "inline-all-stringops", "inline-stringops-dynamically", "align-stringops"],
    &["omit-leaf-frame-pointer", "vzeroupper", "avx256-split-*", "prefer-avx128", "prefer-vector-width=*"],
    &["move-max=*", "store-max=*", "tls-direct-seg-refs", "tls-dialect=*", "tls-size=*", "retpoline*"],
    &["lvi-*", "speculative-load-hardening", "large-data-threshold*", "fp-ret-in-387", "fancy-math-387"],
    &["recip*", "stv", "cld", "dispatch-scheduler", "dump-tune-features", "print-tune-info"],
    &["verbose-cost-dump", "sched-*", "poke-function-name", "thumb-interwork", "apcs*"],
    &["abort-on-noreturn", "structure-size-boundary=*", "tpcs-*", "single-pic-base", "pic-register=*"],
    &["pic-data-is-text-relative", "word-relocations", "slow-flash-data", "fix-cortex-*", "fix-cmse-*"],
    &["callee-super-interworking", "caller-super-interworking", "neon-for-64bits", "vectorize-with-neon-*"],
    &["asm-syntax-unified", "flip-thumb", "pc32", "pc64", "pc80", "stack-protector-guard*", "needed"],
    &["manual-endbr", "cet-switch", "direct-extern-access", "relax*", "force-drap", "force-indirect-call"],
    &["call-ms2sysv-xlogues", "mitigate-rop", "8bit-idiv", "long-calls", "low-precision-*", "restrict-it"],
    &["save-restore", "outline*", "fix-cortex*", "fdpic", "print-multi*", "android", "bionic", "glibc"],
    &["musl", "uclibc", "128bit-long-double", "fused-madd", "libarch=*"],
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
    (KeepWithNext, &["-internal-externc-isystem", "-target-feature", "-target-cpu", "-target-abi"]),
];

/// What to do with an option of the driver.
pub(crate) fn driver(option: &str) -> Action {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        let families = [("-f", "-fno-", F_DROPPED), ("-m", "-mno-", M_DROPPED)];
        let dropped = families.into_iter().flat_map(|(plain, negated, stems)| {
            [plain, negated].into_iter().flat_map(|start| {
                stems.iter().flat_map(move |row| row.iter().map(move |stem| format!("{start}{stem}")))
            })
        });
        Table::new(patterns(DRIVER).chain(dropped.map(|pattern| (pattern, Drop))))
    });
    TABLE.find(option)
}

/// What to do with an option of clang's inner compiler.
pub(crate) fn front_end(option: &str) -> Action {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(patterns(FRONT_END)));
    TABLE.find(option)
}

fn patterns(rules: &'static [(Action, &[&str])]) -> impl Iterator<Item = (String, Action)> {
    rules.iter().flat_map(|(action, patterns)| patterns.iter().map(|it| (String::from(*it), *action)))
}

/// Rules in a form that is found quickly: databases have hundreds of thousands of options.
struct Table {
    exact: HashMap<String, Action>,
    /// Sorted, without the `*`.
    prefixes: Vec<(String, Action)>,
}

impl Table {
    fn new(patterns: impl Iterator<Item = (String, Action)>) -> Table {
        let (mut exact, mut prefixes) = (HashMap::new(), Vec::new());
        for (pattern, action) in patterns {
            match pattern.strip_suffix('*') {
                Some(prefix) => prefixes.push((prefix.to_owned(), action)),
                None => drop(exact.insert(pattern, action)),
            }
        }
        prefixes.sort_by(|one, other| one.0.cmp(&other.0));
        Table { exact, prefixes }
    }

    fn find(&self, option: &str) -> Action {
        let exact = self.exact.get(option).copied();
        exact.or_else(|| self.longest_prefix(option)).unwrap_or(Keep)
    }

    /// All prefixes of a text that sort before it are prefixes of its predecessor, too, as long as that one is no prefix.
    fn longest_prefix(&self, option: &str) -> Option<Action> {
        let mut text = option.as_bytes();
        loop {
            let after = self.prefixes.partition_point(|(prefix, _)| prefix.as_bytes() <= text);
            let (prefix, action) = &self.prefixes[after.checked_sub(1)?];
            let common = prefix.bytes().zip(text).take_while(|(one, other)| one == *other).count();
            if common == prefix.len() {
                return Some(*action);
            }
            text = &text[..common];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_wins() {
        assert_eq!(driver("-o"), DropWithNext);
        assert_eq!(driver("-ofile"), Drop);
        assert_eq!(driver("-gcc-toolchain"), KeepWithNext);
        assert_eq!(driver("-ggdb3"), Drop);
        assert_eq!(driver("-Wall"), Drop);
        assert_eq!(driver("-Wp,-DX"), Keep);
        assert_eq!(driver("-Wl,-z,now"), Link);
        assert_eq!(driver("-undef"), Keep);
        assert_eq!(driver("-undefined"), LinkWithNext);
        assert_eq!(driver("-fno-tree-vrp"), Drop);
        assert_eq!(driver("-mno-red-zone"), Drop);
        assert_eq!(driver(""), Keep);
        assert_eq!(driver("-"), Keep);
        assert_eq!(driver("-\u{e9}"), Keep);
    }

    #[test]
    fn no_option_has_two_rules() {
        let families = F_DROPPED.iter().flat_map(|row| row.iter()).map(|stem| format!("-f{stem}"));
        let all = patterns(DRIVER).map(|(pattern, _)| pattern).chain(families);
        let mut all: Vec<String> =
            all.chain(M_DROPPED.iter().flat_map(|row| row.iter()).map(|stem| format!("-m{stem}"))).collect();
        all.sort();
        let twice: Vec<&[String]> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
