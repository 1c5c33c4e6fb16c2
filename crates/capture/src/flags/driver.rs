//! The options of the driver that are of no family.

use super::rules::Action::{
    Drop, DropWithNext, Keep, KeepWithNext, Link, LinkWithNext, Refuse, RefuseWithNext,
};
use super::rules::Row;

/// Options of the driver.
pub(super) const DRIVER: &[Row] = &[
    (Keep, "macros", "-D* -U* --define-macro=* --undefine-macro=* -undef -A*"),
    (KeepWithNext, "macros", "-D -U -A --define-macro --undefine-macro"),
    (
        Keep,
        "where headers are looked for",
        "-I* -F* -iquote* -isystem* -isystem-after* -idirafter* -iprefix* -iwithprefix* -iwithprefixbefore* \
         -isysroot* -iwithsysroot* -iframework* -iframeworkwithsysroot* -cxx-isystem* -c-isystem* \
         -stdlib++-isystem* --include-barrier --include-directory=* --include-directory-after=* --include-prefix=* \
         --include-with-prefix=* --include-with-prefix-after=* --include-with-prefix-before=* --sysroot=* \
         -nostdinc -nostdinc++ -nostdlibinc -nobuiltininc -ibuiltininc --embed-dir=* --system-header-prefix=* \
         --no-system-header-prefix=*",
    ),
    (
        KeepWithNext,
        "where headers are looked for",
        "-I -F -iquote -isystem -isystem-after -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot \
         -iwithsysroot -iframework -iframeworkwithsysroot -cxx-isystem -c-isystem -stdlib++-isystem -imultilib \
         --include-directory --include-directory-after --include-prefix --sysroot -working-directory \
         --working-directory",
    ),
    (Keep, "where headers are looked for", "-working-directory=* --working-directory=*"),
    (Keep, "what is included by option", "-include* --include=* -imacros* --imacros=*"),
    (KeepWithNext, "what is included by option", "-include --include -imacros --imacros -ivfsoverlay"),
    (
        Keep,
        "which C++ library there is",
        "-stdlib=* --stdlib=* --gcc-toolchain=* --gcc-install-dir=* --gcc-triple=*",
    ),
    (KeepWithNext, "which C++ library there is", "-gcc-toolchain"),
    (Keep, "the language", "-std=* --std=* -ansi --ansi -trigraphs --trigraphs"),
    (KeepWithNext, "the language", "--std -x --language"),
    (Keep, "the language", "-x* --language=*"),
    (Keep, "the machine that the program is for", "--target=* -pthread -no-pthread -EB -EL"),
    (KeepWithNext, "the machine that the program is for", "-target --target -arch -mthread-model"),
    (Keep, "GCC's search for headers depends on it, and clang passes over it", "-specs=* --specs=*"),
    (KeepWithNext, "GCC's search for headers depends on it, and clang passes over it", "-specs --specs"),
    (Keep, "these words are unpacked, and each of them judged (see `clean`)", "-Wp,* -Xclang=*"),
    (
        KeepWithNext,
        "these words are unpacked, and each of them judged (see `clean`)",
        "-Xpreprocessor -Xclang",
    ),
    (
        Drop,
        "what to produce: always bitcode to our pipe",
        "-c --compile -S --assemble -E --preprocess -fsyntax-only -emit-* --analyze -### -v --verbose -pipe --pipe -P \
         -C -CC --comments --comments-in-macros -dM -dD -dI -dN -dU -Qn -Qy -pass-exit-codes --pass-exit-codes \
         -no-integrated-cpp -no-sysroot-suffix -H --precompile -print-* --print-* --version --help --help-hidden \
         -help -dumpmachine -dumpversion -dumpfullversion -time -canonical-prefixes -no-canonical-prefixes \
         -Qunused-arguments --start-no-unused-arguments --end-no-unused-arguments -R*",
    ),
    (Drop, "where to put it: clang writes to our pipe alone", "-o* --output=* -aux-info=* --output-pch=*"),
    (
        DropWithNext,
        "where to put it: clang writes to our pipe alone",
        "-o --output -dumpbase -dumpbase-ext -dumpdir -auxbase -aux-info",
    ),
    (
        Drop,
        "lists of dependencies: we ask for our own",
        "-M* --write-dependencies --write-user-dependencies --dependencies --user-dependencies \
         --print-missing-file-dependencies",
    ),
    (
        DropWithNext,
        "lists of dependencies: we ask for our own",
        "-MF -MT -MQ -MJ -dependency-file -dependency-dot",
    ),
    (
        Drop,
        "warnings: all are off, those that are errors by default included",
        "-W* -w --warn-* --extra-warnings --all-warnings --no-warnings -pedantic --pedantic -pedantic-errors \
         --pedantic-errors --no-pedantic -no-pedantic --warning-suppression-mappings=*",
    ),
    (
        Drop,
        "optimization, debug information and profiles are chosen by us",
        "-O* --optimize* -g* --debug* --profile -p -pg --coverage -coverage",
    ),
    (DropWithNext, "mapped paths would hide the sources from the excerpts", "-fdebug-compilation-dir"),
    (
        Drop,
        "mapped paths would hide the sources from the excerpts",
        "-fdebug-compilation-dir=* -ffile-compilation-dir=* -fcoverage-compilation-dir=* -fdebug-prefix-map=* \
         -ffile-prefix-map=* -fmacro-prefix-map=*",
    ),
    (Drop, "files beside the output", "-save-temps* --save-temps* -via-file-asm --via-file-asm"),
    (
        DropWithNext,
        "files beside the output",
        "-index-store-path -index-unit-output-path -serialize-diagnostics --serialize-diagnostics \
         --serialize-diagnostics-file -dsym-dir",
    ),
    (
        LinkWithNext,
        "linking",
        "-l -L -Xlinker -z -T -u -e -rpath -framework -filelist -install_name -compatibility_version \
         -current_version -undefined -exported_symbols_list -weak_framework -force_load -bundle_loader --for-linker \
         --entry --force-link --library-directory",
    ),
    (
        Link,
        "linking",
        "-l* -L* -Wl,* -T* -u* -e* -z* -shared --shared -static* --static* -rdynamic -s --strip-all -r -pie --pie \
         -no-pie --no-pie -nopie -dynamiclib -bundle -dynamic -symbolic -all_load -headerpad_max_install_names \
         -fuse-ld=* --ld-path=* -nostdlib -nostdlib++ --no-standard-libraries -nodefaultlibs -nolibc -nostartfiles \
         -shared-libgcc -shared-libsan -no-undefined --entry=* --force-link=* --library-directory=* --for-linker=* \
         -rtlib=* --rtlib=* --unwindlib=*",
    ),
    (DropWithNext, "assembling", "-Xassembler --for-assembler -Xclangas"),
    (Drop, "assembling", "-Wa,* --for-assembler=* -Xclangas=*"),
    (
        Drop,
        "parts of another compiler: internal headers, tuning, old ways",
        "-iplugindir=* --param=* -plugin-arg-* -posix -mno-cygwin -traditional --traditional -traditional-cpp \
         --traditional-cpp -enable-trivial-auto-var-init-zero* -fno-for-scope",
    ),
    (DropWithNext, "parts of another compiler: internal headers, tuning, old ways", "--param -imultiarch -G"),
    (DropWithNext, "precompiled headers: they belong to another compiler", "-include-pch"),
    (DropWithNext, "options of clang's own analyzer", "-Xanalyzer --analyzer-output"),
    (
        Refuse,
        "names a file of options that nobody has judged",
        "--config=* --config-system-dir=* --config-user-dir=* --no-default-config --driver-mode=* --rsp-quoting=* \
         --multi-lib-config=*",
    ),
    (RefuseWithNext, "names a file of options that nobody has judged", "--config"),
    (
        Refuse,
        "names a directory with programs, or another program for a part of the work",
        "-B* --prefix=* -resource-dir=* -ccc-* -wrapper=* --ptxas-path=* --offload-arch-tool=* --amdgpu-arch-tool=* \
         --nvptx-arch-tool=*",
    ),
    (
        RefuseWithNext,
        "names a directory with programs, or another program for a part of the work",
        "-B --prefix -resource-dir -wrapper -ccc-gcc-name -ccc-install-dir",
    ),
    (RefuseWithNext, "switches inside of LLVM, which know plugins and output files", "-mllvm -mmlir -load"),
    (
        RefuseWithNext,
        "for one of several machines at once",
        "-Xarch_host -Xarch_device -Xopenmp-target -Xcuda-fatbinary -Xcuda-ptxas -Xoffload-linker",
    ),
    (RefuseWithNext, "for one of several machines at once", "-Xarch_*"),
    (
        Refuse,
        "for one of several machines at once",
        "-Xopenmp-target=* --offload* --no-offload* --cuda-* --no-cuda-* --hip-* --rocm-* --gpu-*",
    ),
    (
        Refuse,
        "rewrites sources, or writes records and statistics",
        "-fixit* --migrate --save-stats* -save-stats* -rewrite-* -arcmt-* -objcmt-* -verify* --verify-debug-info",
    ),
    (
        RefuseWithNext,
        "rewrites sources, or writes records and statistics",
        "-arcmt-migrate-report-output -ccc-arcmt-migrate -ccc-objcmt-migrate -module-dependency-dir",
    ),
];
