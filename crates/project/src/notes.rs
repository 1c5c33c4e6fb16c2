//! What the user should know about how files were put together.

use std::fmt;

/// Something that was not obvious when files were put together. In the order in which notes are told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// Several files define a symbol, and the build does not say which definition is meant.
    Ambiguous {
        /// The symbol.
        symbol: String,
        /// The files that define it.
        files: Vec<String>,
        /// The files that use it.
        users: Vec<String>,
    },
    /// Several programs contain a file, and mean different definitions by a symbol that it uses.
    DependsOnProgram {
        /// The symbol.
        symbol: String,
        /// The files that define it.
        files: Vec<String>,
        /// The files that use it.
        users: Vec<String>,
    },
    /// A program has several definitions of a symbol that only one may have.
    DefinedTwice {
        /// The symbol.
        symbol: String,
        /// The programs.
        programs: Vec<String>,
        /// The files that define it; the first one's definition is taken.
        files: Vec<String>,
    },
    /// An inline function is not the same in all files.
    Differs {
        /// The function.
        symbol: String,
        /// A file for each variant.
        files: Vec<String>,
    },
}

/// Names that a note lists before it counts the rest.
const LISTED: usize = 3;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Ambiguous { symbol, files, users } => write!(
                f,
                "`{symbol}` is defined in {}; the build does not say which one is used by {}: capture it with its link commands, or all are considered",
                List(files),
                List(users)
            ),
            Note::DependsOnProgram { symbol, files, users } => write!(
                f,
                "`{symbol}` is defined in {}; which one is used by {} depends on the program",
                List(files),
                List(users)
            ),
            Note::DefinedTwice { symbol, programs, files } => write!(
                f,
                "`{symbol}` is defined in {}, all of which are linked into {}; the first one is taken",
                List(files),
                List(programs)
            ),
            Note::Differs { symbol, files } => write!(
                f,
                "the inline function `{symbol}` differs between {}: by different macros, or against the one-definition rule",
                List(files)
            ),
        }
    }
}

/// `a.c, b.c and c.c`, or `a.c, b.c, c.c and 4 more`.
struct List<'n>(&'n [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = if self.0.len() > LISTED + 1 { LISTED } else { self.0.len() };
        for (position, name) in self.0[..shown].iter().enumerate() {
            let is_last = position + 1 == self.0.len();
            f.write_str(match position {
                0 => "",
                _ if is_last => " and ",
                _ => ", ",
            })?;
            f.write_str(name)?;
        }
        match self.0.len() - shown {
            0 => Ok(()),
            rest => write!(f, " and {rest} more"),
        }
    }
}

/// The first notes of each kind as text, and how many more there are.
pub fn shown(notes: &[Note], per_kind: usize) -> Vec<String> {
    let same_kind = |a: &Note, b: &Note| std::mem::discriminant(a) == std::mem::discriminant(b);
    let mut lines = Vec::new();
    for kind in notes.chunk_by(same_kind) {
        lines.extend(kind.iter().take(per_kind).map(ToString::to_string));
        if let rest @ 1.. = kind.len().saturating_sub(per_kind) {
            let (things, what) = match (&kind[0], rest) {
                (Note::Differs { .. }, 1) => ("inline function", "differs between files"),
                (Note::Differs { .. }, _) => ("inline functions", "differ between files"),
                (Note::Ambiguous { .. }, 1) => {
                    ("symbol", "is defined in several files, and the build does not say which one is used")
                }
                (Note::Ambiguous { .. }, _) => {
                    ("symbols", "are defined in several files, and the build does not say which one is used")
                }
                (Note::DependsOnProgram { .. }, 1) => ("symbol", "depends on the program"),
                (Note::DependsOnProgram { .. }, _) => ("symbols", "depend on the program"),
                (Note::DefinedTwice { .. }, 1) => ("symbol", "is defined twice in a program"),
                (Note::DefinedTwice { .. }, _) => ("symbols", "are defined twice in a program"),
            };
            lines.push(format!("{rest} more {things} {what}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn lists_end_in_and() {
        let check = |names: &[&str], expected: &str| assert_eq!(List(&strings(names)).to_string(), expected);
        check(&["a"], "a");
        check(&["a", "b"], "a and b");
        check(&["a", "b", "c", "d"], "a, b, c and d");
        check(&["a", "b", "c", "d", "e"], "a, b, c and 2 more");
    }

    #[test]
    fn notes_are_bounded_by_kind() {
        let differs = |name: &str| Note::Differs { symbol: name.to_owned(), files: strings(&["a.c", "b.c"]) };
        let depends = Note::DependsOnProgram {
            symbol: "app_malloc".to_owned(),
            files: strings(&["apps/lib/apps.c", "test/testutil.c"]),
            users: strings(&["apps/lib/s_cb.c"]),
        };
        let lines = shown(&[depends, differs("f"), differs("g"), differs("h")], 1);
        assert_eq!(
            lines,
            [
                "`app_malloc` is defined in apps/lib/apps.c and test/testutil.c; which one is used by apps/lib/s_cb.c depends on the program",
                "the inline function `f` differs between a.c and b.c: by different macros, or against the one-definition rule",
                "2 more inline functions differ between files",
            ]
        );
    }
}
