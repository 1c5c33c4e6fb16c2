//! Programs that only ask the compiler a question while a build is configured.
//!
//! They are no part of what is built. Each rule is the name of a file or directory that one configure system
//! gives to its questions and that nobody gives to a source.

use std::path::{Component, Path};

use super::Compilation;

/// Directories of questions.
const DIRECTORIES: &[&[&str]] = &[
    // CMake: try_compile, and the identification of the compiler.
    &["CMakeScratch", "CMakeTmp", "CompilerIdC", "CompilerIdCXX", "_CMakeLTOTest-C", "_CMakeLTOTest-CXX"],
    &["ShowIncludes"],
    // Meson.
    &["meson-private"],
    // SCons, qmake, QEMU.
    &[".sconf_temp", "config.tests", "config-temp"],
];

/// Beginnings of directories of questions: waf, FFmpeg, libvpx.
const DIRECTORY_STARTS: &[&str] = &[".conf_check_", "ffconf.", "vpx-conf-"];

/// Files with questions, without extension.
const FILES: &[&[&str]] = &[
    // Autoconf.
    &["conftstm", "conftes1", "conftes2"],
    // CMake, where a question is compiled from the directory of its modules.
    &["CMakeCCompilerABI", "CMakeCXXCompilerABI", "CMakeCCompilerId", "CMakeCXXCompilerId"],
    &["CheckFunctionExists", "CheckSymbolExists", "CheckIncludeFile", "CheckVariableExists"],
    &["CheckPrototypeDefinition", "CheckTypeSize", "testCCompiler", "testCXXCompiler", "CheckForPthreads"],
    // Meson, Python's distutils, QEMU.
    &["sanitycheckc", "sanitycheckcpp", "_configtest", "qemu-conf"],
];

/// Whether a compilation only asked a question.
pub fn is_probe(compilation: &Compilation) -> bool {
    let path = compilation.dir.join(&compilation.file);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    FILES.iter().any(|row| row.contains(&stem))
        // Autoconf `conftest.c`, SCons `conftest_3_1.c`; zlib `ztest1234.c`, by process id.
        || stem == "conftest"
        || is_numbered(stem, "conftest")
        || stem.strip_prefix("ztest").is_some_and(|number| number.len() > 2 && is_numbered(stem, "ztest"))
        // mklove, which configures librdkafka: `_mkltmpX3kP9a.c`.
        || stem.starts_with("_mkltmp")
        || is_question_in(&path, stem)
        || in_directory(&path)
        || in_directory(&compilation.output)
}

/// Names that are ordinary elsewhere.
fn is_question_in(path: &Path, stem: &str) -> bool {
    let parent = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("");
    match stem {
        // Meson, in a directory of Python's `tempfile`.
        "testfile" => parent.starts_with("tmp"),
        // `config.guess`, in a directory of `mktemp`.
        "dummy" => parent.starts_with("cg"),
        // Perl's Configure, and nginx's.
        "try" => parent == "UU",
        "autotest" => parent == "objs",
        // Rust's crate `cc`, somewhere in the directory for the output of a build script.
        "flag_check" => path.components().any(|it| it.as_os_str() == "out"),
        _ => false,
    }
}

fn is_numbered(stem: &str, start: &str) -> bool {
    let number = stem.strip_prefix(start).unwrap_or("");
    !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit() || letter == '_')
}

fn in_directory(path: &Path) -> bool {
    path.parent().is_some_and(|dir| {
        dir.components().any(|component| match component {
            Component::Normal(name) => name.to_str().is_some_and(|name| {
                DIRECTORIES.iter().any(|row| row.contains(&name))
                    || DIRECTORY_STARTS.iter().any(|start| name.starts_with(start))
            }),
            _ => false,
        })
    })
}
