//! Patterns of paths: `*` and `?` inside of a name, `**` for any number of directories.

use std::collections::{BTreeMap, BTreeSet};

/// Patterns, of which there may be many: a path is compared with those that name one of its directories or
/// its file, and with those that name nothing.
#[derive(Debug, Default)]
pub(super) struct Globs {
    /// By the last part without wildcards, which every path has that the pattern means.
    by_name: BTreeMap<String, Vec<Glob>>,
    /// Those without such a part.
    nameless: Vec<Glob>,
}

impl Globs {
    /// Whether the path, or a directory that it is in, is meant by one of them.
    pub(super) fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        let named = distinct.into_iter().filter_map(|name| self.by_name.get(name)).flatten();
        named.chain(&self.nameless).any(|glob| matches_path(&glob.parts, &names))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty() && self.nameless.is_empty()
    }
}

impl FromIterator<Glob> for Globs {
    fn from_iter<I: IntoIterator<Item = Glob>>(globs: I) -> Globs {
        let mut all = Globs::default();
        for glob in globs.into_iter().filter(|glob| !glob.parts.is_empty()).collect::<BTreeSet<_>>() {
            match glob.parts.iter().rev().find(|part| !part.contains(['*', '?'])) {
                Some(name) => all.by_name.entry(name.clone()).or_default().push(glob),
                None => all.nameless.push(glob),
            }
        }
        all
    }
}

/// A pattern such as `third_party/**` or `src/*_generated.c`. One that names a directory means all that is in
/// it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Glob {
    parts: Vec<String>,
}

impl Glob {
    pub(super) fn new(pattern: &str) -> Glob {
        let parts = pattern.split('/').filter(|part| !part.is_empty() && *part != ".");
        Glob { parts: parts.map(str::to_owned).collect() }
    }
}

/// Goes back to the last `**` only: what comes before it need not match elsewhere, since it can stand for all
/// the rest.
fn matches_path(parts: &[String], names: &[&str]) -> bool {
    let (mut part, mut name) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    loop {
        match (parts.get(part), names.get(name)) {
            // What is left of the path is below what the pattern names.
            (None, _) => return true,
            (Some(it), _) if it == "**" => {
                // At the end it stands for everything below, not for the directory itself.
                if part + 1 == parts.len() {
                    return name < names.len();
                }
                part += 1;
                last = Some((part, name));
            }
            (Some(it), Some(found)) if matches_name(it.as_bytes(), found.as_bytes()) => {
                (part, name) = (part + 1, name + 1);
            }
            _ => match last {
                Some((behind, from)) if from < names.len() => {
                    last = Some((behind, from + 1));
                    (part, name) = (behind, from + 1);
                }
                _ => return false,
            },
        }
    }
}

/// The same for letters, and `*`.
fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut part, mut letter) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(part), name.get(letter)) {
            (None, None) => return true,
            (Some(b'*'), _) => {
                part += 1;
                last = Some((part, letter));
            }
            (Some(it), Some(found)) if it == found || *it == b'?' => (part, letter) = (part + 1, letter + 1),
            _ => match last {
                Some((behind, from)) if from < name.len() => {
                    last = Some((behind, from + 1));
                    (part, letter) = (behind, from + 1);
                }
                _ => return false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let glob: Globs = [Glob::new(pattern)].into_iter().collect();
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
        check("**/a/**/b.c", &["a/b.c", "x/a/y/a/z/b.c"], &["b.c", "x/b.c", "a/c.c"]);
        check("**/a/**", &["a/x", "a/b/a"], &["a", "x/a"]);
        check("*a*b*", &["xaybz", "ab"], &["ba", "a"]);
    }

    #[test]
    fn a_path_is_compared_with_the_patterns_that_name_a_part_of_it() {
        let globs: Globs = (0..100_000).map(|n| Glob::new(&format!("third_party/lib{n}/**"))).collect();
        assert!((0..10_000).all(|n| globs.matches(&format!("third_party/lib{n}/src/a.c"))));
        assert!((0..10_000).all(|n| !globs.matches(&format!("third_party/own{n}/src/a.c"))));
    }

    #[test]
    fn no_pattern_takes_for_ever() {
        check(&"*a".repeat(30), &[], &[&"a".repeat(29)]);
        check(&format!("{}x", "**/a/".repeat(30)), &[], &[&"a/".repeat(60)]);
    }
}
