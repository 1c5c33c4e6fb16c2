//! Budgets that do not stand in `base::limits`, where each has its reason (STYLE §17).
//!
//! A constant number whose name says that something has a limit is one. What a format, a standard or a
//! library fixes is none, and has a name that says what it is (`WIDEST_INT`).
//! Not covered: the rooms that only test, and `xtask`; what they take no user waits for.

use super::Problem;
use super::files::SourceFile;

/// Words in the names of limits.
const LIMITING: [&str; 17] = [
    "MAX",
    "LIMIT",
    "BUDGET",
    "DEPTH",
    "STEPS",
    "ROUNDS",
    "TOLD",
    "ASKED",
    "TRIED",
    "COMPARED",
    "NESTING",
    "TIMEOUT",
    "ATTEMPTS",
    "CANDIDATES",
    "COMPARISONS",
    "CONFLICTS",
    "QUERIES",
];

/// Types of limits.
const NUMBERS: [&str; 8] = ["usize", "u8", "u16", "u32", "u64", "i32", "i64", "Duration"];

/// Rooms that only test.
const TESTING: [&str; 2] = ["crates/testkit", "crates/theorem"];

pub(crate) fn check(files: &[SourceFile]) -> Vec<Problem> {
    let product = files.iter().filter(|file| file.is_rust_source() && is_product(file));
    product.flat_map(strays).collect()
}

fn is_product(file: &SourceFile) -> bool {
    let is_home = file.path.ends_with("base/src/limits.rs");
    file.path.starts_with("crates") && !is_home && !TESTING.iter().any(|room| file.path.starts_with(room))
}

fn strays(file: &SourceFile) -> impl Iterator<Item = Problem> {
    let found = file.code_lines().enumerate().filter_map(|(at, line)| Some((at, limit(line)?)));
    found.map(|(at, name)| Problem {
        file: file.path.clone(),
        line: at + 1,
        message: format!("`{name}` is a limit: it belongs into base/src/limits.rs, with its reason"),
    })
}

/// The name of the limit that a line defines.
fn limit(line: &str) -> Option<&str> {
    let (_, definition) = line.split_once("const ")?;
    let (name, rest) = definition.split_once(": ")?;
    let (number, value) = rest.split_once(" = ")?;
    let is_number = NUMBERS.contains(&number) && !value.starts_with("limits::");
    (is_number && name.split('_').any(|word| LIMITING.contains(&word))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_limits(path: &str, text: &str, expected: &[&str]) {
        let file = SourceFile { path: path.into(), text: text.into() };
        let found: Vec<String> = check(&[file]).iter().map(Problem::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn strays_are_found() {
        let stray = "crates/a/src/b.rs:2: `MAX_CELLS` is a limit: it belongs into base/src/limits.rs, with its reason";
        check_limits("crates/a/src/b.rs", "\n    pub(crate) const MAX_CELLS: usize = 4;", &[stray]);
        check_limits("crates/base/src/limits.rs", "pub const MAX_CELLS: usize = 4;", &[]);
        check_limits("crates/theorem/src/b.rs", "const MAX_CELLS: usize = 4;", &[]);
    }

    #[test]
    fn what_is_no_limit_is_none() {
        check_limits("crates/a/src/b.rs", "const WIDEST: u32 = 128;\nconst MAXIMS: [&str; 0] = [];", &[]);
        check_limits("crates/a/src/b.rs", "const DEPTH: u32 = limits::A_DEPTH;", &[]);
    }
}
