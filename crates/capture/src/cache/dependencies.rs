//! Reading the list of files that clang read (`-MD`).
//!
//! Source: clang's `DependencyFile.cpp`, tried with names of all kinds. A rule of make: a target, a colon,
//! and the files, parted by spaces and by backslashes at the ends of lines. In a name, a space and `#` have a
//! backslash in front, `$` is doubled.
//! Not covered: clang writes a backslash in a name as a slash, and a line break as it is. Such a file is not
//! found under the name that is read here, and its unit is then compiled each time.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The target that clang is told to write, so that no colon in its name can confuse us.
pub(crate) const TARGET: &str = "unit";

/// Always empty, and not a regular file: some builds include it.
const NOTHING: &[u8] = b"/dev/null";

/// The files in the rule, or `None` if this is no such rule.
pub(super) fn parse(rule: &[u8]) -> Option<Vec<PathBuf>> {
    let rest = rule.strip_prefix(TARGET.as_bytes())?.strip_prefix(b":")?;
    let mut names = Vec::new();
    let mut name = Vec::new();
    let mut bytes = rest.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(b' ' | b'#')) | (b'$', Some(b'$')) => name.extend(bytes.next()),
            (b'\\', Some(b'\n')) | (b' ' | b'\n', _) => names.push(std::mem::take(&mut name)),
            _ => name.push(byte),
        }
    }
    names.push(name);
    let named = names.into_iter().filter(|name| !name.is_empty() && name != NOTHING);
    Some(named.map(|name| PathBuf::from(OsString::from_vec(name))).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn rules_are_read_as_clang_writes_them() {
        let rule = "unit: m\\ n.c a\\ b/x\\ y.h ü/é.h \\#d/h\\#.h q$$/d$$$$.h \\\n  c:d.h pct%.h \\\n  /usr/include/stdio.h\n";
        let names = parse(rule.as_bytes()).unwrap();
        let expected =
            ["m n.c", "a b/x y.h", "ü/é.h", "#d/h#.h", "q$/d$$.h", "c:d.h", "pct%.h", "/usr/include/stdio.h"];
        assert_eq!(names, expected.map(Path::new));
    }

    #[test]
    fn nothing_is_no_dependency() {
        assert_eq!(parse(b"unit: a.c /dev/null\n").unwrap(), [Path::new("a.c")]);
    }

    #[test]
    fn other_texts_are_no_rules() {
        assert_eq!(parse(b""), None);
        assert_eq!(parse(b"a.o: a.c"), None);
        assert_eq!(parse(b"unit"), None);
    }
}
