//! Patterns of paths: `*` and `?` inside of a name, `**` for any number of directories.

/// A pattern such as `third_party/**` or `src/*_generated.c`. One that names a directory means all that is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    parts: Vec<String>,
}

impl Glob {
    pub(super) fn new(pattern: &str) -> Glob {
        let parts = pattern.split('/').filter(|part| !part.is_empty() && *part != ".");
        Glob { parts: parts.map(str::to_owned).collect() }
    }

    /// Whether the path, or a directory that it is in, is meant.
    pub(super) fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        !self.parts.is_empty() && matches_path(&self.parts, &names)
    }
}

fn matches_path(parts: &[String], names: &[&str]) -> bool {
    match (parts, names) {
        // What is left of the path is below what the pattern names.
        ([], _) => true,
        ([part, rest @ ..], _) if part == "**" => {
            // At the end it stands for everything below, not for the directory itself.
            let skipped = if rest.is_empty() { 1.. } else { 0.. };
            skipped.take_while(|&at| at <= names.len()).any(|at| matches_path(rest, &names[at..]))
        }
        ([part, rest @ ..], [name, names @ ..]) => {
            matches_name(part.as_bytes(), name.as_bytes()) && matches_path(rest, names)
        }
        _ => false,
    }
}

fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|at| matches_name(rest, &name[at..])),
        ([b'?', rest @ ..], [_, name @ ..]) => matches_name(rest, name),
        ([first, rest @ ..], [byte, name @ ..]) => first == byte && matches_name(rest, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let glob = Glob::new(pattern);
        for path in matching {
            assert!(glob.matches(path), "{pattern} should match {path}");
        }
        for path in others {
            assert!(!glob.matches(path), "{pattern} should not match {path}");
        }
    }

    #[test]
    fn patterns_name_files_and_directories() {
        check(
            "third_party/**",
            &["third_party/a.c", "third_party/x/y.c"],
            &["third_party", "src/third_party/a.c"],
        );
        check("third_party", &["third_party/a.c", "third_party/x/y.c"], &["third_party2/a.c"]);
        check("third_party/", &["third_party/a.c"], &["a.c"]);
        check("**/gen/*.c", &["gen/a.c", "x/y/gen/a.c"], &["gen/x/a.c", "gen/a.h"]);
        check("src/*_gen?.c", &["src/a_gen1.c", "src/_genx.c"], &["src/a_gen.c", "src/x/a_gen1.c"]);
        check("./a.c", &["a.c"], &["b/a.c"]);
        check("", &[], &["a.c"]);
    }
}
