//! Which tool a program is, by its name.
//!
//! Names of tools come with a target in front (`arm-none-eabi-gcc`), a version behind (`clang-19`), or both
//! (`aarch64-linux-gnu-g++-12`), and compilers are started through launchers (`ccache gcc`).

use std::path::Path;

/// What a tool of a build does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Compiles and links.
    Compiler(Family),
    /// Links.
    Linker,
    /// Makes static libraries.
    Archiver,
    /// Runs the compiler named after it.
    Launcher,
}

/// Whose compiler it is, as far as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// GCC, or what the system calls `cc`, which on many systems is GCC.
    Gnu,
    /// Clang, or one of the others.
    Other,
}

const GNU: Role = Role::Compiler(Family::Gnu);
const OTHER: Role = Role::Compiler(Family::Other);

/// All tools that matter, without target and version.
const TOOLS: &[(Role, &[&str])] = &[
    (GNU, &["cc", "c++", "gcc", "g++", "c89", "c99"]),
    (OTHER, &["clang", "clang++", "icc", "icpc", "icx", "icpx", "tcc", "pcc", "armclang", "emcc", "em++"]),
    (Role::Archiver, &["ar"]),
    (Role::Linker, &["ld", "ld.bfd", "ld.gold", "ld.lld", "ld64.lld", "ld.mold", "mold", "lld"]),
    (Role::Launcher, &["ccache", "sccache", "distcc", "icecc", "gomacc", "buildcache", "rewrapper"]),
];

/// Threading models that MinGW's compilers carry in their names (`x86_64-w64-mingw32-gcc-posix`).
const THREAD_MODELS: &[&str] = &["-posix", "-win32"];

/// Compilers whose version some systems append without a dash (`gcc12`, `clang++19`). `cc1` is not one of them.
const DASHLESS: &[&str] = &["gcc", "g++", "clang", "clang++"];

/// Processors that clang has code generators for, as they start a target. A name without one of them in front, such as
/// `afl-gcc` or `musl-gcc`, names no target; and for the other processors clang can do nothing.
const PROCESSORS: &[&[&str]] = &[
    &["aarch64", "amdgcn", "arm", "avr", "bpf", "hexagon", "i386", "i486", "i586", "i686", "lanai"],
    &["loongarch32", "loongarch64", "m68k", "mips", "mipsel", "mips64", "mips64el", "mipsisa32r6"],
    &["mipsisa64r6", "msp430", "nvptx", "nvptx64", "powerpc", "ppc", "riscv32", "riscv64", "s390x"],
    &["sparc", "thumb", "ve", "wasm32", "wasm64", "x86_64", "amd64", "xcore"],
];

/// Names of the tools that matter, without target prefix and version suffix.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().flat_map(|(_, names)| names.iter().copied())
}

/// A program of a build, without launchers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    /// As the build names it.
    pub(crate) word: &'a str,
    /// What it does; `None` if it is not a tool that matters.
    pub(crate) role: Option<Role>,
    /// Its arguments.
    pub(crate) args: &'a [String],
}

/// The program that does the work: `ccache gcc -c a.c` is `gcc` with `-c a.c`.
pub(crate) fn identify<'a>(words: &'a [String], extra_compilers: &[String]) -> Option<Program<'a>> {
    let mut words = words;
    loop {
        let (word, args) = words.split_first()?;
        let role = role(word, extra_compilers);
        let launched = args.iter().position(|arg| !arg.starts_with('-') && !arg.contains('='));
        match (role, launched) {
            (Some(Role::Launcher), Some(position)) => words = &args[position..],
            _ => return Some(Program { word, role, args }),
        }
    }
}

/// The name of the compiler in a value of `CC`, if it is not known as one: `./mycc` of `./mycc -m32`.
///
/// Programs that run others (`sh ./mycc`, `env gcc`, `nice gcc`) are none; what they run is seen by itself.
pub fn unknown_compiler(value: &str) -> Option<String> {
    let words: Vec<String> = shlex::split(value)?;
    let name = file_name(identify(&words, &[])?.word);
    let runs_others =
        |name: &str| RUNNERS.contains(&name) || INTERPRETERS.iter().any(|it| name.starts_with(it));
    (role(name, &[]).is_none() && !runs_others(name) && !name.is_empty()).then(|| name.to_owned())
}

/// Programs that run the program in their arguments.
const RUNNERS: [&str; 12] = [
    "env", "nice", "ionice", "time", "timeout", "nohup", "setsid", "stdbuf", "xargs", "sudo", "fakeroot",
    "strace",
];

/// How names of programs start that interpret a file.
const INTERPRETERS: [&str; 8] = ["sh", "bash", "dash", "zsh", "ksh", "busybox", "python", "perl"];

/// Whether a program of that name is known to be a compiler.
pub(crate) fn is_compiler(word: &str) -> bool {
    matches!(role(word, &[]), Some(Role::Compiler(_)))
}

/// Whether a compiler's name says for which machine it compiles.
pub(crate) fn names_target(word: &str) -> bool {
    target(word).is_some_and(|target| !is_host(target))
}

/// Whether a program of that name is a tool that matters.
pub(crate) fn is_tool(name: &str, extra_compilers: &[String]) -> bool {
    role(name, extra_compilers).is_some()
}

/// Whether a program of that name runs compilers and is none.
pub(crate) fn is_launcher(word: &str) -> bool {
    tool_role(file_name(word)) == Some(Role::Launcher)
}

fn role(word: &str, extra_compilers: &[String]) -> Option<Role> {
    let name = file_name(word);
    let known = tool_role(split_name(name).1);
    let is_extra = |extra: &String| extra == word || file_name(extra) == name;
    known.or_else(|| extra_compilers.iter().any(is_extra).then_some(OTHER))
}

fn tool_role(tool: &str) -> Option<Role> {
    TOOLS.iter().find(|(_, names)| names.contains(&tool)).map(|(role, _)| *role)
}

/// Whether the compiler is a GCC by its name. Only its answer to `-v` tells for sure.
pub(crate) fn is_gnu(word: &str) -> bool {
    tool_role(split_name(file_name(word)).1) == Some(GNU)
}

/// `g++`, `clang++-19`, `x86_64-linux-gnu-c++`: drivers that take `.c` files for C++.
pub(crate) fn is_cxx_driver(word: &str) -> bool {
    file_name(word).contains("++")
}

/// The target in front of a compiler's name, if clang knows its processor.
pub(crate) fn target(word: &str) -> Option<&str> {
    let (prefix, tool) = split_name(file_name(word));
    prefix.filter(|prefix| is_known_target(prefix) && matches!(tool_role(tool), Some(Role::Compiler(_))))
}

/// Whether clang knows the processor of a target.
pub(crate) fn is_known_target(target: &str) -> bool {
    let processor = target.split('-').next().unwrap_or(target);
    let versioned = ["arm", "aarch64", "thumb", "powerpc", "sparc", "riscv"];
    PROCESSORS.iter().any(|row| row.contains(&processor))
        || versioned.iter().any(|start| processor.starts_with(start))
}

/// Whether code for a target runs on this machine, so that clang does it without being told.
pub(crate) fn is_host(target: &str) -> bool {
    let mut parts = target.split('-');
    let processor = match parts.next() {
        Some("amd64") => "x86_64",
        Some("arm64") => "aarch64",
        // Hosts with either byte order share the name in Rust.
        Some("powerpc64le") if cfg!(target_endian = "little") => "powerpc64",
        Some(processor) => processor,
        None => return false,
    };
    let rest: Vec<&str> = parts.collect();
    let system = match std::env::consts::OS {
        "linux" => rest.ends_with(&["linux", "gnu"]),
        system => rest.iter().any(|part| part.starts_with(system)),
    };
    processor == std::env::consts::ARCH && system
}

/// What is in front of the tool's own name, and that name: `arm-none-eabi` and `gcc` of `arm-none-eabi-gcc-12`.
fn split_name(name: &str) -> (Option<&str>, &str) {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = without_thread_model(without_version(without_thread_model(name)));
    let (prefix, tool) = match name.rsplit_once('-') {
        Some((prefix, tool)) => (Some(prefix), tool),
        None => (None, name),
    };
    let undated = tool.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    match DASHLESS.contains(&undated) {
        true => (prefix, undated),
        false => (prefix, tool),
    }
}

fn without_thread_model(name: &str) -> &str {
    THREAD_MODELS.iter().find_map(|model| name.strip_suffix(model)).unwrap_or(name)
}

fn without_version(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((rest, version)) if is_version(version) => rest,
        _ => name,
    }
}

fn is_version(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

fn file_name(word: &str) -> &str {
    Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: Option<Role>) {
        assert_eq!(role(word, &[]), expected, "{word}");
    }

    #[test]
    fn tools_are_known_by_their_names() {
        for name in
            ["cc", "/usr/bin/gcc", "g++-12", "c99", "arm-none-eabi-gcc", "aarch64-linux-gnu-g++-12.2.0"]
        {
            check(name, Some(GNU));
        }
        for name in
            ["gcc12", "x86_64-w64-mingw32-gcc-posix", "i686-w64-mingw32-g++-10-win32", "gcc.exe", "afl-gcc"]
        {
            check(name, Some(GNU));
        }
        for name in
            ["clang", "../bin/clang++-19", "clang-19.1", "clang15", "aarch64-linux-android21-clang", "icx"]
        {
            check(name, Some(OTHER));
        }
        for name in ["ar", "gcc-ar", "gcc-ar-12", "llvm-ar-19", "arm-none-eabi-ar", "arm-none-eabi-gcc-ar"] {
            check(name, Some(Role::Archiver));
        }
        for name in ["ld", "ld.bfd", "ld.lld-19", "arm-none-eabi-ld", "arm-linux-gnueabihf-ld.gold"] {
            check(name, Some(Role::Linker));
        }
        for name in ["ccache", "/usr/bin/sccache", "distcc"] {
            check(name, Some(Role::Launcher));
        }
    }

    #[test]
    fn other_programs_are_no_tools() {
        for name in
            ["cc1", "cc1plus", "collect2", "as", "cpp", "clang-cpp-19", "clang-format", "c++filt", "gcc-nm"]
        {
            check(name, None);
        }
        for name in
            ["gcc-ranlib", "clang-tidy-19", "tar", "make", "", "-", "--", "ldd", "/", "gccgo", "12", "-12"]
        {
            check(name, None);
        }
    }

    #[test]
    fn the_user_may_name_more_compilers() {
        let extra = ["my-compiler".to_owned(), "/opt/bin/xcc".to_owned()];
        assert_eq!(role("/usr/bin/my-compiler", &extra), Some(OTHER));
        assert_eq!(role("xcc", &extra), Some(OTHER));
        assert_eq!(role("ld", &["ld".to_owned()]), Some(Role::Linker));
        assert_eq!(role("other", &extra), None);
    }

    #[test]
    fn launchers_are_looked_through() {
        let find = |text: &str| {
            let words: Vec<String> = text.split(' ').map(String::from).collect();
            identify(&words, &[]).map(|program| (program.word.to_owned(), program.args.join(" ")))
        };
        let gcc = Some(("gcc".to_owned(), "-c a.c".to_owned()));
        assert_eq!(find("gcc -c a.c"), gcc);
        assert_eq!(find("ccache gcc -c a.c"), gcc);
        assert_eq!(find("ccache compiler_check=content distcc gcc -c a.c"), gcc);
        assert_eq!(find("/x/rewrapper -cfg=y gcc -c a.c"), gcc);
        assert_eq!(find("ccache --version"), Some(("ccache".into(), "--version".into())));
    }

    #[test]
    fn targets_stand_in_front() {
        assert_eq!(target("/opt/bin/arm-none-eabi-gcc-12"), Some("arm-none-eabi"));
        assert_eq!(target("aarch64-linux-android21-clang++"), Some("aarch64-linux-android21"));
        assert_eq!(target("avr-gcc"), Some("avr"));
        assert_eq!(target("armv7l-unknown-linux-gnueabihf-cc"), Some("armv7l-unknown-linux-gnueabihf"));
        for name in
            ["gcc", "gcc-12", "afl-gcc", "xtensa-esp32-elf-gcc", "arm-none-eabi-ar", "arm-none-eabi-foo"]
        {
            assert_eq!(target(name), None, "{name}");
        }
    }

    #[test]
    fn the_own_machine_is_no_target() {
        let own = format!("{}-linux-gnu", std::env::consts::ARCH);
        assert_eq!(is_host(&own), cfg!(target_os = "linux"));
        assert!(
            !is_host("mips-linux-gnu") && !is_host("x86_64-linux-musl") && !is_host("x86_64-w64-mingw32")
        );
        assert!(!is_host("") && !is_host("arm-none-eabi"));
    }
}
