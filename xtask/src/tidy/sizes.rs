//! Long files and functions: places to look at, not a gate (STYLE §17).

use super::files::SourceFile;

const LONG_FILE: usize = 800;
const LONG_FUNCTION: usize = 70;

/// One sentence per place.
pub(crate) fn places(files: &[SourceFile]) -> Vec<String> {
    let mut places = Vec::new();
    for file in files.iter().filter(|file| file.is_rust_source()) {
        let lines: Vec<&str> = file.code_lines().collect();
        let path = file.path.display();
        if lines.len() > LONG_FILE {
            places.push(format!("look at {path}: {} lines", lines.len()));
        }
        for function in functions(&lines).into_iter().filter(|it| it.length > LONG_FUNCTION) {
            let Function { name, line, length } = function;
            places.push(format!("look at {path}:{line}: `{name}` has {length} lines"));
        }
    }
    places
}

#[derive(Debug, PartialEq, Eq)]
struct Function<'t> {
    name: &'t str,
    line: usize,
    length: usize,
}

/// The functions of formatted code: each ends at the first brace that closes at its own indentation.
fn functions<'t>(lines: &[&'t str]) -> Vec<Function<'t>> {
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indentation = line.len() - line.trim_start().len();
        let closes = |line: &&str| line.len() == indentation + 1 && line.ends_with('}');
        let without_body = |line: &&str| {
            line.len() > indentation
                && line.trim_end().ends_with(';')
                && line.len() - line.trim_start().len() == indentation
        };
        let one_line = line.ends_with('}') || line.ends_with(';');
        let rest = lines[index + 1..].iter().position(|line| closes(line) || without_body(line));
        let length = match (one_line, rest) {
            (false, Some(rest)) => rest + 2,
            _ => 1,
        };
        found.push(Function { name, line: index + 1, length });
    }
    found
}

/// The name in `pub(crate) const fn name<T>(…`, if the line starts a function.
fn function_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let qualifiers = ["pub", "pub(crate)", "pub(super)", "const", "async", "extern", "\"C\""];
    let after_qualifiers = words.find(|word| !qualifiers.contains(word))?;
    if after_qualifiers != "fn" {
        return None;
    }
    words.next()?.split(['(', '<']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured() {
        let text = "impl T {\n    pub fn one(&self) -> u32 {\n        if x {\n        }\n        1\n    }\n\n\
            \x20   fn two();\n}\n\npub(crate) const fn three<T>(\n    x: T,\n) {\n}\n// fn no\nfn four() {}\n";
        let lines: Vec<&str> = text.lines().collect();
        let found: Vec<(&str, usize, usize)> =
            functions(&lines).iter().map(|it| (it.name, it.line, it.length)).collect();
        assert_eq!(found, [("one", 2, 5), ("two", 8, 1), ("three", 11, 4), ("four", 16, 1)]);
    }
}
