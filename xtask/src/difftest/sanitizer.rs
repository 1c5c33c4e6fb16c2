//! What clang's sanitizers say of a program: the kind and line of its error, in our words.

use std::path::Path;

use anyhow::{Result, bail};

use super::errors::Expected;
use super::native::{Native, Status};

/// What clean programs are run with.
pub(crate) const ALL: &str = "all";

/// The flags that switch a sanitizer on.
pub(crate) fn flags(tool: &str) -> Result<Vec<String>> {
    let flags: &[&str] = match tool {
        "address" => &["-fsanitize=address", "-fsanitize-address-use-after-return=always"],
        "leak" => &["-fsanitize=address"],
        "undefined" => &["-fsanitize=null,integer-divide-by-zero", "-fno-sanitize-recover=all"],
        "memory" => &["-fsanitize=memory", "-fsanitize-memory-track-origins"],
        "assert" => &[],
        ALL => &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        _ => bail!("the sanitizer `{tool}` is not known"),
    };
    let common = ["-O0", "-fno-omit-frame-pointer"];
    Ok(common.iter().chain(flags).map(|&flag| flag.to_owned()).collect())
}

/// The options of a sanitizer's run time.
pub(crate) fn environment(tool: &str) -> Vec<(&'static str, &'static str)> {
    let mut environment = vec![("ASAN_SYMBOLIZER_PATH", SYMBOLIZER), ("MSAN_SYMBOLIZER_PATH", SYMBOLIZER)];
    match tool {
        "address" => environment.push(("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1")),
        // Stale copies of pointers on the stack would hide leaks.
        "leak" | ALL => {
            environment.push(("ASAN_OPTIONS", "detect_leaks=1"));
            environment.push(("LSAN_OPTIONS", "use_stacks=0:use_registers=0"));
        }
        _ => {}
    }
    environment
}

/// Names of functions and lines in reports come from this program.
const SYMBOLIZER: &str = "/usr/bin/llvm-symbolizer-19";

/// How the sanitizer's report differs from what the program says of itself, if it does.
pub(crate) fn differs(
    tool: &str,
    native: &Native,
    expected: Option<&Expected>,
    file: &Path,
) -> Option<String> {
    let report = String::from_utf8_lossy(&native.stderr);
    let found = found(tool, &report, file);
    match (expected, found) {
        (None, None) if native.status == Status::Exited(0) => None,
        (Some(expected), Some(found)) if *expected == found => None,
        (_, Some(found)) => {
            Some(format!("the sanitizer `{tool}` reports {} in line {}", found.kind, found.line))
        }
        (_, None) => Some(format!(
            "the sanitizer `{tool}` reports nothing; the program ended with {:?}",
            native.status
        )),
    }
}

fn found(tool: &str, report: &str, file: &Path) -> Option<Expected> {
    let name = file.file_name()?.to_str()?;
    let kind = kind(report)?;
    // A message that names its place itself, or the innermost frame of the first stack that lies in the program.
    let place = match tool {
        "undefined" => report.lines().find(|line| line.contains("runtime error:")),
        "assert" => report.lines().find(|line| line.contains("Assertion")),
        _ => report.lines().find(|line| line.trim_start().starts_with('#') && line.contains(name)),
    };
    let (_, rest) = place?.split_once(&format!("{name}:"))?;
    let line = rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    Some(Expected { kind: kind.to_owned(), line })
}

/// The words of reports, with our kinds. The first that occurs decides.
const KINDS: &[(&str, &str)] = &[
    ("heap-use-after-free", "use-after-free"),
    ("attempting double-free", "double-free"),
    ("attempting free on address which was not malloc()-ed", "invalid-free"),
    ("alloc-dealloc-mismatch", "invalid-free"),
    ("bad-free", "invalid-free"),
    ("stack-use-after-scope", "use-after-scope"),
    ("stack-use-after-return", "use-after-scope"),
    ("heap-buffer-overflow", "out-of-bounds"),
    ("stack-buffer-overflow", "out-of-bounds"),
    ("stack-buffer-underflow", "out-of-bounds"),
    ("dynamic-stack-buffer-overflow", "out-of-bounds"),
    ("global-buffer-overflow", "out-of-bounds"),
    ("LeakSanitizer: detected memory leaks", "memory-leak"),
    ("use-of-uninitialized-value", "uninit-read"),
    ("division by zero", "div-by-zero"),
    ("null pointer", "null-deref"),
    ("SEGV on unknown address 0x0000000000", "null-deref"),
    ("Assertion", "assert-failure"),
    ("index ", "out-of-bounds"),
];

fn kind(report: &str) -> Option<&'static str> {
    let (_, kind) = KINDS.iter().find(|(words, _)| report.contains(words))?;
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_understood() {
        let report = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n\
                      READ of size 4\n    #0 0x5 in f /a/x.c:7:3\n    #1 0x6 in main /a/x.c:12:1\n";
        let expected = Expected { kind: "use-after-free".to_owned(), line: 7 };
        assert_eq!(found("address", report, Path::new("x.c")), Some(expected));
        let report = "x.c:5:9: runtime error: division by zero\n";
        let expected = Expected { kind: "div-by-zero".to_owned(), line: 5 };
        assert_eq!(found("undefined", report, Path::new("x.c")), Some(expected));
        assert_eq!(found("address", "all is well\n", Path::new("x.c")), None);
    }
}
