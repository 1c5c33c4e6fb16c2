//! Every module opens with a comment that says what it is for.

use super::Problem;
use super::files::SourceFile;

pub(crate) fn check(files: &[SourceFile]) -> Vec<Problem> {
    files
        .iter()
        .filter(|file| file.is_rust_source() && !has_header(&file.text))
        .map(|file| Problem {
            file: file.path.clone(),
            line: 1,
            message: "a module opens with `//! Purpose.` (STYLE §31)".into(),
        })
        .collect()
}

fn has_header(text: &str) -> bool {
    text.strip_prefix("//! ").is_some_and(|rest| rest.starts_with(|first: char| !first.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_text() {
        assert!(has_header("//! Purpose.\n"));
        assert!(!has_header("//!\n//! Purpose.\n"));
        assert!(!has_header("//! \n"));
        assert!(!has_header("use std::fmt;\n"));
        assert!(!has_header(""));
    }
}
