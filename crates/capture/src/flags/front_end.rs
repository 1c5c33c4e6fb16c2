//! What `-Xclang` hands to clang's inner compiler. Beside these rows, it may be told what the driver may be
//! told by `-f`.

use super::rules::Action::{Drop, DropWithNext, Keep, KeepWithNext, Refuse, RefuseWithNext};
use super::rules::Row;

/// Options of clang's inner compiler.
pub(super) const FRONT_END: &[Row] = &[
    (KeepWithNext, "macros", "-D -U"),
    (Keep, "macros", "-D* -U* -undef"),
    (
        KeepWithNext,
        "where headers are looked for",
        "-I -isystem -iquote -idirafter -internal-isystem -internal-externc-isystem -cxx-isystem -c-isystem",
    ),
    (Keep, "where headers are looked for", "-I* -nostdsysteminc -nobuiltininc -nostdinc++"),
    (KeepWithNext, "what is included by option", "-include -imacros"),
    (
        KeepWithNext,
        "the processor, and the binary interface",
        "-target-feature -target-cpu -target-abi -tune-cpu -mfloat-abi",
    ),
    (
        Keep,
        "dialects of C and C++",
        "-std=* -fallow-half-arguments-and-returns -fnative-half-type -fnative-half-arguments-and-returns \
         -fwchar-type=* -fsigned-wchar -fno-signed-wchar -fconst-strings -fsized-deallocation -fexperimental-* \
         -fno-experimental-* -ftrigraphs -fsetjmp-exceptions -fcxx-abi=* -mlong-double-80 -mlong-double-128",
    ),
    (
        Drop,
        "what to produce, optimization, instrumentation and debug information are chosen by us",
        "-emit-* -E -S -fsyntax-only -O* -disable-* -no-opaque-pointers -opaque-pointers -debug-info-kind=* \
         -dwarf-version=* -fprofile* -fsanitize* -ftrivial-auto-var-init* -enable-trivial-auto-var-init-zero* \
         -fno-pch-timestamp -fdebug-prefix-map=* -W* -w -v -main-file-name=* -fmerge-functions \
         -dumpcoverage -vectorize-loops -vectorize-slp -mrelocation-model=* -discard-value-names",
    ),
    (
        DropWithNext,
        "what to produce, and where, is chosen by us",
        "-fdebug-compilation-dir -main-file-name -o -mrelocation-model -pic-level -mdebug-pass -dependency-file -MT",
    ),
    (DropWithNext, "precompiled headers: they belong to another compiler", "-include-pch"),
    (Drop, "options of clang's own analyzer", "-analyze* -analyzer-*"),
    (RefuseWithNext, "runs code of the project inside of the compiler", "-load -add-plugin -plugin"),
    (Refuse, "runs code of the project inside of the compiler", "-plugin-arg-* -fpass-plugin=* -fplugin=*"),
    (RefuseWithNext, "switches inside of LLVM, which know plugins and output files", "-mllvm -mmlir"),
];
