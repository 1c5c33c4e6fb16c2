//! Words that must not stand in a file: paths of one machine, hosts of a registry, IO in the core,
//! silenced tests and lints.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use super::Problem;
use super::files::SourceFile;

/// First directories of absolute paths that exist on one developer's machine only.
const HOMES: [&str; 4] = ["root", "home", "Users", "work"];

/// Parts of the names of registry hosts, cut in two so that this file may be checked too.
const REGISTRIES: [(&str, &str); 3] = [("artifact", "ory"), ("index.crates", ".io"), ("jf", "rog.io")];

/// What a room of the core must not see (STYLE §4).
const IO: [&str; 5] = ["std::fs", "std::env", "std::process", "std::net", "std::time"];

/// Checks all files; `core` has the names of the rooms without IO.
pub(crate) fn check(files: &[SourceFile], core: &BTreeSet<String>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        let mut report = |line: usize, message: String| {
            let file = file.path.clone();
            problems.push(Problem { file, line: line + 1, message });
        };
        for (index, line) in file.text.lines().enumerate() {
            if let Some(message) = machine_word(line) {
                report(index, message);
            }
        }
        if file.is_rust_source() || file.is_rust_test() {
            for (index, line) in file.text.lines().enumerate() {
                if let Some(message) = silenced(line.trim_start()) {
                    report(index, message.into());
                }
            }
        }
        let in_core = room(&file.path).is_some_and(|room| core.contains(room));
        if in_core && file.is_rust_source() {
            for (index, line) in file.code_lines().enumerate() {
                if let Some(word) = IO.iter().find(|word| line.contains(**word)) {
                    report(index, format!("`{word}` in the core, which does no IO (STYLE §4)"));
                }
            }
        }
    }
    problems
}

/// The crate that a path belongs to.
fn room(path: &Path) -> Option<&str> {
    let mut parts = path.components().map(Component::as_os_str);
    (parts.next()? == "crates").then(|| parts.next()?.to_str()).flatten()
}

fn machine_word(line: &str) -> Option<String> {
    for home in HOMES {
        let path = format!("/{home}/");
        let absolute = |at: usize| {
            !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-*}".contains(before))
        };
        if line.match_indices(&path).any(|(at, _)| absolute(at)) {
            return Some(format!("`{path}` is a path of one machine"));
        }
    }
    REGISTRIES
        .iter()
        .map(|(front, back)| format!("{front}{back}"))
        .find(|host| line.contains(host))
        .map(|host| format!("`{host}` names a registry"))
}

/// `line` has no indentation.
fn silenced(line: &str) -> Option<&'static str> {
    if line.starts_with("#[ignore") {
        return Some("no test is ignored; name it `FN_…` or `FP_…` instead (STYLE §48)");
    }
    let allows = line.starts_with("#[allow(") || line.starts_with("#![allow(");
    let unexplained = allows && !line.contains("reason = ");
    unexplained.then_some("`#[expect(…, reason)]` instead of `#[allow]` (STYLE §57)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), text: text.into() }
    }

    #[track_caller]
    fn check_words(path: &str, text: &str, expected: &[&str]) {
        let core = BTreeSet::from(["ir".to_owned()]);
        let found: Vec<String> = check(&[file(path, text)], &core).iter().map(Problem::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn machine_paths_are_found() {
        let text = format!("see /{}/x.c", "home");
        check_words("README.md", &text, &[&format!("README.md:1: `/{}/` is a path of one machine", "home")]);
        check_words("README.md", "crates/home/x.c", &[]);
    }

    #[test]
    fn registries_are_found() {
        let text = format!("\nhttps://my.{}{}/api", "artifact", "ory");
        check_words("a.toml", &text, &[&format!("a.toml:2: `{}{}` names a registry", "artifact", "ory")]);
    }

    #[test]
    fn the_core_does_no_io() {
        let text = "use std::fmt;\nuse std::fs::File;\n#[cfg(test)]\nuse std::fs;\n";
        let message = "crates/ir/src/lib.rs:2: `std::fs` in the core, which does no IO (STYLE §4)";
        check_words("crates/ir/src/lib.rs", text, &[message]);
        check_words("crates/ir/tests/all.rs", text, &[]);
        check_words("crates/capture/src/lib.rs", text, &[]);
    }

    #[test]
    fn silenced_tests_and_lints_are_found() {
        let ignore =
            "crates/a/tests/a.rs:1: no test is ignored; name it `FN_…` or `FP_…` instead (STYLE §48)";
        check_words("crates/a/tests/a.rs", "#[ignore = \"slow\"]", &[ignore]);
        let allow = "crates/a/src/a.rs:1: `#[expect(…, reason)]` instead of `#[allow]` (STYLE §57)";
        check_words("crates/a/src/a.rs", "    #[allow(dead_code)]", &[allow]);
        check_words("crates/a/src/a.rs", "#[allow(dead_code, reason = \"in a macro\")]", &[]);
        check_words("a.md", "#[allow(dead_code)]", &[]);
    }
}
