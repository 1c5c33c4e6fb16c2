//! Response files: words of a command line that stand in a file (`@file`).
//!
//! Source: GCC's manual on `@file`, and how GNU tools and clang split such files: blanks separate words, both
//! quotes group, and a backslash takes the next character as it is, everywhere. A shell does it differently.

use std::path::Path;

use base::limits;

/// Replaces `@file` by the words in it, and those in them, as compilers, linkers and archivers do.
///
/// Builds delete these files, so this must happen while the build runs. An `@file` that cannot be read stays as it is.
pub fn expand_response_files(args: &[String], dir: &Path) -> Vec<String> {
    let mut left = Left { files: limits::RESPONSE_FILES, bytes: limits::RESPONSE_BYTES };
    expand(args.to_vec(), dir, &mut left)
}

/// What one command line may still name.
struct Left {
    files: u32,
    bytes: u64,
}

fn expand(args: Vec<String>, dir: &Path, left: &mut Left) -> Vec<String> {
    if !args.iter().any(|arg| arg.starts_with('@')) {
        return args;
    }
    let mut expanded = Vec::new();
    for arg in args {
        match arg.strip_prefix('@').and_then(|name| words_of(&dir.join(name), left)) {
            Some(words) => expanded.extend(expand(words, dir, left)),
            None => expanded.push(arg),
        }
    }
    expanded
}

fn words_of(file: &Path, left: &mut Left) -> Option<Vec<String>> {
    left.files = left.files.checked_sub(1)?;
    let bytes = files::read(file, limits::RESPONSE_FILE_BYTES.min(left.bytes)).ok()?;
    left.bytes -= bytes.len() as u64;
    Some(split(&String::from_utf8_lossy(&bytes)))
}

fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    // An empty word exists only if it is quoted.
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match (letter, quote) {
            ('\\', _) => word.get_or_insert_default().extend(rest.next()),
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_like_gnu_tools_do() {
        assert_eq!(split("a  b\n\tc"), ["a", "b", "c"]);
        assert_eq!(split(r#"-DX="\"a b\"" '-DY=c d' e\ f"#), ["-DX=\"a b\"", "-DY=c d", "e f"]);
        assert_eq!(split(r"'a\'b' # ''"), ["a'b", "#", ""]);
        assert_eq!(split("a 'b c"), ["a", "b c"]);
        assert_eq!(split("a\\"), ["a"]);
        assert!(split(" \n").is_empty());
    }
}
