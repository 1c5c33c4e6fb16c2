//! A condition that is short enough to be read.
//!
//! ```text
//! n == 3 && (the length of p is …) && m != 2      the shortest conjuncts first, since they say most per letter:
//! n == 3 && m != 2 (and 1 more condition)         in their own order
//! ```

/// Letters of a condition that are shown; JSON has all of it.
const LETTERS: usize = 200;

/// The condition, or so many parts of it as anybody reads, and how many more there are.
pub(crate) fn readable(condition: &str) -> String {
    if condition.chars().count() <= LETTERS {
        return condition.to_owned();
    }
    let (operator, parts) = match parts(condition, " || ") {
        parts if parts.len() > 1 => (" || ", parts),
        _ => (" && ", parts(condition, " && ")),
    };
    let mut by_length: Vec<usize> = (0..parts.len()).collect();
    by_length.sort_by_key(|&at| parts[at].chars().count());
    let mut letters = 0;
    let mut shown: Vec<usize> = Vec::new();
    for at in by_length {
        letters += parts[at].chars().count() + operator.len();
        if letters > LETTERS && !shown.is_empty() {
            break;
        }
        shown.push(at);
    }
    shown.sort_unstable();
    let text = shown.iter().map(|&at| parts[at]).collect::<Vec<_>>().join(operator);
    let more = match (parts.len() - shown.len(), operator) {
        (0, _) => String::new(),
        (1, " && ") => " (and 1 more condition)".to_owned(),
        (n, " && ") => format!(" (and {n} more conditions)"),
        (1, _) => " (or in 1 more case)".to_owned(),
        (n, _) => format!(" (or in {n} more cases)"),
    };
    cut(&text) + &more
}

/// A single part can be too long, too.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// What stands between operators that are in no parentheses and no name.
fn parts<'c>(condition: &'c str, operator: &str) -> Vec<&'c str> {
    let mut parts = Vec::new();
    let (mut depth, mut in_name, mut start) = (0usize, false, 0);
    for (at, letter) in condition.char_indices() {
        match letter {
            '`' => in_name = !in_name,
            '(' | '[' if !in_name => depth += 1,
            ')' | ']' if !in_name => depth = depth.saturating_sub(1),
            _ if depth == 0 && !in_name && at >= start && condition[at..].starts_with(operator) => {
                parts.push(&condition[start..at]);
                start = at + operator.len();
            }
            _ => {}
        }
    }
    parts.push(&condition[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_conditions_are_whole() {
        assert_eq!(readable("n == 3 && m != 2"), "n == 3 && m != 2");
    }

    #[test]
    fn of_long_conditions_the_short_parts_are_shown() {
        let long = format!("n == 3 && ({} == 0 || b == 0) && `a && b` == 0 && m != 2", "x".repeat(300));
        assert_eq!(readable(&long), "n == 3 && `a && b` == 0 && m != 2 (and 1 more condition)");
        let cases = format!("(n == 3 && m == 2) || {} == 0 || {} == 1", "x".repeat(300), "y".repeat(300));
        assert_eq!(readable(&cases), "(n == 3 && m == 2) (or in 2 more cases)");
    }

    #[test]
    fn one_long_part_is_cut() {
        let shown = readable(&"ü".repeat(300));
        assert_eq!(shown.chars().count(), LETTERS + 1);
        assert!(shown.ends_with('…'));
    }
}
