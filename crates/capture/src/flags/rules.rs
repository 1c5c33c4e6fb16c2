//! What becomes of each option: an allow list.
//!
//! A command of a compilation database is somebody else's wish, and clang knows options that load plugins,
//! start programs and write files. So only what is listed as harmless *and* decides about the meaning of the
//! program is handed on; everything else goes, and what may matter is told ([`Action::may_matter`]). An exact
//! rule wins over one that ends in `*`, and a longer one over a shorter one; the order does not matter.
//! Source: clang's own list of options (`--help-hidden`, `--autocomplete=-`, the *Clang command line argument
//! reference*) of versions 15, 16, 19 and 22, and GCC 12's (`--help=common,optimizers,target,c,c++,warnings`,
//! for x86-64 and 32-bit ARM), each option and its negation tried with both.
//! Laws: a row is kept only if clang of every version treats the next word as we do; and no row that is kept
//! names a file that clang would write, execute or load.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::driver::DRIVER;
use super::families::{F, M};
use super::front_end::FRONT_END;

/// What happens to an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// It decides about the meaning of the program, and can do no harm.
    Keep,
    /// The option and the word after it stay together.
    KeepWithNext,
    /// It decides about something else.
    Drop,
    /// The option and the word after it go together.
    DropWithNext,
    /// It could run, write or believe what comes with the code.
    Refuse,
    /// The option and the word after it are refused together.
    RefuseWithNext,
    /// It is for the linker alone.
    Link,
    /// The option and the word after it are for the linker alone.
    LinkWithNext,
    /// Nobody has judged it.
    Unlisted,
}

/// A row of the table: what happens, why, and the options, with blanks between them.
pub(super) type Row = (Action, &'static str, &'static str);

use Action::{Drop, DropWithNext, Keep, KeepWithNext, Link, LinkWithNext, Refuse, RefuseWithNext, Unlisted};

impl Action {
    /// Whether the next word belongs to the option.
    pub(crate) fn takes_next(self) -> bool {
        match self {
            KeepWithNext | DropWithNext | RefuseWithNext | LinkWithNext => true,
            Keep | Drop | Refuse | Link | Unlisted => false,
        }
    }

    /// Whether it is handed on.
    pub(crate) fn keeps(self) -> bool {
        matches!(self, Keep | KeepWithNext)
    }

    /// Whether the program may mean something else without it.
    pub(crate) fn may_matter(self) -> bool {
        matches!(self, Refuse | RefuseWithNext | Unlisted)
    }

    /// Whether it means something only where objects are linked.
    pub(crate) fn is_for_linker(self) -> bool {
        matches!(self, Link | LinkWithNext)
    }
}

/// What to do with an option of the driver.
pub(crate) fn driver(option: &str) -> Action {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(driver_patterns()));
    TABLE.find(option).unwrap_or(Unlisted)
}

/// What to do with an option of clang's inner compiler.
pub(crate) fn front_end(option: &str) -> Action {
    static OWN: LazyLock<Table> = LazyLock::new(|| Table::new(patterns("", FRONT_END)));
    static SHARED: LazyLock<Table> = LazyLock::new(|| Table::new(f_patterns()));
    OWN.find(option).or_else(|| SHARED.find(option)).unwrap_or(Unlisted)
}

fn driver_patterns() -> impl Iterator<Item = (String, Action)> {
    patterns("", DRIVER).chain(f_patterns()).chain(patterns("-m", M)).chain(patterns("-mno-", M))
}

fn f_patterns() -> impl Iterator<Item = (String, Action)> {
    patterns("-f", F).chain(patterns("-fno-", F))
}

fn patterns(start: &'static str, rows: &'static [Row]) -> impl Iterator<Item = (String, Action)> {
    rows.iter().flat_map(move |(action, _, options)| {
        options.split_whitespace().map(move |it| (format!("{start}{it}"), *action))
    })
}

/// Rules in a form that is found quickly: databases have hundreds of thousands of options.
struct Table {
    exact: HashMap<String, Action>,
    /// Sorted, without the `*`.
    prefixes: Vec<(String, Action)>,
}

impl Table {
    fn new(patterns: impl Iterator<Item = (String, Action)>) -> Table {
        let (mut exact, mut prefixes) = (HashMap::new(), Vec::new());
        for (pattern, action) in patterns {
            match pattern.strip_suffix('*') {
                Some(prefix) => prefixes.push((prefix.to_owned(), action)),
                None => drop(exact.insert(pattern, action)),
            }
        }
        prefixes.sort_by(|one, other| one.0.cmp(&other.0));
        Table { exact, prefixes }
    }

    fn find(&self, option: &str) -> Option<Action> {
        let exact = self.exact.get(option).copied();
        exact.or_else(|| self.joined(option))
    }

    /// By the longest row that the option begins with. The rest is a value, which clang's driver hands to its inner compiler in a word of its own: there, too, `@x` is
    /// a file with more options.
    fn joined(&self, option: &str) -> Option<Action> {
        let (prefix, action) = self.longest_prefix(option)?;
        let names_a_file = option[prefix.len()..].starts_with('@');
        Some(if names_a_file && action.keeps() { Refuse } else { *action })
    }

    /// All prefixes of a text that sort before it are prefixes of its predecessor, too, as long as that one is no prefix.
    fn longest_prefix(&self, option: &str) -> Option<&(String, Action)> {
        let mut text = option.as_bytes();
        loop {
            let after = self.prefixes.partition_point(|(prefix, _)| prefix.as_bytes() <= text);
            let row = &self.prefixes[after.checked_sub(1)?];
            let common = row.0.bytes().zip(text).take_while(|(one, other)| one == *other).count();
            if common == row.0.len() {
                return Some(row);
            }
            text = &text[..common];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_wins() {
        assert_eq!(driver("-o"), DropWithNext);
        assert_eq!(driver("-ofile"), Drop);
        assert_eq!(driver("-gcc-toolchain"), KeepWithNext);
        assert_eq!(driver("-ggdb3"), Drop);
        assert_eq!(driver("-Wall"), Drop);
        assert_eq!(driver("-Wp,-DX"), Keep);
        assert_eq!(driver("-Wl,-z,now"), Link);
        assert_eq!(driver("-undef"), Keep);
        assert_eq!(driver("-undefined"), LinkWithNext);
        assert_eq!(driver("-fno-tree-vrp"), Drop);
        assert_eq!(driver("-mno-red-zone"), Drop);
        assert_eq!(driver("-fno-builtin-malloc"), Keep);
        assert_eq!(driver("-fbuiltin-module-map"), Refuse);
        assert_eq!(front_end("-fdeclspec"), Keep);
        assert_eq!(front_end("-m32"), Unlisted);
    }

    #[test]
    fn what_nobody_has_judged_is_not_handed_on() {
        for option in ["", "-", "-\u{e9}", "-fnew-in-clang-30=x", "--new", "-cc1", "-mnew"] {
            assert_eq!(driver(option), Unlisted, "{option}");
        }
        for option in ["-I@x", "-D@x", "--sysroot=@x", "-march=@x", "--target=@x", "-isystem@x", "-include@x"]
        {
            assert_eq!(driver(option), Refuse, "{option}");
        }
        for option in ["-fplugin=x", "-fplugin-arg-x", "-B", "-Bx", "--config=x", "-mllvm", "-fmodules"] {
            assert!(driver(option).may_matter() && !driver(option).keeps(), "{option}");
        }
    }

    #[test]
    fn no_option_has_two_rules() {
        for patterns in [driver_patterns().collect::<Vec<_>>(), patterns("", FRONT_END).collect()] {
            let mut all: Vec<String> = patterns.into_iter().map(|(pattern, _)| pattern).collect();
            all.sort();
            let twice: Vec<&[String]> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
    }

    #[test]
    fn every_row_has_a_reason() {
        for (_, reason, options) in [DRIVER, F, M, FRONT_END].into_iter().flatten() {
            assert!(!reason.is_empty() && !options.trim().is_empty(), "{options}");
        }
    }
}
